"""Bind the values that a user said to the records and fields that they were said of: "Acme to 50k and Beta to 70k"."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cached_property
from typing import Literal

from msgspec import Struct
from msgspec.structs import replace

from aisha.application.orders.matching.targets import is_telling
from aisha.application.orders.reading.denials import COPULAS
from aisha.application.orders.reading.literals import flat
from aisha.application.orders.reading.part import Part
from aisha.application.orders.reading.said import Said
from aisha.domain.dates.parsing import TimeSpan, find_times
from aisha.domain.language import lexicon
from aisha.domain.language.amounts import find_amounts
from aisha.domain.language.ask import CORRECTIONS
from aisha.domain.language.reader import Span
from aisha.domain.language.tokens import tokenize

_NAMES = frozenset(("name", "new", "org", "owner"))
_VALUES = frozenset(("value", "amount", "when"))
_GENERAL = frozenset("date time day number no count name new of the is at on total current my our".split())
"""Words of a field's name that many fields have."""
_KINDS = (*lexicon.KINDS, "activity")
_MAX_SAME = 0.5
"""Two numbers that differ by less are one."""


class Bound(Struct, frozen=True):
    """A value that was said: `names` are the words of each record beside it, `field` the words for its field.

    Both are empty where nothing is said of it. `segment` is the place of its segment in the messages. `is_replaced`: a
    later value corrects it.
    """

    text: str
    names: tuple[frozenset[str], ...]
    field: str
    segment: int
    numbers: tuple[float, ...] = ()
    times: tuple[TimeSpan, ...] = ()
    is_replaced: bool = False

    def is_like(self, other: "Bound") -> bool:
        """Return whether both are numbers, times or texts."""
        return (bool(self.numbers), bool(self.times)) == (bool(other.numbers), bool(other.times))


type Test = Callable[[Bound], bool]


class Bindings:
    """The values of the user's words, as the reader has tagged them, with what each belongs to.

    `record` are the words of the names of a call's records: they are names in the user's words too.
    """

    def __init__(self, said: Said, record: frozenset[str]) -> None:
        self._said, self._record = said, record

    @cached_property
    def bound(self) -> tuple[Bound, ...]:
        """All values, in order."""
        parts = [part for part in self._said.parts if not part.denial]
        values = [list(_bound(part, place, self._said, self._record)) for place, part in enumerate(parts)]
        own = sum(not part.denial for part in self._said.own)
        corrected = list(_corrected(parts[:own], values[:own]))
        return (*corrected, *(one for after in values[own:] for one in after))

    def belong_elsewhere(self, name: str, explains: Test, fields: Iterable[str]) -> bool:
        """Return whether a value was said, but of another field or record, or beside another that may be meant as well.

        `name` is the argument's, `explains` says whether a value that was said is that of the call. `fields` are the
        arguments that its tool has. False for what was not said as a value.
        """
        saying = [one for one in self.bound if explains(one)]
        if not saying:
            return False
        properties = tuple(fields)
        alike = [one for one in self.bound if not one.is_replaced and any(one.is_like(other) for other in saying)]
        # "Mark Omar as lost" and then "oops, make him warm": the latest message counts.
        own_segments = sum(not part.denial for part in self._said.own)
        if any(one.segment < own_segments for one in saying):
            alike = [one for one in alike if one.segment < own_segments]
        own = [one for one in alike if relation_of(one.field, name, properties) != "other"]
        if any(map(self._is_of_record, alike)):
            own = [one for one in own if not one.names or self._is_of_record(one)]
        # "A call on Monday, close date Friday": what has the field's or the record's name beside it is meant first.
        own = _preferred(own, lambda one: relation_of(one.field, name, properties) == "same")
        own = _preferred(own, self._is_of_record)
        meant = [one for one in own if explains(one)]
        return not meant or all(_has_rival(one, own) for one in meant)

    def _is_of_record(self, one: Bound) -> bool:
        return any(name & self._record for name in one.names)


def _corrected(parts: Sequence[Part], values: Sequence[Sequence[Bound]]) -> list[Bound]:
    """Return the values of a message: one that corrects another has its record and field, "80, no sorry, 78"."""
    found: list[Bound] = []
    for part, own in zip(parts, values, strict=True):
        for place, one in enumerate(own):
            corrects = part.corrects if place == 0 else _is_corrected(part, own[place - 1], one)
            if _is_stated(part, one):
                # "No, 78 is what Bob has."
                corrects = False
            last = next((at for at in range(len(found) - 1, -1, -1) if found[at].is_like(one)), None)
            if corrects and last is not None and _is_of_same(one, found[last]):
                old = found[last]
                found[last] = replace(old, is_replaced=True)
                one = replace(one, names=one.names or old.names, field=one.field or old.field)
            found.append(one)
    return found


def _is_corrected(part: Part, one: Bound, other: Bound) -> bool:
    """Return whether the words between two values of a segment say that the second corrects the first."""
    start = part.ask.text.find(one.text) + len(one.text)
    between = [token.word for token in tokenize(part.ask.text[start : part.ask.text.find(other.text, start)])]
    return bool(CORRECTIONS & set(between)) and between[-1:] not in (["than"], ["of"])


def _is_stated(part: Part, one: Bound) -> bool:
    """Return whether a value is what something is said of."""
    after = part.ask.text[part.ask.text.find(one.text) + len(one.text) :]
    return any(token.word in COPULAS for token in tokenize(after)[:1])


