"""An ask: a segment with its slots typed. The acts work with asks alone, never with the message's text."""

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from datetime import datetime, time
from functools import cached_property
from itertools import pairwise

from msgspec.structs import replace

from aisha.domain.dates.durations import find_durations, find_lengths
from aisha.domain.dates.lengths import Length
from aisha.domain.dates.parsing import TimeSpan, find_times
from aisha.domain.language import lexicon
from aisha.domain.language.acts import NAME_TAGS
from aisha.domain.language.amounts import Amount, find_amounts
from aisha.domain.language.marks import plain_text, time_tokens, unread_time
from aisha.domain.language.reader import Segment, Span
from aisha.domain.language.tokens import Token, tokenize
from aisha.domain.language.words import first_names

CORRECTIONS = frozenset("no wait actually sorry rather scratch mean meant instead correction".split())
"""Words between two times of which the second corrects the first."""
_MAX_HOUR = 12
"""A greater number alone may be a day of the month."""
_DOMAIN = re.compile(r"(?:\.[\w-]+)+(?:/[\w/.-]*\w)?")
"""The rest of a web address after its first word."""
_YEAR_DIGITS = 4
"""Digits of a year, which is a time only where it was read as one: "won deals for 2025"."""
# Tags of slots in which no time or amount is looked for.
_MONTH_OF_YEAR = re.compile(r"[a-z]{3,9}\.?,? \d{4}")
_VERBATIM = frozenset("text topic name new org email phone url custom unknown".split())
_BEFORE_CHOICE = frozenset("is are was were the one".split())
_IMAGINING = frozenset("assume suppose imagine".split())


