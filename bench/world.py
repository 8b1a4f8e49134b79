"""The conversation of all contestants: a question, two model calls with tools between them, a reply."""

import json
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict
from pathlib import Path

from aisha.application.requests.chat_request import parse_chat_request
from aisha.application.tooling import discover
from aisha.application.tooling.formats import openai_function
from aisha.application.turn.run import run_turn
from aisha.application.turn.state import TurnDependencies, TurnLimits
from aisha.domain.conversations.events import TurnFailed
from aisha.domain.models import ModelEvent, ModelFinished, ModelRequest, TextChunk, ToolCallRequest
from bench.contestants.aisha_turn import brainlets_without_model
from bench.contestants.conversation import Conversation
from bench.crm import ALICE, JACK_ID, filled_records
from tests.fakes.models.model_server import Answer
from tests.fakes.stores.in_memory import FixedClock, InMemoryConversationRepository, in_memory_ports

QUESTION = "Tell me about Jack Russel, and what is open with him?"
REPLY = (
    "**Jack Russel** (ABC Corp) is a warm lead with a score of 82. He was referred to you, and the last contact was a "
    "call in which he asked for prices by the end of the week.\n\n"
    "- Open: one scheduled call about the proposal, due on Tuesday at 15:00.\n"
    "- Notes: he prefers mornings and decides together with his head of purchasing.\n\n"
    "Would you like me to prepare an email with the price list before you call?"
)
CALLS = (
    ("call_8Zk2Qm1T0aYp", "get_lead", json.dumps({"lead_id": JACK_ID})),
    ("call_W5sJ4hG2uKfA", "list_activities", json.dumps({"entity_type": "lead", "entity_id": JACK_ID})),
)
ANSWERS = (Answer(calls=CALLS), Answer(text=REPLY))


class _RecordingModel:
    """A scripted model that records its requests."""

    def __init__(self) -> None:
        self.requests: list[ModelRequest] = []

    def stream(self, request: ModelRequest) -> Iterator[ModelEvent]:
        self.requests.append(request)
        if len(self.requests) == 1:
            yield ModelFinished("fake", "fake", tuple(ToolCallRequest(*call) for call in CALLS))
        else:
            yield TextChunk(REPLY)
            yield ModelFinished("fake", "fake")


def conversation(url: str) -> Conversation:
    """Return the product's prompt and tool results for the question; all contestants send and get the same."""
    first, second = _record_requests()
    results = {
        call.name: answer.content
        for call, answer in zip(second.messages[-3].tool_calls, second.messages[-2:], strict=True)
    }
    tools = [openai_function(spec) for spec in first.tools]
    return Conversation(url, first.messages[0].content, QUESTION, tools, results, REPLY)


def write_conversation(conversation: Conversation, folder: Path) -> Path:
    """Write the file from which a contestant's process reads the conversation."""
    path = folder / "conversation.json"
    path.write_text(json.dumps(asdict(conversation)), "utf-8")
    return path


def _record_requests() -> Sequence[ModelRequest]:
    clock, model = FixedClock(), _RecordingModel()
    with ThreadPoolExecutor(4) as workers:
        deps = TurnDependencies(
            model,
            discover("aisha.tools"),
            in_memory_ports(clock, filled_records(clock)),
            InMemoryConversationRepository(),
            TurnLimits(),
            workers,
            brainlets_without_model(),
        )
        request = parse_chat_request(json.dumps({"message": QUESTION}).encode(), 8000)
        for event in run_turn(request, ALICE, deps):
            if isinstance(event, TurnFailed):
                raise event.error
    return model.requests
