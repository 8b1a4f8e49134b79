"""How far a goal is, from its key results. Pure."""

from collections.abc import Sequence

from aisha.domain.records import Goal, KeyResult


def achieved(result: KeyResult) -> int:
    """Percent of the target, 0 to 100, rounded down, so that 100 means reached.

    A target of zero or less is something to bring down: reached or not, nothing between, as nobody knows where it began.
    """
    if result.target <= 0:
        return 100 if result.current <= result.target else 0
    return max(0, min(100, int(100 * result.current / result.target)))


def missing(result: KeyResult) -> float:
    """What is left to the target, 0 when it is reached."""
    gap = result.target - result.current if result.target > 0 else result.current - result.target
    return max(0.0, round(gap, 6))


def progress(results: Sequence[KeyResult]) -> int | None:
    """The mean over the key results, rounded down; None without any."""
    return sum(achieved(result) for result in results) // len(results) if results else None


def current_progress(goal: Goal) -> int:
    """By the key results where there are any, else as it was set."""
    known = progress(goal.key_results)
    return goal.progress if known is None else known
