"""The state of a conversation as the next turn restores it."""

from typing import Any

from aisha.adapters.llm.planner.state import DialogueState, Question, Ref, Topic, restore
from aisha.domain.conversations.conversation import Message, SessionEntity, ToolSummary
from tests.support.dialogue.conversations import NOW
from tests.support.dialogue.planner import segment

ORDER = segment("update_record: mark {name:Ann} as {value:lost}")
ANN = Ref("lead", "lead_1", "Ann Lee")


def answer(number: int, text: str = "", **more: Any) -> Message:
    return Message(f"msg_{number}", number, "assistant", text, NOW, **more)


ASKED = answer(2, provider_state=DialogueState(Question("offer"), Topic(asked=ORDER)).to_json())


def test_what_a_yes_changed_is_what_the_conversation_is_about() -> None:
    call = ToolSummary("call_1", "update_lead", {}, "executed", "", (SessionEntity(ANN.id, ANN.type, ANN.name),))
    state = restore((ASKED, answer(4, "Done, I changed the status of Ann Lee.", tool_calls=(call,))))
    assert (state.question, state.topic.refs, state.topic.ordered) == (None, (ANN,), ORDER)
    assert state.topic.written == "You just changed the status of Ann Lee."


def test_what_a_yes_deleted_is_no_longer_listed() -> None:
    listed = DialogueState(topic=Topic(listed=(ANN, Ref("lead", "lead_2", "Bo Ek")))).to_json()
    call = ToolSummary("call_1", "delete_lead", {}, "executed", "", (SessionEntity(ANN.id, ANN.type, ANN.name),))
    state = restore((answer(2, provider_state=listed), answer(4, "Done, I deleted Ann Lee.", tool_calls=(call,))))
    assert [ref.name for ref in state.topic.listed] == ["Bo Ek"]


def test_a_no_keeps_what_the_conversation_is_about_and_drops_the_question() -> None:
    state = restore((ASKED, answer(4, "All right, nothing was changed.")))
    assert (state.question, state.topic.asked, state.topic.written) == (None, ORDER, "")


def test_the_answer_of_another_model_ends_the_topic() -> None:
    assert restore((ASKED, answer(4, "Sure.", metadata={"provider": "openai"}))) == DialogueState()
