"""The built REST functions under AWS's runtime client, over DynamoDB Local."""

import json
from base64 import b64encode
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from aisha.domain.crm.queries import Create
from aisha.domain.crm.records import Lead
from aisha.domain.ports import RecordRepository
from infra.local.server.keys import TokenSigner
from infra.sam.runtime_api import FunctionError, Sandbox
from tests.real.events import chat_event, event, request

Start = Callable[[str], Sandbox]


def body(answer: dict[str, Any], status: int = 200) -> Any:
    assert answer["statusCode"] == status, answer
    return json.loads(answer["body"])


def authorizer_event(token: str) -> dict[str, Any]:
    return event("authorizer") | {"authorizationToken": f"Bearer {token}"}


def test_the_authorizer_lets_a_demo_user_in(started: Start, signer: TokenSigner) -> None:
    token = signer.user_token("alice", "demo", datetime.now(UTC))
    answer = started("AuthorizerFunction").invoke(authorizer_event(token))
    assert answer["principalId"] == "alice"
    assert answer["policyDocument"]["Statement"][0]["Effect"] == "Allow"
    listed = started("CrmFunction").invoke(
        request("crm", "GET", "/api/crm/{type}", {"type": "lead"}, authorizer=answer["context"])
    )
    assert body(listed)["total"] > 0


@pytest.mark.parametrize("kind", ["unsigned", "expired", "of another key"])
def test_the_authorizer_refuses(kind: str, started: Start, signer: TokenSigner, tmp_path: Path) -> None:
    with pytest.raises(FunctionError, match=r"Unauthorized$"):
        started("AuthorizerFunction").invoke(authorizer_event(bad_token(kind, signer, tmp_path)))


def bad_token(kind: str, signer: TokenSigner, folder: Path) -> str:
    now = datetime.now(UTC)
    if kind == "unsigned":
        _, claims, _ = signer.user_token("alice", "demo", now).split(".")
        return f"{b64encode(b'{"alg":"none","typ":"JWT"}').decode()}.{claims}."
    if kind == "expired":
        return signer.user_token("alice", "demo", now - timedelta(days=1))
    return TokenSigner(folder).user_token("alice", "demo", now)


def test_crm_finds_jack(started: Start) -> None:
    page = body(started("CrmFunction").invoke(event("crm")))
    assert [item["display_name"] for item in page["items"]] == ["Jack Russel"]
    by_id = request("crm", "GET", "/api/crm/{type}/{id}", {"type": "lead", "id": page["items"][0]["id"]})
    assert body(started("CrmFunction").invoke(by_id))["company"] == "ABC Corp"


def test_another_tenant_does_not_find_jack(started: Start) -> None:
    jack = body(started("CrmFunction").invoke(event("crm")))["items"][0]
    rita = event("crm")["requestContext"]["authorizer"] | {"tenant_id": "rival", "user": "rita"}
    by_id = request("crm", "GET", "/api/crm/{type}/{id}", {"type": "lead", "id": jack["id"]}, authorizer=rita)
    assert body(started("CrmFunction").invoke(by_id), 404)["code"] == "not_found"


def test_a_request_without_a_caller_is_refused(started: Start) -> None:
    anonymous = request("crm", "GET", "/api/crm/{type}", {"type": "lead"}, authorizer={})
    assert body(started("CrmFunction").invoke(anonymous), 401)["code"] == "unauthenticated"


def test_tools_lists_the_catalogue(started: Start) -> None:
    catalogue = body(started("ToolsFunction").invoke(event("tools")))
    assert catalogue["total"] == len(catalogue["items"])
    assert "search_leads" in {tool["name"] for tool in catalogue["items"]}


def test_health_says_that_every_dependency_answers(started: Start) -> None:
    health = body(started("HealthFunction").invoke(event("health")))
    assert {dependency["name"]: dependency["state"] for dependency in health["dependencies"]} == dict.fromkeys(
        ("records", "conversations", "tools", "model"), "ok"
    )


def test_docs_has_the_description_and_its_page(started: Start) -> None:
    description = body(started("DocsFunction").invoke(event("docs")))
    assert description["openapi"].startswith("3.1")
    page = started("DocsFunction").invoke(request("docs", "GET", "/docs"))
    assert page["statusCode"] == 200
    assert page["multiValueHeaders"]["Content-Type"][0].startswith("text/html")


def test_conversations_has_what_was_said(started: Start, chat: Sandbox) -> None:
    turn = json.loads(chat.stream(chat_event("Show me my warm leads")).body)
    listed = body(started("ConversationsFunction").invoke(event("conversations")))
    assert turn["conversationId"] in {item["id"] for item in listed["items"]}
    where = ("/api/ai/conversations/{id}", {"id": turn["conversationId"]})
    conversation = body(started("ConversationsFunction").invoke(request("conversations", "GET", *where)))
    assert [message["role"] for message in conversation["messages"]] == ["user", "assistant"]
    assert conversation["messages"][1]["content"] == turn["response"]
    deleted = started("ConversationsFunction").invoke(request("conversations", "DELETE", *where))
    assert deleted["statusCode"] == 204
    assert body(started("ConversationsFunction").invoke(request("conversations", "GET", *where)), 404)


def test_a_confirmed_deletion_happens_once(started: Start, chat: Sandbox, records: RecordRepository) -> None:
    lead = records.write("demo", [Create(Lead(first_name="Zelda", last_name="Quux", owner="alice"))])[0].record
    turn = json.loads(chat.stream(chat_event("Delete the lead Zelda Quux")).body)
    assert turn["status"] == "needs_confirmation", turn
    where = ("/api/ai/confirmations/{id}", {"id": turn["confirmation"]["id"]})
    approve = request("confirmations", "POST", *where, body={"decision": "approve"})
    done = body(started("ConfirmationsFunction").invoke(approve))
    assert [call["status"] for call in done["toolCalls"]] == ["executed"]
    assert lead.id
    assert records.get_many("demo", [("lead", lead.id)]) == {}
    assert started("ConfirmationsFunction").invoke(approve)["statusCode"] in (404, 410)
