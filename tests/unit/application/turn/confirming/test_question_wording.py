"""Questions and outcomes of every tool that writes are natural English, without internal names."""

import re
from collections.abc import Mapping
from typing import Any

import pytest
from msgspec.structs import replace

from aisha.application.requests.chat_request import ChatRequest
from aisha.application.tooling.gate.policy import NEVER_UNDONE, UNDONE_FOR_A_DAY, decide
from aisha.application.turn.confirming.question_text import format_question, repeated
from aisha.application.turn.load import load_turn
from aisha.application.turn.wording.call_words import Referents
from aisha.application.turn.wording.phrases import describe
from aisha.domain.tools import ConfirmationPolicy, ToolSpec
from tests.fakes.models.scripted_model import ask
from tests.unit.application.conftest import PRODUCT, World
from tests.unit.application.turn.confirming.office import (
    FOLLOW_UP,
    IDS,
    INSTRUCTION,
    JACK,
    MEMORY,
    REMINDER,
    UNKNOWN_LEAD,
    with_ids,
)

WRITES = [spec for spec in PRODUCT.specs() if spec.access != "read"]

QUESTIONS: list[tuple[str, dict[str, Any], str]] = [
    ("delete_lead", {"lead_id": "@lead"}, "Shall I delete the lead **Jack Russel**? It can be restored for one day."),
    (
        "delete_contact",
        {"contact_id": "@contact"},
        "Shall I delete the contact **Ann Lee**? It can be restored for one day.",
    ),
    (
        "delete_account",
        {"account_id": "@account"},
        "Shall I delete the account **ABC Corp**? It can be restored for one day.",
    ),
    (
        "delete_opportunity",
        {"opportunity_id": "@opportunity"},
        "Shall I delete the deal **ABC Expansion**? It can be restored for one day.",
    ),
    (
        "delete_activity",
        {"activity_id": "@activity"},
        "Shall I delete the activity **Call with Jack**? It can be restored for one day.",
    ),
    ("delete_note", {"note_id": "@note"}, "Shall I delete the note **Likes golf**? It can be restored for one day."),
    ("delete_lead", {"lead_id": UNKNOWN_LEAD}, "Shall I delete that lead? It can be restored for one day."),
    (
        "convert_lead",
        {"lead_id": "@lead", "create_opportunity": True},
        "Shall I convert Jack Russel to a contact and an account, with a new deal? It can be undone for one day.",
    ),
    (
        "convert_lead",
        {"lead_id": "@lead", "account_id": "@account", "amount": 20000, "close_date": "2026-05-01"},
        "Shall I convert Jack Russel to a contact of ABC Corp, with a new deal worth $20,000 closing Fri, May 1? "
        "It can be undone for one day.",
    ),
    (
        "create_activity",
        {**JACK, "title": "Call with Jack Russel", "activity_type": "call", "due_date": "tomorrow at 9am"},
        "Shall I schedule a call with Jack Russel for tomorrow at 9:00 AM?",
    ),
    (
        "create_activity",
        {**JACK, "title": "Follow-up with Jack", "activity_type": "email", "due_date": "2026-03-06T13:30:00Z"},
        "Shall I schedule a follow-up email to Jack Russel for Fri, Mar 6 at 2:30 PM?",
    ),
    (
        "create_activity",
        {**JACK, "title": "Send the proposal", "activity_type": "task", "priority": "high", "body": "Soon"},
        "Shall I create a task for Jack Russel, due tomorrow at 9:00 AM: “Send the proposal”?\n\n"
        "- Priority: high\n- Details: Soon",
    ),
    (
        "bulk_create_activities",
        {"items": [{**FOLLOW_UP, "entity_id": f"@{number}"} for number in range(44)]},
        "Shall I plan 44 follow-ups for P0, P1, P2, P3, P4 and 39 more, all due tomorrow at 9:00 AM?\n\n"
        f"Records: {'; '.join(f'P{number}' for number in range(44))}",
    ),
    (
        "bulk_create_activities",
        {"items": [{**JACK, "title": "Call", "activity_type": "call", "due_date": "tomorrow at 3pm"}]},
        "Shall I plan 1 call for Jack Russel, due tomorrow at 3:00 PM?",
    ),
    (
        "complete_activity",
        {"activity_id": "@activity", "outcome": "He agreed"},
        "Shall I mark the activity “Call with Jack” as completed, with the outcome “He agreed”?",
    ),
    (
        "advance_opportunity_stage",
        {"opportunity_id": "@opportunity"},
        "Shall I move the deal ABC Expansion to its next stage?",
    ),
    (
        "advance_opportunity_stage",
        {"opportunity_id": "@opportunity", "stage": "closed_won"},
        "Shall I move the deal ABC Expansion to the stage “closed won”?",
    ),
    (
        "create_lead",
        {"first_name": "Bob", "last_name": "Hall", "company": "Zed", "source": "trade_show", "estimated_value": "9000"},
        "Shall I create the lead Bob Hall?\n\n- Company: Zed\n- Source: trade show\n- Estimated value: $9,000",
    ),
    (
        "create_contact",
        {"name": "Bob Hall", "account_id": "@account"},
        "Shall I create the contact Bob Hall?\n\nAccount: ABC Corp",
    ),
    (
        "create_account",
        {"company_name": "Zeta", "tags": ["a", "b"], "address": {"city": "Bonn", "country": "DE"}},
        "Shall I create the account Zeta?\n\n- Tags: a and b\n- Address: Bonn, DE",
    ),
    (
        "create_opportunity",
        {"name": "Pilot", "amount": 1000, "currency": "EUR", "close_date": "2027-01-05"},
        "Shall I create the deal Pilot?\n\n- Amount: 1,000 EUR\n- Close date: Tue, Jan 5, 2027",
    ),
    (
        "create_note",
        {**JACK, "content": "Likes golf.\nAnd tea.", "is_private": True},
        "Shall I add this private note to Jack Russel?\n\nLikes golf.\nAnd tea.",
    ),
    ("draft_email", {**JACK, "purpose": "thank him"}, "Shall I draft an email to Jack Russel: “thank him”?"),
    (
        "send_email",
        {**JACK, "subject": "Prices", "body": "Dear Jack,\n\nhere they are."},
        "Shall I send this email to Jack Russel (jack@abc.example)?\n\nSubject: Prices\n\nDear Jack,\n\nhere they are.",
    ),
    (
        "send_email",
        {**JACK, "to": "other@x.example", "subject": "Prices", "body": "Hi"},
        "Shall I send this email to other@x.example?\n\n- Record: Jack Russel\n- Subject: Prices\n\nHi",
    ),
    (
        "send_email",
        {"to": "other@x.example", "subject": "Prices", "body": "Hi"},
        "Shall I send this email to other@x.example?\n\nSubject: Prices\n\nHi",
    ),
    (
        "send_email",
        {"entity_type": "opportunity", "entity_id": "@opportunity", "subject": "Prices", "body": "Hi"},
        "Shall I send this email to Ann Lee (ann@abc.example)?\n\nSubject: Prices\n\nHi",
    ),
    (
        "schedule_meeting",
        {
            **JACK,
            "attendees": ["Jack Russel", "Ann Lee"],
            "date": "tomorrow at 3pm",
            "duration": 30,
            "location": "Room 1",
        },
        "Shall I schedule a meeting with Jack Russel and Ann Lee for tomorrow at 3:00 PM "
        "(30 minutes)?\n\nLocation: Room 1",
    ),
    (
        "schedule_meeting",
        {"entity_type": "account", "entity_id": "@account", "attendees": ["Ann Lee"], "date": "tomorrow at 3pm"},
        "Shall I schedule a meeting with Ann Lee for tomorrow at 3:00 PM, about ABC Corp?",
    ),
    (
        "update_lead",
        {"lead_id": "@lead", "status": "warm"},
        "Shall I change the status of the lead Jack Russel to warm?",
    ),
    (
        "update_lead",
        {"lead_id": "@lead", "score": 0, "do_not_call": False},
        "Shall I change the score of the lead Jack Russel to 0 and the do-not-call flag to no?",
    ),
    (
        "update_lead",
        {"lead_id": "@lead", "score": 1, "phone": "+49 30 1", "email": "j@x.example", "do_not_call": False},
        "Shall I change the lead Jack Russel?\n\n- Score: 1\n- Phone number: +49 30 1\n- Email: j@x.example\n"
        "- Do-not-call flag: no",
    ),
    (
        "update_contact",
        {"contact_id": "@contact", "owner": "me"},
        "Shall I change the owner of the contact Ann Lee to you?",
    ),
    (
        "update_account",
        {"account_id": "@account", "health": "at_risk"},
        "Shall I change the health of the account ABC Corp to at risk?",
    ),
    (
        "update_opportunity",
        {"opportunity_id": "@opportunity", "amount": 50000, "account_id": "@account"},
        "Shall I change the amount of the deal ABC Expansion to 50,000 EUR and the account to ABC Corp?",
    ),
    (
        "update_activity",
        {"activity_id": "@activity", "due_date": "friday at 2pm"},
        "Shall I change the due date of the activity “Call with Jack” to Fri, Mar 6 at 2:00 PM?",
    ),
    ("create_goal", {"title": "Close 10 deals"}, "Shall I create the goal Close 10 deals?"),
    ("accept_suggestion", {"place": 2}, "Shall I accept suggestion number 2?"),
    ("dismiss_suggestion", {}, "Shall I dismiss the suggestion?"),
    ("snooze_suggestion", {"place": 1}, "Shall I snooze suggestion number 1?"),
    (
        "update_goal",
        {"goal_id": "@goal", "progress": 50},
        "Shall I change the progress of the goal “Grow revenue” to 50%?",
    ),
    (
        "update_goal",
        {"goal_id": "Grow revenue", "key_results": [{"title": "New deals", "current": 5}]},
        "Shall I change the key results of the goal “Grow revenue” to New deals: 5?",
    ),
    ("run_scan", {"scan_type": "stale_leads"}, "Shall I scan the pipeline for stale leads?"),
    ("undo_last", {}, "Shall I undo your last change?"),
    ("memory", {"action": "create", "text": "Jack likes tea"}, "Shall I remember this: “Jack likes tea”?"),
    (
        "memory",
        {"action": "update", "memory_id": MEMORY, "text": "He likes tea"},
        "Shall I change the memory “Ann likes tea” to “He likes tea”?",
    ),
    ("memory", {"action": "delete", "memory_id": MEMORY}, "Shall I forget the memory “Ann likes tea”?"),
    ("manage_prompt", {"action": "add", "text": "Be brief"}, "Shall I add this standing instruction: “Be brief”?"),
    ("manage_prompt", {"action": "delete", "instruction_id": INSTRUCTION}, "Shall I delete that standing instruction?"),
    (
        "stickynotes",
        {"action": "create", "text": "Buy flowers", "due_at": "tomorrow at 5pm"},
        "Shall I put up a sticky note for tomorrow at 5:00 PM: “Buy flowers”?",
    ),
    (
        "stickynotes",
        {"action": "snooze", "note_id": REMINDER},
        "Shall I snooze the reminder “Buy flowers” for an hour?",
    ),
    ("stickynotes", {"action": "resolve", "note_id": REMINDER}, "Shall I mark the reminder “Buy flowers” as done?"),
    (
        "github_issue",
        {"action": "create", "title": "Export fails", "body": "Always", "labels": ["bug"]},
        "Shall I file the GitHub issue “Export fails”?\n\nLabels: bug\n\nAlways",
    ),
    (
        "github_issue",
        {"action": "comment", "number": 3, "body": "Still so"},
        "Shall I post this comment on GitHub issue #3?\n\nStill so",
    ),
    (
        "github_issue",
        {"action": "close", "number": 3, "reason": "not_planned"},
        "Shall I close GitHub issue #3 as not planned?",
    ),
]


