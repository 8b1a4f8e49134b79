from datetime import timedelta
from typing import Any

import pytest
from msgspec.structs import replace

from tests.fakes.stores.in_memory import FixedClock
from tests.support.tenants.desk import ANN, BOB, EVE, Desk


def _jack(desk: Desk, **fields: Any) -> str:
    return desk.put("lead", **{"first_name": "Jack", "last_name": "Russel", "company": "ABC Corp", **fields})


def test_a_text_is_rated_with_its_evidence(desk: Desk) -> None:
    rating = desk.do("analyze_sentiment", text="Great demo. They are ready to sign.")
    assert (rating["sentiment"], rating["method"], rating["texts"]) == ("positive", "lexicon", 1)
    assert "They are ready to sign." in rating["evidence"]
    assert "entity" not in rating


def test_a_record_is_rated_by_its_notes(desk: Desk) -> None:
    jack = _jack(desk)
    empty = desk.do("analyze_sentiment", entity_type="lead", entity_id=jack)
    assert (empty["sentiment"], empty["texts"]) == ("neutral", 0)
    desk.put("note", content="He is furious about the outage.", about=jack)
    rating = desk.do("analyze_sentiment", entity_type="lead", entity_id=jack)
    assert (rating["sentiment"], rating["entity"]["name"]) == ("negative", "Jack Russel")


def test_private_notes_of_others_and_our_own_drafts_do_not_count(desk: Desk) -> None:
    jack = _jack(desk)
    desk.put("note", content="A horrible person.", about=jack, is_private=True)
    desk.put("note", content="I hope you are well, dear friend!", title="Draft: Hello", about=jack)
    assert desk.at(BOB).do("analyze_sentiment", entity_type="lead", entity_id=jack)["texts"] == 0
    assert desk.do("analyze_sentiment", entity_type="lead", entity_id=jack)["texts"] == 1


@pytest.mark.parametrize(
    "arguments", [{}, {"entity_type": "lead"}, {"entity_id": "lead_1"}, {"text": ""}, {"text": "x" * 8001}]
)
def test_there_must_be_something_to_rate(desk: Desk, arguments: dict[str, str]) -> None:
    assert desk.refuse("analyze_sentiment", **arguments)["code"] in ("missing_field", "invalid_input")


def test_leads_are_similar_by_company_source_and_value(desk: Desk) -> None:
    jack = _jack(desk, source="referral", estimated_value=40_000, status="warm")
    _jack(desk, first_name="Mary", source="website", estimated_value=1_000)
    desk.put("lead", first_name="Ned", company="Far Ltd", source="referral", estimated_value=60_000, status="warm")
    desk.put("lead", first_name="Olaf", company="Near Ltd", source="website", status="warm")
    similar = desk.do("find_similar", entity_type="lead", entity_id=jack)
    assert [(item["name"], item["reasons"]) for item in similar["items"]] == [
        ("Ned", "same source (referral), similar value (60,000), same status (warm)"),
        ("Mary Russel", "same company (ABC Corp)"),
    ]
    assert similar["entity"]["id"] == jack
    assert desk.do("find_similar", entity_type="lead", entity_id=jack, limit=1)["items"][0]["name"] == "Ned"


def test_accounts_contacts_and_deals_are_compared_too(desk: Desk) -> None:
    abc = desk.put("account", name="ABC", industry="Steel", employee_count=100)
    desk.put("account", name="XYZ", industry="steel", employee_count=150)
    desk.put("account", name="Inn", industry="Hotels")
    john = desk.put("contact", first_name="John", account_id=abc, company="ABC")
    desk.put("contact", first_name="Jane", account_id=abc, company="ABC")
    deal = desk.put("opportunity", name="One", amount=100, stage="proposal")
    desk.put("opportunity", name="Two", amount=120, stage="proposal")
    desk.put("opportunity", name="Three", amount=120, currency="EUR")
    accounts = desk.do("find_similar", entity_type="account", entity_id=abc)["items"]
    assert [(item["name"], item["reasons"]) for item in accounts] == [
        ("XYZ", "same industry (steel), similar size (150), same type (prospect)")
    ]
    contacts = desk.do("find_similar", entity_type="contact", entity_id=john)["items"]
    assert [(item["name"], item["reasons"]) for item in contacts] == [("Jane", "same account, same status (active)")]
    assert [item["name"] for item in desk.do("find_similar", entity_type="opportunity", entity_id=deal)["items"]] == [
        "Two"
    ]


