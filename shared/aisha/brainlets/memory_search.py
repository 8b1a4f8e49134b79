"""Finds what happened in cases like this one and lays it before the model (K-035)."""

from collections.abc import Mapping
from typing import Any

from aisha.application.knowledge.bm25 import query_stems
from aisha.application.memory.retrieval import is_readable, recall
from aisha.application.turn.brainlets.spec import BrainletOptions, BrainletView, brainlet
from aisha.domain.errors import ModelUnavailableError
from aisha.domain.memory import MemoryQuery

SYSTEM = """Give the 3 to 8 keywords by which to find similar past cases for a salesperson's message: subjects, situation, outcome
sought. Only the keywords, separated by commas."""
LIMIT, CANDIDATES = 3, 12
"""Some of the candidates may be about modules that are closed to the user."""
FEWEST_WORDS = 3
"""A message with fewer telling words is like everything."""


def says_enough(turn: BrainletView) -> bool:
    """Whether the message has words to search by."""
    return len(query_stems(turn.text)) >= FEWEST_WORDS


@brainlet(
    stage="pre",
    applies=says_enough,
    capability="chat_light",
    options=BrainletOptions(max_completion_tokens=64, temperature=0.0, seconds=3.0),
    counts_memory=True,
)
def memory_search(outputs: Mapping[str, Any], turn: BrainletView) -> list[dict[str, Any]] | None:
    """Up to three memories that are like the message; nothing where no memory is set up or nothing is near enough."""
    ports, principal = turn.ports, turn.principal
    if (store := ports.memory()) is None:
        return None
    try:
        wanted = f"{turn.text}\n{turn.ask(SYSTEM, turn.text)}"
    except ModelUnavailableError:
        wanted = turn.text
    found = recall(store, ports.embedder(), principal.tenant, MemoryQuery(wanted, limit=CANDIDATES))
    hits = [hit for hit in found if is_readable(principal, hit.chunk)][:LIMIT]
    turn.add_recalled(hit.chunk.text for hit in hits)
    return [
        {
            "memory": hit.chunk.text,
            "when": hit.chunk.created_at.date().isoformat(),
            "outcome": hit.chunk.metadata.get("outcome"),
            "similarity": round(hit.score, 2),
        }
        for hit in hits
    ] or None
