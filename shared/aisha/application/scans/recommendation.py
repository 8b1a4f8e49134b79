"""Recommendation of the scan to run next, by the data of the CRM and the last run of each scan."""

import re
from collections import Counter
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
from aisha.domain.crm.enumerations import OPEN_STAGES, ActivityStatus
from aisha.domain.crm.queries import Condition
from aisha.domain.crm.records import RECORD_TYPES, Activity, Lead, Opportunity
from aisha.domain.errors import AishaError, InvalidInputError
from aisha.domain.json_values import finite_json
from aisha.domain.models import Caller, ModelMessage, ModelRequest
from aisha.domain.ports import ChatModel

CAPABILITY = "json_strict"
"""The capability of the models that recommend a scan."""
RECENT = timedelta(hours=24)
MANY_SUGGESTIONS = 10
"""The number of pending suggestions from which a scan for more is not recommended."""


class NextScanStatistics(Struct, frozen=True):
    """The figures of a recommendation; 0 for modules that the user may not use.

    `leads_without_activity` counts open leads without a planned activity, `recent_scans_count` the runs of the last
    24 hours.
    """

    leads_total: int
    leads_open: int
    leads_without_activity: int
    opportunities_open: int
    suggestions_pending: int
    suggestions_accepted: int
    recent_scans_count: int


class NextScan(Struct, frozen=True):
    """A recommendation. `scan_type` is None when no scan needs to run; `response` is the text for the user."""

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
    selection: tuple[str | None, str | None] = (None, None),
) -> NextScan:
    """Return the scan to run next among those that the user may run.

    With a `model`, it decides until `deadline` (seconds of `time.monotonic()`). The rules decide without one, or when
    it fails or names no such scan. `selection` is the provider and the model that the user chose; raises
    `InvalidInputError` for an unknown one.
    """
    statistics = _statistics(context, suggestions_pending, suggestions_accepted)
    latest = latest_by_type(context)
    candidates = [spec for spec in specs() if _may_run(context, spec)]
    choice = (
        _by_model(context, model, candidates, latest, statistics, deadline, selection) if model is not None else None
    )
    scan_type, reason = choice or _by_rules(context, candidates, latest, statistics)
    return NextScan(scan_type, reason, _response(scan_type, reason, candidates), statistics)


def _may_run(context: ToolContext, spec: ScanSpec) -> bool:
    return all(context.principal.may_use(RECORD_TYPES[kind].MODULE) for kind in spec.needs)


def _response(scan_type: str | None, reason: str, candidates: list[ScanSpec]) -> str:
    title = next((spec.title for spec in candidates if spec.scan_type == scan_type), None)
    sentence = f"{reason[:1].upper()}{reason[1:].rstrip('.')}."
    return f"I recommend the {title} scan. {sentence}" if title else f"No scan is needed right now. {sentence}"


# --- statistics


def _statistics(context: ToolContext, pending: int, accepted: int) -> NextScanStatistics:
    reader = ScanReader(context)
    leads = _count_by_status(reader, Lead.TYPE)
    leads_open = sum(leads[status] for status in OPEN_LEAD_STATUSES)
    deals = _count_by_status(reader, Opportunity.TYPE)
    recent = past_scans(context, context.now - RECENT)
    return NextScanStatistics(
        leads_total=sum(leads.values()),
        leads_open=leads_open,
        # Without open leads the planned activities need not be read.
        leads_without_activity=max(0, leads_open - _leads_with_plans(reader)) if leads_open else 0,
        opportunities_open=sum(deals[stage] for stage in OPEN_STAGES),
        suggestions_pending=pending,
        suggestions_accepted=accepted,
        recent_scans_count=sum(1 for _ in recent),
    )


def _count_by_status(reader: ScanReader, entity_type: str) -> Counter[str]:
    counts: Counter[str] = Counter()
    for row in reader.context.records.counts(entity_type) if reader.may_see(entity_type) else ():
        counts[row.status] += row.count
    return counts


def _leads_with_plans(reader: ScanReader) -> int:
    # Reading the planned activities is bounded, however many leads there are.
    is_planned = Condition("status", "eq", ActivityStatus.SCHEDULED)
    subjects = [activity.related for activity in reader.iterate(Activity, is_planned)]
    leads = reader.get_many([(Lead.TYPE, subject.id) for subject in subjects if subject.type == Lead.TYPE]).values()
    return sum(isinstance(lead, Lead) and lead.status in OPEN_LEAD_STATUSES for lead in leads)


# --- rules


def _by_rules(
    context: ToolContext, candidates: list[ScanSpec], latest: Mapping[str, PastScan], statistics: NextScanStatistics
) -> tuple[str | None, str]:
    """Return type and reason of a scan that failed, else of one that never ran, else of the longest due."""
    reasons = {
        spec.scan_type: reason for spec in candidates if (reason := _need(context, spec, statistics)) is not None
    }
    needed = sorted(
        (spec for spec in candidates if spec.scan_type in reasons), key=lambda spec: _ORDER.get(spec.scan_type, 99)
    )
    for spec in needed:
        if (last := latest.get(spec.scan_type)) is not None and not last.succeeded:
            return spec.scan_type, f"the last {spec.title} scan failed; {reasons[spec.scan_type]}"
    for spec in needed:
        if spec.scan_type not in latest:
            return spec.scan_type, f"it has not run yet; {reasons[spec.scan_type]}"
    hours = {spec: _overdue_hours(context, spec, latest[spec.scan_type]) for spec in needed}
    most_overdue = max(hours, key=lambda spec: hours[spec], default=None)
    if most_overdue is not None and hours[most_overdue] >= 0:
        at = latest[most_overdue.scan_type].at
        return most_overdue.scan_type, f"it last ran on {at:%b} {at.day}; {reasons[most_overdue.scan_type]}"
    if not needed:
        return None, "there is nothing yet for a scan to look at"
    return None, "the scans that matter have run recently"


