"""The ways in which a user may want to be answered."""

from collections.abc import Mapping
from typing import Literal, get_args

Mode = Literal["default", "voice", "brief", "coach"]
MODES: tuple[Mode, ...] = get_args(Mode)
MODE_DESCRIPTIONS: Mapping[Mode, str] = {
    "default": "Answers as long as the question needs.",
    "voice": "Plain, short sentences for reading aloud.",
    "brief": "At most two sentences.",
    "coach": "Explains the reasons and asks a question that leads you on.",
}
"""A page's description of each mode."""
