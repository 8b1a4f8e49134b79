"""Frappe CRM and Bitrix24 by their source and documentation, each connected by its file alone."""

import base64
import hashlib
import hmac
import json
from collections.abc import Iterator
from datetime import UTC, date, datetime, timedelta
from decimal import Decimal
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

import pytest

from aisha.domain.crm.queries import Delete, RecordQuery, Update
from aisha.domain.crm.records import Account, Activity, Contact, Lead, Note, Opportunity, Related
from aisha.domain.errors import (
    ConflictError,
    InvalidInputError,
    NotFoundError,
    PermissionDeniedError,
    UnauthenticatedError,
)
from infra.admin.connect import check
from tests.fakes.systems.customer_api import CustomerApi, Reply
from tests.fakes.systems.documented_crms import NOW, Row, System
from tests.fakes.systems.frappe_bitrix24 import OLD_BITRIX, Bitrix24, Frappe
from tests.fakes.ticking_clock import TickingClock
from tests.support.tenants.connected import FILES, Connected, OneSecret, VirtualTime
from tests.support.tenants.documented import created, move_to_own_stage, only, webhook_refs, wrote

FRIDAY = datetime(2026, 3, 6, 14, 30, tzinfo=UTC)
FIRM = "Ä & B's (Holding) Ltd."


def connected(system: System, address: str, secret: Any = None, folder: Path = FILES) -> Connected:
    options = {"time_zone": system.time_zone}  # type: ignore[attr-defined]
    return Connected(
        TickingClock(NOW), address, system.crm, str(secret or system.secret), options=options, folder=folder
    )


@pytest.fixture(params=[Frappe, Bitrix24], ids=lambda one: one.crm)
def system(request: pytest.FixtureRequest) -> System:
    system: System = request.param()
    return system


@pytest.fixture
def server(system: System) -> Iterator[CustomerApi]:
    with CustomerApi(system.answer) as server:
        yield server


@pytest.fixture
def crm(system: System, server: CustomerApi) -> Connected:
    return connected(system, server.address)


def firm_and_deal(crm: Connected) -> tuple[Account, Opportunity]:
    account = created(crm, Account(name=FIRM, website="ab.example"))
    stage = "qualification" if crm.crm == "frappe" else "prospecting"
    deal = Opportunity(
        name=FIRM, stage=stage, amount="1250.50", close_date=date(2026, 6, 1), account_id=account.id, owner="alice",
        currency="EUR",
    )  # fmt: skip
    return account, created(crm, deal)


DEALS: dict[str, tuple[str, Row]] = {
    "frappe": ("CRM Deal", {"organization": FIRM, "status": "Qualification", "deal_value": 1250.5, "currency": "EUR",
                            "expected_closure_date": "2026-06-01", "deal_owner": "alice@demo.example"}),
    "bitrix24": ("deal", {"TITLE": FIRM, "STAGE_ID": "NEW", "OPPORTUNITY": "1250.5", "CURRENCY_ID": "EUR",
                          "CLOSEDATE": "2026-06-01", "COMPANY_ID": "100", "ASSIGNED_BY_ID": "7"}),
}  # fmt: skip


def test_records_are_created_linked_changed_and_deleted(system: System, server: CustomerApi, crm: Connected) -> None:
    account, deal = firm_and_deal(crm)
    kind, expected = DEALS[system.crm]
    [row] = system.rows[kind].values()
    assert row | expected == row
    ann = created(crm, Contact(first_name="Ann", last_name="Lee", email="ann@ab.example", account_id=account.id))
    lead = created(crm, Lead(first_name="Petra", last_name="Novak", company="Orbit Labs", email="p@orbit.example"))
    about = Related(type="opportunity", id=deal.id)
    task = created(crm, Activity(title="Send offer", activity_type="task", related=about, due_at=FRIDAY, owner="alice"))
    created(crm, Note(content="Say {name} & <now>", related=about))
    crm.repository.write("demo", [Update("opportunity", deal.id, {"amount": 750, "stage": "closed_won"})])
    crm.repository.write("demo", [Update("activity", task.id, {"status": "completed"})])
    crm.repository.write("demo", [Update("contact", ann.id, {"last_name": "Novak"})])
    # The copy is made anew from what the CRM now has.
    fresh = connected(system, server.address)
    fresh.load()
    read, firm, contact = only(fresh, "opportunity"), only(fresh, "account"), only(fresh, "contact")
    assert (read.name, read.amount, read.stage, read.owner) == (FIRM, Decimal(750), "closed_won", "alice")
    assert (read.close_date, read.currency, read.account_id) == (date(2026, 6, 1), "EUR", firm.id)
    assert (firm.name, firm.website) == (FIRM, "ab.example")
    assert (contact.display_name, contact.email, contact.account_id) == ("Ann Novak", "ann@ab.example", firm.id)
    petra = only(fresh, "lead")
    assert (petra.display_name, petra.company, petra.email, petra.status) == (
        "Petra Novak", "Orbit Labs", "p@orbit.example", "new",
    )  # fmt: skip
    done, note = only(fresh, "activity"), only(fresh, "note")
    assert (done.title, done.status, done.due_at, done.owner, done.related.id) == (
        "Send offer", "completed", FRIDAY, "alice", read.id,
    )  # fmt: skip
    assert (note.content, note.related.id) == ("Say {name} & <now>", read.id)
    crm.repository.write("demo", [Delete("lead", lead.id)])
    fresh = connected(system, server.address)
    fresh.load()
    assert fresh.local.search("demo", RecordQuery("lead")).items == []


