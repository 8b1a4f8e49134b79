"""The forecast of the open deals."""

import re
from collections.abc import Iterator, Mapping
from datetime import date
from typing import Any

from aisha.adapters.llm.offline import phrasing
from aisha.adapters.llm.offline.acts.counting import summed_up
from aisha.adapters.llm.offline.arguments import owner_in
from aisha.adapters.llm.offline.parser import Reading
from aisha.adapters.llm.offline.pattern_intents.calls import called
from aisha.adapters.llm.offline.plan import Answer, Plan
from aisha.adapters.llm.offline.state import Topic

_FORECAST = re.compile(
    r"\bhow\s+much\b.*\b(?:clos(?:e|ing)|bring(?:ing)?\s+in|book(?:ing)?|win(?:ning)?|land(?:ing)?|sell(?:ing)?|make|expect)\b.*\b(?:week|month|quarter|year|q[1-4])\b"
    r"|\bwhat\s+(?:will|can|might|should|are)\s+(?:we|i)\s+(?:likely\s+to\s+|going\s+to\s+|probably\s+|realistically\s+|expect\s+to\s+)*(?:close|bring\s+in|book|win|land|sell|make)\b.*\b(?:week|month|quarter|year)\b"
    r"|\b(?:hit|make|reach|meet)\s+(?:my|our|the)\s+(?:numbers?|quarter|quota|month)\b|\bforecasts?\b|\b(?:projected|expected|weighted)\s+(?:sales|revenue|pipeline)\b",
    re.IGNORECASE,
)
_PERIOD = re.compile(r"\b(?P<which>this|next)\s+(?P<unit>week|month|quarter|year)\b", re.IGNORECASE)
_LEARNING = re.compile(
    r"\b(?:how\s+(?:do|should|can|to|reliable|accurate)|how\s+does\b.*\bwork|why|explain|what\s+is\s+(?:a|forecasting)|documents?|playbook|articles?)\b"
    r"|\bforecasts?\s+(?:call|meeting|category|categories)\b|:",
    re.IGNORECASE,
)
"""Asks how forecasting works, or speaks of something else that is called so."""


def forecast(plan: Plan, text: str) -> Answer | None:
    """ "Show the forecast", "how's the forecast looking"."""
    if not _FORECAST.search(text) or _LEARNING.search(text):
        return None
    reading = plan.read(text)
    if reading.has("note", "schedule", "remind", "delete", "update") or any(name.capital for name in reading.names):
        return None
    if not plan.scene.principal.may_use("opportunities"):
        return Answer(phrasing.no_access("opportunities"))
    owner = owner_in(reading)
    period = f"{named['which']}_{named['unit']}".lower() if (named := _PERIOD.search(text)) else None
    return _forecast(plan, {"owner": owner, "period": period})


def forecast_again(plan: Plan, text: str) -> Answer | None:
    """ "How about next quarter?", "only mine": the forecast or the summary just given, of something else."""
    if plan.topic.tool not in ("forecast_pipeline", "get_pipeline_summary") or plan.topic.counted:
        return None
    if len(text.split()) > _SHORT or not _GOES_ON.match(text):
        return None
    reading, named = plan.read(text), _PERIOD.search(text)
    owner = owner_in(reading) or _whose(reading)
    period = f"{named['which']}_{named['unit']}".lower() if named else None
    kept = str(plan.topic.arguments.get("period") or "")
    if period is None and kept and (bare := _BARE_PERIOD.fullmatch(text)):
        period = f"{bare['which'].lower()}_{kept.partition('_')[2]}"
    said = {"owner": owner, "period": period}
    said = {name: value for name, value in said.items() if value}
    if not said:
        return None
    if plan.topic.tool == "forecast_pipeline":
        return _forecast(plan, {**plan.topic.arguments, **said})
    return summed_up(plan, {**plan.topic.arguments, **said})


_GOES_ON = re.compile(r"\s*(?:and|what\s+about|how\s+about|ok|or|only|just|for|mine|this|next|\w+'s)\b", re.IGNORECASE)
_BARE_PERIOD = re.compile(
    r"\s*(?:(?:and|what\s+about|how\s+about|ok)\s+)*(?:the\s+)?(?P<which>next|this)(?:\s+one)?[?.!\s]*", re.IGNORECASE
)
_SHORT = 6
"""Words of a sentence that only varies what was asked before."""


def _whose(reading: Reading) -> str | None:
    names = [name.text for name in reading.names if " " not in name.text]
    return names[0].lower() if len(names) == 1 else None


def _forecast(plan: Plan, arguments: Mapping[str, Any]) -> Answer:
    answer = called(plan, "forecast_pipeline", "forecast the pipeline", _told, **arguments)
    known = {name: value for name, value in arguments.items() if value is not None}
    return Answer(answer.text, answer.question, Topic((), "forecast_pipeline", known))


def _told(value: Mapping[str, Any]) -> str:
    lines = [line for stage in value.get("stages", ()) for line in _sums(stage, _stage(stage))]
    heads = "\n".join(_sums(value, "all of them" if value.get("first") else "all open deals"))
    closing = ""
    if value.get("first"):
        first, last = (phrasing.day(date.fromisoformat(value[name])) for name in ("first", "last"))
        closing = f" that are to close from {first} to {last}"
    return f"The forecast of the open deals{closing}, weighted by their probability:\n\n{heads}" + "".join(
        f"\n{line}" for line in lines
    )


def _sums(totals: Mapping[str, Any], label: str) -> Iterator[str]:
    """A line for each currency."""
    for part in totals.get("by_currency") or [totals]:
        currency = part.get("currency") or "USD"
        amount, weighted = (phrasing.money(part.get(name) or 0, currency) for name in ("amount", "weighted"))
        yield f"- {label}: {part.get('count', 0)}, {amount}, weighted **{weighted}**"


def _stage(totals: Mapping[str, Any]) -> str:
    return phrasing.words(str(totals.get("stage") or totals.get("status") or "other"))
