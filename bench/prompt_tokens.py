"""Compare the prompt tokens of context on demand with those of sending everything, over the written conversations.

Each conversation of tests/conversations is played twice with the offline planner: as the product does it (tools
ranked by the message's words, knowledge and data on request), and with every permitted tool, every article and every
data section sent with each model call. Tokens are estimated at 4 characters.
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
from aisha.application.turn.rounds.prompt_request import estimate_tokens, schema_tokens
from aisha.domain.conversations.conversation import Attachments
from aisha.domain.errors import ModelNotSetUpError
from aisha.domain.models import ModelEvent, ModelRequest
from aisha.domain.ports import ChatModel
from bench.table import Row
from tests.support.dialogue.conversations import FILES, Stage, conversations

MAX_RATIO = 0.35
"""The project's bound for the ratio."""
EVERY = 8
"""Each n-th conversation is played by default."""
NOW = datetime(2026, 3, 4, 15, 0, tzinfo=UTC)


class Measured:
    """A model that counts the tokens of its prompts."""

    def __init__(self, model: ChatModel) -> None:
        self._model = model
        self.tokens = 0
        self.calls = 0

    def stream(self, request: ModelRequest) -> Iterator[ModelEvent]:
        if request.capability == "router":
            raise ModelNotSetUpError("Tools are ranked by the message's words here")
        self.calls += 1
        self.tokens += sum(estimate_tokens(message.content) for message in request.messages)
        self.tokens += sum(schema_tokens(spec) for spec in request.tools)
        yield from self._model.stream(request)


def _attach_everything(_: object, turn: BrainletView) -> None:
    assert isinstance(turn, TurnView)
    articles = tuple(article.id for article in knowledge.articles())
    turn.turn.record.more_info.attached = Attachments(articles, (), tuple(data_sections()))


EVERYTHING = Brainlets([Brainlet("everything", "Sends everything.", "pre", _attach_everything)])


def play_and_measure(conversation: dict[str, Any], registry: ToolRegistry, brainlets: Brainlets | None) -> Measured:
    """Play one conversation and return the figures of its prompts."""
    stage = Stage(registry, NOW, conversation.get("user", "alice"), conversation.get("tenant", "demo"))
    model = Measured(stage.deps.model)
    stage.deps = replace(stage.deps, model=model, brainlets=brainlets or stage.deps.brainlets)
    conversation_id = None
    for turn in conversation["turns"]:
        conversation_id = stage.say(turn["say"], conversation_id, **turn.get("request", {}))["conversationId"]
    return model


def play_twice(every: int) -> tuple[list[Measured], list[Measured]]:
    """Play each n-th written conversation with context on demand and with everything attached."""
    registry = discover("aisha.tools")
    sample = [conversation for file in FILES for conversation in conversations(file)][::every]
    return [play_and_measure(conversation, registry, None) for conversation in sample], [
        play_and_measure(conversation, registry, EVERYTHING) for conversation in sample
    ]


def tokens_row(every: int) -> Row:
    """Return the row for the ratio of prompt tokens."""
    return ratio_of(*play_twice(every))


def ratio_of(on_demand: list[Measured], everything: list[Measured]) -> Row:
    """Return the row for conversations that were played."""
    ours = sum(play.tokens for play in on_demand)
    theirs = sum(play.tokens for play in everything)
    detail = f"tokens, {ours:,} : {theirs:,}"
    return Row("prompt, context on demand", "everything attached", ours / theirs, maximum=MAX_RATIO, detail=detail)


def main() -> int:
    """Print the figures. Returns 1 when the ratio is over its bound."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--every", type=int, default=EVERY, help="plays each n-th conversation")
    on_demand, everything = play_twice(parser.parse_args().every)
    rows = {"on demand": on_demand, "everything attached": everything}
    for name, models in rows.items():
        tokens, calls = sum(play.tokens for play in models), sum(play.calls for play in models)
        print(f"{name:<22}{len(models):>5} conversations {calls:>6} model calls {tokens:>11,} tokens "
              f"{tokens // calls:>7,} a call")  # fmt: skip
    ratio = ratio_of(on_demand, everything).figure
    print(json.dumps({"prompt_tokens_ratio": round(ratio, 3), "bound": MAX_RATIO}))
    return int(ratio > MAX_RATIO)


if __name__ == "__main__":
    sys.exit(main())