ACCOUNTS: dict[str, tuple[str, Any]] = {
    "frappe": ("CRM Organization", lambda n: {
        "name": f"F {n}", "organization_name": f"F {n}", "creation": "2026-02-01 08:00:00.5",
        "modified": "2026-02-01 08:00:00"}),
    "bitrix24": ("company", lambda n: {"ID": str(n), "TITLE": f"F {n}", **OLD_BITRIX}),
}  # fmt: skip


def test_lists_are_read_page_by_page_and_then_what_changed_alone(system: System, crm: Connected) -> None:
    kind, row_of = ACCOUNTS[system.crm]
    rows = [row_of(n) for n in range(1, 402)]
    system.rows[kind] = {row.get("name") or row["ID"]: row for row in rows}
    assert sorted(crm.load()) == sorted(f"F {n}" for n in range(1, 402))
    # One hour before now, by each CRM's own clock.
    rows[2] |= (
        {"modified": "2026-03-02 13:30:00"} if system.crm == "frappe" else {"DATE_MODIFY": "2026-03-02T11:00:00+03:00"}
    )
    assert crm.load(NOW - timedelta(hours=2)) == ["F 3"]
    assert crm.load(NOW - timedelta(minutes=30)) == []


def test_a_deal_moves_to_a_stage_of_the_teams_own_name(system: System, crm: Connected) -> None:
    _, deal = firm_and_deal(crm)
    move_to_own_stage(crm, deal)
    [row] = system.rows[DEALS[system.crm][0]].values()
    assert row.get("status") == "Legal review" or row.get("STAGE_ID") == "UC_LEGAL"


REFUSALS: dict[str, tuple[Row, int]] = {
    "frappe": ({"exception": "frappe.exceptions.ValidationError: the name: too long", "exc_type": "ValidationError"},
               417),
    "bitrix24": ({"error": "", "error_description": "the name: too long"}, 400),
}  # fmt: skip


def test_a_refusal_is_told_in_the_crms_own_words_and_leaves_no_record(system: System, crm: Connected) -> None:
    system.next = [Reply(*REFUSALS[system.crm])]
    with pytest.raises(InvalidInputError, match="refused this: the name: too long"):
        created(crm, Account(name="ABC"))
    assert not system.rows.get(ACCOUNTS[system.crm][0])


def test_owners_are_found_by_their_address(system: System, crm: Connected) -> None:
    firm_and_deal(crm)
    assert only(crm, "opportunity").owner == "alice"


def test_a_wrong_key_is_told_without_repeating_it(system: System, server: CustomerApi) -> None:
    wrong = "1/9999999999" if system.crm == "bitrix24" else "key:wrong"
    mirror = connected(system, server.address, wrong).mirrors["demo"]
    with pytest.raises(PermissionDeniedError, match="refused our credentials or rights") as caught:
        mirror.connector.page(next(iter(mirror.connector.resources)))
    assert wrong not in str(caught.value)


def test_a_record_that_a_colleague_deleted_is_gone(system: System, crm: Connected) -> None:
    _, deal = firm_and_deal(crm)
    system.rows[DEALS[system.crm][0]].clear()
    with pytest.raises(NotFoundError, match="was deleted in "):
        crm.repository.write("demo", [Update("opportunity", deal.id, {"amount": 5})])


