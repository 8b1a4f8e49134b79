"""Judge whether the numbers of a call are the user's, or follow from what they said."""

from collections.abc import Mapping, Sequence
from typing import Any

from aisha.application.orders.matching.placement import counted, given_numbers, is_only_field_for, staff_counts
from aisha.application.orders.matching.texts import TextCheck
from aisha.application.orders.reading.utterance import Utterance
from aisha.domain.language import lexicon
from aisha.domain.language.amounts import find_amounts

_POINTS = frozenset("points point pts".split())
"""The unit of a score."""
_ROUNDING = 1.0
"""A difference of amounts below this is none."""
_INCREASE_WORDS = frozenset("raise raised increase increased up add more plus grow grew higher bump".split())
_DECREASE_WORDS = frozenset(
    "lower lowered decrease decreased reduce reduced down less minus cut drop dropped off".split()
)
_STEP_WORDS = frozenset(("by", "percent"))


class NumberCheck:
    """A check of the numbers of one call. `acts` order it; `stored` are its record's fields."""

    def __init__(
        self,
        utterance: Utterance,
        acts: Sequence[str],
        texts: TextCheck,
        stored: Mapping[str, Any],
        properties: Mapping[str, Any],
    ) -> None:
        self._utterance, self._acts, self._texts = utterance, acts, texts
        self._stored, self._properties = stored, properties

    def is_stated(self, name: str, value: float, *, is_named: bool) -> bool:
        """Return whether the user said a number for an argument. `is_named` is True if they named its field."""
        words = [token.word for token in self._utterance.tokens]
        is_place = name == "place" and value in lexicon.ordinals_in(words)
        is_stated = self._texts.is_number_stated(value) and self._is_of_field(name, value, is_named=is_named)
        return is_place or is_stated or self._is_computed(name, value)

    def _is_of_field(self, name: str, value: float, *, is_named: bool) -> bool:
        """Return whether a number that changes a field has its name, fits no other, or is a sum of money or a share."""
        if "update_record" not in self._acts or is_named:
            return True
        if name == "employee_count" and value in staff_counts(self._utterance.tokens):
            return True
        if name == "score" and value in counted(self._utterance.tokens, _POINTS):
            return True
        if is_only_field_for(name, value, self._properties) and value in given_numbers(self._utterance.segments):
            return True
        amounts = (one for text in self._utterance.texts for one in find_amounts(text))
        return any((one.is_money or one.is_percent) and abs(one.value - value) < _ROUNDING for one in amounts)

    def _is_computed(self, name: str, value: float) -> bool:
        """Return whether a number is the stored one, more or less by what was said: "raise it by 10%"."""
        stored = _number(self._stored.get(name))
        if stored is None:
            return False
        words = {token.word for token in self._utterance.tokens}
        is_increase, is_decrease = bool(words & _INCREASE_WORDS), bool(words & _DECREASE_WORDS)
        if value < stored and is_increase and not is_decrease:
            return False
        if value > stored and is_decrease and not is_increase:
            return False
        is_change = is_increase or is_decrease or bool(words & _STEP_WORDS)
        # "Raise it to 88" says no step.
        steps = self._utterance.numbers.difference(given_numbers(self._utterance.segments))
        changes = (change for stated in steps for change in (stated, stored * stated / 100))
        return is_change and any(abs(abs(value - stored) - change) < _ROUNDING for change in changes)


def _number(stored: Any) -> float | None:
    """Return a stored number, also one that is stored as text to the last digit."""
    if isinstance(stored, bool) or not isinstance(stored, str | int | float):
        return None
    try:
        return float(stored)
    except ValueError:
        return None
