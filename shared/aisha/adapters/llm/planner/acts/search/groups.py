"""Split the records that an ask is about by a field, or tell the sum or the average of a number that they have."""

from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import date
from functools import reduce
from itertools import pairwise
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from aisha.adapters.llm.planner.acts.search.fetching import MAX_CHECKED, Page, fetch, filters_again, search_of, sums_of
from aisha.adapters.llm.planner.acts.search.filters import AMOUNT_FIELDS, STATUSES, Condition, Filters
from aisha.adapters.llm.planner.acts.search.kinds import THOSE, is_plural_kind, kind_meant, tool_of
from aisha.adapters.llm.planner.acts.search.reading import colleague_meant, filters_of
from aisha.adapters.llm.planner.acts.search.words import STAFF, WHO
from aisha.adapters.llm.planner.plan import Answer, Plan
from aisha.adapters.llm.planner.replies import figures, listings
from aisha.adapters.llm.planner.slots import repaired
from aisha.adapters.llm.planner.state import Ref, Search, Topic
from aisha.domain.crm.enumerations import AccountType
from aisha.domain.crm.records import RECORD_TYPES
from aisha.domain.language import lexicon
from aisha.domain.language.ask import Ask
from aisha.domain.language.lexicon import KINDS
from aisha.domain.language.tokens import Token

_BY, _MOST, _MONTHS, _LABELS = (lexicon.word_set("grouping_words", key) for key in ("by", "most", "months", "labels"))
_FEW = frozenset("least fewest fewer".split())
_EARNING = frozenset("revenue sales business".split())
_OWNING = {"company": "account", "contact": "contact"}
"""The kinds of records that deals are with, by the field that tells their name."""
_FIELD_OF = {kind: name for name, kind in _OWNING.items()}
_PIPELINE = frozenset("pipeline pipe funnel".split())
_BEFORE_OWNERS = frozenset("of our the my these those".split())
_OWN = frozenset("i me my mine".split())
_AGAINST = lexicon.VERSUS | {"split"}
_BEST = frozenset("best worst".split())
_WINNING = frozenset("won win wins closed sold".split())
_MONEY = lexicon.word_set("condition_words", "money")
_PLACES = {"state": "state", "citi": "city", "city": "city"}
"""Parts of an address, by the stems of their names."""
_SPLITTING = frozenset(("search", "count", "rank", "ask_field", "list_activities", "compare"))
"""Acts of questions that may split records."""
Group = tuple[str, int, Mapping[str, float]]
"""The value of a field, the number of its records and their sums by currency."""
_NUMBERS = frozenset(("score", "probability", "employee_count", "annual_revenue"))
"""Fields with numbers that can be averaged, beside amounts."""


class Grouping(Struct, frozen=True):
    """The field by which records are split, and the words that say so.

    `order` tells which group is asked for: "most", "least", or neither of them. `is_of_value` is set where that goes
    by the sums of the groups and not by their numbers of records. `kind` is that of the records, where it is said, and
    `owners` the condition that the word for the groups sets: " with customers".
    """

    field: str
    words: list[Token]
    order: str = ""
    is_of_value: bool = False
    kind: str = ""
    owners: str = ""


def split(plan: Plan, ask: Ask) -> Answer | None:
    """Return the numbers and sums of records by a field, or which group has the most or least of them; else None.

    Examples: "leads by source", "which stage has the most money?", "who has the fewest deals?".
    """
    other = colleague_meant(plan, ask, "") if ask.act == "compare" else ""
    is_compared = ask.act == "compare" and bool(ask.texts("owner") or other) and not ask.texts("name")
    owners = owners_said(plan, ask) if is_compared or sets_against(plan, ask) else []
    owners = [other, *owners] if other else owners  # "How does his total compare with mine?"
    grouping = Grouping("owner", _owner_words(ask)) if owners else _grouping_of(plan, ask)
    if (
        ask.act not in _SPLITTING
        or grouping is None
        or (ask.act == "search" and not (owners or _is_last(ask, grouping)))
    ):
        return None
    read = _read(plan, ask, grouping, owners)
    if read is None:
        return None
    name, filters = read
    is_money = filters.kind == "opportunity" or any(
        key == "money_total" for key, *_ in lexicon.placed_in(ask.outside, "summing")
    )
    is_plain = not filters.conditions and filters.arguments.keys() <= {"owner", "open_only"}
    is_mean = any(key == "mean_value" for key, *_ in lexicon.placed_in(ask.outside, "summing"))
    if is_mean and (field := measured(ask, filters.kind) or AMOUNT_FIELDS.get(filters.kind, "")):
        return _means_told(plan, filters, grouping, name, field)
    if name in STATUSES and (is_plain or ask.words & _PIPELINE) and not grouping.order:
        return None  # The overview tells it.
    if name in STATUSES and is_plain:
        return _by_status(plan, filters, grouping, name)
    page = fetch(plan, filters, MAX_CHECKED)
    if name in _OWNING and filters.kind == "opportunity":
        page.items = _with_owners(plan, page.items, name)
    total = page.total if page.total is not None else len(page.items)
    groups = _grouped(page, name, filters.kind if is_money else "")
    groups += [(one, 0, {}) for one in owners if one not in {label for label, *_ in groups}]
    sums = sums_of(filters.kind, page.items) if is_money else {}
    checked = len(page.items) if page.cursor else page.checked
    return _told(plan, filters, grouping, groups, Totals(total, sums, checked), search_of(filters, page, total), name)


