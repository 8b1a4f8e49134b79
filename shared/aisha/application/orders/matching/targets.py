"""Judge whether the user named a record that a call is about, or referred to it."""

import itertools
from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Any

from msgspec import Struct

from aisha.application.orders.matching.names import (
    is_likely_name,
    is_product_word,
    matches_name,
    name_words,
    words_of,
)
from aisha.application.orders.reading.clauses import first_word
from aisha.application.orders.reading.segmenting import REPLACING_WORDS
from aisha.application.orders.reading.utterance import Utterance
from aisha.application.orders.reading.utterance_segment import MIN_ORDER_PROBABILITY
from aisha.application.orders.wording import ASKED, REFUSED, RETRACTED
from aisha.domain.conversations.conversation import SessionEntity
from aisha.domain.ids import KNOWN_ID
from aisha.domain.language import lexicon, words
from aisha.domain.language.acts import NAME_TAGS, READS
from aisha.domain.language.reader import read
from aisha.domain.language.tokens import Token, tokenize

_MIN_ALIAS = 3
_WORDS_FOR_EACH = frozenset("them both each every everyone everybody".split())
_WORDS_AFTER_ALL = frozenset("my our the new open warm lost ones".split())
_WORDS_FOR_ALL = lexicon.PLURAL_WORDS - {"both"}
_PRIVATE_ENTRY_PREFIXES = ("reminder_", "memory_", "instruction_")
"""The user's own, in their own words: "snooze it" needs no name."""
_TAGS_OF_PEOPLE = NAME_TAGS | {"owner"}
_ANSWERING_ACTS = frozenset("yes no wait again more thanks take_up".split())
_CLAUSE_LINKS = frozenset("and but so because since while when who then".split())
_WORDS_OF_NO_NAME = lexicon.LINK_WORDS | lexicon.KIND_NAMES | lexicon.INTERJECTIONS | frozenset("the one a an".split())


class RecordMention(Struct, frozen=True):
    """The words by which a user may name a record: `words` of its own name, `related` of what it belongs to."""

    id: str
    name: str
    words: frozenset[str] = frozenset()
    related: frozenset[str] = frozenset()

    @property
    def all_words(self) -> frozenset[str]:
        """The words of its own name and of what it belongs to."""
        return self.words | self.related


class Focus(Struct, frozen=True):
    """The records of a conversation, by id, that words without a name may refer to.

    `recently_mentioned` were spoken of before this turn, `found_this_turn` and `created_this_turn` come from its calls,
    and `named_in_replies` has those that each reply names, in its order, the latest reply first. `pronoun_candidates`
    may be meant by a pronoun where `recently_mentioned` has none of their kind. `conversation_records` are all of the
    conversation, and `previous_message` is the user's message before this one.
    """

    recently_mentioned: Sequence[str] = ()
    pronoun_candidates: Sequence[str] = ()
    found_this_turn: Sequence[str] = ()
    named_in_replies: Sequence[Sequence[str]] = ()
    created_this_turn: Sequence[str] = ()
    conversation_records: Sequence[SessionEntity] = ()
    previous_message: str = ""

    @property
    def last_listed(self) -> Sequence[str]:
        """The records that the last reply names; if it names none, those of the last list before it."""
        last = next(iter(self.named_in_replies), ())
        return last or next((ids for ids in self.named_in_replies if len(ids) > 1), ())


def ids_in(value: Any) -> list[str]:
    """Return the ids of records at any depth of a value, each once."""
    if isinstance(value, str):
        return [value] if KNOWN_ID.fullmatch(value) else []
    if isinstance(value, Mapping | list):
        items = value.values() if isinstance(value, Mapping) else value
        return list(dict.fromkeys(one for item in items for one in ids_in(item)))
    return []


def is_referred_to(
    record: RecordMention, utterance: Utterance, focus: Focus, named_values: Collection[str] = ()
) -> bool:
    """Return whether the user's words mean the record: by its name, by what it belongs to, or by a pronoun.

    `named_values` are the texts that look like names, but are values of the call.
    """
    if record.id in focus.created_this_turn:
        return True
    if _is_named_in_passing(record, utterance):
        return False
    place = None if utterance.is_plural else _ordinal(utterance)
    if place is not None and utterance.continues_earlier and record.id in focus.last_listed:
        return _is_same(_record_at(focus.last_listed, place), record, focus)
    if utterance.continues_earlier and _is_chosen(record, utterance, focus):
        return True
    names = [text for text in utterance.names if text not in named_values]
    if (is_named := _is_named(record, utterance, names, focus)) is not None:
        return is_named
    if _says_other_one(record, utterance) and (other_ones := _other_ones(record, focus)) is not None:
        return other_ones == [record.id]
    if described := _listed_by_description(record, utterance, focus):
        return described == [record.id]
    if record.id.startswith(_PRIVATE_ENTRY_PREFIXES) and any(
        token.word in lexicon.THING_PRONOUNS for token in utterance.tokens
    ):
        return True
    is_of_several = utterance.is_plural and (not any(map(name_words, names)) or _means_several(utterance))
    if is_of_several and not _names_each(utterance) and record.id in (*focus.found_this_turn, *focus.last_listed):
        return True
    if record.id in focus.found_this_turn and not any(map(name_words, names)) and _is_described(record, utterance):
        # "My hottest lead", "the overdue task": what the turn has looked up by description.
        return True
    if place is not None and focus.last_listed:
        return _is_same(_record_at(focus.last_listed, place), record, focus)
    return _is_in_focus(record, utterance, names, focus)


