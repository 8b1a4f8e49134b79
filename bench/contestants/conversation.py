"""The conversation as every contestant gets it. Imports nothing of the product: the frameworks' environment has none of it."""

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

MODEL = "gpt-4o"
KEY = "sk-none"
MOST_ROUNDS = 4


@dataclass(frozen=True, slots=True)
class Conversation:
    """One question and all that is needed to answer it with two model calls and the tools between them.

    `system` and `tools` are what the product sends, `results` what its tools return to the model by the tool's name,
    `reply` what the model says at the end.
    """

    url: str
    system: str
    question: str
    tools: list[dict[str, Any]]
    results: dict[str, str]
    reply: str

    def run(self, name: str, **arguments: object) -> str:
        """The tool's result, at no cost: only the product's own turn really runs its tools."""
        if not arguments:
            raise ValueError(f"{name} was called without arguments")
        return self.results[name]


def read_conversation(path: Path) -> Conversation:
    """The conversation that `bench.world` wrote."""
    return Conversation(**json.loads(path.read_text("utf-8")))
