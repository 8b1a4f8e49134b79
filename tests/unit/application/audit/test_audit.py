"""The audit of all calls, each once, and the refusal of writes that can't be recorded (A-144, faults 25-27)."""

import json
from datetime import timedelta
from typing import Any

import pytest
from msgspec.structs import replace

from aisha.application.audit.listing import AuditFilter, audit_page
from aisha.application.audit.size import MAX_ARGUMENT_BYTES, MAX_RECEIPT_BYTES, fit_arguments, fit_receipts
from aisha.application.audit.trail import Audit
from aisha.application.flow.execution.dry_run import DryRun
from aisha.application.redaction.summaries import field_keys, shown_to_model, without_sensitive
from aisha.application.requests.chat_request import parse_chat_request
from aisha.application.tooling.context import make_context
from aisha.application.turn.confirming.confirmation import decide_confirmation
from aisha.application.turn.load import load_turn
from aisha.domain.audit import AuditEntry
from aisha.domain.errors import AishaError, InvalidInputError, ModelUnavailableError
from aisha.renderers.json_response import render
from tests.fakes.models.scripted_model import ask
from tests.fakes.stores.audit import InMemoryAuditLog
from tests.unit.application.conftest import PRODUCT, World


def audited(world: World) -> InMemoryAuditLog:
    audit = world.deps.ports.audit
    assert audit is not None
    assert isinstance(audit.log, InMemoryAuditLog)
    return audit.log


def recorded(world: World) -> list[tuple[str, str]]:
    return [(entry.tool, entry.status) for entry in audited(world).entries()]


def only(world: World, status: str) -> AuditEntry:
    (entry,) = [entry for entry in audited(world).entries() if entry.status == status]
    return entry


# --- every call, once


def test_the_reads_of_a_turn_are_one_append(full: World) -> None:
    lead = full.add_lead(first_name="Jack", last_name="Russel", status="warm")
    both = [ask("get_lead", lead_id=lead.id), ask("search_leads", status="warm")]
    answer = full.say("Tell me about Jack", both, [ask("search_leads", "again", status="unheard of")], "Done.")
    assert audited(full).appends == [3]
    # Reads that run side by side are recorded in the order in which they end.
    assert sorted(recorded(full)[:2]) == [("get_lead", "executed"), ("search_leads", "executed")]
    assert recorded(full)[2] == ("search_leads", "failed")
    (first,) = [entry for entry in audited(full).entries() if entry.tool == "get_lead"]
    assert (first.user, first.door, first.action, first.severity) == ("alice", "api", "aisha.get_lead", "normal")
    assert (first.arguments, first.entities) == ({"lead_id": lead.id}, [lead.id])
    assert first.conversation_id == answer["conversationId"]
    assert first.at == full.clock.now()
    assert first.receipts == []


def test_a_write_is_recorded_before_it_runs_and_with_what_it_changed(full: World) -> None:
    lead = full.add_lead(first_name="Jack", last_name="Russel", status="warm")
    full.say("Qualify Jack", [ask("update_lead", lead_id=lead.id, status="qualified")], "Done.")
    assert recorded(full) == [("update_lead", "intended"), ("update_lead", "executed")]
    before, after = audited(full).entries()
    assert after.intent == before.id
    (receipt,) = after.receipts
    assert (receipt["before"]["status"], receipt["after"]["status"]) == ("warm", "qualified")
    assert after.entities == [lead.id]
    assert after.line == "updated lead Jack Russel"
    assert after.operation_id == before.operation_id


@pytest.mark.parametrize(
    ("call", "status"),
    [
        (("no_such_tool", {}), "not_found"),
        (("get_lead", {"lead_id": 5, "more": 1}), "failed"),
        (("get_lead", {"lead_id": "lead_00000000000000000000000000"}), "failed"),
        (("get_audit_trail", {}), "rejected"),
    ],
)
def test_what_does_not_run_is_recorded_too(full: World, call: tuple[str, dict[str, Any]], status: str) -> None:
    full.say("Do it", [ask(call[0], **call[1])], "No.")
    assert recorded(full) == [(call[0], status)]
    entry = only(full, status)
    assert entry.error is not None
    assert entry.severity == ("warning" if status == "rejected" else "normal")


