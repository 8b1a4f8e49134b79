"""The scan for the best next step of every open record of the pipeline."""

from collections.abc import Iterator

from aisha.application.next_steps import RULES, late
from aisha.application.next_steps.record_rules import overdue, upcoming
from aisha.application.scans.contract import Finding, scan
from aisha.application.scans.judgement import Judgement, RuleMatch, finding
from aisha.application.scans.reader import ScanReader
from aisha.application.scans.selection import OPEN_DEALS, OPEN_LEADS, TROUBLED_ACCOUNTS
from aisha.domain.crm.records import Account, Lead, Opportunity, Record

# Overdue activities have findings of their own, not one for each record. Coming appointments need no action.
_RULES = tuple(rule for rule in RULES if rule not in (overdue, upcoming))


@scan(
    title="Next Steps",
    description="Looks at every open lead and deal, accounts at risk, notes and planned activities, and says what is "
    "most worth doing next about each.",
    when="In the morning of a working day, or when few suggestions are left.",
    every_hours=24,
)
def next_steps(reader: ScanReader) -> Iterator[Finding]:
    """Yield every overdue activity and the most pressing step of each record."""
    judgement = Judgement(reader, with_notes=True)
    for activity in judgement.planned:
        if activity.due_at is not None and activity.due_at < reader.now:
            yield finding(reader, RuleMatch("overdue", late(activity, reader.now)))
    seen: set[str] = set()
    for record in _records(reader, judgement):
        # An account at risk with a note that asks for something comes twice.
        if record.id not in seen:
            seen.add(record.id)
            for match in judgement.steps(record, _RULES)[:1]:
                yield finding(reader, match)


def _records(reader: ScanReader, judgement: Judgement) -> Iterator[Record]:
    yield from reader.iterate(Opportunity, OPEN_DEALS)
    yield from reader.iterate(Account, TROUBLED_ACCOUNTS)
    yield from reader.iterate(Lead, OPEN_LEADS)
    yield from reader.get_many([pair for pair in judgement.noted if pair[0] in ("contact", "account")]).values()
