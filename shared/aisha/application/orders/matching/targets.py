"""Decide whether the user named a record that a call is about, or spoke of it."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from msgspec import Struct
from rapidfuzz.distance import OSA

from aisha.application.orders.reading.said import Said
from aisha.domain.conversations.conversation import SessionEntity
from aisha.domain.ids import KNOWN_ID
from aisha.domain.language import lexicon, words
from aisha.domain.language.reader import read
from aisha.domain.language.tokens import Token, tokenize

_MIN_ALIAS = 3
_MIN_FUZZY = 5


class Spoken(Struct, frozen=True):
    """A record as a user may speak of it: `words` are those of its own name, `related` of what it belongs to."""

    id: str
    name: str
    words: frozenset[str] = frozenset()
    related: frozenset[str] = frozenset()

    @property
    def all_words(self) -> frozenset[str]:
        return self.words | self.related


class Focus(Struct, frozen=True):
    """The records in focus: `first` are the records that were spoken of before, `now` those that a pronoun may mean if
    there are none of their kind, `found` those that this turn has found.

    `shown` are the records of the last reply, in its order; `created` are those that this turn has made; `known` are
    all of the conversation. `spoken` is the user's last message before this one.
    """

    first: Sequence[str] = ()
    now: Sequence[str] = ()
    found: Sequence[str] = ()
    shown: Sequence[str] = ()
    created: Sequence[str] = ()
    known: Sequence[SessionEntity] = ()
    spoken: str = ""


def ids_in(value: Any) -> list[str]:
    """Return the ids of records at any depth of a value, each once."""
    if isinstance(value, str):
        return [value] if KNOWN_ID.fullmatch(value) else []
    if isinstance(value, Mapping | list):
        items = value.values() if isinstance(value, Mapping) else value
        return list(dict.fromkeys(one for item in items for one in ids_in(item)))
    return []


def is_meant(record: Spoken, said: Said, focus: Focus) -> bool:
    """Return whether the user's words mean the record: by its name, by what it belongs to, or by a pronoun."""
    if record.id in focus.created:
        return True
    if any(_covers(record.words, _content(text)) for text in said.excluded):
        return False
    if any(_covers(record.words, _content(text)) for text in said.passing) and _is_main_other(record, said):
        return False
    place = None if said.is_plural else _place(said)
    if place is not None and said.continues and record.id in focus.shown:
        return _is_same(_at(focus.shown, place), record, focus)
    if said.continues and _is_chosen(record, said):
        return True
    if (named := _is_named(record, said, focus)) is not None:
        return named
    if record.id.startswith(_OWN_ENTRIES) and any(token.word in lexicon.THING for token in said.tokens):
        return True
    if said.is_plural and not _names_each(said) and record.id in (*focus.found, *focus.shown):
        return True
    if record.id in focus.found and _is_described(record, said):
        # "My hottest lead", "the overdue task": what the turn has looked up by description.
        return True
    if place is not None and focus.shown:
        return _is_same(_at(focus.shown, place), record, focus)
    # "Set the status to warm" means who was spoken of before; "his" may also be who this turn has found.
    tokens = [token for part in said.parts for token in part.ask.tokens]
    is_pointed = any(token.word in _POINTING for token in tokens)
    if any(map(_content, said.names)) and not is_pointed:
        return False
    if record.id not in focus.first and not (is_pointed and record.id in focus.now):
        return False
    return record.id in focus.shown or not _names_another(focus.spoken, record)


def _is_main_other(record: Spoken, said: Said) -> bool:
    return not any(_covers(record.words, _content(text)) for text in said.names)


def _names_each(said: Said) -> bool:
    """Return whether several records are named one by one: "both Omar Benali and Jack Russel"."""
    named = [text for part in said.parts for text in part.ask.texts("name") if any(map(is_telling, tokenize(text)))]
    return bool(named) and not any(token.word in _ALL for token in said.tokens)


