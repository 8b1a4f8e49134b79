"""Read a message once: its segments in order, each with its act, the act's probability, and its slots."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from functools import lru_cache
from itertools import pairwise

from msgspec import Struct
from msgspec.structs import replace

from aisha.domain.language import lexicon
from aisha.domain.language.acts import (
    ADDRESS_TAGS,
    FIELD_CHANGE_ACTS,
    NAME_TAGS,
    NUMBER_TAGS,
    PROPER_NAME_TAGS,
    READS,
    RECORD_NAME_TAGS,
    WRITES,
)
from aisha.domain.language.borders import TokenRange, joints, joints_of_orders, numbered_points, starts_of
from aisha.domain.language.encoded import EncodedMessage, Encoder, LinearMessage
from aisha.domain.language.headed_lists import HeadedList, headed_list
from aisha.domain.language.marks import bound_tokens, has_clock, marks_of
from aisha.domain.language.notation import pasted_text, spelled_out
from aisha.domain.language.slips import CLOSED_TAGS, SENTENCE_ENDS, Slip, correct_slips, slips_in
from aisha.domain.language.tokens import Token, tokenize
from aisha.domain.language.whole_names import common_noun_starts, is_ordinary, with_whole_names

MAX_TOKENS = 600
"""Tokens read of a message; `Reading.rest` has the others."""
MAX_ALTERNATIVES = 3
MAX_ENCODED = 150
"""Messages of more tokens are read without the encoder, whose time grows with them."""
_DENIAL_ENDINGS = (" not", "n't", " than", " instead of")
"""The ends of what stands before a slot that is denied."""
CORRECTING = "rather"
"""The word between a time and the one that corrects it."""
MIN_ALONE = 0.5
"""A later segment less probable than this goes with the one before it."""
MIN_WHOLE = 0.95
"""A segment less probable than this may be two asks."""
MIN_DISPUTING = 0.4
"""An order is disputed by a model that finds another act at least as probable: one order in twenty is."""
MAX_JOINTS = 3
MIN_ORDERED = 0.6
"""Both halves of a sure segment are read as orders with at least this probability, or it is one ask."""
_LISTED_ACTS = FIELD_CHANGE_ACTS | frozenset(
    "create_record create_activity change_activity create_note remind ask_field".split()
)
"""Acts that the items of a list under a heading may have."""
_TEXT_ACTS = frozenset(("create_note", "draft_email"))
MAX_POINTING = 3
"""Words that only point at the text of a note: "the following text"."""


class Span(Struct, frozen=True):
    """A slot: `text` stands at `start` of its segment's text. `tag` is one of `acts.TAGS` or `acts.ADDRESS_TAGS`."""

    tag: str
    text: str
    start: int

    @property
    def end(self) -> int:
        return self.start + len(self.text)

    def holds(self, token: Token) -> bool:
        """Return whether a token begins inside of the slot."""
        return self.start <= token.start < self.end


