"""Several at once: turns of one conversation, and two users who change one record."""

from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any

from aisha.domain.crm.records import Record
from aisha.domain.errors import UnavailableError
from aisha.domain.models import ModelEvent, ModelFinished, ModelRequest, TextChunk, ToolCallRequest
from tests.fakes.aws.api_gateway import Answer, call, chat
from tests.fakes.models.scripted_model import ask
from tests.fakes.world import ALICE, BOB, World

TURNS = 20


class Obeying:
    """A model that makes each of some calls in the next turn, and says in the same turn that it is done."""

    def __init__(self, *calls: Sequence[ToolCallRequest]) -> None:
        self._calls = list(calls)

    def stream(self, request: ModelRequest) -> Iterator[ModelEvent]:
        if request.capability != "chat_tools" or request.json_mode:
            raise UnavailableError("This model only chats.")
        if self._calls and request.messages[-1].role != "tool":
            yield ModelFinished("obeying", "obeying-1", tuple(self._calls.pop(0)))
            return
        yield TextChunk("Done.")
        yield ModelFinished("obeying", "obeying-1")


def messages(conversation: str) -> Iterator[dict[str, Any]]:
    """Yield all messages of a conversation as its user gets them, page by page."""
    path = f"/api/ai/conversations/{conversation}"
    page = call("conversations", "GET", path, ALICE).json
    while True:
        yield from page["messages"]
        if not (cursor := page.get("nextCursor")):
            return
        page = call("conversations", "GET", f"{path}?cursor={cursor}", ALICE).json


def test_twenty_turns_of_one_conversation_are_all_kept_in_order(world: World) -> None:
    world.use(chat_model=Obeying())
    conversation = chat({"message": "Hello"}, ALICE).json["conversationId"]

    def say(number: int) -> Answer:
        return chat({"message": f"Number {number}", "conversationId": conversation}, ALICE)

    with ThreadPoolExecutor(TURNS) as pool:
        answers = list(pool.map(say, range(TURNS)))
    assert {answer.status for answer in answers} == {200}
    shown = list(messages(conversation))
    assert sorted(one["content"] for one in shown if one["role"] == "user") == sorted(
        ["Hello", *(f"Number {number}" for number in range(TURNS))]
    )
    assert len([one for one in shown if one["role"] == "assistant" and one["finished"]]) == TURNS + 1
    assert {answer.json["messageId"] for answer in answers} < {one["id"] for one in shown}


def test_who_would_overwrite_in_a_chat_what_a_colleague_has_changed_meanwhile_is_told_first(
    world: World, crm: dict[str, Record]
) -> None:
    jack = crm["jack"].id
    world.use(
        chat_model=Obeying([ask("get_lead", lead_id=jack)], [ask("update_lead", lead_id=jack, status="qualified")])
    )
    conversation = chat({"message": "Show me Jack Russel"}, ALICE).json["conversationId"]
    by_bob = call("crm", "PATCH", f"/api/crm/lead/{jack}", BOB, '{"status": "lost"}', headers={"if-match": "*"})
    assert by_bob.status == 200
    order = {"message": "Set the status of Jack Russel to qualified", "conversationId": conversation}
    answer = chat(order, ALICE).json
    assert answer["status"] == "needs_confirmation"
    assert "bob changed the status of “Jack Russel” to lost" in answer["confirmation"]["question"]
    assert world.records.get("demo", "lead", jack).status == "lost"  # type: ignore[attr-defined]
