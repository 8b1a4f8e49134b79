"""The base of the readers of streamed answers, one for each wire format."""

from abc import ABC, abstractmethod
from typing import Any, ClassVar

from msgspec import Struct, field

from aisha.adapters.llm.answer_limits import count_arguments, count_calls, name_of, text_of
from aisha.adapters.llm.terms import Price
from aisha.domain.models import ToolCallRequest, Usage


class Call(Struct):
    """A tool call as far as it has come. `extra` goes back to the model with the call."""

    id: str
    name: str
    is_closed: bool
    pieces: list[str] = field(default_factory=list)
    extra: dict[str, Any] | None = None


class AnswerReader(ABC):
    """Assembles an answer from its events. None of it counts before `finished`."""

    refusals: ClassVar[tuple[str, ...]] = ()
    """Stop reasons of an answer that the model or its guardrail refused to give."""

    def __init__(self) -> None:
        self.model: str | None = None
        self.stop_reason: str | None = None
        self.finished = False
        self.error = False
        self.has_text = False
        self.calls: list[Call] = []
        self._arguments_length = 0

    @abstractmethod
    def take(self, event: Any) -> str:
        """Take one event and return the text in it. Events of unknown types are ignored.

        Raises `ExcessError` beyond a limit, `KeyError`, `TypeError` and the like for an event of an unexpected shape.
        """

    @abstractmethod
    def has_cut_calls(self) -> bool:
        """Return whether calls of an answer with this stop reason may be partial JSON."""

    @abstractmethod
    def usage(self, price: Price | None) -> Usage:
        """Return the tokens as the provider counted them, those of its cache included."""

    def note_text(self, text: Any) -> str:
        """Return a text of the answer. Raises `TypeError` for anything else."""
        self.has_text = self.has_text or bool(text)
        return text_of(text)

    def add_call(self, call_id: Any, name: Any, *, is_closed: bool = False) -> Call:
        """Add a call that begins. Raises `ExcessError` for one too many."""
        call = Call(name_of(call_id), name_of(name), is_closed)
        self.calls.append(call)
        count_calls(len(self.calls))
        return call

    def add_piece(self, pieces: list[str], piece: Any) -> None:
        """Add a piece of a call's arguments or of a thought. Raises `ExcessError` when all together are too long."""
        pieces.append(text_of(piece))
        self._arguments_length += len(piece)
        count_arguments(self._arguments_length)

    def problem(self) -> str | None:
        """Return why the answer can't be used, or None."""
        if self.error:
            return "it reported an error while answering"
        # A call that was not closed is partial JSON.
        if not self.finished or not all(call.is_closed for call in self.calls):
            return "its answer was cut off"
        if self.calls and self.has_cut_calls():
            return "its answer was cut off at a limit"
        if self.calls or self.has_text:
            return None
        return "it refused to answer" if self.stop_reason in self.refusals else "its answer was empty"

    def tool_calls(self) -> tuple[ToolCallRequest, ...]:
        """Return the calls in the model's order."""
        # A call without arguments may come without a piece of JSON.
        return tuple(
            ToolCallRequest(call.id, call.name, "".join(call.pieces) or "{}", call.extra) for call in self.calls
        )


def usage_of(price: Price | None, fresh: int, output: int, cached: int = 0, written: int = 0) -> Usage:
    """Return the usage for tokens read for the first time, answered, read from the cache and written to it."""
    cost = price.cost(fresh, output, cached, written) if price else 0.0
    return Usage(fresh + cached + written, output, cost)