def is_only_one_named(record: RecordMention, utterance: Utterance) -> bool:
    """Return whether a message names nobody but the record, in a sentence before another one without a name.

    "Dead as a dodo, Jack Russel? Mark him as lost." Whoever is refused something or excepted is not meant, but for
    what is to be done instead: "don't delete Jack Russel, just mark him as lost".
    """
    if gives_answer(utterance):
        return False  # "Done deal, do it" answers the assistant, whatever a record is called.
    is_named = is_refused = False
    for segment in utterance.message_segments:
        names = [name for span in segment.spans if span.tag in _TAGS_OF_PEOPLE and (name := name_words(span.text))]
        if not all(matches_name(record.all_words, name) for name in names):
            return False
        is_read = segment.is_question or segment.probability_of(READS) >= MIN_ORDER_PROBABILITY
        is_meant = is_named or (is_refused and first_word(segment.ask) in REPLACING_WORDS)
        if is_meant and not names and not is_read and segment.denial != ASKED:
            return not utterance.excluded_names
        is_own = any(matches_name(record.words, name) for name in names)
        is_refused = is_own and segment.denial == REFUSED
        is_named = is_named or (is_own and segment.denial not in (REFUSED, RETRACTED))
    return False


def _is_in_focus(record: RecordMention, utterance: Utterance, names: Sequence[str], focus: Focus) -> bool:
    """Return whether words without a name mean the record, as the one that was spoken of last."""
    # "Set the status to warm" means who was spoken of before; "his" may also be who this turn has found.
    is_pointed = _points_back(utterance, [name for name in names if not matches_name(record.words, name_words(name))])
    if any(map(name_words, names)) and not is_pointed:
        return False
    if record.id not in focus.recently_mentioned and not (is_pointed and record.id in focus.pronoun_candidates):
        return False
    is_in_last_reply = any(record.id in ids for ids in focus.named_in_replies[:1])
    return is_in_last_reply or not _names_another(focus.previous_message, record)


def _points_back(utterance: Utterance, names: Collection[str]) -> bool:
    """Return whether the first pronoun of a message means none of the names: those of earlier clauses it may mean.

    "Put Acme down as her company" points back, "Set Ann to lost, I met her" does not.
    """
    is_named = False
    for segment in utterance.segments:
        if utterance.offer_segments and segment.ask.act in _ANSWERING_ACTS:
            continue  # "Yes, do it": what was offered.
        tokens = segment.ask.tokens
        place = next((at for at, token in enumerate(tokens) if token.word in lexicon.BACK_REFERENCES), None)
        clause_start = _clause_start(tokens, len(tokens) if place is None else place)
        spans = [span for span in segment.names if span.text in names and name_words(span.text)]
        is_named = is_named or any(span.start < clause_start for span in spans)
        if place is not None:
            return not is_named
    return False


def _clause_start(tokens: Sequence[Token], place: int) -> int:
    """Return where the clause of the token at a place begins in the text; the end of the text behind the last token."""
    if place == len(tokens):
        return tokens[-1].end if tokens else 0
    marks = (one for one in reversed(tokens[:place]) if one.kind == "mark" or one.word in _CLAUSE_LINKS)
    return next((one.start for one in marks), 0)


def _says_other_one(record: RecordMention, utterance: Utterance) -> bool:
    """Return whether the words mean the one of some records that was not spoken of: "the other one"."""
    kind = record.id.partition("_")[0]
    for text in (text for segment in utterance.current_segments for text in segment.ask.texts("ref")):
        words = [token.word for token in tokenize(text)]
        noun = " ".join(words[2:])
        is_of_kind = lexicon.kind_of(noun) == kind or (kind == "activity" and bool(lexicon.activity_type_of(noun)))
        if words[:2] == ["the", "other"] and (noun in ("", "one") or is_of_kind) and not noun.endswith("s"):
            return True
    return False


def _other_ones(record: RecordMention, focus: Focus) -> list[str] | None:
    """Return the records of the last list of the record's kind that no reply has named since; None without a list."""
    later: set[str] = set()
    for ids in focus.named_in_replies:
        listed = [one for one in ids if one.partition("_")[0] == record.id.partition("_")[0]]
        if len(listed) > 1:
            return [one for one in listed if one not in later]
        later.update(listed)
    return None


