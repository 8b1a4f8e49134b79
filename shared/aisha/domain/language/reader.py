"""Read a message once: its segments in order, each with its act, the act's probability, and its slots."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from functools import lru_cache
from itertools import pairwise
from typing import Protocol

from msgspec import Struct
from msgspec.structs import replace

from aisha.domain.language import lexicon, vocabulary, words
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
from aisha.domain.language.headed_lists import HeadedList, headed_list
from aisha.domain.language.marks import bound_tokens, has_clock, marks_of, time_tokens
from aisha.domain.language.models import linear
from aisha.domain.language.models.features import boundary_features, segment_features, token_features
from aisha.domain.language.notation import pasted_text, spelled_out
from aisha.domain.language.tokens import Token, tokenize

MAX_TOKENS = 600
"""Tokens read of a message; `Reading.rest` has the others."""
MAX_ALTERNATIVES = 3
MAX_ENCODED = 150
"""Messages of more tokens are read without the encoder, whose time grows with them."""
_DENIAL_ENDINGS = (" not", "n't", " than", " instead of")
"""The ends of what stands before a slot that is denied."""
CORRECTING = "rather"
"""The word between a time and the one that corrects it."""
# Tags of tokens that hold no word but those of orders; "" is outside of slots.
_CLOSED_TAGS = frozenset(("", "field", "ref", "when"))
_TEXT_ACTS = frozenset("create_note draft_email".split())
# Acts whose unusual words are no names of records.
_ACTS_WITHOUT_NAMES = frozenset(
    "smalltalk greeting thanks goodbye impossible context help identity yes no wait documents".split()
)
"""Tags of names."""
MIN_ALONE = 0.5
"""A later segment less probable than this goes with the one before it."""
MIN_WHOLE = 0.95
"""A segment less probable than this may be two asks."""
MIN_DISPUTING = 0.4
"""An order is disputed by a model that finds another act at least as probable: one order in twenty is."""
MAX_JOINTS = 3
MIN_ORDERED = 0.6
"""Both halves of a sure segment are read as orders with at least this probability, or it is one ask."""
_MAX_OPENING = 4
"""Tokens of an ask among which its verb stands, after words of politeness."""
# Words that end a name.
_LINK_WORDS = frozenset("the a an of at from in for with and or to on about by as is are among amongst".split())
# Abbreviations that end with a full stop and no sentence.
_VERBATIM_TAGS = frozenset(("text", "topic", "email", "phone", "url"))
_SENTENCE_ENDS = frozenset(". ! ? : ;".split())
SALUTATIONS = frozenset("mr mrs ms dr prof".split())
_LISTED_ACTS = FIELD_CHANGE_ACTS | frozenset(
    "create_record create_activity change_activity create_note remind ask_field".split()
)
"""Acts that the items of a list under a heading may have."""
_TEXT_ACTS = frozenset(("create_note", "draft_email"))
MAX_POINTING = 3
"""Words that only point at the text of a note: "the following text"."""
_SENTENCE_ENDS = frozenset(".?!")
_MIN_NAME_LENGTH = 3
_MAX_LONE_NAME = 2
"""Tokens of a message that is a name with an s alone: "bobs?"."""


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


_FIRST_POINTS = (["1", "2"], ["a", "b"], ["i", "ii"])


class EncodedMessage(Protocol):
    """A message as the sentence encoder reads it."""

    def tags(self) -> list[str]:
        """Return the tag of each token."""
        ...

    def starts(self, tags: Sequence[str]) -> list[int]:
        """Return the places of the tokens that begin a segment, the first token's among them."""
        ...

    def acts(self, first: int, last: int, tags: Sequence[str]) -> list[Mapping[str, float]]:
        """Return the probability of each act for the tokens from `first` to `last` (exclusive), the highest first.

        Where several models read together, what each of them finds by itself follows.
        """
        ...


class Encoder(Protocol):
    """A sentence encoder that is trained to read messages: the local sentence model, where it is loaded anyway."""

    def __hash__(self) -> int: ...

    def read(self, tokens: Sequence[Token], marks: Sequence[Iterable[str]]) -> EncodedMessage: ...


