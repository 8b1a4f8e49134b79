"""Tokens of messages: words with their normal forms, addresses, numbers and marks."""

import pytest

from aisha.domain.language.tokens import tokenize


def words(text: str) -> list[str]:
    return [token.word for token in tokenize(text)]


def test_a_possessive_is_a_token_of_its_own() -> None:
    assert words("Jack's number") == ["jack", "'s", "number"]


def test_a_contraction_is_no_possessive() -> None:
    assert words("What's new?") == ["what's", "new", "?"]


def test_chat_spelling_is_expanded_and_the_text_kept() -> None:
    (token,) = tokenize("tmrw")
    assert (token.text, token.word) == ("tmrw", "tomorrow")


def test_a_short_capitalised_word_may_be_a_name_and_is_not_expanded() -> None:
    assert words("Mo") == ["mo"]


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("maria@globex.example", "email"),
        ("https://globex.example/a?b=1", "url"),
        ("+1 415 555 0172", "phone"),
        ("+234 1 555 0199", "phone"),
        ("+49 30 5550199", "phone"),
        ("$12,500", "number"),
        ("3:30", "number"),
        ("212.555.1234", "phone"),
        ("01.42.68.53.00", "phone"),
        ("30.06.2026", "number"),
        ("15.05.26", "number"),
        ("15-05-2026", "number"),
        ("1.250.000", "number"),
        ("follow-up", "word"),
    ],
)
def test_addresses_and_numbers_are_one_token(text: str, kind: str) -> None:
    assert [(token.text, token.kind) for token in tokenize(text)] == [(text, kind)]


def test_tokens_say_where_they_stand() -> None:
    text = "Call Ann, at 3."
    assert [text[token.start : token.end] for token in tokenize(text)] == ["Call", "Ann", ",", "at", "3", "."]


def test_eight_thousand_characters_of_anything_are_tokens() -> None:
    for piece in ("a", "1", "and ", "@.", "'s", "+1 "):
        assert tokenize((piece * 8000)[:8000])


@pytest.mark.parametrize(
    ("typed", "word"),
    [
        ("amt", "amount"),
        ("prob", "probability"),
        ("src", "source"),
        ("prio", "priority"),
        ("hlth", "health"),
        ("mtg", "meeting"),
        ("#", "number"),
    ],
)
def test_an_abbreviation_stands_for_the_word_of_the_lexicon(typed: str, word: str) -> None:
    (token,) = tokenize(typed)
    assert (token.text, token.word) == (typed, word)


@pytest.mark.parametrize("word", ["abc", "crm", "hel", "tran", "cal", "ops", "wks", "app"])
def test_a_short_name_or_word_of_its_own_is_no_abbreviation(word: str) -> None:
    assert [token.word for token in tokenize(word)] == [word]
