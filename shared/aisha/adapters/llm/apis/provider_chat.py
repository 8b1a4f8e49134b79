"""The base of the chat models of providers over HTTP: one request, streamed, within its deadline.

Without the providers' SDKs: they take longer to import than a process takes to its first answer, walk every message
and tool schema at each request, and build a model object for every streamed piece.
"""

import time
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Sequence
from typing import Any, ClassVar, Protocol

from pydantic_core import from_json

from aisha.adapters.http.provider_http import TIMEOUTS, TRANSPORT_ERRORS, ProviderAnswer, ProviderHttp, StatusError
from aisha.adapters.http.server_sent import server_sent_data
from aisha.adapters.llm.answer_limits import ExcessError
from aisha.adapters.llm.apis.json_answers import json_object_in
from aisha.adapters.llm.stream_deadline import FIRST_TOKEN_SHARE, StreamDeadline, remaining
from aisha.adapters.llm.terms import ModelTerms, Price
from aisha.domain.errors import ModelUnavailableError
from aisha.domain.models import ModelEvent, ModelFinished, ModelRequest, TextChunk, ToolCallRequest, Usage
from aisha.domain.tools import ToolSpec

TRIES = 2
PAUSE_SECONDS = 0.25
MAX_PAUSE_SECONDS = 2.0
"""If a provider asks for a longer pause, the next model of the chain is asked."""
MAX_JSON_BYTES = 4_000_000
"""Bytes of an answer that is not streamed, which is held whole: a hundred times the longest one that a model gives."""
MAX_TEXT_BYTES = 64_000
"""Bytes of an answer's text: 8,192 tokens, the packaged models' limit, have half as many. Four fit a stored message."""
TOO_LONG = "its answer was too long"

_STATUS_REASONS = {
    401: "its key was refused",
    403: "its key may not use this model",
    404: "it does not know this model",
    408: "it timed out",
    413: "the request was too long for it",
    429: "it limits our rate",
}
# No compression: `_read` takes the raw bytes of the stream.
_HEADERS = {"Content-Type": "application/json", "Accept-Encoding": "identity", "User-Agent": "AiSHA"}
# What a reader raises for JSON of an unexpected shape.
_UNREADABLE = (ValueError, TypeError, KeyError, AttributeError, IndexError)


class AnswerReader(Protocol):
    """Assembles an answer from its pieces. None of it counts before `finished`."""

    model: str | None
    error: bool
    has_text: bool

    @property
    def finished(self) -> bool: ...

    def take(self, chunk: Any) -> str:
        """Take one event of the stream and return the text in it."""
        ...

    def problem(self) -> str | None:
        """Return why the answer can't be used, or None."""
        ...

    def tool_calls(self) -> tuple[ToolCallRequest, ...]: ...

    def usage(self, price: Price | None) -> Usage: ...


class ToolsWriter(Protocol):
    """Writes tool specs as the JSON of a request, and caches it."""

    def of(self, specs: Sequence[ToolSpec]) -> str: ...