def question_about(world: World, spec: ToolSpec, arguments: Mapping[str, Any], doubt: str = "") -> str:
    turn = load_turn(ChatRequest(message="x"), world.principal, world.deps)
    spec = spec.for_call(arguments)
    phrase = describe(spec, arguments, Referents(turn.input, turn.record))
    return format_question(phrase, spec, decide(world.principal, spec, doubt=doubt).reason, doubt)


@pytest.mark.parametrize(
    ("tool", "arguments", "expected"),
    [pytest.param(*case, id=f"{case[0]}-{place}") for place, case in enumerate(QUESTIONS)],
)
def test_the_question_about_a_write(office: World, tool: str, arguments: dict[str, Any], expected: str) -> None:
    spec = PRODUCT.spec(tool)
    assert spec is not None
    assert question_about(office, spec, with_ids(arguments)) == expected


def test_every_tool_that_writes_and_every_action_has_a_question_without_internal_names(office: World) -> None:
    seen = set()
    for tool, arguments, _ in QUESTIONS:
        spec = PRODUCT.spec(tool)
        assert spec is not None
        question = question_about(office, spec, with_ids(arguments), doubt="I'm not sure I understood you")
        sentence = question.partition("\n\n")[0]
        assert sentence.startswith("I'm not sure I understood you: shall I ")
        assert re.search(r"\?$|\? (?:It|This) can[^?]*\.$", sentence), question
        assert not re.search(r"_|\b(?:True|False|None)\b|[0-9A-HJKMNP-TV-Z]{26}|\{|\[", question), question
        assert not {label for label in spec.properties if "_" in label and label in question}
        seen.add((tool, arguments.get("action")))
    actions = {spec.name: spec.properties.get("action", {}).get("enum", [None]) for spec in WRITES}
    expected = {(spec.name, action) for spec in WRITES for action in actions[spec.name]}
    reads = {(spec.name, action) for spec in WRITES for action in spec.read_actions}
    assert seen == expected - reads