class Ask:
    """A segment, typed. `now` is in the user's zone."""

    def __init__(self, segment: Segment, now: datetime) -> None:
        self.segment = replace(segment, spans=tuple(_tidied(segment)))
        self.now = now
        self.act = segment.act
        self.text = segment.text

    def texts(self, tag: str) -> tuple[str, ...]:
        """Return the words of all slots of a tag, in order."""
        return tuple(span.text for span in self.segment.spans if span.tag == tag)

    def first(self, tag: str) -> str | None:
        return next(iter(self.texts(tag)), None)

    def without(self, start: int, end: int) -> "Ask":
        """Return the ask with a part of its text blanked out, so that all other places stay."""
        text = self.text[:start] + " " * (end - start) + self.text[end:]
        remaining = [span for span in self.segment.spans if span.end <= start or end <= span.start]
        return Ask(replace(self.segment, text=text), self.now).with_spans(remaining)

    def with_spans(self, spans: Iterable[Span]) -> "Ask":
        """Return the ask with these slots."""
        ordered = tuple(sorted(spans, key=lambda span: span.start))
        return Ask(replace(self.segment, spans=ordered), self.now)

    @cached_property
    def tokens(self) -> tuple[Token, ...]:
        return tuple(tokenize(self.text))

    @cached_property
    def outside(self) -> tuple[Token, ...]:
        """The tokens outside of slots that hold names, texts and addresses."""
        return tuple(token for token in self.tokens if not any(span.holds(token) for span in self._verbatim))

    @cached_property
    def loose(self) -> tuple[Token, ...]:
        """The tokens outside of all slots and times."""
        return tuple(token for token in self.tokens if not any(span.holds(token) for span in self.segment.spans))

    @cached_property
    def _verbatim(self) -> tuple[Span, ...]:
        return tuple(span for span in self.segment.spans if span.tag in _VERBATIM)

    @cached_property
    def words(self) -> frozenset[str]:
        """The words (normal forms) outside of verbatim slots."""
        return frozenset(token.word for token in self.outside)

    @cached_property
    def stems(self) -> frozenset[str]:
        return frozenset(token.stem for token in self.outside)

    @cached_property
    def kinds(self) -> tuple[str, ...]:
        """The kinds of records named, in order: lead, contact, account, opportunity, activity, note, goal.

        "Warehouse Lead" is a title and names none.
        """
        titles = [one for one in self.segment.spans if one.tag == "value" and one.text.istitle() and " " in one.text]
        tokens = (token for token in self.outside if not any(title.holds(token) for title in titles))
        kinds = (lexicon.kind_named(token) for token in tokens)
        return tuple(dict.fromkeys(one for one in kinds if one))

    @cached_property
    def activity_types(self) -> tuple[str, ...]:
        """The types of activities named, in order."""
        return self._found(lexicon.activity_type_of)

    @cached_property
    def fields(self) -> tuple[str, ...]:
        """The fields tagged, by their names in `lexicon.toml`, in order."""
        tagged = [name for text in self.texts("field") for name in lexicon.fields_in(text)]
        return tuple(dict.fromkeys(tagged))

    @cached_property
    def values(self) -> tuple[str, ...]:
        """The enumerated values named anywhere outside of verbatim slots, in order: statuses, stages, priorities ..."""
        return tuple(dict.fromkeys(lexicon.values_in(" ".join(token.word for token in self.outside))))

    @cached_property
    def orders(self) -> tuple[tuple[str, int, int], ...]:
        """The orders of a ranking, each with its first and last (exclusive) token in `outside`.

        "Last" of a time or of a field, "the last touch", is none.
        """
        is_time = time_tokens(self.outside, self.now)
        fields = [(first, last) for _, first, last in lexicon.placed_in(self.outside, "fields")]
        return tuple(
            (order, first, last)
            for order, first, last in (*lexicon.placed_in(self.outside, "orders"), *self._sizes())
            if not any(is_time[first:last])
            and (last - first > 1 or not self.outside[first].word.endswith("ed"))  # Not "who promised to sign".
            and not any(start <= first and last <= end and end - start > last - first for start, end in fields)
        )

    def _sizes(self) -> Iterator[tuple[str, int, int]]:
        """Yield the orders that only a choice says: "which is older?", but not "older than a month"."""
        words = [one.word for one in self.outside]
        for order, first, last in lexicon.placed_in(self.outside, "sizes") if {"which", "who"} & {*words[:2]} else ():
            if words[first - 1] in _BEFORE_CHOICE and words[last : last + 1] != ["than"]:
                yield order, first, last

    @cached_property
    def order_places(self) -> tuple[tuple[int, int], ...]:
        """The start and end of each order in the text: "closes first" is one, though "closes" may be a slot."""
        return tuple((self.outside[first].start, self.outside[last - 1].end) for _, first, last in self.orders)

    def is_order(self, span: Span | Token) -> bool:
        """Return whether a slot is a part of an order."""
        return any(start <= span.start < end for start, end in self.order_places)

    def _found(self, find: Callable[[str], str | None]) -> tuple[str, ...]:
        # By the word first: the stem of "meeting" is "meet", that of "presently" is "present".
        tokens = [one for one in self.outside if one not in self._naming]
        types = [find(one.word) or (None if one.word.endswith("ly") else find(one.stem)) for one in tokens]
        # A "walkthrough meeting" is a meeting: the last noun counts.
        heads = (one for one, after in zip(types, [*types[1:], None], strict=False) if one and not after)
        return tuple(dict.fromkeys(heads))

    @cached_property
    def _naming(self) -> list[Token]:
        """The words between people and their name: "everyone called Ann"."""
        names = {span.start for span in self.segment.spans if span.tag in NAME_TAGS}
        placed = zip(self.tokens, self.tokens[1:], self.tokens[2:], strict=False)
        return [
            one
            for before, one, after in placed
            if after.start in names and one.word in lexicon.NAMING_WORDS
            if before.word in lexicon.EVERYBODY or lexicon.kind_named(before)
        ]

    @cached_property
    def times(self) -> tuple[TimeSpan, ...]:
        """The times outside of verbatim slots. Their places are in the plain text, not in `text`."""
        plain, starts = plain_text(self.outside)
        spans = find_times(plain, self.now)
        lone = list(self._lone_times(starts, spans))
        # "Put the demo in, 12th at 2pm": the slot tells that the number is a day, too.
        spans = [one for one in spans if not any(other.start <= one.start < other.end for other in lone)]
        spans = sorted([*spans, *lone], key=lambda span: span.start)
        # "Thursday, no wait, Friday": what is corrected does not count.
        # Of "Friday rather than Thursday" and "Friday instead of Thursday" the first counts.
        corrected = [plain[one.end : other.start].split() for one, other in pairwise(spans)]
        corrected = [[] if between[-1:] in (["than"], ["of"]) else between for between in corrected]
        last = max((place for place, between in enumerate(corrected, 1) if CORRECTIONS & set(between)), default=0)
        return tuple(_completed(one, spans[:last]) for one in spans[last:])

    @cached_property
    def lengths(self) -> tuple[tuple[int, int, Length], ...]:
        """The lengths of time outside of verbatim slots, with their places in the plain text; "until 15h" is none."""
        plain = plain_text(self.outside)[0]
        return tuple(one for one in find_lengths(plain) if plain[: one[0]].split()[-1:] not in (["until"], ["till"]))

    @cached_property
    def unread_time(self) -> tuple[Token, ...]:
        """The tokens in and beside its times that are read as no part of one, but for what is corrected."""
        last = max((place for place, one in enumerate(self.outside, 1) if one.word in CORRECTIONS), default=0)
        tokens = self.outside[last:]
        slots = [next((one for one in self.segment.spans if one.holds(token)), None) for token in tokens]
        unread = unread_time(tokens, [None if slot is None else slot.tag == "when" for slot in slots])
        holders = {token.start: slot for token, slot in zip(tokens, slots, strict=True)}
        return tuple(one for one in unread if not self._is_read_alone(one, holders[one.start]))

    def _is_read_alone(self, token: Token, slot: Span | None) -> bool:
        """Return whether a token is a part of the time that its slot is by itself."""
        if slot is None:
            return False
        whole_time = _whole_time(slot.text)
        place = token.start - slot.start + len(whole_time) - len(slot.text)
        return any(one.start <= place < one.end for one in find_times(whole_time, self.now))

    def _lone_times(self, starts: Sequence[int], times: Sequence[TimeSpan]) -> Iterator[TimeSpan]:
        """Yield the times that slots are as a whole, of words that may be something else: "my March deals"."""
        places = {token.start: start for token, start in zip(self.outside, starts, strict=True)}
        for slot in self.segment.spans:
            start = places.get(slot.start, -1) if slot.tag == "when" else -1
            inside = [one for one in times if one.start < start + len(slot.text) and start < one.end]
            if start < 0 or any(one.first or one.exact for one in inside):
                continue
            text, whole_time = slot.text, _whole_time(slot.text)
            for one in find_times(whole_time, self.now)[:1]:
                if one.first is None and inside:
                    continue
                shift = start + len(text) - len(whole_time)
                yield replace(one, start=max(start, shift + one.start), end=shift + one.end)

    @cached_property
    def amounts(self) -> tuple[Amount, ...]:
        """The amounts and numbers outside of verbatim slots and times."""
        plain, _ = plain_text(self.outside)
        taken = [(span.start, span.end) for span in self.times]
        return tuple(
            one for one in find_amounts(plain) if not any(one.start < end and start < one.end for start, end in taken)
        )

    @cached_property
    def count(self) -> int | None:
        """The number that "top 3" or "the first two" says, also where it was not tagged."""
        pairs = pairwise(self.outside)
        # "The first one" is a place, not a number.
        counts = (two.word for one, two in pairs if one.word in lexicon.WORDS_BEFORE_COUNT and two.word != "one")
        texts = (*self.texts("count"), *counts)
        return next((number for text in texts if (number := lexicon.number_in(text)) is not None), None)

    @cached_property
    def minutes(self) -> int | None:
        """The duration that "for 45 minutes" says, in minutes."""
        plain, _ = plain_text(self.outside)
        return next((minutes for _, _, minutes in find_durations(plain)), None)

    @property
    def is_plural(self) -> bool:
        """True if it speaks of all or several: "each of them", "all my warm leads"."""
        return bool(self.words & lexicon.PLURAL_WORDS)