class Totals(Struct, frozen=True):
    """The number of records, the sums of their amounts, and how many were looked at if that is not all of them."""

    number: int
    sums: Mapping[str, float]
    checked: int = 0


def _read(plan: Plan, ask: Ask, grouping: Grouping, owners: Sequence[str]) -> tuple[str, Filters] | None:
    """Return the name of the field and the conditions of the records; None where such records have no such field."""
    words = [*grouping.words, *(one for _, first, last in ask.orders for one in ask.outside[first:last])]
    words += [one for one in ask.outside if one.word in _PIPELINE]
    bare = reduce(lambda part, one: part.without(one.start, one.end), words, ask)
    if grouping.owners:
        bare = Ask(replace(bare.segment, text=bare.text.rstrip(" ?.") + grouping.owners), ask.now)
    # "Which account manager has the most deals": those are of deals.
    kind, last = grouping.kind or kind_meant(plan, bare), plan.topic.search
    earns = _asks_who_earns(ask)
    is_of_deals = (
        earns or bool(ask.words & (_WINNING | _PIPELINE | _MONEY)) or grouping.field in ("stage", "close_month")
    )
    listed = next((one for one in KINDS if last is not None and tool_of(one) == last.tool), None)
    is_same = kind is None and listed is not None and not any(map(lexicon.kind_named, bare.outside))
    parents = owners_of_part(plan, ask) if grouping.field in _OWNING and grouping.order else ()
    kind = "opportunity" if parents else kind
    # "Which source gives us the best average score?": leads have one.
    kind = kind or (
        "opportunity" if is_of_deals else listed or next((one for one in KINDS if measured(ask, one)), None)
    )
    owning = [one for one in KINDS if lexicon.field_name(grouping.field, one) in RECORD_TYPES[one].model_fields]
    kind = kind or (owning[0] if len(owning) == 1 else None)  # Only leads have a source.
    name = lexicon.field_name(grouping.field, kind or "")
    kind = kind or ("opportunity" if grouping.field == "owner" and ask.act == "rank" else None)
    if kind is None or name not in _groupable(kind):
        return None
    # "And the number of deals in each month?", "and by number of deals?"
    is_bare = not ask.times and not ask.texts("value") and ("each" in ask.words or {"by", "number"} <= ask.words)
    is_same = is_same or (kind == listed and is_bare)
    is_own = bool(ask.words & _OWN) and ask.act != "compare"
    if is_same and last is not None and kind == listed and not is_own | bool(ask.words & set(owners)):
        filters = filters_again(plan, kind, last)  # "Show me my pipeline." - "Which stage has the most value?"
    else:
        filters = filters_of(plan, repaired(bare), kind)
    if grouping.order and last is not None and filters.arguments.get(name) == last.arguments.get(name):
        filters.arguments.pop(name, None)  # It was the answer to "which has the most?": others may have the least.
    if (ask.words & _PIPELINE or (name == "stage" and grouping.order)) and "stage" not in filters.arguments:
        filters.arguments["open_only"] = True
    # "Which month was our best?" is about deals that were won.
    is_won = earns or ask.words & _WINNING or (ask.words & _BEST and "open_only" not in filters.arguments)
    if kind == "opportunity" and is_won:
        filters.arguments.setdefault("stage", "closed_won")
    if parents:
        field, ids = f"{parents[0].type}_id", {one.id for one in parents}
        filters.conditions = [Condition("with those", lambda record: record.get(field) in ids)]
        filters.within = None
    if owners:
        filters.arguments.pop("owner", None)
        said_owners = " or ".join("you" if one == plan.user else one.capitalize() for one in owners)
        filters.conditions.append(Condition(f"owned by {said_owners}", lambda record: record.get("owner") in owners))
    return ("created_month" if name == "close_month" and kind != "opportunity" else name), filters