def _is_named_in_passing(record: RecordMention, utterance: Utterance) -> bool:
    """Return whether the user excepts the record, or names it in a subordinate clause alone."""

    def has_it(names: Iterable[str]) -> bool:
        return any(matches_name(record.words, name_words(text)) for text in names)

    return has_it(utterance.excluded_names) or (has_it(utterance.subordinate_names) and not has_it(utterance.names))


def _names_each(utterance: Utterance) -> bool:
    """Return whether several records are named one by one: "both Omar Benali and Jack Russel"."""
    texts = (text for segment in utterance.segments for text in segment.ask.texts("name"))
    is_named = any(is_likely_name(token) for text in texts for token in tokenize(text))
    return is_named and not any(token.word in _WORDS_FOR_ALL for token in utterance.tokens)


def _means_several(utterance: Utterance) -> bool:
    """Return whether words beside a name mean several records: "them", "all my leads"; not "they" or "these days"."""
    pairs = itertools.pairwise((*(token for token in utterance.tokens if token.kind != "mark"), None))
    return any(
        one.word in _WORDS_FOR_EACH
        or (
            one.word in lexicon.PLURAL_WORDS
            and two is not None
            and (two.word in _WORDS_AFTER_ALL or lexicon.kind_named(two) is not None)
        )
        for one, two in pairs
        if one is not None
    )


def _names_another(message: str, record: RecordMention) -> bool:
    """Return whether a message of the user names records, but not this one."""
    if not message or record.id.startswith(_PRIVATE_ENTRY_PREFIXES):
        return False
    if record.words & {token.word for token in tokenize(message)}:
        return False
    spans = (span for segment in read(message).segments for span in segment.spans if span.tag == "name")
    names = [name for name in map(name_words, (span.text for span in spans)) if name]
    return bool(names) and not any(matches_name(record.all_words, name) for name in names)


def has_name_word(record: RecordMention, utterance: Utterance) -> bool:
    """Return whether a word of the record's own name was said, in whatever language."""
    return any(token.word in record.words and len(token.word) >= _MIN_ALIAS for token in utterance.tokens)


def stated_name_words(record: RecordMention, utterance: Utterance) -> str:
    """Return the words of the record's name that the user said; others may be of whoever wrote the name."""
    words = {token.word for token in utterance.tokens}
    return " ".join(token.text for token in tokenize(record.name) if token.word in words)


def _listed_by_description(record: RecordMention, utterance: Utterance, focus: Focus) -> list[str]:
    """Return the listed records of the record's kind whose names have the words after a "the": "the renewal".

    Words of slots, such as what a task is about, describe no record, nor do the product's own.
    """
    tokens = [token for segment in utterance.current_segments for token in segment.ask.tokens]
    if any(token.word in lexicon.BACK_REFERENCES for token in tokens):
        return []
    kind = record.id.partition("_")[0]
    names = {one.id: words_of(one.name) for one in focus.conversation_records if one.type == kind}
    names = {record_id: names[record_id] for record_id in focus.last_listed if record_id in names}
    loose = [token for segment in utterance.current_segments for token in segment.ask.loose]
    described: list[str] = []
    for place, token in enumerate(tokens):
        later = itertools.takewhile(lambda one: any(one.word in words for words in names.values()), tokens[place + 1 :])
        run = list(later) if token.word == "the" else []
        if run and all(one in loose for one in run) and not all(map(is_product_word, run)):
            words = {one.word for one in run}
            described += [record_id for record_id, name in names.items() if words <= name]
    return list(dict.fromkeys(described))


def _is_named(record: RecordMention, utterance: Utterance, names: Sequence[str], focus: Focus) -> bool | None:
    """Return whether the record is one of the `names`, False if another one is, None if the words name no record."""
    whole = words_of(record.name)
    if len(whole) > 1 and whole <= {token.word for token in utterance.tokens}:
        return True
    spans = [span for span in map(name_words, names) if span]
    if any(matches_name(record.words, span) for span in spans):
        # "John, the one at Acme": what else is said tells namesakes apart.
        others = frozenset(token.word for token in utterance.tokens if is_likely_name(token)) - record.words
        return not _is_ambiguous(record, spans, focus) or bool(others & record.related)
    if any(matches_name(record.all_words, span) for span in spans):
        return True
    if _is_written(record, utterance):
        return True
    if not spans:
        return None
    # Names that no record of the conversation has may be anything: a topic, a company, a colleague.
    namesakes = [one for one in focus.conversation_records if one.id != record.id]
    return False if any(matches_name(words_of(one.name), span) for span in spans for one in namesakes) else None


