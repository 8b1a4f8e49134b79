"""The user's mode as the API shows it."""

from pydantic import Field

from aisha.api.schemas.chat import CamelModel
from aisha.domain.modes import MODES, Mode

MODE_EXAMPLE = {"mode": "brief", "modes": list(MODES)}


class ModeJson(CamelModel):
    """The user's mode, and those there are."""

    mode: Mode = Field(description="Of the user, in every conversation until it is changed.")
    modes: list[Mode] = Field(
        description="`default`; `voice`, for the ear; `brief`, two sentences; `coach`, which explains why and asks a guiding "
        "question."
    )
