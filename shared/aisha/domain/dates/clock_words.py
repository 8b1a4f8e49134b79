"""Parse the time of day in words: "at 3pm", "half past two", "noon", "in the evening", "end of business"."""

import re
from datetime import time
from functools import cache

from aisha.domain.dates.day_words import whole

WORKDAY_START = time(9)
WORKDAY_END = time(17)
_PARTS = {
    "morning": 9,
    "noon": 12,
    "midday": 12,
    "lunchtime": 12,
    "lunch": 12,
    "afternoon": 15,
    "evening": 18,
    "night": 19,
    "midnight": 0,
}


@cache
def clock_pattern() -> re.Pattern[str]:
    """Return the pattern of a clock time or a part of the day in a sentence, for `clock_of`."""
    return re.compile(
        # Not within a word, a time or an amount, e.g. the 9 of "$9".
        r"(?<![\w:$€£.,-])(?:(?:at|@|around|about|for|by)\s+)?(?:"
        # E.g. "half past two", "quarter to 9".
        r"(?P<past>half|quarter)\s+(?P<side>past|to)\s+(?P<word>1[0-2]|[1-9]|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve)"
        # E.g. "3pm", "10:30 a.m.", "nine am".
        r"|(?P<h>[01]?\d|2[0-3]|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve)(?:[:.h](?P<m>[0-5]\d))?\s*(?P<half>[ap]\.?m\b\.?)"
        # E.g. "15:00", "15h30".
        r"|(?P<h2>[01]?\d|2[0-3])[:h](?P<m2>[0-5]\d)"
        # E.g. "3 o'clock".
        r"|(?P<h3>[01]?\d|2[0-3]|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve)\s*o'?\s?clock"
        # E.g. "in the evening", "at noon".
        r"|(?:(?:in\s+the|the|at)\s+)?(?P<part>morning|noon|midday|lunchtime|lunch|afternoon|evening|night|midnight)"
        # E.g. "by the end of the day", "EOD", "close of business", "first thing".
        r"|(?P<eod>(?:the\s+)?end\s+of\s+(?:the\s+)?(?:business\s+)?day|eod|cob|close\s+of\s+business)|(?P<first>first\s+thing))(?!\w)",
        re.IGNORECASE,
    )


# E.g. "at 3", but not "at 3/4", "at 30%" or "at 3pm", which the other pattern reads.
AT_HOUR = re.compile(
    r"(?<!\w)(?:at|@|around)\s+(?P<h>[01]?\d|2[0-3]|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve)(?![\w:/%]|\s*(?:percent|am|pm))",
    re.IGNORECASE,
)
"""A bare hour is a time only after one of these words. For `clock_of`."""


def clock_of(match: re.Match[str]) -> time:
    """Return the time of day of a match of `clock_pattern()` or `AT_HOUR`."""
    parts = match.groupdict()
    if parts.get("past"):
        hour, minutes = whole(parts["word"].lower()), 30 if parts["past"].lower() == "half" else 15
        if parts["side"].lower() == "to":
            hour, minutes = hour - 1, 60 - minutes
        return time(_office_hour(hour), minutes)
    if parts.get("part"):
        return time(_PARTS[parts["part"].lower()])
    if parts.get("eod"):
        return WORKDAY_END
    if parts.get("first"):
        return WORKDAY_START
    if parts.get("half"):
        hour = whole(parts["h"].lower()) % 12 + (12 if parts["half"].lower().startswith("p") else 0)
        return time(hour, int(parts["m"] or 0))
    if parts.get("h2"):
        return time(int(parts["h2"]), int(parts["m2"]))
    return time(_office_hour(whole((parts.get("h3") or parts["h"]).lower())))


def _office_hour(hour: int) -> int:
    """Return the hour between 7 and 18 for an hour without am or pm: "at 3" is 15:00, "at 8" is 08:00."""
    return hour + 12 if hour < 7 else hour
