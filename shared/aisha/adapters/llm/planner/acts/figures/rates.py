"""Tell which part of the closed deals was won, and which part of the leads was converted."""

from collections import Counter
from collections.abc import Mapping, Sequence
from functools import partial, reduce
from typing import Any

from msgspec.structs import replace

from aisha.adapters.llm.planner.acts.search.fetching import MAX_CHECKED, Page, fetch, search_of
from aisha.adapters.llm.planner.acts.search.filters import Filters
from aisha.adapters.llm.planner.acts.search.reading import filters_of
from aisha.adapters.llm.planner.acts.search.words import WHO
from aisha.adapters.llm.planner.plan import Answer, Plan, at_once
from aisha.adapters.llm.planner.replies import figures, listings
from aisha.adapters.llm.planner.slots import repaired
from aisha.adapters.llm.planner.state import Topic
from aisha.domain.language import lexicon
from aisha.domain.language.acts import READS
from aisha.domain.language.ask import Ask

_PARTS: Mapping[str, tuple[str, ...]] = {
    "opportunity": ("stage", "closed_won", "closed_lost"),
    "lead": ("status", "converted", ""),
}


def rate_asked(plan: Plan, ask: Ask) -> Answer | None:
    """Return the rate of won deals or converted leads, where an ask is for that; else None."""
    placed = [one for one in lexicon.placed_in(ask.outside, "rates") if ask.act in READS | {"impossible"}]
    kind = "lead" if "lead" in ask.kinds or any(key == "conversion_rate" for key, *_ in placed) else "opportunity"
    if not placed or not plan.has(f"search_{lexicon.PLURALS[kind]}"):
        return None
    if (than := next((one for one in ask.outside if one.word == "than"), None)) is not None and ask.times:
        # "Is our win rate better than last quarter's?": the one of now, and the other.
        sides = (ask.without(than.start, len(ask.text)), ask.without(than.start, than.end))
        answers = [one for one in at_once([partial(rate_asked, plan, side) for side in sides]) if one is not None]
        return Answer("\n\n".join(one.text for one in answers), topic=answers[-1].topic)
    names = [(ask.outside[first].start, ask.outside[last - 1].end) for _, first, last in placed]
    bare = reduce(lambda part, place: part.without(*place), names, Ask(replace(ask.segment, act="count"), ask.now))
    owned = [(first - 1, last) for key, first, last in lexicon.placed_in(bare.outside, "fields") if key == "owner"]
    is_by_owner = any(bare.outside[first].word in ("by", "per") for first, _ in owned)
    if is_by_owner := not ask.texts("owner") and (bool(ask.words & WHO) or is_by_owner):
        cut = [(bare.outside[first].start, bare.outside[last - 1].end) for first, last in owned]
        bare = reduce(lambda part, place: part.without(*place), [*cut, *ask.order_places], bare)
    parted = [text for text in bare.texts("field") if bare.text.partition(text)[0].lower().endswith(("by ", "per "))]
    field, outcome, other = _PARTS[kind]
    filters = filters_of(plan, repaired(bare), kind, **{field: outcome})
    del filters.arguments[field]
    parts = [_with(filters, {field: value} if value else {}) for value in (outcome, other)]
    page, others = at_once([partial(fetch, plan, one, MAX_CHECKED) for one in parts])
    if is_by_owner:
        return _of_each_owner(plan, parts[0], page, [*page.items * bool(other), *others.items])
    number, rest = (len(one.items) if one.total is None else one.total for one in (page, others))
    checked = max(one.checked or len(one.items) * (one.total is None) for one in (page, others))
    whole = number + rest if other else rest
    described = parts[0].described(number)
    owner, against = filters.arguments.get("owner"), "lost" if other else ""
    text = figures.format_rate(owner, number, described, whole, against) + figures.unsplit(parted)
    return Answer(
        listings.with_limits(text, filters.unknown, checked), topic=Topic(search=search_of(parts[0], page, number))
    )


def _of_each_owner(plan: Plan, filters: Filters, page: Page, records: Sequence[Mapping[str, Any]]) -> Answer:
    """Return the rate of each owner, the highest first: "who has the highest win rate"."""
    whole = Counter(str(one.get("owner") or "") for one in records)
    parts = Counter(str(one.get("owner") or "") for one in page.items)
    rates = sorted(((one, parts[one], number) for one, number in whole.items()), key=lambda one: -one[1] / one[2])
    text = figures.format_rates(filters.described(2), rates, plan.user, is_won=filters.kind == "opportunity")
    checked = len(records) if page.cursor or page.checked else 0
    return Answer(listings.with_limits(text, filters.unknown, checked), topic=plan.topic)


def _with(filters: Filters, arguments: dict[str, Any]) -> Filters:
    return replace(filters, arguments=filters.arguments | arguments, conditions=[*filters.conditions])
