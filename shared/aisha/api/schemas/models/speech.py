"""Schema of a text to speak."""

from typing import Annotated

from pydantic import Field, StringConstraints

from aisha.api.schemas.camel_model import StrictBody
from aisha.application.requests.chat_request import LOCALE


class SpeechBody(StrictBody):
    """A text to speak, as Markdown or plain text, and the voice."""

    text: Annotated[str, StringConstraints(strip_whitespace=True, min_length=1)] = Field(
        description="At most 5,000 characters. Markdown becomes sentences; English amounts and dates become words."
    )
    voice_id: str | None = Field(
        default=None,
        pattern=r"^[A-Za-z0-9]{1,64}$",
        description="The provider's id of a voice. Default: that of the deployment.",
    )
    locale: str | None = Field(
        default=None, pattern=LOCALE, max_length=35, description="Locale of the text, e.g. de-DE. Default: the user's."
    )