_ORDER = {
    name: rank
    for rank, name in enumerate(
        ("deals_at_risk", "overdue_activities", "stale_leads", "next_steps", "goal_progress", "data_quality")
    )
}
"""The order of the scans: those whose findings cost money when they are missed come first."""


def _overdue_hours(context: ToolContext, spec: ScanSpec, last: PastScan) -> float:
    return (context.now - last.at).total_seconds() / 3600 - spec.every_hours


def _need(context: ToolContext, spec: ScanSpec, statistics: NextScanStatistics) -> str | None:
    """Return the reason to run the scan; None when it would find nothing to examine."""
    leads, deals = statistics.leads_without_activity, statistics.opportunities_open
    if spec.scan_type == "deals_at_risk":
        return f"{_count(deals, 'deal is', 'deals are')} open" if deals else None
    if spec.scan_type == "stale_leads":
        return f"nothing is planned for {_count(leads, 'open lead', 'open leads')}" if leads else None
    if spec.scan_type == "next_steps":
        return _need_for_steps(statistics)
    # The other scans, also those added later, need at least one record to examine.
    return f"it {spec.description[:1].lower()}{spec.description[1:].rstrip('.')}" if _has_any(context, spec) else None


def _need_for_steps(statistics: NextScanStatistics) -> str | None:
    waiting = statistics.suggestions_pending
    if waiting >= MANY_SUGGESTIONS or not (statistics.leads_open or statistics.opportunities_open):
        return None
    return f"{_count(waiting, 'suggestion is', 'suggestions are')} waiting for a decision"


def _has_any(context: ToolContext, spec: ScanSpec) -> bool:
    reader = ScanReader(context, max_records=1)
    return any(True for kind in spec.needs or _ANY for _ in reader.iterate(RECORD_TYPES[kind]))


_ANY = ("lead", "opportunity", "contact", "account")


def _count(number: int, singular: str, plural: str) -> str:
    return f"{number or 'no'} {singular if number == 1 else plural}"


# --- a model's choice

_INSTRUCTIONS = (
    "You advise which analysis of a CRM should run next. Choose one of the scans below, or none. Answer with one JSON "
    'object and nothing else: {"scanType": "<one of the types>" or null, "reason": "<one sentence>"}.'
)
# From the first brace to the last: some models put a sentence or a code fence around the object.
_OBJECT = re.compile(r"\{.*\}", re.DOTALL)
_MAX_REASON_LENGTH = 300


def _by_model(
    context: ToolContext,
    model: ChatModel,
    candidates: list[ScanSpec],
    latest: Mapping[str, PastScan],
    statistics: NextScanStatistics,
    deadline: float,
    selection: tuple[str | None, str | None],
) -> tuple[str | None, str] | None:
    """Return the model's choice; None when it fails or names no candidate."""
    facts = "\n".join(_format_facts(candidates, latest, statistics))
    messages = (ModelMessage("system", _INSTRUCTIONS), ModelMessage("user", facts))
    request = ModelRequest(
        messages,
        (),
        Caller(context.principal, context.now),
        deadline,
        capability=CAPABILITY,
        temperature=0.0,
        provider=selection[0],
        model=selection[1],
        json_mode=True,
    )
    try:
        text, _ = complete(model, request)
    # The user chose a provider or a model that does not exist: silence would hide the mistake.
    except InvalidInputError:
        raise
    except AishaError as error:
        context.log(f"No model advised on the next scan: {error.message}")
        return None
    return parse_recommendation(text, [spec.scan_type for spec in candidates])


def parse_recommendation(text: str, scan_types: Collection[str]) -> tuple[str | None, str] | None:
    """Return type (None for no scan) and reason from a model's reply; None when it has another form."""
    match = _OBJECT.search(text)
    try:
        reply = finite_json(match[0]) if match else None
    except ValueError:
        return None
    if not isinstance(reply, dict) or not isinstance(reason := reply.get("reason"), str) or not reason.strip():
        return None
    # A missing member is an invalid reply, while null means that no scan is needed.
    scan_type = reply.get("scanType", "")
    is_valid = scan_type is None or (isinstance(scan_type, str) and scan_type in scan_types)
    return (scan_type, shorten(reason, _MAX_REASON_LENGTH, placeholder=" …")) if is_valid else None


def _format_facts(
    candidates: list[ScanSpec], latest: Mapping[str, PastScan], statistics: NextScanStatistics
) -> Iterator[str]:
    for spec in candidates:
        last = latest.get(spec.scan_type)
        ran = "never ran" if last is None else f"last ran {last.at:%Y-%m-%d %H:%M}, {last.findings} findings"
        failed = " and failed" if last is not None and not last.succeeded else ""
        yield f"- {spec.scan_type}: {spec.description} When: {spec.when} It {ran}{failed}."
    yield "Figures: " + ", ".join(f"{name.replace('_', ' ')} {value}" for name, value in asdict(statistics).items())
