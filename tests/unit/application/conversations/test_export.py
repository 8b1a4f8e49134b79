"""The export of conversations that are long or were cut off."""

import pytest

from aisha.application.conversations import export as exporting
from aisha.application.conversations.export import export_conversation, to_markdown
from aisha.domain.conversations.conversation import Conversation, Message, Session, ToolSummary
from aisha.domain.errors import NotFoundError, PayloadTooLargeError
from tests.fakes.stores.in_memory import FixedClock, InMemoryConversationRepository

NOW = FixedClock().now()
HEAD = Conversation("conv_1", "demo", "alice", "Two\nlines", NOW, NOW)


def talk(turns: int, *calls: ToolSummary, finished: bool = True) -> InMemoryConversationRepository:
    conversations, head = InMemoryConversationRepository(), HEAD
    for number in range(turns):
        begun = conversations.begin(Session(head), Message(f"msg_{number}", 0, "user", f"Question {number}", NOW))
        answer = Message(
            f"ans_{number}", 0, "assistant", f"Answer {number}", NOW, calls, {"model": "none"}, None, finished
        )
        head = conversations.finish(begun, begun.conversation, answer)
    return conversations


def test_all_pages_come_in_order_and_each_message_once() -> None:
    export = export_conversation(talk(70), "demo", "alice", "conv_1")
    assert [message.sequence for message in export.messages] == list(range(1, 141))
    assert len({message.id for message in export.messages}) == 140


def test_sensitive_arguments_are_left_out() -> None:
    call = ToolSummary("call_1", "update_lead", {"custom": {"password": "hunter2"}}, "executed", "updated lead Jack")
    export = export_conversation(talk(1, call), "demo", "alice", "conv_1")
    assert "hunter2" not in export.model_dump_json()
    assert "update_lead: updated lead Jack" in to_markdown(export)


def test_an_answer_that_was_cut_off_says_so_and_a_title_stays_on_its_line() -> None:
    text = to_markdown(export_conversation(talk(1, finished=False), "demo", "alice", "conv_1"))
    assert text.startswith("# Two lines\n")
    assert text.endswith("*This answer was cut off.*\n")


def test_a_conversation_that_is_too_long_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(exporting, "MAX_MESSAGES", 100)
    with pytest.raises(PayloadTooLargeError, match="100 messages"):
        export_conversation(talk(51), "demo", "alice", "conv_1")


def test_another_users_conversation_does_not_exist() -> None:
    conversations = talk(1)
    for tenant, user in (("demo", "bob"), ("rival", "alice")):
        with pytest.raises(NotFoundError):
            export_conversation(conversations, tenant, user, HEAD.id)