def _is_written(record: RecordMention, utterance: Utterance) -> bool:
    """Return whether the whole name stands in the text, or an unusual word of it, outside of other names."""
    whole_name = {token.word for token in tokenize(record.name) if token.kind != "mark"}
    others = [span for span in map(name_words, utterance.names) if not matches_name(record.all_words, span)]
    foreign = {word for span in others for word in span}
    is_shouted = utterance.message.isupper()
    name_like_words = {
        token.word
        for token in utterance.tokens
        if token.word not in foreign and (not words.is_common(token.word) if is_shouted else is_likely_name(token))
        if not is_product_word(token)
    }
    own_tokens = {token.word for token in utterance.tokens} - foreign
    if whole_name & name_like_words and whole_name <= own_tokens:
        return True
    # Where somebody else is named, a word such as "CRM" names no company besides.
    return not others and any(len(word) >= _MIN_ALIAS for word in name_like_words & record.all_words)


def _is_ambiguous(record: RecordMention, spans: Sequence[frozenset[str]], focus: Focus) -> bool:
    """Return whether another record of the kind has the same words: of a list one of those that the user saw there.

    Without a list that has it they are any, but for a record that was spoken of last.
    """
    if record.id in focus.recently_mentioned and record.id not in focus.last_listed:
        return False
    kind = record.id.partition("_")[0]
    matching_spans = [span for span in spans if matches_name(record.words, span)]
    longest = max(matching_spans, key=len)
    others = [one for one in focus.conversation_records if one.id != record.id and one.type == kind]
    if record.id in focus.last_listed:
        shown_ids = (*focus.last_listed, *focus.recently_mentioned)
        others = [one for one in others if one.id in shown_ids]
    is_whole = words_of(record.name) <= longest
    return not is_whole and any(matches_name(words_of(one.name), longest) for one in others)


def _is_described(record: RecordMention, utterance: Utterance) -> bool:
    """Return whether the words say the kind of the record, and do not point back to one."""
    tokens = [token for segment in utterance.current_segments for token in segment.ask.tokens]
    if any(token.word in lexicon.BACK_REFERENCES for token in tokens):
        return False
    kind = record.id.partition("_")[0]
    kinds = {lexicon.kind_named(token) for token in tokens}
    types = any(lexicon.activity_type_of(token.word) for token in tokens)
    return kind in kinds or (kind == "activity" and types) or record.id.startswith("reminder")


def _is_chosen(record: RecordMention, utterance: Utterance, focus: Focus) -> bool:
    """Return whether an answer has a word of the record's name, or of what it belongs to: "the one at Acme".

    Common words choose it if they are all of the answer, and of no other record that was listed: "the pilot project".
    """
    tokens = [token for segment in utterance.current_segments for token in segment.ask.tokens if token.kind != "mark"]
    tokens = [token for token in tokens if token.word not in _WORDS_OF_NO_NAME]
    if any(token.word in record.all_words and is_likely_name(token) for token in tokens):
        return True
    if record.id not in focus.last_listed or all(map(is_product_word, tokens)) or gives_answer(utterance):
        return False
    others = (one for one in focus.conversation_records if one.id in focus.last_listed and one.id != record.id)
    answer = {token.word for token in tokens}
    return answer <= record.words and not any(answer <= words_of(one.name) for one in others)


def gives_answer(utterance: Utterance) -> bool:
    """Return whether a part of the message says yes, no or wait, whatever else the words are of."""
    return any(segment.ask.act in _ANSWERING_ACTS for segment in utterance.current_segments)


def _ordinal(utterance: Utterance) -> int | None:
    """Return the place that "the second one" says, if the message says one."""
    words_said = [token.word for segment in utterance.current_segments for token in segment.ask.tokens]
    places = lexicon.ordinals_in(words_said)
    if not places and len(words_said) <= 2:
        places = [int(word) for word in words_said if word.isdecimal() and len(word) <= 2]
    return places[0] if places else None


def _record_at(record_ids: Sequence[str], place: int) -> str | None:
    """Return the id at a place that an ordinal says: 1 for the first, -1 for the last; None if there is none."""
    index = place - 1 if place > 0 else place
    return record_ids[index] if -len(record_ids) <= index < len(record_ids) else None


def _is_same(record_id: str | None, record: RecordMention, focus: Focus) -> bool:
    """Return whether an id is the record's, or that of one of the same name: a list of namesakes has no order here."""
    return record_id == record.id or any(
        one.id == record_id and one.name == record.name for one in focus.conversation_records
    )


def record_mention(record_id: str, names: Sequence[str], related: Sequence[str] = ()) -> RecordMention:
    """Return a record with its names: the first is the one that is shown."""
    own_words = frozenset(word for name in names for word in words_of(name))
    return RecordMention(
        record_id, names[0] if names else "", own_words, frozenset(word for name in related for word in words_of(name))
    )
