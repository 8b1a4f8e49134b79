"""Sentiment by words: VADER's lexicon and rules, extended by words of sales.

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
MIN_SCORE = 0.05
"""Minimum absolute score of a positive or negative text (VADER's own convention)."""
MIN_MIXED_SCORE = 0.2
"""A text is mixed when clauses of both directions have at least this absolute score."""
MAX_EVIDENCE = 5
MAX_QUOTATION_LENGTH = 120
_NEGATIVE_VALENCES = {
    "cancelled": -1.3,
    "churn": -2.2,
    "competitor": -0.8,
    "delayed": -1.3,
    "escalated": -1.6,
    "escalation": -1.6,
    "expensive": -1.4,
    "gone quiet": -1.4,
    "lost interest": -2.4,
    "no budget": -1.8,
    "no longer interested": -2.6,
    "no reply": -1.2,
    "no response": -1.2,
    "not interested": -2.6,
    "not responding": -1.4,
    "on hold": -1.0,
    "over budget": -1.6,
    "pushback": -1.4,
    "refund": -1.5,
    "too expensive": -2.0,
    "too late": -1.4,
    "unresponsive": -1.5,
    "went silent": -1.6,
    "went with": -1.6,
}
_POSITIVE_VALENCES = {
    "budget approved": 2.2,
    "good fit": 2.0,
    "keen": 1.9,
    "looking forward": 1.9,
    "moving forward": 1.4,
    "on board": 1.5,
    "ready to sign": 2.6,
    "recommended us": 2.4,
    "renew": 1.4,
    "renewed": 1.8,
    "signed": 1.8,
    "smooth": 1.4,
    "upsell": 1.4,
    "very interested": 2.4,
    "wants to buy": 2.6,
}
_VALENCES = _NEGATIVE_VALENCES | _POSITIVE_VALENCES
"""Mean valences on VADER's scale, -4 to 4."""
_NEUTRAL_WORDS = (
    *("alert", "chance", "credit", "cut", "dear", "demand", "demo", "free", "help", "helps", "interest", "kind"),
    *("lead", "leads", "legal", "low", "matter", "matters", "natural", "no", "number", "opportunities", "opportunity"),
    *("party", "please", "risk", "share", "shared", "sharing", "stop", "thanks", "top", "value", "values", "want"),
    "wants",
)
"""Words of VADER's lexicon that show no sentiment in a business note."""
# The end of a sentence or line, or the place before a conjunction of contrast.
_CLAUSE = re.compile(
    r"(?<=[.!?;\n])\s+|\n+|\s{0,8},?\s{0,8}\b(?=(?:but|however|although|though|whereas)\b)", re.IGNORECASE
)
# Longer phrases first, so that "no longer interested" wins over a phrase that it contains.
_PHRASES = re.compile(
    rf"\b(?:{'|'.join(sorted((re.escape(phrase) for phrase in _VALENCES if ' ' in phrase), key=len, reverse=True))})\b",
    re.IGNORECASE,
)


class Rating(Struct, frozen=True):
    """A sentiment.

    `score` is the mean over the clauses with any sentiment, -1 to 1; `evidence` quotes the strongest.
    """

    sentiment: Sentiment
    score: float
    evidence: tuple[str, ...]


def rate_sentiment(texts: Sequence[str]) -> Rating:
    """Return the common sentiment of the texts, from the scores of their clauses."""
    clauses = [clause.strip() for text in texts for clause in _CLAUSE.split(text) if clause and clause.strip()]
    scored = [(score, clause) for clause in clauses if abs(score := _score(clause)) >= MIN_SCORE]
    if not scored:
        return Rating("neutral", 0.0, ())
    mean = round(sum(score for score, _ in scored) / len(scored), 2)
    strongest = sorted(scored, key=lambda item: -abs(item[0]))[:MAX_EVIDENCE]
    evidence = tuple(dict.fromkeys(shorten(clause, MAX_QUOTATION_LENGTH, placeholder=" …") for _, clause in strongest))
    return Rating(_classify([score for score, _ in scored], mean), mean, evidence)


def _classify(scores: Sequence[float], mean: float) -> Sentiment:
    if max(scores) >= MIN_MIXED_SCORE and min(scores) <= -MIN_MIXED_SCORE:
        return "mixed"
    return "positive" if mean >= MIN_SCORE else "negative" if mean <= -MIN_SCORE else "neutral"


def _score(clause: str) -> float:
    # VADER scores single words, so phrases are written as one word in the text and in the lexicon.
    words = _PHRASES.sub(lambda match: _as_word(match[0]), clause)
    return float(_analyzer().polarity_scores(words)["compound"])


def _as_word(phrase: str) -> str:
    return re.sub(r"\W+", "_", phrase.lower())


@lru_cache(maxsize=1)
def _analyzer() -> SentimentIntensityAnalyzer:
    analyzer = SentimentIntensityAnalyzer()
    # The lexicon belongs to this analyzer alone: VADER reads its file for each instance.
    for word in _NEUTRAL_WORDS:
        analyzer.lexicon.pop(word, None)
    analyzer.lexicon.update({_as_word(phrase): valence for phrase, valence in _VALENCES.items()})
    return analyzer
