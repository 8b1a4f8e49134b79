"""How many prompt tokens context on demand takes beside sending everything, over the written conversations.

Each conversation of tests/conversations is played twice with the offline planner: as the product does it (tools chosen
by the router's words, knowledge and data on request), and with every permitted tool, every article and every data
section sent with each model call. Tokens are estimated at 4 characters; those of the router's own calls count.
"""

import argparse
import json
import sys
from collections.abc import Iterator
from datetime import UTC, datetime
from typing import Any

from msgspec.structs import replace

from aisha.application.knowledge import library as knowledge
from aisha.application.knowledge.data_sections import data_sections
from aisha.application.tooling import ToolRegistry, discover
from aisha.application.turn.brainlets.registry import Brainlets
from aisha.application.turn.brainlets.spec import Brainlet, BrainletView
from aisha.application.turn.brainlets.view import TurnView
from aisha.application.turn.prompt_request import estimated_tokens, schema_tokens
from aisha.domain.conversation import Attachments
from aisha.domain.models import ModelEvent, ModelRequest
from aisha.domain.ports import ChatModel
from bench.table import Row
from tests.support.conversations import FILES, Stage, conversations

MOST = 0.35
"""The project's bound for the ratio."""
EVERY = 8
"""Each n-th conversation is played, where nobody says otherwise."""
NOW = datetime(2026, 3, 4, 15, 0, tzinfo=UTC)


class Measured:
    """A model whose prompts are counted."""

    def __init__(self, model: ChatModel) -> None:
        self._model = model
        self.tokens = 0
        self.calls = 0
        self.router_tokens = 0

    def stream(self, request: ModelRequest) -> Iterator[ModelEvent]:
        if request.capability != "chat_tools":
            self.router_tokens += sum(estimated_tokens(message.content) for message in request.messages)
            yield from self._model.stream(request)
            return
        self.calls += 1
        self.tokens += sum(estimated_tokens(message.content) for message in request.messages)
        self.tokens += sum(schema_tokens(spec) for spec in request.tools)
        yield from self._model.stream(request)


def _attach_everything(_: object, turn: BrainletView) -> None:
    assert isinstance(turn, TurnView)
    articles = tuple(one.id for one in knowledge.articles())
    turn.turn.record.more_info.attached = Attachments(articles, (), tuple(data_sections()))


EVERYTHING = Brainlets([Brainlet("everything", "Sends everything.", "pre", _attach_everything)])


def spent(conversation: dict[str, Any], registry: ToolRegistry, brainlets: Brainlets | None) -> Measured:
    """The prompts of one conversation."""
    stage = Stage(registry, NOW, conversation.get("user", "alice"), conversation.get("tenant", "demo"))
    model = Measured(stage.deps.model)
    stage.deps = replace(stage.deps, model=model, brainlets=brainlets or stage.deps.brainlets)
    last = None
    for turn in conversation["turns"]:
        last = stage.say(turn["say"], last, **turn.get("request", {}))["conversationId"]
    return model


def played_twice(every: int) -> tuple[list[Measured], list[Measured]]:
    """Each n-th written conversation: context on demand, everything attached."""
    registry = discover("aisha.tools")
    chosen = [one for file in FILES for one in conversations(file)][::every]
    return [spent(one, registry, None) for one in chosen], [spent(one, registry, EVERYTHING) for one in chosen]


def tokens_row(every: int) -> Row:
    """The ratio of the prompt tokens; those of the router's own calls count."""
    return ratio_of(*played_twice(every))


def ratio_of(on_demand: list[Measured], everything: list[Measured]) -> Row:
    """The row for conversations that were played."""
    ours = sum(one.router_tokens + one.tokens for one in on_demand)
    theirs = sum(one.tokens for one in everything)
    detail = f"tokens, {ours:,} : {theirs:,}"
    return Row("prompt, context on demand", "everything attached", ours / theirs, most=MOST, detail=detail)


def main() -> int:
    """Prints the figures; 1 when the ratio is over its bound."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--every", type=int, default=EVERY, help="plays each n-th conversation")
    on_demand, everything = played_twice(parser.parse_args().every)
    rows = {"on demand": on_demand, "everything attached": everything}
    for name, played in rows.items():
        tokens, calls = sum(one.tokens for one in played), sum(one.calls for one in played)
        print(f"{name:<22}{len(played):>5} conversations {calls:>6} model calls {tokens:>11,} tokens "
              f"{tokens // calls:>7,} a call")  # fmt: skip
    routing = sum(one.router_tokens for one in on_demand)
    print(f"{'router, cheap model':<22}{'':>37}{routing:>11,} tokens")
    ratio = ratio_of(on_demand, everything).figure
    print(json.dumps({"prompt_tokens_ratio": round(ratio, 3), "bound": MOST}))
    return int(ratio > MOST)


if __name__ == "__main__":
    sys.exit(main())
