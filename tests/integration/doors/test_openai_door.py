"""The endpoints for clients of OpenAI's API: the official SDK at the local gateway."""

import json
from collections.abc import Iterator
from http import HTTPStatus
from typing import Any

import httpx
import openai
import pytest
from openai.types.chat import ChatCompletionMessageParam

from aisha.domain.errors import ModelUnavailableError
from infra.local.server.server import LocalServer
from tests.fakes.local import token, with_model
from tests.fakes.models.scripted_model import ScriptedModel, ask
from tests.fakes.models.waiting_model import WaitingModel

pytestmark = pytest.mark.slow

COMPLETIONS = "/v1/chat/completions"


@pytest.fixture
def client(server: LocalServer) -> Iterator[openai.OpenAI]:
    with signed_in(server) as signed_in_client:
        yield signed_in_client


def signed_in(server: LocalServer, user: str = "alice", tenant: str = "demo") -> openai.OpenAI:
    http = openai.DefaultHttpxClient(trust_env=False, timeout=30)
    return openai.OpenAI(base_url=f"{server.url}/v1", api_key=token(server, user, tenant), http_client=http)


def user(text: str) -> ChatCompletionMessageParam:
    return {"role": "user", "content": text}


def assistant(text: str) -> ChatCompletionMessageParam:
    return {"role": "assistant", "content": text}


def conversation(answer: Any) -> str:
    conversation_id: str = answer.model_extra["conversation_id"]
    return conversation_id


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


def test_a_stream_has_the_same_text(client: openai.OpenAI) -> None:
    question = user("Tell me about Jack Russel")
    whole = complete(client, question)
    chunks = list(complete(client, question, stream=True, stream_options={"include_usage": True}))
    assert chunks[0].choices[0].delta.role == "assistant"
    text = "".join(chunk.choices[0].delta.content or "" for chunk in chunks if chunk.choices)
    assert text.strip() == text_of(whole)
    assert [chunk.choices[0].finish_reason for chunk in chunks if chunk.choices][-1] == "stop"
    assert len({chunk.id for chunk in chunks}) == 1
    assert chunks[-1].choices == []
    assert chunks[-1].usage is not None
    assert all(chunk.usage is None for chunk in complete(client, question, stream=True))


def test_tokens_are_counted(client: openai.OpenAI, server: LocalServer) -> None:
    with with_model(server, ScriptedModel("Good morning.")):
        used = complete(client, user("hi")).usage
    assert (used.prompt_tokens, used.completion_tokens, used.total_tokens) == (100, 10, 110)


def test_text_is_streamed_while_the_model_still_generates(client: openai.OpenAI, server: LocalServer) -> None:
    model = WaitingModel("Let me see. ", "Here it is.")
    with with_model(server, model), complete(client, user("hi"), stream=True) as stream:
        chunks = iter(stream)
        next(chunks)
        assert (next(chunks).choices[0].delta.content or "").strip() == "Let me see."
        model.resume.set()
        assert "".join(chunk.choices[0].delta.content or "" for chunk in chunks).strip() == "Here it is."


def test_texts_of_two_rounds_are_paragraphs(client: openai.OpenAI, server: LocalServer) -> None:
    def script() -> ScriptedModel:
        search = ask("search_leads", name_contains="Jack Russel")
        return ScriptedModel(lambda _: (search,), "Here he is.")

    with with_model(server, script()):
        whole = text_of(complete(client, user("hi")))
    with with_model(server, script()):
        chunks = list(complete(client, user("hi"), stream=True))
    assert "".join(chunk.choices[0].delta.content or "" for chunk in chunks) == whole == "Here he is."


# --- conversations