def bounds(span: TimeSpan, now: datetime) -> tuple[datetime | None, datetime | None]:
    """Return the first and last instant that a time covers, whole days in the zone of `now`; None for an open end."""
    moment = span.moment(now)
    first = datetime.combine(span.first, time(), now.tzinfo) if span.first else moment
    last = datetime.combine(span.last, time(23, 59, 59), now.tzinfo) if span.last else moment
    if span.relation == "before":
        return None, last
    return first, None if span.relation == "after" else last


def _completed(span: TimeSpan, corrected: Sequence[TimeSpan]) -> TimeSpan:
    """Return a time with the day or the clock time that it leaves as it was: "tomorrow at 2, no, at 3"."""
    day = next((one for one in reversed(corrected) if one.first is not None), None)
    clock = next((one.clock for one in reversed(corrected) if one.clock is not None and one.part is None), None)
    if span.exact is not None:
        return span
    if span.first is None and day is not None:
        return replace(span, first=day.first, last=day.last)
    if span.clock is None and clock is not None and not span.is_range:
        return replace(span, clock=clock)
    return span


def _tidied(segment: Segment) -> Iterator[Span]:
    """Yield the slots; names without the possessives, kinds of records and interjections around them."""
    spans = _joined(segment)
    for place, span in enumerate(spans):
        if span.tag == "value" and spans[place + 1 :] and _is_field(span.text):
            yield replace(span, tag="field")  # "mark the account's health as healthy"
            continue
        before = segment.text[: span.start].lower().split()[-1:]
        if before and "website" in lexicon.fields_in(before[0]) and (rest := _DOMAIN.match(segment.text, span.end)):
            yield Span("value", span.text + rest[0], span.start)  # A dot within an address ends no name.
            continue
        if span.tag == "owner" and before == ["at"]:
            yield replace(span, tag="value")  # "at Nando's" is a place
            continue
        if span.tag in NAME_TAGS:
            tokens = tokenize(span.text)
            if span.text.islower() and lexicon.phrase_key(span.text, "values"):
                yield Span("value", span.text, span.start)
                continue
            while tokens and (
                tokens[0].word in lexicon.INTERJECTIONS
                or (len(tokens) > 1 and tokens[0].text == "the")
                or (len(tokens) > 1 and (_is_kind(tokens[0]) or (span.start == 0 and _is_verb(tokens[0]))))
            ):
                tokens.pop(0)
            while tokens and (tokens[-1].word == "'s" or (len(tokens) > 1 and _is_owned(*tokens[-2:]))):
                tokens.pop()
            if len(tokens) > 1 and _is_predicate(segment, span, tokens[-1]):
                tokens.pop()
            is_whole = len(tokens) > 1 and all(one.is_capital for one in tokens[:-1])
            if is_whole and tokens[-1].text.islower() and _is_field(tokens[-1].text):
                field = tokens.pop()  # "Acme Mining health to be healthy"
                yield Span("field", field.text, span.start + field.start)
            if tokens and not all(one.text.islower() and lexicon.activity_type_of(one.word) for one in tokens):
                yield Span(span.tag, span.text[tokens[0].start : tokens[-1].end], span.start + tokens[0].start)
        else:
            yield span


