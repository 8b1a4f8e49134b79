"""A message is changed as people write, the same each time, without touching names and values."""

from typing import Any

import pytest

from tests.answers.perturb import PERTURBATIONS, WORDS, perturbed

ORDER: dict[str, Any] = {
    "id": "order",
    "category": "update",
    "turns": [
        {
            "say": "Please tell me a bit less, and create a deal for Silverline Bank: renewal of 30.5k.",
            "expect": {"changes": [{"new": "opportunity", "with": {"name": "Silverline", "stage": "proposal"}}]},
        },
        {"say": "Thanks", "expect": {"changes": []}},
    ],
}
QUESTION: dict[str, Any] = {
    "id": "question",
    "category": "lookup",
    "turns": [{"say": "What's the number of denver hendricks?", "expect": {"changes": [], "says": ["number", "555"]}}],
}


def said(conversation: dict[str, Any], name: str, seed: int = 1) -> str:
    changed = perturbed(conversation, name, seed)
    assert changed is not None
    return str(changed["turns"][0]["say"])


@pytest.mark.parametrize("name", PERTURBATIONS)
def test_the_same_seed_gives_the_same_words_and_leaves_the_conversation_as_it_was(name: str) -> None:
    before = str(ORDER)
    assert perturbed(ORDER, name, 3) == perturbed(ORDER, name, 3)
    assert str(ORDER) == before


def test_a_sentence_comes_before_or_after() -> None:
    assert said(ORDER, "context before").endswith(ORDER["turns"][0]["say"])
    assert said(ORDER, "tail after").startswith(ORDER["turns"][0]["say"])
    assert len(WORDS["contexts"]) >= 12
    assert len(WORDS["tails"]) >= 8


def test_synonyms_keep_the_meaning_and_the_article() -> None:
    variants = {said(ORDER, "synonyms", seed) for seed in range(30)}
    assert any("an opportunity for Silverline Bank" in one for one in variants)
    assert all("Silverline Bank: renewal of 30.5k." in one for one in variants)


def test_a_slip_hits_one_word_that_is_neither_name_nor_value_nor_grammar() -> None:
    for seed in range(30):
        changed = said(ORDER, "typing slip", seed).split()
        wrong = [old for old, new in zip(ORDER["turns"][0]["say"].split(), changed, strict=True) if old != new]
        assert wrong == ["create"]
    assert perturbed(QUESTION, "typing slip") is None


def test_lower_case_loses_punctuation_but_not_the_points_of_numbers() -> None:
    assert said(ORDER, "lower case").endswith("create a deal for silverline bank renewal of 30.5k")
    assert said(QUESTION, "lower case") == "whats the number of denver hendricks"


def test_a_second_ask_adds_what_is_to_be_said() -> None:
    changed = perturbed(QUESTION, "two asks")
    assert changed is not None
    turn = changed["turns"][0]
    assert turn["say"].startswith("What's the number of denver hendricks and also ")
    assert len(turn["expect"]["says"]) == 3


def test_an_order_that_is_taken_back_expects_no_change_and_ends_the_conversation() -> None:
    changed = perturbed(ORDER, "taken back")
    assert changed is not None
    assert [turn["expect"] for turn in changed["turns"]] == [{"changes": []}]
    assert perturbed(QUESTION, "taken back") is None


def test_another_language_gets_no_english_words() -> None:
    german = {**QUESTION, "category": "other-language"}
    applied = [name for name in PERTURBATIONS if perturbed(german, name) is not None]
    assert applied == ["lower case", "capital letters"]
