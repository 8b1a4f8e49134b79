"""What the chat models behind the official SDKs have in common: one request, streamed, within its deadline.

The SDK does authentication, connections and typed errors. Bodies are written and answers are read here: the SDKs would
walk every message and tool schema on the way out and build a model object for every streamed piece, which costs more
than all the rest of a turn.
"""

import time
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator
from types import ModuleType
from typing import Any, ClassVar, Protocol

import httpx2
from pydantic_core import from_json

from aisha.adapters.http.server_sent import server_sent_data
from aisha.adapters.llm.stream_deadline import PATIENCE, HangUp, remaining
from aisha.adapters.llm.terms import ModelTerms, Price
from aisha.domain.errors import ModelUnavailableError
from aisha.domain.models import ModelEvent, ModelFinished, ModelRequest, TextChunk, ToolCallRequest, Usage

CONNECT_SECONDS = 5.0
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
_HEADERS = {"Content-Type": "application/json", "Accept-Encoding": "identity"}
_UNREADABLE = (ValueError, TypeError, KeyError, AttributeError, IndexError)


class AnswerReader(Protocol):
    """Puts an answer together from its pieces. Nothing of it counts before `finished`."""

    model: str | None
    error: bool
    has_text: bool

    @property
    def finished(self) -> bool: ...

    def take(self, chunk: Any) -> str:
        """Takes one event of the stream and returns the text in it."""
        ...

    def problem(self) -> str | None:
        """Why the answer can't be used, or None."""
        ...

    def tool_calls(self) -> tuple[ToolCallRequest, ...]: ...

    def usage(self, price: Price | None) -> Usage: ...