@pytest.mark.parametrize(
    ("name", "arguments", "access", "expected"),
    [
        ("create_ticket", {"title": "Printer"}, "write", "Shall I create the ticket Printer?"),
        (
            "update_order",
            {"order_id": "O-17", "state": "paid"},
            "write",
            "Shall I change the state of the order “O-17” to paid?",
        ),
        ("cancel_order", {"order_id": "O-17"}, "write", "Shall I cancel the order “O-17”?"),
        ("erp__wipe_everything", {}, "external", "Shall I wipe everything in erp? This can't be undone."),
        (
            "erp__frobnicate_all",
            {"depth": 3},
            "external",
            "Shall I run “frobnicate all” in erp? This can't be undone.\n\nDepth: 3",
        ),
        (
            "merge_leads",
            {"items": [{"last_name": "A"}, {"last_name": "B"}]},
            "write",
            "Shall I merge the leads?\n\nItems: A; B",
        ),
        (
            "add_leads",
            {"items": [{"last_name": f"L{number}"} for number in range(11)]},
            "write",
            "Shall I add 11 leads: L0, L1, L2, L3, L4 and 6 more?\n\n"
            "Items: L0; L1; L2; L3; L4; L5; L6; L7; L8; L9; L10",
        ),
        ("sync", {}, "write", "Shall I sync?"),
    ],
)
def test_a_new_tool_gets_its_sentence_from_its_name(
    world: World, name: str, arguments: dict[str, Any], access: Any, expected: str
) -> None:
    confirmation: ConfirmationPolicy = "destructive" if access == "external" else "none"
    toolkit = "mcp" if "__" in name else "new"
    spec = ToolSpec(name, "Do it.", {}, {}, toolkit, access=access, confirmation=confirmation)
    assert question_about(world, spec, arguments) == expected