class LinearMessage:
    """A message as the linear models read it, which every place can load."""

    def __init__(self, tokens: Sequence[Token], marks: Sequence[Iterable[str]]) -> None:
        self._tokens, self._marks = tokens, marks

    def tags(self) -> list[str]:
        return linear.load("tags").decode(token_features(self._tokens, self._marks))

    def starts(self, tags: Sequence[str]) -> list[int]:
        labels = linear.load("segments").decode(boundary_features(self._tokens, tags))
        return [place for place, label in enumerate(labels) if label == "S" or place == 0]

    def acts(self, first: int, last: int, tags: Sequence[str]) -> list[Mapping[str, float]]:
        is_first, is_last = first == 0, last == len(self._tokens)
        features = segment_features(self._tokens[first:last], tags[first:last], is_first=is_first, is_last=is_last)
        return [linear.load("acts").probabilities(features)]


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
        text, places = _correct_slips(message, slips)
        again = _reader(text, known_words, encoder) or reader
        # What turns out to be a part of a name, a value or a text stays as it was typed.
        unchanged = [slip for slip, place in zip(slips, places, strict=True) if slip.is_owner or again.is_closed(place)]
        if len(unchanged) == len(slips):
            reader = again
            break
        text, slips = message, unchanged
    return Reading(tuple(reader.segments()), reader.rest, text)


class _Slip(Struct, frozen=True):
    """A slip of the keyboard at `message[start:end]`. `is_owner` is True for a name that lacks its apostrophe."""

    start: int
    end: int
    correction: str
    is_owner: bool = False


def _correct_slips(message: str, slips: Iterable[_Slip]) -> tuple[str, list[int]]:
    """Return the message with its slips corrected, and where each correction begins in it."""
    text, places, end = "", [], 0
    for slip in slips:
        text += message[end : slip.start]
        places.append(len(text))
        text, end = text + slip.correction, slip.end
    return text + message[end:], places


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


