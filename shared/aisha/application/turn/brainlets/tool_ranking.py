"""A ranking of tools for a sentence by its words alone."""

from collections import Counter
from collections.abc import Sequence
from functools import lru_cache

from aisha.application.knowledge.bm25 import BM25Index, stems
from aisha.domain.tools import ToolSpec

MAX_TOOLS = 5
MIN_SCORE_RATIO = 0.5
"""Minimum score of a tool in relation to the best tool's score."""
LENGTH_NORMALIZATION = 0.4
"""The parameter b of BM25, lower than usual: many examples make a tool longer, but not less specific."""
NAME_WEIGHT, EXAMPLE_WEIGHT = 3, 2
"""Weights of a word in the name and in an example; a word in the description's first line has weight 1."""


def rank_tools(text: str, specs: Sequence[ToolSpec]) -> list[str]:
    """Return the names of up to `MAX_TOOLS` tools, best first, by BM25 over names, examples and descriptions."""
    words = frozenset(stems(text))
    index = _index(tuple((spec.name, spec.description, spec.examples) for spec in specs))
    scored = sorted(((index.score(place, words), place) for place in range(len(specs))), reverse=True)
    if not scored or scored[0][0] <= 0:
        return []
    min_score = MIN_SCORE_RATIO * scored[0][0]
    return [specs[place].name for score, place in scored[:MAX_TOOLS] if score >= min_score]


# By the tools' texts, because a `ToolSpec` has dicts and is not hashable. Users with the same tools share an index.
@lru_cache(maxsize=32)
def _index(tools: tuple[tuple[str, str, tuple[str, ...]], ...]) -> BM25Index:
    return BM25Index([_bag(*tool) for tool in tools], LENGTH_NORMALIZATION)


def _bag(name: str, description: str, examples: tuple[str, ...]) -> Counter[str]:
    bag = Counter(stems(description.splitlines()[0]))
    for text, weight in ((name.replace("_", " "), NAME_WEIGHT), *((example, EXAMPLE_WEIGHT) for example in examples)):
        for stem in stems(text):
            bag[stem] += weight
    return bag
