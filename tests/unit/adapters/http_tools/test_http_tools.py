"""Calls of HTTP tools: the request to the customer's API, and the result of its answer."""

import json
from typing import Any

import pytest

from aisha.application.redaction.summaries import line, summary
from aisha.domain.tools import ToolStatus
from tests.fakes.systems.customer_api import CustomerApi, Reply
from tests.unit.adapters.conftest import SECRET, Call, Registered, context

ORDER = {"type": "string"}
SEARCH = {
    "text": {"type": "string"},
    "status": {"type": "array", "items": {"enum": ["open", "late"]}},
    "limit": {"type": "integer", "minimum": 1, "default": 5},
    "paid": {"type": "boolean"},
}
CREATE = {
    "customer": {"type": "string", "minLength": 2},
    "pieces": {"type": "integer"},
    "price": {"type": "number"},
    "due": {"type": "string", "format": "date"},
    "tags": {"type": "array", "items": {"type": "string"}},
}


def properties(schema: dict[str, Any], *required: str) -> dict[str, Any]:
    return {"properties": schema, "required": list(required)}


# --- what is sent


def test_arguments_are_sent_where_the_file_says(call: Call) -> None:
    query = {"q": "{text}", "status": "{status}", "max": "{limit}", "paid": "{paid}", "source": "assistant"}
    with CustomerApi(Reply([])) as api:
        arguments = {"text": "nuts & bolts", "status": ["open", "late"], "paid": "true"}
        assert call(f"{api.url}/v2/", arguments, parameters=properties(SEARCH), query=query).ok
        assert call(f"{api.url}/v2", {}, parameters=properties(SEARCH), query=query).ok
    asked = [request.path for request in api.requests]
    assert asked == [
        "/v2/orders?q=nuts%20%26%20bolts&status=open&status=late&max=5&paid=true&source=assistant",
        "/v2/orders?max=5&source=assistant",
    ]


def test_a_body_keeps_types_and_omits_missing_arguments(call: Call) -> None:
    body = {
        "order": {"for": "{customer}", "pieces": "{pieces}", "price": "{price}", "tags": "{tags}"},
        "due": "{due}",
        "title": "Order for {customer}",
        "by": ["{user}", "{price}"],
        "channel": "chat",
    }
    arguments = {"customer": "Zoë", "pieces": "3", "tags": ["a"], "due": "tomorrow"}
    with CustomerApi(Reply({"number": 7}, 201)) as api:
        result = call(api.url, arguments, method="POST", parameters=properties(CREATE, "customer"), body=body)
    assert result.value == {"number": 7}
    (request,) = api.requests
    assert request.headers["content-type"] == "application/json"
    assert request.body == {
        "order": {"for": "Zoë", "pieces": 3, "tags": ["a"]},
        "due": "2026-03-03",
        "title": "Order for Zoë",
        "by": ["ann@acme.example"],
        "channel": "chat",
    }


def test_values_can_not_leave_their_place_in_the_path(call: Call) -> None:
    where = {"path": "/orders/{order}/lines", "parameters": properties({"order": ORDER}, "order")}
    with CustomerApi(Reply([])) as api:
        assert call(api.url, {"order": "7 ?x#é"}, **where).ok
        for bad in ("..", ".", "a/../b", "..\\b", " "):
            result = call(api.url, {"order": bad}, **where)
            assert result.error is not None
            assert result.error["code"] == "invalid_input"
    assert [request.path for request in api.requests] == ["/orders/7%20%3Fx%23%C3%A9/lines"]


def test_the_user_and_the_secret_are_in_the_headers(call: Call) -> None:
    headers = {"X-Key": "key {secret}", "X-Tenant": "{tenant}", "X-User": "{user}"}
    with CustomerApi(Reply([])) as api:
        call(api.url, secret="crm_token", headers=headers)
        call(api.url, secret="CRM_TOKEN")
    first, second = (request.headers for request in api.requests)
    assert (first["x-key"], first["x-tenant"], first["x-user"]) == (f"key {SECRET}", "acme", "ann@acme.example")
    assert "authorization" not in first
    assert second["authorization"] == f"Bearer {SECRET}"


def test_a_write_carries_its_operation_and_a_read_does_not(call: Call) -> None:
    with CustomerApi(Reply(None, 204, {"Content-Length": "0"})) as api:
        assert call(api.url, method="POST").value == "Done."
        call(api.url)
    assert api.requests[0].headers["idempotency-key"] == "msg_1.0"
    assert "idempotency-key" not in api.requests[1].headers


# --- what is refused before anything is sent


