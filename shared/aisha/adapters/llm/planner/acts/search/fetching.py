"""Fetch the records that filters find, in one round where several searches are tried, and order them."""

from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from aisha.adapters.llm.planner.acts.search.filters import (
    AMOUNT_FIELDS,
    FIRST_FIELDS,
    Filters,
    having,
    listed_within,
    mentioning,
)
from aisha.adapters.llm.planner.plan import Plan, at_once
from aisha.adapters.llm.planner.replies import listings
from aisha.adapters.llm.planner.state import Search
from aisha.domain.crm.enumerations import Stage
from aisha.domain.language.ask import Ask
from aisha.domain.language.reader import Span
from aisha.domain.language.tokens import tokenize

MAX_LISTED = 10
MAX_CHECKED = 50
"""Records that conditions are checked on: as many as a search returns."""
_IN_ORDER = ("low", "normal", "high", "urgent", *Stage)
"""Values whose order is not that of the alphabet."""


class Page(Struct):
    """The records found. `total` is None when unknown. `checked` is set when more were there than were checked."""

    items: list[dict[str, Any]]
    total: int | None
    cursor: str | None = None
    checked: int = 0


def fetch(plan: Plan, filters: Filters, limit: int) -> Page:
    """Return the records found. Conditions are checked on the first 50.

    Where nothing is found, conditions that were only guessed are left out, and named as unknown.
    """
    size = MAX_CHECKED if filters.conditions else limit
    # The usual number is not said, so that a search that `by_name` made isn't made again.
    page = plan.call(filters.tool, "list those", **filters.arguments, limit=size if size != MAX_LISTED else None)
    items, total, cursor = page["items"], page.get("total"), page.get("next_cursor")
    first = FIRST_FIELDS.get(filters.kind, "")
    if not items and filters.arguments.get(first) in filters.guesses:
        text = str(filters.arguments.pop(first))
        filters.conditions.append(mentioning(text, filters.guesses.get(text, "")))
        return fetch(plan, filters, limit)
    fitting = [item for item in items if all(condition.holds(item) for condition in filters.conditions)]
    if not fitting and filters.is_silent and filters.arguments.pop("contacted_before", None):
        never = having("last_contacted_at", "").denied  # Whom nobody ever contacted was not contacted lately, either.
        filters.conditions.append(replace(never, text="never contacted so far"))
        return fetch(plan, filters, limit)
    if not filters.conditions:
        return Page(items, len(items) if total is None and not cursor else total, cursor)
    has_addresses = any(item.get("address") for item in items)
    guesses = [one for one in filters.conditions if one.guess and not (one.of_address and has_addresses)]
    if not fitting and guesses:
        # Nothing is denied of words that may say no condition: first those that no record has are left out.
        guesses = [one for one in guesses if not any(map(one.holds, items))] or guesses
        filters.conditions = [one for one in filters.conditions if one not in guesses]
        filters.unknown += [one.guess for one in guesses]
        if not filters.conditions:
            return Page(items, len(items) if total is None and not cursor else total, cursor)
        return fetch(plan, filters, limit)
    return Page(fitting, len(fitting), checked=len(items) if cursor else 0)


def search_of(filters: Filters, page: Page, total: int | None) -> Search:
    """Return the list as the next asks continue it, with all that met the conditions that no argument says."""
    within = filters.within
    if filters.conditions and not page.checked:
        text = " ".join(listings.merged([one.text for one in filters.conditions], MAX_LISTED))
        within = (text, tuple(str(one["id"]) for one in page.items))
    return Search(filters.tool, filters.arguments, total, page.cursor, within, filters.names)


def filters_again(plan: Plan, kind: str, search: Search) -> Filters:
    """Return the filters of a search that was made before."""
    filters = Filters(kind, search.tool, plan.tools[search.tool].properties, dict(search.arguments))
    if search.within is not None:
        filters.conditions.append(listed_within(search.within))
    return filters


def sums_of(kind: str, items: Sequence[Mapping[str, Any]]) -> dict[str, float]:
    """Return the sums of the records' amounts by currency, without those of nothing."""
    sums = defaultdict[str, float](float)
    for item in items:
        sums[str(item.get("currency") or "USD")] += float(item.get(AMOUNT_FIELDS.get(kind, "")) or 0)
    return {currency: total for currency, total in sums.items() if total}


def unknown_owner(plan: Plan, filters: Filters) -> str:
    """Return the colleague whose records were looked for, if nothing at all is of anybody with that name."""
    owner = str(filters.arguments.get("owner") or "")
    if owner in ("", "me", plan.user) or not plan.has("get_pipeline_summary"):
        return ""
    return "" if owns_records(plan, owner) else owner


def owns_records(plan: Plan, owner: str) -> bool:
    """Return whether somebody of that name owns any record, as colleagues do."""
    parts = plan.call("get_pipeline_summary", "look for that colleague", owner=owner)["sections"]
    return any(int(part["count"]) for part in parts)


def sort_key(value: Any) -> tuple[float, str]:
    """Return what orders the values of a field: numbers, priorities, stages, cities of addresses, dates, words."""
    if isinstance(value, dict):
        value = value.get("city") or ""
    if value in _IN_ORDER:
        return float(_IN_ORDER.index(value)), ""
    try:
        return float(value), ""
    except ValueError:
        return 0.0, str(value).casefold()


def read_otherwise[T](plan: Plan, filters: Filters, attempts: Sequence[Callable[[], T]]) -> list[T]:
    """Return the results of other readings, looked for in the round in which the owner is looked up, too."""
    checks: list[Callable[[], object]] = [partial(unknown_owner, plan, filters), *attempts]
    at_once(checks)
    return at_once(attempts)


def other_readings(plan: Plan, ask: Ask, filters: Filters) -> list[Ask]:
    """Return how else an ask that finds nothing can be read: its owner as a name, its name as an owner or as neither.

    The tags get confused, but only one word can be a colleague, and only a small one no name at all. None for an owner
    that this turn has found to be a colleague.
    """
    owner = filters.arguments.get("owner")
    can_check = bool(owner) and plan.has("get_pipeline_summary")
    found = plan.results.of(plan.planned("get_pipeline_summary", owner=owner)) if can_check else None
    if found is not None and not unknown_owner(plan, filters):
        return []
    names = [one for one in ask.segment.spans if one.tag in ("name", "new", "org", "owner")]
    if filters.names and any(one.endswith("_id") for one in filters.arguments):
        return []  # A record has the name: "what did we sell Redwood?" is about that company.
    if len(names) != 1 or len(tokenize(names[0].text)) > 1:
        return []
    (one,), others = names, [span for span in ask.segment.spans if span not in names]
    swapped = ask.with_spans([*others, Span("name" if one.tag == "owner" else "owner", one.text, one.start)])
    if one.tag == "owner":
        return [swapped]
    # Of neither, so that the answer names it.
    return (
        [swapped, ask.with_spans([*others, Span("unknown", one.text, one.start)])] if one.text.islower() else [swapped]
    )
