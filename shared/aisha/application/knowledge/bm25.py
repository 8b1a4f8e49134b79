"""BM25 (Robertson and Zaragoza, "The Probabilistic Relevance Framework", 2009) over the stems of English words.

Libraries for it need numpy, which is too large for a cold start.
"""

import math
import re
from collections import Counter
from collections.abc import Iterable, Sequence
from functools import lru_cache

SATURATION = 1.2
"""k1 of BM25."""
SECTION_LENGTH = 0.3
"""b of BM25 for sections. It penalises length less than for articles: the shortest sections are asides."""
MIN_COVERAGE = 0.3
"""Share of a query, by the weight of its words, that a text must contain."""
# Letters and digits, with apostrophes inside: "don't", "O’Brien's"; an underscore separates words.
_WORD = re.compile(r"[^\W_]+(?:['’][^\W_]+)*")
STOP_WORDS = frozenset(
    "a about again all also am an and any anything are article articles as at be been before but by can could did do "
    "document documentation documents does for from get give guide had has have he her him his how i i'm if in into is "
    "it it's its just know knowledge let like look make may me my need of on one or our ours out please read say says "
    "search she should show so some something tell than that that's the their them then there these they this those to "
    "up us use was we were what what's when where which who why will with would you your find way best good "
    "right".split()
)
"""Words of questions that say nothing about their subject."""


class BM25Index:
    """BM25 over bags of stems; `length` is its parameter b."""

    def __init__(self, bags: Sequence[Counter[str]], length: float) -> None:
        self._bags = bags
        self._length = length
        self._lengths = [bag.total() for bag in bags]
        self._mean_length = sum(self._lengths) / len(bags) if bags else 1.0
        self._document_frequency = Counter(stem for bag in bags for stem in bag)

    def score(self, index: int, query: Iterable[str]) -> float:
        """Return the relevance of the bag at `index` for the query's stems; 0 if it has none of them."""
        bag = self._bags[index]
        damping = SATURATION * (1 - self._length + self._length * self._lengths[index] / self._mean_length)
        return sum(
            self._idf(stem) * bag[stem] * (SATURATION + 1) / (bag[stem] + damping) for stem in query if bag[stem]
        )

    def covers(self, index: int, query: Iterable[str]) -> bool:
        """Return whether the bag at `index` has enough of the query: one common word of many does not suffice."""
        total = sum(self._idf(stem) for stem in query)
        # The last comparison excludes an empty query, which every text would cover.
        return sum(self._idf(stem) for stem in query if self._bags[index][stem]) >= MIN_COVERAGE * total > 0

    def _idf(self, stem: str) -> float:
        frequency = self._document_frequency[stem]
        # The 1 keeps the weight positive: without it, a stem in more than half of the texts would count against them.
        return math.log(1 + (len(self._bags) - frequency + 0.5) / (frequency + 0.5))


def stems(text: str, without: frozenset[str] = frozenset()) -> list[str]:
    """Return the stems of the words in their order, as often as they occur."""
    words = (word.replace("’", "'") for word in _WORD.findall(text.lower()))
    return [_stem(word) for word in words if word not in without]


def query_stems(query: str) -> frozenset[str]:
    """Return the stems of a question without its stop words, or of all its words when it has no other."""
    return frozenset(stems(query, STOP_WORDS)) or frozenset(stems(query))


@lru_cache(maxsize=10_000)
def _stem(word: str) -> str:
    # Imported at the first search: the package loads the stemmers of all languages, too slow for a cold start.
    import snowballstemmer  # noqa: PLC0415

    # A stemmer keeps the current word as its state, so that threads can't share one.
    return str(snowballstemmer.stemmer("english").stemWord(word))
