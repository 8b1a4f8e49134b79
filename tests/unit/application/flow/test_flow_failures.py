"""flow-chat when a step fails, when several records fit, and named flows, which are done as a whole."""

from datetime import timedelta
from typing import Any

import pytest
from msgspec.structs import replace

from aisha.application.turn.state import TurnLimits
from aisha.domain.crm.queries import Create, Update
from aisha.domain.errors import ModelUnavailableError
from tests.fakes.models.scripted_model import ask
from tests.support.tenants.flow_desk import ALICE, FIRST_RECORD, MODULES, RENAME, Desk, analysis, statuses

# --- what fails


def test_a_failed_step_stops_only_what_needs_it(desk: Desk) -> None:
    plan = analysis(
        ("search_leads", {"name_contains": "Nobody Known"}),
        ("update_lead", {"lead_id": FIRST_RECORD, "company": "Initech"}),
        ("search_leads", {"name_contains": "Ann"}),
        ("get_lead", {"lead_id": "lead_01JD3Q8S5V0W8Y2Z6T4R9K7M1N"}),
    )
    answer = desk.say("Update Nobody, show Ann", plan, ModelUnavailableError("no answer either"))
    assert [step["status"] for step in answer["steps"]] == ["executed", "skipped", "executed", "failed"]
    assert "No such record was found" in answer["steps"][1]["reason"]
    assert "Ann Lee" in answer["response"]
    assert "Not done: change the company of that lead to Initech. No such record was found." in answer["response"]


def test_a_step_that_cannot_be_done_is_reported_in_the_question(desk: Desk) -> None:
    plan = analysis(
        ("search_leads", {"name_contains": "Ann"}),
        ("update_lead", {"lead_id": FIRST_RECORD, "status": "sideways"}),
        ("create_note", {"entity_type": "lead", "entity_id": FIRST_RECORD, "content": "Hi"}),
    )
    answer = desk.say("Set Ann sideways and note Hi", plan)
    assert [step["status"] for step in answer["steps"]] == ["executed", "failed", "planned"]
    assert "This can't be done" in answer["confirmationQuestion"]


@pytest.mark.parametrize(
    "analysis_text",
    [
        "I think we should search for Ann.",
        "{",
        '{"userIntent": "x"}',
        analysis(confidence=400),
        analysis(("update_lead", {"lead_id": {"$step": 2, "path": "record.id"}}), ("search_leads", {})),
        analysis(("update_lead", {"lead_id": {"$step": 1, "path": "../x"}})),
        analysis(*[("search_leads", {})] * 17),
        analysis(("lead_to_opportunity", {"amount": "a lot"})),
    ],
)
def test_a_message_without_a_valid_plan_is_answered_as_a_chat(desk: Desk, analysis_text: str) -> None:
    answer = desk.say("Find Ann", analysis_text, [ask("search_leads", name_contains="Ann")], "Found her.")
    assert answer["response"] == "Found her."
    assert statuses(answer) == [("search_leads", "executed")]
    assert any("ordinary message" in warning for warning in answer["warnings"])


def test_an_unknown_tool_is_a_failed_step(desk: Desk) -> None:
    answer = desk.say("Frob Ann", analysis(("frobnicate", {})), "I can't do that.")
    assert statuses(answer) == [("frobnicate", "failed")]


def test_a_module_that_was_taken_away_stops_the_step(desk: Desk) -> None:
    desk.say("Ann moved to Initech, note that", RENAME)
    desk.principal = replace(ALICE, modules=MODULES - {"notes"})
    answer = desk.say("yes", "Partly done.")
    assert statuses(answer)[1:] == [("update_lead", "executed"), ("create_note", "rejected")]
    assert "note" not in desk.counts()


def test_a_closed_module_is_not_even_asked_about(desk: Desk) -> None:
    desk.principal = replace(ALICE, modules=MODULES - {"leads"})
    answer = desk.say("Ann moved to Initech, note that", RENAME, "You have no access to leads.")
    assert not answer["needsConfirmation"]
    assert statuses(answer)[0] == ("search_leads", "rejected")


