"""How people feel, by the words they use: VADER's lexicon and rules, with the words of sales added.

VADER: Hutto & Gilbert, "A Parsimonious Rule-based Model for Sentiment Analysis of Social Media Text", ICWSM 2014.
"""

import re
from collections.abc import Sequence
from functools import lru_cache
from textwrap import shorten
from typing import Literal

from msgspec import Struct
from vaderSentiment.vaderSentiment import SentimentIntensityAnalyzer

Sentiment = Literal["positive", "neutral", "negative", "mixed"]
FELT = 0.05
"""Score from which a text counts as positive, or negative below minus that (VADER's own convention)."""
STRONG = 0.2
"""Score from which one clause stands against another: both directions make a text mixed."""
MOST_EVIDENCE = 5
_LONGEST = 120
# Mean valence as VADER has it, -4 to 4. Several words are one: they are written as one word before they are scored.
_SALES = {
    "too expensive": -2.0, "expensive": -1.4, "over budget": -1.6, "no budget": -1.8, "too late": -1.4,
    "went with": -1.6, "lost interest": -2.4, "not interested": -2.6, "no longer interested": -2.6, "churn": -2.2,
    "no reply": -1.2, "no response": -1.2, "not responding": -1.4, "went silent": -1.6, "gone quiet": -1.4, "on hold": -1.0,
    "unresponsive": -1.5, "escalated": -1.6, "escalation": -1.6, "refund": -1.5, "cancelled": -1.3, "delayed": -1.3,
    "competitor": -0.8, "pushback": -1.4, "ready to sign": 2.6, "wants to buy": 2.6, "signed": 1.8, "renewed": 1.8,
    "renew": 1.4, "upsell": 1.4, "keen": 1.9, "looking forward": 1.9, "budget approved": 2.2, "good fit": 2.0, "on board": 1.5,
    "moving forward": 1.4, "very interested": 2.4, "smooth": 1.4, "recommended us": 2.4,
}  # fmt: skip
_NO_FEELING = (
    "please share shared sharing free number demand lead leads matter matters help helps want wants value values kind "
    "opportunity opportunities no low interest chance risk cut stop legal natural credit alert top demo dear thanks party"
).split()
"""Words that VADER weighs and that mean nothing in a note about business."""
_CLAUSE = re.compile(r"(?<=[.!?;\n])\s+|\n+|\s*,?\s*\b(?=(?:but|however|although|though|whereas)\b)", re.IGNORECASE)
_PHRASES = re.compile(
    rf"\b(?:{'|'.join(sorted((re.escape(one) for one in _SALES if ' ' in one), key=len, reverse=True))})\b",
    re.IGNORECASE,
)


class Feeling(Struct, frozen=True):
    """`score` is -1 to 1: the mean over the clauses that show any feeling. `evidence` quotes the strongest of them."""

    sentiment: Sentiment
    score: float
    evidence: tuple[str, ...]


def feeling_in(texts: Sequence[str]) -> Feeling:
    """What the texts show together, clause by clause."""
    clauses = [clause.strip() for text in texts for clause in _CLAUSE.split(text) if clause and clause.strip()]
    scored = [(score, clause) for clause in clauses if abs(score := _score(clause)) >= FELT]
    if not scored:
        return Feeling("neutral", 0.0, ())
    mean = round(sum(score for score, _ in scored) / len(scored), 2)
    strongest = sorted(scored, key=lambda item: -abs(item[0]))[:MOST_EVIDENCE]
    evidence = tuple(dict.fromkeys(shorten(clause, _LONGEST, placeholder=" …") for _, clause in strongest))
    return Feeling(_named([score for score, _ in scored], mean), mean, evidence)


def _named(scores: Sequence[float], mean: float) -> Sentiment:
    if max(scores) >= STRONG and min(scores) <= -STRONG:
        return "mixed"
    return "positive" if mean >= FELT else "negative" if mean <= -FELT else "neutral"


def _score(clause: str) -> float:
    words = _PHRASES.sub(lambda match: _as_word(match[0]), clause)
    return float(_analyzer().polarity_scores(words)["compound"])


def _as_word(phrase: str) -> str:
    return re.sub(r"\W+", "_", phrase.lower())


@lru_cache(maxsize=1)
def _analyzer() -> SentimentIntensityAnalyzer:
    analyzer = SentimentIntensityAnalyzer()
    for word in _NO_FEELING:
        analyzer.lexicon.pop(word, None)
    analyzer.lexicon.update({_as_word(phrase): valence for phrase, valence in _SALES.items()})
    return analyzer
