from datetime import timedelta
from typing import Any

import pytest
from msgspec.structs import replace

from aisha.domain.crm.queries import RecordPage, RecordQuery
from tests.fakes.stores.in_memory import FixedClock
from tests.support.tenants.desk import ANN, BOB, EVE, NOW, Desk


def _advice(desk: Desk, entity_id: str | None = None) -> list[dict[str, Any]]:
    about = {"entity_type": entity_id.partition("_")[0], "entity_id": entity_id} if entity_id else {}
    suggestions = desk.do("suggest_next_actions", **about)["suggestions"]
    assert len(suggestions) <= 3
    assert [item["score"] for item in suggestions] == sorted((item["score"] for item in suggestions), reverse=True)
    assert len({item["action"] for item in suggestions}) == len(suggestions)
    return list(suggestions)


def _days_ago(days: float) -> Any:
    return NOW - timedelta(days=days)


@pytest.mark.parametrize(
    ("note", "score", "priority", "words", "kind"),
    [
        ("Met him. Awaiting callback on the offer.", 9, "Urgent", "Awaiting callback on the offer", "call"),
        ("Please call her back on Monday", 9, "Urgent", "Please call her back on Monday", "call"),
        ("He asked for an email with the details", 9, "Urgent", "asked for an email", "email"),
        ("Wants a quote for three years", 9, "Urgent", "Wants a quote", "email"),
        ("Left a message with the assistant.", 8, "High", "Left a message", "email"),
        ("Got her voicemail again", 8, "High", "voicemail", "email"),
    ],
)
def test_what_a_note_asks_for_is_suggested_in_its_words(
    desk: Desk, note: str, score: int, priority: str, words: str, kind: str
) -> None:
    contact = desk.put("contact", first_name="Mary", email="m@abc.example", phone="123", last_contacted_at=NOW)
    desk.put("note", content=note, about=contact)
    first = _advice(desk, contact)[0]
    assert (first["score"], first["priority"]) == (score, priority)
    assert words in first["reasoning"]
    assert first["tool"] == "create_activity"
    assert first["arguments"]["activity_type"] == kind


def test_a_note_is_settled_by_a_call_that_was_made_since_or_is_planned(desk: Desk, clock: FixedClock) -> None:
    mary, ned = (desk.put("contact", first_name=name, last_contacted_at=NOW) for name in ("Mary", "Ned"))
    for contact in (mary, ned):
        desk.put("note", content="Awaiting callback", about=contact)
    clock.advance(timedelta(hours=2))
    desk.put("activity", title="Call", activity_type="call", about=mary, status="completed", completed_at=clock.now())
    desk.put("activity", title="Call", activity_type="call", about=ned, due_at=NOW + timedelta(days=1))
    for contact in (mary, ned):
        assert "callback" not in str(_advice(desk, contact))


def test_a_call_made_before_the_note_does_not_settle_it(desk: Desk) -> None:
    mary = desk.put("contact", first_name="Mary")
    desk.put("activity", title="Call", activity_type="call", about=mary, status="completed", completed_at=_days_ago(1))
    desk.put("note", content="Awaiting callback", about=mary)
    assert "callback" in _advice(desk, mary)[0]["reasoning"]


def test_notes_without_a_request_suggest_nothing(desk: Desk) -> None:
    mary = desk.put("contact", first_name="Mary", last_contacted_at=NOW)
    for note in ("No callback needed", "Prefers short calls before noon", "Forwarded our email to the board"):
        desk.put("note", content=note, about=mary)
    assert all(item["score"] < 7 for item in _advice(desk, mary))


def test_an_old_note_is_ignored(desk: Desk, clock: FixedClock) -> None:
    mary = desk.put("contact", first_name="Mary")
    desk.put("note", content="Awaiting callback", about=mary)
    clock.advance(timedelta(days=40))
    assert "callback" not in str(_advice(desk, mary))