def test_records_of_another_tenant_or_a_closed_module_are_never_similar(desk: Desk) -> None:
    jack = _jack(desk, source="referral")
    desk.at(EVE).put("lead", first_name="Twin", company="ABC Corp", source="referral")
    assert desk.do("find_similar", entity_type="lead", entity_id=jack)["items"] == []
    assert desk.at(EVE).refuse("find_similar", entity_type="lead", entity_id=jack)["code"] == "not_found"
    deal = desk.put("opportunity", name="One")
    error = desk.at(BOB).refuse("find_similar", entity_type="opportunity", entity_id=deal)
    assert error["code"] == "permission_denied"


def test_the_history_is_in_order_and_summed_up(desk: Desk, clock: FixedClock) -> None:
    jack = _jack(desk, status="warm")
    clock.advance(timedelta(days=1))
    desk.put("note", content="Awaiting callback.", about=jack)
    clock.advance(timedelta(days=1))
    desk.put(
        "activity",
        title="First call",
        activity_type="call",
        about=jack,
        status="completed",
        completed_at=clock.now() - timedelta(hours=30),
        outcome="Interested",
    )
    desk.put("activity", title="Quote", activity_type="task", about=jack, due_at=clock.now() + timedelta(days=3))
    desk.put("activity", title="Old mail", activity_type="email", about=jack, due_at=clock.now() - timedelta(hours=1))
    desk.put("opportunity", name="Fleet", lead_id=jack, amount=500, close_date="2026-03-30")
    history = desk.do("summarize_record", entity_type="lead", entity_id=jack)
    assert [(item["kind"], item["text"]) for item in history["timeline"]] == [
        ("created", "Lead Jack Russel was created"),
        ("done", "First call (Interested)"),
        ("note", "Awaiting callback."),
        ("planned", "Email: Old mail (overdue)"),
        ("deal", "Deal Fleet was created (prospecting, $500)"),
        ("planned", "Task: Quote"),
        ("deal_closing", "Deal Fleet is expected to close"),
    ]
    assert history["summary"] == (
        "Jack Russel is a warm lead at ABC Corp, created on Mar 2. On record: 1 note, "
        "1 completed activity, 2 planned activities. "
        "The newest note yesterday says: “Awaiting callback”. Overdue: Email: Old mail. Next: Task: Quote on Mar 7. "
        "Open deals: Fleet (prospecting)."
    )
    assert "omitted" not in history


def test_a_new_record_has_a_short_history(desk: Desk) -> None:
    account = desk.put("account", name="ABC Corp")
    history = desk.do("summarize_record", entity_type="account", entity_id=account)
    assert [item["kind"] for item in history["timeline"]] == ["created"]
    assert history["summary"] == "ABC Corp is a prospect account, created today. Nothing else is on record."


def test_the_summary_leaves_out_what_the_user_may_not_see(desk: Desk) -> None:
    account = desk.put("account", name="ABC Corp")
    desk.put("note", content="Secret plan.", about=account, is_private=True)
    desk.put("opportunity", name="Fleet", account_id=account)
    desk.put("activity", title="Visit", activity_type="task", about=account)
    assert "Secret plan" in desk.do("summarize_record", entity_type="account", entity_id=account)["summary"]
    of_bob = desk.at(BOB).do("summarize_record", entity_type="account", entity_id=account)
    assert [item["kind"] for item in of_bob["timeline"]] == ["created", "planned"]
    narrow = desk.at(replace(ANN, modules=frozenset({"accounts"})))
    bare = narrow.do("summarize_record", entity_type="account", entity_id=account)
    assert [item["kind"] for item in bare["timeline"]] == ["created"]
    assert desk.at(EVE).refuse("summarize_record", entity_type="account", entity_id=account)["code"] == "not_found"


def test_a_long_history_says_that_it_is_not_whole(desk: Desk) -> None:
    jack = _jack(desk)
    for number in range(51):
        desk.put("note", content=f"Note {number}", about=jack)
    history = desk.do("summarize_record", entity_type="lead", entity_id=jack)
    assert len([item for item in history["timeline"] if item["kind"] == "note"]) == 50
    assert "newest 50" in history["omitted"]
