"""Which of the alternatives that a question offered the user's words choose."""

import re
from collections.abc import Sequence

from aisha.domain.conversation import Alternative

_ORDINALS = "first second third fourth fifth sixth seventh eighth ninth tenth".split()
_FILLERS = frozenset(
    "the one ones number no option please i i'd mean meant take choose want it it's that's is with from at of for a an and yes ok "
    "okay sure thanks thank you".split()
)
"""What may stand beside a choice. Anything else makes it another request."""
_WORD = re.compile(r"[\w@.'-]+")


def choice_in(text: str, alternatives: Sequence[Alternative]) -> Alternative | None:
    """The alternative that the words choose, by number or by words of its label; None when they say anything else."""
    whole = text.strip().lower()
    for one in alternatives:
        if whole in (one.value, one.label.lower(), f"{one.value}. {one.label}".lower()):
            return one
    words = [word.strip(".'") for word in _WORD.findall(whole)]
    numbered = _by_number(words, alternatives)
    chosen = numbered or _by_name(set(words), alternatives)
    if chosen is None:
        return None
    known = _words_of(chosen) | _FILLERS | ({chosen.value, *_ORDINALS, "last"} if numbered else set())
    return chosen if set(words) <= known else None


def _by_number(words: Sequence[str], alternatives: Sequence[Alternative]) -> Alternative | None:
    said = [word for word in words if word.isdecimal()] or [
        str(place) for place, word in enumerate(_ORDINALS, 1) if word in words
    ]
    if not said and "last" in words:
        return alternatives[-1]
    return next((one for one in alternatives if [one.value] == said), None)


def _by_name(words: set[str], alternatives: Sequence[Alternative]) -> Alternative | None:
    scored = [(len((words - _FILLERS) & _words_of(one)), one) for one in alternatives]
    best = max((score for score, _ in scored), default=0)
    found = [one for score, one in scored if score == best]
    return found[0] if best and len(found) == 1 else None


def _words_of(one: Alternative) -> set[str]:
    return {word.strip(".'") for word in _WORD.findall(one.label.lower())}
