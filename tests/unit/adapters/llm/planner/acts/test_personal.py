from typing import Any

import pytest

from tests.support.dialogue.conversations import NOW, Stage
from tests.support.dialogue.planner import demo_desk, run
from tests.support.tenants.desk import REGISTRY


def _reminded(line: str) -> dict[str, Any]:
    return run(f"remind: {line}").arguments("stickynotes")


@pytest.mark.parametrize(
    ("line", "text", "due"),
    [
        ("remind me {when:tomorrow} to water the plants", "water the plants", "2026-03-05T09:00"),
        ("remind me to {text:buy flowers tomorrow at 5pm}", "buy flowers", "2026-03-05T17:00"),
        ("reminder: {text:dentist}, {when:Friday at 10}", "dentist", "2026-03-06T10:00"),
        ("remind me {when:at 4 today} to call {name:Aunt Polly}", "call Aunt Polly", "2026-03-04T16:00"),
    ],
)
def test_a_reminder_says_all_words_after_the_order_without_its_time(line: str, text: str, due: str) -> None:
    arguments = _reminded(line)
    assert arguments["text"] == text
    assert arguments["due_at"].startswith(due)


@pytest.mark.parametrize(
    ("line", "kind", "name"),
    [
        ("remind me to {text:call jack russel} {when:the day after tomorrow}", "call", "Jack Russel"),
        ("remind me {when:tomorrow} to follow up with {name:John Smith}", "call", "John Smith"),
        ("remind me to {name:email john smith} {when:tomorrow}", "email", "John Smith"),
        ("remind me {when:tomorrow} to send {name:Jack Russel} the offer", "task", "Jack Russel"),
    ],
)
def test_a_reminder_of_an_activity_with_a_known_record_is_that_activity(line: str, kind: str, name: str) -> None:
    played = run(f"remind: {line}")
    assert played.arguments("create_activity")["activity_type"] == kind
    assert "stickynotes" not in played.tools
    assert name in played.text


@pytest.mark.parametrize(
    ("line", "tag"), [("remind me {when:tomorrow}", "text"), ("remind me to {text:buy flowers}", "when")]
)
def test_a_reminder_without_a_text_or_a_time_asks_for_it(line: str, tag: str) -> None:
    played = run(f"remind: {line}")
    assert played.answer.question is not None
    assert played.answer.question.tag == tag
    assert played.tools == []


@pytest.mark.parametrize(
    ("line", "text"),
    [
        ("remember that my assistant is called {name:Margaret}", "my assistant is called Margaret"),
        ("commit to memory that {text:I hate mornings}", "I hate mornings"),
    ],
)
def test_a_fact_is_kept_in_all_its_words(line: str, text: str) -> None:
    assert run(f"remember: {line}").arguments("memory") == {"action": "create", "text": text}


def test_an_instruction_is_what_follows_its_introduction() -> None:
    arguments = run("instruct: as a standing rule: whenever you list deals, put the largest first").arguments(
        "manage_prompt"
    )
    assert arguments == {"action": "add", "text": "Whenever you list deals, put the largest first"}


def test_words_of_the_text_need_no_confirmation() -> None:
    doubt = "I'm not sure what you mean by “assistant”"
    played = run("remember: remember that my assistant is called {name:Margaret}", doubt=doubt)
    assert played.calls[-1].doubt == ""


@pytest.mark.parametrize(
    ("line", "text"),
    [
        ("remind me to put up the sign {when:tomorrow}", "put up the sign"),
        ("can you remind me that I need a passport {when:tomorrow}", "I need a passport"),
    ],
)
def test_a_text_may_begin_like_an_order(line: str, text: str) -> None:
    assert _reminded(line)["text"] == text


def test_a_reminder_snoozed_for_a_length_of_time_is_not_closed() -> None:
    desk = demo_desk()
    run("remind: remind me to {text:buy milk} {when:tonight}", desk)
    arguments = run("close_reminder: snooze it for {when:2 days}", desk).arguments("stickynotes")
    assert arguments["action"] == "snooze"
    assert arguments["due_at"].startswith("2026-03-06")


def test_a_wish_never_to_write_to_a_lead_is_kept_on_the_lead() -> None:
    assert run("instruct: never email {name:Jack Russel}").arguments("update_lead")["do_not_email"] is True


@pytest.mark.parametrize("message", ["forget everything you know about me", "wipe your memory of me"])
def test_what_is_known_of_the_user_is_what_they_asked_to_remember(message: str) -> None:
    assert "I only keep what you ask me to remember" in Stage(REGISTRY, NOW).say(message)["response"]
