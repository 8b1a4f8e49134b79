"""Uploaded documents: permissions, limits and their use in answers."""

import json
from typing import Any

import pytest

from aisha.application.knowledge import documents
from tests.fakes.aws.api_gateway import Answer, assert_problem, call, chat
from tests.fakes.world import ALICE as COLLEAGUE
from tests.fakes.world import BOB, RIVAL, World

ALICE = COLLEAGUE | {"roles": '["admin"]'}

URL = "/api/ai/documents"
RULES = {
    "title": "Discount rules",
    "description": "Who may give which discount.",
    "text": "Up to 10 % is yours to give.\n\n## Beyond\n\nAsk Olga, the head of sales, for a bigger\ndiscount.",
}
QUESTION = "What do our documents say about a discount?"


def put(body: Any = RULES, document_id: str = "discount-rules", user: Any = ALICE) -> Answer:
    return call("documents", "PUT", f"{URL}/{document_id}", user, json.dumps(body))


def list_ids(user: Any = ALICE) -> list[str]:
    return [document["id"] for document in call("documents", "GET", URL, user).json["items"]]


def test_uploaded_documents_answer_questions(world: World) -> None:
    assert "Olga" not in chat({"message": QUESTION}, ALICE).json["response"]
    answer = put()
    assert (answer.status, answer.json["uploadedBy"], answer.json["title"]) == (200, "alice", "Discount rules")
    reply = chat({"message": QUESTION}, BOB).json
    assert "Olga, the head of sales, for a bigger discount" in reply["response"]
    assert [(source["type"], source["id"]) for source in reply["sources"]] == [("document", "discount-rules")]
    assert "Olga" not in chat({"message": QUESTION}, RIVAL).json["response"]


def test_documents_are_replaced_and_deleted(world: World) -> None:
    put()
    put({**RULES, "text": "Nobody gives a discount."})
    assert call("documents", "GET", f"{URL}/discount-rules", BOB).json["text"] == "Nobody gives a discount."
    assert "Nobody gives a discount" in chat({"message": QUESTION}, ALICE).json["response"]
    assert call("documents", "DELETE", f"{URL}/discount-rules", ALICE).status == 204
    assert "Nobody gives a discount" not in chat({"message": QUESTION}, ALICE).json["response"]
    assert_problem(call("documents", "GET", f"{URL}/discount-rules", ALICE), 404, "not_found")
    assert_problem(call("documents", "DELETE", f"{URL}/discount-rules", ALICE), 404, "not_found")


def test_a_document_replaces_a_built_in_article(world: World) -> None:
    put({"title": "Handling objections", "text": "Never argue about the price: call Olga."}, "handling-objections")
    assert "call Olga" in chat({"message": "How do I handle a price objection?"}, ALICE).json["response"]
    assert list_ids() == ["handling-objections"]


def test_only_admins_of_the_tenant_change_its_documents(world: World) -> None:
    assert_problem(put(user=BOB), 403, "permission_denied")
    put()
    assert_problem(call("documents", "DELETE", f"{URL}/discount-rules", BOB), 403, "permission_denied")
    assert (list_ids(ALICE), list_ids(BOB), list_ids(RIVAL)) == (["discount-rules"], ["discount-rules"], [])
    assert_problem(call("documents", "GET", f"{URL}/discount-rules", RIVAL), 404, "not_found")
    rivals_admin = RIVAL | {"roles": '["admin"]'}
    assert_problem(call("documents", "DELETE", f"{URL}/discount-rules", rivals_admin), 404, "not_found")
    assert list_ids() == ["discount-rules"]


@pytest.mark.parametrize(
    ("body", "document_id", "pointer"),
    [
        ({**RULES, "title": " "}, "rules", "/title"),
        ({"title": "Rules"}, "rules", "/text"),
        ({**RULES, "text": "x" * 40_001}, "rules", "/text"),
        ({**RULES, "text": 5}, "rules", "/text"),
        (RULES, "Discount Rules", "/id"),
        (RULES, "r" * 101, "/id"),
    ],
)
def test_an_invalid_document_is_refused_with_a_pointer(world: World, body: Any, document_id: str, pointer: str) -> None:
    assert_problem(put(body, document_id), 422, "invalid_input", pointer)
    assert list_ids() == []


def test_the_number_of_documents_is_limited(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(documents, "MAX_DOCUMENTS", 2)
    assert [put(document_id=f"rules-{number}").status for number in range(3)] == [200, 200, 409]
    assert put({**RULES, "text": "New."}, "rules-1").status == 200


def test_a_request_without_a_principal_is_unauthenticated(world: World) -> None:
    assert_problem(call("documents", "GET", URL, None), 401, "unauthenticated")