def _is_of_same(one: Bound, other: Bound) -> bool:
    is_record = not one.names or not other.names or bool({*one.names} & {*other.names})
    return is_record and (not one.field or not other.field or bool(_stems(one.field) & _stems(other.field)))


def _preferred(values: list[Bound], test: Test) -> list[Bound]:
    return [one for one in values if test(one)] or values


def _has_rival(one: Bound, own: Iterable[Bound]) -> bool:
    """Return whether another value of the segment may be meant as well, as nothing tells them apart."""
    return any(other.segment == one.segment and _is_rival(one, other) for other in own)


def relation_of(said: str, name: str, properties: Sequence[str]) -> Literal["same", "open", "other"]:
    """Return whether words for a field mean an argument, another field, or nothing that is known."""
    stems, own = _stems(said), _stems(name)
    if not stems:
        return "open"
    if stems & own:
        return "same"
    generals = lexicon.fields_in(said)
    meant = {*generals, *(lexicon.field_name(general, kind) for general in generals for kind in _KINDS)}
    if name in meant:
        return "same"
    is_known = bool(generals) or any(stems & _stems(one) for one in properties)
    return "other" if is_known else "open"


def _stems(text: str) -> frozenset[str]:
    words = (token for token in tokenize(text.replace("_", " ")) if token.kind != "mark")
    return frozenset(token.stem for token in words if token.word not in _GENERAL)


def _bound(part: Part, place: int, said: Said, record: frozenset[str]) -> Iterator[Bound]:
    """Yield the values of a segment with their names and fields."""
    text = part.ask.text
    spans = sorted((*part.ask.segment.spans, *_named(part, record)), key=lambda span: span.start)
    fields = dict(_fields(text, spans))
    names = dict(_names(spans, ("when",))) | dict(_names(spans, ("value", "amount")))
    for at, span in enumerate(spans):
        # Not the old value of "from 40k to 50k".
        if span.tag in _VALUES and not part.is_aside(span):
            is_time = span.tag == "when"
            # Of "from Monday to Tuesday" the reader of times knows which one counts.
            is_range = is_time and span.text.lower().startswith(("from ", "between "))
            times = tuple(find_times(span.text.lower(), said.now)) if is_time and not is_range else ()
            numbers = () if is_time else tuple(_numbers(span.text))
            yield Bound(span.text, names.get(at, ()), fields.get(at, ""), place, numbers, times)


def _named(part: Part, record: frozenset[str]) -> Iterator[Span]:
    """Yield the numbers and the words of a record's name that the reader has not tagged, outside of all slots."""
    for token in part.ask.loose:
        if token.kind == "number":
            yield Span("value", token.text, token.start)
        if token.word in record and is_telling(token) and token.word not in lexicon.KIND_NAMES:
            yield Span("name", token.text, token.start)


def _fields(text: str, spans: Sequence[Span]) -> Iterator[tuple[int, str]]:
    """Yield the places of values with the field before each, or directly after it: "score to 80", "5 employees"."""
    waiting, free = "", None
    for at, span in enumerate(spans):
        if span.tag == "field":
            before = spans[free] if free is not None else None
            if before is not None and free is not None and not text[before.end : span.start].strip():
                yield free, span.text
                waiting = ""
            else:
                waiting = span.text
            free = None
        elif span.tag in _VALUES:
            if waiting:
                yield at, waiting
            free = None if waiting else at
            waiting = ""


def _names(spans: Sequence[Span], tags: Sequence[str]) -> Iterator[tuple[int, tuple[frozenset[str], ...]]]:
    """Yield the places of values with the names beside each: those before it, or after it where values come first.

    Of as many values as names in a row the first goes with the first.
    """
    runs: list[tuple[bool, list[int]]] = []
    for at, span in enumerate(spans):
        is_name = span.tag in _NAMES
        if not is_name and span.tag not in tags:
            continue
        if runs and runs[-1][0] == is_name:
            runs[-1][1].append(at)
        else:
            runs.append((is_name, [at]))
    is_value_first = bool(runs) and not runs[0][0]
    for place, (is_name, values) in enumerate(runs):
        beside = place + 1 if is_value_first else place - 1
        if is_name or not 0 <= beside < len(runs):
            continue
        names = [_words(spans[at].text) for at in runs[beside][1]]
        is_paired = len(names) == len(values) > 1
        for order, at in enumerate(values):
            yield at, (names[order],) if is_paired else tuple(names)


def _words(text: str) -> frozenset[str]:
    return frozenset(token.word for token in tokenize(text) if token.kind != "mark")


def _numbers(text: str) -> Iterator[float]:
    found = [amount.value for amount in find_amounts(text)]
    digits = text.strip(" $€£%+").replace(",", "")
    yield from found or ([float(digits)] if digits.replace(".", "", 1).isdigit() else [])


def _is_rival(one: Bound, other: Bound) -> bool:
    """Return whether two values are of one type and differ; a day and an hour go together."""
    if one.times and other.times:
        mine, theirs = one.times[0], other.times[0]
        is_joined = (mine.first is None) != (theirs.first is None)
        return not is_joined and (mine.first, mine.clock, mine.exact) != (theirs.first, theirs.clock, theirs.exact)
    if one.numbers and other.numbers:
        return abs(one.numbers[0] - other.numbers[0]) > _MAX_SAME
    return False


def is_same_text(said: str, value: str) -> bool:
    """Return whether a text that was said is that of a call, in any spelling."""
    return bool(flat(value)) and flat(value) == flat(said)
