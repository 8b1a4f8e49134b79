"""The articles: the format of their files, and the search for questions."""

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
import snowballstemmer

from aisha.application.knowledge import library as knowledge
from aisha.application.knowledge.bm25 import stems
from aisha.application.knowledge.library import Article, Library, load, parse
from aisha.domain.errors import InvalidInputError

VALID_ARTICLE = """---
id: cold-calls
description: How to ring somebody up: the first minute.
---

# Cold calls

Say who you are,
and why you ring.

- one thing
- another
  that goes on

## The end

Thank them.
"""


def _file(folder: Path, name: str, source: str = VALID_ARTICLE) -> None:
    (folder / name).write_text(source, encoding="utf-8")


def test_a_file_becomes_an_article_with_its_paragraphs_in_one_line() -> None:
    text = "Say who you are, and why you ring.\n\n- one thing\n- another that goes on\n\n## The end\n\nThank them."
    assert parse("cold.md", VALID_ARTICLE) == Article(
        "cold-calls", "Cold calls", "How to ring somebody up: the first minute.", text
    )


def test_a_text_that_begins_with_its_own_title_has_it_once() -> None:
    article = knowledge.make_article(
        "discounts", "Discount rules", "Discounts", "# Discount rules\n\nAt most 10 percent."
    )
    assert article.text == "At most 10 percent."


def test_line_ends_of_windows_do_not_matter() -> None:
    assert parse("cold.md", VALID_ARTICLE.replace("\n", "\r\n")) == parse("cold.md", VALID_ARTICLE)


@pytest.mark.parametrize(
    ("broken", "message"),
    [
        pytest.param(VALID_ARTICLE.removeprefix("---\n"), "front matter", id="no front matter"),
        pytest.param(VALID_ARTICLE.replace("---\n\n#", "\n#"), "front matter", id="front matter not closed"),
        pytest.param(VALID_ARTICLE.replace("id: cold-calls\n", ""), "lacks id", id="no id"),
        pytest.param(
            VALID_ARTICLE.replace(": How to ring somebody up: the first minute.", ":"), "'description:'", id="empty"
        ),
        pytest.param(
            VALID_ARTICLE.replace("id: cold-calls", "id: cold-calls\nid: warm-calls"), "warm-calls", id="id twice"
        ),
        pytest.param(VALID_ARTICLE.replace("id: cold-calls", "id: cold-calls\ntags: [a]"), "tags", id="unknown field"),
        pytest.param(VALID_ARTICLE.replace("id: cold-calls", "id: Cold Calls"), "'Cold Calls'", id="id is no slug"),
        pytest.param(VALID_ARTICLE.replace("# Cold calls\n", ""), "title", id="no title"),
        pytest.param(VALID_ARTICLE.partition("Say")[0], "text", id="no text"),
    ],
)
def test_a_file_that_does_not_parse_is_named_with_what_is_wrong(tmp_path: Path, broken: str, message: str) -> None:
    assert broken != VALID_ARTICLE
    _file(tmp_path, "cold.md", broken)
    with pytest.raises(InvalidInputError, match=r"cold\.md") as error:
        load(tmp_path)
    assert message in error.value.message


def test_an_id_stands_in_one_file_only(tmp_path: Path) -> None:
    _file(tmp_path, "a.md")
    _file(tmp_path, "b.md")
    with pytest.raises(InvalidInputError, match=r"b\.md.*cold-calls.*a\.md"):
        load(tmp_path)


def test_only_markdown_files_are_articles_and_they_come_by_id(tmp_path: Path) -> None:
    _file(tmp_path, "a.md")
    _file(tmp_path, "b.md", VALID_ARTICLE.replace("cold-calls", "big-calls"))
    _file(tmp_path, "notes.txt", "nothing")
    assert [article.id for article in load(tmp_path)] == ["big-calls", "cold-calls"]


def test_a_word_of_the_title_counts_more_than_one_of_the_text() -> None:
    titled = Article("pricing", "Pricing", "What things cost.", "Ask before you quote.")
    aside = Article("lunch", "Lunch", "Where to eat.", "Do not talk of pricing there.")
    best, *others = Library([aside, titled]).search("pricing")
    assert best.article == titled
    assert all(passage.score < best.score for passage in others)


def test_the_passage_is_the_section_that_answers() -> None:
    text = "Calls and more calls.\n\n## Before\n\nRead the notes.\n\n## Afterwards\n\nWrite down what was promised."
    passages = Library([Article("calls", "Calls", "How to call.", text)]).search("write down a promise")
    assert [passage.text for passage in passages] == ["**Afterwards**\n\nWrite down what was promised."]


