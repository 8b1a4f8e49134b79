"""Records that lack what the work needs, and records that seem to be there twice."""

from collections.abc import Callable, Iterator

from aisha.application.next_steps import NextStep, Situation
from aisha.application.next_steps.fallbacks import missing_details
from aisha.application.scans.contract import Finding, scan
from aisha.application.scans.judgement import Judged, finding
from aisha.application.scans.reader import ScanReader
from aisha.application.scans.selection import OPEN_DEALS, OPEN_LEADS
from aisha.domain.records import Account, Contact, Lead, Opportunity, Record

DUPLICATE, NO_OWNER, INCOMPLETE_DEAL = 5, 5, 6
_Check = Callable[[Situation], Iterator[NextStep]]


@scan(
    title="Data Quality",
    description="Finds open leads, contacts, accounts and open deals without contact data, owner, amount or closing day, "
    "and those that share an email address or a name.",
    when="Once a week, and after an import.",
    every_hours=7 * 24,
)
def data_quality(reader: ScanReader) -> Iterator[Finding]:
    """The most serious lack of each record, and one finding for each record that repeats an earlier one."""
    twins = _Twins(reader)
    for record in _records(reader):
        situation = Situation(record, reader.now)
        checks: tuple[_Check, ...] = (incomplete_deal, twins.duplicate, without_owner, missing_details)
        found = [Judged(check.__name__, step) for check in checks for step in check(situation)]
        if found:
            yield finding(reader, max(found, key=lambda one: one.step.score))


def incomplete_deal(situation: Situation) -> Iterator[NextStep]:
    """6: an open deal that no forecast can count."""
    deal = situation.record
    if isinstance(deal, Opportunity):
        missing = [
            words for words, value in (("amount", deal.amount), ("closing day", deal.close_date)) if value is None
        ]
        if missing:
            yield _completion(deal, INCOMPLETE_DEAL, f"Complete {deal.name}", f"It has no {' and no '.join(missing)}")


def without_owner(situation: Situation) -> Iterator[NextStep]:
    """5: nobody is responsible."""
    record = situation.record
    if not record.owner:
        yield _completion(record, NO_OWNER, f"Give {situation.name} an owner", "Nobody is responsible for it")


class _Twins:
    """What marks records as the same, as far as seen: an email address within a type, the name of an account."""

    def __init__(self, reader: ScanReader) -> None:
        self._reader = reader
        self._first: dict[tuple[str, str], Record] = {}

    def duplicate(self, situation: Situation) -> Iterator[NextStep]:
        """5: another record of the type came before with the same mark."""
        record = situation.record
        if (mark := _mark(record)) is None:
            return
        first = self._first.setdefault((record.TYPE, mark.casefold()), record)
        if first.id == record.id:
            first = self._reader.twin_elsewhere(record, mark) or record
        if first.id != record.id:
            what = "name" if isinstance(record, Account) else "email address"
            reasoning = f"Another {record.TYPE} has the same {what}: {first.display_name}"
            yield NextStep(DUPLICATE, f"Check whether {situation.name} is there twice", reasoning, record)


def _mark(record: Record) -> str | None:
    if isinstance(record, Lead | Contact):
        return (record.email or "").strip() or None
    return record.name if isinstance(record, Account) else None


def _completion(record: Record, score: int, action: str, reasoning: str) -> NextStep:
    return NextStep(score, action, reasoning, record, f"update_{record.TYPE}", {f"{record.TYPE}_id": record.id})


def _records(reader: ScanReader) -> Iterator[Record]:
    yield from reader.walk(Opportunity, OPEN_DEALS)
    yield from reader.walk(Lead, OPEN_LEADS)
    yield from reader.walk(Contact)
    yield from reader.walk(Account)
