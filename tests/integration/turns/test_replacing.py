"""A message that takes the place of the last one: asked anew, or put in other words."""

from typing import Any

import pytest

from aisha.domain.crm.records import Record
from aisha.domain.errors import UnavailableError
from tests.fakes.aws.api_gateway import Answer, assert_problem, call, chat
from tests.fakes.world import ALICE, World

QUESTION = "Which company does Jack Russel work for?"
pytestmark = pytest.mark.usefixtures("crm")


def send(text: str, conversation: str | None = None, **more: Any) -> Answer:
    return chat({"message": text, **({"conversationId": conversation} if conversation else {}), **more}, ALICE)


def replace_last(last: Answer, text: str) -> Answer:
    return send(text, last.json["conversationId"], replaces=last.json["messageId"])


def stored(conversation: str) -> dict[str, Any]:
    body: dict[str, Any] = call("conversations", "GET", f"/api/ai/conversations/{conversation}", ALICE).json
    return body


def questions(conversation: str) -> list[str]:
    return [message["content"] for message in stored(conversation)["messages"] if message["role"] == "user"]


def test_an_edited_question_and_its_answer_take_the_place_of_the_last_ones() -> None:
    first = send("Show me my warm leads")
    conversation = first.json["conversationId"]
    answer = replace_last(send("Hello", conversation), QUESTION)
    assert "ABC Corp" in answer.json["response"]
    assert questions(conversation) == ["Show me my warm leads", QUESTION]
    ids = [message["id"] for message in stored(conversation)["messages"]]
    assert ids[1::2] == [first.json["messageId"], answer.json["messageId"]]


def test_a_question_is_asked_anew_as_often_as_one_likes() -> None:
    answer = send(QUESTION)
    for _ in range(3):
        answer = replace_last(answer, QUESTION)
        assert answer.json["isReplaceable"]
    messages = stored(answer.json["conversationId"])["messages"]
    assert [message["content"] for message in messages] == [QUESTION, answer.json["response"]]
    assert messages[-1]["metadata"]["isReplaceable"]


def test_the_title_follows_an_edited_first_question() -> None:
    answer = replace_last(send("Hello"), QUESTION)
    assert stored(answer.json["conversationId"])["title"] == QUESTION


def test_a_model_does_not_see_what_was_replaced(world: World) -> None:
    prompts: list[str] = []

    class Model:
        def stream(self, request: Any) -> Any:
            prompts.append(" ".join(message.content or "" for message in request.messages))
            raise UnavailableError("It is only looked at.")

    last = send("Show me my warm leads from Ouagadougou")
    world.use(chat_model=Model())
    replace_last(last, QUESTION)
    assert prompts
    assert not any("Ouagadougou" in prompt for prompt in prompts)


@pytest.mark.parametrize("order", ["Schedule a call with Jack Russel tomorrow at 10", "Delete the lead Jack Russel"])
def test_an_answer_that_wrote_or_asked_stays(order: str) -> None:
    last = send(order)
    assert not last.json["isReplaceable"]
    assert_problem(replace_last(last, QUESTION), 409, "conflict")
    assert questions(last.json["conversationId"]) == [order]


def test_only_the_last_answer_is_replaced() -> None:
    first = send(QUESTION)
    send("Show me my warm leads", first.json["conversationId"])
    assert_problem(replace_last(first, "Hello"), 409, "conflict")
    assert_problem(send("Hello", replaces="msg_1"), 409, "conflict")


def test_nothing_is_lost_when_the_new_answer_fails(world: World) -> None:
    last = send(QUESTION)
    conversation = last.json["conversationId"]

    class Broken:
        def stream(self, request: Any) -> Any:
            raise RuntimeError("a fault")

    world.use(chat_model=Broken())
    replace_last(last, "Show me my warm leads")
    assert questions(conversation)[0] == QUESTION
    assert stored(conversation)["messages"][1]["content"] == last.json["response"]


def test_a_ui_client_that_wants_the_answer_anew_finds_it_once(crm: dict[str, Record]) -> None:
    body = {"id": "chat-1", "messages": [{"id": "m1", "role": "user", "parts": [{"type": "text", "text": QUESTION}]}]}
    for trigger in ("submit-message", "regenerate-message"):
        assert "ABC Corp" in chat({**body, "trigger": trigger}, ALICE).text
    (conversation,) = call("conversations", "GET", "/api/ai/conversations", ALICE).json["items"]
    assert questions(conversation["id"]) == [QUESTION]
