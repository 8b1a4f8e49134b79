"""What a user asked the assistant to remember, found by its words."""

from collections import Counter
from collections.abc import Iterator, Sequence

from aisha.application.knowledge.bm25 import SECTION_LENGTH, BM25Index, query_stems, stems
from aisha.application.tooling.context import OwnedEntries
from aisha.domain.entries import Entry
from aisha.domain.pages import items

KIND = "memory"
MOST_SEARCHED = 1000
_PAGE = 50


def search(own: OwnedEntries, query: str) -> list[Entry]:
    """Those of the newest 1000 memories that share a telling word with the query, the best first, then the newest."""
    memories = list(_newest(own))
    wanted = query_stems(query)
    ranking = BM25Index([Counter(stems(text_of(entry))) for entry in memories], SECTION_LENGTH)
    scores = [ranking.score(place, wanted) for place in range(len(memories))]
    places = sorted((place for place, score in enumerate(scores) if score > 0), key=lambda place: -scores[place])
    return [memories[place] for place in places]


def same_as(own: OwnedEntries, text: str) -> Entry | None:
    """The memory that says just this already, whatever its case and spacing."""
    wanted = _plain(text)
    return next((entry for entry in _newest(own) if _plain(text_of(entry)) == wanted), None)


def text_of(entry: Entry) -> str:
    """What is remembered, in the user's words."""
    return str(entry.body.get("text", ""))


def _newest(own: OwnedEntries) -> Iterator[Entry]:
    return items(lambda cursor: own.page(KIND, limit=_PAGE, cursor=cursor), max_items=MOST_SEARCHED)


def _plain(text: str) -> Sequence[str]:
    return text.casefold().split()
