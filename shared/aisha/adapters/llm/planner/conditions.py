"""Read clauses that are conditions: what an order waits for."""

from aisha.domain.language import lexicon
from aisha.domain.language.tokens import tokenize

OPENINGS = lexicon.INTERJECTIONS | {"and", "so", "then", "but", "now", "well", "just"}
"""Words before what a clause begins with."""
CONDITIONS = frozenset("if unless until once assuming provided supposing whenever".split())
_CONDITION_PHRASES = (
    ("as", "soon", "as"),
    ("as", "long", "as"),
    ("so", "long", "as"),
    ("in", "case"),
    ("in", "event"),
    ("on", "condition"),
)
POLITE = frozenset("possible you please ok okay thanks".split())
_RESTRICTING = frozenset("count consider include take look".split())
_POLITE_CLOSES = frozenset("trouble bother hassle convenient".split())


def is_condition(text: str) -> bool:
    """Return whether a clause is a condition: "if he says no", but not "if possible", "if it's no trouble"."""
    words = [one.word for one in tokenize(text) if one.word not in OPENINGS and one.kind != "mark"]
    is_only = words[:1] == ["only"]
    words = words[1:] if is_only else words  # "But only if Bob agrees"
    articles = [at for at, word in enumerate(words[:3]) if word in ("the", "any")]
    words = words[: articles[0]] + words[articles[0] + 1 :] if articles else words  # "In the case that Bob agrees"
    if {*words[1:4]} & _RESTRICTING and any(one.word in ("just", "only") for one in tokenize(text)):
        return False  # "If I count only the new ones" says which are counted.
    is_polite = not POLITE.isdisjoint(words[1:2]) or words[3:4] in (["possible"], ["you"])
    is_polite = is_polite or not _POLITE_CLOSES.isdisjoint(words[2:7])
    conditions = CONDITIONS | {"when", "after"} if is_only else CONDITIONS
    is_phrase = any(tuple(words[: len(phrase)]) == phrase for phrase in _CONDITION_PHRASES)
    return (is_phrase or not conditions.isdisjoint(words[:1])) and not is_polite
