"""Which scan is worth running next: by what the CRM holds, and by when each scan last ran."""

import json
import re
from collections.abc import Collection, Iterator, Mapping
from datetime import timedelta
from textwrap import shorten

from msgspec import Struct
from msgspec.structs import asdict

from aisha.application.models.completion import complete
from aisha.application.scans import PastScan, ScanSpec, latest_by_type, past_scans, specs
from aisha.application.scans.reader import ScanReader
from aisha.application.scans.selection import OPEN_LEAD_STATUSES
from aisha.application.tooling.context import ToolContext
from aisha.domain.errors import AishaError, InvalidInputError
from aisha.domain.models import Caller, ModelMessage, ModelRequest
from aisha.domain.ports import ChatModel
from aisha.domain.queries import Condition
from aisha.domain.records import OPEN_STAGES, RECORD_TYPES, Activity, ActivityStatus, Lead, Opportunity

CAPABILITY = "json_strict"
"""The chain of models that is asked for a recommendation."""
RECENT = timedelta(hours=24)
MANY_SUGGESTIONS = 10
"""Suggestions that wait for a decision, from which more of them would not help."""


class NextScanStatistics(Struct, frozen=True):
    """What the choice rests on. Figures of modules that are closed to the user are 0.

    `leads_without_activity` counts open leads for which nothing is planned; `recent_scans_count` runs of the last 24 hours.
    """

    leads_total: int
    leads_open: int
    leads_without_activity: int
    opportunities_open: int
    suggestions_pending: int
    suggestions_accepted: int
    recent_scans_count: int


class NextScan(Struct, frozen=True):
    """`scan_type` is None when nothing needs to run; `response` is the sentence for the user."""

    scan_type: str | None
    reason: str
    response: str
    statistics: NextScanStatistics


def next_scan(
    context: ToolContext,
    suggestions_pending: int = 0,
    suggestions_accepted: int = 0,
    model: ChatModel | None = None,
    deadline: float = 0.0,
    asked: tuple[str | None, str | None] = (None, None),
) -> NextScan:
    """The scan to run next among those open to the user.

    With a `model`, it is asked first, until `deadline` (seconds of `time.monotonic()`), and what it says counts if it names
    such a scan; without one, or when it fails or says something else, the rules decide. Nothing is run. `asked` are the
    provider and the model that the user asks for. Raises `InvalidInputError` for those that can't be asked.
    """
    statistics = _statistics(context, suggestions_pending, suggestions_accepted)
    latest = latest_by_type(context)
    open_to_user = [spec for spec in specs() if _may_run(context, spec)]
    chosen = _by_model(context, model, open_to_user, latest, statistics, deadline, asked) if model is not None else None
    scan_type, reason = chosen or _by_rules(context, open_to_user, latest, statistics)
    return NextScan(scan_type, reason, _response(scan_type, reason, open_to_user), statistics)


def _may_run(context: ToolContext, spec: ScanSpec) -> bool:
    return all(context.principal.may_use(RECORD_TYPES[kind].MODULE) for kind in spec.needs)


def _response(scan_type: str | None, reason: str, known: list[ScanSpec]) -> str:
    title = next((spec.title for spec in known if spec.scan_type == scan_type), None)
    sentence = f"{reason[:1].upper()}{reason[1:].rstrip('.')}."
    return f"I recommend the {title} scan. {sentence}" if title else f"No scan is needed right now. {sentence}"


# -- statistics ----------------------------------------------------------------------------------------------------------


def _statistics(context: ToolContext, pending: int, accepted: int) -> NextScanStatistics:
    reader = ScanReader(context)
    leads = _counted(reader, Lead.TYPE)
    leads_open = sum(leads.get(status, 0) for status in OPEN_LEAD_STATUSES)
    deals = _counted(reader, Opportunity.TYPE)
    recent = past_scans(context, context.now - RECENT)
    return NextScanStatistics(
        leads_total=sum(leads.values()), leads_open=leads_open,
        leads_without_activity=max(0, leads_open - _leads_with_plans(reader)) if leads_open else 0,
        opportunities_open=sum(deals.get(stage, 0) for stage in OPEN_STAGES),
        suggestions_pending=pending, suggestions_accepted=accepted, recent_scans_count=sum(1 for _ in recent),
    )  # fmt: skip


def _counted(reader: ScanReader, entity_type: str) -> dict[str, int]:
    """How many records by status or stage; the store keeps these counts."""
    counted: dict[str, int] = {}
    for row in reader.context.records.counts(entity_type) if reader.may_see(entity_type) else ():
        counted[row.status] = counted.get(row.status, 0) + row.count
    return counted


def _leads_with_plans(reader: ScanReader) -> int:
    """Open leads that something is planned for, by a walk over what is planned: bounded, however many leads there are."""
    planned = Condition("status", "eq", ActivityStatus.SCHEDULED)
    pairs = [
        (one.related.type, one.related.id) for one in reader.walk(Activity, planned) if one.related.type == Lead.TYPE
    ]
    leads = reader.many(pairs).values()
    return sum(isinstance(lead, Lead) and lead.status in OPEN_LEAD_STATUSES for lead in leads)


# -- rules ---------------------------------------------------------------------------------------------------------------


