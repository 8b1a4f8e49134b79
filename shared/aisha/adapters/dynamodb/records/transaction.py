"""Plan the transaction that saves changed records with their index entries and counters."""

from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from aisha.adapters.dynamodb.records.index import Key, counters, entries, record_key
from aisha.domain.crm.queries import Written
from aisha.domain.crm.record_json import encode_item
from aisha.domain.crm.records import Record
from aisha.domain.errors import InvalidInputError
from aisha.domain.search.counts import Counts
from aisha.domain.search.words import record_words

MAX_TRANSACTION_ITEMS = 100
"""DynamoDB's own limit."""


class Put(NamedTuple):
    """A whole item. `expected` is the version that the stored item must have, 0: there must be none, None: any."""

    key: Key
    body: str | None = None
    version: int | None = None
    expected: int | None = None
    expires_at: int | None = None


class Remove(NamedTuple):
    """The removal of an item that has the `expected` version, None: any."""

    key: Key
    expected: int | None = None


class Add(NamedTuple):
    """Numbers to add to a counter item."""

    key: Key
    counts: Counts


Step = Put | Remove | Add


class Pair(NamedTuple):
    """A record before and after all changes of a write; None where it does not exist."""

    before: Record | None
    after: Record | None


class TransactionPlan(NamedTuple):
    """`early` are index entries to put before the transaction, `late` those to remove after it; both may be empty.

    They hold only the entries that don't fit into the transaction. Searches check each entry against its record, so
    an early entry shows nothing yet and a late one nothing any more.
    """

    transaction: list[Step]
    early: list[Key]
    late: list[Key]


def pairs(stored: Mapping[str, Record], results: Iterable[Written]) -> list[Pair]:
    """Return each record once, before and after; records created and deleted in one write are left out."""
    last = {result.record.id: result.after for result in results}
    changed = (Pair(stored.get(record_id), after) for record_id, after in last.items())
    return [pair for pair in changed if pair.before or pair.after]


def new_words(changed: Iterable[Pair]) -> dict[tuple[str, str], set[str]]:
    """Return, by `(tenant, type)`, the words that these records did not have before."""
    added: dict[tuple[str, str], set[str]] = {}
    for before, after in changed:
        if after:
            old = set(record_words(before)) if before else set()
            added.setdefault((after.tenant_id, after.TYPE), set()).update(set(record_words(after)) - old)
    return added


def plan_transaction(tenant: str, changed: Sequence[Pair], result: Put | None) -> TransactionPlan:
    """Return all steps of a write. Raises `InvalidInputError` when they can't be one transaction.

    Records, counters and entries that move must be in the transaction; new entries of records and old entries of
    deleted records fill what room is left.
    """
    steps: list[Step] = [result] if result else []
    steps += [_record_step(tenant, pair) for pair in changed]
    steps += _counter_steps(changed)
    puts: list[Key] = []
    late: list[Key] = []
    for pair in changed:
        old, new = _entries(pair.before), _entries(pair.after)
        puts += sorted(new - old)
        if pair.after:
            steps += [Remove(key) for key in sorted(old - new)]
        else:
            late += sorted(old)
    if len(steps) > MAX_TRANSACTION_ITEMS:
        raise InvalidInputError("That is too much for one step. Change fewer records at once.")
    room = MAX_TRANSACTION_ITEMS - len(steps)
    # Removals first: a write that is cut off before its transaction is tried again, one cut off after it is not.
    removed = late[:room]
    inside = puts[: room - len(removed)]
    steps += [*(Remove(key) for key in removed), *(Put(key) for key in inside)]
    return TransactionPlan(steps, puts[len(inside) :], late[len(removed) :])


def _entries(record: Record | None) -> frozenset[Key]:
    return entries(record) if record else frozenset()


def _record_step(tenant: str, pair: Pair) -> Step:
    if pair.after is None:
        assert pair.before is not None  # noqa: S101 - `pairs` leaves out pairs of None
        return Remove(record_key(tenant, pair.before.id), expected=pair.before.version)
    # Of two writers at once, the condition on the version lets only one through.
    expected = pair.before.version if pair.before else 0
    return Put(record_key(tenant, pair.after.id), encode_item(pair.after), pair.after.version, expected)


def _counter_steps(changed: Iterable[Pair]) -> list[Step]:
    sums: dict[Key, Counts] = {}
    for pair in changed:
        for record, sign in ((pair.before, -1), (pair.after, 1)):
            for key, counts in counters(record).items() if record else ():
                sums[key] = sums.get(key, Counts()).plus(counts, sign)
    # A change that moves no sum, such as a new name, touches no counter.
    return [Add(key, counts) for key, counts in sorted(sums.items()) if counts != Counts()]
