"""OpenAI's shape, spoken by the real openai SDK to the local gateway."""

import json
from collections.abc import Iterator
from typing import Any

import httpx
import openai
import pytest
from openai.types.chat import ChatCompletionMessageParam

from aisha.domain.errors import ModelUnavailableError
from infra.local.server.server import LocalServer
from tests.fakes.local import answering, local_server, token
from tests.fakes.scripted_model import ScriptedModel, ask
from tests.fakes.waiting_model import WaitingModel

COMPLETIONS = "/v1/chat/completions"


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LocalServer]:
    with local_server(tmp_path_factory.mktemp("openai")) as running:
        yield running


@pytest.fixture
def client(server: LocalServer) -> Iterator[openai.OpenAI]:
    with signed_in(server) as made:
        yield made


def signed_in(server: LocalServer, user: str = "alice", tenant: str = "demo") -> openai.OpenAI:
    http = openai.DefaultHttpxClient(trust_env=False, timeout=30)
    return openai.OpenAI(base_url=f"{server.url}/v1", api_key=token(server, user, tenant), http_client=http)


def user(text: str) -> ChatCompletionMessageParam:
    return {"role": "user", "content": text}


def assistant(text: str) -> ChatCompletionMessageParam:
    return {"role": "assistant", "content": text}


def conversation(answer: Any) -> str:
    named: str = answer.model_extra["conversation_id"]
    return named


def text_of(answer: Any) -> str:
    content: str = answer.choices[0].message.content
    return content


def complete(client: openai.OpenAI, *messages: ChatCompletionMessageParam, **fields: Any) -> Any:
    return client.chat.completions.create(model="aisha", messages=list(messages), **fields)


def test_the_model_is_listed(client: openai.OpenAI) -> None:
    assert [model.id for model in client.models.list()] == ["aisha"]


def test_an_answer(client: openai.OpenAI, server: LocalServer) -> None:
    answer = complete(client, user("Tell me about Jack Russel"))
    assert answer.object == "chat.completion"
    assert (answer.choices[0].finish_reason, answer.choices[0].message.role) == ("stop", "assistant")
    assert "ABC Corp" in text_of(answer)
    assert answer.choices[0].message.tool_calls is None
    assert answer.usage.total_tokens == answer.usage.prompt_tokens + answer.usage.completion_tokens
    assert abs(answer.created - server.services.clock.now().timestamp()) < 60


def test_a_stream_says_the_same(client: openai.OpenAI) -> None:
    asked = user("Tell me about Jack Russel")
    whole = complete(client, asked)
    chunks = list(complete(client, asked, stream=True, stream_options={"include_usage": True}))
    assert chunks[0].choices[0].delta.role == "assistant"
    text = "".join(chunk.choices[0].delta.content or "" for chunk in chunks if chunk.choices)
    assert text.strip() == text_of(whole)
    assert [chunk.choices[0].finish_reason for chunk in chunks if chunk.choices][-1] == "stop"
    assert len({chunk.id for chunk in chunks}) == 1
    assert chunks[-1].choices == []
    assert chunks[-1].usage is not None
    assert all(chunk.usage is None for chunk in complete(client, asked, stream=True))


def test_tokens_are_counted(client: openai.OpenAI, server: LocalServer) -> None:
    with answering(server, ScriptedModel("Good morning.")):
        used = complete(client, user("hi")).usage
    assert (used.prompt_tokens, used.completion_tokens, used.total_tokens) == (100, 10, 110)


def test_text_arrives_while_the_model_still_thinks(client: openai.OpenAI, server: LocalServer) -> None:
    model = WaitingModel("Let me see. ", "Here it is.")
    with answering(server, model), complete(client, user("hi"), stream=True) as stream:
        chunks = iter(stream)
        next(chunks)
        assert (next(chunks).choices[0].delta.content or "").strip() == "Let me see."
        model.go_on.set()
        assert "".join(chunk.choices[0].delta.content or "" for chunk in chunks).strip() == "Here it is."


def test_texts_of_two_rounds_are_paragraphs(client: openai.OpenAI, server: LocalServer) -> None:
    def script() -> ScriptedModel:
        search = ask("search_leads", name_contains="Jack Russel")
        return ScriptedModel(lambda _: (search,), "Here he is.")

    with answering(server, script()):
        whole = text_of(complete(client, user("hi")))
    with answering(server, script()):
        chunks = list(complete(client, user("hi"), stream=True))
    assert "".join(chunk.choices[0].delta.content or "" for chunk in chunks) == whole == "Here he is."


# --- conversations


def test_it_goes_on_by_what_was_said(client: openai.OpenAI) -> None:
    first = complete(client, user("Tell me about Jack Russel"))
    said = [user("Tell me about Jack Russel"), assistant(text_of(first))]
    second = complete(client, *said, user("Are there any notes about him?"))
    assert conversation(second) == conversation(first)
    assert "callback" in text_of(second).lower()
    said += [user("Are there any notes about him?"), assistant(text_of(second))]
    chunks = list(complete(client, *said, user("What is his email?"), stream=True))
    assert {conversation(chunk) for chunk in chunks} == {conversation(first)}
    assert "jack.russel@abccorp.example" in "".join(chunk.choices[0].delta.content or "" for chunk in chunks)


def test_a_yes_runs_what_was_asked_about(client: openai.OpenAI, server: LocalServer) -> None:
    asked = complete(client, user("Delete Jack Russel"))
    assert "Please confirm" in text_of(asked)
    done = complete(client, user("Delete Jack Russel"), assistant(text_of(asked)), user("yes"))
    assert conversation(done) == conversation(asked)
    left = httpx.get(
        f"{server.url}/api/crm/lead?name_contains=Jack+Russel",
        headers={"authorization": f"Bearer {client.api_key}"},
        trust_env=False,
    ).json()
    assert left["items"] == []
    httpx.post(f"{server.url}/local/reset", trust_env=False).raise_for_status()


