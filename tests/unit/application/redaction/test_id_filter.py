"""Removal of ids from texts for the user, whole or in pieces."""

import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from aisha.application.redaction.id_filter import IdFilter
from aisha.application.redaction.output import clean

JACK = "lead_01JD3Q8S5V0W8Y2Z6T4R9K7M1N"
GHOST = "contact_01JD3Q8S5V0W8Y2Z6T4R9K7M1P"
NAMES = {JACK.lower(): "Jack Russel"}
ULIDS = st.text("0123456789ABCDEFGHJKMNPQRSTVWXYZ", min_size=26, max_size=26)
IDS = st.builds(
    "{}_{}".format, st.sampled_from(["lead", "contact", "account", "opportunity", "activity", "note"]), ULIDS
)
WORDS = st.sampled_from(
    ["Jack", "call", "at 3pm", "€1,250.00", "snake_case", "lead_time", "2026-03-04", "(ABC Corp)", "**bold**", "\n"]
)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (f"I found {JACK}.", "I found Jack Russel."),
        (f"Jack Russel ({JACK}) is warm.", "Jack Russel is warm."),
        (f"Jack Russel (ID: {JACK}) is warm.", "Jack Russel is warm."),
        (f"Call `{JACK}` now", "Call `Jack Russel` now"),
        (f"Gone: {GHOST}, bye", "Gone:, bye"),
        (f"{JACK.upper()} shouts", "Jack Russel shouts"),
        ("Order 01JD3Q8S5V costs $1,200 at lead_time 3_000", "Order 01JD3Q8S5V costs $1,200 at lead_time 3_000"),
        ("", ""),
    ],
)
def test_ids_become_names_or_nothing(text: str, expected: str) -> None:
    assert clean(text, NAMES) == expected


@settings(deadline=None)
@given(
    st.lists(st.one_of(WORDS, IDS, st.just(JACK)), max_size=12), st.lists(st.integers(1, 9), min_size=1, max_size=40)
)
def test_pieces_show_what_the_whole_shows(parts: list[str], sizes: list[int]) -> None:
    text = " ".join(parts)
    stage, output, start = IdFilter(NAMES), "", 0
    for size in sizes:
        output += stage.feed(text[start : start + size])
        assert not re.search(r"_[0-9A-HJKMNP-TV-Z]{26}", output)
        start += size
    output += stage.feed(text[start:]) + stage.flush()
    assert output == clean(text, NAMES)


@settings(deadline=None)
@given(st.lists(WORDS, max_size=15))
def test_a_text_without_ids_stays_as_it_is(parts: list[str]) -> None:
    text = " ".join(parts)
    assert clean(text, NAMES) == text