def _is_predicate(segment: Segment, name: Span, last: Token) -> bool:
    """Return whether the last word of a name is the state that is asked for: "is blue harbor churning?"."""
    before = segment.text[: name.start].lower().split()
    is_last = last.end + name.start >= len(segment.text.rstrip(" ?!."))
    return before[-1:] == ["is"] and is_last and last.text.islower() and bool(lexicon.values_in(last.word))


def _joined(segment: Segment) -> list[Span]:
    """Return the slots, two parts of a value or name as one: "555-0199", "Ann Lee"."""
    spans: list[Span] = []
    names = [one for one in segment.spans if one.tag in NAME_TAGS]
    for span in segment.spans:
        last = spans[-1] if spans else None
        if len(names) > 2 and last and {last.text, span.text} <= first_names():
            spans.append(span)  # "mark dmitri olga and colin"
            continue
        if last and last.tag == span.tag == "value" and segment.text[last.end : span.start] in ("-", "/", "."):
            spans[-1] = Span("value", segment.text[last.start : span.end], last.start)
            continue
        if last and last.tag == span.tag in NAME_TAGS and segment.text[last.end : span.start].strip(" ") == "":
            whole = segment.text[last.start : span.end]
            if whole.startswith(last.text) and whole.endswith(span.text) and last.end < span.start:
                spans[-1] = Span(span.tag, whole, last.start)
                continue
        spans.append(span)
    return spans


def _is_field(text: str) -> bool:
    """Return whether a text is the name of a field, and no value."""
    return lexicon.phrase_key(text, "fields") is not None and lexicon.phrase_key(text, "values") is None


def _is_verb(token: Token) -> bool:
    """Return whether the first token of a name at the beginning of an ask is an order's verb: "Summarize Acme"."""
    verb = token.word.partition(" ")[0]  # "Gimme" is "give me".
    return verb in lexicon.ORDER_VERBS | lexicon.TEXT_VERBS | _IMAGINING and token.word not in first_names()


def _is_owned(owner: Token, token: Token) -> bool:
    """Return whether a word after a name is no part of it: a kind of record, or an activity, "bronwyns workshop"."""
    is_activity = token.text.islower() and lexicon.activity_type_of(token.word) is not None
    return _is_kind(token) or (is_activity and owner.word.endswith("s"))


def _is_kind(token: Token) -> bool:
    return token.text.islower() and token.word in lexicon.KIND_NAMES | lexicon.LINK_WORDS


def _whole_time(slot: str) -> str:
    """Return the text of a slot of a time in full: "June 2026" is "in June 2026", the hour of "make it 11" "at 11"."""
    text = slot.lower()
    if not text.isdecimal():
        return f"in {text}" if _MONTH_OF_YEAR.fullmatch(text) else text
    if len(text) == _YEAR_DIGITS:
        return f"in {text}"
    return f"at {text}" if 0 < int(text) <= _MAX_HOUR else text