def test_too_many_calls_are_each_recorded(full: World) -> None:
    count = full.deps.limits.max_calls_per_round + 1
    calls = [ask("search_leads", f"call_{number}", limit=number) for number in range(1, count + 1)]
    full.say("Everything", calls, "No.")
    assert recorded(full) == [("search_leads", "failed")] * count


def test_a_question_its_yes_and_what_was_done(full: World) -> None:
    lead = full.add_lead(first_name="Jack", last_name="Russel")
    question = full.say("Delete Jack", [ask("delete_lead", lead_id=lead.id)], "")
    assert recorded(full) == [("delete_lead", "pending")]
    confirmation = question["confirmation"]["id"]
    render(decide_confirmation(confirmation, full.principal, full.deps, approve=True), "req-1")
    assert recorded(full) == [("delete_lead", "pending"), ("delete_lead", "intended"), ("delete_lead", "executed")]
    assert {entry.confirmation_id for entry in audited(full).entries()} == {confirmation}
    done = only(full, "executed")
    assert (done.severity, done.entities) == ("high", [lead.id])
    assert done.receipts[0]["before"]["first_name"] == "Jack"


def test_a_no_is_recorded(full: World) -> None:
    lead = full.add_lead(first_name="Jack", last_name="Russel")
    question = full.say("Delete Jack", [ask("delete_lead", lead_id=lead.id)], "")
    render(decide_confirmation(question["confirmation"]["id"], full.principal, full.deps, approve=False), "req-1")
    assert recorded(full) == [("delete_lead", "pending"), ("delete_lead", "rejected")]
    assert only(full, "rejected").entities == [lead.id]


def test_a_call_outside_of_a_turn_is_recorded_by_itself(full: World) -> None:
    lead = full.add_lead(first_name="Jack", last_name="Russel")
    context = make_context(full.principal, full.deps.ports, "op.1")
    PRODUCT.call_tool("get_lead", {"lead_id": lead.id}, context)
    PRODUCT.call_tool("delete_lead", {"lead_id": lead.id}, context)
    assert recorded(full) == [("get_lead", "executed"), ("delete_lead", "rejected")]
    assert {entry.operation_id for entry in audited(full).entries()} == {"op.1"}


def test_a_turn_that_broke_off_leaves_its_reads(full: World) -> None:
    events = full.events("Tell me", [ask("search_leads")], ModelUnavailableError("the model broke"))
    list(events)
    assert recorded(full) == [("search_leads", "executed")]


def test_a_dry_run_is_no_call_in_the_audit_log(full: World) -> None:
    lead = full.add_lead(first_name="Jack", last_name="Russel", status="warm")
    request = parse_chat_request(b'{"message": "Qualify Jack"}', 8000)
    dry_run = DryRun(load_turn(request, full.principal, full.deps).input)
    call = PRODUCT.create_call("update_lead", {"lead_id": lead.id, "status": "qualified"}, dry_run.context())
    assert call.spec is not None
    assert dry_run.run(1, call, call.spec)
    assert call.result.ok
    assert recorded(full) == []


# --- when the log does not answer


def test_a_write_that_can_not_be_recorded_is_not_done(full: World) -> None:
    lead = full.add_lead(first_name="Jack", last_name="Russel", status="warm")
    audited(full).is_away = True
    turn = full.say("Qualify Jack", [ask("update_lead", lead_id=lead.id, status="qualified")], "That did not work.")
    (result,) = turn["toolCalls"]
    assert result["error"]["code"] == "unavailable"
    assert result["error"]["retryable"] is True
    assert "Nothing was changed" in result["error"]["message"]
    stored = full.deps.records.get("demo", "lead", lead.id)
    assert (stored.version, stored.model_dump()["status"]) == (lead.version, "warm")