def _groupable(kind: str) -> set[str]:
    fields = {*RECORD_TYPES[kind].model_fields, "owner", "company", "contact", "close_month"}
    return fields | ({*_PLACES.values()} if "address" in fields else set())


def _by_status(plan: Plan, filters: Filters, grouping: Grouping, name: str) -> Answer:
    """Return the groups of all records by their status, which are counted exactly."""
    owner, opened = filters.arguments.get("owner"), lexicon.entries("open_values").get(filters.kind, ())
    value = plan.call("get_pipeline_summary", "sum up the pipeline", entity_type=filters.kind, owner=owner)
    rows = [row for part in value["sections"] for row in part["by_status"]]
    rows = [row for row in rows if row["status"] in opened or not filters.arguments.get("open_only")]
    groups: list[Group] = []
    whole = defaultdict[str, float](float)
    for row in rows:
        parts = row.get("by_currency") or [row]
        sums = {str(one.get("currency") or "USD"): float(one.get("amount") or 0) for one in parts}
        groups.append((str(row["status"]), int(row["count"]), {one: total for one, total in sums.items() if total}))
        for currency, amount in groups[-1][2].items():
            whole[currency] += amount
    number = sum(count for _, count, _ in groups)
    search = Search(filters.tool, filters.arguments, number)
    return _told(plan, filters, grouping, groups, Totals(number, whole), search, name)


def _told(
    plan: Plan, filters: Filters, grouping: Grouping, groups: list[Group], totals: Totals, search: Search, name: str
) -> Answer:
    """Return the answer with the groups, the one that is asked for first."""
    first = ""
    if grouping.order and groups:
        is_of_value = grouping.is_of_value and any(sums for *_, sums in groups)
        size: Callable[[Group], float] = (lambda one: sum(one[2].values())) if is_of_value else (lambda one: one[1])
        groups = sorted(groups, key=size, reverse=grouping.order == "most")
        best = [one for one in groups if size(one) == size(groups[0])]
        first = figures.first_group(best, grouping.order, plan.user)
        if len(best) == 1 and name in filters.properties:
            # "Which deals are in there?" is about the group that was asked for.
            search = replace(search, arguments=search.arguments | {name: best[0][0]}, total=best[0][1])
    described = listings.format_total(filters.arguments.get("owner"), totals.number, filters.described(totals.number))
    text = first + figures.format_groups(described, totals.sums, groups, plan.user)
    return Answer(listings.with_limits(text, filters.unknown, totals.checked), topic=Topic(search=search))


def _means_told(plan: Plan, filters: Filters, grouping: Grouping, name: str, field: str) -> Answer:
    """Return the average of a number for each group, the one first that is asked for."""
    page = fetch(plan, filters, MAX_CHECKED)
    by_label = defaultdict[str, list[float]](list)
    for record in page.items:
        if record.get(field) is not None:
            by_label[_label(record, name)].append(float(record[field]))
    means = sorted(((label, sum(values) / len(values)) for label, values in by_label.items()), key=lambda one: one[1])
    means = means if grouping.order == "least" else means[::-1]
    total = page.total if page.total is not None else len(page.items)
    described = listings.format_total(filters.arguments.get("owner"), total, filters.described(total))
    text = figures.format_means(described, field, means, plan.user)
    search = search_of(filters, page, total)
    checked = len(page.items) if page.cursor else page.checked
    return Answer(listings.with_limits(text, filters.unknown, checked), topic=Topic(search=search))


def _with_owners(plan: Plan, deals: list[dict[str, Any]], name: str) -> list[dict[str, Any]]:
    """Return deals with the names of the companies or contacts that they are with, as their field of that name."""
    kind = _OWNING[name]
    owners = plan.call(tool_of(kind), "look up whose they are", limit=MAX_CHECKED)["items"]
    names = {one["id"]: one["display_name"] for one in owners}
    return [deal | {name: names.get(deal.get(f"{kind}_id"), "")} for deal in deals]


