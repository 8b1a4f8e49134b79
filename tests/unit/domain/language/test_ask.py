import pytest

from aisha.domain.language.ask import Ask
from aisha.domain.language.reader import Segment, Span
from tests.support.dialogue.conversations import NOW


def _ask(text: str, tag: str, word: str) -> Ask:
    return Ask(Segment(text, "search", 1.0, (Span(tag, word, text.index(word)),)), NOW)


@pytest.mark.parametrize(
    ("text", "month", "day"),
    [("my March deals", "March", "2026-03-01"), ("open deals with a may close date", "may", "2026-05-01")],
)
def test_a_slot_that_is_a_month_is_a_time_though_the_word_may_be_another(text: str, month: str, day: str) -> None:
    (span,) = _ask(text, "when", month).times
    assert str(span.first) == day
    assert not _ask(text, "name", month).times


def test_only_the_word_at_makes_an_owner_a_place() -> None:
    assert _ask("show me what bob has", "owner", "bob").texts("owner") == ("bob",)
    assert _ask("deals at Nando's", "owner", "Nando").texts("value") == ("Nando",)