@pytest.mark.parametrize(("days", "is_silent"), [(7, False), (8, True), (40, True)])
def test_silence_counts_from_the_eighth_day(desk: Desk, days: int, is_silent: bool) -> None:
    mary = desk.put("contact", first_name="Mary", last_contacted_at=_days_ago(days))
    reasons = [item["reasoning"] for item in _advice(desk, mary) if item["score"] == 7]
    assert reasons == ([f"Last contacted {days} days ago"] if is_silent else [])


def test_a_warm_lead_with_nothing_planned_comes_first(desk: Desk) -> None:
    jack = desk.put("lead", first_name="Jack", last_name="Russel", status="warm", last_contacted_at=_days_ago(3))
    desk.put("note", content="Awaiting callback", about=jack)
    result = desk.do("suggest_next_actions", entity_type="lead", entity_id=jack)
    assert result["entity"] == {"type": "lead", "id": jack, "name": "Jack Russel"}
    first = result["suggestions"][0]
    assert (first["score"], first["priority"]) == (10, "Urgent")
    assert "no open activity, last contacted 3 days ago" in first["reasoning"]
    assert "Awaiting callback" in first["reasoning"]
    assert desk.do(first["tool"], **first["arguments"])["record"]["related"]["id"] == jack
    assert "no open activity" not in str(_advice(desk, jack))


def test_a_lead_that_must_not_be_called_gets_an_email(desk: Desk) -> None:
    jack = desk.put("lead", first_name="Jack", status="warm", do_not_call=True)
    desk.put("note", content="Awaiting callback", about=jack)
    kinds = {item["arguments"]["activity_type"] for item in _advice(desk, jack) if item["tool"] == "create_activity"}
    assert kinds == {"email"}


@pytest.mark.parametrize(("days", "score"), [(0, 10), (5, 10), (7, 10), (8, 7), (-2, 8)])
def test_a_deal_is_urgent_in_its_last_seven_days(desk: Desk, days: int, score: int) -> None:
    deal = desk.put("opportunity", name="License", stage="proposal", close_date=NOW.date() + timedelta(days=days))
    assert _advice(desk, deal)[0]["score"] == score


def test_a_closed_deal_is_not_urgent(desk: Desk) -> None:
    deal = desk.put("opportunity", name="License", stage="closed_won", close_date=NOW.date())
    assert all(item["priority"] == "Normal" for item in _advice(desk, deal))


def test_an_open_deal_needs_a_next_step(desk: Desk) -> None:
    deal = desk.put("opportunity", name="License", stage="proposal")
    first = _advice(desk, deal)[0]
    assert (first["score"], first["priority"]) == (7, "High")
    assert first["arguments"] == {"opportunity_id": deal}
    desk.do("update_opportunity", opportunity_id=deal, next_step="Send the contract")
    assert all(item["score"] != 7 for item in _advice(desk, deal))


def test_overdue_activities_are_suggested_for_completion(desk: Desk) -> None:
    mary = desk.put("contact", first_name="Mary", last_contacted_at=NOW)
    task = desk.put("activity", title="Send quote", activity_type="task", about=mary, due_at=_days_ago(2))
    first = _advice(desk, mary)[0]
    assert (first["score"], first["tool"], first["arguments"]) == (9, "complete_activity", {"activity_id": task})
    assert first["reasoning"] == "Overdue task: it was due 2 days ago, with Mary"


def test_advice_on_an_account_considers_its_health_and_deals(desk: Desk) -> None:
    account = desk.put("account", name="ABC Corp", health="at_risk")
    desk.put("opportunity", name="License", account_id=account, close_date=NOW.date() + timedelta(days=1))
    actions = [item["action"] for item in _advice(desk, account)]
    assert actions[:2] == ["Push to close License", "Check in with ABC Corp"]
    assert "License" not in str(_advice(desk.at(BOB), account))


