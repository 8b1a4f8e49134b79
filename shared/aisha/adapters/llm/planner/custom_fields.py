"""Read the fields that a tenant has of its own in an ask: "set Jack's region to North", "leads with budget band A".

The reader is trained without them: their names and values are in the tools' specs. What names one becomes a slot.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence

from msgspec.structs import replace

from aisha.domain.crm.custom_fields import CustomField
from aisha.domain.language import lexicon
from aisha.domain.language.acts import WRITES
from aisha.domain.language.ask import Ask
from aisha.domain.language.reader import Span
from aisha.domain.language.tokens import Token, tokenize
from aisha.domain.tools import ToolSpec

TAG = "custom"
"""The tag of a slot with a field and its value, in an ask that only reads."""
MIN_CHANGE = 0.2
"""What is taken for something impossible changes a record with this probability, where it names a custom field."""
_BETWEEN = frozenset("to is are = : as into becomes be now of for in at with the a an set from".split())
"""Words that may stand between a field and its value."""
_NAMES = frozenset(("name", "new", "org", "ref"))
_MAX_BETWEEN = 6
_MAX_FREE = 4
"""Words of a value that is none of a list."""


def fields_of(tools: Mapping[str, ToolSpec]) -> list[CustomField]:
    """Return the custom fields of all types of records."""
    return [field for name, spec in tools.items() if name.startswith("search_") for field in spec.custom]


def named(fields: Iterable[CustomField], text: str) -> CustomField | None:
    """Return the field whose name a text is, in any form of its words."""
    said = _stems(text)
    return next((field for field in fields if _stems(field.label) == said), None)


def marked(ask: Ask, fields: Sequence[CustomField]) -> Ask:
    """Return the ask with the custom fields that it names, and their values beside them, as slots."""
    spans = list(ask.segment.spans)
    found = False
    for label, first, last in _labels(ask.tokens, fields):
        own = [field for field in fields if field.label == label]
        start, end = ask.tokens[first].start, ask.tokens[last - 1].end
        value = _value_beside(ask, own, first, last)
        found = True
        if value is None:
            slots = [Span("field", ask.text[start:end], start)]
        elif ask.act in WRITES or ask.act == "impossible":
            slots = [Span("field", ask.text[start:end], start), value]
        else:
            begin = min(start, value.start)
            slots = [Span(TAG, ask.text[begin : max(end, value.end)], begin)]
        spans = [piece for span in spans for piece in _outside(span, slots, ask.text)] + slots
    if not found:
        return ask
    changing = next((share for act, share in ask.segment.others if act == "update_record"), 0.0)
    if ask.act == "impossible" and changing >= MIN_CHANGE:
        ask = Ask(replace(ask.segment, act="update_record", probability=changing), ask.now)
    return ask.with_spans(spans)


def conditions(ask: Ask, fields: Sequence[CustomField]) -> Iterator[tuple[CustomField, str, Span]]:
    """Yield the field, the words of the value and the slot of each condition that an ask sets."""
    for span in ask.segment.spans:
        inner = Ask(replace(ask.segment, text=span.text, spans=()), ask.now) if span.tag == TAG else None
        for label, first, last in _labels(inner.tokens, fields) if inner is not None else ():
            own = [field for field in fields if field.label == label]
            value = _value_beside(inner, own, first, last) if inner is not None else None
            if value is not None:
                yield own[0], option_said(own[0], value.text) or value.text, span


def option_said(field: CustomField, text: str) -> str | None:
    """Return the one of a field's values that a text says."""
    said = _stems(text)
    return next((option for option in field.values if _stems(option) == said), None)


def _stems(text: str) -> list[str]:
    return [token.stem for token in tokenize(text) if token.kind != "mark"]


def _labels(tokens: Sequence[Token], fields: Sequence[CustomField]) -> Iterator[tuple[str, int, int]]:
    """Yield the labels among tokens, the longest ones first at each place, with first and last (exclusive) token."""
    labels = sorted({field.label for field in fields}, key=lambda label: (-len(label.split()), label))
    wanted = [(label, _stems(label)) for label in labels]
    stems, place = [token.stem for token in tokens], 0
    while place < len(stems):
        label, size = next(
            ((label, len(words)) for label, words in wanted if stems[place : place + len(words)] == words), ("", 1)
        )
        if label:
            yield label, place, place + size
        place += size


def _value_beside(ask: Ask, fields: Sequence[CustomField], first: int, last: int) -> Span | None:
    """Return the value of a field: one of its list after the name, or before it; else the words after "to" or "is"."""
    tokens = ask.tokens
    options = [option for field in fields for option in field.values]
    place = last
    while place < min(len(tokens), last + _MAX_BETWEEN) and not _option_at(tokens, place, options):
        if not _is_between(ask, tokens[place]):
            break
        place += 1
    if size := _option_at(tokens, place, options):
        return _span(ask, tokens[place : place + size])
    for size in range(min(first, _MAX_FREE), 0, -1):
        if _option_at(tokens, first - size, options) == size:
            return _span(ask, tokens[first - size : first])
    return None if ask.act in WRITES else _free_value(ask, last)


def _free_value(ask: Ask, last: int) -> Span | None:
    """Return the words after a field's name up to a mark or "and": "fleet size 12"."""
    tokens = list(ask.tokens[last:])
    while tokens and tokens[0].word in _BETWEEN:
        tokens.pop(0)
    ends = (place for place, token in enumerate(tokens) if token.kind == "mark" or token.word in ("and", "or"))
    value = tokens[: next(ends, len(tokens))][:_MAX_FREE]
    return _span(ask, value) if value else None


def _option_at(tokens: Sequence[Token], place: int, options: Iterable[str]) -> int:
    """Return the number of tokens of the longest option that begins at a place; 0 for none."""
    stems = [token.stem for token in tokens]
    sizes = (len(words) for words in map(_stems, options) if words and stems[place : place + len(words)] == words)
    return max(sizes, default=0)


def _is_between(ask: Ask, token: Token) -> bool:
    is_name = any(span.tag in _NAMES and span.start <= token.start < span.end for span in ask.segment.spans)
    return token.word in _BETWEEN or is_name or token.word in ("'s", "’s") or lexicon.kind_named(token) is not None


def _span(ask: Ask, tokens: Sequence[Token]) -> Span:
    return Span("value", ask.text[tokens[0].start : tokens[-1].end], tokens[0].start)


def _outside(span: Span, slots: Iterable[Span], text: str) -> Iterator[Span]:
    """Yield the parts of a slot that other slots leave, with its tag."""
    pieces = [(span.start, span.end)]
    for slot in slots:
        pieces = [
            piece
            for start, end in pieces
            for piece in (
                ((start, min(end, slot.start)), (max(start, slot.end), end))
                if start < slot.end and slot.start < end
                else ((start, end),)
            )
            if piece[0] < piece[1]
        ]
    for start, end in pieces:
        words = [token for token in tokenize(text[start:end]) if token.kind != "mark" and token.word not in _BETWEEN]
        if words or (start, end) == (span.start, span.end):
            piece = text[start:end]
            yield Span(span.tag, piece.strip(), start + len(piece) - len(piece.lstrip()))
