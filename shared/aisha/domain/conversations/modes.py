"""The ways in which a user may want to be answered."""

from typing import Literal, get_args

Mode = Literal["default", "voice", "brief", "coach"]
MODES: tuple[Mode, ...] = get_args(Mode)
