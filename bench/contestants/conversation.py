"""The conversation as every contestant gets it. Imports nothing of the product, which the frameworks' environment
lacks.
"""

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

MODEL = "gpt-4o"
KEY = "sk-none"
MAX_ROUNDS = 4


@dataclass(frozen=True, slots=True)
class Conversation:
    """One question, with all that is needed to answer it by two model calls and tools between them.

    `system` and `tools` are what the product sends, `results` its tools' results by the tool's name, `reply` the
    model's last text.
    """

    url: str
    system: str
    question: str
    tools: list[dict[str, Any]]
    results: dict[str, str]
    reply: str

    def run(self, name: str, **arguments: object) -> str:
        """Return the tool's result at no cost: only the product's own turn really runs its tools."""
        if not arguments:
            raise ValueError(f"{name} was called without arguments")
        return self.results[name]


def read_conversation(path: Path) -> Conversation:
    """Read the conversation that `bench.world` wrote."""
    return Conversation(**json.loads(path.read_text("utf-8")))
