"""Read the fields that a tenant has of its own in an ask: "set Jack's region to North", "leads with budget band A".

The reader is trained without them: their names and values are in the tools' specs. What names one becomes a slot.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from aisha.adapters.llm.planner.policy import MIN_PROBABILITY, SURE_PROBABILITY
from aisha.domain.crm.custom_fields import CustomField
from aisha.domain.language import lexicon
from aisha.domain.language.acts import NAME_TAGS, SEARCHES
from aisha.domain.language.ask import Ask
from aisha.domain.language.reader import Span
from aisha.domain.language.tokens import Token, tokenize
from aisha.domain.tools import ToolSpec

TAG = "custom"
"""The tag of a slot with a field and its value, in an ask that only reads."""
MIN_SHARE = 0.2
"""Words that are not read surely change or ask for a custom field that they name, with this probability of it."""
# Words that may stand between a field and its value.
_BETWEEN = frozenset("to is are = : as into becomes be now of for in at with the a an set from".split())
_JOINED = frozenset("or and , /".split())
_DENIED = lexicon.word_set("condition_words", "denied") | {"outside"}
# Acts for which words about a custom field are sometimes taken: the reader does not know its name.
_CONFUSED = frozenset("impossible create_record about documents".split())
_SEARCHES = SEARCHES | {"about"}
_CHANGES = frozenset("update_record advance_stage create_record impossible".split())
_NAMES = NAME_TAGS | {"ref"}
_MAX_BETWEEN = 6
_MAX_FREE = 4
"""Words of a value that is none of a list."""


class FieldCondition(Struct, frozen=True):
    """The condition of a search on a custom field: it has one of the values, or any if there are none.

    `is_denied`: it does not. `span` is the slot that says it.
    """

    field: CustomField
    values: tuple[str, ...]
    is_denied: bool
    span: Span

    @property
    def text(self) -> str:
        """The condition in words: "with region North or South"."""
        if not self.values:
            return f"{'without' if self.is_denied else 'with'} {self.field.label}"
        return f"with {self.field.label} {'other than ' if self.is_denied else ''}{' or '.join(self.values)}"

    def holds(self, record: Mapping[str, Any]) -> bool:
        """Return whether it is true of a record as tools show it."""
        stored = (record.get("custom") or {}).get(self.field.name)
        is_one = str(stored) in self.values if self.values else stored not in (None, "")
        return is_one != self.is_denied


def fields_of(tools: Mapping[str, ToolSpec]) -> list[CustomField]:
    """Return the custom fields of all types of records."""
    return [field for name, spec in tools.items() if name.startswith("search_") for field in spec.custom]


def named(fields: Iterable[CustomField], text: str) -> CustomField | None:
    """Return the field whose name a text is, in any form of its words."""
    stems = _stems(text)
    return next((field for field in fields if _stems(field.label) == stems), None)


def marked(ask: Ask, fields: Sequence[CustomField]) -> Ask:
    """Return the ask with the custom fields that it names, and their values beside them, as slots."""
    if ask.act not in _SEARCHES | _CHANGES | _CONFUSED | {"ask_field"}:
        return ask  # The text of a note names no field.
    spans = list(ask.segment.spans)
    is_named = False
    for label, first, last in _labels(ask.tokens, fields):
        own = [field for field in fields if field.label == label]
        start, end = ask.tokens[first].start, ask.tokens[last - 1].end
        value = _value_beside(ask, own, first, last)
        is_named = True
        slots = [Span("field", ask.text[start:end], start)]
        if value is not None and ask.act in _CHANGES:
            slots.append(value)
        if ask.act in _SEARCHES and (value is not None or _denial(ask.tokens, first) is not None):
            slots = [_condition_slot(ask, own, first, last, value)]
        spans = [piece for span in spans for piece in _outside(span, slots, ask.text)] + slots
    if not is_named:
        return ask
    shares = ((share, act) for act, share in ask.segment.others if act in ("update_record", "ask_field"))
    share, act = max(shares, default=(0.0, ""))
    is_sure = ask.act not in _CONFUSED or ask.texts("new") or ask.segment.probability >= SURE_PROBABILITY
    if not is_sure and share >= MIN_SHARE:
        # Never sure enough for a write without a question.
        likely = min(share + ask.segment.probability, (MIN_PROBABILITY + SURE_PROBABILITY) / 2)
        ask = Ask(replace(ask.segment, act=act, probability=likely), ask.now)
    return ask.with_spans(spans)


def conditions(ask: Ask, fields: Sequence[CustomField]) -> Iterator[FieldCondition]:
    """Yield what an ask that searches says of custom fields."""
    for span in ask.segment.spans:
        inner = Ask(replace(ask.segment, text=span.text, spans=()), ask.now) if span.tag == TAG else None
        for label, first, last in _labels(inner.tokens, fields) if inner is not None else ():
            own = [field for field in fields if field.label == label]
            assert inner is not None  # noqa: S101 - it has labels
            value = _value_beside(inner, own, first, last)
            texts = _alternatives(inner, own, value) if value is not None else []
            is_denied = inner.tokens[0].word in _DENIED
            yield FieldCondition(own[0], tuple(option_said(own[0], text) or text for text in texts), is_denied, span)


def _condition_slot(ask: Ask, fields: Sequence[CustomField], first: int, last: int, value: Span | None) -> Span:
    """Return the slot of a condition, with the denial before it and the other values after it."""
    start, end = ask.tokens[first].start, ask.tokens[last - 1].end
    if value is not None:
        start, end = min(start, value.start), max(end, value.end)
        texts = _alternatives(ask, fields, value)
        end = max(end, ask.text.rfind(texts[-1], value.start) + len(texts[-1]))
    place = next(place for place, token in enumerate(ask.tokens) if token.start >= start)
    denial = _denial(ask.tokens, place)
    start = start if denial is None else denial.start
    return Span(TAG, ask.text[start:end], start)


def _denial(tokens: Sequence[Token], place: int) -> Token | None:
    """Return the word before a place that denies what follows: "not in the"."""
    before = [token for token in tokens[:place] if token.word not in _BETWEEN]
    return before[-1] if before and before[-1].word in _DENIED else None


def _alternatives(ask: Ask, fields: Sequence[CustomField], value: Span) -> list[str]:
    """Return a value and those of the field's list that are joined to it by "or"."""
    options = [option for field in fields for option in field.values]
    texts, tokens = [value.text], [token for token in ask.tokens if token.start >= value.end]
    place = 0
    while place < len(tokens) and tokens[place].word in _JOINED | _BETWEEN:
        place += 1
        if size := _option_at(tokens, place, options):
            texts.append(ask.text[tokens[place].start : tokens[place + size - 1].end])
            place += size
    return texts