def sets_against(plan: Plan, ask: Ask) -> bool:
    """Return whether an ask sets the records of owners against each other: "how many leads do I have vs Bob"."""
    return len(owners_said(plan, ask)) > 1 and not _AGAINST.isdisjoint(ask.words)


def _is_last(ask: Ask, grouping: Grouping) -> bool:
    """Return whether an ask splits records by a field that it names last: "accounts by state", and sorts nothing."""
    end = grouping.words[0].end
    return "sort" not in ask.stems and all(span.end <= end or span.tag == "field" for span in ask.segment.spans)


def owners_of_part(plan: Plan, ask: Ask) -> tuple[Ref, ...]:
    """Return the companies or contacts listed last of which one is asked for: "which of them has the most deals?"."""
    types, words = {one.type for one in plan.topic.group}, [one.word for one in ask.outside]
    is_part = any(one == "of" and two in THOSE for one, two in pairwise(words))
    return plan.topic.group if is_part and len(types) == 1 and types <= _FIELD_OF.keys() else ()


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


def _grouping_of(plan: Plan, ask: Ask) -> Grouping | None:
    """Return how an ask splits records, with the words that say so."""
    tokens = ask.outside
    order = "" if "than" in ask.words else _order_asked(ask)
    is_of_value = bool(ask.words & _MONEY) or any(
        key == "money_total" for key, *_ in lexicon.placed_in(tokens, "summing")
    )
    is_of_value = is_of_value or any(key.endswith("value") and last - first == 1 for key, first, last in ask.orders)
    earns = _asks_who_earns(ask)
    closes = earns or bool(ask.words & (_WINNING | _MONEY))  # "Who won the most?" is about deals.
    is_of_value = is_of_value or earns
    asked = Ask(plan.topic.asked, plan.now) if plan.topic.asked is not None else None
    if asked is not None and not ask.segment.spans and {"by", "number"} <= ask.words:
        # "Who brings in the most?" - "And by number of deals?"
        grouping = _grouping_of(replace(plan, topic=Topic()), asked)
        return replace(grouping, words=[], is_of_value=False) if grouping is not None else None
    has_records = closes or bool(ask.words & _PIPELINE)
    has_records = has_records or any(is_plural_kind(one) or lexicon.activity_type_of(one.stem) for one in tokens)
    ending = [one for one in tokens if one.word in _BEST | _MOST | {"did"}]
    for field, first, last in _fields(tokens):
        before = tokens[first - 1].word if first else ""
        is_asked = before in ("which", "what") and bool(order) and (has_records or field != "company")
        is_asked = is_asked or (before in _BEST and has_records)  # "What's our best source?"
        is_asked = is_asked or (
            field == "owner" and has_records and lexicon.number_in(before) is not None
        )  # "Top 3 reps"
        if before in _BY or is_asked:
            return Grouping(field, [*tokens[first - 1 : last], *ending], order if is_asked else "", is_of_value)
    for place, one in enumerate(tokens):
        asking = next((two for two in reversed(tokens[:place]) if two.word not in _BEFORE_OWNERS), one)
        is_type = bool({*lexicon.values_in(one.word)} & {*AccountType})  # "Which partner …"
        kind, others = "account" if is_type else lexicon.kind_named(one), [two for two in tokens if two != one]
        field = _FIELD_OF.get(kind or "", "")
        is_of_others = any(is_plural_kind(two) and lexicon.kind_named(two) in KINDS for two in others)
        is_asked = asking.word in ("which", "what") and bool(order) and has_records
        if field and is_of_others and (is_asked or asking.word in ("each", "every", "per")):
            # "Which contact has most deals?", "how many contacts does each customer have?"
            counted = next(filter(None, map(lexicon.kind_named, filter(is_plural_kind, others))), "")
            owners = lexicon.values_in(one.word)[:1] if is_type else []
            words, joint = (
                [*tokens[tokens.index(asking) : place + 1], *ending],
                "at" if counted == "contact" else "with",
            )
            text = f" {joint} {owners[0]}s" if owners else ""
            return Grouping(field, words, order if is_asked else "", is_of_value, counted, text)
        if asking.word == "each" and one.word == "of" and {"us", "you"} & ask.words:
            return Grouping("owner", [two for two in tokens if two.word in ("each", "of", "us", "you")])
    if owners_of_part(plan, ask) and order and ("opportunity" in ask.kinds or "business" in ask.words):
        return Grouping(_FIELD_OF[plan.topic.group[0].type], ending, order, is_of_value)
    each = [one for one in tokens if one.word == "each"]
    if each and not has_records and asked is not None:
        # "What cities are my leads in?" - "How many in each?"
        asked_fields = [field for field, *_ in _fields(asked.tokens)]
        return Grouping(asked_fields[0], each) if len(asked_fields) == 1 else None
    if not (has_records and order):
        # "Who did the most?" asks for no deal, but for a colleague.
        is_of_people = ask.act == "rank" and ask.words & WHO and {"did", "does", "has", "have"} & ask.words and order
        is_of_people = is_of_people and not (plan.topic.refs or ask.segment.spans or ask.kinds) and ask.words & _MOST
        return Grouping("owner", [one for one in tokens if one.word in WHO | _MOST], order) if is_of_people else None
    for field, first, last in lexicon.placed_in(tokens, "field_questions"):
        if field in _LABELS and ask.words & _MOST:
            return Grouping(field, [*tokens[first:last], *ending], order)  # "Where do most leads come from?"
    if ask.words & WHO and not ask.texts("name") and (ask.words & _MOST or closes):
        return Grouping("owner", [one for one in tokens if one.word in WHO | _MOST], order, is_of_value)
    return None