class Segment(Struct, frozen=True):
    """A part of a message that does one thing. `others` are further acts it may be, with their probabilities.

    `is_disputed` is True if one of several models takes the order for something else.
    """

    text: str
    act: str
    probability: float = 1.0
    spans: tuple[Span, ...] = ()
    others: tuple[tuple[str, float], ...] = ()
    is_disputed: bool = False

    def amended(self, other: "Segment") -> "Segment":
        """Return this segment with the slots of a correction in place of its own of the same tags, others added."""
        whole = replace(self, text=self.text.rstrip(" .!?,"))
        names_subject = any(span.tag in RECORD_NAME_TAGS for span in other.spans)
        for tag in dict.fromkeys(span.tag for span in other.spans):
            new = other.values_of(tag)
            replaced = [span for span in whole.spans if span.tag == tag]
            if tag in NUMBER_TAGS and any(letter.isdecimal() for letter in new[-1]):
                # A number replaces a number: "to qualified, score 85" - "wrong, 80".
                numbers = [span for span in replaced if any(letter.isdecimal() for letter in span.text)]
                replaced = numbers or replaced
            if not replaced and tag in RECORD_NAME_TAGS:
                # Who is meant is a name in one ask and a new name in the other: "add Bo Ek" - "the same for Ken Ohara".
                replaced = [span for span in whole.spans if span.tag in RECORD_NAME_TAGS]
            if not replaced and tag in NUMBER_TAGS and any(letter.isdecimal() for letter in new[-1]):
                # A number is an amount in one ask and a value in the other: "125k" - "it should be 128,000".
                numbers = [one for one in whole.spans if one.tag in NUMBER_TAGS]
                replaced = [one for one in numbers if any(letter.isdecimal() for letter in one.text)]
            if not replaced and tag == "org" and self.act != "create_record" and not names_subject:
                # What is meant is called by its company: "mark the Globex deal lost" - "I mean the Acme one".
                replaced = [span for span in whole.spans if span.tag == "name"]
            if replaced and tag == "when" and (has_clock(replaced[-1].text) or has_clock(new[-1])):
                # Both stay: "tomorrow at 2, rather at 3" keeps the day.
                at = "at " if new[-1].split()[0].lower() in lexicon.NUMBERS or new[-1].isdecimal() else ""
                old = replaced[-1]
                whole = whole.with_words(old.start, old.end, f"{old.text}, {CORRECTING} {at}{new[-1]}")
            elif replaced:
                whole = whole.with_words(replaced[0].start, replaced[0].end, new[-1])
            else:
                for place, value in enumerate(new):
                    # Two names stay two.
                    gap = ", " if place and tag in NAME_TAGS else " "
                    span = Span(tag, value, len(whole.text) + len(gap))
                    whole = replace(whole, text=f"{whole.text}{gap}{value}", spans=(*whole.spans, span))
        return replace(whole, spans=tuple(sorted(whole.spans, key=lambda span: span.start)))

    def values_of(self, tag: str) -> list[str]:
        """Return the words of the slots of a tag, without those that are denied, unless all are: "80k, not 18k"."""
        spans = [span for span in self.spans if span.tag == tag]
        accepted = [one for one in spans if not f" {self.text[: one.start].lower().rstrip()}".endswith(_DENIAL_ENDINGS)]
        return [span.text for span in accepted or spans]

    def followed_by(self, other: "Segment") -> "Segment":
        """Return this segment with the text and the slots of another one after its own."""
        text = f"{self.text.rstrip(' .!?,')}, "
        spans = (*self.spans, *(Span(one.tag, one.text, one.start + len(text)) for one in other.spans))
        return replace(self, text=text + other.text, spans=spans)

    def part(self, first: int, last: int | None = None) -> "Segment":
        """Return the part of this segment from one place of its text to another, with the slots that are inside."""
        end = len(self.text) if last is None else last
        inside = (one for one in self.spans if first <= one.start and one.end <= end)
        spans = tuple(Span(one.tag, one.text, one.start - first) for one in inside)
        return replace(self, text=self.text[first:end], spans=spans)

    def amended_word(self, start: int, old: str, new: str) -> "Segment":
        """Return this segment with another word in the place of the one at `start`, which is in no slot."""
        shift = len(new) - len(old)
        spans = tuple(Span(one.tag, one.text, one.start + (shift if one.start > start else 0)) for one in self.spans)
        text = self.text[:start] + new + self.text[start + len(old) :]
        return replace(self, text=text, spans=spans)

    def with_words(self, start: int, end: int, words: str) -> "Segment":
        """Return this segment with other words in the place of those from `start` to `end`, also inside of a slot."""
        text, shift = self.text[:start] + words + self.text[end:], len(words) - (end - start)
        places = [
            (one, one.start + shift * (one.start >= end), one.end + shift * (one.end >= end)) for one in self.spans
        ]
        spans = tuple(Span(one.tag, text[first:last], first) for one, first, last in places)
        return replace(self, text=text, spans=spans)


class Reading(Struct, frozen=True):
    """A message as read. `rest` is the end of a message that was too long, `text` the message without its slips."""

    segments: tuple[Segment, ...]
    rest: str = ""
    text: str = ""


