"""Bind the values of the user's words to the records and fields that they belong to: "Acme to 50k and Beta to 70k"."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cached_property
from itertools import pairwise
from typing import Literal

from msgspec import Struct
from msgspec.structs import replace
from rapidfuzz.distance import OSA

from aisha.application.orders.matching.names import is_likely_name
from aisha.application.orders.reading.clauses import CLAUSE_MARKS, acts_of, tells_past
from aisha.application.orders.reading.literals import flat
from aisha.application.orders.reading.objections.statements import COPULAR_VERBS
from aisha.application.orders.reading.utterance import Utterance
from aisha.application.orders.reading.utterance_segment import UtteranceSegment
from aisha.domain.dates.parsing import TimeSpan, find_times
from aisha.domain.language import lexicon
from aisha.domain.language.acts import ADDRESS_TAGS, NAME_TAGS
from aisha.domain.language.amounts import find_amounts
from aisha.domain.language.ask import CORRECTIONS
from aisha.domain.language.reader import Span
from aisha.domain.language.tokens import Token, tokenize

_NAME_TAGS = NAME_TAGS | {"owner"}
_VALUE_TAGS = frozenset(("value", "amount", "when"))
_OWN_FIELDS = {"org": frozenset(("company",)), **dict.fromkeys(ADDRESS_TAGS, frozenset(("email", "phone", "website")))}
"""The fields that names of companies and addresses are values of."""
_FIELDS_OF_TEXTS = frozenset("title name subject text description content".split())
_MAX_WORDS_TO_VALUE = 2
_COMMON_FIELD_WORDS = frozenset("date time day number no count name new of the is at on total current my our".split())
"""Words of a field's name that many fields have."""
_KINDS = (*lexicon.KINDS, "activity")
_WORDS_OF_GIVING = COPULAR_VERBS | lexicon.LINK_WORDS | frozenset("'s ’s to at : = now new the number address".split())
_RECORD_NOUNS = lexicon.KIND_NAMES | frozenset("company customer client person guy man woman lady deal".split())
_WORDS_BEFORE_OTHER = frozenset(("for", "of"))
_POSSESSIVES = frozenset("his her their its".split())
_FIELD_NOUNS = tuple([word] for word in "record file profile entry page card".split())
_MAX_WORDS_TO_OTHER = 5
"""Words from a value to whose it is: "90 out of 100 for his team"."""
_MAX_SLIPS = 1
_NUMBER_TOLERANCE = 0.5
"""Two numbers that differ by less are one."""


class BoundValue(Struct, frozen=True):
    """A value of the user's words, with the record and the field that it belongs to.

    `names` are the words of each record beside it, `field` the words for its field; both are empty where there are
    none. `segment` is the place of its segment in the messages. `is_reason` is True if it stands in a clause that gives
    the reason of another value ("to Friday, because today he is away"), `is_replaced` if a later value corrects it.
    """

    text: str
    names: tuple[frozenset[str], ...]
    field: str
    segment: int
    numbers: tuple[float, ...] = ()
    times: tuple[TimeSpan, ...] = ()
    is_reason: bool = False
    is_replaced: bool = False

    def is_like(self, other: "BoundValue") -> bool:
        """Return whether both are numbers, times or texts."""
        return (bool(self.numbers), bool(self.times)) == (bool(other.numbers), bool(other.times))


type ValueTest = Callable[[BoundValue], bool]


