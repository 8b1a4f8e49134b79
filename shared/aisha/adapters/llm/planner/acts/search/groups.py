"""Split the records that an ask is about by a field, or tell the sum or the average of a number that they have."""

from collections import defaultdict
from collections.abc import Iterator, Mapping
from datetime import date
from functools import reduce
from typing import Any

from aisha.adapters.llm.planner.acts.search.fetching import MAX_CHECKED, Page, fetch, search_of, sums_of
from aisha.adapters.llm.planner.acts.search.filters import STATUSES, Condition, Filters
from aisha.adapters.llm.planner.acts.search.kinds import is_plural_kind, kind_meant, points_back
from aisha.adapters.llm.planner.acts.search.reading import filters_of
from aisha.adapters.llm.planner.acts.search.words import WHO
from aisha.adapters.llm.planner.plan import Answer, Plan
from aisha.adapters.llm.planner.replies import figures, listings
from aisha.adapters.llm.planner.slots import repaired
from aisha.adapters.llm.planner.state import Topic
from aisha.domain.crm.records import RECORD_TYPES
from aisha.domain.language import lexicon
from aisha.domain.language.ask import Ask
from aisha.domain.language.tokens import Token

_BY, _MOST, _MONTHS, _LABELS = (lexicon.word_set("grouping_words", key) for key in ("by", "most", "months", "labels"))
_FEW = frozenset("least fewest fewer".split())
_PIPELINE = frozenset("pipeline pipe funnel".split())
_OWN = frozenset("i me my mine".split())
_AGAINST = lexicon.VERSUS | {"split"}
_BEST = frozenset("best worst".split())
_WINNING = frozenset("won win wins closed sold".split())
_MONEY = lexicon.word_set("condition_words", "money")
_PLACES = {"state": "state", "citi": "city", "city": "city"}
"""Parts of an address, by the stems of their names."""
_NUMBERS = frozenset(("score", "probability", "employee_count", "annual_revenue"))
"""Fields with numbers that can be averaged, beside amounts."""


def split(plan: Plan, ask: Ask, *, is_compared: bool = False) -> Answer | None:
    """Return the numbers and sums of records by a field: "leads by source", "who has the most deals"; else None.

    Where something `is_compared`, the owners that an ask names are set against each other without a word for it.
    """
    owners = owners_said(plan, ask) if is_compared or sets_against(plan, ask) else []
    grouping = ("owner", _owner_words(ask)) if owners else _field_of(plan, ask)
    if grouping is None:
        return None
    field, grouping_tokens = grouping
    grouping_tokens += [one for _, first, last in ask.orders for one in ask.outside[first:last]]
    grouping_tokens += [one for one in ask.outside if one.word in _PIPELINE]
    bare = reduce(lambda part, one: part.without(one.start, one.end), grouping_tokens, ask)
    # "Which account manager has the most deals": those are of deals.
    kind = kind_meant(plan, bare) or ("opportunity" if ask.words & (_WINNING | _PIPELINE | _MONEY) else None)
    name = lexicon.field_name(field, kind or "")
    groupable = set(RECORD_TYPES[kind].model_fields) if kind else set()
    groupable |= {"owner", "company", "close_month", *(_PLACES.values() if "address" in groupable else ())}
    if kind is None or name not in groupable:
        return None
    if name == "close_month" and kind != "opportunity":
        name = "created_month"
    filters = filters_of(plan, repaired(bare), kind)
    if not _PIPELINE.isdisjoint(ask.words) and "stage" not in filters.arguments:
        filters.arguments["open_only"] = True
    if kind == "opportunity" and ask.words & _WINNING:
        filters.arguments.setdefault("stage", "closed_won")
    if owners:
        said_owners = " or ".join("you" if one == plan.user else one.capitalize() for one in owners)
        filters.conditions.append(Condition(f"owned by {said_owners}", lambda record: record.get("owner") in owners))
    is_plain = not filters.conditions and filters.arguments.keys() <= {"owner", "open_only"}
    if name in STATUSES and (is_plain or not _PIPELINE.isdisjoint(ask.words)):
        return None  # The overview tells it.
    page = fetch(plan, filters, MAX_CHECKED)
    if name == "company" and kind == "opportunity":
        page.items = _with_companies(plan, page.items)
    total = page.total if page.total is not None else len(page.items)
    is_money = kind == "opportunity" or any(
        key == "money_total" for key, *_ in lexicon.placed_in(ask.outside, "summing")
    )
    groups = _grouped(page, name, kind if is_money else "")
    groups += [(one, 0, {}) for one in owners if one not in {label for label, *_ in groups}]
    if not _MOST.isdisjoint(ask.words):
        groups = sorted(groups, key=lambda one: one[1], reverse=_FEW.isdisjoint(ask.words))
    described = listings.format_total(filters.arguments.get("owner"), total, filters.described(total))
    sums = sums_of(kind, page.items) if is_money else {}
    text = figures.format_groups(described, sums, groups, plan.user)
    checked = len(page.items) if page.cursor else page.checked
    return Answer(
        listings.with_limits(text, filters.unknown, checked), topic=Topic(search=search_of(filters, page, total))
    )


