"""The scan for open leads without contact."""

from collections.abc import Iterator

from aisha.application.next_steps import SILENT_DAYS
from aisha.application.next_steps.record_rules import silent, warm_without_activity
from aisha.application.records.lead_score import reasons_for, score_of
from aisha.application.scans.contract import Finding, scan
from aisha.application.scans.judgement import Judgement, finding
from aisha.application.scans.reader import ScanReader
from aisha.application.scans.selection import OPEN_LEADS
from aisha.domain.crm.records import Lead


@scan(
    title="Stale Leads",
    description=f"Finds open leads without contact for more than {SILENT_DAYS} days and nothing planned, and warm "
    "leads that nothing is planned for; the best scores come first.",
    when="Once a day, and after an import or a change of owners.",
    every_hours=24,
    needs=("lead",),
)
def stale_leads(reader: ScanReader) -> Iterator[Finding]:
    """Yield one finding for each lead, the best score first."""
    judgement = Judgement(reader)
    scored: list[tuple[int, Finding]] = []
    for lead in reader.iterate(Lead, OPEN_LEADS):
        steps = judgement.steps(lead, (warm_without_activity, silent))
        if steps:
            score = _score(lead, judgement)
            text = f"{steps[0].step.action}: {steps[0].step.reasoning} (score {score})"
            scored.append((score, finding(reader, steps[0], text)))
    # The key is the score alone: on equal scores, whole pairs would compare findings, which have no order.
    yield from (lead_finding for _, lead_finding in sorted(scored, key=lambda pair: -pair[0]))


def _score(lead: Lead, judgement: Judgement) -> int:
    """Return the score that a person set, else the computed one."""
    if lead.score is not None:
        return lead.score
    situation = judgement.situation(lead)
    return score_of(reasons_for(lead, situation.now, situation.activities or ()))