def test_a_read_is_answered_and_the_loss_is_reported(full: World) -> None:
    lost: list[tuple[AishaError, int]] = []
    audit = Audit(audited(full), lambda error, count: lost.append((error, count)))
    full.deps = replace(full.deps, ports=replace(full.deps.ports, audit=audit))
    full.add_lead(first_name="Jack", last_name="Russel")
    audited(full).is_away = True
    turn = full.say("My leads", [ask("search_leads"), ask("search_leads", "again", limit=3)], "Jack Russel.")
    assert turn["toolCalls"][0]["status"] == "executed"
    assert [(error.code, count) for error, count in lost] == [("unavailable", 2)]


def test_a_write_whose_outcome_is_lost_stays_intended(full: World, monkeypatch: pytest.MonkeyPatch) -> None:
    lost: list[int] = []
    log = audited(full)
    audit = Audit(log, lambda _, count: lost.append(count))
    full.deps = replace(full.deps, ports=replace(full.deps.ports, audit=audit))
    lead = full.add_lead(first_name="Jack", last_name="Russel", status="warm")
    write = full.deps.records.write

    def cut_off_after(*arguments: Any) -> Any:
        log.is_away = True
        return write(*arguments)

    monkeypatch.setattr(full.deps.records, "write", cut_off_after)
    turn = full.say("Qualify Jack", [ask("update_lead", lead_id=lead.id, status="qualified")], "Done.")
    assert turn["toolCalls"][0]["status"] == "executed"
    assert lost[0] == 1
    assert recorded(full) == [("update_lead", "intended")]
    log.is_away = False
    page = audit_page(log, "demo", AuditFilter(status="intended"))
    assert [entry.tool for entry in page.items] == ["update_lead"]


# --- the content of entries


SECRETS = {
    "password": "hunter2",
    "API-Key": "k",
    "nested": [{"creditCard": "4111"}, {"name": "SSN", "value": "078"}],
    "fields": ({"field": "api_key", "before": "b", "after": "a"},),
    "salary": 5,
    "lesson": "stays",
}


def test_sensitive_fields_are_left_out_at_any_depth() -> None:
    assert without_sensitive(SECRETS) == {
        "nested": [{}, {"name": "SSN"}],
        "fields": [{"field": "api_key"}],
        "salary": 5,
        "lesson": "stays",
    }
    assert "salary" not in without_sensitive(SECRETS, field_keys(["Sal-Ary"]))


def test_the_tenants_own_sensitive_fields_reach_neither_log_nor_model(full: World) -> None:
    ports = replace(full.deps.ports, sensitive=field_keys(["company", "Street Address"]))
    full.deps = replace(full.deps, ports=ports)
    call = ask("create_lead", first_name="Jack", last_name="Russel", company="Initech", email="j@x.example")
    turn = full.say("Create a lead for Jack Russel of Initech, j@x.example", [call], "Done.")
    stored = full.deps.records.get("demo", "lead", only(full, "executed").entities[0])
    assert stored.model_dump()["company"] == "Initech"
    log = json.dumps([link.body for link in audited(full).links("demo")])
    assert "j@x.example" in log
    assert "Initech" not in log
    prompts = [message.content for message in full.model.requests[-1].messages if message.role == "tool"]
    assert prompts
    assert not any("Initech" in prompt for prompt in prompts)
    (message,) = [message for message in full.messages(turn["conversationId"]) if message.role == "assistant"]
    assert "company" not in message.tool_calls[0].arguments


