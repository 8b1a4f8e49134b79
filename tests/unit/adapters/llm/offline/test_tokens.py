"""Words with their stems, and phrases among them."""

import pytest

from aisha.adapters.llm.offline.reading.patterns import pattern
from aisha.adapters.llm.offline.reading.tokens import Phrases, blank_out, tokenize


@pytest.mark.parametrize("text", ["Bob's leads", "Bob’s leads", "the Smiths' leads"])
def test_a_possessive_is_cut_off_and_flagged(text: str) -> None:
    owner = tokenize(text)[-2]
    assert owner.possessive and owner.text in ("Bob", "Smiths")


def test_a_contraction_is_no_possessive() -> None:
    assert [(token.word, token.possessive) for token in tokenize("it's new")] == [("it's", False), ("new", False)]


@pytest.mark.parametrize("word", ["O'Brien", "R&D", "follow-up", "a@b.example"])
def test_marks_inside_a_word_join_it(word: str) -> None:
    assert tokenize(word)[0].start == 0
    assert (len(tokenize(word)) == 1) is ("@" not in word)


def test_phrases_match_any_inflection_and_the_longest_comes_first() -> None:
    phrases = Phrases([("follow", "follow"), ("follow_up", "follow up")])
    assert list(phrases.find(tokenize("followed up and following"))) == [("follow_up", 0, 2), ("follow", 3, 4)]


def test_exact_phrases_match_words_as_they_are_written() -> None:
    assert list(Phrases([("new", "new")], exact=True).find(tokenize("new news"))) == [("new", 0, 1)]


def test_blanking_keeps_the_other_offsets() -> None:
    assert blank_out("call Ann now", 5, 8) == "call     now"


def test_a_blank_in_a_pattern_matches_any_whitespace_and_case_is_ignored() -> None:
    assert pattern("so far").search("SO \n far")
    assert not pattern("so far").search("sofar")
