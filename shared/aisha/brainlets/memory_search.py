"""A brainlet that gives the model memories of similar cases (K-035)."""

from collections.abc import Mapping
from typing import Any

from aisha.application.knowledge.bm25 import query_stems
from aisha.application.memory.retrieval import is_readable, recall
from aisha.application.turn.brainlets.spec import BrainletOptions, BrainletView, brainlet
from aisha.domain.errors import ModelUnavailableError
from aisha.domain.memory import MemoryQuery

SYSTEM = """Give the 3 to 8 keywords by which to find similar past cases for a salesperson's message: subjects,
situation, outcome sought. Only the keywords, separated by commas."""
MAX_MEMORIES = 3
MAX_CANDIDATES = 12
"""Memories that are searched: more than `MAX_MEMORIES`, since some may be of modules that are closed to the user."""
MIN_WORDS = 3
"""A message with fewer words (stop words not counted) is similar to too many memories."""


def has_search_words(turn: BrainletView) -> bool:
    """Return whether the message has enough words for a search."""
    return len(query_stems(turn.text)) >= MIN_WORDS


@brainlet(
    stage="pre",
    applies=has_search_words,
    capability="chat_light",
    options=BrainletOptions(max_completion_tokens=64, temperature=0.0, seconds=3.0),
    counts_memory=True,
)
def memory_search(outputs: Mapping[str, Any], turn: BrainletView) -> list[dict[str, Any]] | None:
    """Return up to three memories similar to the message; None if there is no memory or nothing is similar enough."""
    ports, principal = turn.ports, turn.principal
    if (store := ports.memory()) is None:
        return None
    try:
        # The model's keywords complete the message rather than replace it: they may miss its point.
        query = f"{turn.text}\n{turn.ask(SYSTEM, turn.text)}"
    except ModelUnavailableError:
        query = turn.text
    candidates = recall(store, ports.embedder(), principal.tenant, MemoryQuery(query, limit=MAX_CANDIDATES))
    hits = [hit for hit in candidates if is_readable(principal, hit.chunk)][:MAX_MEMORIES]
    # Outsiders may have written these texts, so writes that follow them wait for the user's confirmation.
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
