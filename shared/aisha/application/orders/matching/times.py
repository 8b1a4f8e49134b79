"""Judge whether the user said the instant of a call, or moved a stored one to it."""

import itertools
from collections.abc import Mapping
from datetime import datetime
from typing import Any

from aisha.application.orders.matching.moments import days, is_at, is_joined, moment_in, same_clock
from aisha.application.orders.reading.utterance import Utterance
from aisha.domain.dates.parsing import next_working_day

_MAX_SECONDS_OFF = 1.0
_NOW_WORDS = frozenset("now asap immediately straightaway".split())
_ROUND_UP_SECONDS = 3601
"""Seconds within which "now" may be rounded up to the hour."""


class TimeCheck:
    """A check of the instants of one call. `stored` are the fields, as they are now, of the record that it changes."""

    def __init__(self, utterance: Utterance, stored: Mapping[str, Any]) -> None:
        self._utterance, self._stored = utterance, stored

    def is_stated(self, moment: datetime) -> bool:
        """Return whether the user said an instant: as a time, as a length from now, or by moving a stored one."""
        utterance = self._utterance
        ahead = moment.timestamp() - utterance.now.timestamp()
        if self._is_time_moved(moment) or self._is_length_stated(abs(ahead)):
            return True
        is_now = any(token.word in _NOW_WORDS for token in utterance.tokens)
        if is_now and -1 < ahead < _ROUND_UP_SECONDS:
            return True
        if not utterance.times:
            # The tools' own default.
            return moment.date() == next_working_day(utterance.now).date()
        if any(is_at(span, moment, utterance.now) for span in utterance.times):
            return True
        return any(is_joined(one, other, moment) for one, other in itertools.product(utterance.times, repeat=2))

    def _is_length_stated(self, seconds: float) -> bool:
        """Return whether the user said a length of time, in minutes."""
        return any(abs(seconds - 60 * minutes) < _MAX_SECONDS_OFF for minutes in self._utterance.numbers)

    def _is_time_moved(self, moment: datetime) -> bool:
        """Return whether an instant is a stored one on another day or at another hour, or later by a length said."""
        now = self._utterance.now
        for text in self._stored.values():
            if not isinstance(text, str) or (stored := moment_in(text, now)) is None:
                continue
            old, new = stored.astimezone(now.tzinfo), moment.astimezone(now.tzinfo)
            # Two weeks later is at the same hour, also where the clocks have changed.
            if self._is_length_stated(abs((new.replace(tzinfo=None) - old.replace(tzinfo=None)).total_seconds())):
                return True
            if "T" not in text:
                continue
            is_hour = any(number in (new.hour, new.hour % 12 or 12) for number in self._utterance.numbers)
            if old.date() == new.date() and new.minute == 0 and is_hour:
                # "Make it 11."
                return True
            for span in self._utterance.times:
                if old.date() == new.date() and same_clock(new, span):
                    return True
                first, last = days(span.first, span.last, now, span.moment(now))
                if old.time() == new.time() and span.clock is None and first <= new.date() <= last:
                    return True
        return False