LONG = "He called twice and " * 6 + "left."


@pytest.mark.parametrize(
    ("tool", "arguments", "expected"),
    [
        ("memory", {"action": "create", "text": LONG}, f"Shall I remember this?\n\nText: {LONG}"),
        (
            "memory",
            {"action": "update", "memory_id": MEMORY, "text": LONG},
            f"Shall I change the memory “Ann likes tea” to this?\n\nText: {LONG}",
        ),
        ("manage_prompt", {"action": "add", "text": LONG}, f"Shall I add this standing instruction?\n\nText: {LONG}"),
        (
            "complete_activity",
            {"activity_id": "@activity", "outcome": LONG},
            f"Shall I mark the activity “Call with Jack” as completed?\n\nOutcome: {LONG}",
        ),
        (
            "update_opportunity",
            {"opportunity_id": "@opportunity", "description": LONG},
            f"Shall I change the deal ABC Expansion?\n\nDescription: {LONG}",
        ),
        (
            "schedule_meeting",
            {"attendees": [f"Guest Number{number}" for number in range(9)], "date": "tomorrow at 3pm"},
            "Shall I schedule a meeting with these people for tomorrow at 3:00 PM?\n\nAttendees: "
            + ", ".join(f"Guest Number{number}" for number in range(8))
            + " and Guest Number8",
        ),
    ],
)
def test_a_long_value_is_shown_whole_below_the_sentence(
    office: World, tool: str, arguments: dict[str, Any], expected: str
) -> None:
    spec = PRODUCT.spec(tool)
    assert spec is not None
    assert question_about(office, spec, with_ids(arguments)) == expected