def test_the_rounds_of_a_plan_are_limited(desk: Desk) -> None:
    desk.deps = replace(desk.deps, limits=TurnLimits(max_flow_rounds=1))
    plan = analysis(("search_leads", {"name_contains": "Ann"}), ("get_lead", {"lead_id": FIRST_RECORD}))
    answer = desk.say("Show Ann", plan, "Found.")
    assert statuses(answer) == [("search_leads", "executed"), ("get_lead", "skipped")]


def won(**more: Any) -> str:
    return analysis(
        ("search_leads", {"name_contains": "Ann"}),
        ("lead_to_opportunity", {"lead_id": FIRST_RECORD, "amount": 20000, **more}),
    )


# --- named flows


def test_a_named_flow_is_chosen_like_a_tool(desk: Desk) -> None:
    answer = desk.say("Ann is won", won(activity_at="2026-03-03T10:00:00+01:00"))
    assert "lead_to_opportunity" in desk.model.requests[0].messages[0].content
    assert statuses(answer) == [
        ("search_leads", "executed"),
        ("convert_lead", "planned"),
        ("create_activity", "planned"),
    ]
    confirmed = desk.say("yes", "Won!")
    assert statuses(confirmed)[1:] == [("convert_lead", "executed"), ("create_activity", "executed")]
    (activity,) = desk.records("activity")
    assert activity.model_dump()["related"]["id"] == desk.records("contact")[0].id
    assert str(desk.records("opportunity")[0].model_dump()["amount"]) == "20000"


def test_a_flow_that_fails_later_undoes_its_writes(desk: Desk) -> None:
    before = desk.lead("Ann Lee")
    desk.say("Ann is won", won(activity_at="2026-03-02T10:05:00+01:00"))
    desk.clock.advance(timedelta(minutes=8))  # The activity would now be in the past.
    answer = desk.say("yes", ModelUnavailableError("offline"))
    assert statuses(answer)[1:] == [("convert_lead", "undone"), ("create_activity", "failed")]
    assert desk.counts() == {"lead": 3}
    after = desk.lead("Ann Lee")
    assert (after.status, after.converted) == (before.status, None)
    assert "Taken back" in answer["response"]
    assert [entity["name"] for entity in answer["entities"]] == ["Ann Lee"]
    undo = desk.chat("undo that", [ask("undo_last")], "Nothing to undo.")
    assert [call["status"] for call in undo["toolCalls"]] in (["failed"], ["rejected"])


def test_a_record_that_was_changed_meanwhile_is_not_undone(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    desk.say(
        "New deal",
        analysis(("opportunity_with_follow_up", {"name": "Big", "activity_at": "2026-03-02T10:05:00+01:00"})),
    )
    desk.clock.advance(timedelta(minutes=8))
    write = desk.deps.records.write

    def write_and_change(tenant: str, changes: Any, operation_id: str | None = None) -> Any:
        written = write(tenant, changes, operation_id)
        if changes and isinstance(changes[0], Create) and written[0].record.TYPE == "opportunity":
            write(tenant, [Update("opportunity", written[0].record.id, {"next_step": "Call them"})])
        return written

    monkeypatch.setattr(desk.deps.records, "write", write_and_change)
    answer = desk.say("yes", ModelUnavailableError("offline"))
    assert desk.counts() == {"lead": 3, "opportunity": 1}
    assert any("could not be taken back" in warning for warning in answer["warnings"])


def test_a_flow_that_cannot_be_done_as_a_whole_is_not_begun(desk: Desk) -> None:
    answer = desk.say("Ann is won", won(activity_at="2020-03-02T10:05:00+01:00"), "That date is past.")
    assert not answer["needsConfirmation"]
    assert desk.counts() == {"lead": 3}