type TokenRange = tuple[int, int]
"""The places of the first token of a segment and of the one after its last."""


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

    def slips(self) -> list[_Slip]:
        """Return the slips of the keyboard, in order; no word of a slot that may hold any word is one."""
        slips = []
        for place, (token, tag) in enumerate(zip(self._tokens, self._tags, strict=True)):
            if token.kind != "word" or "known" in self._marks[place]:
                continue
            if token.text.islower() and self._lacks_apostrophe(place):
                slips.append(_Slip(token.start, token.end, f"{token.text[:-1]}'s", is_owner=True))
            elif token.word == token.text.lower() and (corrected := self._respelt(place, tag)) != token.word:
                correction = corrected.capitalize() if token.is_capital else corrected
                slips.append(_Slip(token.start, token.end, correction))
        return slips

    def _respelt(self, place: int, tag: str) -> str:
        """Return the word that a slip is of, or the word itself: "dellete dmitri", whatever slot it may be in."""
        token = self._tokens[place]
        corrected = vocabulary.respelt(token.word)
        is_free = token.text.islower() and tag[2:] in _CLOSED_TAGS and not self._marks[place]
        is_first = not place or self._tokens[place - 1].word in _SENTENCE_ENDS
        is_clear = vocabulary.is_clear_slip(token.word, corrected) and tag[2:] not in _VERBATIM_TAGS
        return corrected if is_free or (is_clear and (token.text.islower() or is_first)) else token.word

    def is_closed(self, start: int) -> bool:
        """Return whether the word at a place of the message is in no slot that may hold any word."""
        tags = zip(self._tokens, self._tags, strict=True)
        return next((tag[2:] in _CLOSED_TAGS for token, tag in tags if token.start == start), True)

    def _lacks_apostrophe(self, place: int) -> bool:
        """Return whether a word is a name with an s before what it has: "danas number", "jack russels deal"."""
        word, owned = self._tokens[place].word, self._marks[place + 1 : place + 2]
        if not word.endswith("s") or word in words.first_names():
            return False
        before = [token.word for token in self._tokens[max(place - 2, 0) : place]]
        if before in (["mine", "and"], ["mine", "or"]) or (not place and len(self._tokens) <= _MAX_LONE_NAME):
            return word[:-1] in words.first_names()  # "Mine and bobs", "bobs?"
        if words.is_common(word):
            return False
        is_named = {word[:-1], self._tokens[place - 1].word if place else ""} & words.first_names()
        return bool(is_named) and any({"fields", "kind"} & {*marks} for marks in owned)

    def segments(self) -> Iterable[Segment]:
        """Yield the segments in order."""
        bound = bound_tokens(self._tokens)
        starts = (place for place in self._starts() if not bound[place])
        parts = list(pairwise([*starts, len(self._tokens)]))
        segments = [self.segment(part) for part in parts]
        if len(parts) > 1 and any(one.probability < MIN_ALONE for one in segments):
            parts = self.joined(parts, segments)
            segments = [self.segment(part) for part in parts]
        for part, segment in zip(parts, segments, strict=True):
            yield from self.apart(part, segment)

    def _starts(self) -> list[int]:
        """Return the places where segments begin: numbered points do, and what follows a salutation does not."""
        words = [token.word for token in self._tokens]
        asked = {at + 1 for at, word in enumerate(words[:-1]) if word == "?" and self._begins_after_question(at + 1)}
        found = {*self._encoded.starts(self._tags), *self._points(), *asked}
        salutations = {at for at in found if words[max(at - 1, 0)] == "." and words[max(at - 2, 0)] in SALUTATIONS}
        return sorted(found - salutations - {at + 3 for at in self._points()})

    def _begins_after_question(self, at: int) -> bool:
        """Return whether what follows a question mark is another sentence, and no lone word or part of a text."""
        first = at + (self._tokens[at].word == "(")
        is_sentence = all(one.kind != "mark" for one in self._tokens[first : first + 2]) and first + 1 < len(
            self._tokens
        )
        return is_sentence and not self._tags[at].startswith("I-")

    def _points(self) -> list[int]:
        """Return the places of numbered points: "(1) …, (2) …"."""
        words = [token.word for token in self._tokens]
        points = [at for at in range(len(words) - 2) if words[at] == "(" and words[at + 2] == ")"]
        return points if [words[at + 1] for at in points[:2]] in _FIRST_POINTS else []

    def segment(self, part: TokenRange) -> Segment:
        """Return a part as a segment, its names completed."""
        tokens, tags = self._tokens[slice(*part)], self._tags[slice(*part)]
        start, end = tokens[0].start, tokens[-1].end
        together, *each = self._encoded.acts(*part, self._tags)
        (act, probability), *others = together.items()
        labels = _with_whole_names(tokens, tags, act)
        spans = [*_tagged_spans(self._message, tokens, labels, start), *_address_spans(tokens, labels, start)]
        spans.sort(key=lambda span: span.start)
        text = self._message[start:end]
        is_disputed = act in WRITES and any(_disputes(probabilities, act) for probabilities in each)
        return Segment(text, act, probability, tuple(spans), tuple(others[:MAX_ALTERNATIVES]), is_disputed)

    def joined(self, parts: Sequence[TokenRange], segments: Sequence[Segment]) -> list[TokenRange]:
        """Return the parts, a doubtful one with the one before or after it, unless a sentence ends between them."""
        merged: list[TokenRange] = []
        is_previous_doubtful = False
        for (first, last), segment in zip(parts, segments, strict=True):
            is_doubtful = segment.probability < MIN_ALONE
            is_apart = self._tokens[first - 1].word in _SENTENCE_ENDS or first in self._points()
            if merged and (is_previous_doubtful or is_doubtful) and not is_apart:
                first = merged.pop()[0]
            merged.append((first, last))
            is_previous_doubtful = is_doubtful
        return merged

    def apart(self, part: TokenRange, segment: Segment) -> list[Segment]:
        """Return the segment, or two in its place where a doubtful one makes two different asks read better."""
        is_doubtful = segment.probability < MIN_WHOLE
        places = self._joints(part) if is_doubtful else self._joints_of_orders(part)
        # Clauses that begin with verbs of orders are orders, however sure the whole was read as one.
        best = segment.probability if is_doubtful else MIN_ORDERED, [segment]
        for place in places[:MAX_JOINTS]:
            one, other = self.segment((part[0], place)), self.segment((place, part[1]))
            if one.act != other.act and {one.act, other.act} <= READS | WRITES:
                best = max(best, (min(one.probability, other.probability), [one, other]), key=lambda pair: pair[0])
        return best[1]

    def _joints(self, part: TokenRange) -> list[int]:
        """Return the places of joints outside of slots, with at least two tokens on either side."""
        tags = self._tags
        free = range(part[0] + 2, part[1] - 2)
        return [
            at
            for at in free
            if self._tokens[at].word in lexicon.JOINTS and tags[at] == "O" and not tags[at + 1].startswith("I-")
        ]

    def _joints_of_orders(self, part: TokenRange) -> list[int]:
        """Return the places of joints between two clauses that begin with verbs of orders: "set …, add …"."""
        first, last = part
        opening = [token.word for token in self._tokens[first : min(last, first + _MAX_OPENING)]]
        if lexicon.ORDER_VERBS.isdisjoint(opening):
            return []
        return [at for at in self._joints(part) if self._tokens[at + 1].word in lexicon.ORDER_VERBS]