def test_the_tenants_words_are_used(office: World) -> None:
    office.deps = replace(office.deps, limits=replace(office.deps.limits, labels={"lead": "prospect"}))
    spec = PRODUCT.spec("delete_lead")
    assert spec is not None
    assert question_about(office, spec, {"lead_id": IDS["lead"]}).startswith(
        "Shall I delete the prospect **Jack Russel**?"
    )


def test_a_record_that_the_user_may_not_see_has_no_name_in_the_question(office: World) -> None:
    spec = PRODUCT.spec("send_email")
    assert spec is not None
    stranger = replace(office.principal, modules=frozenset(("email",)))
    office.principal = stranger
    question = question_about(office, spec, with_ids({**JACK, "subject": "Hi", "body": "Hi"}))
    assert "Russel" not in question
    assert "jack@" not in question


@pytest.mark.parametrize(
    ("question", "short"),
    [
        ("Shall I delete the lead **Ann**? It can be restored for one day.", "shall I delete the lead **Ann**?"),
        ("Shall I send this email to Ann?\n\nSubject: Hi\n\nShall we meet?", "shall I send this email to Ann?"),
        ("I'm not sure I understood you: shall I undo your last change?", "shall I undo your last change?"),
        ("There are several: which one do you mean?\n1. Ann", "there are several: which one do you mean?"),
    ],
)
def test_a_repeated_question_is_its_sentence_alone(question: str, short: str) -> None:
    assert repeated(question) == short


def test_words_of_an_email_do_not_count_as_words_of_its_question(office: World) -> None:
    mail = ask("send_email", **with_ids(JACK), subject="Price", body="Please change the date to Friday")
    question_turn = office.say("Mail Jack", [mail])
    reply = office.say("yes, change the date to Friday", "Which date?", conversation=question_turn["conversationId"])
    assert reply["toolCalls"] == []


def test_the_reasons_of_the_gate_stay(office: World) -> None:
    specs = {spec.name: spec for spec in WRITES}
    reasons = [decide(office.principal, specs[name]).reason for name in ("delete_lead", "send_email", "create_lead")]
    assert reasons == [UNDONE_FOR_A_DAY, NEVER_UNDONE, ""]
