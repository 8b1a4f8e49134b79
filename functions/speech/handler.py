"""POST /api/ai/speech: a text as audio, sent as it is made."""

from collections.abc import AsyncIterator, Iterator, Mapping

from starlette.concurrency import iterate_in_threadpool
from starlette.requests import Request
from starlette.responses import Response, StreamingResponse
from starlette.routing import Route
from starlette.types import Receive, Scope, Send

from aisha.api.asgi_app import AsgiApp, Exchange
from aisha.api.operation import Operation
from aisha.api.schemas.speech import SpeechBody
from aisha.application.requests.validation import check_length, read_object, validated
from aisha.domain.errors import InvalidInputError, SpeechUnavailableError
from aisha.renderers.voice import plain_speech

PATH = "/api/ai/speech"
AUDIO = "audio/mpeg"


OPERATIONS = (
    Operation(
        "POST",
        PATH,
        "speak",
        summary="Say a text aloud",
        description="MP3 audio, sent as it is made. The same text in the same voice is not made twice. Where no voice is "
        "set up, the answer is a problem with the code `speech_unavailable`: use the browser's own voice then.",
        body=SpeechBody,
        content_type=AUDIO,
        errors=(501, 503, 504),
        limited=True,
        body_example={"text": "You have **3** meetings today."},
    ),
)


async def speak(request: Request) -> Response:
    """The audio. Its first piece is waited for, so that what goes wrong before it is told as a problem."""
    exchange = Exchange(request)
    try:
        principal, config = await exchange.admit(), exchange.services.settings
        body = validated(SpeechBody, read_object(await exchange.body(config.request_bytes)))
        check_length(body.text, config.speech_characters, "/text")
        if not (text := plain_speech(body.text, body.locale or principal.locale)):
            raise InvalidInputError("There is nothing to say in this text. Send words.", pointer="/text")
        if (voice := exchange.services.speech) is None:
            raise SpeechUnavailableError(
                "No voice is set up here.", suggestion="Use the browser's own voice, or set ELEVENLABS_API_KEY."
            )
        return await _Audio.begin(exchange, voice.speak(text, body.voice_id), exchange.headers)
    except Exception as error:
        return exchange.refuse(error)


class _Audio(StreamingResponse):
    """Ends what makes the audio when the client leaves. Audio that breaks off breaks the connection off."""

    @classmethod
    async def begin(cls, exchange: Exchange, pieces: Iterator[bytes], headers: Mapping[str, str]) -> "_Audio":
        """Raises what is raised before the first piece."""
        coming = iterate_in_threadpool(pieces)
        first = await anext(coming, b"")
        sent = {"x-accel-buffering": "no"} | dict(headers)
        made = cls(_chained(first, coming), media_type=AUDIO, headers=sent)
        made._exchange, made._pieces = exchange, pieces
        return made

    _exchange: Exchange
    _pieces: Iterator[bytes]

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        status = 500
        try:
            await super().__call__(scope, receive, send)
            status = 200
        finally:
            if (close := getattr(self._pieces, "close", None)) is not None:
                close()
            self._exchange.log(status)


async def _chained(first: bytes, rest: AsyncIterator[bytes]) -> AsyncIterator[bytes]:
    yield first
    async for piece in rest:
        yield piece


app = AsgiApp(Route(PATH, speak, methods=["POST"]))
