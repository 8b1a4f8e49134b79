"""Forecast open deals."""

from typing import Any

from aisha.adapters.llm.planner import policy
from aisha.adapters.llm.planner.acts.figures.counting import summing, topic_of
from aisha.adapters.llm.planner.acts.search.fetching import MAX_CHECKED, fetch
from aisha.adapters.llm.planner.acts.search.reading import filters_of
from aisha.adapters.llm.planner.plan import ACTS, Answer, Plan, act
from aisha.adapters.llm.planner.replies import figures, listings
from aisha.adapters.llm.planner.slots import repaired
from aisha.domain.dates.day_words import period_days
from aisha.domain.language import lexicon
from aisha.domain.language.ask import Ask


@act("forecast")
def forecast(plan: Plan, ask: Ask) -> Answer:
    """Forecast the open deals: those of a period by the tool, others by the deals that fit what the ask says."""
    if plan.imagined is not None and "expected" not in summing(ask):
        return ACTS["count"](plan, ask)  # "If Acme fell through, how much would be left this month?"
    is_list = not policy.is_sure(ask) and "search" in dict(ask.segment.others)
    if is_list and ask.words & lexicon.ASKING_WHAT and not summing(ask):
        return ACTS["search"](plan, ask)  # "What's due to close this month?"
    filters = filters_of(plan, repaired(ask), "opportunity")
    arguments = filters.arguments
    if str(arguments.get("stage", "")).startswith("closed"):
        del arguments["stage"]  # "What will we win?"
    days = (arguments.get("closing_after"), arguments.get("closing_before"))
    periods = plan.tools["forecast_pipeline"].properties["period"]["enum"]
    period = next((one for one in periods if _days(plan, one) == days), None)
    arguments["open_only"] = True
    is_usual = arguments.keys() <= {"owner", "open_only", "closing_after", "closing_before"} and not filters.conditions
    if is_usual and (period or not any(days)):
        value = plan.call("forecast_pipeline", "forecast the pipeline", period=period, owner=arguments.get("owner"))
        checked = 0
    else:
        page = fetch(plan, filters, MAX_CHECKED)
        value, checked = _forecast_of(page.items), len(page.items) if page.cursor else page.checked
    text = figures.format_forecast(value, filters.described(int(value["count"])))
    return Answer(listings.with_limits(text, filters.unknown, checked), topic=topic_of(plan, filters))


def _days(plan: Plan, period: str) -> tuple[str, str]:
    """Return the first and last day of `this_month` or `next_quarter`."""
    which, _, unit = period.partition("_")
    first, last = period_days(unit, plan.now.date(), 1 if which == "next" else 0)
    return first.isoformat(), last.isoformat()


def _forecast_of(deals: list[dict[str, Any]]) -> dict[str, Any]:
    """Return the totals of deals as the tool does."""
    rows: dict[str, dict[str, Any]] = {}
    for deal in deals:
        currency = str(deal.get("currency") or "USD")
        row = rows.setdefault(currency, {"currency": currency, "count": 0, "amount": 0.0, "weighted": 0.0})
        row["count"] += 1
        row["amount"] += float(deal.get("amount") or 0)
        row["weighted"] += expected_amount(deal) or 0
    return {"count": len(deals), "by_currency": list(rows.values())}


def expected_amount(record: dict[str, Any]) -> float | None:
    return float(record["amount"]) * float(record.get("probability") or 0) / 100 if record.get("amount") else None