def test_a_check_finds_nothing_that_an_update_would_write_in_another_form(
    system: System, server: CustomerApi, crm: Connected
) -> None:
    _, deal = firm_and_deal(crm)
    about = Related(type="opportunity", id=deal.id)
    created(crm, Contact(first_name="Ann", last_name="Lee", email="ann@ab.example"))
    created(crm, Activity(title="Send offer", activity_type="task", related=about, due_at=FRIDAY))
    connection = {"id": "conn_of_the_check", "crm": system.crm, "url": server.address, "secret": "X"}
    connection |= {"time_zone": system.time_zone}  # type: ignore[attr-defined]
    time = VirtualTime([])
    lines = check(connection, OneSecret(str(system.secret)), allow_private=True, clock=time.now, sleep=time.sleep)
    assert [line for line in lines if "FAILED" in line or "would be written" in line] == []


# --- what one of them alone has


@pytest.fixture
def frappe() -> Iterator[tuple[Frappe, Connected]]:
    system = Frappe()
    with CustomerApi(system.answer) as server:
        yield system, connected(system, server.address)


@pytest.fixture
def bitrix() -> Iterator[tuple[Bitrix24, Connected]]:
    system = Bitrix24()
    with CustomerApi(system.answer) as server:
        yield system, connected(system, server.address)


def test_a_change_in_the_last_moment_is_refused_by_the_version(frappe: tuple[Frappe, Connected]) -> None:
    system, crm = frappe
    _, deal = firm_and_deal(crm)
    [row] = system.rows["CRM Deal"].values()
    served, reads = system.served, 0

    def changed_after_the_first_look(request: Any, path: str, query: dict[str, str]) -> Reply:
        nonlocal reads
        reply = served(request, path, query)
        if request.method == "GET" and "/CRM Deal/" in path:
            reads += 1
            if reads == 1:
                reply = Reply(json.loads(reply.content))
                row.update(next_step="Call Ann", modified=system.stamp())
        return reply

    system.served = changed_after_the_first_look  # type: ignore[method-assign]
    with pytest.raises(ConflictError, match="changed in Frappe CRM meanwhile"):
        crm.repository.write("demo", [Update("opportunity", deal.id, {"amount": 5})])
    assert (row["deal_value"], row["next_step"]) == (1250.5, "Call Ann")


def test_times_of_the_sites_zone_are_read_and_written_in_it(frappe: tuple[Frappe, Connected]) -> None:
    system, crm = frappe
    _, deal = firm_and_deal(crm)
    created(
        crm,
        Activity(title="Call", activity_type="task", related=Related(type="opportunity", id=deal.id), due_at=FRIDAY),
    )
    [task] = system.rows["CRM Task"].values()
    assert task["due_date"] == "2026-03-06 20:00:00"
    assert abs(only(crm, "activity").created_at - NOW) < timedelta(seconds=1)


def test_a_name_that_the_crm_has_no_place_for_is_told(frappe: tuple[Frappe, Connected]) -> None:
    _, crm = frappe
    account, _ = firm_and_deal(crm)
    deal = Opportunity(name="Spring renewal", stage="qualification", account_id=account.id)
    assert "name" in wrote(crm, deal).only_here


def test_a_missing_field_is_named(frappe: tuple[Frappe, Connected]) -> None:
    system, crm = frappe
    firm_and_deal(crm)
    system.next = [Reply({"exception": "frappe.exceptions.MandatoryError: [CRM Deal, ]: expected_closure_date",
                          "exc_type": "MandatoryError"}, 417)]  # fmt: skip
    with pytest.raises(InvalidInputError) as caught:
        created(crm, Opportunity(name="A", stage="qualification"))
    assert caught.value.pointer == "/close_date"


def test_another_number_stays_beside_the_one_that_is_changed(bitrix: tuple[Bitrix24, Connected]) -> None:
    system, crm = bitrix
    ann = created(crm, Contact(first_name="Ann", last_name="Lee", phone="+1 555 0100"))
    [row] = system.rows["contact"].values()
    row["PHONE"].append({"ID": "900", "TYPE_ID": "PHONE", "VALUE_TYPE": "MOBILE", "VALUE": "+1 555 0111"})
    crm.repository.write("demo", [Update("contact", ann.id, {"phone": "+1 555 0199"})])
    assert [(one["VALUE_TYPE"], one["VALUE"]) for one in row["PHONE"]] == [
        ("WORK", "+1 555 0199"), ("MOBILE", "+1 555 0111"),
    ]  # fmt: skip


