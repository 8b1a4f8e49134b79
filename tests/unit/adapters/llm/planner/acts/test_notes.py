import pytest

from aisha.adapters.llm.planner import acts
from aisha.adapters.llm.planner.state import Topic
from tests.support.dialogue.planner import Played, demo_desk, ref, run
from tests.support.tenants.desk import Desk

acts.load()
DEMO = demo_desk()
"""Reads change nothing, so that they share it."""


def _noted(line: str, desk: Desk | None = None, topic: Topic | None = None) -> Played:
    played = run(f"create_note: {line}", desk or demo_desk(), topic or Topic())
    assert played.tools[-1] == "create_note", played.text
    return played


@pytest.mark.parametrize(
    ("line", "content"),
    [
        (
            "note for {name:Jack Russel}: {text:wants the quote by Friday, hates calls}",
            "wants the quote by Friday, hates calls",
        ),
        ("note for {name:Jack Russel} - budget approved, waiting for legal", "budget approved, waiting for legal"),
        ("Jot down that {name:Jack Russel} is on holiday", "Jack Russel is on holiday"),
        (
            "note for {name:Jack Russel}: {text:he said “call me Monday” and left}",
            "he said “call me Monday” and left",
        ),
        ("note for {name:Jack Russel}: {text:“call me Monday”}", "call me Monday"),
        ('note for {name:Jack Russel}: "{text:gold" is too big for them}', '"gold" is too big for them'),
    ],
)
def test_note_has_the_words_of_the_user(line: str, content: str) -> None:
    assert _noted(line).arguments("create_note")["content"] == content


def test_note_without_words_asks_for_them() -> None:
    played = run("create_note: add a note for {name:Jack Russel}", demo_desk())
    assert "What should the note for **Jack Russel** say?" in played.text
    assert played.answer.question is not None
    assert played.answer.question.tag == "text"


def test_call_that_is_logged_is_a_call_log() -> None:
    noted = _noted("log that I called {name:Jack Russel}, {text:he wants a demo}").arguments("create_note")
    assert noted["note_type"] == "call_log"


def test_note_is_stored_on_each_record_that_is_named() -> None:
    played = _noted("a note on both {name:Lars Eriksen} and {name:Jack Russel} that {text:prices change in May}")
    assert played.tools.count("create_note") == 2


def test_note_that_begins_with_a_name_is_about_that_person() -> None:
    desk = demo_desk()
    topic = Topic((ref(desk, "lead", "Lars Eriksen"),))
    noted = _noted("please note: {text:Viktor Petrescu loved the demo}", desk, topic).arguments("create_note")
    assert noted["entity_id"] == ref(desk, "lead", "Viktor Petrescu").id


def test_pronoun_keeps_the_note_with_whom_it_was_about() -> None:
    desk = demo_desk()
    lars = ref(desk, "lead", "Lars Eriksen")
    noted = _noted("add to {ref:his} notes that {text:Jack Russel called}", desk, Topic((lars,)))
    assert noted.arguments("create_note")["entity_id"] == lars.id


def test_report_is_offered_as_a_note_and_not_stored() -> None:
    played = run("report: {name:Jack Russel} loved the demo.", DEMO)
    assert played.answer.question is not None
    assert played.answer.question.offers == ("add a note for Jack Russel: Jack Russel loved the demo",)
    assert "create_note" not in played.tools


@pytest.mark.parametrize("line", ["they want two weeks more", "{name:Zebulon Quux} wants two weeks more"])
def test_report_about_nobody_known_asks_nothing(line: str) -> None:
    assert run(f"report: {line}", DEMO).answer.question is None


def test_notes_of_a_record_are_listed() -> None:
    assert run("notes: notes on {name:Jack Russel}", DEMO).text.startswith("There is 1 note about **Jack Russel**:")


@pytest.mark.parametrize(
    "line", ["which notes mention {topic:a security review}?", "which notes mention a security review?"]
)
def test_notes_are_searched_for_words(line: str) -> None:
    played = run(f"notes: {line}", DEMO)
    assert played.arguments("search_notes")["query"] == "security review"
    assert "**Tariq Mahmoud**: Team of eight" in played.text


def test_words_that_no_note_of_a_record_has_are_told() -> None:
    played = run("notes: what did I note about {name:Jack Russel} and {topic:golf}", DEMO)
    assert played.text.startswith("None of the notes about **Jack Russel** mentions “golf”. There is 1 note about")


def test_notes_of_a_colleague_and_a_time_are_chosen() -> None:
    assert "no notes by Bob" in run("notes: the notes of {owner:Bob} on {name:Jack Russel}", DEMO).text
    assert "no notes from that time" in run("notes: notes on {name:Jack Russel} {when:last month}", DEMO).text


def test_pronoun_is_no_text() -> None:
    topic = Topic((ref(DEMO, "lead", "Lars Eriksen"),))
    played = run("create_note: add that to {ref:his} notes", DEMO, topic)
    assert "What should the note" in played.text


def test_note_has_all_words_after_that() -> None:
    played = run("create_note: note that {name:Jack Russel} wants {topic:a discount}")
    assert played.arguments("create_note")["content"] == "Jack Russel wants a discount"


def test_note_without_a_marker_is_what_follows_the_name() -> None:
    played = run("create_note: note on {name:Lars Eriksen} needs {when:40 scanners before june}")
    assert played.arguments("create_note")["content"] == "needs 40 scanners before june"


def test_quoted_note_is_stored_on_each_record_described() -> None:
    played = run("create_note: add a note saying 'autumn campaign' to the top {count:3} {value:warm} leads")
    assert played.tools.count("create_note") == 3
    assert played.arguments("create_note")["content"] == "autumn campaign"


def test_a_mark_before_the_order_begins_no_note() -> None:
    line = "second: note on {name:Jack Russel} that {text:he travels until the 20th}"
    assert _noted(line).arguments("create_note")["content"] == "he travels until the 20th"


def test_a_note_about_her_is_not_put_on_a_deal() -> None:
    desk = demo_desk()
    topic = Topic((ref(desk, "opportunity", "Cobalt Mining Training Package"),))
    played = run("create_note: note that {text:she prefers email}", desk, topic)
    assert played.text == "Whom do you mean by “she”?"
    assert "create_note" not in played.tools


def test_the_words_before_the_kind_of_record_are_its_name() -> None:
    played = run("create_note: a note on the fleet tracking deal: {text:she needs the tiers}")
    assert played.arguments("create_note")["entity_type"] == "opportunity"


def test_a_note_has_all_from_its_topic_on() -> None:
    line = "note on {name:Redwood Media} about {topic:the award} so we remember to {text:send congratulations}"
    played = run(f"create_note: {line}")
    assert played.arguments("create_note")["content"] == "the award so we remember to send congratulations"