def _with_companies(plan: Plan, deals: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Return deals with the names of the companies that they are with."""
    accounts = plan.call("search_accounts", "look up the companies", limit=MAX_CHECKED)["items"]
    names = {one["id"]: one["display_name"] for one in accounts}
    return [deal | {"company": names.get(deal.get("account_id"), "")} for deal in deals]


def sets_against(plan: Plan, ask: Ask) -> bool:
    """Return whether an ask sets the records of owners against each other: "how many leads do I have vs Bob"."""
    return len(owners_said(plan, ask)) > 1 and not _AGAINST.isdisjoint(ask.words)


def is_split(plan: Plan, ask: Ask) -> bool:
    """Return whether an ask splits records by a field that it names last: "accounts by state"."""
    field = _field_of(plan, ask)
    return field is not None and all(span.end <= field[1][0].end or span.tag == "field" for span in ask.segment.spans)


def owners_said(plan: Plan, ask: Ask) -> list[str]:
    """Return the colleagues that an ask names, and the user if it says so."""
    return [text.split()[0].lower() for text in ask.texts("owner")] + [plan.user] * bool(ask.words & _OWN)


def _owner_words(ask: Ask) -> list[Token]:
    spans = [span for span in ask.segment.spans if span.tag == "owner"]
    return [
        one
        for one in ask.tokens
        if one.word in _OWN | _AGAINST | {"'s"} or any(span.start <= one.start < span.end for span in spans)
    ]


def _field_of(plan: Plan, ask: Ask) -> tuple[str, list[Token]] | None:
    """Return the field by which an ask splits records, and the words that say so."""
    tokens = ask.outside
    closes = bool(ask.words & (_WINNING | _MONEY))  # "Who won the most?" is about deals.
    has_records = (
        closes
        or any(is_plural_kind(one) or lexicon.activity_type_of(one.stem) for one in tokens)
        or not _PIPELINE.isdisjoint(ask.words)
    )
    is_most = not _MOST.isdisjoint(ask.words)
    is_best = not _BEST.isdisjoint(ask.words) and (has_records or (plan.topic.search is not None and points_back(ask)))
    for field, first, last in _fields(tokens):
        before = tokens[first - 1].word if first else ""
        if before in _BY or (before in ("which", "what") and (is_best or (has_records and is_most))):
            return field, [*tokens[first - 1 : last], *(one for one in tokens if one.word in _BEST | {"did"})]
    if has_records and is_most and ask.words & WHO and not ask.texts("name"):
        return "owner", [one for one in tokens if one.word in WHO | _MOST]
    return None


def _fields(tokens: tuple[Token, ...]) -> Iterator[tuple[str, int, int]]:
    """Yield the fields by which records can be split, with the places of their words."""
    for field, first, last in lexicon.placed_in(tokens, "fields"):
        if field in _LABELS:
            yield field, first, last
    for place, one in enumerate(tokens):
        if other := "close_month" if one.word in _MONTHS else _PLACES.get(one.stem, ""):
            yield other, place, place + 1


def _grouped(page: Page, name: str, kind: str) -> list[tuple[str, int, Mapping[str, float]]]:
    """Return the value of each group with its number of records and their sums: months in order, else largest first."""
    by_label = defaultdict[str, list[dict[str, Any]]](list)
    for record in page.items:
        by_label[_label(record, name)].append(record)
    groups: list[tuple[str, int, Mapping[str, float]]] = [
        (label, len(items), sums_of(kind, items) if kind else {}) for label, items in sorted(by_label.items())
    ]
    return groups if name.endswith("_month") else sorted(groups, key=lambda one: (one[0] == "", -one[1]))


def _label(record: Mapping[str, Any], name: str) -> str:
    if name.endswith("_month"):
        day = str(record.get("close_date" if name == "close_month" else "created_at") or "")[:10]
        return f"{date.fromisoformat(day):%Y-%m}" if day else ""
    return str(record.get(name) or (record.get("address") or {}).get(name) or "")


def is_of_many(plan: Plan, ask: Ask) -> bool:
    """Return whether a question for a field is for its sum or average of records: "average score of my leads"."""
    keys = {key for key, *_ in lexicon.placed_in(ask.outside, "summing")}
    is_sum = bool(keys & {"mean_value", "together"}) and any(map(is_plural_kind, ask.outside))
    is_group = _field_of(plan, ask) is not None and not _MONEY.isdisjoint(
        ask.words
    )  # "Which stage holds the most money?"
    return (is_sum or is_group) and not ask.texts("name")


def measured(ask: Ask, kind: str) -> str:
    """Return the number of records whose sum or average is asked for; empty for amounts of deals and leads."""
    names = (lexicon.field_name(one, kind) for one in lexicon.fields_in(" ".join(one.word for one in ask.outside)))
    own = _NUMBERS & RECORD_TYPES[kind].model_fields.keys()
    return "" if ask.amounts else next((one for one in names if one in own), "")


def total_of(plan: Plan, filters: Filters, field: str, *, is_mean: bool) -> Answer:
    """Return the sum or the average of a number that records have, with how many have it."""
    page = fetch(plan, filters, MAX_CHECKED)
    values = [float(one[field]) for one in page.items if one.get(field) is not None]
    number = page.total if page.total is not None else len(page.items)
    described = listings.format_total(filters.arguments.get("owner"), number, filters.described(number))
    text = figures.format_measure(described, field, values, len(page.items), is_mean=is_mean)
    checked = len(page.items) if page.cursor else page.checked
    return Answer(
        listings.with_limits(text, filters.unknown, checked), topic=Topic(search=search_of(filters, page, number))
    )
