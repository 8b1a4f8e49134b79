"""The forms of phrases, and the data that they are written in."""

import pytest

from aisha.domain.dates.kinds import kinds_of
from aisha.domain.dates.phrases import Grammar, Text, load, synonyms
from aisha.domain.dates.resolve import RESOLVERS
from aisha.domain.dates.tokens import split

TABLE = load("time_words.toml")
PHRASES = {group: TABLE[group] for group in ("day", "compound", "anchor", "clock", "bare", "time", "weak", "range")}


def longest(forms: list[str], text: str) -> tuple[int, dict[str, object]] | None:
    phrase = Grammar({"test": {"it": forms}}, kinds_of(TABLE)).longest("test", Text(split(text)), 0)
    return (phrase.after, dict(phrase.values)) if phrase else None


def test_every_phrase_has_what_resolves_it() -> None:
    assert {means for phrases in PHRASES.values() for means in phrases} <= RESOLVERS.keys()


def test_an_optional_word_may_be_missing_and_a_named_one_is_kept() -> None:
    forms = ["in? the? part=start|end of <month>"]
    assert longest(forms, "end of may") == (3, {"part": "end", "month": 5})
    assert longest(forms, "in the end of may") == (5, {"part": "end", "month": 5})


def test_the_longest_form_wins() -> None:
    assert longest(["<weekday>", "<weekday> week"], "monday week") == (2, {"weekday": 0})


def test_a_form_ends_before_what_must_not_follow() -> None:
    forms = ["at h:<digits> !percent"]
    assert longest(forms, "at 5 percent") is None
    assert longest(forms, "at 5 today") == (2, {"h": 5})


def test_a_hyphen_may_stand_between_the_elements_of_a_form() -> None:
    assert longest(["mid <month>"], "mid-march") == (3, {"month": 3})


def test_a_form_does_not_end_inside_of_a_word_or_number() -> None:
    assert longest(["at <digits>"], "at 50k") is None


def test_what_is_no_form_is_refused() -> None:
    with pytest.raises(ValueError, match="no element"):
        longest(["<weekday"], "monday")


def test_a_number_as_a_value_is_an_integer_and_two_words_may_be_one() -> None:
    assert synonyms({"-2": "good_friday", "mid": "middle"}) == {"good_friday": -2, "middle": "mid"}
    assert longest(["<named_day>"], "Good Friday") == (2, {"named_day": -2})