class ValueBindings:
    """The values of an utterance, as the reader has tagged them, with what each belongs to.

    `record_words` are the words of the names of a call's records: they are names in the utterance, too.
    """

    def __init__(self, utterance: Utterance, record_words: frozenset[str]) -> None:
        self._utterance, self._record_words = utterance, record_words

    @cached_property
    def values(self) -> tuple[BoundValue, ...]:
        """All values, in order."""
        segments = [segment for segment in self._utterance.segments if not segment.denial]
        values = [
            list(_values_of(segment, place, self._utterance, self._record_words))
            for place, segment in enumerate(segments)
        ]
        current_count = sum(not segment.denial for segment in self._utterance.current_segments)
        corrected = list(_apply_corrections(segments[:current_count], values[:current_count]))
        return (*corrected, *(one for segment_values in values[current_count:] for one in segment_values))

    def belong_elsewhere(self, name: str, matches: ValueTest, fields: Iterable[str]) -> bool:
        """Return whether a value was said, but of another field or record, or beside another that may be meant as well.

        `name` is the argument's, `matches` returns whether a value of the user's is that of the call, and `fields` are
        the arguments that its tool has. False for what was not said as a value.
        """
        matching = [one for one in self.values if matches(one)]
        if not matching:
            return False
        properties = tuple(fields)
        comparable = [
            one
            for one in self.values
            if not (one.is_replaced or one.is_reason) and any(one.is_like(other) for other in matching)
        ]
        # "Mark Omar as lost" and then "oops, make him warm": the latest message counts.
        segments = [segment for segment in self._utterance.segments if not segment.denial]
        for latest in (self._utterance.current_segments, self._utterance.offer_segments):
            if any(segments[one.segment] in latest for one in matching):
                comparable = [one for one in comparable if segments[one.segment] in latest]
                break
        same_field = [one for one in comparable if relation_of(one.field, name, properties) != "other"]
        if any(map(self._is_of_record, comparable)):
            same_field = [one for one in same_field if not one.names or self._is_of_record(one)]
        # "A call on Monday, close date Friday": what has the field's or the record's name beside it is meant first.
        same_field = _preferred(same_field, lambda one: relation_of(one.field, name, properties) == "same")
        same_field = _preferred(same_field, self._is_of_record)
        candidates = [one for one in same_field if matches(one)]
        return not candidates or all(_has_rival(one, same_field, segments[one.segment]) for one in candidates)

    def is_of_other(self, matches: ValueTest) -> bool:
        """Return whether a value was only said as that of somebody else: "Bob's phone is …", "Omar's score is 90"."""
        owned = [
            _is_owned_by_other(segment, span, self._record_words)
            for segment in self._utterance.current_segments
            if not segment.denial
            for span in segment.spans
            if span.tag in _VALUE_TAGS | ADDRESS_TAGS and matches(_read(span, self._utterance))
        ]
        return bool(self._record_words) and bool(owned) and all(owned)

    def _is_of_record(self, one: BoundValue) -> bool:
        """Return whether a name beside a value is one of the call's records."""
        return any(name & self._record_words for name in one.names)


def _read(span: Span, utterance: Utterance) -> BoundValue:
    """Return a slot as a value, whatever stands beside it."""
    times = tuple(find_times(span.text.lower(), utterance.now)) if span.tag == "when" else ()
    return BoundValue(span.text, (), "", 0, () if times else tuple(_numbers(span.text)), times)


def _is_owned_by_other(segment: UtteranceSegment, value: Span, record_words: frozenset[str]) -> bool:
    """Return whether a value is said of none of the records: "Bob's phone is", "his boss's", "90 for his team"."""
    if _is_said_of_thing([token.word for token in segment.ask.tokens if token.start >= value.end]):
        return True
    before = [token for token in segment.ask.tokens if token.end <= value.start]
    while before and (before[-1].word in _WORDS_OF_GIVING or lexicon.fields_in(before[-1].word)):
        before.pop()
    if not before or before[-1].end == value.start:
        return False
    name = _names_at_end(segment, before)
    if name:
        return not any(OSA.distance(word, other) <= _MAX_SLIPS for word in name for other in record_words)
    is_possessive = segment.ask.text[before[-1].end :].startswith(("'s", "’s"))
    is_person = before[-2:-1] != [] and before[-2].word in lexicon.DETERMINERS and before[-1].word not in _RECORD_NOUNS
    return is_possessive and is_person


def _is_said_of_thing(words: Sequence[str]) -> bool:
    """Return whether the words after a value say what of a record's it is of: "for his team", not "for her score"."""
    possessives = (
        at + 1
        for at, (before, word) in enumerate(pairwise(words[:_MAX_WORDS_TO_OTHER]))
        if before in _WORDS_BEFORE_OTHER and word in _POSSESSIVES
    )
    noun = next((words[at + 1 : at + 3] for at in possessives), [])
    # A department is no field of numbers or addresses: "his team".
    is_field = bool({*lexicon.fields_in(" ".join(noun))} - {"department"}) or noun[:1] in _FIELD_NOUNS
    return bool(noun) and noun[0].isalpha() and not is_field and noun[0] not in _RECORD_NOUNS


def _names_at_end(segment: UtteranceSegment, tokens: Sequence[Token]) -> frozenset[str]:
    """Return the words of the names with which some tokens end, joined by "and" or commas."""
    spans = [span for span in segment.spans if span.tag in _NAME_TAGS - {"new"}]
    names: set[str] = set()
    for token in reversed(tokens):
        span = next((one for one in spans if one.start <= token.start < one.end), None)
        if span is None and not (names and token.word in ("and", ",", "&")):
            break
        names.update(_words(span.text) if span is not None else ())
    return frozenset(names)


