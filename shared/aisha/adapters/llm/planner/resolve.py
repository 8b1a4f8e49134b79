"""Resolve which record an ask is about: one of the session, of the last list, or one found by name.

A name costs one round of searches, or two in the first round of a turn where a kind is said: that, then the others.
"""

import re
from collections.abc import Sequence
from functools import partial
from itertools import groupby, pairwise

from aisha.adapters.llm.planner.acts.search.words import contacted_stems
from aisha.adapters.llm.planner.naming import (
    DOUBLED,
    Ambiguous,
    Match,
    Unknown,
    by_name,
    chosen,
    is_left_out,
    tell_apart,
    words_and_parts,
    words_of,
)
from aisha.adapters.llm.planner.plan import Answer, EarlyAnswer, Plan, at_once
from aisha.adapters.llm.planner.policy import is_confirmed
from aisha.adapters.llm.planner.replies import questions
from aisha.adapters.llm.planner.results import items_of, ref_of
from aisha.adapters.llm.planner.state import Question, Ref, Topic
from aisha.domain.language import lexicon, vocabulary
from aisha.domain.language.acts import READS, WRITES
from aisha.domain.language.ask import Ask
from aisha.domain.language.lexicon import KINDS
from aisha.domain.language.marks import time_tokens
from aisha.domain.language.tokens import Token, tokenize

MAX_CHOICES = 10
"""Candidates kept for the answer to "Which one?"."""
_OPENING_WORDS = 3
"""Words with which an ask begins, by which its place in the message is found."""
_ABOUT_ONE = frozenset("ask_field about history score next_steps".split())
_BEFORE_VERBS = frozenset("please to and you then i we".split())
# Words for a company by those who work there: "the Acme people".
_GROUPS_OF_PEOPLE = frozenset("people guys folks team".split())
# Pronouns of a person or a company.
_OF_EITHER = frozenset("they them their theirs".split())
_AFTER, _BEFORE = frozenset(("next", "after", "following")), frozenset(("before", "previous", "above"))


def require(plan: Plan, ask: Ask, question: str, kinds: Sequence[str] = ()) -> Ref:
    """Return the one record that an ask is about. Raises `EarlyAnswer` with a question or an apology otherwise.

    `question` is asked when the ask names none. `kinds` are those that it can be; all by default.
    """
    match = subject(plan, ask, kinds)
    if match is None:
        raise plan.ask_who(ask, question)
    return settled(plan, ask, match)


def _are_they(plan: Plan, ask: Ask) -> bool:
    """Return whether "they" are the last two that were named as a pair: "Acme and Globex are late, set their …"."""
    pair = rf"{re.escape(plan.spoken[-2])}\s*(?:,|&|\+|and)\s*{re.escape(plan.spoken[-1])}"
    return bool(ask.words & lexicon.THEY_PRONOUNS) and re.search(pair, plan.scene.user_text) is not None


def require_all(plan: Plan, ask: Ask, question: str, kinds: Sequence[str] = ()) -> tuple[Ref, ...]:
    """Return the records that an ask is about: those named, those of the last list, or one. Raises like `require`."""
    names = ask.texts("name")
    if not names and len(plan.spoken) > 1 and (ask.is_plural or _are_they(plan, ask)):
        names = plan.spoken[-ask.count if ask.count else 0 :]  # "I rang Ann and Bo, mark both as contacted."
    if len(names) > 1:
        matches = at_once(partial(by_name, plan, name, kinds or kinds_named(ask)) for name in names)
        return tuple(settled(plan, ask, match) for match in matches)
    if not names and (listed := several_of(plan, ask, kinds)):
        search = plan.topic.search
        has_number = plan.topic.asked is not None and Ask(plan.topic.asked, plan.now).count  # "Show me 3 leads."
        is_all = ask.act in WRITES and listed == plan.topic.refs and not (ask.count or has_number or is_confirmed(ask))
        if is_all and search is not None and search.cursor:
            text = questions.ask_only_shown(len(listed), search.total)
            raise EarlyAnswer(Answer(text, Question("slot", ask.segment, tag="confirmed"), plan.topic))
        return listed
    subject_match = subject(plan, ask, kinds) if ask.is_plural or names_several(ask) else None
    if isinstance(subject_match, Ambiguous) and (namesakes := namesakes_meant(ask, subject_match.candidates, kinds)):
        return namesakes
    return (require(plan, ask, question, kinds),)


