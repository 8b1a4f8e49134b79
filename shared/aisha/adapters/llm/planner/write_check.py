"""Check that the calls of an order hold what it says, each value at the place that its words give it.

What is not held is named in a question before the calls run.
"""

from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise

from aisha.adapters.llm.planner.acts.asks import is_given_to, word_before
from aisha.adapters.llm.planner.acts.writing.relative import difference_in
from aisha.adapters.llm.planner.naming import all_near
from aisha.adapters.llm.planner.results import PlannedCall, Results
from aisha.domain.dates.parsing import find_times
from aisha.domain.language import lexicon
from aisha.domain.language.acts import ADDRESS_TAGS, FIELD_CHANGE_ACTS, NAME_TAGS
from aisha.domain.language.amounts import find_amounts
from aisha.domain.language.ask import Ask
from aisha.domain.language.reader import Span
from aisha.domain.language.tokens import Token, tokenize

_ABOUT_THOSE_NAMED = FIELD_CHANGE_ACTS | {"create_record", "convert", "create_note"}
"""Orders whose calls hold all names said; one to plan something may name guests, and tells whom it leaves out."""
_MIN_DIGITS = 4
"""Digits of a number that is a part of an address or of a phone number; fewer may count or date something."""
_BEFORE_OLD = frozenset("from not than".split())
"""Words before a value that no longer counts, or is not meant: "65 now, up from 50"."""
_SELECTING_BY_DAY = frozenset("change_activity complete_activity delete".split())
_NAMING_REST = FIELD_CHANGE_ACTS | {"create_record"}
"""Orders whose answers name the free texts that fit no field."""
_CREATING = frozenset(map("create_{}".format, lexicon.KINDS))
_TEXTS = frozenset("content body outcome next_step next_action description".split())
"""Parameters that hold a text of the user's."""
_TIMED = ("date", "_at", "until", "duration", "duration_minutes")
"""The ends of the names of parameters that hold a time or a length."""
_JOINTS = frozenset("and also then plus".split())


def doubtful_words(ask: Ask, calls: Sequence[PlannedCall], results: Results, known: Iterable[str]) -> list[str]:
    """Return the words of an order that its writes do not hold, or hold where the order does not put them.

    `known` are the names of records spoken of before.
    """
    values = [text for call in calls for text in _texts_in(call.arguments)]
    records = [record for one in values if (record := results.record(one) or results.changed(one)) is not None]
    written = " ".join((*values, *_texts_in(records)))
    held = " ".join((written, *known))
    spans = ask.segment.spans if calls else ()
    unheld = [one for one in spans if one.tag in NAME_TAGS and ask.act in _ABOUT_THOSE_NAMED]
    words = [one.text for one in unheld if not all_near(one.text, held)]
    words += [one.text for one in spans if one.tag in ADDRESS_TAGS and one.text.rstrip(".,;") not in held]
    words += [
        one.text
        for one in spans
        if one.tag == "owner" and not is_given_to(ask, one) and one.text.lower() not in held.lower()
    ]
    words += [one.text for one in _told_subject(ask) if calls and not all_near(one.text, written)]
    numbers = [one.text for one in ask.loose if calls and sum(map(str.isdecimal, one.text)) >= _MIN_DIGITS]
    words += [one for one in numbers if one not in held]
    words += _more_than_one(ask, calls)
    words += _contact_left_out(ask, calls)
    # "All my unqualified leads": what describes those that the user agreed to is no value.
    words += [one.text for one in spans if not (ask.first("confirmed") or _is_placed(ask, one, calls, held))]
    return words + [order for call in calls for order in _orders_in_texts(ask, call)]


def _is_placed(ask: Ask, span: Span, calls: Sequence[PlannedCall], held: str) -> bool:
    """Return whether the calls of an order hold a value that it says, or the field that it names."""
    if all_near(span.text, held) or word_before(ask, span) in _BEFORE_OLD:
        return True
    if span.tag == "value" and ask.act in _SELECTING_BY_DAY and lexicon.activity_type_of(_word_after(ask, span)):
        return True  # "Push the overdue call to Monday."
    arguments = [(name, value) for call in calls for name, value in _flat(call.arguments)]
    if span.tag == "when":
        # "Cancel my call with Ann on Tuesday": the day may tell which one.
        is_told = ask.act in _SELECTING_BY_DAY or _is_past(ask, span)
        return is_told or any(name.endswith(_TIMED) for name, _ in arguments)
    if span.tag == "field":
        fields = {lexicon.field_name(name, kind) for name in lexicon.fields_in(span.text) for kind in lexicon.KINDS}
        # A field of the team's own has the words of its name.
        own = "_".join(span.text.lower().split())
        return not fields or any(name in fields | {own} for name, _ in arguments)
    if span.tag not in ("amount", "value"):
        return True
    numbers = [one.value for one in find_amounts(span.text.lower())]
    if numbers:
        given = [float(value) for _, value in arguments if isinstance(value, int | float)]
        return difference_in(ask.text) is not None or any(one in given for one in numbers)
    if lexicon.phrase_key(span.text, "values") is None and ask.act in _NAMING_REST:
        return True
    option = lexicon.phrase_key(span.text, "values") or "_".join(span.text.lower().split())
    is_done = option == "completed" and ask.act == "complete_activity"
    written = {text.removeprefix("closed_") for name, value in arguments for text in (name, str(value))}
    return is_done or option.removeprefix("closed_") in written