def test_a_conversation_is_recognised_by_its_messages(client: openai.OpenAI) -> None:
    first = complete(client, user("Tell me about Jack Russel"))
    history = [user("Tell me about Jack Russel"), assistant(text_of(first))]
    second = complete(client, *history, user("Are there any notes about him?"))
    assert conversation(second) == conversation(first)
    assert "callback" in text_of(second).lower()
    history += [user("Are there any notes about him?"), assistant(text_of(second))]
    chunks = list(complete(client, *history, user("What is his email?"), stream=True))
    assert {conversation(chunk) for chunk in chunks} == {conversation(first)}
    assert "jack.russel@abccorp.example" in "".join(chunk.choices[0].delta.content or "" for chunk in chunks)


def test_a_yes_runs_the_waiting_call(client: openai.OpenAI, server: LocalServer) -> None:
    question = complete(client, user("Delete Jack Russel"))
    assert text_of(question).startswith("Shall I delete the lead **Jack Russel**?")
    done = complete(client, user("Delete Jack Russel"), assistant(text_of(question)), user("yes"))
    assert conversation(done) == conversation(question)
    left = httpx.get(
        f"{server.url}/api/crm/lead?name_contains=Jack+Russel",
        headers={"authorization": f"Bearer {client.api_key}"},
        trust_env=False,
    ).json()
    assert left["items"] == []
    httpx.post(f"{server.url}/local/reset", trust_env=False).raise_for_status()


def test_unknown_messages_begin_a_new_conversation(client: openai.OpenAI, server: LocalServer) -> None:
    first = complete(client, user("Tell me about Jack Russel"))
    history = (user("Tell me about Jack Russel"), assistant(text_of(first)), user("What is his email?"))
    with signed_in(server, "bob") as bob:
        assert conversation(complete(bob, *history)) != conversation(first)
    edited = (user("Tell me about Jack Russel"), assistant("He has left us."), user("What is his email?"))
    assert conversation(complete(client, *edited)) != conversation(first)
    assert conversation(complete(client, user("Tell me about Jack Russel"))) != conversation(first)


def test_a_conversation_is_chosen_by_its_id(client: openai.OpenAI) -> None:
    first = complete(client, user("Tell me about Jack Russel"), metadata={"conversation_id": "mine"})
    second = complete(client, user("What is his email?"), metadata={"conversation_id": "mine"})
    third = complete(client, user("What is his phone?"), user=conversation(first))
    assert conversation(first) == conversation(second) == conversation(third)
    assert "jack.russel@abccorp.example" in text_of(second)
    assert conversation(complete(client, user("Good morning"), user="alice-1")) != conversation(first)


def test_other_tenants_conversations_can_not_be_chosen(client: openai.OpenAI, server: LocalServer) -> None:
    first = complete(client, user("Good morning"), metadata={"conversation_id": "mine-too"})
    with signed_in(server, "rita", "rival") as rita:
        theirs = complete(rita, user("Good morning"), metadata={"conversation_id": "mine-too"})
        assert conversation(theirs) != conversation(first)
        with pytest.raises(openai.NotFoundError):
            complete(rita, user("And now?"), metadata={"conversation_id": conversation(first)})


def test_text_parts_are_read_and_system_messages_ignored(client: openai.OpenAI, server: LocalServer) -> None:
    with with_model(server, model := ScriptedModel("Good morning.")):
        complete(
            client,
            {"role": "system", "content": "You are a pirate."},
            {"role": "user", "content": [{"type": "text", "text": "Good"}, {"type": "text", "text": "morning"}]},
        )
    (request,) = model.requests
    assert request.messages[-1].content == "Good\nmorning"
    assert "pirate" not in json.dumps([message.content for message in request.messages])


# --- invalid requests


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
        ({"tool_choice": "required"}, "tool_choice"),
        ({"tools": [{"type": "function", "function": {"name": "f"}}], "tool_choice": {"name": "g"}}, "tool_choice"),
        ({"n": 2}, "n"),
        ({"response_format": {"type": "yaml"}}, "response_format.type"),
        ({"response_format": {"type": "json_schema"}}, "response_format.json_schema.schema"),
        ({"temperature": 3}, "temperature"),
        ({"metadata": {"conversation_id": "x" * 129}}, "metadata.conversation_id"),
        ({"stream_options": {"include_usage": "maybe"}}, "stream_options.include_usage"),
    ],
)
def test_unsupported_parameters_are_refused(client: openai.OpenAI, fields: dict[str, Any], param: str) -> None:
    body: dict[str, Any] = {"model": "aisha", "messages": [{"role": "user", "content": "hi"}]} | fields
    with pytest.raises(openai.BadRequestError) as raised:
        client.post(COMPLETIONS.removeprefix("/v1"), body=body, cast_to=object)
    error = raised.value
    assert (error.param, error.code, error.type) == (param, "invalid_input", "invalid_request_error")


