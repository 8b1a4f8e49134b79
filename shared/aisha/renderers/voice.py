"""Speech for the renderers of turns, which import it only when an answer is to be spoken."""

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from aisha.application.requests.chat_request import ChatRequest
    from aisha.domain.principal import Principal

# The Markdown parser takes a tenth of a second to import, and most functions that render answers never speak: hence
# the imports within the functions.


def spoken(text: str, locale: str) -> str:
    """Return an answer as plain speech, shortened."""
    from aisha.renderers.speech import speaking  # noqa: PLC0415

    return speaking.spoken(text, locale)


def unspoken(text: str, locale: str) -> tuple[str, str]:
    """Return the offer to go on, and what `spoken` left out of a text; empty if it left out nothing."""
    from aisha.renderers.speech import speaking  # noqa: PLC0415

    return speaking.unspoken(text, locale)


def plain_speech(text: str, locale: str) -> str:
    """Return the whole of a text as plain speech."""
    from aisha.renderers.speech import speaking  # noqa: PLC0415

    return speaking.plain_speech(text, locale)


def speech_options(request: "ChatRequest", principal: "Principal") -> dict[str, Any]:
    """Return the renderers' options for the form and the language that a request asks for."""
    return {"as_speech": request.format == "voice", "locale": request.locale or principal.locale}