@pytest.mark.parametrize("kind", ["lead", "contact", "account", "opportunity"])
def test_there_are_always_two_things_to_do(desk: Desk, kind: str) -> None:
    fields = {"name": "X"} if kind in ("account", "opportunity") else {"first_name": "X"}
    assert 2 <= len(_advice(desk, desk.put(kind, **fields))) <= 3


def test_the_whole_pipeline_is_the_callers_own(desk: Desk) -> None:
    jack = desk.put("lead", first_name="Jack", status="warm")
    desk.put("lead", first_name="Bobs", status="warm", owner="bob")
    desk.at(EVE).put("lead", first_name="Theirs", status="warm")
    deal = desk.put("opportunity", name="License", close_date=NOW.date() + timedelta(days=3))
    late = desk.put("activity", title="Send quote", activity_type="task", about=jack, due_at=_days_ago(1))

    suggestions = [(item["entity"]["id"], item["score"]) for item in _advice(desk)]
    assert suggestions == [(deal, 10), (late, 9), (deal, 7)]
    assert "Bobs" not in str(_advice(desk))
    assert _advice(desk.at(BOB))[0]["entity"]["name"] == "Bobs"


def test_a_pipeline_is_read_by_the_same_number_of_searches_however_large(desk: Desk) -> None:
    for number in range(80):
        lead = desk.put("lead", first_name=f"L{number}", status="warm", last_contacted_at=_days_ago(20))
        desk.put("note", content="Awaiting callback", about=lead)
        desk.put("opportunity", name=f"D{number}", close_date=NOW.date())
    searched: list[int] = []
    search = desk.records.search

    def counted(tenant: str, query: RecordQuery) -> RecordPage:
        searched.append(query.limit)
        return search(tenant, query)

    desk.records.search = counted  # type: ignore[method-assign]
    assert [item["score"] for item in _advice(desk)] == [10, 10, 10]
    assert len(searched) <= 12
    assert max(searched) <= 50


def test_records_that_can_not_rank_higher_are_not_read(desk: Desk) -> None:
    for number in range(3):
        lead = desk.put("lead", first_name=f"L{number}", last_contacted_at=NOW, status="contacted")
        desk.put("activity", title=f"T{number}", activity_type="task", about=lead, due_at=_days_ago(1))
    silent = desk.put("lead", first_name="Silent", status="contacted", last_contacted_at=_days_ago(20), score=99)
    read: list[str] = []
    search = desk.records.search

    def noted(tenant: str, query: RecordQuery) -> RecordPage:
        read.append(query.entity_type)
        return search(tenant, query)

    desk.records.search = noted  # type: ignore[method-assign]
    assert [item["score"] for item in _advice(desk)] == [9, 9, 9]
    assert read == ["activity", "opportunity", "lead"]
    assert _advice(desk, silent)[0]["score"] == 7


def test_the_best_silent_lead_is_found_among_many_that_are_not(desk: Desk) -> None:
    for number in range(30):
        desk.put("lead", first_name=f"L{number}", status="qualified", last_contacted_at=NOW, score=60)
    desk.put("lead", first_name="Silent", status="contacted", last_contacted_at=_days_ago(20), score=10)
    assert _advice(desk)[0]["action"] == "Get back in touch with Silent"


def test_an_open_activity_is_seen_behind_many_newer_ones(desk: Desk, clock: FixedClock) -> None:
    jack = desk.put("lead", first_name="Jack", status="warm", last_contacted_at=NOW)
    desk.put("activity", title="Demo", activity_type="demo", about=jack, due_at=NOW + timedelta(days=20))
    for number in range(30):
        clock.advance(timedelta(minutes=1))
        desk.put("activity", title=f"Call {number}", activity_type="call", about=jack, status="completed")
    assert "no open activity" not in str(_advice(desk, jack))


def test_an_empty_pipeline_has_nothing_to_suggest(desk: Desk) -> None:
    assert _advice(desk) == []