class ProviderChatModel(ABC):
    """One model of one provider at `base_url`. `provider` is the name that replies and errors carry.

    A request that was refused before any byte of an answer came is tried once more when that fits the deadline; once an
    answer began nothing is tried again.
    """

    path: ClassVar[str]
    request_id_header: ClassVar[str]
    default_provider: ClassVar[str]
    takes_temperature: ClassVar[bool] = True
    tools_writer: ClassVar[type[ToolsWriter]]

    def __init__(
        self,
        api_key: str,
        base_url: str,
        model: str,
        provider: str | None = None,
        sleep: Callable[[float], None] = time.sleep,
        terms: ModelTerms | None = None,
    ) -> None:
        self.model, self.provider = model, provider or self.default_provider
        self.terms = terms or ModelTerms()
        self.tools = self.tools_writer()
        self._http = ProviderHttp(f"{base_url.rstrip('/')}{self.path}", self.headers(api_key) | _HEADERS)
        self._sleep = sleep

    def headers(self, api_key: str) -> dict[str, str]:
        """Return the headers that the provider wants beside those of the JSON."""
        return {"Authorization": f"Bearer {api_key}"}

    @abstractmethod
    def body(self, request: ModelRequest) -> bytes:
        """Return the request as the provider's JSON."""

    @abstractmethod
    def reader(self) -> AnswerReader:
        """Return the reader of one answer."""

    def close(self) -> None:
        """Close the connections that are kept for the next call."""
        self._http.close()

    def stream(self, request: ModelRequest) -> Iterator[ModelEvent]:
        answer = self._open(self.body(request), request.deadline)
        request_id = answer.headers.get(self.request_id_header)
        reader, texts, size = self.reader(), list[str](), 0
        try:
            for text in self._texts(answer, reader, request.deadline):
                size += len(text.encode(errors="replace"))
                if size > MAX_TEXT_BYTES:
                    break
                texts.append(text)
                # JSON is held back until it is complete and checked.
                if not request.json_mode:
                    yield TextChunk(text)
        finally:
            answer.close()
        if size > MAX_TEXT_BYTES:
            yield self._cut(request, reader, request_id, has_shown=bool(texts) and not request.json_mode)
            return
        if problem := reader.problem():
            raise self._unavailable(problem, request_id=request_id)
        if request.json_mode and not reader.tool_calls():
            yield TextChunk(self._json_object("".join(texts), request_id))
        yield self._finished(request, reader, request_id)

    def _finished(self, request: ModelRequest, reader: AnswerReader, request_id: str | None) -> ModelFinished:
        model, warnings = reader.model or request.model or self.model, tuple[str, ...]()
        if request.temperature is not None and not (self.takes_temperature and self.terms.takes_temperature):
            warnings = (f"{model} takes no temperature; its own was used.",)
        usage, calls = reader.usage(self.terms.price), reader.tool_calls()
        return ModelFinished(self.provider, model, calls, usage, warnings=warnings, request_id=request_id)

    def _cut(
        self, request: ModelRequest, reader: AnswerReader, request_id: str | None, *, has_shown: bool
    ) -> ModelFinished:
        """Return the end of an answer that was cut at its limit, without its calls.

        Raises `ModelUnavailableError`, for the next model of the chain to answer, when none of it was shown yet.
        """
        if not (has_shown and request.streamed):
            raise self._unavailable(TOO_LONG, request_id=request_id)
        warning = f"{self.provider}'s answer was too long and was cut."
        model = reader.model or request.model or self.model
        return ModelFinished(self.provider, model, warnings=(warning,), request_id=request_id)

    def _texts(self, answer: ProviderAnswer, reader: AnswerReader, deadline: float) -> Iterator[str]:
        stream_deadline = StreamDeadline(deadline, answer, reader)
        try:
            with stream_deadline:
                for text in _read(answer, reader):
                    # What has arrived already could be read long after the connection was closed.
                    remaining(deadline)
                    if text:
                        yield text
        except (*TRANSPORT_ERRORS, *_UNREADABLE) as error:
            # The answer is complete: only the end of the stream was lost.
            if reader.finished and isinstance(error, TRANSPORT_ERRORS):
                return
            # Raises when the turn's whole time is over, which is no failure of this provider.
            remaining(deadline)
            reason = str(error) if isinstance(error, ExcessError) else "its answer could not be understood"
            if isinstance(error, TRANSPORT_ERRORS):
                reason = "it took too long" if stream_deadline.timed_out else self._reason(error)
            raise self._unavailable(reason, request_id=answer.headers.get(self.request_id_header)) from error

    def _json_object(self, text: str, request_id: str | None) -> str:
        if (json_text := json_object_in(text)) is None:
            raise self._unavailable("its answer was not a JSON object", request_id=request_id)
        return json_text

    def _open(self, body: bytes, deadline: float) -> ProviderAnswer:
        for tries_left in reversed(range(TRIES)):
            try:
                return self._http.post(body, remaining(deadline) * FIRST_TOKEN_SHARE)
            except (StatusError, *TRANSPORT_ERRORS) as error:
                pause = self._pause(error)
                if not tries_left or pause is None or pause >= remaining(deadline) * FIRST_TOKEN_SHARE:
                    remaining(deadline)
                    raise self._refused(error) from error
            self._sleep(pause)
        raise AssertionError("the last try returns or raises")

    def _refused(self, error: Exception) -> ModelUnavailableError:
        if not isinstance(error, StatusError):
            return self._unavailable(self._reason(error))
        request_id = error.headers.get(self.request_id_header)
        return self._unavailable(self._reason(error), error.status, request_id)

    def _unavailable(
        self, reason: str, status: int | None = None, request_id: str | None = None
    ) -> ModelUnavailableError:
        optional = {"status": status, "request_id": request_id}
        detail: dict[str, Any] = {"provider": self.provider, "model": self.model}
        detail |= {name: value for name, value in optional.items() if value is not None}
        return ModelUnavailableError(f"{self.provider} did not answer: {reason}", detail=detail)

    def _reason(self, error: Exception) -> str:
        """Return a reason that is safe to show: nothing of what the provider or the library wrote."""
        if isinstance(error, StatusError):
            # OpenAI's "context_length_exceeded", llama.cpp's "exceed_context_size_error".
            is_too_long = error.status == 400 and "context" in _kind_of_refusal(error.body)
            status = 413 if is_too_long else error.status
            return _STATUS_REASONS.get(status, "it is out of order" if status >= 500 else "it refused the request")
        return "it took too long" if isinstance(error, TIMEOUTS) else "the connection failed"

    def _pause(self, error: Exception) -> float | None:
        """Return the seconds until another try, or None when none is worth it."""
        # A timeout has used up the share of time that a second try would need.
        if isinstance(error, TIMEOUTS):
            return None
        if not isinstance(error, StatusError):
            return PAUSE_SECONDS
        if error.status != 429 and error.status < 500:
            return None
        try:
            pause = float(error.headers.get("retry-after", PAUSE_SECONDS))
        except ValueError:
            return None
        return pause if 0 <= pause <= MAX_PAUSE_SECONDS else None


def _kind_of_refusal(body: bytes) -> str:
    """Return the code and the type of a refusal, in OpenAI's shape; empty for any other."""
    try:
        error = from_json(body)["error"]
        return f"{error.get('code')} {error.get('type')}"
    except _UNREADABLE:
        return ""


def _read(answer: ProviderAnswer, reader: AnswerReader) -> Iterator[str]:
    """Yield the text of the events that arrived together. Reads to the end, so that the connection can be used again.

    Raises `ExcessError` for an answer that is too long to be held.
    """
    if "json" in answer.headers.get("content-type", ""):
        body = bytearray()
        for piece in answer.arrivals():
            body += piece
            if len(body) > MAX_JSON_BYTES:
                raise ExcessError(TOO_LONG)
        yield reader.take(from_json(bytes(body)))
        return
    for events in server_sent_data(answer.arrivals()):
        yield "".join([reader.take(from_json(data)) for data in events if data != b"[DONE]"])
        if reader.error:
            return