def _names_another(message: str, record: Spoken) -> bool:
    """Return whether a message names records, but not this one: who is spoken of is the user's to say."""
    if not message or record.id.startswith(_OWN_ENTRIES):
        return False
    spans = [_content(span.text) for segment in read(message).segments for span in segment.spans if span.tag == "name"]
    named = [span for span in spans if span]
    said_words = {token.word for token in tokenize(message)}
    return bool(named) and not any(_covers(record.all_words, span) for span in named) and not record.words & said_words


def is_called(record: Spoken, said: Said) -> bool:
    """Return whether a word of the record's own name was said, in whatever language."""
    return any(token.word in record.words and len(token.word) >= _MIN_ALIAS for token in said.tokens)


def name_as_said(record: Spoken, said: Said) -> str:
    """Return the words of the record's name that the user said: the others are whoever's who wrote the name."""
    words = {token.word for token in said.tokens}
    return " ".join(token.text for token in tokenize(record.name) if token.word in words)


def _is_named(record: Spoken, said: Said, focus: Focus) -> bool | None:
    """Return whether the record is named, False if another one is, None if there is no name in the words."""
    whole = _words_of(record.name)
    if len(whole) > 1 and whole <= {token.word for token in said.tokens}:
        return True
    spans = [_content(text) for text in said.names]
    spans = [span for span in spans if span]
    if any(_covers(record.words, span) for span in spans):
        # "John, the one at Acme": what else is said tells namesakes apart.
        others = frozenset(token.word for token in said.tokens if is_telling(token)) - record.words
        return not _is_ambiguous(record, spans, focus) or bool(others & record.related)
    if any(_covers(record.all_words, span) for span in spans):
        return True
    if _is_written(record, said):
        return True
    if not spans:
        return None
    # Names that no record of the conversation has may be anything: a topic, a company, a colleague.
    namesakes = [one for one in focus.known if one.id != record.id]
    return False if any(_covers(_words_of(one.name), span) for span in spans for one in namesakes) else None


def _is_written(record: Spoken, said: Said) -> bool:
    """Return whether the whole name stands in the text, or an unusual word of it, outside of other names."""
    own = {token.word for token in tokenize(record.name) if token.kind != "mark"}
    others = [span for span in map(_content, said.names) if not _covers(record.all_words, span)]
    foreign = {word for span in others for word in span}
    is_shouted = said.message.isupper()
    telling = {
        token.word
        for token in said.tokens
        if token.word not in foreign and (not words.is_common(token.word) if is_shouted else is_telling(token))
        if not _is_of_orders(token)
    }
    if own and own <= {token.word for token in said.tokens} - foreign and own & telling:
        return True
    # Where somebody else is named, a word such as "CRM" names no company besides.
    return not others and any(len(word) >= _MIN_ALIAS for word in telling & record.all_words)


def _is_of_orders(token: Token) -> bool:
    """Return whether a word is one of the product's own: "Status", "Lost", "Please"."""
    is_verb = token.word in lexicon.ORDER_VERBS or token.word in lexicon.INTERJECTIONS
    is_kind = lexicon.kind_named(token) is not None or token.word in lexicon.LINKS
    return is_verb or is_kind or bool(lexicon.fields_in(token.word) or lexicon.values_in(token.word))


def is_telling(token: Token) -> bool:
    """Return whether a word of a text is likely to be of a name: a capital within a sentence, or no common word."""
    is_name = token.is_capital and token.start > 0
    return is_name or token.word in words.first_names() or not words.is_common(token.word)


def _is_ambiguous(record: Spoken, spans: Sequence[frozenset[str]], focus: Focus) -> bool:
    """Return whether another record of the kind has the same words and was spoken of more recently."""
    if record.id in focus.first or record.id in focus.shown[:1]:
        return False
    kind = record.id.partition("_")[0]
    mine = [span for span in spans if _covers(record.words, span)]
    own = max(mine, key=len)
    rivals = {
        one.id for one in focus.known if one.id != record.id and one.type == kind and _covers(_words_of(one.name), own)
    }
    is_whole = _words_of(record.name) <= own
    return bool(rivals) and not is_whole


