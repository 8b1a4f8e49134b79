"""Times and lengths of time in a text."""

from aisha.domain.dates.durations import length_in_days
from aisha.domain.dates.parsing import find_times

__all__ = ["find_times", "length_in_days"]
