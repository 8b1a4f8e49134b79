"""A text to say aloud as the API takes it."""

from typing import Annotated

from pydantic import ConfigDict, Field, StringConstraints

from aisha.api.schemas.chat import CamelModel
from aisha.application.requests.chat_request import LOCALE


class SpeechBody(CamelModel):
    """What to say, in Markdown or plain, and how."""

    model_config = ConfigDict(strict=True)

    text: Annotated[str, StringConstraints(strip_whitespace=True, min_length=1)] = Field(
        description="At most 5,000 characters. Markdown is read as sentences, figures as words."
    )
    voice_id: str | None = Field(
        default=None, pattern=r"^[A-Za-z0-9]{1,64}$", description="A voice of the provider's; without it the usual one."
    )
    locale: str | None = Field(
        default=None, pattern=LOCALE, max_length=35, description="Language of the text, e.g. de-DE; usually the user's."
    )