def _apply_corrections(
    segments: Sequence[UtteranceSegment], values: Sequence[Sequence[BoundValue]]
) -> list[BoundValue]:
    """Return the values of a message: one that corrects another has its record and field, "80, no sorry, 78"."""
    resolved: list[BoundValue] = []
    for segment, segment_values in zip(segments, values, strict=True):
        for place, one in enumerate(segment_values):
            corrects = segment.corrects if place == 0 else _is_corrected(segment, segment_values[place - 1], one)
            previous_place = next((at for at in range(len(resolved) - 1, -1, -1) if resolved[at].is_like(one)), None)
            if corrects and previous_place is not None:
                previous = resolved[previous_place]
                resolved[previous_place] = replace(previous, is_replaced=True)
                one = replace(one, names=one.names or previous.names, field=one.field or previous.field)
            resolved.append(one)
    return resolved


def _is_corrected(segment: UtteranceSegment, one: BoundValue, other: BoundValue) -> bool:
    """Return whether the words between two values of a segment say that the second corrects the first."""
    start = segment.ask.text.find(one.text) + len(one.text)
    between = [token.word for token in tokenize(segment.ask.text[start : segment.ask.text.find(other.text, start)])]
    return bool(CORRECTIONS & set(between)) and between[-1:] not in (["than"], ["of"])


def _preferred(values: list[BoundValue], test: ValueTest) -> list[BoundValue]:
    """Return the values that pass a test, or all if none does."""
    return [one for one in values if test(one)] or values


def _has_rival(one: BoundValue, others: Iterable[BoundValue], segment: UtteranceSegment) -> bool:
    """Return whether another value of the segment may be meant as well, as nothing tells them apart."""
    return any(
        other.segment == one.segment and _is_rival(one, other) and not _is_told_after(other.text, one.text, segment)
        for other in others
    )


def _is_told_after(value: str, first: str, segment: UtteranceSegment) -> bool:
    """Return whether a clause after the first value has another one: "to 2pm, I just don't have it in me today"."""
    text = segment.ask.text
    between = tokenize(text[text.find(first) + len(first) : text.find(value)])
    words = [token.word for token in between if token.kind != "mark"]
    return any(token.word in CLAUSE_MARKS for token in between) and bool(words) and words[0] not in ("or", "and")


def relation_of(field_words: str, name: str, properties: Sequence[str]) -> Literal["same", "open", "other"]:
    """Return whether words for a field mean an argument, another field, or nothing that is known."""
    stems, argument_stems = _stems(field_words), _stems(name)
    if not stems:
        return "open"
    if stems & argument_stems:
        return "same"
    generals = lexicon.fields_in(field_words)
    field_names = {*generals, *(lexicon.field_name(general, kind) for general in generals for kind in _KINDS)}
    if name in field_names:
        return "same"
    is_known = bool(generals) or any(stems & _stems(one) for one in properties)
    return "other" if is_known else "open"


def _stems(text: str) -> frozenset[str]:
    """Return the stems of words for a field, without those that many fields have."""
    words = (token for token in tokenize(text.replace("_", " ")) if token.kind != "mark")
    return frozenset(token.stem for token in words if token.word not in _COMMON_FIELD_WORDS)


def _values_of(
    segment: UtteranceSegment, place: int, utterance: Utterance, record_words: frozenset[str]
) -> Iterator[BoundValue]:
    """Yield the values of a segment with their names and fields."""
    text = segment.ask.text
    spans = sorted((*segment.spans, *_untagged_spans(segment, record_words)), key=lambda span: span.start)
    # The "revenue" of the goal "Grow recurring revenue" is no field.
    name_ends = {
        len(text) - len(text[span.end :].lstrip())
        for span in spans
        if span.tag in _NAME_TAGS and _words(span.text) <= record_words
    }
    spans = [
        one for one in spans if one.tag != "field" or one.start not in name_ends or not _words(one.text) <= record_words
    ]
    main_tags = {span.tag for span in spans if span.start not in segment.subordinate_starts}
    told_end = _end_of_news(segment)
    fields = dict(_fields_beside(text, spans))
    names = dict(_names_beside(spans, ("when",))) | dict(_names_beside(spans, ("value", "amount")))
    for at, span in enumerate(spans):
        # Not the old value of "from 40k to 50k".
        if span.tag in _VALUE_TAGS and not segment.is_aside(span):
            is_time = span.tag == "when"
            # Of "from Monday to Tuesday" the reader of times knows which one counts.
            is_range = is_time and span.text.lower().startswith(("from ", "between "))
            times = tuple(find_times(span.text.lower(), utterance.now)) if is_time and not is_range else ()
            numbers = () if is_time else tuple(_numbers(span.text))
            if is_time and not is_range and not times:
                # "We talked for twenty minutes": a length is no value.
                continue
            is_reason = span.start in segment.subordinate_starts and span.tag in main_tags
            is_reason = is_reason or (
                span.start < told_end and any(one.tag == span.tag and one.start > told_end for one in spans)
            )
            yield BoundValue(span.text, names.get(at, ()), fields.get(at, ""), place, numbers, times, is_reason)