def names_several(ask: Ask) -> bool:
    """Return whether an ask names a kind of record in the plural: "the two Helios deals"."""
    return any(one.word.endswith("s") and lexicon.kind_of(one.stem) in KINDS for one in ask.outside)


def namesakes_meant(ask: Ask, candidates: Sequence[Ref], kinds: Sequence[str] = ()) -> tuple[Ref, ...]:
    """Return the namesakes of which an ask means all: the open ones of the kind named, as many as it says."""
    named = kinds_named(ask) or kinds
    namesakes = [ref for ref in candidates if ref.type in named and not ref.about.startswith("closed")]
    count = 2 if "both" in ask.words else ask.count or len(namesakes)
    return tuple(namesakes) if len(namesakes) == count > 1 else ()


def settled(plan: Plan, ask: Ask, match: Match) -> Ref:
    """Return the record. Raises `EarlyAnswer` when there are several or none."""
    if isinstance(match, Ref):
        if ask.act not in WRITES or plan.bindings:
            return match
        name = _likeness(ask, match) or _of_another_kind(plan, ask, match)
        if not name:
            return match
        match = Ambiguous(name, (match,))
    if isinstance(match, Ambiguous):
        words = {token.word for token in ask.tokens}
        spoken_words = {token.word for name in plan.spoken for token in tokenize(name)}
        # "Acme agreed to the rollout last night, so move that deal to …": what was said before tells which rollout.
        candidate = (
            tell_apart(words, match.candidates)
            or tell_apart(spoken_words, match.candidates)
            or _only_told_before(plan, ask, match.candidates)
            or _of_customer_spoken_of(plan, match.candidates)
        )
        if candidate is not None:
            return candidate
        candidates = match.candidates[:MAX_CHOICES]
        question = Question("which", ask.segment, match.name, candidates)
        raise EarlyAnswer(Answer(questions.ask_which(match.name, candidates), question, plan.topic))
    question = Question("who", ask.segment, match.name, tag="name")
    raise EarlyAnswer(Answer(questions.not_found(match.name, match.kind), question, plan.topic))


def _likeness(ask: Ask, ref: Ref) -> str | None:
    """Return the name if none of its words is one of the record's: "Ann" is not surely Anneliese Vogel."""
    names = [*ask.texts("name"), *ask.texts("org")]
    record_words = {DOUBLED.sub(r"\1", word) for word in words_and_parts(f"{ref.name} {ref.about}")}
    name_words = {DOUBLED.sub(r"\1", word) for name in names for word in words_of(name)}
    return names[0] if names and not name_words & record_words else None


def _of_another_kind(plan: Plan, ask: Ask, ref: Ref) -> str | None:
    """Return the name if another kind of record is said beside it: "the Emerald deal" is no lead at Emerald Foods."""
    name = next(iter(ask.texts("name") or plan.spoken[-1:]), "")
    text = ask.text if name in ask.text else plan.scene.user_text
    if not name or name not in text:
        return None
    before, after = (tokenize(part) for part in text.split(name, 1))
    # In "please contact Omar" the word is a verb.
    is_noun = len(before) > 1 and before[-2].word not in _BEFORE_VERBS
    sides = [*(before[-1:] if is_noun else ()), *after[:1]]
    kinds = [kind for token in sides if (kind := lexicon.kind_named(token)) in KINDS]
    is_company = ref.type == "account" and kinds == ["contact"] and sides[-1].word in _GROUPS_OF_PEOPLE
    return name if kinds and ref.type not in kinds and not is_company else None


def _only_told_before(plan: Plan, ask: Ask, candidates: Sequence[Ref]) -> Ref | None:
    """Return the one candidate with words of its own in what the message said before the ask; None for several."""
    opening = " ".join(ask.text.split()[:_OPENING_WORDS])
    before = {*words_of(plan.scene.user_text.partition(opening)[0])} - lexicon.LINK_WORDS
    common = set[str]().union(*(set(words_of(one.name)) & set(words_of(two.name)) for one, two in pairwise(candidates)))
    matching = [ref for ref in candidates if before & {*words_of(ref.name)} - common]
    return matching[0] if len(matching) == 1 and opening in plan.scene.user_text else None