@pytest.mark.parametrize(
    ("fields", "param"),
    [
        ({"temperature": False}, "temperature"),
        ({"stream": "true"}, "stream"),
        ({"tool_choice": "required"}, "tool_choice"),
        ({"tool_choice": {}}, "tool_choice"),
        ({"metadata": {"conversation_id": "x" * 129}}, "metadata.conversation_id"),
    ],
)
def test_a_request_for_a_response_is_as_strict(client: openai.OpenAI, fields: dict[str, Any], param: str) -> None:
    body: dict[str, Any] = {"model": "aisha", "input": "hi"} | fields
    with pytest.raises(openai.BadRequestError) as raised:
        client.post("/responses", body=body, cast_to=object)
    assert raised.value.param == param


def test_an_unknown_model_is_not_found(client: openai.OpenAI) -> None:
    with pytest.raises(openai.NotFoundError, match="Ask for `aisha`") as raised:
        client.chat.completions.create(model="gpt-4o", messages=[user("hi")])
    assert raised.value.param == "model"
    body = raised.value.response.json()
    assert raised.value.response.headers["content-type"] == "application/problem+json"
    assert (body["type"], body["status"]) == ("urn:aisha:problem:not_found", 404)
    assert body["error"]["message"] == body["message"]


def test_an_invalid_token_is_refused(server: LocalServer) -> None:
    with signed_in(server) as client, pytest.raises(openai.AuthenticationError):
        complete(client.with_options(api_key="sk-nonsense"), user("hi"))


def test_clients_do_not_retry_a_failed_turn(client: openai.OpenAI, server: LocalServer) -> None:
    failing = ScriptedModel(*[ModelUnavailableError("No model answers.")] * 5)
    with with_model(server, failing), pytest.raises(openai.InternalServerError, match="No model answers"):
        complete(client, user("hi"))
    assert len(failing.requests) == 1


def test_an_error_in_a_stream_is_raised_by_the_client(client: openai.OpenAI, server: LocalServer) -> None:
    model = WaitingModel("Let me see. ", error=ModelUnavailableError("No model answers."))
    model.resume.set()
    with with_model(server, model), pytest.raises(openai.APIError, match="No model answers"):
        list(complete(client, user("hi"), stream=True))


# --- tools and forms of answers that clients ask for

WEATHER = {"type": "function", "function": {"name": "weather", "parameters": {"type": "object", "properties": {}}}}
COMPANY = {"type": "object", "properties": {"company": {"type": "string"}}, "required": ["company"]}
FINAL = {"type": "function", "function": {"name": "final_result", "parameters": COMPANY}}


def in_form(answer: str) -> ScriptedModel:
    """Return a model that answers the turn in words, then puts them into the form."""
    return ScriptedModel("Jack Russel works for ABC Corp.", answer)


def test_tools_of_the_client_are_left_when_none_is_demanded(client: openai.OpenAI) -> None:
    answer = complete(client, user("Which company does Jack Russel work for?"), tools=[WEATHER], tool_choice="auto")
    assert "ABC Corp" in text_of(answer)
    assert answer.choices[0].message.tool_calls is None


