"""Choices: reading which of a question's alternatives the user's words choose."""

import re
from collections.abc import Sequence

from aisha.domain.conversations.conversation import Alternative

_ORDINALS = "first second third fourth fifth sixth seventh eighth ninth tenth".split()
_FILLERS = frozenset(
    "the one ones number no option please i i'd mean meant take choose want it it's that's is with from at of for a an "
    "and yes ok okay sure thanks thank you".split()
)
"""Words that may accompany a choice. Any other word makes the message another request."""
_WORD = re.compile(r"[\w@.'-]+")


def find_choice(text: str, alternatives: Sequence[Alternative]) -> Alternative | None:
    """Return the alternative that the text chooses by its number or by words of its label, None for any other text."""
    whole = text.strip().lower()
    for alternative in alternatives:
        value, label = alternative.value, alternative.label
        if whole in (value, label.lower(), f"{value}. {label}".lower()):
            return alternative
    # Dots and dashes inside a word belong to it (`ann@abc.example`), those at its ends do not ("2.").
    words = [word.strip(".'") for word in _WORD.findall(whole)]
    numbered = _find_by_number(words, alternatives)
    chosen = numbered or _find_by_name(set(words), alternatives)
    if chosen is None:
        return None
    allowed = _label_words(chosen) | _FILLERS | ({chosen.value, *_ORDINALS, "last"} if numbered else set())
    return chosen if set(words) <= allowed else None


def _find_by_number(words: Sequence[str], alternatives: Sequence[Alternative]) -> Alternative | None:
    numbers = [word for word in words if word.isdecimal()] or [
        str(number) for number, word in enumerate(_ORDINALS, 1) if word in words
    ]
    if not numbers and "last" in words:
        return alternatives[-1]
    # Two numbers ("1 and 2") choose none.
    return next((alternative for alternative in alternatives if [alternative.value] == numbers), None)


def _find_by_name(words: set[str], alternatives: Sequence[Alternative]) -> Alternative | None:
    scored = [(len((words - _FILLERS) & _label_words(alternative)), alternative) for alternative in alternatives]
    best_score = max((score for score, _ in scored), default=0)
    best = [alternative for score, alternative in scored if score == best_score]
    # A word that several labels share ("Russel") does not choose between them.
    return best[0] if best_score and len(best) == 1 else None


def _label_words(alternative: Alternative) -> set[str]:
    return {word.strip(".'") for word in _WORD.findall(alternative.label.lower())}
