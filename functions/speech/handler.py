"""POST /api/ai/speech: streams a text as audio."""

from anyio import to_thread
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from aisha.api.asgi_app import AsgiApp, AsgiExchange
from aisha.api.audio_stream import AUDIO, AudioStream
from aisha.api.operation import Operation
from aisha.api.schemas.models.speech import SpeechBody
from aisha.application.models.budget import at_cost_of_text
from aisha.application.redaction.masking import without_numbers
from aisha.application.requests.validation import check_length, read_object, validated
from aisha.domain.errors import InvalidInputError, SpeechUnavailableError
from aisha.renderers.voice import plain_speech

PATH = "/api/ai/speech"


OPERATIONS = (
    Operation(
        "POST",
        PATH,
        "speak",
        summary="Speak a text",
        description="Streams MP3 audio, which is cached by text and voice. Responds with 501 `speech_unavailable` if "
        "no voice is configured: then use the browser's own voice.",
        body=SpeechBody,
        content_type=AUDIO,
        errors=(402, 501, 503, 504),
    ),
)


async def speak(request: Request) -> Response:
    """Return the audio after its first piece, so that an error before that becomes a problem document."""
    exchange = AsgiExchange(request)
    try:
        principal, config = await exchange.admit_async(), exchange.services.settings
        body = validated(SpeechBody, read_object(await exchange.body()))
        check_length(body.text, config.speech_characters, "/text")
        # The provider gets no card number, as no model does. Markdown of code alone leaves nothing to say.
        if not (text := plain_speech(without_numbers(body.text), body.locale or principal.locale)):
            raise InvalidInputError("There is nothing to say in this text. Send words.", pointer="/text")
        if (voice := exchange.services.speech) is None:
            raise SpeechUnavailableError(
                "No voice is set up here.", suggestion="Use the browser's own voice, or set ELEVENLABS_API_KEY."
            )
        cost = await to_thread.run_sync(voice.cost, text, body.voice_id)
        audio = voice.speak(text, body.voice_id)
        paid = at_cost_of_text(audio, principal.tenant, cost, exchange.services.budgets) if cost else audio
        return await AudioStream.begin(exchange, paid)
    except Exception as error:
        return exchange.refuse(error)


app = AsgiApp(Route(PATH, speak, methods=["POST"]))
