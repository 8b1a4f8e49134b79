"""What is only supposed: "if I deleted Ann, could I get her back?" asks, and nothing is done for it."""

import re

from aisha.adapters.llm.offline.plan import Answer, Plan
from aisha.application.tooling.policy import UNDONE_FOR_A_DAY

_IF = re.compile(
    r"(?:and\s+|so\s+|but\s+)?(?:what\s+(?:would\s+happen|happens|will\s+happen|if)\b(?:\s+(?:to\s+\S+\s+)?(?:if|when))?|(?:suppose|supposing|imagine|say)\s+|if)\s+(?:i|we|you)\s+(?:were\s+to\s+|would\s+|accidentally\s+)?"
    r"(?P<verb>delet\w*|remov\w*|convert\w*|mark\w*|chang\w*|mov\w*|clos\w*|cancel\w*|assign\w*|merg\w*)\b.*",
    re.IGNORECASE | re.DOTALL,
)
_ASKS = re.compile(
    r"\?\s*$|\b(?:could|can|would|will|do|does|is|are)\s+(?:i|we|you|it|he|she|they|there)\b|what\s+(?:would|happens|will)",
    re.IGNORECASE,
)
_FOR_GOOD = "delet", "remov"


def suppose(_plan: Plan, text: str) -> Answer | None:
    """ "What happens if I delete Ann Lee?": how such a change is taken back, without making it."""
    match = _IF.fullmatch(text)
    if match is None or not _ASKS.search(text):
        return None
    if match["verb"].lower().startswith(_FOR_GOOD):
        return Answer(
            "Nothing was deleted. When you ask me to delete something I first wait for your confirmation, because "
            f'{UNDONE_FOR_A_DAY}: just say "undo that".'
        )
    return Answer('Nothing was changed. What I change for you can be taken back right after: just say "undo that".')