def test_what_was_never_said_here_begins_a_new_one(client: openai.OpenAI, server: LocalServer) -> None:
    first = complete(client, user("Tell me about Jack Russel"))
    said = (user("Tell me about Jack Russel"), assistant(text_of(first)), user("What is his email?"))
    with signed_in(server, "bob") as bob:
        assert conversation(complete(bob, *said)) != conversation(first)
    edited = (user("Tell me about Jack Russel"), assistant("He has left us."), user("What is his email?"))
    assert conversation(complete(client, *edited)) != conversation(first)
    assert conversation(complete(client, user("Tell me about Jack Russel"))) != conversation(first)


def test_it_can_be_named(client: openai.OpenAI) -> None:
    first = complete(client, user("Tell me about Jack Russel"), metadata={"conversation_id": "mine"})
    second = complete(client, user("What is his email?"), metadata={"conversation_id": "mine"})
    third = complete(client, user("What is his phone?"), user=conversation(first))
    assert conversation(first) == conversation(second) == conversation(third)
    assert "jack.russel@abccorp.example" in text_of(second)
    assert conversation(complete(client, user("Good morning"), user="alice-1")) != conversation(first)


def test_nobody_elses_can_be_named(client: openai.OpenAI, server: LocalServer) -> None:
    first = complete(client, user("Good morning"), metadata={"conversation_id": "mine-too"})
    with signed_in(server, "rita", "rival") as rita:
        theirs = complete(rita, user("Good morning"), metadata={"conversation_id": "mine-too"})
        assert conversation(theirs) != conversation(first)
        with pytest.raises(openai.NotFoundError):
            complete(rita, user("And now?"), metadata={"conversation_id": conversation(first)})


def test_parts_are_read_and_a_systems_words_are_not_obeyed(client: openai.OpenAI, server: LocalServer) -> None:
    with answering(server, model := ScriptedModel("Good morning.")):
        complete(
            client,
            {"role": "system", "content": "You are a pirate."},
            {"role": "user", "content": [{"type": "text", "text": "Good"}, {"type": "text", "text": "morning"}]},
        )
    (request,) = model.requests
    assert request.messages[-1].content == "Good\nmorning"
    assert "pirate" not in json.dumps([message.content for message in request.messages])


# --- what is refused


@pytest.mark.parametrize(
    ("fields", "param"),
    [
        ({"messages": []}, "messages"),
        ({"messages": [{"role": "assistant", "content": "hi"}]}, "messages.0"),
        ({"messages": [{"role": "user", "content": " "}]}, "messages.0"),
        ({"messages": [{"role": "user", "content": "x" * 8001}]}, "messages.0"),
        ({"messages": [{"role": "pirate", "content": "hi"}]}, "messages.0.role"),
        (
            {"messages": [{"role": "user", "content": [{"type": "image_url", "image_url": {"url": "x"}}]}]},
            "messages.0.content.0",
        ),
        ({"tools": [{"type": "function", "function": {"name": "f"}}]}, "tools"),
        ({"n": 2}, "n"),
        ({"response_format": {"type": "json_object"}}, "response_format"),
        ({"temperature": 3}, "temperature"),
        ({"metadata": {"conversation_id": "x" * 129}}, "metadata.conversation_id"),
        ({"stream_options": {"include_usage": "maybe"}}, "stream_options.include_usage"),
    ],
)
def test_what_can_not_be_done_is_said(client: openai.OpenAI, fields: dict[str, Any], param: str) -> None:
    body: dict[str, Any] = {"model": "aisha", "messages": [{"role": "user", "content": "hi"}]} | fields
    with pytest.raises(openai.UnprocessableEntityError) as raised:
        client.post(COMPLETIONS.removeprefix("/v1"), body=body, cast_to=object)
    assert (raised.value.param, raised.value.code, raised.value.type) == (
        *(param, "invalid_input", "invalid_request_error"),
    )


def test_another_model_is_not_here(client: openai.OpenAI) -> None:
    with pytest.raises(openai.NotFoundError, match="Ask for `aisha`") as raised:
        client.chat.completions.create(model="gpt-4o", messages=[user("hi")])
    assert raised.value.param == "model"
    body = raised.value.response.json()
    assert raised.value.response.headers["content-type"] == "application/problem+json"
    assert (body["type"], body["status"]) == ("urn:aisha:problem:not_found", 404)
    assert body["error"]["message"] == body["message"]


def test_a_key_that_is_no_token_is_refused(server: LocalServer) -> None:
    with signed_in(server) as made, pytest.raises(openai.AuthenticationError):
        complete(made.with_options(api_key="sk-nonsense"), user("hi"))


def test_a_failed_turn_is_not_sent_again(client: openai.OpenAI, server: LocalServer) -> None:
    failing = ScriptedModel(*[ModelUnavailableError("No model answers.")] * 5)
    with answering(server, failing), pytest.raises(openai.InternalServerError, match="No model answers"):
        complete(client, user("hi"))
    assert len(failing.requests) == 1


def test_an_error_in_a_stream_is_raised_by_the_client(client: openai.OpenAI, server: LocalServer) -> None:
    model = WaitingModel("Let me see. ", error=ModelUnavailableError("No model answers."))
    model.go_on.set()
    with answering(server, model), pytest.raises(openai.APIError, match="No model answers"):
        list(complete(client, user("hi"), stream=True))
