"""The doors of the product, with a model that obeys what it reads, or one that does what it is told."""

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any

import pytest
from msgspec import Struct, field
from msgspec.structs import replace

from aisha.application.flow.request import parse_flow_request
from aisha.application.flow.turn import run_flow
from aisha.application.mcp import calls as mcp_calls
from aisha.application.mcp.clients import McpClient
from aisha.application.mcp.errors import ProtocolError
from aisha.application.orders.case import ORDERED
from aisha.application.requests.chat_request import parse_chat_request
from aisha.application.tooling import ToolRegistry
from aisha.application.turn.brainlets.registry import Brainlets
from aisha.application.turn.confirming import order_check
from aisha.application.turn.run import run_turn
from aisha.application.voice.calls import VoiceCall, relay_call
from aisha.application.voice.session import open_voice_session
from aisha.domain.conversations.events import ConfirmationNeeded, ToolCallFinished, TurnEvent, TurnFinished, TurnStarted
from aisha.domain.errors import AishaError
from aisha.domain.external.voice import ClientSecret, VoiceSession
from aisha.domain.models import ModelEvent, ModelFinished, ModelRequest, TextChunk, ToolCallRequest, Usage
from tests.support.dialogue.conversations import NOW, Stage

MAX_MESSAGE = 8000
ANALYSIS = json.dumps({"userIntent": "An answer", "confidence": 50, "needsTools": False, "toolsToUse": []})
"""The answer of flow-chat's model when it sees no plan: the message is answered like a chat."""
DOORS = ("chat", "stream", "flow-chat", "v1", "voice", "mcp")

type Answer = str | Sequence[ToolCallRequest]
type Answers = Callable[[ModelRequest], Answer]


class Outcome(Struct):
    """The outcome: the names of the calls that wrote, the questions asked, and the replies."""

    written: list[str] = field(default_factory=list)
    questions: list[str] = field(default_factory=list)
    reasons: list[str] = field(default_factory=list)
    replies: list[str] = field(default_factory=list)


class FunctionModel:
    """A `ChatModel` whose answers a function makes of the requests."""

    def __init__(self, answers: Answers) -> None:
        self._answers = answers

    def stream(self, request: ModelRequest) -> Iterator[ModelEvent]:
        answer = ANALYSIS if request.json_mode else self._answers(request)
        if isinstance(answer, str):
            yield TextChunk(answer)
        yield ModelFinished("scripted", "scripted-1", () if isinstance(answer, str) else tuple(answer), Usage())


class Desk:
    """A user at one door, on new demo data."""

    def __init__(
        self, registry: ToolRegistry, door: str, answers: Answers, second_model: Answers | None = None
    ) -> None:
        self.stage, self.door, self.outcome = Stage(registry, NOW), door, Outcome()
        judge = FunctionModel(second_model) if second_model else None
        self.stage.deps = replace(
            self.stage.deps, model=FunctionModel(answers), brainlets=Brainlets(), order_judge=judge
        )
        self._conversation: str | None = None
        self._said: list[dict[str, str]] = []
        self._voice = ""
        self._spoken = 0

    def say(self, text: str, **fields: Any) -> None:
        """Say something at the door, and let the model answer."""
        if self.door == "v1":
            # Clients of OpenAI's API send the whole conversation each time.
            self._said.append({"role": "user", "content": text})
            body: dict[str, Any] = {"messages": [*fields.pop("messages", ()), *self._said], **fields}
        else:
            body = {"message": text, "conversationId": self._conversation, **fields}
        raw = json.dumps(body).encode()
        if self.door == "flow-chat":
            flow = parse_flow_request(raw, MAX_MESSAGE)
            self._take(run_flow(flow, self.stage.principal, self.stage.deps))
        else:
            request = parse_chat_request(raw, MAX_MESSAGE)
            self._take(run_turn(request, self.stage.principal, self.stage.deps, streamed=self.door == "stream"))
        if self.door == "v1":
            self._said.append({"role": "assistant", "content": self.outcome.replies[-1]})

    def call(self, name: str, arguments: Mapping[str, Any], words: str) -> None:
        """Relay a call of a client's own model, with the user's words where the door has them."""
        if self.door == "mcp":
            self._call_by_mcp(name, arguments)
        else:
            self._call_by_voice(name, arguments, words)

    def _call_by_mcp(self, name: str, arguments: Mapping[str, Any]) -> None:
        client = McpClient(tools=("*",), access=("read", "write", "delete", "external"))
        principal = replace(self.stage.principal, door="mcp")
        try:
            outcome = mcp_calls.run_call(name, arguments, client, principal, self.stage.deps)
        except (AishaError, ProtocolError):
            return
        self._note(outcome.call is not None and outcome.call.has_written, name, outcome.pending)

    def _call_by_voice(self, name: str, arguments: Mapping[str, Any], words: str) -> None:
        speaker, deps = self.stage.principal, self.stage.deps
        if not self._voice:
            opened = open_voice_session(speaker, deps, _Minter(), voice="x", secret_seconds=60, session_seconds=600)
            self._voice = opened.id
        self._spoken += 1
        call = VoiceCall(self._voice, f"c{self._spoken}", name, json.dumps(arguments), words, f"u{self._spoken}")
        outcome = relay_call(call, speaker, deps)
        spec = deps.registry.spec(name)
        is_write = spec is not None and spec.for_call(arguments).access != "read"
        self._note(outcome.status == "executed" and is_write, name, outcome.pending)

    def _note(self, is_written: bool, name: str, pending: Any) -> None:
        if is_written:
            self.outcome.written.append(name)
        if pending is not None:
            self.outcome.questions.append(pending.question)
            self.outcome.reasons.append(pending.reason)

    def _take(self, events: Iterator[TurnEvent]) -> None:
        self.outcome.replies.append("")
        for event in events:
            match event:
                case TurnStarted():
                    self._conversation = event.conversation_id
                case ToolCallFinished() if event.call.has_written:
                    self.outcome.written.append(event.call.name)
                case ConfirmationNeeded():
                    self.outcome.questions.append(event.pending.question)
                    self.outcome.reasons.append(event.pending.reason)
                case TurnFinished():
                    self.outcome.replies[-1] = event.response
                case _:
                    pass


class _Minter:
    """Voice sessions without a provider."""

    model = "model"

    def mint(self, session: VoiceSession) -> ClientSecret:
        del session
        return ClientSecret("secret", NOW, "model", "x", "https://voice.example")


@contextmanager
def without_the_gate() -> Iterator[None]:
    """Let every write count as ordered, so that an attack is seen to work."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(order_check, "judge_call", lambda *_: ORDERED)
        patch.setattr(mcp_calls, "reason_to_wait", lambda *_: "")
        yield
