"""Cuts a sentence into the commands it holds."""

import re

_SPLIT = re.compile(
    r"(?:\s*(?:,|;|:|\.|!|\band\b|\bthen\b|\balso\b|\bplus\b)\s*)+"
    r"(?=(?:(?:just|please|only|instead|rather)\s+)*(?:create|add|make|schedule|book|set up|plan|log|remind|update|mark|change|delete|remove|show|list|tell me|note|draft|convert|call(?!\s*(?:,|$))|find|grab|send|give me|complete|put|arrange|assign|move|what should|how many|who|which)\b)",
    re.IGNORECASE,
)
_QUIET = re.compile(
    r"[\"“]|\b(?:saying|that)\b|\b(?:note|notes|memo|remark|comment|log|task|todo|reminder|email|call|meeting|demo)\b[^:]*:",
    re.IGNORECASE,
)
"""From here on the words are what is to be written down, not further commands."""

_NEXT_COMMAND = re.compile(
    r"\s+and\s+(?:then\s+|also\s+)?(?=(?:book|schedule|create|set\s+up|arrange|plan|add|remind\s+me)\s+(?:an?\s+|the\s+|another\s+)?(?:\w+\s+)?(?:call|meeting|demo|task|email|reminder|note|follow)\b)",
    re.IGNORECASE,
)
"""Another command after what is to be written down: "note that he is away and book a call with him"."""


def split(text: str) -> list[str]:
    """The commands of a sentence: "show me warm leads and create activities for the top 3" has two."""
    quiet = _QUIET.search(text)
    head, tail = (text[: quiet.start()], text[quiet.start() :]) if quiet else (text, "")
    parts = [part for part in _SPLIT.split(head) if part.strip()]
    if not parts:
        return [text]
    told, *commands = _NEXT_COMMAND.split(tail) if tail and tail[0] not in '"“' else [tail]
    parts[-1] += told
    parts += commands
    return [part.strip() for part in parts if part.strip()] or [text]
