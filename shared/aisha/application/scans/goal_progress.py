"""The scan for goals that fall behind schedule, and for goals that are reached but not closed."""

import re
from collections.abc import Iterator, Sequence
from datetime import date

from aisha.application.scans.contract import Finding, scan
from aisha.application.scans.judgement import may_call
from aisha.application.scans.reader import ScanReader
from aisha.application.scans.selection import OPEN_GOALS
from aisha.application.tooling.results import EntityRef
from aisha.domain.crm.enumerations import GoalStatus
from aisha.domain.crm.records import Goal, KeyResult
from aisha.domain.dates.day_words import period_days

BEHIND_PERCENT = 20
"""Percentage points by which progress trails the elapsed time to become a finding; twice that is more urgent."""
ENDED, FAR_BEHIND, TRAILING, REACHED, UNMEASURED = 9, 8, 7, 6, 4
# A year of this century, a quarter such as `Q1` and a month such as `2026-03`.
_YEAR = re.compile(r"\b(20\d\d)\b")
_QUARTER = re.compile(r"\bQ([1-4])\b", re.IGNORECASE)
_MONTH = re.compile(r"\b20\d\d-(0[1-9]|1[0-2])\b")


@scan(
    title="Goal Progress",
    description="Compares each open goal's progress with the time that has passed of its period, and finds goals that "
    "trail, are over without being reached, are reached but still open, or have nothing to be measured by.",
    when="Once a week, and in the last week of a period.",
    every_hours=7 * 24,
    needs=("goal",),
)
def goal_progress(reader: ScanReader) -> Iterator[Finding]:
    """Yield at most one finding for each goal."""
    for goal in reader.iterate(Goal, OPEN_GOALS):
        yield from _check(reader, goal)


def parse_period(period: str | None) -> tuple[date, date] | None:
    """Return the first and last day of a goal's period (`Q1 2026`, `2026-Q1`, `2026-03`, `2026`), else None."""
    year = _YEAR.search(period or "")
    if period is None or year is None:
        return None
    if quarter := _QUARTER.search(period):
        # The first day of the quarter's last month: any of its days would do.
        return period_days("quarter", date(int(year[1]), 3 * int(quarter[1]), 1))
    if month := _MONTH.search(period):
        return period_days("month", date(int(year[1]), int(month[1]), 1))
    # Other words, as in `FY 2026` or `first half of 2026`, may mean another period than the calendar year.
    is_year_alone = period.strip() == year[1]
    return period_days("year", date(int(year[1]), 1, 1)) if is_year_alone else None


def _check(reader: ScanReader, goal: Goal) -> Iterator[Finding]:
    progress, days, today = current_progress(goal), parse_period(goal.period), reader.now.date()
    # The order matters: a goal that is reached is not late, even when its period is over.
    if progress == 100:
        close = {"goal_id": goal.id, "status": GoalStatus.DONE.value}
        yield _finding(reader, goal, "reached", REACHED, "It is reached and still open", close)
    elif days is not None and days[1] < today:
        text = f"Its period ({goal.period}) is over at {progress}%{_format_gaps(goal)}"
        yield _finding(reader, goal, "period_over", ENDED, text, {"goal_id": goal.id})
    elif days is not None and (gap := _elapsed(days, today) - progress) >= BEHIND_PERCENT:
        text = f"It stands at {progress}% with {_elapsed(days, today)}% of {goal.period} gone{_format_gaps(goal)}"
        yield _finding(
            reader, goal, "behind", FAR_BEHIND if gap >= 2 * BEHIND_PERCENT else TRAILING, text, {"goal_id": goal.id}
        )
    elif not goal.key_results:
        yield _finding(reader, goal, "unmeasured", UNMEASURED, "It has no key results to measure it by", None)


def _finding(
    reader: ScanReader, goal: Goal, kind: str, priority: int, text: str, arguments: dict[str, str] | None
) -> Finding:
    may_run = arguments is not None and may_call(reader, "update_goal")
    return Finding(
        kind=kind,
        entity=EntityRef.of(goal),
        text=f"{goal.title}: {text}",
        priority=priority,
        tool="update_goal" if may_run else None,
        arguments=arguments if may_run else None,
        owner=goal.owner,
    )


def _elapsed(days: tuple[date, date], today: date) -> int:
    """Return the percentage of the period that has passed up to yesterday."""
    first, last = days
    return max(0, min(100, 100 * (today - first).days // ((last - first).days + 1)))


def _format_gaps(goal: Goal) -> str:
    gaps = [f"{result.title}: {missing(result):g} to go" for result in goal.key_results if missing(result)]
    return f": {'; '.join(gaps)}" if gaps else ""


def achieved(result: KeyResult) -> int:
    """Return the percentage of the target, 0 to 100, rounded down so that 100 means reached.

    A target of zero or less is something to reduce. It is 0 or 100, as the starting value is not stored.
    """
    if result.target <= 0:
        return 100 if result.current <= result.target else 0
    return max(0, min(100, int(100 * result.current / result.target)))


def missing(result: KeyResult) -> float:
    """Return how much is left to the target, 0 when it is reached."""
    gap = result.target - result.current if result.target > 0 else result.current - result.target
    # Rounded, so that an error of floating point (0.1 + 0.2 is not 0.3) does not count as something left.
    return max(0.0, round(gap, 6))


def progress(results: Sequence[KeyResult]) -> int | None:
    """Return the mean percentage of the key results, rounded down; None without any."""
    return sum(achieved(result) for result in results) // len(results) if results else None


def current_progress(goal: Goal) -> int:
    """Return the progress by the goal's key results, else the stored progress."""
    measured = progress(goal.key_results)
    return goal.progress if measured is None else measured
