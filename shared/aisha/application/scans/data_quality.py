"""The scan for incomplete records and duplicates."""

from collections.abc import Callable, Iterator

from aisha.application.next_steps import NextStep, Situation
from aisha.application.next_steps.fallbacks import missing_details
from aisha.application.scans.contract import Finding, scan
from aisha.application.scans.judgement import RuleMatch, finding
from aisha.application.scans.reader import ScanReader
from aisha.application.scans.selection import OPEN_DEALS, OPEN_LEADS
from aisha.application.tooling.results import EntityRef
from aisha.domain.crm.records import Account, Contact, Lead, Opportunity, Record

DUPLICATE, NO_OWNER, INCOMPLETE_DEAL = 5, 5, 6
_Check = Callable[[Situation], Iterator[NextStep]]


@scan(
    title="Data Quality",
    description="Finds open leads, contacts, accounts and open deals without contact data, owner, amount or closing "
    "day, and those that share an email address or a name.",
    when="Once a week, and after an import.",
    every_hours=7 * 24,
)
def data_quality(reader: ScanReader) -> Iterator[Finding]:
    """Yield the most serious problem of each record; of duplicates, the later record has the finding."""
    duplicates = _Duplicates(reader)
    for record in _records(reader):
        situation = Situation(record, reader.now)
        checks: tuple[_Check, ...] = (incomplete_deal, duplicates.duplicate, without_owner, missing_details)
        matches = [RuleMatch(check.__name__, step) for check in checks for step in check(situation)]
        if matches:
            # Of equal scores the first wins: a duplicate matters more than a missing owner.
            yield finding(reader, max(matches, key=lambda match: match.step.score))


def incomplete_deal(situation: Situation) -> Iterator[NextStep]:
    """Score 6: an open deal without an amount or a closing day can't be in a forecast."""
    deal = situation.record
    if isinstance(deal, Opportunity):
        missing = [
            words for words, value in (("amount", deal.amount), ("closing day", deal.close_date)) if value is None
        ]
        if missing:
            yield _completion(deal, INCOMPLETE_DEAL, f"Complete {deal.name}", f"It has no {' and no '.join(missing)}")


def without_owner(situation: Situation) -> Iterator[NextStep]:
    """Score 5: the record has no owner."""
    record = situation.record
    if not record.owner:
        yield _completion(record, NO_OWNER, f"Give {situation.name} an owner", "Nobody is responsible for it")


class _Duplicates:
    """The records read so far by type and key: the email address, or the name of an account."""

    def __init__(self, reader: ScanReader) -> None:
        self._reader = reader
        self._first: dict[tuple[str, str], EntityRef] = {}

    def duplicate(self, situation: Situation) -> Iterator[NextStep]:
        """Score 5: an earlier record of the type has the same key."""
        record = situation.record
        if (key := duplicate_key(record)) is None:
            return
        first = self._first.setdefault((record.TYPE, key), EntityRef.of(record))
        # A full run has all records in `_first`; a sweep's page has only its own and needs a look-up.
        if first.id == record.id:
            first = self._reader.duplicate_elsewhere(record, key) or first
        if first.id != record.id:
            field = "name" if isinstance(record, Account) else "email address"
            reasoning = f"Another {record.TYPE} has the same {field}: {first.name}"
            yield NextStep(DUPLICATE, f"Check whether {situation.name} is there twice", reasoning, record)


def duplicate_key(record: Record) -> str | None:
    """Return what only one record of the type should have, casefolded: the email address, or an account's name."""
    if isinstance(record, Lead | Contact):
        return (record.email or "").strip().casefold() or None
    return record.name.casefold() if isinstance(record, Account) else None


def _completion(record: Record, score: int, action: str, reasoning: str) -> NextStep:
    return NextStep(score, action, reasoning, record, f"update_{record.TYPE}", {f"{record.TYPE}_id": record.id})


def _records(reader: ScanReader) -> Iterator[Record]:
    yield from reader.iterate(Opportunity, OPEN_DEALS)
    yield from reader.iterate(Lead, OPEN_LEADS)
    yield from reader.iterate(Contact)
    yield from reader.iterate(Account)
