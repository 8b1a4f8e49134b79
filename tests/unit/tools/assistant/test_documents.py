"""Tests of the tools that search and read documents."""

from msgspec.structs import replace

from aisha.application.knowledge import documents
from tests.support.tenants.desk import ANN, Desk


def test_a_question_finds_the_passage_that_answers_it(desk: Desk) -> None:
    results = desk.do("search_documents", query="how do I handle a price objection?")
    best = results["items"][0]
    assert (best["id"], best["title"]) == ("handling-objections", "Handling objections")
    assert "Too expensive compared with what" in best["passage"]
    assert best["description"]
    assert best["score"] > 0
    assert results["total"] == len(results["items"])


def test_the_total_counts_what_the_limit_leaves_out(desk: Desk) -> None:
    everything = desk.do("search_documents", query="who sees my private notes")
    first = desk.do("search_documents", query="who sees my private notes", limit=1)
    assert first["items"] == everything["items"][:1]
    assert first["total"] == everything["total"] > 1


def test_what_no_document_is_about_finds_nothing(desk: Desk) -> None:
    assert desk.do("search_documents", query="refund policy") == {"items": [], "total": 0}


def test_a_query_must_say_something(desk: Desk) -> None:
    assert desk.refuse("search_documents", query="  ")["code"] == "invalid_input"
    assert desk.refuse("search_documents")["code"] == "missing_field"


def test_a_found_document_can_be_read_as_a_whole(desk: Desk) -> None:
    best = desk.do("search_documents", query="follow-up cadence")["items"][0]
    document = desk.do("read_document", document_id=best["id"])
    assert (document["id"], document["title"]) == ("follow-up-cadence", "Follow-up cadence")
    assert best["passage"].splitlines()[-1] in document["text"]
    assert len(document["text"]) > len(best["passage"])


def test_a_document_can_be_read_by_its_title(desk: Desk) -> None:
    assert desk.do("read_document", document_id="Handling objections")["id"] == "handling-objections"


def test_an_unknown_document_is_told_with_the_known_ones(desk: Desk) -> None:
    error = desk.refuse("read_document", document_id="teleportation")
    assert error["code"] == "not_found"
    assert "teleportation" in error["message"]
    assert "“Account planning”" in error["suggestion"]


def test_everybody_may_read_them(desk: Desk) -> None:
    nobody = desk.at(replace(ANN, modules=frozenset()))
    assert nobody.do("search_documents", query="forecast")["items"]
    assert nobody.do("read_document", document_id="forecasting")["text"]


def test_documents_are_listed_the_organisations_own_first(desk: Desk) -> None:
    admin = replace(ANN, roles=frozenset(("admin",)))
    documents.save(desk.ports.entries, desk.clock, admin, "zz-discounts", "Discount rules", "At most 10 percent.", "")
    listed = desk.do("list_documents")
    assert [item["title"] for item in listed["items"][:1]] == ["Discount rules"]
    assert [item["uploaded"] for item in listed["items"][:2]] == [True, False]
    assert listed["total"] > len(listed["items"]) == 10
