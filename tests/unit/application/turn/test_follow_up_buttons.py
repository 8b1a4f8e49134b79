"""The buttons of a question that waits for the user, and the records that a session keeps."""

from datetime import UTC, datetime

from aisha.application.dialogue.choices import find_choice
from aisha.application.turn.concluding.follow_up_buttons import decisions
from aisha.application.turn.entities import rank_entities
from aisha.domain.conversations.conversation import Alternative, PendingConfirmation, SessionEntity
from aisha.domain.conversations.tool_results import aliases_of
from aisha.domain.tools import ToolCall, ToolResult, ToolStatus

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


def test_an_entity_that_is_only_referred_to_keeps_its_aliases() -> None:
    entity_before = SessionEntity("lead_1", "lead", "Jack Lee", aliases_of("Jack Lee", "ABC Corp", "jack@abc.example"))
    call = ToolCall("1", "suggest_next_actions", {"entity_id": "lead_1"}, None)
    call.result = ToolResult(ToolStatus.EXECUTED, {"entity": {"type": "lead", "id": "lead_1", "name": "Jack Lee"}})
    (entity,) = rank_entities([call], "what next?", [entity_before])
    assert entity.aliases == ("jack lee", "jack", "lee", "abc corp", "jack@abc.example")


def test_the_only_one_of_its_kind_that_the_reply_names_is_meant_next() -> None:
    names = {"lead_1": "Ann Lee", "lead_2": "Bo Falk", "account_1": "Falk Tooling"}
    items = [{"type": one.partition("_")[0], "id": one, "name": name} for one, name in names.items()]
    call = ToolCall("1", "search_leads", {}, None)
    call.result = ToolResult(ToolStatus.EXECUTED, {"items": items, "total": 3})
    alone = rank_entities([call], "which one is worth most?", (), reply="That is **Bo Falk** at **Falk Tooling**.")
    assert [one.name for one in alone if one.type == "lead"] == ["Bo Falk"]
    both = rank_entities([call], "which ones are warm?", (), reply="Ann Lee and Bo Falk.")
    assert [one.name for one in both if one.type == "lead"] == ["Ann Lee", "Bo Falk"]
    ranked = rank_entities([call], "where does Ann Lee work?", (), reply="With Bo Falk.")
    assert [one.name for one in ranked if one.type == "lead"] == ["Ann Lee", "Bo Falk"]