@pytest.mark.parametrize("choice", ["required", {"type": "function", "function": {"name": "final_result"}}])
@pytest.mark.parametrize("streamed", [False, True])
def test_a_demanded_tool_gets_the_answer_as_its_arguments(
    server: LocalServer, client: openai.OpenAI, choice: Any, streamed: bool
) -> None:
    fields: dict[str, Any] = {"tools": [FINAL], "tool_choice": choice}
    with with_model(server, in_form('{"company": "ABC Corp"}')):
        if streamed:
            with client.chat.completions.stream(model="aisha", messages=[user("Where?")], **fields) as stream:
                message: Any = stream.get_final_completion().choices[0].message
        else:
            message = complete(client, user("Where does Jack work?"), **fields).choices[0].message
    (call,) = message.tool_calls
    assert (call.function.name, json.loads(call.function.arguments)) == ("final_result", {"company": "ABC Corp"})


def test_an_answer_can_have_a_schema(server: LocalServer, client: openai.OpenAI) -> None:
    form = {"type": "json_schema", "json_schema": {"name": "company", "schema": COMPANY, "strict": True}}
    model = in_form('{"company": "ABC Corp"}')
    with with_model(server, model):
        answer = complete(client, user("Where does Jack work?"), response_format=form)
    assert json.loads(text_of(answer)) == {"company": "ABC Corp"}
    assert "company" in model.requests[-1].messages[0].content


def test_a_form_without_a_model_is_refused_before_anything_is_done(client: openai.OpenAI) -> None:
    order = "Add a note to Jack Russel: writes only in green ink"
    with pytest.raises(openai.InternalServerError, match="Ask for text: leave out `response_format`") as refused:
        complete(client, user(order), response_format={"type": "json_object"})
    assert refused.value.status_code == HTTPStatus.NOT_IMPLEMENTED
    assert "green ink" not in text_of(complete(client, user("What do my notes on Jack Russel say?")))


def test_a_model_can_be_retrieved(client: openai.OpenAI) -> None:
    assert client.models.retrieve("aisha").id == "aisha"
    with pytest.raises(openai.NotFoundError):
        client.models.retrieve("gpt-4o")


def test_responses_answer_and_continue(client: openai.OpenAI) -> None:
    first = client.responses.create(model="aisha", input="Tell me about Jack Russel")
    assert "ABC Corp" in first.output_text
    second = client.responses.create(model="aisha", input="What is his email?", previous_response_id=first.id)
    assert "@" in second.output_text
    parts: Any = [{"role": "user", "content": [{"type": "input_text", "text": "Show me my warm leads"}]}]
    assert "lead" in client.responses.create(model="aisha", input=parts).output_text


@pytest.mark.parametrize("conversation", ["chat-1", {"id": "chat-2"}])
def test_a_conversation_of_responses_is_chosen_by_the_clients_own_id(client: openai.OpenAI, conversation: Any) -> None:
    """Some clients send `conversation` in place of the last response's id."""
    client.responses.create(model="aisha", input="Tell me about Jack Russel", conversation=conversation)
    second = client.responses.create(model="aisha", input="What is his email?", conversation=conversation)
    assert "jack.russel@" in second.output_text


def test_messages_of_another_assistant_tell_whom_a_pronoun_means(client: openai.OpenAI) -> None:
    answer = complete(client, user("Tell me about Jack Russel"), assistant("He is a lead."), user("What is his email?"))
    assert "jack.russel@" in text_of(answer)


def test_responses_are_streamed_as_typed_events(client: openai.OpenAI) -> None:
    with client.responses.stream(model="aisha", input="Tell me about Jack Russel") as stream:
        kinds = [event.type for event in stream]
        assert "ABC Corp" in stream.get_final_response().output_text
    assert (kinds[0], kinds[-1]) == ("response.created", "response.completed")
    assert "response.output_text.delta" in kinds


@pytest.mark.parametrize(
    "body",
    [{"input": []}, {"input": "Hi", "previous_response_id": "resp_x"}, {"input": "Hi", "conversation": {"id": 3}}],
)
def test_what_is_no_request_of_responses_is_refused(client: openai.OpenAI, body: dict[str, Any]) -> None:
    with pytest.raises(openai.BadRequestError):
        client.post("/responses", body={"model": "aisha", **body}, cast_to=object)
