"""The base of the chat models of providers over HTTP: requests within their deadline, and the reading of answers.

Without the providers' SDKs: they take longer to import than a process takes to its first answer, walk every message
and tool schema at each request, and build a model object for every streamed piece.
"""

import time
from abc import abstractmethod
from collections.abc import Callable, Iterator
from typing import ClassVar

from pydantic_core import from_json

from aisha.adapters.http.provider_http import TIMEOUTS, TRANSPORT_ERRORS, ProviderAnswer, ProviderHttp, StatusError
from aisha.adapters.http.server_sent import server_sent_data
from aisha.adapters.llm.answer_limits import ExcessError
from aisha.adapters.llm.apis.answer_reader import AnswerReader
from aisha.adapters.llm.apis.streamed_chat import TOO_LONG, UNREADABLE, StreamedChatModel
from aisha.adapters.llm.apis.tools_json import ToolsJson
from aisha.adapters.llm.stream_deadline import FIRST_TOKEN_SHARE, StreamDeadline, remaining
from aisha.adapters.llm.terms import ModelTerms
from aisha.domain.errors import ModelUnavailableError
from aisha.domain.models import ModelRequest

TRIES = 2
PAUSE_SECONDS = 0.25
MAX_PAUSE_SECONDS = 2.0
"""If a provider asks for a longer pause, the next model of the chain is asked."""
MAX_JSON_BYTES = 4_000_000
"""Bytes of an answer that is not streamed, which is held whole: a hundred times the longest one that a model gives."""

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


class ProviderChatModel(StreamedChatModel[ProviderAnswer]):
    """One model of one provider at `base_url`.

    A request that was refused before any byte of an answer came is tried once more when that fits the deadline.
    """

    path: ClassVar[str]
    request_id_header: ClassVar[str]
    default_provider: ClassVar[str]

    def __init__(
        self,
        api_key: str,
        base_url: str,
        model: str,
        provider: str | None = None,
        sleep: Callable[[float], None] = time.sleep,
        terms: ModelTerms | None = None,
    ) -> None:
        super().__init__(provider or self.default_provider, model, terms or ModelTerms())
        self.tools = self.tools_json()
        headers = self.headers(api_key) | _HEADERS
        self._http = ProviderHttp(f"{base_url.rstrip('/')}{self.path}", headers, self.request_id_header)
        self._sleep = sleep

    def headers(self, api_key: str) -> dict[str, str]:
        """Return the headers that the provider wants beside those of the JSON."""
        return {"Authorization": f"Bearer {api_key}"}

    @abstractmethod
    def tools_json(self) -> ToolsJson:
        """Return a writer of the API's tools."""

    @abstractmethod
    def body(self, request: ModelRequest) -> bytes:
        """Return the request as the provider's JSON."""

    def close(self) -> None:
        """Close the connections that are kept for the next call."""
        self._http.close()

    def open(self, request: ModelRequest) -> ProviderAnswer:
        body, deadline = self.body(request), request.deadline
        for tries_left in reversed(range(TRIES)):
            try:
                return self._http.post(body, remaining(deadline) * FIRST_TOKEN_SHARE)
            except (StatusError, *TRANSPORT_ERRORS) as error:
                pause = _pause(error)
                if not tries_left or pause is None or pause >= remaining(deadline) * FIRST_TOKEN_SHARE:
                    remaining(deadline)
                    raise self._refused(error) from error
            self._sleep(pause)
        raise AssertionError("the last try returns or raises")

    def texts(self, answer: ProviderAnswer, reader: AnswerReader, deadline: float) -> Iterator[str]:
        stream_deadline = StreamDeadline(deadline, answer, reader)
        try:
            with stream_deadline:
                for text in _read(answer, reader):
                    # What has arrived already could be read long after the connection was closed.
                    remaining(deadline)
                    if text:
                        yield text
        except (*TRANSPORT_ERRORS, *UNREADABLE) as error:
            # The answer is complete: only the end of the stream was lost.
            if reader.finished and isinstance(error, TRANSPORT_ERRORS):
                return
            # Raises when the turn's whole time is over, which is no failure of this provider.
            remaining(deadline)
            if not isinstance(error, TRANSPORT_ERRORS):
                raise self.unreadable(error, answer.request_id) from error
            reason = "it took too long" if stream_deadline.timed_out else _reason(error)
            raise self.unavailable(reason, request_id=answer.request_id) from error

    def _refused(self, error: Exception) -> ModelUnavailableError:
        if not isinstance(error, StatusError):
            return self.unavailable(_reason(error))
        return self.unavailable(_reason(error), error.status, error.headers.get(self.request_id_header))


def _reason(error: Exception) -> str:
    if isinstance(error, StatusError):
        # OpenAI's "context_length_exceeded", llama.cpp's "exceed_context_size_error".
        is_too_long = error.status == 400 and "context" in _kind_of_refusal(error.body)
        status = 413 if is_too_long else error.status
        return _STATUS_REASONS.get(status, "it is out of order" if status >= 500 else "it refused the request")
    return "it took too long" if isinstance(error, TIMEOUTS) else "the connection failed"


def _pause(error: Exception) -> float | None:
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
    except UNREADABLE:
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