def _of_customer_spoken_of(plan: Plan, candidates: Sequence[Ref]) -> Ref | None:
    """Return the one of several deals that is the customer's named before: "Paloma signed! Close the training deal"."""
    customer = by_name(plan, plan.spoken[-1]) if plan.spoken and plan.has("search_opportunities") else None
    is_customer = isinstance(customer, Ref) and customer.type in ("account", "contact")
    if not (is_customer and isinstance(customer, Ref) and {ref.type for ref in candidates} == {"opportunity"}):
        return None
    deals = items_of(plan.need("search_opportunities", **{f"{customer.type}_id": customer.id}, open_only=True))
    own = {item["id"] for item in deals}
    matching = [ref for ref in candidates if ref.id in own]
    return matching[0] if len(matching) == 1 else None


def subject(plan: Plan, ask: Ask, kinds: Sequence[str] = ()) -> Match | None:
    """Return the record that an ask names or points at, or None. Raises `Pending` while a search is needed."""
    if "" in plan.bindings:
        return plan.bindings[""]
    # An ask about one record has no colleague as a condition.
    is_about_one = ask.act in _ABOUT_ONE and not (ask.texts("ref") or ask.words & lexicon.PERSON_PRONOUNS)
    names = ask.texts("name") or ask.texts("org") or (ask.texts("owner") if is_about_one else ())
    if len(names) > 1 and names[0].islower() and " " not in names[0]:
        # One small word may be no name.
        names = tuple(sorted(names, key=lambda name: name.islower() and " " not in name))
    people: tuple[str, ...] = ()
    if not names and plan.spoken:
        people = (
            ("lead", "contact") if ask.words & lexicon.PERSON_PRONOUNS - _OF_EITHER and len(plan.spoken) > 1 else ()
        )
        names = (_spoken_of_kind(plan, kinds or kinds_named(ask) or people),)
    if not names:
        return _several_meant(plan, ask, kinds) or pointed_at(plan, ask, kinds)
    qualifier = next((one for one in ask.texts("org") if one != names[0]), None)
    match = by_name(plan, names[0], kinds or kinds_named(ask) or people, qualifier)
    is_said_before = not (ask.texts("name") or ask.texts("org") or is_about_one)
    if is_said_before and isinstance(match, Unknown) and plan.topic.refs and ask.act not in WRITES:
        # "Had lunch with Gregory. What was our biggest loss, and who owned it?"
        match = pointed_at(plan, ask, kinds) or match
    if not (ask.texts("name") or ask.texts("org")) and isinstance(match, Ref):
        match = belonging(plan, match, kinds_named(ask))
    if not ask.texts("name") and ask.words & lexicon.PERSON_PRONOUNS - _OF_EITHER and _is_no_person(match):
        # "Who's our contact on the Acme renewal, and what's his number?"
        match = next((ref for ref in plan.topic.refs[:1] if ref.type in ("lead", "contact")), match)
    user = (plan.scene.principal.name or "").partition(" ")[0].lower()
    is_user = isinstance(match, Unknown) and names[0].lower() == user
    # "What should Alice do first?", and "Alice said fine. Move it to won.", for Alice.
    return pointed_at(plan, ask, kinds) if is_user and not (ask.act in WRITES and ask.texts("name")) else match


def _spoken_of_kind(plan: Plan, kinds: Sequence[str]) -> str:
    """Return the last of the names said before that is of a record of the kinds: "the said deal"; else the last."""
    if not kinds or len(plan.spoken) < 2:
        return plan.spoken[-1]
    matches = at_once(partial(by_name, plan, name, kinds) for name in plan.spoken)
    pairs = zip(reversed(plan.spoken), reversed(matches), strict=True)
    return next((name for name, one in pairs if isinstance(one, Ref) and one.type in kinds), plan.spoken[-1])


def _is_no_person(match: Match) -> bool:
    refs = match.candidates if isinstance(match, Ambiguous) else (match,)
    return all(isinstance(ref, Ref) and ref.type in ("account", "opportunity") for ref in refs)


def belonging(plan: Plan, ref: Ref, kinds: Sequence[str]) -> Ref:
    """Return the account or the person of a record if a message that named the record says one of them."""
    for kind in kinds if ref.type not in kinds else ():
        if other := plan.record(ref).get(f"{kind}_id"):
            return ref_of(plan.record(Ref(kind, str(other), "")))
    return ref