def test_what_only_opens_the_subject_comes_with_the_section_that_goes_on() -> None:
    text = "Calls sell.\n\n## Before\n\nRead the notes.\n\n## During calls\n\nListen."
    passages = Library([Article("calls", "Calls", "How to call.", text)]).search("calls that sell")
    assert [passage.text for passage in passages] == ["Calls sell.\n\n**During calls**\n\nListen."]


def test_there_is_nothing_in_an_empty_library() -> None:
    assert Library([]).search("anything at all") == ()


QUESTIONS = [
    ("how do I handle a price objection", "handling-objections", "Too expensive compared with what"),
    ("they say it's too expensive", "handling-objections", "Too expensive compared with what"),
    ("the customer has to ask the boss", "handling-objections", "what they will want to know|What will they want"),
    ("exit criteria of a stage", "stages-and-exit-criteria", "before you move a deal"),
    ("what is our follow-up cadence", "follow-up-cadence", "Day 1"),
    ("when is a lead qualified", "lead-qualification", "four facts"),
    ("what happens when a lead is converted", "lead-lifecycle", "three records"),
    ("questions for a discovery call", "discovery-questions", "discovery call"),
    ("how long may a sales email be", "email-etiquette", "twenty seconds"),
    ("how do I write meeting notes", "meeting-notes", "What we learned"),
    ("how do we make a forecast", "forecasting", "weekly check"),
    ("how do I plan a key account", "account-planning", "account plan"),
    ("signs that a customer may leave", "renewals", "Use falls"),
    ("two records for one person, duplicates", "data-hygiene", "two records for one person"),
    ("may I store somebody's birthday", "privacy-of-contact-data", "birthdays"),
    ("how can I undo a change", "confirmations-and-safety", "To undo|undo a change"),
    ("what waits for my confirmation", "confirmations-and-safety", "Deleting"),
    ("what does tomorrow mean as a date", "activities-and-dates", "09:00"),
    ("what can the assistant do", "what-the-assistant-can-do", "as you would to a colleague"),
]


@pytest.mark.parametrize(("question", "article", "passage"), QUESTIONS, ids=[case[0] for case in QUESTIONS])
def test_a_question_finds_its_article(question: str, article: str, passage: str) -> None:
    best = knowledge.search(question)[0]
    assert best.article.id == article
    assert any(part in best.text for part in passage.split("|"))


@pytest.mark.parametrize(
    "question", ["weather in Paris tomorrow", "the capital of France", "refund policy", "xyzzy", "?"]
)
def test_what_the_articles_say_nothing_about_finds_nothing(question: str) -> None:
    assert knowledge.search(question) == ()


def test_the_best_come_first_up_to_the_limit() -> None:
    passages = knowledge.search("who sees my private notes")
    scores = [passage.score for passage in passages]
    assert len(scores) > 1
    assert scores == sorted(scores, reverse=True)
    assert knowledge.search("who sees my private notes", 1) == passages[:1]


def test_inflections_capitals_and_apostrophes_do_not_matter() -> None:
    for query in ("HANDLE OBJECTIONS", "handling an objection"):
        assert knowledge.search(query)[0].article.id == "handling-objections"
    assert knowledge.search("customer’s objections") == knowledge.search("customer's objections")


def test_words_have_the_same_stems_in_many_threads() -> None:
    words = [f"{first}{second}ishingly" for first in "bcdfghklmnprstvw" for second in ("ad", "el", "on", "ur")] * 4
    alone = snowballstemmer.stemmer("english")
    expected = [[alone.stemWord(word)] for word in words]
    with ThreadPoolExecutor(8) as workers:
        assert list(workers.map(stems, words)) == expected


@pytest.mark.parametrize("name", ["follow-up-cadence", "Follow-up cadence", "FOLLOW-UP CADENCE", "the cadence"])
def test_an_article_is_found_by_its_id_or_its_title(name: str) -> None:
    article = knowledge.find(name)
    assert article is not None
    assert article.id == "follow-up-cadence"


@pytest.mark.parametrize("name", ["teleportation", "lead", "", "the"])
def test_what_names_no_article_or_several_finds_none(name: str) -> None:
    assert knowledge.find(name) is None


def test_the_products_own_articles_are_there_in_full() -> None:
    articles = knowledge.articles()
    assert len(articles) >= 14
    assert all(len(article.text.split()) > 100 and "## " in article.text for article in articles)
