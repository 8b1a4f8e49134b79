"""What tells that another writer was there first, and how long to wait before the next try."""

from random import uniform

from pynamodb.exceptions import TransactWriteError

from aisha.domain.errors import AishaError

LOST = "ConditionalCheckFailedException"
"""The code of a single write whose condition does not hold."""
COLLISIONS = frozenset(
    "ConditionalCheckFailed TransactionConflict TransactionInProgressException TransactionConflictException "
    "ThrottlingError ProvisionedThroughputExceeded".split()
)


class CollisionError(AishaError):
    """Another writer was there first: read again and decide again."""


def codes_of(error: TransactWriteError) -> set[str]:
    """Of a cancelled transaction: its own code and those of its items."""
    return {reason.code for reason in error.cancellation_reasons if reason} | {error.cause_response_code or ""}


def pause_after(tried: int, longest: float = 0.25) -> float:
    """Seconds to wait after so many earlier tries. Full jitter: 0 to 10 ms, doubling with each try up to `longest`."""
    return uniform(0, min(longest, 0.01 * 2**tried))  # noqa: S311 - spreads writers, guards nothing
