"""Memories that a user asked the assistant to keep, and their search by words."""

from collections import Counter
from collections.abc import Iterator, Sequence

from aisha.application.knowledge.bm25 import SECTION_LENGTH, BM25Index, query_stems, stems
from aisha.application.tooling.tenant_stores import OwnedEntries
from aisha.domain.crm.paging import items
from aisha.domain.entries import Entry

KIND = "memory"
MAX_SEARCHED = 1000
_PAGE = 50


def search(entries: OwnedEntries, query: str) -> list[Entry]:
    """Return those of the newest 1000 memories that match a stem of the query, the best first, then the newest."""
    memories = list(newest(entries))
    query_words = query_stems(query)
    ranking = BM25Index([Counter(stems(text_of(entry))) for entry in memories], SECTION_LENGTH)
    scores = [ranking.score(place, query_words) for place in range(len(memories))]
    # The sort is stable, so equal scores stay in the order of `newest`.
    places = sorted((place for place, score in enumerate(scores) if score > 0), key=lambda place: -scores[place])
    return [memories[place] for place in places]


def newest(entries: OwnedEntries) -> Iterator[Entry]:
    """Yield the newest 1000 memories, the newest first."""
    return items(lambda cursor: entries.page(KIND, limit=_PAGE, cursor=cursor), max_items=MAX_SEARCHED)


def find_duplicate(entries: OwnedEntries, text: str) -> Entry | None:
    """Return the memory with the same text up to case and spacing, or None."""
    words = _normalize(text)
    return next((entry for entry in newest(entries) if _normalize(text_of(entry)) == words), None)


def text_of(entry: Entry) -> str:
    """Return the text of a memory in the user's words."""
    return str(entry.body.get("text", ""))


def _normalize(text: str) -> Sequence[str]:
    return text.casefold().split()
