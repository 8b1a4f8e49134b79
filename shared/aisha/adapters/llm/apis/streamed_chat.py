"""The base of all chat models that stream: an answer of a provider as the events of a `ChatModel`."""

from abc import ABC, abstractmethod
from collections.abc import Iterator
from typing import Any, Protocol

from aisha.adapters.llm.answer_limits import ExcessError
from aisha.adapters.llm.apis.answer_reader import AnswerReader
from aisha.adapters.llm.apis.json_answers import json_object_in
from aisha.adapters.llm.terms import ModelTerms
from aisha.domain.errors import ModelUnavailableError
from aisha.domain.models import ModelEvent, ModelFinished, ModelRequest, TextChunk

MAX_TEXT_BYTES = 64_000
"""Bytes of an answer's text: 8,192 tokens, the packaged models' limit, have half as many. Four fit a stored message."""
TOO_LONG = "its answer was too long"
UNREADABLE = (ValueError, TypeError, KeyError, AttributeError, IndexError)
"""The errors of a reader for an event of an unexpected shape."""


class OpenAnswer(Protocol):
    """An answer that is being received. `request_id` is the provider's id of the request."""

    @property
    def request_id(self) -> str | None: ...

    def close(self) -> None:
        """End the receiving, also in the middle of the answer."""
        ...


class StreamedChatModel[A: OpenAnswer](ABC):
    """One model of one provider. `provider` is the name that replies and errors carry.

    Once an answer began nothing is tried again.
    """

    takes_temperature: bool = True
    """False if no model of this API takes a temperature."""

    def __init__(self, provider: str, model: str, terms: ModelTerms) -> None:
        self.provider, self.model, self.terms = provider, model, terms

    @abstractmethod
    def open(self, request: ModelRequest) -> A:
        """Send the request. Raises `ModelUnavailableError`, `DeadlineExceededError`."""

    @abstractmethod
    def reader(self) -> AnswerReader:
        """Return the reader of one answer."""

    @abstractmethod
    def texts(self, answer: A, reader: AnswerReader, deadline: float) -> Iterator[str]:
        """Give the answer's events to the reader and yield their text.

        Raises `ModelUnavailableError`, `DeadlineExceededError`.
        """

    def stream(self, request: ModelRequest) -> Iterator[ModelEvent]:
        answer, reader = self.open(request), self.reader()
        texts, size = list[str](), 0
        try:
            for text in self.texts(answer, reader, request.deadline):
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
            # The user has seen no part of the answer: the next model of the chain can give another.
            if request.json_mode or not request.streamed or not texts:
                raise self.unavailable(TOO_LONG, request_id=answer.request_id)
            warning = f"{self.provider}'s answer was too long and was cut."
            yield ModelFinished(
                self.provider, self._model(request, reader), warnings=(warning,), request_id=answer.request_id
            )
            return
        if problem := reader.problem():
            raise self.unavailable(problem, request_id=answer.request_id)
        if request.json_mode and not reader.calls:
            yield TextChunk(self._json_object("".join(texts), answer.request_id))
        yield self._finished(request, reader, answer.request_id)

    def unavailable(
        self, reason: str, status: int | None = None, request_id: str | None = None
    ) -> ModelUnavailableError:
        """Return the error for a reason that is safe to show: nothing of what the provider or a library wrote."""
        optional = {"status": status, "request_id": request_id}
        detail: dict[str, Any] = {"provider": self.provider, "model": self.model}
        detail |= {name: value for name, value in optional.items() if value is not None}
        return ModelUnavailableError(f"{self.provider} did not answer: {reason}", detail=detail)

    def unreadable(self, error: Exception, request_id: str | None) -> ModelUnavailableError:
        """Return the error for one of `UNREADABLE`."""
        reason = str(error) if isinstance(error, ExcessError) else "its answer could not be understood"
        return self.unavailable(reason, request_id=request_id)

    def _model(self, request: ModelRequest, reader: AnswerReader) -> str:
        return reader.model or request.model or self.model

    def _finished(self, request: ModelRequest, reader: AnswerReader, request_id: str | None) -> ModelFinished:
        model, warnings = self._model(request, reader), tuple[str, ...]()
        if request.temperature is not None and not (self.takes_temperature and self.terms.takes_temperature):
            warnings = (f"{model} takes no temperature; its own was used.",)
        usage, calls = reader.usage(self.terms.price), reader.tool_calls()
        return ModelFinished(self.provider, model, calls, usage, warnings=warnings, request_id=request_id)

    def _json_object(self, text: str, request_id: str | None) -> str:
        if (json_text := json_object_in(text)) is None:
            raise self.unavailable("its answer was not a JSON object", request_id=request_id)
        return json_text
