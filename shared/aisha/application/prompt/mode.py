"""The prompt's rules for each mode of answering, part of the section `manner`."""

from collections.abc import Mapping

TEXTS: Mapping[str, str] = {
    "voice": "- This answer is spoken aloud: plain sentences without Markdown or lists, at most 75 words.",
    "brief": "- Mode brief: answer in two sentences at most, unless the user asks for a list or for more.",
    "coach": "- Mode coach: say why you recommend what you recommend, and end with one guiding question that helps\n"
    "  the user think the deal through for themselves. What was asked is still answered first.",
}
"""Texts by mode; the default mode has none."""


def mode_text(mode: str, spoken: bool) -> str:
    """Return the rules for a mode, after those for speech if the answer is spoken; empty if there are none."""
    names = dict.fromkeys(("voice", mode) if spoken else (mode,))
    return "\n".join(TEXTS[name] for name in names if name in TEXTS)