def _covers(known: Iterable[str], span: Iterable[str]) -> bool:
    """Return whether all words of a name that was said are words of a record, up to one slip each."""
    known = tuple(known)
    return bool(span) and all(
        word in known
        or (len(word) >= _MIN_FUZZY and any(OSA.distance(word, one, score_cutoff=1) <= 1 for one in known))
        for word in span
    )


def _content(text: str) -> frozenset[str]:
    """Return the words of a name in lower case, without kinds of records and links."""
    found = [token.word for token in tokenize(text) if token.kind != "mark"]
    kept = [word for word in found if word not in _DROPPED]
    # "Qualify Jack" is sometimes taken for a name as a whole.
    return frozenset(kept[1:] if len(kept) > 1 and kept[0] in lexicon.ORDER_VERBS else kept)


_FORMS_OF_ADDRESS = frozenset("the a an my our his her their new old mr mrs ms dr inc ltd gmbh corp llc co ag".split())
_DROPPED = lexicon.LINKS | lexicon.KIND_NAMES | _FORMS_OF_ADDRESS


def _words_of(name: str) -> frozenset[str]:
    return frozenset(token.word for token in tokenize(name) if token.kind != "mark")


def _is_described(record: Spoken, said: Said) -> bool:
    """Return whether the words name nobody, but the kind of the record, and do not point back to one."""
    tokens = [token for part in said.own for token in part.ask.tokens]
    if any(_content(text) for text in said.names) or any(token.word in _POINTING for token in tokens):
        return False
    kind = record.id.partition("_")[0]
    kinds = {lexicon.kind_named(token) for token in tokens}
    types = any(lexicon.activity_type_of(token.word) for token in tokens)
    return kind in kinds or (kind == "activity" and types) or record.id.startswith("reminder")


_POINTING = lexicon.PERSON | lexicon.THING | lexicon.OF_EITHER


def _is_chosen(record: Spoken, said: Said) -> bool:
    """Return whether an answer has a word of the record's name, or of what it belongs to: "the one at Acme"."""
    tokens = [token for part in said.own for token in part.ask.tokens]
    return any(
        token.word in record.all_words and token.word not in _UNTELLING and is_telling(token) for token in tokens
    )


_ALL = lexicon.PLURAL - {"both"}
_OWN_ENTRIES = ("reminder_", "memory_", "instruction_")
"""The user's own, in their own words: "snooze it" needs no name."""
_UNTELLING = lexicon.LINKS | lexicon.KIND_NAMES | lexicon.INTERJECTIONS | frozenset("the one a an".split())


def _place(said: Said) -> int | None:
    """Return the place that "the second one" says, if the message says one."""
    own = [token.word for part in said.own for token in part.ask.tokens]
    places = lexicon.ordinals_in(own)
    if not places and len(own) <= 2:
        places = [int(word) for word in own if word.isdigit() and len(word) <= 2]
    return places[0] if places else None


def _at(shown: Sequence[str], place: int) -> str | None:
    index = place - 1 if place > 0 else place
    return shown[index] if -len(shown) <= index < len(shown) else None


def _is_same(record_id: str | None, record: Spoken, focus: Focus) -> bool:
    """Return whether an id is the record's, or that of one of the same name: a list of namesakes has no order here."""
    return record_id == record.id or any(one.id == record_id and one.name == record.name for one in focus.known)


def spoken(record_id: str, names: Sequence[str], related: Sequence[str] = ()) -> Spoken:
    """Return a record with its names: the first is the one that is shown."""
    own = frozenset(word for name in names for word in _words_of(name))
    return Spoken(
        record_id, names[0] if names else "", own, frozenset(word for name in related for word in _words_of(name))
    )