def _asks_who_earns(ask: Ask) -> bool:
    """Return whether an ask is for the colleague who sells the most: "who brings in the most revenue?"."""
    return bool(ask.words & WHO and ask.words & _EARNING) and {*ask.kinds} <= {"opportunity"}


def _order_asked(ask: Ask) -> str:
    """Return whether an ask is for the group that has the "most" or the "least"; empty for neither."""
    keys = {key for key, _, _ in ask.orders}
    if ask.words & _FEW or any(key.startswith(("lowest", "coldest", "oldest")) for key in keys):
        return "least"
    return "most" if ask.words & (_MOST | _BEST) or keys else ""


def _fields(tokens: tuple[Token, ...]) -> Iterator[tuple[str, int, int]]:
    """Yield the fields by which records can be split, with the places of their words."""
    for field, first, last in lexicon.placed_in(tokens, "fields"):
        if field in _LABELS:
            yield field, first, last
    for place, one in enumerate(tokens):
        if other := "close_month" if one.word in _MONTHS else _PLACES.get(one.stem, ""):
            yield other, place, place + 1


def _grouped(page: Page, name: str, kind: str) -> list[Group]:
    """Return the value of each group with its number of records and their sums: months in order, else largest first."""
    by_label = defaultdict[str, list[dict[str, Any]]](list)
    for record in page.items:
        by_label[_label(record, name)].append(record)
    groups: list[Group] = [
        (label, len(items), sums_of(kind, items) if kind else {}) for label, items in sorted(by_label.items())
    ]
    return groups if name.endswith("_month") else sorted(groups, key=lambda one: (one[0] == "", -one[1]))


def _label(record: Mapping[str, Any], name: str) -> str:
    if name.endswith("_month"):
        day = str(record.get("close_date" if name == "close_month" else "created_at") or "")[:10]
        return f"{date.fromisoformat(day):%Y-%m}" if day else ""
    return str(record.get(name) or (record.get("address") or {}).get(name) or "")


def is_of_many(ask: Ask) -> bool:
    """Return whether a question for a field is for its sum or average of records: "average score of my leads"."""
    keys = {key for key, *_ in lexicon.placed_in(ask.outside, "summing")}
    return bool(keys & {"mean_value", "together"}) and any(map(is_plural_kind, ask.outside)) and not ask.texts("name")


def measured_again(plan: Plan, ask: Ask, kind: str) -> str:
    """Return the number whose average is asked for, that of the question before if none is said: "and overall?"."""
    before = Ask(plan.topic.asked, plan.now) if plan.topic.asked is not None and plan.topic.search is not None else None
    if before is None or ask.kinds or not {"average", "mean"} & before.words & ask.words:
        return measured(ask, kind)
    return measured(ask, kind) or measured(before, kind)


def measured(ask: Ask, kind: str) -> str:
    """Return the number of records whose sum or average is asked for; empty for amounts of deals and leads."""
    names = (lexicon.field_name(one, kind) for one in lexicon.fields_in(" ".join(one.word for one in ask.outside)))
    own = _NUMBERS & RECORD_TYPES[kind].model_fields.keys()
    if ask.words & STAFF and "employ" in ask.stems and "employee_count" in own:
        return "employee_count"  # "How many people do they employ?"
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
