"""Schema of the user's answer mode."""

from pydantic import Field

from aisha.api.schemas.chat import CamelModel
from aisha.domain.conversations.modes import MODES, Mode

MODE_EXAMPLE = {"mode": "brief", "modes": list(MODES)}


class ModeJson(CamelModel):
    """The user's mode and all available modes."""

    mode: Mode = Field(description="The mode of all conversations of the user until it is changed.")
    modes: list[Mode] = Field(
        description="`default`; `voice`, for reading aloud; `brief`, two sentences; `coach`, which explains reasons "
        "and asks a guiding question."
    )
