"""The buttons of a question that waits for the user."""

from datetime import UTC, datetime

from aisha.application.dialogue.choices import find_choice
from aisha.application.turn.followups import decisions
from aisha.domain.conversations.conversation import Alternative, PendingConfirmation

NOW = datetime(2026, 3, 2, 9, 0, tzinfo=UTC)
JOHNS = (Alternative("John Brown, Initech", "1"), Alternative("John Smith, Globex", "2"))


def question(alternatives: tuple[Alternative, ...] = ()) -> PendingConfirmation:
    return PendingConfirmation("conf_1", "delete_lead", {}, "abc", "Delete it?", True, "msg_1", NOW, alternatives)


def test_a_question_offers_yes_and_no() -> None:
    assert [button.text for button in decisions(question())] == ["Yes, go ahead", "No, leave it"]


def test_a_choice_offers_its_alternatives_and_no() -> None:
    first, second, no = decisions(question(JOHNS))
    assert [find_choice(button.text, JOHNS) for button in (first, second)] == list(JOHNS)
    assert (no.text, find_choice(no.text, JOHNS)) == ("No, leave it", None)
