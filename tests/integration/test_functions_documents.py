"""The documents of an organization, from the upload to the answer."""

import json
from typing import Any

import pytest

from aisha.application.knowledge import documents
from tests.fakes.api_gateway import Answer, assert_problem, call, chat
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


def put(body: Any = RULES, document_id: str = "discount-rules", who: Any = ALICE) -> Answer:
    return call("documents", "PUT", f"{URL}/{document_id}", who, json.dumps(body))


def listed(who: Any = ALICE) -> list[str]:
    return [one["id"] for one in call("documents", "GET", URL, who).json["items"]]


def test_what_was_uploaded_answers_questions(world: World) -> None:
    assert "Olga" not in chat({"message": QUESTION}, ALICE).json["response"]
    answer = put()
    assert (answer.status, answer.json["uploadedBy"], answer.json["title"]) == (200, "alice", "Discount rules")
    said = chat({"message": QUESTION}, BOB).json
    assert "Olga, the head of sales, for a bigger discount" in said["response"]
    assert [(one["type"], one["id"]) for one in said["sources"]] == [("document", "discount-rules")]
    assert "Olga" not in chat({"message": QUESTION}, RIVAL).json["response"]


def test_another_text_takes_its_place_and_a_deleted_one_is_gone(world: World) -> None:
    put()
    put({**RULES, "text": "Nobody gives a discount."})
    assert call("documents", "GET", f"{URL}/discount-rules", BOB).json["text"] == "Nobody gives a discount."
    assert "Nobody gives a discount" in chat({"message": QUESTION}, ALICE).json["response"]
    assert call("documents", "DELETE", f"{URL}/discount-rules", ALICE).status == 204
    assert "Nobody gives a discount" not in chat({"message": QUESTION}, ALICE).json["response"]
    assert_problem(call("documents", "GET", f"{URL}/discount-rules", ALICE), 404, "not_found")
    assert_problem(call("documents", "DELETE", f"{URL}/discount-rules", ALICE), 404, "not_found")


def test_an_own_text_stands_in_for_a_built_in_article(world: World) -> None:
    put({"title": "Handling objections", "text": "Never argue about the price: call Olga."}, "handling-objections")
    assert "call Olga" in chat({"message": "How do I handle a price objection?"}, ALICE).json["response"]
    assert listed() == ["handling-objections"]


def test_they_are_the_tenants_and_its_admins_alone_change_them(world: World) -> None:
    assert_problem(put(who=BOB), 403, "permission_denied")
    put()
    assert_problem(call("documents", "DELETE", f"{URL}/discount-rules", BOB), 403, "permission_denied")
    assert (listed(ALICE), listed(BOB), listed(RIVAL)) == (["discount-rules"], ["discount-rules"], [])
    assert_problem(call("documents", "GET", f"{URL}/discount-rules", RIVAL), 404, "not_found")
    rivals_admin = RIVAL | {"roles": '["admin"]'}
    assert_problem(call("documents", "DELETE", f"{URL}/discount-rules", rivals_admin), 404, "not_found")
    assert listed() == ["discount-rules"]


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
def test_what_does_not_fit_is_pointed_at(world: World, body: Any, document_id: str, pointer: str) -> None:
    assert_problem(put(body, document_id), 422, "invalid_input", pointer)
    assert listed() == []


def test_there_is_an_end_to_them(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(documents, "MAX_DOCUMENTS", 2)
    assert [put(document_id=f"rules-{number}").status for number in range(3)] == [200, 200, 409]
    assert put({**RULES, "text": "New."}, "rules-1").status == 200


def test_nobody_comes_in_without_a_principal(world: World) -> None:
    assert_problem(call("documents", "GET", URL, None), 401, "unauthenticated")
