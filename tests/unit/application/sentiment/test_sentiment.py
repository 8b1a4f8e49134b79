"""Sentiment judged by the lexicon."""

import pytest

from aisha.application.sentiment.lexicon import rate_sentiment


@pytest.mark.parametrize(
    ("text", "sentiment"),
    [
        ("They love the product and are ready to sign.", "positive"),
        ("Budget approved, moving forward.", "positive"),
        ("We are too expensive for them, they went with somebody else.", "negative"),
        ("Not interested any more.", "negative"),
        ("He is not happy with our support.", "negative"),
        ("Thrilled with the demo but angry about the price.", "mixed"),
        ("The release was great. The invoices are a terrible mess.", "mixed"),
        ("Please send the pricing sheet by Friday.", "neutral"),
        ("Meeting on Tuesday at 3pm.", "neutral"),
        ("", "neutral"),
        ("\n\n ... !!", "neutral"),
    ],
)
def test_a_text_has_the_sentiment_of_its_words(text: str, sentiment: str) -> None:
    assert rate_sentiment([text]).sentiment == sentiment


def test_the_score_has_the_direction_and_stays_within_its_bounds() -> None:
    good, bad = rate_sentiment(["Excellent! " * 500]), rate_sentiment(["Awful! " * 500])
    assert -1 <= bad.score < -0.3 < 0.3 < good.score <= 1
    assert rate_sentiment(["Great call.", "Bad support."]).score < good.score


def test_the_evidence_quotes_the_strongest_words_first() -> None:
    rating = rate_sentiment(["Met on Monday. They are fairly happy. The outage was a horrible disaster."])
    assert rating.evidence[0] == "The outage was a horrible disaster."
    assert "Met on Monday." not in rating.evidence
    assert len(rate_sentiment([f"Great call number {n}." for n in range(20)]).evidence) == 5