def read(message: str, known_names: Iterable[str] = (), encoder: Encoder | None = None) -> Reading:
    """Return the segments of a message, with slips of the keyboard corrected outside of names, values and texts.

    `known_names` are those of the records of the conversation. With an `encoder` the message is read by the meaning of
    its sentences, without one by the linear models.
    """
    names = tuple(known_names)
    known_words = frozenset(word for name in names for word in name.lower().split())
    readings = [_reading(part, known_words, encoder) for part in parts_of(message, names)]
    if len(readings) == 1 and (whole := _with_listed_text(message, known_words, encoder)) is not None:
        readings = [whole]
    return joined(readings)


def read_message(message: str, known_names: Iterable[str] = (), encoder: Encoder | None = None) -> Reading:
    """Return the segments of a whole message: what is written like a form is spelled out, what is pasted a text."""
    if (pasted := pasted_text(message)) is None:
        return joined([read(text, known_names, encoder) for text in spelled_out(message)])
    own = read_message(pasted.own, known_names, encoder) if pasted.own else Reading((Segment(pasted.text, "context"),))
    place = next((at for at, one in enumerate(own.segments) if one.act == "create_note"), None)
    segments = list(own.segments)
    if place is not None and not any(len(one.split()) > MAX_POINTING for one in segments[place].values_of("text")):
        segments[place] = _with_text(segments[place], pasted.text)
    about = (Segment(name, "context", spans=(Span("name", name, 0),)) for name in pasted.names[:1])
    return Reading((*about, *segments), text=message)


def joined(readings: Sequence[Reading]) -> Reading:
    """Return the reading of texts that follow one another."""
    segments = tuple(segment for reading in readings for segment in reading.segments)
    return Reading(segments, readings[-1].rest, "\n".join(reading.text for reading in readings))


def parts_of(message: str, known_names: Iterable[str] = ()) -> list[str]:
    """Return the parts of a message that are read by themselves: all of it, or the items of a list under a heading.

    An item begins with the words of the heading. Items are apart where each is an ask as the linear models read it,
    so that every place decides alike; other lists, such as one in the text of a note, are read as they stand.
    """
    if (listed := headed_list(message)) is None:
        return [message]
    known_words = frozenset(word for name in known_names for word in name.lower().split())
    readings = [_reading(sentence, known_words, None) for sentence in listed.sentences]
    segments = [reading.segments[0] for reading in readings if len(reading.segments) == 1]
    if len(segments) < len(readings) or not _are_asks(listed, segments):
        return [message]
    return [part for part in (listed.before, *listed.sentences, listed.after) if part.strip()]


def _with_listed_text(message: str, known_words: frozenset[str], encoder: Encoder | None) -> Reading | None:
    """Return the reading of an order for a note or an email whose text ends with a list; None for any other message."""
    if (listed := headed_list(message)) is None or listed.before.strip() or listed.after.strip():
        return None
    heading = _reading(f"{listed.heading}:", known_words, encoder)
    if not heading.segments or heading.segments[-1].act not in _TEXT_ACTS:
        return None
    return Reading((*heading.segments[:-1], _with_text(heading.segments[-1], listed.text)), text=message)


def _with_text(order: Segment, text: str) -> Segment:
    """Return an order for a note or an email with a text that follows it as all that it is to say."""
    whole = f"{order.text.rstrip()}\n{text}"
    texts = [span.start for span in order.spans if span.tag in ("text", "topic")]
    start = min(texts, default=len(order.text.rstrip()) + 1)
    spans = tuple(span for span in order.spans if span.start < start)
    return replace(order, text=whole, spans=(*spans, Span("text", whole[start:], start)))