def _several_meant(plan: Plan, ask: Ask, kinds: Sequence[str]) -> Ambiguous | None:
    """Return the records of a list of which an order's "her" could mean each: nothing is written on a guess."""
    if ask.act not in WRITES or not ask.words & lexicon.PERSON_PRONOUNS - _OF_EITHER:
        return None
    listed = [ref for ref in plan.topic.refs if ref.type in (kinds or KINDS)]
    if len(listed) < 2 or len({ref.type for ref in listed}) > 1:
        return None
    is_told_apart = ordinals_of(ask) or tell_apart({token.word for token in ask.tokens}, listed)
    return None if is_told_apart else Ambiguous("", tuple(listed))


_BEFORE_NO_PLACE = lexicon.SELF_WORDS | {"a", "an"}
"""Words before an ordinal that is no place: "did we last call"."""


def ordinals_of(ask: Ask) -> list[int]:
    """Return the places in a list that an ask names outside of its slots: "the second one" is 2, "the last" -1.

    "A second look", "the second compressor" and "last week" name none.
    """
    before = [None, *(token.word for token in ask.outside)]
    is_time = time_tokens(ask.outside, ask.now)
    # "The last touch with that one"
    placed = [(first, last) for _, first, last in lexicon.placed_in(ask.outside, "fields") if last - first > 1]
    fields = {ask.outside[place] for first, last in placed for place in range(first, last)}
    fields |= {one for one, two in pairwise(ask.outside) if two.stem in contacted_stems() | {"touch"}}
    pointing = [one for one in ask.segment.spans if one.tag == "ref"]  # "And the fourth?" is no day.
    is_time = [
        timed and not any(span.start <= one.start < span.end for span in pointing)
        for one, timed in zip(ask.outside, is_time, strict=True)
    ]
    words = zip(before, ask.outside, [*ask.outside[1:], None], is_time, strict=False)
    return lexicon.ordinals_in(
        [
            one.word
            for article, one, after, timed in words
            # "Did we last call" is no place.
            if not (
                article in lexicon.SELF_WORDS | {"a", "an"}
                or timed
                or one in fields
                or (after and _is_strange(ask, after))
            )
        ]
    )


def _is_strange(ask: Ask, noun: Token) -> bool:
    """Return whether a word is none that such asks have: what the second of those is, is no record of a list."""
    is_word = noun.kind == "word" and noun.text.islower() and lexicon.kind_named(noun) is None
    return is_word and not vocabulary.explains(ask.act, noun.stem)


def kinds_named(ask: Ask) -> tuple[str, ...]:
    """Return the kinds of records (lead, contact, account, opportunity) that an ask names; "that person" is of two."""
    kinds = tuple(kind for kind in ask.kinds if kind in KINDS)
    pointed = any(one.word in ("that", "this") and two.word == "person" for one, two in pairwise(ask.outside))
    return ("lead", "contact") if pointed and kinds == ("contact",) else kinds