def _end_of_news(segment: UtteranceSegment) -> int:
    """Return where what happened ends in a segment that goes on with an order: "we met on Monday, remind me …"."""
    tokens = segment.ask.tokens
    places = (
        at for at, (mark, verb) in enumerate(pairwise(tokens)) if mark.word in CLAUSE_MARKS and acts_of(verb.word)
    )
    place = next(places, 0)
    return tokens[place].start if tells_past(tokens[:place]) else 0


def _untagged_spans(segment: UtteranceSegment, record_words: frozenset[str]) -> Iterator[Span]:
    """Yield the numbers and the words of a record's name that the reader has not tagged, outside of all slots."""
    for token in segment.ask.loose:
        if token.kind == "number":
            yield Span("value", token.text, token.start)
        if token.word in record_words and is_likely_name(token) and token.word not in lexicon.KIND_NAMES:
            yield Span("name", token.text, token.start)


def _fields_beside(text: str, spans: Sequence[Span]) -> Iterator[tuple[int, str]]:
    """Yield the places of values with the field before each, or right after it: "score to 80", "80 as the score"."""
    pending_field, unlabelled = "", None
    for at, span in enumerate(spans):
        if span.tag == "field":
            if unlabelled is not None and _is_field_after(text[spans[unlabelled].end : span.start]):
                yield unlabelled, span.text
                pending_field = ""
            else:
                pending_field = span.text
            unlabelled = None
        elif span.tag in _OWN_FIELDS:
            # A company or an address takes only a field of its own: "company Acme, logistics manager".
            if _OWN_FIELDS[span.tag].intersection(lexicon.fields_in(pending_field)):
                pending_field = ""
        elif span.tag in _VALUE_TAGS:
            if pending_field and not (span.tag == "when" and _has_own_text(text, spans, at)):
                yield at, pending_field
            unlabelled = None if pending_field else at
            pending_field = ""


def _has_own_text(text: str, spans: Sequence[Span], at: int) -> bool:
    """Return whether the field before a time has a text in between: "title is ask about the audit, due on the 20th"."""
    field = next(one for one in reversed(spans[:at]) if one.tag == "field")
    is_text = field.text.lower() in _FIELDS_OF_TEXTS
    return is_text and len(tokenize(text[field.end : spans[at].start])) > _MAX_WORDS_TO_VALUE


def _is_field_after(between: str) -> bool:
    """Return whether the words between a value and a field say that the value is the field's: "80 as the score"."""
    words = between.lower().split()
    return not words or (words[0] == "as" and lexicon.DETERMINERS.issuperset(words[1:]))


def _names_beside(spans: Sequence[Span], tags: Sequence[str]) -> Iterator[tuple[int, tuple[frozenset[str], ...]]]:
    """Yield the places of values with the names beside each: those before it, or after it where values come first.

    Of as many values as names in a row the first goes with the first.
    """
    runs: list[tuple[bool, list[int]]] = []
    for at, span in enumerate(spans):
        is_name = span.tag in _NAME_TAGS
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
    """Yield the amounts of a text, or its digits as a number."""
    amounts = [amount.value for amount in find_amounts(text)]
    digits = text.strip(" $€£%+").replace(",", "")
    yield from amounts or ([float(digits)] if digits.replace(".", "", 1).isdecimal() else [])


def _is_rival(one: BoundValue, other: BoundValue) -> bool:
    """Return whether two values are of one type and differ; a day and an hour go together, and a day said twice."""
    if one.times and other.times:
        mine, theirs = one.times[0], other.times[0]
        is_joined = (mine.first is None) != (theirs.first is None)
        is_same_day = mine.first is not None and (mine.first, mine.last) == (theirs.first, theirs.last)
        is_repeated = is_same_day and (mine.clock is None or theirs.clock is None)
        is_same = (mine.first, mine.clock, mine.exact) == (theirs.first, theirs.clock, theirs.exact)
        return not (is_joined or is_repeated or is_same)
    if one.numbers and other.numbers:
        return abs(one.numbers[0] - other.numbers[0]) > _NUMBER_TOLERANCE
    return False


def is_same_text(stated: str, value: str) -> bool:
    """Return whether a text that was said is that of a call, in any spelling."""
    return bool(flat(value)) and flat(value) == flat(stated)