def _is_past(ask: Ask, span: Span) -> bool:
    """Return whether a time is over, or no time by itself: "since this week", "from the Monday meeting"."""
    days = [one.first or one.last for one in find_times(span.text, ask.now)]
    is_of_activity = lexicon.activity_type_of(_word_after(ask, span)) is not None
    return is_of_activity or not days or all(day and day <= ask.now.date() for day in days)


def _word_after(ask: Ask, span: Span) -> str:
    return next((one.word for one in ask.tokens if one.start >= span.end), "")


def _flat(value: object, name: str = "") -> Iterator[tuple[str, object]]:
    """Yield the names and values of arguments, also those within others; an inner list has the name of its argument."""
    if isinstance(value, dict):
        for key, inner in value.items():
            yield str(key), ""
            yield from _flat(inner, str(key))
    elif isinstance(value, list):
        for inner in value:
            yield from _flat(inner, name)
    else:
        yield name, value


def _more_than_one(ask: Ask, calls: Sequence[PlannedCall]) -> Sequence[str]:
    """Return the further names where an order for one record, "add her as a lead", would create several."""
    created = [call for call in calls if call.tool in _CREATING]
    is_one = any(one.word in ("a", "an") and lexicon.kind_named(two) for one, two in pairwise(ask.loose))
    return ask.texts("new")[1:] if len(created) > 1 and is_one and not ask.words & {"one", "another", "each"} else ()


def _contact_left_out(ask: Ask, calls: Sequence[PlannedCall]) -> Sequence[str]:
    """Return the word "contact" where what is planned with one would be on a deal: "a call with the contact on it"."""
    kinds = {call.arguments.get("entity_type") for call in calls}
    is_left_out = ask.act == "create_activity" and "contact" in ask.kinds and kinds <= {"opportunity", "account"}
    nouns = [one.text for one in ask.outside if lexicon.kind_named(one) == "contact"] if calls and is_left_out else []
    return nouns[:1]


def _told_subject(ask: Ask) -> Sequence[Token]:
    """Return the noun that an order on "it" begins with and may be about: "the pilot is dead, mark it lost"."""
    first = next((at for at, one in enumerate(ask.tokens) if one.word not in lexicon.INTERJECTIONS | _JOINTS), 0)
    noun, is_named = ask.tokens[first + 1 : first + 2], bool(ask.texts("name") or ask.texts("org"))
    if is_named or not ask.words & lexicon.THING_PRONOUNS or not noun or ask.tokens[first].word != "the":
        return ()
    meanings = (lexicon.kind_named(noun[0]), lexicon.activity_type_of(noun[0].word), lexicon.fields_in(noun[0].word))
    return () if any(meanings) or lexicon.values_in(noun[0].word) or noun[0] not in ask.loose else noun


def _orders_in_texts(ask: Ask, call: PlannedCall) -> Iterator[str]:
    """Yield the orders within the texts of a call, unless a colon or marks of quotation begin the text."""
    for name, value in call.arguments.items():
        place = ask.text.find(str(value)) if name in _TEXTS else -1
        if place < 0 or ask.text[:place].rstrip()[-1:] in (":", '"', "“", "‘", "'", "-", "–"):
            continue
        for one, two in pairwise(tokenize(str(value))):
            if (one.word in _JOINTS or one.word in ".;!") and two.word in lexicon.ORDER_VERBS:
                yield str(value)[two.start :]
                break


def _texts_in(value: object) -> list[str]:
    if isinstance(value, dict | list):
        inner = value.values() if isinstance(value, dict) else value
        return [text for one in inner for text in _texts_in(one)]
    return [] if value is None else [str(value)]
