"""Judge what a list of a call takes away from the one that is stored: "remove the tag vip" lets no other tag go."""

from collections.abc import Sequence
from itertools import groupby
from typing import Any

from aisha.application.orders.reading.clauses import CLAUSE_MARKS
from aisha.application.orders.reading.utterance import Utterance
from aisha.domain.language import lexicon
from aisha.domain.language.tokens import tokenize

CLEARING_WORDS = frozenset(
    "clear remove delete empty blank no none unset drop reset erase take wipe without not".split()
)
_REPLACING_WORDS = frozenset("replace only instead untag swap change".split())
_ENDS_OF_REMOVED = CLAUSE_MARKS | frozenset("from but because since as keep keeping".split())


def stored_texts(stored: Any) -> Sequence[str]:
    """Return the texts of a list as it is stored; none of another value."""
    return [one for one in stored if isinstance(one, str)] if isinstance(stored, list) else []


def drops_unsaid(stored: Sequence[str], value: Sequence[Any], utterance: Utterance) -> bool:
    """Return whether a new list lacks a stored entry that the user did not order to be taken away."""
    removed = [one for one in stored if one not in value]
    are_stated = [_is_removal_stated(one, utterance) for one in removed]
    words = {token.word for token in utterance.tokens}
    is_whole = not value and bool(words & lexicon.PLURAL_WORDS) and not any(are_stated)
    return not is_whole and not all(are_stated)


def _is_removal_stated(entry: str, utterance: Utterance) -> bool:
    """Return whether an entry is the object of a word of clearing: "remove vip", "swap vip for key"."""
    words = [token.word for token in tokenize(entry) if token.kind != "mark"]
    for message in utterance.messages:
        for is_end, group in groupby(tokenize(message), lambda one: one.word in _ENDS_OF_REMOVED):
            clause = [] if is_end else [token.word for token in group]
            start = next((at for at, word in enumerate(clause) if word in CLEARING_WORDS | _REPLACING_WORDS), None)
            rest = clause[start + 1 :] if start is not None else []
            if any(rest[at : at + len(words)] == words for at in range(len(rest))):
                return True
    return False