def pointed_at(plan: Plan, ask: Ask, kinds: Sequence[str] = ()) -> Ref | None:
    """Return the record that a pronoun, an ordinal or the topic means: the one mentioned last that fits."""
    # After "Bob has none", "the first" is that of the list before; nothing is written on it.
    before = plan.topic.earlier if ask.act in READS else ()
    listed = [ref for ref in plan.topic.group or plan.topic.refs or before if ref.type in KINDS]
    listed = [ref for ref in listed if not kinds or ref.type in kinds] or listed
    if place := next(iter(ordinals_of(ask)), 0):
        return chosen(listed, place)
    if "other" in ask.words and len(listed) == 2 and len(plan.topic.refs) == 1:
        return next((ref for ref in listed if ref.id != plan.topic.refs[0].id), None)
    if ask.texts("ref") and (told_apart := tell_apart(_words_beside_refs(ask), listed)) is not None:
        return told_apart  # "that support renewal", "the Florida one"
    # In "note on the deal that she is away" the pronoun is not what the note is about.
    texts = [span for span in ask.segment.spans if span.tag == "text"] if kinds_named(ask) else []
    words = {one.word for one in ask.tokens if not any(span.holds(one) for span in texts)}
    is_person = bool(words & lexicon.PERSON_PRONOUNS - _OF_EITHER)
    people = tuple(kind for kind in kinds or ("lead", "contact") if kind in ("lead", "contact")) if is_person else ()
    fitting = people or kinds or kinds_named(ask) or KINDS
    topic = [ref for ref in plan.topic.refs if ref.type in fitting]
    if not topic and not kinds and ask.act in READS and ask.words & lexicon.THING_PRONOUNS - {"there"}:
        topic = [ref for ref in plan.topic.refs if ref.type in KINDS]  # "Who's our person on it?"
    if ask.words & lexicon.THING_PRONOUNS - {"there"} and not is_person:
        topic = [ref for ref in topic if ref.type in ("account", "opportunity")] or topic
    if len(topic) == 1:
        return topic[0]
    entities = [Ref(one.type, one.id, one.name) for one in plan.scene.entities if one.type in KINDS]
    mentioned = [ref for ref in entities if ref.type in fitting]
    # A search may have found records of which nobody spoke. The record of the open page comes first.
    spoken_of = [ref for ref in mentioned if ref == entities[0] or is_named_before(plan, ref)]
    mentioned = spoken_of if ask.act in WRITES else spoken_of or mentioned
    if len(mentioned) > 1:
        # "I met Ann Lee of Acme. What's open with them?" lists all of its people: "him" is still whom the user named.
        topic_words = {word for ref in plan.topic.refs[:1] for word in words_of(f"{ref.name} {ref.about}")}
        told_apart = last_named(plan, mentioned, is_user=True) or tell_apart(topic_words, mentioned)
        mentioned = [told_apart] if told_apart is not None else mentioned
    if ask.act in WRITES and sum(is_person or ref.type == mentioned[0].type for ref in mentioned) > 1:
        return None  # Several were found or spoken of, none in the last answer: nothing is written on a guess.
    return mentioned[0] if mentioned else None


def _words_beside_refs(ask: Ask) -> set[str]:
    """Return the words of the phrases with its references, up to a small word or a verb: "the [Florida one] is …"."""
    words, ends = set[str](), lexicon.LINK_WORDS | lexicon.STATING_VERBS | lexicon.ORDER_VERBS
    refs = [span for span in ask.segment.spans if span.tag == "ref"]
    runs = [
        list(run)
        for is_in, run in groupby(ask.tokens, lambda one: one.kind == "word" and one.word not in ends)
        if is_in
    ]
    for run in runs:
        if any(span.start < run[-1].end and run[0].start < span.end for span in refs):
            words |= {one.word for one in run}
    return words


def last_named(plan: Plan, candidates: Sequence[Ref], *, is_user: bool = False) -> Ref | None:
    """Return the one of some records that the conversation named last, or the user did; None for several at once."""
    for message in reversed(plan.scene.history):
        words = {*words_of(message.content)} if message.role == "user" or not is_user else set[str]()
        if named := [ref for ref in candidates if {*words_of(ref.name)} <= words]:
            return named[0] if len(named) == 1 else None
    return None


def is_named_before(plan: Plan, ref: Ref) -> bool:
    """Return whether the conversation said the name of a record before."""
    return any(ref.name.lower() in message.content.lower() for message in plan.scene.history)


def neighbour(topic: Topic, ask: Ask) -> Ref | None:
    """Return the record of the last list beside the one spoken of: "and the one after that", "the one before"."""
    words = [token.word for token in ask.outside]
    if not (_AFTER | _BEFORE) & {*words} or ask.texts("when") or ask.texts("name"):
        return None
    ids = [ref.id for ref in topic.listed]
    if len(topic.refs) != 1 or topic.refs[0].id not in ids:
        return None
    place = ids.index(topic.refs[0].id) + (1 if _AFTER & {*words} else -1)
    return topic.listed[place] if 0 <= place < len(ids) else None


def several_of(plan: Plan, ask: Ask, kinds: Sequence[str] = ()) -> tuple[Ref, ...]:
    """Return the records of the last list that "each of them", "the top 3" or "both" means; empty for one."""
    refs = (ref for ref in plan.topic.refs if not is_left_out(plan.left_out, ref.name))
    listed = tuple(ref for ref in refs if ref.type in KINDS and (not kinds or ref.type in kinds))
    if not (ask.is_plural or ask.count) or len(listed) <= 1:
        return ()
    return listed[: ask.count or (2 if "both" in ask.words else len(listed))]
