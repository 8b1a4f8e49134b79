"""Read the order that an ask ranks records in: its superlative, and the field that it names."""

from collections.abc import Iterator
from itertools import pairwise

from msgspec import Struct

from aisha.adapters.llm.planner.acts.search.kinds import order_field
from aisha.adapters.llm.planner.acts.search.words import STAFF
from aisha.adapters.llm.planner.replies import formats
from aisha.domain.crm.records import RECORD_TYPES
from aisha.domain.language import lexicon
from aisha.domain.language.ask import Ask
from aisha.domain.language.tokens import Token

DEFAULT_ORDERS = {"lead": "hottest", "opportunity": "highest_value", "account": "highest_value", "activity": "urgent"}
_BY = frozenset(("by", "after"))
_SORTING = frozenset((("order", "of"), ("ordered", "by"), ("order", "by"), ("ranked", "by"), ("arranged", "by")))
_NUMBERS = frozenset("score probability amount estimated_value employee_count annual_revenue".split())
_RISING = frozenset("ascending lowest smallest fewest least".split())
_SUPERLATIVE = frozenset(("most", "least"))


class Order(Struct, frozen=True):
    """The field that records are ranked by. `shown` names the order before their noun, else the noun's tail does.

    `is_meant` is false where the order said is none of this kind of record.
    """

    field: str
    is_descending: bool
    shown: str = ""
    tail: str = ""
    is_meant: bool = True


def order_meant(ask: Ask, kind: str) -> Order:
    """Return the order of a ranking: of the field that the ask names, else the usual one of its superlative."""
    names, fields = lexicon.entries("order_names"), lexicon.entries("order_fields")
    orders = [order for order, _, _ in ask.orders]
    if is_sorted(ask) and not orders:
        sort_fields = [field for field, _, _ in _sorted_by(ask, kind)]
        for name in (*sort_fields, *(lexicon.field_name(one, kind) for one in ask.fields)):
            is_high = name in _NUMBERS and ask.words.isdisjoint(_RISING)  # The biggest come first unless said.
            return Order(name, is_high, tail=f"by {formats.field_noun(name)}")
    order = next((one for one in (*orders, DEFAULT_ORDERS.get(kind, "newest")) if kind in fields[one]), "newest")
    if (named := next(_fields_named(ask, kind), None)) is not None:
        field, _, _, key = named
        is_high = _is_descending(key)
        word = ("latest" if is_high else "earliest") if field.endswith(("_at", "_date")) else ""
        word = word or ("highest" if is_high else "lowest")
        return Order(field, is_high, tail=f"with the {word} {formats.field_noun(field)}")
    by = order_field(ask, order, kind)
    is_meant = order in orders or not orders
    shown = names[order].get(kind, names[order]["shown"])
    return Order(by.lstrip("-"), by.startswith("-"), shown, is_meant=is_meant)


def field_places(ask: Ask, kind: str) -> list[tuple[int, int]]:
    """Return where the names of the fields stand in the text that an ask ranks records by."""
    places = [(first, last) for _, first, last, _ in _fields_named(ask, kind)]
    places += [(first, last) for _, first, last in _sorted_by(ask, kind)]
    return [(ask.outside[first].start, ask.outside[last - 1].end) for first, last in places]


def _sorted_by(ask: Ask, kind: str) -> Iterator[tuple[str, int, int]]:
    """Yield the fields after "by" of a list that is to be sorted, with their tokens."""
    for field, first, last in _fields_in(ask.outside, kind) if is_sorted(ask) else ():
        before = [one.word for one in ask.outside[:first] if one.word not in lexicon.DETERMINERS][-1:]
        if {*before} & _BY | {*before} & {"of"} and field in RECORD_TYPES[kind].model_fields:
            yield field, first, last


def is_sorted(ask: Ask) -> bool:
    """Return whether an ask is for a whole list in an order, not for the first ones of it: "in order of score"."""
    return "sort" in ask.stems or not _SORTING.isdisjoint(pairwise(one.word for one in ask.outside))


def _fields_named(ask: Ask, kind: str) -> Iterator[tuple[str, int, int, str]]:
    """Yield the fields that an ask ranks by, with their tokens and the order: "lowest probability", "by headcount"."""
    supers = [(key, last) for key, first, last in ask.orders if ask.outside[first].word not in _BY]
    after = {last: key for key, last in supers}
    for field, first, last in _fields_in(ask.outside, kind):
        before = ask.outside[first - 1].word if first else ""
        if field in RECORD_TYPES[kind].model_fields and (first in after or (supers and before in _BY)):
            yield field, first, last, after.get(first) or supers[0][0]


def _fields_in(tokens: tuple[Token, ...], kind: str) -> Iterator[tuple[str, int, int]]:
    for key, first, last in lexicon.placed_in(tokens, "fields"):
        yield lexicon.field_name(key, kind), first, last
    for place, token in enumerate(tokens) if kind == "account" else ():
        if token.word in STAFF and not lexicon.fields_in(token.word):
            yield "employee_count", place, place + 1  # "the fewest people"


def _is_descending(order: str) -> bool:
    return any(str(field).startswith("-") for field in lexicon.entries("order_fields")[order].values())


def unranked(ask: Ask) -> str:
    """Return the superlative of an ask that is no order of records: "most senior"; empty for none."""
    if ask.orders or is_sorted(ask):
        return ""
    for before, one, two in zip(
        ("the", *(one.word for one in ask.outside)), ask.outside, ask.outside[1:], strict=False
    ):
        is_named = lexicon.kind_of(two.word) or lexicon.kind_of(two.stem)
        is_of = two.kind == "mark" or two.word in ("of", "in", "at", "the", "on", "with")
        is_adjective = before in lexicon.DETERMINERS | {"'s", "is", "are"} and not (is_named or is_of)
        if one.word in _SUPERLATIVE and is_adjective:
            return ask.text[one.start : two.end]
        if one.word.endswith("est") and is_named and not lexicon.values_in(one.word):
            return one.text
    return ""