def _are_asks(listed: HeadedList, segments: Sequence[Segment]) -> bool:
    """Return whether items are asks that name their own records: no lines of a note's text are.

    With a heading all have the same act, one of them surely. Without one each is sure, or all begin with their names.
    """
    if listed.is_statement or not (listed.prefix or listed.is_bare):
        return False
    if not listed.prefix and all(map(_begins_with_name, segments)):
        return True
    is_named = all(map(_names_own_record, listed.items, segments))
    probabilities = [one.probability for one in segments]
    is_sure = max(probabilities) >= MIN_ORDERED if listed.prefix else min(probabilities) >= MIN_ORDERED
    acts = {one.act for one in segments}
    return is_named and is_sure and acts <= _LISTED_ACTS and (len(acts) == 1 or not listed.prefix)


def _begins_with_name(segment: Segment) -> bool:
    """Return whether a segment says something of the name that it begins with: "Ann Lee: warm"."""
    first = segment.spans[0] if segment.spans else None
    return first is not None and first.tag in NAME_TAGS and first.start == 0 and segment.text[first.end] == ":"


def _names_own_record(item: str, segment: Segment) -> bool:
    """Return whether an item has a name or, as no note does, a capital of its own."""
    is_tagged = any(one.tag in NAME_TAGS and one.text in item for one in segment.spans)
    return is_tagged or (segment.act != "create_note" and any(one.is_capital for one in tokenize(item)))


# Every round of a turn reads the same message.
@lru_cache(maxsize=64)
def _reading(message: str, known_words: frozenset[str], encoder: Encoder | None) -> Reading:
    reader = _reader(message, known_words, encoder)
    if reader is None:
        return Reading((), text=message)
    text, slips = message, reader.slips()
    while slips:
        text, places = correct_slips(message, slips)
        again = _reader(text, known_words, encoder) or reader
        # What turns out to be a part of a name, a value or a text stays as it was typed.
        unchanged = [slip for slip, place in zip(slips, places, strict=True) if slip.is_owner or again.is_closed(place)]
        if len(unchanged) == len(slips):
            reader = again
            break
        text, slips = message, unchanged
    return Reading(tuple(reader.segments()), reader.rest, text)


def _reader(message: str, known_words: Collection[str], encoder: Encoder | None) -> "_Reader | None":
    """Return the reader of a message with its slots; None for one without a token."""
    # Capitals say nothing where all letters are capitals.
    plain = message.lower()
    tokens = tokenize(plain if message.isupper() and len(plain) == len(message) else message)
    rest = message[tokens[MAX_TOKENS].start :] if len(tokens) > MAX_TOKENS else ""
    tokens = tokens[:MAX_TOKENS]
    if not tokens:
        return None
    marks = marks_of(tokens, known_words)
    is_encoded = encoder is not None and len(tokens) <= MAX_ENCODED
    encoded = encoder.read(tokens, marks) if encoder is not None and is_encoded else LinearMessage(tokens, marks)
    return _Reader(message, tokens, marks, encoded, rest)


def _disputes(probabilities: Mapping[str, float], act: str) -> bool:
    """Return whether probabilities of acts speak for another act than the one of an order."""
    best = max(probabilities, key=probabilities.__getitem__)
    return probabilities[best] >= MIN_DISPUTING and best != act and {best, act} != FIELD_CHANGE_ACTS