def test_what_a_create_can_not_send_is_told(bitrix: tuple[Bitrix24, Connected]) -> None:
    system, crm = bitrix
    _, deal = firm_and_deal(crm)
    about = Related(type="opportunity", id=deal.id)
    call = Activity(
        title="Call", activity_type="task", related=about, due_at=FRIDAY, priority="high", status="completed"
    )
    assert {"priority", "status"} <= set(wrote(crm, call).only_here)
    [row] = system.rows["activity"].values()
    assert (row["COMPLETED"], row["PRIORITY"]) == ("N", "2")
    with pytest.raises(InvalidInputError, match="without its due at\\. a to-do there has a deadline"):
        created(crm, Activity(title="Some day", activity_type="task", related=about))


def test_a_deal_stays_within_its_pipeline(bitrix: tuple[Bitrix24, Connected]) -> None:
    system, crm = bitrix
    _, deal = firm_and_deal(crm)
    [row] = system.rows["deal"].values()
    row |= {"CATEGORY_ID": "5", "STAGE_ID": "C5:NEW"}
    crm.load()
    crm.repository.write("demo", [Update("opportunity", deal.id, {"stage": "closed_won"})])
    assert row["STAGE_ID"] == "C5:WON"


def test_a_limit_with_another_status_is_waited_for(bitrix: tuple[Bitrix24, Connected]) -> None:
    system, crm = bitrix
    served, limits = system.served, [Reply({"error": "QUERY_LIMIT_EXCEEDED"}, 503)]
    system.served = lambda *given: limits.pop() if limits else served(*given)  # type: ignore[method-assign]
    created(crm, Account(name="ABC"))
    assert len(system.rows["company"]) == 1


# --- webhooks


def test_a_webhook_names_a_record_whose_id_is_a_name() -> None:
    body = json.dumps({"doctype": "CRM Organization", "name": FIRM}).encode()
    signature = base64.b64encode(hmac.new(b"hook", body, hashlib.sha256).digest()).decode()
    assert webhook_refs("frappe", body, {"x-frappe-webhook-signature": signature}) == [f"organizations/{FIRM}"]
    with pytest.raises(UnauthenticatedError, match="signature is wrong"):
        webhook_refs("frappe", body.replace(b"B", b"C"), {"x-frappe-webhook-signature": signature})


@pytest.mark.parametrize("token", ["hook", "guessed", None])
def test_a_webhook_that_is_a_form_has_its_token_in_the_body(token: str | None) -> None:
    fields = {"event": "ONCRMDEALUPDATE", "data[FIELDS][ID]": "759"}
    body = urlencode(fields | ({"auth[application_token]": token} if token else {})).encode()
    headers = {"content-type": "application/x-www-form-urlencoded; charset=UTF-8"}
    if token == "hook":
        assert webhook_refs("bitrix24", body, headers) == ["deals/759"]
        return
    with pytest.raises(UnauthenticatedError, match="has not the connection's token"):
        webhook_refs("bitrix24", body, headers)


@pytest.mark.parametrize("body", [b"", b"[]", b"not JSON", b'{"event": 7}', b"\xff\xfe"])
def test_a_webhook_without_what_the_file_says_is_refused(body: bytes) -> None:
    for headers in ({}, {"content-type": "application/x-www-form-urlencoded"}):
        with pytest.raises(UnauthenticatedError):
            webhook_refs("bitrix24", body, headers)


# --- ids


def test_an_id_with_a_quote_is_none_where_a_query_has_ids(tmp_path: Path) -> None:
    file = json.loads((FILES / "frappe.json").read_text(encoding="utf-8"))
    organizations = file["resources"][0]
    organizations["get"] = {"path": "/query", "params": {"q": "name = '{id}'"}, "data_selector": "data"}
    (tmp_path / "frappe.json").write_text(json.dumps(file), encoding="utf-8")
    system = Frappe()
    row = {"organization_name": "A", "creation": "2026-02-01 08:00:00", "modified": "2026-02-01 08:00:00"}
    system.rows["CRM Organization"] = {"A": row | {"name": "A"}, "B": row | {"name": "B' or 'A' = 'A"}}
    with CustomerApi(system.answer) as server:
        connector = connected(system, server.address, folder=tmp_path).mirrors["demo"].connector
        page = connector.page("organizations")
        assert [one.ref for one in page.items] == ["organizations/A"]
        assert "can't be an id" in page.skipped[0]
        assert connector.get("organizations/B' or 'A' = 'A") is None
    assert not [one for one in server.requests if "/query" in one.path]


@pytest.mark.parametrize("native_id", ["..", "a/../b", " ", "a\x00b"])
def test_an_id_that_leads_elsewhere_is_none(frappe: tuple[Frappe, Connected], native_id: str) -> None:
    assert frappe[1].mirrors["demo"].connector.get(f"organizations/{native_id}") is None
