"""Tell whether a clause says what the user is doing, or about to do: "calling him in 2 min", "I'm seeing Ann at 3"."""

from collections.abc import Sequence
from itertools import dropwhile

from aisha.domain.language import lexicon
from aisha.domain.language.tokens import Token, stem

_OPENINGS = lexicon.INTERJECTIONS | frozenset(
    "so and but just now currently still also i i'm im we we're am are".split()
)
_OTHER_VERBS = frozenset(
    map(stem, "ringing texting messaging pinging seeing heading driving going walking flying popping grabbing".split())
)
"""Verbs of meeting people, or of moving, that name no type of activity."""


def tells_doing(tokens: Sequence[Token]) -> bool:
    """Return whether a clause begins with a verb of meeting people, or of moving, in its progressive form.

    "Meeting with Ann at 3" names an activity, and "logging a call" orders one.
    """
    rest = dropwhile(lambda one: one.kind == "mark" or one.word in _OPENINGS, tokens)
    verb = next(rest, None)
    is_progressive = verb is not None and verb.word.endswith("ing") and verb.stem != verb.word  # not "ping", "ring"
    if verb is None or not is_progressive or lexicon.activity_type_of(verb.word):
        return False
    return verb.stem in _OTHER_VERBS or lexicon.activity_type_of(verb.stem) is not None