class _Reader:
    """The segments that parts of a message would be."""

    def __init__(
        self,
        message: str,
        tokens: Sequence[Token],
        marks: Sequence[Collection[str]],
        encoded: EncodedMessage,
        rest: str,
    ) -> None:
        self._message, self._tokens, self._marks, self._encoded, self.rest = message, tokens, marks, encoded, rest
        self._tags = encoded.tags()

    def slips(self) -> list[Slip]:
        """Return the slips of the keyboard, in order; no word of a slot that may hold any word is one."""
        return slips_in(self._tokens, self._tags, self._marks)

    def is_closed(self, start: int) -> bool:
        """Return whether the word at a place of the message is in no slot that may hold any word."""
        tags = zip(self._tokens, self._tags, strict=True)
        return next((tag[2:] in CLOSED_TAGS for token, tag in tags if token.start == start), True)

    def segments(self) -> Iterable[Segment]:
        """Yield the segments in order."""
        bound = bound_tokens(self._tokens)
        starts = (
            place for place in starts_of(self._tokens, self._tags, self._encoded.starts(self._tags)) if not bound[place]
        )
        parts = list(pairwise([*starts, len(self._tokens)]))
        segments = [self.segment(part) for part in parts]
        if len(parts) > 1 and any(one.probability < MIN_ALONE for one in segments):
            parts = self.joined(parts, segments)
            segments = [self.segment(part) for part in parts]
        for part, segment in zip(parts, segments, strict=True):
            yield from self.apart(part, segment)

    def segment(self, part: TokenRange) -> Segment:
        """Return a part as a segment, its names completed."""
        tokens, tags = self._tokens[slice(*part)], self._tags[slice(*part)]
        start, end = tokens[0].start, tokens[-1].end
        together, *each = self._encoded.acts(*part, self._tags)
        (act, probability), *others = together.items()
        labels = with_whole_names(tokens, tags, act)
        spans = [*_tagged_spans(self._message, tokens, labels, start), *_address_spans(tokens, labels, start)]
        spans.sort(key=lambda span: span.start)
        text = self._message[start:end]
        is_disputed = act in WRITES and any(_disputes(probabilities, act) for probabilities in each)
        return Segment(text, act, probability, tuple(spans), tuple(others[:MAX_ALTERNATIVES]), is_disputed)

    def joined(self, parts: Sequence[TokenRange], segments: Sequence[Segment]) -> list[TokenRange]:
        """Return the parts, a doubtful one with the one before or after it, unless a sentence ends between them."""
        merged: list[TokenRange] = []
        is_previous_doubtful, points = False, numbered_points(self._tokens)
        for (first, last), segment in zip(parts, segments, strict=True):
            is_doubtful = segment.probability < MIN_ALONE
            is_apart = self._tokens[first - 1].word in SENTENCE_ENDS or first in points
            if merged and (is_previous_doubtful or is_doubtful) and not is_apart:
                first = merged.pop()[0]
            merged.append((first, last))
            is_previous_doubtful = is_doubtful
        return merged

    def apart(self, part: TokenRange, segment: Segment) -> list[Segment]:
        """Return the segment, or two in its place where a doubtful one makes two different asks read better."""
        is_doubtful = segment.probability < MIN_WHOLE
        find = joints if is_doubtful else joints_of_orders
        places = find(self._tokens, self._tags, part)
        # Clauses that begin with verbs of orders are orders, however sure the whole was read as one.
        best = segment.probability if is_doubtful else MIN_ORDERED, [segment]
        for place in places[:MAX_JOINTS]:
            one, other = self.segment((part[0], place)), self.segment((place, part[1]))
            if one.act != other.act and {one.act, other.act} <= READS | WRITES:
                best = max(best, (min(one.probability, other.probability), [one, other]), key=lambda pair: pair[0])
        return best[1]


def _tagged_spans(message: str, tokens: Sequence[Token], tags: Sequence[str], start: int) -> Iterable[Span]:
    """Yield the slots of a segment that begins at `start`, without names of common words."""
    groups: list[tuple[str, list[Token]]] = []
    for token, tag in zip(tokens, tags, strict=True):
        if groups and tag == f"I-{groups[-1][0]}":
            groups[-1][1].append(token)
        elif tag != "O":
            groups.append((tag[2:], [token]))
        else:
            groups.append(("", []))
    no_names = common_noun_starts(tokens)
    for tag, group in groups:
        is_no_name = group and (group[0].start in no_names or all(is_ordinary(token, start) for token in group))
        if tag and not (tag in PROPER_NAME_TAGS and is_no_name):
            yield Span(tag, message[group[0].start : group[-1].end], group[0].start - start)


def _address_spans(tokens: Sequence[Token], tags: Sequence[str], start: int) -> Iterable[Span]:
    """Yield the addresses of a segment that begins at `start`: emails, phone numbers and links."""
    for token, tag in zip(tokens, tags, strict=True):
        if token.kind in ADDRESS_TAGS and tag[2:] != "text":
            yield Span(token.kind, token.text, token.start - start)