def test_large_calls_are_recorded_all_the_same() -> None:
    assert fit_arguments({"text": "x" * 5000})["text"].endswith("(5000 characters)")
    huge = {"items": [{"text": f"{number} " + "ü" * 400} for number in range(1000)]}
    cut_arguments = fit_arguments(huge)
    assert cut_arguments["cut"] is True
    assert len(json.dumps(cut_arguments)) < MAX_ARGUMENT_BYTES
    receipts = [
        {
            "action": "created",
            "entity": {"type": "note", "id": f"note_{number}", "name": "n"},
            "after": {"text": "x" * 9000},
        }
        for number in range(100)
    ]
    assert fit_receipts(receipts[:10]) == tuple(receipts[:10])
    cut = fit_receipts(receipts)
    assert [receipt["entity"]["id"] for receipt in cut] == [f"note_{number}" for number in range(100)]
    assert len(json.dumps(cut)) < MAX_RECEIPT_BYTES
    assert len(json.dumps(fit_receipts(receipts * 100))) < MAX_RECEIPT_BYTES


def test_odd_text_is_recorded(full: World) -> None:
    full.say("Odd", [ask("search_leads", name_contains="\ud800 \x00 🎉")], "Done.")
    assert len(recorded(full)) == 1


# --- lists


def listed(log: InMemoryAuditLog, limit: int, **filters: Any) -> list[str]:
    """Return the ids of all pages."""
    ids: list[str] = []
    cursor: str | None = None
    while True:
        page = audit_page(log, "demo", AuditFilter(**filters), limit, cursor)
        ids += [entry.id for entry in page.items]
        assert len(page.items) <= limit
        if (cursor := page.next_cursor) is None:
            return ids


ULID = "01JD3Q9A7C5E3G1J9K7M5N3P"


@pytest.mark.parametrize("limit", [1, 2, 3, 50])
def test_a_call_is_listed_once_over_all_pages(world: World, limit: int) -> None:
    log, now = InMemoryAuditLog(), world.clock.now()

    def entry(number: int, status: Any, intent: int | None = None) -> AuditEntry:
        name = f"audit_{ULID}{number:02}"
        of = f"audit_{ULID}{intent:02}" if intent is not None else None
        return AuditEntry(name, "demo", "alice", "api", "t", status, now + timedelta(seconds=number), intent=of)

    log.append("demo", [entry(0, "intended"), entry(1, "executed"), entry(2, "intended"), entry(3, "intended")])
    log.append("demo", [entry(4, "executed", 3), entry(5, "rejected"), entry(6, "failed", 0), entry(7, "executed")])

    def numbers(**filters: Any) -> list[int]:
        return [int(entry_id[-2:]) for entry_id in listed(log, limit, **filters)]

    assert numbers() == [7, 6, 5, 4, 2, 1]
    assert numbers(status="intended") == [2]
    assert numbers(since=now + timedelta(seconds=5)) == [7, 6, 5]


def test_a_rare_filter_comes_page_by_page(world: World) -> None:
    log, now = InMemoryAuditLog(), world.clock.now()
    for start in range(0, 700, 25):
        entries = [
            AuditEntry(f"audit_{number}", "demo", "bob" if number == 3 else "alice", "api", "t", "executed", now)
            for number in range(start, start + 25)
        ]
        log.append("demo", entries)
    first = audit_page(log, "demo", AuditFilter(user="bob"))
    assert first.items == []
    assert first.next_cursor is not None
    assert listed(log, 5, user="bob") == ["audit_3"]


@pytest.mark.parametrize("cursor", ["", "x", "1.", "-1", "1.short", "1" * 13])
def test_a_cursor_from_elsewhere_is_refused(cursor: str) -> None:
    with pytest.raises(InvalidInputError):
        audit_page(InMemoryAuditLog(), "demo", AuditFilter(), 5, cursor)


def test_a_number_under_a_sensitive_name_is_in_no_line(full: World) -> None:
    call = PRODUCT.create_call("search_leads", {}, make_context(full.principal, full.deps.ports, "op.1"))
    call.execute()
    call.result.value = {"ssn": 123456789, "count": 2}
    assert "123456789" not in shown_to_model(call)
