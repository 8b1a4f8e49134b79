"""Which tools a sentence may need, by its words alone."""

from collections import Counter
from collections.abc import Sequence
from functools import lru_cache

from aisha.application.knowledge.bm25 import BM25Index, stems
from aisha.domain.tools import ToolSpec

MOST = 5
NEAR_ENOUGH = 0.5
"""Part of the best tool's score from which another one is sent, too."""
LENGTH = 0.4
"""b of BM25: a tool with many examples is only a little longer for it."""
NAME_WEIGHT, EXAMPLE_WEIGHT = 3, 2
"""How often a word of the name or of an example counts, beside once in the description's first line."""


def matching_tools(text: str, specs: Sequence[ToolSpec]) -> list[str]:
    """The names of at most five tools, the best first, by BM25 over their names, examples and descriptions."""
    wanted = frozenset(stems(text))
    ranking = _ranking(tuple((spec.name, spec.description, spec.examples) for spec in specs))
    scored = sorted(((ranking.score(place, wanted), place) for place in range(len(specs))), reverse=True)
    if not scored or scored[0][0] <= 0:
        return []
    least = NEAR_ENOUGH * scored[0][0]
    return [specs[place].name for score, place in scored[:MOST] if score >= least]


@lru_cache(maxsize=32)
def _ranking(tools: tuple[tuple[str, str, tuple[str, ...]], ...]) -> BM25Index:
    return BM25Index([_bag(*tool) for tool in tools], LENGTH)


def _bag(name: str, description: str, examples: tuple[str, ...]) -> Counter[str]:
    bag = Counter(stems(description.splitlines()[0]))
    for text, weight in ((name.replace("_", " "), NAME_WEIGHT), *((one, EXAMPLE_WEIGHT) for one in examples)):
        for stem in stems(text):
            bag[stem] += weight
    return bag
