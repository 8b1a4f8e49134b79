"""Transactions and conditional writes: tell a lost race from a failure, and pace the next try."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from random import uniform

from pynamodb.exceptions import TransactWriteError
from pynamodb.models import Model
from pynamodb.transactions import TransactWrite

from aisha.adapters.dynamodb.tables import failure_code, storage_errors
from aisha.domain.errors import AishaError

CONDITION_FAILED = "ConditionalCheckFailedException"
"""The code of a single write whose condition does not hold."""
# Throttling is among them: like a lost race it passes when the write is repeated after a pause.
COLLISION_CODES = frozenset(
    "ConditionalCheckFailed TransactionConflict TransactionInProgressException TransactionConflictException "
    "ThrottlingError ProvisionedThroughputExceeded".split()
)


class CollisionError(AishaError):
    """Another writer was first: read again and decide again."""


@contextmanager
def transaction(model: type[Model], too_large: Callable[[str], AishaError] | None = None) -> Iterator[TransactWrite]:
    """Collect writes and commit all or none of them at the end of the block.

    Raises `CollisionError` when another writer was first, the error that `too_large` makes of DynamoDB's message when
    an item exceeds its size limit, `UnavailableError`.
    """
    with storage_errors():
        try:
            with TransactWrite(connection=model._get_connection().connection) as writes:
                yield writes
        except TransactWriteError as error:
            reasons = [reason for reason in error.cancellation_reasons if reason]
            codes = {reason.code for reason in reasons} | {failure_code(error) or ""}
            if collisions := codes & COLLISION_CODES:
                raise CollisionError(min(collisions)) from error
            # A cancelled transaction names the size in the item's reason, a refused request in its own message.
            message = " ".join(filter(None, (_message(error), *(reason.message for reason in reasons))))
            is_invalid = codes & {"ValidationError", "ValidationException"}
            if too_large and is_invalid and "size" in message.lower():
                raise too_large(message) from error
            raise


def _message(error: TransactWriteError) -> str | None:
    return error.cause_response_message if failure_code(error) else None


def pause_after(tries: int, max_seconds: float = 0.25) -> float:
    """Return the seconds to wait after this many tries.

    Full jitter: at random from 0 to 10 ms, doubling with each try up to `max_seconds`.
    """
    return uniform(0, min(max_seconds, 0.01 * 2**tries))  # noqa: S311 - spreads writers, guards nothing