class SdkChatModel(ABC):
    """One model of one provider. `provider` is the name that replies and errors carry.

    A request that was refused before any byte of an answer came is tried once more when that fits the deadline; once an
    answer began nothing is tried again.
    """

    path: ClassVar[str]
    request_id_header: ClassVar[str]
    sdk: ClassVar[ModuleType]
    sdk_error: ClassVar[type[Exception]]
    """The root of the SDK's errors."""

    def __init__(
        self,
        client: Any,
        model: str,
        provider: str,
        terms: ModelTerms | None = None,
        sleep: Callable[[float], None] = time.sleep,
    ) -> None:
        self.model, self.provider = model, provider
        self._client, self._sleep = client, sleep
        # Whole, so that the SDK does not put it together for each request.
        self._url = f"{str(client.base_url).rstrip('/')}{self.path}"
        self.terms = terms or ModelTerms()
        self._transport_errors = (httpx2.HTTPError, httpx2.StreamError, self.sdk.APIConnectionError, OSError)
        self._timeouts = (httpx2.TimeoutException, self.sdk.APITimeoutError, TimeoutError)

    @abstractmethod
    def body(self, request: ModelRequest) -> bytes:
        """The request as the provider's JSON."""

    @abstractmethod
    def reader(self) -> AnswerReader:
        """For one answer."""

    def close(self) -> None:
        """Closes what connections are kept for the next call."""
        self._client.close()

    def stream(self, request: ModelRequest) -> Iterator[ModelEvent]:
        """Text as it comes, then one `ModelFinished`. Raises `ModelUnavailableError`, `DeadlineExceededError`."""
        response = self._open(self.body(request), request.deadline)
        request_id = response.headers.get(self.request_id_header)
        reader, texts = self.reader(), list[str]()
        try:
            for text in self._texts(response, reader, request.deadline):
                texts.append(text)
                if not request.json_mode:
                    yield TextChunk(text)
        finally:
            response.close()
        if problem := reader.problem():
            raise self._unavailable(problem, request_id=request_id)
        if request.json_mode and not reader.tool_calls():
            yield TextChunk(self._json_object("".join(texts), request_id))
        yield self._finished(request, reader, request_id)

    def _finished(self, request: ModelRequest, reader: AnswerReader, request_id: str | None) -> ModelFinished:
        model, warnings = reader.model or request.model or self.model, tuple[str, ...]()
        if request.temperature is not None and not self.terms.takes_temperature:
            warnings = (f"{model} takes no temperature; its own was used.",)
        usage, calls = reader.usage(self.terms.price), reader.tool_calls()
        return ModelFinished(self.provider, model, calls, usage, warnings=warnings, request_id=request_id)

    def _texts(self, response: httpx2.Response, reader: AnswerReader, deadline: float) -> Iterator[str]:
        hang_up = HangUp(deadline, response, reader)
        try:
            with hang_up:
                yield from _read(response, reader)
        except (*self._transport_errors, *_UNREADABLE) as error:
            if reader.finished:
                return
            remaining(deadline)
            reason = "its answer could not be understood"
            if isinstance(error, self._transport_errors):
                reason = "it took too long" if hang_up.lost_patience else self._reason(error)
            raise self._unavailable(reason, request_id=response.headers.get(self.request_id_header)) from error

    def _json_object(self, text: str, request_id: str | None) -> str:
        written = text.strip().removeprefix("```json").removeprefix("```").removesuffix("```").strip()
        try:
            is_object = isinstance(from_json(written), dict)
        except ValueError:
            is_object = False
        if not is_object:
            raise self._unavailable("its answer was not a JSON object", request_id=request_id)
        return written

    def _open(self, body: bytes, deadline: float) -> httpx2.Response:
        for tries_left in reversed(range(TRIES)):
            try:
                return self._post(body, remaining(deadline) * PATIENCE)
            except (self.sdk.APIStatusError, *self._transport_errors) as error:
                pause = self._pause(error)
                if not tries_left or pause is None or pause >= remaining(deadline) * PATIENCE:
                    remaining(deadline)
                    raise self._refused(error) from error
            except self.sdk_error as error:
                raise self._unavailable("its client is not set up") from error
            self._sleep(pause)
        raise AssertionError("the last try returns or raises")

    def _post(self, body: bytes, seconds: float) -> httpx2.Response:
        response: httpx2.Response = self._client.post(
            self._url,
            content=body,
            cast_to=httpx2.Response,
            options={"headers": _HEADERS, "timeout": httpx2.Timeout(seconds, connect=min(seconds, CONNECT_SECONDS))},
            stream=True,
            stream_cls=self.sdk.Stream[Any],
        )
        return response

    def _refused(self, error: Exception) -> ModelUnavailableError:
        if not isinstance(error, self.sdk.APIStatusError):
            return self._unavailable(self._reason(error))
        return self._unavailable(self._reason(error), error.status_code, error.request_id)

    def _unavailable(
        self, reason: str, status: int | None = None, request_id: str | None = None
    ) -> ModelUnavailableError:
        known = {"status": status, "request_id": request_id}
        detail: dict[str, Any] = {"provider": self.provider, "model": self.model}
        detail |= {name: value for name, value in known.items() if value is not None}
        return ModelUnavailableError(f"{self.provider} did not answer: {reason}", detail=detail)

    def _reason(self, error: Exception) -> str:
        """Safe to show: says what happened, never what the provider or the library wrote."""
        if isinstance(error, self.sdk.APIStatusError):
            known = _STATUS_REASONS.get(error.status_code)
            return known or ("it is out of order" if error.status_code >= 500 else "it refused the request")
        return "it took too long" if isinstance(error, self._timeouts) else "the connection failed"

    def _pause(self, error: Exception) -> float | None:
        """Seconds until it is worth asking again, or None when it is not."""
        if isinstance(error, self._timeouts):
            return None
        if not isinstance(error, self.sdk.APIStatusError):
            return PAUSE_SECONDS
        if error.status_code != 429 and error.status_code < 500:
            return None
        try:
            pause = float(error.response.headers.get("retry-after", PAUSE_SECONDS))
        except ValueError:
            return None
        return pause if 0 <= pause <= LONGEST_PAUSE_SECONDS else None


def _read(response: httpx2.Response, reader: AnswerReader) -> Iterator[str]:
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
