"""Forecast the open deals."""

from collections.abc import Iterator, Mapping
from datetime import date
from typing import Any

from aisha.adapters.llm.offline.acts.counting import summarise
from aisha.adapters.llm.offline.arguments import owner_in
from aisha.adapters.llm.offline.plan import Answer, Plan
from aisha.adapters.llm.offline.reading.parser import Reading
from aisha.adapters.llm.offline.reading.patterns import pattern
from aisha.adapters.llm.offline.replies import phrasing
from aisha.adapters.llm.offline.state import Topic

# "how much will we close this month", "hit our numbers", "the weighted pipeline".
_FORECAST = pattern(
    r"\bhow much\b.*\b(?:clos(?:e|ing)|bring(?:ing)? in|book(?:ing)?|win(?:ning)?|land(?:ing)?|sell(?:ing)?|make"
    r"|expect)\b.*\b(?:week|month|quarter|year|q[1-4])\b|\bwhat (?:will|can|might|should|are) (?:we|i)"
    r" (?:likely to |going to |probably |realistically |expect to )*(?:close|bring in|book|win|land|sell|make)\b.*\b"
    r"(?:week|month|quarter|year)\b|\b(?:hit|make|reach|meet) (?:my|our|the) (?:numbers?|quarter|quota|month)\b"
    r"|\bforecasts?\b|\b(?:projected|expected|weighted) (?:sales|revenue|pipeline)\b"
)
_PERIOD = pattern(r"\b(?P<which>this|next) (?P<unit>week|month|quarter|year)\b")
_ABOUT_FORECASTING = pattern(
    r"\b(?:how (?:do|should|can|to|reliable|accurate)|how does\b.*\bwork|why|explain|what is (?:a|forecasting)"
    r"|documents?|playbook|articles?)\b|\bforecasts? (?:call|meeting|category|categories)\b|:"
)
"""Recognises a question about forecasting itself, or another use of the word."""
_CONTINUES = pattern(r"\s*(?:and|what about|how about|ok|or|only|just|for|mine|this|next|\w+'s)\b")
_BARE_PERIOD = pattern(r"\s*(?:(?:and|what about|how about|ok) )*(?:the )?(?P<which>next|this)(?: one)?[?.!\s]*")
_MAX_WORDS = 6
"""Words at most of a clause that only varies the last request."""


def forecast(plan: Plan, text: str) -> Answer | None:
    """Match "show the forecast", "how's the forecast looking"."""
    if not _FORECAST.search(text) or _ABOUT_FORECASTING.search(text):
        return None
    reading = plan.read(text)
    if reading.has("note", "schedule", "remind", "delete", "update") or any(name.capital for name in reading.names):
        return None
    if not plan.scene.principal.may_use("opportunities"):
        return Answer(phrasing.no_access("opportunities"))
    owner = owner_in(reading)
    period = f"{named['which']}_{named['unit']}".lower() if (named := _PERIOD.search(text)) else None
    return _forecast(plan, {"owner": owner, "period": period})


def vary_forecast(plan: Plan, text: str) -> Answer | None:
    """Repeat the last forecast or summary for something else: "how about next quarter?", "only mine"."""
    if plan.topic.tool not in ("forecast_pipeline", "get_pipeline_summary") or plan.topic.counted:
        return None
    if len(text.split()) > _MAX_WORDS or not _CONTINUES.match(text):
        return None
    reading, period_match = plan.read(text), _PERIOD.search(text)
    owner = owner_in(reading) or _owner_alone(reading)
    period = f"{period_match['which']}_{period_match['unit']}".lower() if period_match else None
    last_period = str(plan.topic.arguments.get("period") or "")
    if period is None and last_period and (same_unit := _BARE_PERIOD.fullmatch(text)):
        period = f"{same_unit['which'].lower()}_{last_period.partition('_')[2]}"
    changes_asked = {"owner": owner, "period": period}
    changes_asked = {name: value for name, value in changes_asked.items() if value}
    if not changes_asked:
        return None
    if plan.topic.tool == "forecast_pipeline":
        return _forecast(plan, {**plan.topic.arguments, **changes_asked})
    return summarise(plan, {**plan.topic.arguments, **changes_asked})


def _owner_alone(reading: Reading) -> str | None:
    names = [name.text for name in reading.names if " " not in name.text]
    return names[0].lower() if len(names) == 1 else None


def _forecast(plan: Plan, arguments: Mapping[str, Any]) -> Answer:
    answer = plan.run("forecast_pipeline", "forecast the pipeline", _format_forecast, **arguments)
    filters = {name: value for name, value in arguments.items() if value is not None}
    return Answer(answer.text, answer.question, Topic((), "forecast_pipeline", filters))


def _format_forecast(value: Mapping[str, Any]) -> str:
    lines = [line for stage in value.get("stages", ()) for line in _currency_lines(stage, _stage_label(stage))]
    totals = "\n".join(_currency_lines(value, "all of them" if value.get("first") else "all open deals"))
    period_text = ""
    if value.get("first"):
        first, last = (phrasing.format_day(date.fromisoformat(value[name])) for name in ("first", "last"))
        period_text = f" that are to close from {first} to {last}"
    return f"The forecast of the open deals{period_text}, weighted by their probability:\n\n{totals}" + "".join(
        f"\n{line}" for line in lines
    )


def _currency_lines(totals: Mapping[str, Any], label: str) -> Iterator[str]:
    """Yield a line for each currency."""
    for part in totals.get("by_currency") or [totals]:
        currency = part.get("currency") or "USD"
        amount, weighted = (phrasing.format_money(part.get(name) or 0, currency) for name in ("amount", "weighted"))
        yield f"- {label}: {part.get('count', 0)}, {amount}, weighted **{weighted}**"


def _stage_label(totals: Mapping[str, Any]) -> str:
    return phrasing.humanise(str(totals.get("stage") or totals.get("status") or "other"))