def _with_whole_names(tokens: Sequence[Token], labels: Sequence[str], act: str) -> list[str]:
    """Return the labels with names completed: by neighbours that no order has, and by words that are no English ones.

    The tagger misses names that are typed without capitals: "call jak russel tmrw".
    """
    times = time_tokens(tokens)
    joined = list(labels)

    def is_open(place: int) -> bool:
        """Return whether a token may be a part of a name: outside of slots, and unusual in orders of the act."""
        token = tokens[place]
        is_small = token.word in _LINK_WORDS | lexicon.INTERJECTIONS
        free = joined[place] == "O" and token.kind == "word" and not times[place] and not is_small
        return free and not vocabulary.explains(act, token.stem)

    is_typed_lower = not any(token.is_capital for token in tokens[1:])
    for place, token in enumerate(tokens):
        before = joined[place - 1][2:] if place else ""
        if not is_open(place) or not (token.is_capital or (is_typed_lower and _is_unusual(token))):
            continue
        if before in PROPER_NAME_TAGS:
            joined[place] = f"I-{before}"
        elif place and _is_unusual(token) and act not in _ACTS_WITHOUT_NAMES:
            joined[place] = "B-name"
    for place in range(len(tokens) - 2, -1, -1):
        follows_name = joined[place + 1][:2] == "B-" and joined[place + 1][2:] in PROPER_NAME_TAGS
        if follows_name and is_open(place) and (tokens[place].word in words.first_names() or tokens[place].is_capital):
            joined[place], joined[place + 1] = joined[place + 1], f"I-{joined[place + 1][2:]}"
    return joined


def _is_unusual(token: Token) -> bool:
    """Return whether a word outside of slots is a name rather than a word that no order has: "russel", "Acme"."""
    if token.word in words.first_names() and not vocabulary.is_known(token.stem):
        return True
    is_word = all(words.is_common(part) for part in token.word.replace("/", "-").split("-"))
    is_word = is_word or words.is_inflected(token.word)
    return not is_word and not vocabulary.is_known(token.stem) and len(token.word) >= _MIN_NAME_LENGTH


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
    no_names = _common_noun_starts(tokens)
    for tag, group in groups:
        is_no_name = group and (group[0].start in no_names or all(_is_ordinary(token, start) for token in group))
        if tag and not (tag in PROPER_NAME_TAGS and is_no_name):
            yield Span(tag, message[group[0].start : group[-1].end], group[0].start - start)


def _common_noun_starts(tokens: Sequence[Token]) -> set[int]:
    """Return where words in lower case stand that are a verb or a noun by their place: "they caved", "an actuary".

    "An acme deal" has a name: that of the deal's company.
    """
    before = ["", *(token.word for token in tokens)]
    after = [*tokens[1:], None]
    return {
        token.start
        for word, token, following in zip(before, tokens, after, strict=False)
        if token.text.islower()
        and token.word not in words.first_names()
        and (
            word in lexicon.SUBJECT_PRONOUNS
            or (word in ("a", "an") and (following is None or following.word != "'s") and not _is_noun(following))
        )
    }


def _is_noun(token: Token | None) -> bool:
    """Return whether a token is a word, which may be the noun that the word before it tells more of."""
    return token is not None and token.kind == "word" and token.word not in _LINK_WORDS


def _is_ordinary(token: Token, start: int) -> bool:
    """Return whether a token can't be a name: a common word in lower case, or one that begins the segment."""
    if token.kind != "word":
        return True
    is_field = token.text.islower() and bool(lexicon.fields_in(token.word))
    is_small = is_field or token.word in _LINK_WORDS | lexicon.INTERJECTIONS
    is_word = is_small or words.is_common(token.word) or words.is_inflected(token.word)
    is_word = is_word and token.word not in words.first_names()
    return is_word and (not token.is_capital or token.start == start)


def _address_spans(tokens: Sequence[Token], tags: Sequence[str], start: int) -> Iterable[Span]:
    """Yield the addresses of a segment that begins at `start`: emails, phone numbers and links."""
    for token, tag in zip(tokens, tags, strict=True):
        if token.kind in ADDRESS_TAGS and tag[2:] != "text":
            yield Span(token.kind, token.text, token.start - start)
