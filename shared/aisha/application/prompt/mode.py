"""What each mode of answering adds to the style."""

from collections.abc import Mapping

TEXTS: Mapping[str, str] = {
    "voice": "- This answer is spoken aloud: plain sentences without Markdown or lists, at most 75 words.",
    "brief": "- Mode brief: answer in two sentences at most, unless the user asks for a list or for more.",
    "coach": "- Mode coach: say why you recommend what you recommend, and end with one guiding question that helps the user think\n"
    "  the deal through for themselves. What was asked is still answered first.",
}
"""By mode; the default one adds nothing."""


def mode_text(mode: str, spoken: bool) -> str:
    """The lines for a mode; a spoken answer keeps to the ear in every mode. Empty for a mode that adds nothing."""
    names = dict.fromkeys(("voice", mode) if spoken else (mode,))
    return "\n".join(TEXTS[name] for name in names if name in TEXTS)
