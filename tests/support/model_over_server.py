"""A provider's chat model over a fake server, asked by the user alice."""

import time
from collections.abc import Iterator
from datetime import UTC, datetime
from typing import Any, ClassVar, Protocol

from aisha.domain.models import Caller, ModelEvent, ModelFinished, ModelMessage, ModelRequest, TextChunk
from aisha.domain.ports import ChatModel
from aisha.domain.principal import Principal
from aisha.domain.tools import ToolSpec

CALLER = Caller(Principal("demo", "alice"), datetime(2026, 3, 2, tzinfo=UTC))
PARAMETERS = {"type": "object", "title": "aisha.tools.leads.search", "properties": {"title": {"type": "string"}}}
SEARCH = ToolSpec("search_leads", "Finds leads.", PARAMETERS, {}, "leads")
LONG = "A reply that is long enough to come in many pieces, with ümlauts and 🎉."
USER = ModelMessage("user", "Hello")


class ClosableModel(ChatModel, Protocol):
    """A model that keeps connections open."""

    def close(self) -> None: ...


class ModelOverServer:
    """Sends requests to `model`; `close_all` closes the connections of every model in use."""

    in_use: ClassVar[list[ClosableModel]] = []

    def __init__(self, model: ClosableModel) -> None:
        self.model = model
        self.in_use.append(model)

    @classmethod
    def close_all(cls) -> None:
        while cls.in_use:
            cls.in_use.pop().close()

    def stream(self, *messages: ModelMessage, seconds: float = 20.0, **fields: Any) -> Iterator[ModelEvent]:
        fields.setdefault("tools", ())
        deadline = time.monotonic() + seconds
        return self.model.stream(ModelRequest(messages or (USER,), caller=CALLER, deadline=deadline, **fields))

    def answer(self, *messages: ModelMessage, **fields: Any) -> tuple[str, ModelFinished]:
        *texts, finished = self.stream(*messages, **fields)
        assert isinstance(finished, ModelFinished)
        return "".join(event.text for event in texts if isinstance(event, TextChunk)), finished
