"""The product's whole turn: from the request's bytes to the response's, as the chat function runs it."""

import json
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor

from pydantic_core import to_json

from aisha.adapters.llm.apis.openai_chat import OpenAIChatModel
from aisha.application.requests.chat_request import parse_chat_request
from aisha.application.tooling import discover
from aisha.application.turn.brainlets.registry import Brainlets, discover_brainlets
from aisha.application.turn.run import run_turn
from aisha.application.turn.state import TurnDependencies, TurnLimits
from aisha.renderers.json_response import render
from aisha.renderers.ui_stream import ui_stream
from bench.contestants.conversation import KEY, MODEL, Conversation
from bench.crm import ALICE, filled_records
from tests.fakes.stores.in_memory import FixedClock, InMemoryConversationRepository, in_memory_ports


def brainlets_without_model() -> Brainlets:
    """Return the brainlets that call no model, so that all contestants make the same two calls."""
    return Brainlets(
        [brainlet for brainlet in discover_brainlets("aisha.brainlets").ordered if brainlet.capability is None]
    )


class AishaTurn:
    """One call is one turn, with all of the product's tools and brainlets, over stores in memory."""

    def __init__(self, conversation: Conversation) -> None:
        clock, limits = FixedClock(), TurnLimits()
        self._deps = TurnDependencies(
            model=OpenAIChatModel(KEY, conversation.url, MODEL),
            registry=discover("aisha.tools"),
            ports=in_memory_ports(clock, filled_records(clock)),
            conversations=InMemoryConversationRepository(),
            limits=limits,
            workers=ThreadPoolExecutor(limits.max_calls_per_round),
            brainlets=brainlets_without_model(),
        )
        self._body = json.dumps({"message": conversation.question}).encode()

    def whole(self) -> str:
        request = parse_chat_request(self._body, 8000)
        answer = render(run_turn(request, ALICE, self._deps, streamed=False), "req-1")
        to_json(answer)
        return str(answer["response"])

    def streamed(self) -> Iterator[str]:
        """Yield the events of the stream that the chat function sends."""
        request = parse_chat_request(self._body, 8000)
        for piece in ui_stream(run_turn(request, ALICE, self._deps), "req-1"):
            piece.encode("utf-8", "replace")
            yield piece

    @staticmethod
    def text_of(pieces: list[str]) -> str:
        """Return the text in the stream's events."""
        events = [json.loads(piece[6:]) for piece in pieces if piece.startswith("data: {")]
        return "".join(event["delta"] for event in events if event["type"] == "text-delta")

    def at_once(self, turns: int) -> list[str]:
        """Run turns side by side, a thread each, as the chat function does."""
        with ThreadPoolExecutor(turns) as threads:
            return list(threads.map(lambda _: self.whole(), range(turns)))
