"""Whether an answer is spoken, for the renderers of turns; how it sounds is in `speech`."""

import importlib
from types import ModuleType
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from aisha.application.requests.chat_request import ChatRequest
    from aisha.domain.principal import Principal


def spoken(text: str, locale: str) -> str:
    """`speech.speaking.spoken`: an answer as plain speech, shortened."""
    speech: str = _speaking().spoken(text, locale)
    return speech


def plain_speech(text: str, locale: str) -> str:
    """`speech.speaking.plain_speech`: the whole of a text as plain speech."""
    speech: str = _speaking().plain_speech(text, locale)
    return speech


def _speaking() -> ModuleType:
    # Its parser alone takes a tenth of a second to import, and most functions that render answers never speak.
    return importlib.import_module("aisha.renderers.speech.speaking")


def manner(request: "ChatRequest", principal: "Principal") -> dict[str, Any]:
    """How a request wants to be answered, as the renderers of turns take it."""
    return {"as_speech": request.format == "voice", "locale": request.locale or principal.locale}