def _by_rules(
    context: ToolContext, known: list[ScanSpec], latest: Mapping[str, PastScan], statistics: NextScanStatistics
) -> tuple[str | None, str]:
    """A scan that failed goes first, then one that never ran, then the one that is due the longest."""
    reasons = {spec.scan_type: reason for spec in known if (reason := _need(context, spec, statistics)) is not None}
    wanted = sorted(
        (spec for spec in known if spec.scan_type in reasons), key=lambda spec: _ORDER.get(spec.scan_type, 99)
    )
    for spec in wanted:
        if (last := latest.get(spec.scan_type)) is not None and not last.succeeded:
            return spec.scan_type, f"the last {spec.title} scan failed; {reasons[spec.scan_type]}"
    for spec in wanted:
        if spec.scan_type not in latest:
            return spec.scan_type, f"it has not run yet; {reasons[spec.scan_type]}"
    hours = {spec: _overdue_hours(context, spec, latest[spec.scan_type]) for spec in wanted}
    due = max(hours, key=lambda spec: hours[spec], default=None)
    if due is not None and hours[due] >= 0:
        at = latest[due.scan_type].at
        return due.scan_type, f"it last ran on {at:%b} {at.day}; {reasons[due.scan_type]}"
    if not wanted:
        return None, "there is nothing yet for a scan to look at"
    return None, "the scans that matter have run recently"


_ORDER = {
    name: place
    for place, name in enumerate(
        ("deals_at_risk", "overdue_activities", "stale_leads", "next_steps", "goal_progress", "data_quality")
    )
}
"""What costs money when it is missed comes first."""


def _overdue_hours(context: ToolContext, spec: ScanSpec, last: PastScan) -> float:
    return (context.now - last.at).total_seconds() / 3600 - spec.every_hours


def _need(context: ToolContext, spec: ScanSpec, statistics: NextScanStatistics) -> str | None:
    """Why the scan has something to look at; None when it has not."""
    leads, deals = statistics.leads_without_activity, statistics.opportunities_open
    if spec.scan_type == "deals_at_risk":
        return f"{_count(deals, 'deal is', 'deals are')} open" if deals else None
    if spec.scan_type == "stale_leads":
        return f"nothing is planned for {_count(leads, 'open lead', 'open leads')}" if leads else None
    if spec.scan_type == "next_steps":
        return _need_for_steps(statistics)
    # The others, and scans added later, need a record of what they look at.
    return f"it {spec.description[:1].lower()}{spec.description[1:].rstrip('.')}" if _has_any(context, spec) else None


def _need_for_steps(statistics: NextScanStatistics) -> str | None:
    waiting = statistics.suggestions_pending
    if waiting >= MANY_SUGGESTIONS or not (statistics.leads_open or statistics.opportunities_open):
        return None
    return f"{_count(waiting, 'suggestion is', 'suggestions are')} waiting for a decision"


def _has_any(context: ToolContext, spec: ScanSpec) -> bool:
    reader = ScanReader(context, most_records=1)
    return any(True for kind in spec.needs or _ANY for _ in reader.walk(RECORD_TYPES[kind]))


_ANY = ("lead", "opportunity", "contact", "account")


def _count(number: int, one: str, many: str) -> str:
    return f"{number or 'no'} {one if number == 1 else many}"


# -- a model's opinion ---------------------------------------------------------------------------------------------------

_INSTRUCTIONS = (
    "You advise which analysis of a CRM should run next. Choose one of the scans below, or none. Answer with one JSON "
    'object and nothing else: {"scanType": "<one of the types>" or null, "reason": "<one sentence>"}.'
)
_OBJECT = re.compile(r"\{.*\}", re.DOTALL)
_LONGEST_REASON = 300


def _by_model(
    context: ToolContext,
    model: ChatModel,
    known: list[ScanSpec],
    latest: Mapping[str, PastScan],
    statistics: NextScanStatistics,
    deadline: float,
    asked: tuple[str | None, str | None],
) -> tuple[str | None, str] | None:
    """What the model says; None when it fails or names no scan that is open to the user."""
    facts = "\n".join(_facts(known, latest, statistics))
    messages = (ModelMessage("system", _INSTRUCTIONS), ModelMessage("user", facts))
    request = ModelRequest(
        messages, (), Caller(context.principal, context.now), deadline, capability=CAPABILITY, temperature=0.0, provider=asked[0], model=asked[1],
        json_mode=True,
    )  # fmt: skip
    try:
        text, _ = complete(model, request)
    except InvalidInputError:
        raise
    except AishaError as error:
        context.log(f"No model advised on the next scan: {error.message}")
        return None
    return parse_recommendation(text, [spec.scan_type for spec in known])


def parse_recommendation(text: str, scan_types: Collection[str]) -> tuple[str | None, str] | None:
    """Type (None for no scan) and reason out of a model's reply; None when it is not what was asked for."""
    found = _OBJECT.search(text)
    try:
        reply = json.loads(found[0]) if found else None
    except ValueError:
        return None
    if not isinstance(reply, dict) or not isinstance(reason := reply.get("reason"), str) or not reason.strip():
        return None
    scan_type = reply.get("scanType", "")
    is_known = scan_type is None or (isinstance(scan_type, str) and scan_type in scan_types)
    return (scan_type, shorten(reason, _LONGEST_REASON, placeholder=" …")) if is_known else None


def _facts(known: list[ScanSpec], latest: Mapping[str, PastScan], statistics: NextScanStatistics) -> Iterator[str]:
    for spec in known:
        last = latest.get(spec.scan_type)
        ran = "never ran" if last is None else f"last ran {last.at:%Y-%m-%d %H:%M}, {last.findings} findings"
        yield f"- {spec.scan_type}: {spec.description} When: {spec.when} It {ran}{_failed(last)}."
    yield "Figures: " + ", ".join(f"{name.replace('_', ' ')} {value}" for name, value in asdict(statistics).items())


def _failed(last: PastScan | None) -> str:
    return " and failed" if last is not None and not last.succeeded else ""