def option_said(field: CustomField, text: str) -> str | None:
    """Return the one of a field's values that a text says."""
    stems = _stems(text)
    return next((option for option in field.values if _stems(option) == stems), None)


def _stems(text: str) -> list[str]:
    return [token.stem for token in tokenize(text) if token.kind != "mark"]


def _labels(tokens: Sequence[Token], fields: Sequence[CustomField]) -> Iterator[tuple[str, int, int]]:
    """Yield the labels among tokens, the longest ones first at each place, with first and last (exclusive) token."""
    labels = sorted({field.label for field in fields}, key=lambda label: (-len(label.split()), label))
    stems_of_labels = [(label, _stems(label)) for label in labels]
    stems, place = [token.stem for token in tokens], 0
    while place < len(stems):
        label, size = next(
            ((label, len(words)) for label, words in stems_of_labels if stems[place : place + len(words)] == words),
            ("", 1),
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
        after = place + size
        if (
            tokens[after : after + 1]
            and tokens[after].word == "to"
            and (later := _option_at(tokens, after + 1, options))
        ):
            place, size = after + 1, later  # "from South to East"
        return _span(ask, tokens[place : place + size])
    for size in range(min(first, _MAX_FREE), 0, -1):
        # "A budget band" names none.
        if _option_at(tokens, first - size, options) == size and len(tokens[first - 1].word) > 1:
            return _span(ask, tokens[first - size : first])
    return _free_value(ask, last) if ask.act in _SEARCHES else None


def _free_value(ask: Ask, last: int) -> Span | None:
    """Return the words after a field's name up to a mark or "and": "fleet size 12"."""
    tokens = list(ask.tokens[last:])
    while tokens and tokens[0].word in _BETWEEN:
        tokens.pop(0)
    ends = (place for place, token in enumerate(tokens) if token.kind == "mark" or token.word in ("and", "or"))
    value = tokens[: next(ends, len(tokens))][:_MAX_FREE]
    return _span(ask, value) if value else None


def _option_at(tokens: Sequence[Token], place: int, options: Iterable[str]) -> int:
    """Return the number of tokens of the longest option that begins at a place; 0 for none. "a" is no option "A"."""
    if place < len(tokens) and tokens[place].text == "a":
        return 0
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
