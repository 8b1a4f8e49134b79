"""Corrections of typos and chat spelling, and courtesies that are left out."""

import pytest

from aisha.adapters.llm.offline.reading.spelling import (
    correct_spelling,
    expand_texting,
    is_polite_request,
    strip_fillers,
)


@pytest.mark.parametrize(
    ("text", "corrected"),
    [
        ("shedule a call", "schedule a call"),
        ("sohw my leads", "show my leads"),
        ("show my ledas", "show my leads"),
        ("tmrw mtg", "tomorrow meeting"),
        ("contcat Ann", "contact Ann"),
    ],
)
def test_a_slip_in_a_known_word_is_corrected(text: str, corrected: str) -> None:
    assert correct_spelling(text) == corrected


@pytest.mark.parametrize("text", ["Shedule", "the qick fox", "call Mo"])
def test_names_and_words_of_other_subjects_stay(text: str) -> None:
    assert correct_spelling(text) == text


def test_words_of_a_tools_examples_are_no_typos() -> None:
    assert correct_spelling("lst ledes", known_stems_too={"lede"}) == "lst ledes"


@pytest.mark.parametrize(
    ("text", "corrected"),
    [
        ("shw my lds", "show my leads"),
        ("updt the dl", "update the dl"),
        ("f/u call 4 top 3", "follow-up call for top 3"),
        ("helloooo", "hello"),
    ],
)
def test_phone_spelling_is_written_out(text: str, corrected: str) -> None:
    assert expand_texting(text) == corrected


def test_an_hour_is_no_preposition() -> None:
    assert expand_texting("call at 4") == "call at 4"


@pytest.mark.parametrize(
    "text", ["could you please show me my leads?", "hey, show me my leads, thanks", "show me my leads"]
)
def test_courtesies_are_no_part_of_a_request(text: str) -> None:
    assert strip_fillers(text) == "show me my leads"


def test_a_text_of_courtesies_alone_stays() -> None:
    assert strip_fillers("please") == "please"


@pytest.mark.parametrize(("text", "is_order"), [("could you show me Ann?", True), ("who is Ann?", False)])
def test_a_polite_question_is_an_order(text: str, is_order: bool) -> None:
    assert is_polite_request(text) is is_order