def test_closed_modules_stay_closed(desk: Desk) -> None:
    deal = desk.put("opportunity", name="License", close_date=NOW.date())
    desk.put("activity", title="Price talk", activity_type="call", about=deal, due_at=_days_ago(1), owner="bob")
    desk.put("note", content="Awaiting callback", about=deal, owner="bob")
    bob = desk.at(BOB)
    assert _advice(bob) == []
    error = bob.refuse("suggest_next_actions", entity_type="opportunity", entity_id=deal)
    assert error["message"] == "User lacks module access: opportunities"


def test_a_tool_that_the_user_may_not_use_is_not_offered(desk: Desk) -> None:
    jack = desk.put("lead", first_name="Jack", email="j@abc.example", phone="123", last_contacted_at=_days_ago(9))
    reader = desk.at(replace(ANN, modules=frozenset({"leads"})))
    suggestions = _advice(reader, jack)
    assert suggestions[0]["reasoning"] == "Last contacted 9 days ago"
    assert all("tool" not in item and "arguments" not in item for item in suggestions)


def test_private_notes_of_others_are_not_quoted(desk: Desk) -> None:
    jack = desk.put("lead", first_name="Jack")
    desk.at(BOB).put("note", content="Awaiting callback, he is desperate", about=jack, is_private=True)
    assert "desperate" not in str(_advice(desk, jack))


def test_a_type_without_an_id_is_refused_and_an_id_is_enough(desk: Desk) -> None:
    assert desk.refuse("suggest_next_actions", entity_type="lead")["code"] == "missing_field"
    jack = desk.put("lead", first_name="Jack")
    assert desk.do("suggest_next_actions", entity_id=jack)["entity"]["name"] == "Jack"
    theirs = desk.at(EVE).put("lead", first_name="Jack")
    assert desk.refuse("suggest_next_actions", entity_id=theirs)["code"] == "not_found"


@pytest.mark.parametrize("status", ["lost", "unqualified", "converted"])
def test_nobody_is_called_or_written_to_about_a_closed_lead(desk: Desk, status: str) -> None:
    lead = desk.put("lead", first_name="Jack", status=status, last_contacted_at=NOW - timedelta(days=30))
    desk.put("note", content="Awaiting callback: asked for a quote by email.", about=lead)
    desk.put("activity", title="Call Jack", activity_type="call", due_at=NOW + timedelta(days=1), about=lead)
    steps = desk.do("suggest_next_actions", entity_type="lead", entity_id=lead)["suggestions"]
    assert 2 <= len(steps) <= 3
    assert {step["priority"] for step in steps} == {"Normal"}
    assert "create_activity" not in {step.get("tool") for step in steps}
    assert steps[0]["action"] == "Cancel or complete “Call Jack”"


def test_a_won_deal_is_not_pushed_to_close(desk: Desk) -> None:
    deal = desk.put("opportunity", name="Pilot", stage="closed_won", close_date=NOW.date() + timedelta(days=2))
    steps = desk.do("suggest_next_actions", entity_type="opportunity", entity_id=deal)["suggestions"]
    assert [step["tool"] for step in steps] == ["create_note"]


def test_the_same_sentence_of_a_note_is_quoted_once(desk: Desk) -> None:
    lead = desk.put("lead", first_name="Jack", status="contacted", last_contacted_at=NOW)
    desk.put("note", content="Awaiting callback: asked for a quote.", about=lead)
    steps = desk.do("suggest_next_actions", entity_type="lead", entity_id=lead)["suggestions"]
    assert sum("Awaiting callback" in step["reasoning"] for step in steps) == 1
    assert len({step["action"] for step in steps[:2]}) == 2


def test_two_activities_that_read_alike_are_advised_once(desk: Desk) -> None:
    jack = desk.put("lead", first_name="Jack", status="contacted")
    for _ in range(2):
        desk.put("activity", title="Call Jack", activity_type="call", about=jack, due_at=NOW + timedelta(days=1))
    assert [step["action"] for step in _advice(desk, jack)].count("Prepare “Call Jack”") == 1
    assert len(_advice(desk, jack)) >= 2
