"""OpenAI's chat completions, and whatever else speaks them, as a `ChatModel`.

The official SDK does authentication, connections and typed errors. The body is written and the answer is read here: the
SDK would walk every message and tool schema on the way out and build a model object for every streamed piece, which
costs more than all the rest of a turn.
"""

import socket
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from threading import Timer
from typing import Any

import httpx2
import openai
from pydantic_core import from_json

from aisha.adapters.llm.openai_wire import CompletionReader, ToolsJson, encode, message_json, server_sent_data
from aisha.domain.errors import DeadlineExceededError, ModelUnavailableError
from aisha.domain.models import ModelEvent, ModelFinished, ModelRequest, TextChunk

DEFAULT_BASE_URL = "https://api.openai.com/v1"
CONNECT_SECONDS = 5.0
PATIENCE = 0.5
"""How much of the time that is left a silence may take: what remains is for the next of the chain."""
TRIES = 2
PAUSE_SECONDS = 0.25
LONGEST_PAUSE_SECONDS = 2.0
"""A provider that asks for a longer pause is left to the next of the chain."""

_STATUS_REASONS = {
    401: "its key was refused",
    403: "its key may not use this model",
    404: "it does not know this model",
    408: "it timed out",
    413: "the request was too long for it",
    429: "it limits our rate",
}
_TRANSPORT_ERRORS = (httpx2.HTTPError, httpx2.StreamError, openai.APIConnectionError, OSError)
_TIMEOUTS = (httpx2.TimeoutException, openai.APITimeoutError, TimeoutError)
_UNREADABLE = (ValueError, TypeError, KeyError, AttributeError, IndexError)
_HEADERS = {"Content-Type": "application/json", "Accept-Encoding": "identity"}


class OpenAIChatModel:
    """One model behind an OpenAI-compatible endpoint.

    `provider` is the name that replies and errors carry. A request that was refused before any byte of an answer came is
    tried once more when that fits the deadline; once an answer began nothing is tried again.
    """

    def __init__(
        self,
        api_key: str,
        base_url: str | None,
        model: str,
        provider: str = "openai",
        sleep: Callable[[float], None] = time.sleep,
    ) -> None:
        self._client = openai.OpenAI(api_key=api_key, base_url=base_url or DEFAULT_BASE_URL, max_retries=0)
        self._model = model
        self._provider = provider
        self._sleep = sleep
        self._tools = ToolsJson()

    def stream(self, request: ModelRequest) -> Iterator[ModelEvent]:
        """Text as it comes, then one `ModelFinished`. Raises `ModelUnavailableError`, `DeadlineExceededError`."""
        response = self._open(self._body(request), request.deadline)
        reader = CompletionReader()
        try:
            with _cut_off_at(request.deadline, response):
                for text in _texts(response, reader):
                    yield TextChunk(text)
        except (*_TRANSPORT_ERRORS, *_UNREADABLE) as error:
            if not reader.finished:
                _remaining(request.deadline)
                is_broken = isinstance(error, _TRANSPORT_ERRORS)
                reason = _reason(error) if is_broken else "its answer could not be understood"
                raise self._unavailable(reason) from error
        finally:
            response.close()
        if problem := reader.problem():
            raise self._unavailable(problem)
        model = reader.model or request.model or self._model
        yield ModelFinished(self._provider, model, reader.tool_calls(), reader.usage)

    def close(self) -> None:
        """Closes what connections are kept for the next call."""
        self._client.close()

    def _body(self, request: ModelRequest) -> bytes:
        parts = [
            '{"model":',
            encode(request.model or self._model),
            ',"stream":true,"stream_options":{"include_usage":true},"messages":[',
            ",".join([message_json(message) for message in request.messages]),
            "]",
        ]
        if request.temperature is not None:
            parts.append(f',"temperature":{request.temperature}')
        if request.tools:
            parts += ',"tools":', self._tools.of(request.tools)
        return "".join([*parts, "}"]).encode()

    def _open(self, body: bytes, deadline: float) -> httpx2.Response:
        for tries_left in reversed(range(TRIES)):
            try:
                return self._post(body, _remaining(deadline) * PATIENCE)
            except (openai.APIStatusError, *_TRANSPORT_ERRORS) as error:
                pause = _pause(error)
                if not tries_left or pause is None or pause >= _remaining(deadline) * PATIENCE:
                    _remaining(deadline)
                    status = error.status_code if isinstance(error, openai.APIStatusError) else None
                    raise self._unavailable(_reason(error), status) from error
            except openai.OpenAIError as error:
                raise self._unavailable("its client is not set up") from error
            self._sleep(pause)
        raise AssertionError("the last try returns or raises")

    def _post(self, body: bytes, seconds: float) -> httpx2.Response:
        return self._client.post(
            "/chat/completions",
            content=body,
            cast_to=httpx2.Response,
            options={"headers": _HEADERS, "timeout": httpx2.Timeout(seconds, connect=min(seconds, CONNECT_SECONDS))},
            stream=True,
            stream_cls=openai.Stream[Any],
        )  # type: ignore[return-value]

    def _unavailable(self, reason: str, status: int | None = None) -> ModelUnavailableError:
        detail: dict[str, Any] = {"provider": self._provider, "model": self._model}
        if status is not None:
            detail["status"] = status
        return ModelUnavailableError(f"{self._provider} did not answer: {reason}", detail=detail)


@contextmanager
def _cut_off_at(deadline: float, response: httpx2.Response) -> Iterator[None]:
    """Hangs up at the deadline: the client's read timeout is one for each read, so a stream that drips would outlive it."""
    connection = response.extensions["network_stream"].get_extra_info("socket")
    timer = Timer(_remaining(deadline), _hang_up, (connection,))
    timer.daemon = True
    timer.start()
    try:
        yield
    finally:
        timer.cancel()


def _hang_up(connection: socket.socket) -> None:
    with suppress(OSError):
        connection.shutdown(socket.SHUT_RDWR)


def _texts(response: httpx2.Response, reader: CompletionReader) -> Iterator[str]:
    """The answer's texts, into `reader` as well. Reads to the end, so that the connection can be used again."""
    if "json" in response.headers.get("content-type", ""):
        if text := reader.take(from_json(response.read())):
            yield text
        return
    for data in server_sent_data(response.iter_raw()):
        if data == b"[DONE]":
            continue
        if text := reader.take(from_json(data)):
            yield text
        if reader.error:
            return


def _remaining(deadline: float) -> float:
    if (seconds := deadline - time.monotonic()) <= 0:
        raise DeadlineExceededError("The assistant ran out of time; try again")
    return seconds


def _reason(error: Exception) -> str:
    """Safe to show: says what happened, never what the provider or the library wrote."""
    if isinstance(error, openai.APIStatusError):
        known = _STATUS_REASONS.get(error.status_code)
        return known or ("it is out of order" if error.status_code >= 500 else "it refused the request")
    return "it took too long" if isinstance(error, _TIMEOUTS) else "the connection failed"


def _pause(error: Exception) -> float | None:
    """Seconds until it is worth asking again, or None when it is not."""
    if isinstance(error, _TIMEOUTS):
        return None
    if not isinstance(error, openai.APIStatusError):
        return PAUSE_SECONDS
    if error.status_code != 429 and error.status_code < 500:
        return None
    try:
        pause = float(error.response.headers.get("retry-after", PAUSE_SECONDS))
    except ValueError:
        return None
    return pause if 0 <= pause <= LONGEST_PAUSE_SECONDS else None
