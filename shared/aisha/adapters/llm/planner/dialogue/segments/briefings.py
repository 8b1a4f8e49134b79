"""Read a wish for a briefing as being about whom the words before it name: "I am calling Ann, brief me"."""

from collections.abc import Iterable, Iterator, Sequence

from msgspec.structs import replace

from aisha.adapters.llm.planner.dialogue.segments.slots import begins_as_order
from aisha.domain.language import lexicon
from aisha.domain.language.reader import Segment, Span
from aisha.domain.language.tokens import Token, tokenize

_NAMING = ("name", "new", "org")
_AFTER = (
    lexicon.INTERJECTIONS
    | lexicon.PERSON_PRONOUNS
    | lexicon.THING_PRONOUNS
    | frozenset("quickly quick real fast now first on about beforehand before going in please".split())
)
"""Words after a wish for a briefing that say nothing of whom it is about."""
_BEFORE_WISHES = frozenset("what can could you please so ok and then".split())
# Acts as which a wish for a briefing may be read that says what it is for.
_OF_DAYS = frozenset("my_day next_steps list_activities create_activity".split())


def with_briefings(segments: Iterable[Segment]) -> Iterator[Segment]:
    """Yield the segments; a wish for a briefing after a name is about that, and what named it orders nothing.

    An order before it that begins with its verb stays one: "book a call with Ann and brief me".
    """
    waiting: Segment | None = None
    for segment in segments:
        tokens = tokenize(segment.text)
        if whom := _named_in_wish(segment, tokens):
            segment = _about(segment, whom)
        start = _start_of_wish(segment, tokens)
        before = waiting if start == 0 else _until(segment, start) if start else None
        named = [span for span in before.spans if span.tag in _NAMING] if before is not None else []
        if start is None or before is None or not named:
            yield from (waiting,) if waiting is not None else ()
            waiting = segment
            continue
        yield from (waiting,) if waiting is not None and (start or _orders(waiting)) else ()
        yield from (before,) if start and _orders(before) else ()
        waiting = _about(before, named)
    yield from (waiting,) if waiting is not None else ()


def _named_in_wish(segment: Segment, tokens: Sequence[Token]) -> list[Span]:
    """Return whom a wish names that a segment begins with and is read as a day's: "prep me for my meeting with Ann"."""
    first = next((first for _, first, _ in lexicon.placed_in(tokens, "briefing")), len(tokens))
    is_beginning = all(one.word in _BEFORE_WISHES for one in tokens[:first]) and segment.act in _OF_DAYS
    return [one for one in segment.spans if one.tag in _NAMING] if is_beginning and first < len(tokens) else []


def _start_of_wish(segment: Segment, tokens: Sequence[Token]) -> int | None:
    """Return where the clause begins with which a segment ends, if it wishes for a briefing and names nobody."""
    placed = list(lexicon.placed_in(tokens, "briefing"))
    if not placed:
        return None
    _, first, last = placed[-1]
    if any(one.kind != "mark" and one.word not in _AFTER for one in tokens[last:]):
        return None
    bounds = [place for place in range(first) if tokens[place].kind == "mark" or tokens[place].word in lexicon.OPENINGS]
    begin = bounds[-1] + 1 if bounds else 0
    start = tokens[begin].start if len(bounds) < begin else 0  # Before "and brief me" stands nothing.
    return None if any(span.start >= start and span.tag in _NAMING for span in segment.spans) else start


def _orders(segment: Segment) -> bool:
    """Return whether a segment begins with the verb of an order: "call Ann", but not "call with Ann at two"."""
    words = [one.word for one in tokenize(segment.text)][:2]
    return begins_as_order(segment) and not (lexicon.activity_type_of(words[0]) and words[1:] == ["with"])


def _until(segment: Segment, end: int) -> Segment:
    spans = tuple(span for span in segment.spans if span.end <= end)
    return replace(segment, text=segment.text[:end].rstrip(), spans=spans)


def _about(before: Segment, named: Sequence[Span]) -> Segment:
    """Return the question about whom a text names, with the kind of record said after the name, and the company."""
    text, spans = "brief me on", list[Span]()
    for span in sorted(named, key=lambda one: one.tag == "org")[:2]:
        text += " at " if spans else " "
        spans.append(Span("org" if spans else "name", span.text, len(text)))
        noun = next((one for one in tokenize(before.text) if one.start >= span.end), None)
        is_kind = noun is not None and lexicon.kind_named(noun) in lexicon.KINDS
        text += f"{span.text} {noun.text}" if noun is not None and is_kind else span.text
    return Segment(text, "about", spans=tuple(spans))
