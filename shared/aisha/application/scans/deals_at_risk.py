"""The scan for open deals that may be lost or slip."""

from collections.abc import Iterator, Sequence
from functools import wraps
from itertools import batched

from aisha.application.next_steps import CLOSING_DAYS, NextStep, Situation
from aisha.application.next_steps.record_rules import at_risk, closing, without_next_step
from aisha.application.scans.contract import Finding, scan
from aisha.application.scans.judgement import Judgement, RuleMatch, finding
from aisha.application.scans.reader import ScanReader
from aisha.application.scans.selection import OPEN_DEALS
from aisha.domain.crm.queries import MAX_LIMIT
from aisha.domain.crm.records import Account, Opportunity, Record


# Under the name of the rule that it narrows: a deal has one suggestion for its closing day, whichever scan finds it.
@wraps(closing, assigned=("__name__",))
def closing_unattended(situation: Situation) -> Iterator[NextStep]:
    """Apply the rule about closing days to a deal whose day has passed or for which nothing is planned."""
    deal = situation.record
    if isinstance(deal, Opportunity) and deal.close_date is not None:
        has_passed = deal.close_date < situation.now.date()
        if has_passed or not situation.scheduled:
            yield from closing(situation)


@scan(
    title="Deals at Risk",
    description=f"Finds open deals whose closing day has passed or comes within {CLOSING_DAYS} days with nothing "
    "planned, deals without a next step, and deals of accounts that are at risk or churning.",
    when="Once a day while there are open deals, and before a forecast or a pipeline review.",
    every_hours=24,
    needs=("opportunity",),
)
def deals_at_risk(reader: ScanReader) -> Iterator[Finding]:
    """Yield one finding for each deal, with all its reasons."""
    judgement = Judgement(reader)
    # In batches, so that their accounts take one request instead of one for each deal.
    for deals in batched(reader.iterate(Opportunity, OPEN_DEALS), MAX_LIMIT):
        accounts = reader.get_many([("account", deal.account_id) for deal in deals if deal.account_id])
        for deal in deals:
            risks = judgement.steps(deal, (closing_unattended, without_next_step))
            risks += _account_risks(judgement, accounts.get(deal.account_id or ""))
            if risks:
                yield _finding(reader, deal, risks)


def _account_risks(judgement: Judgement, account: Record | None) -> Sequence[RuleMatch]:
    return judgement.steps(account, (at_risk,)) if isinstance(account, Account) else ()


def _finding(reader: ScanReader, deal: Opportunity, risks: Sequence[RuleMatch]) -> Finding:
    worst = max(risks, key=lambda risk: risk.step.score)
    reasons = ". ".join(dict.fromkeys(_reason(risk.step) for risk in risks))
    return finding(reader, worst, f"{deal.name}: {reasons}", deal)


def _reason(step: NextStep) -> str:
    if isinstance(step.record, Account):
        return f"{step.reasoning} ({step.record.name})"
    return step.reasoning