@pytest.mark.parametrize(
    ("arguments", "code", "hint"),
    [
        ({}, "missing_field", "customer"),
        ({"customer": "x"}, "invalid_input", "customer"),
        ({"customer": "Acme", "colour": "red"}, "invalid_input", "colour"),
        ({"customer": "Acme", "tenant": "rival"}, "invalid_input", "tenant"),
        ({"customer": "Acme", "pieces": "many"}, "invalid_input", "pieces"),
        ({"customer": "Acme", "tags": [1]}, "invalid_input", "tags.0"),
        ({"customer": "Acme", "due": "at the weeping of the moon"}, "invalid_input", "tomorrow"),
    ],
)
def test_wrong_arguments_are_not_sent(call: Call, arguments: dict[str, Any], code: str, hint: str) -> None:
    body = {name: f"{{{name}}}" for name in CREATE}
    with CustomerApi(Reply([])) as api:
        result = call(api.url, arguments, method="POST", parameters=properties(CREATE, "customer"), body=body)
    assert result.status is ToolStatus.FAILED
    assert result.error is not None
    assert result.error["code"] == code
    assert hint in result.error["message"]
    assert api.requests == []


def test_the_gate_applies_to_http_tools(call: Call) -> None:
    with CustomerApi(Reply([])) as api:
        for members in (
            {"module": "invoices"},
            {"method": "DELETE"},
            {"confirmation": "always"},
            {"access": "external"},
        ):
            assert call(api.url, **members).status is ToolStatus.REJECTED
        assert call(api.url, module="orders").ok
    assert len(api.requests) == 1


def test_a_missing_secret_ends_the_call(call: Call) -> None:
    with CustomerApi(Reply([])) as api:
        result = call(api.url, secret="ERP_TOKEN")
    assert result.error is not None
    assert "ERP_TOKEN" in result.error["message"]
    assert "admin" in result.error["suggestion"]
    assert api.requests == []


# --- what comes back


@pytest.mark.parametrize(
    ("reply", "value"),
    [
        (Reply({"items": [{"a": None}]}), {"items": [{"a": None}]}),
        (Reply(b"[1.5]", headers={"Content-Type": "application/vnd.api+json; charset=utf-8"}), [1.5]),
        (Reply("grüße"), "grüße"),
        (Reply("grüße".encode("latin-1"), headers={"Content-Type": "text/plain; charset=ISO-8859-1"}), "grüße"),
        (Reply(b"", headers={"Content-Type": "application/json"}), "Done."),
    ],
)
def test_json_and_text_are_results(call: Call, reply: Reply, value: Any) -> None:
    with CustomerApi(reply) as api:
        assert call(api.url).value == value


@pytest.mark.parametrize(
    ("reply", "code", "words"),
    [
        (Reply({"detail": "It is in the past"}, 422), "invalid_input", "past"),
        (Reply({"error": {"message": "no such order"}}, 404), "not_found", "no such order"),
        (Reply("<html>", 403), "permission_denied", "does not allow"),
        (Reply({}, 401), "permission_denied", "credentials"),
        (Reply({}, 409), "conflict", "changed"),
        (Reply({}, 429), "unavailable", "rate"),
        (Reply({}, 418), "tool_failed", "418"),
        (Reply({}, 502), "unavailable", "502"),
        (Reply(b"{broken"), "tool_failed", "JSON"),
        (Reply(b"[NaN]"), "tool_failed", "JSON"),
        (Reply(b'{"total": [1e999]}'), "tool_failed", "JSON"),
        (Reply(b"\x89PNG", headers={"Content-Type": "image/png"}), "tool_failed", "image/png"),
        (Reply(b"\x1f\x8b", headers={"Content-Encoding": "gzip"}), "tool_failed", "compressed"),
        (Reply(["x" * 2000]), "payload_too_large", "1000 bytes"),
    ],
)
def test_a_failure_is_an_error_with_its_reason(call: Call, reply: Reply, code: str, words: str) -> None:
    with CustomerApi(reply) as api:
        result = call(api.url, max_response_bytes=1000)
    assert result.error is not None
    assert result.error["code"] == code
    assert words in result.error["message"]


def test_no_redirect_is_followed(call: Call) -> None:
    with CustomerApi(Reply("the neighbour's")) as other, CustomerApi(Reply("mine")) as api:
        for target in (f"http://localhost:{other.port}/", f"{api.url}/elsewhere"):
            api.answer = Reply("", 302, {"Location": target})
            result = call(api.url, secret="CRM_TOKEN")
            assert result.error is not None
            assert "redirect" in result.error["message"]
    assert other.requests == []
    assert len(api.requests) == 2


def test_an_api_that_repeats_the_secret_does_not_leak_it(call: Call) -> None:
    with CustomerApi(lambda request: Reply({"sent": request.headers["authorization"]})) as api:
        result = call(api.url, secret="CRM_TOKEN")
        assert result.value == {"sent": "Bearer [secret]"}
        api.answer = Reply({"detail": f"{SECRET} is not valid"}, 401)
        result = call(api.url, secret="CRM_TOKEN")
    assert SECRET not in json.dumps([result.error, result.logs, str(result.exception)])
    assert "[secret] is not valid" in json.dumps(result.error)


def test_an_answer_in_the_form_of_our_results_is_only_data(registered: Registered) -> None:
    answer = {"receipt": {"number": 1}, "receipts": 2, "items": 3, "id": "1", "type": {"name": "x"}, "company": {}}
    with CustomerApi(Reply(answer)) as api:
        call = registered(api.url).create_call("find_orders", "{}", context())
        assert call.execute().value == answer
    assert summary(call).entities == ()
    assert "items: 3" in line(call)
