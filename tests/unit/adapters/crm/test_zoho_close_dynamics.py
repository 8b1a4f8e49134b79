"""Zoho CRM, Close and Dynamics 365 by their documented shapes: pages, links, changes, refusals, limits and sign-in.

The servers here keep records and answer as the vendors' documents say. That a file agrees with the system is shown
only by `make connect-check`.
"""

import json
import re
from collections.abc import Iterator
from datetime import UTC, date, datetime, timedelta
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from aisha.application.connections.sync import dispatch_sync, start_load
from aisha.domain.crm.queries import Create, Delete, RecordQuery, Update
from aisha.domain.crm.records import Account, Activity, Contact, Note, Opportunity, Related
from aisha.domain.crm.team_values import NamedValue
from aisha.domain.errors import InvalidInputError, PermissionDeniedError
from tests.fakes.systems.customer_api import CustomerApi, Reply
from tests.fakes.systems.documented_crms import NEW, NOW, OLD, Close, Dynamics, Row, System, Zoho
from tests.fakes.ticking_clock import TickingClock
from tests.support.tenants.connected import FILES, Connected, Sync


@pytest.fixture(params=[Zoho, Close, Dynamics], ids=lambda one: one.crm)
def system(request: pytest.FixtureRequest) -> System:
    system: System = request.param()
    return system


@pytest.fixture
def crm(system: System, tmp_path: Path) -> Iterator[Connected]:
    with CustomerApi(system.answer) as server:
        text = (FILES / f"{system.crm}.json").read_text(encoding="utf-8")
        text = text.replace("https://login.microsoftonline.com/", f"{server.address}/")
        (tmp_path / f"{system.crm}.json").write_text(text, encoding="utf-8")
        secret = {**system.secret, "accounts_url": server.address} if isinstance(system.secret, dict) else system.secret
        plain = secret if isinstance(secret, str) else json.dumps(secret)
        yield Connected(TickingClock(NOW), server.address, system.crm, plain, folder=tmp_path)


def written(crm: Connected) -> tuple[Account, Opportunity]:
    account = Account(id="account_01JABCDEFGHJKMNPQRSTVWXYZ0", name="ABC", website="abc.example")
    deal = Opportunity(
        name="Renewal", stage="prospecting", amount="1250.50", close_date=date(2026, 6, 1), account_id=account.id,
        owner="alice",
    )  # fmt: skip
    first, second = crm.repository.write("demo", [Create(account), Create(deal)])
    assert isinstance(first.record, Account)
    assert isinstance(second.record, Opportunity)
    return first.record, second.record


DEALS: dict[str, tuple[str, Row]] = {
    "zoho": ("Deals", {"Deal_Name": "Renewal", "Stage": "Qualification", "Amount": 1250.5, "Closing_Date": "2026-06-01",
                       "Account_Name": {"id": "900"}, "Owner": {"id": "7"}}),
    "close": ("opportunity", {"value": 125050, "date_won": "2026-06-01", "lead_id": "lead_0", "user_id": "user_7"}),
    "dynamics": ("opportunities", {"name": "Renewal", "salesstage": 0, "estimatedvalue": 1250.5,
                                   "estimatedclosedate": "2026-06-01", "_parentaccountid_value": "new-0",
                                   "_ownerid_value": "u7"}),
}  # fmt: skip
LEGAL: dict[str, tuple[str, Any]] = {
    "zoho": ("Stage", "Legal review"), "close": ("status_id", "stat_2"), "dynamics": ("salesstage", 2),
}  # fmt: skip


def test_records_are_created_linked_changed_and_deleted(system: System, crm: Connected) -> None:
    account, deal = written(crm)
    kind, expected = DEALS[system.crm]
    [row] = system.rows[kind].values()
    assert row | expected == row
    person = Contact(first_name="Ann", last_name="Lee", email="ann@abc.example", account_id=account.id)
    [ann] = crm.repository.write("demo", [Create(person)])
    about = Related(type="account", id=account.id)
    task = Activity(title="Call Ann", activity_type="task", related=about, due_at=datetime(2026, 3, 5, 9, tzinfo=UTC))
    [call, _] = crm.repository.write("demo", [Create(task), Create(Note(content="Prefers mornings", related=about))])
    crm.repository.write("demo", [Update("opportunity", deal.id, {"amount": 750, "close_date": date(2026, 7, 1)})])
    crm.repository.write("demo", [Update("activity", call.record.id, {"status": "completed"})])
    # The copy is made anew from what the CRM now has.
    fresh = Connected(crm.clock, crm.url, crm.crm, crm_secret(system, crm), folder=crm.folder)
    fresh.load()
    [read] = fresh.local.search("demo", RecordQuery("opportunity")).items
    [firm] = fresh.local.search("demo", RecordQuery("account")).items
    [contact] = fresh.local.search("demo", RecordQuery("contact")).items
    [done] = fresh.local.search("demo", RecordQuery("activity")).items
    [note] = fresh.local.search("demo", RecordQuery("note")).items
    assert isinstance(read, Opportunity)
    assert (read.amount, read.close_date, read.owner, read.account_id) == (
        Decimal(750),
        date(2026, 7, 1),
        "alice",
        firm.id,
    )
    assert isinstance(contact, Contact)
    assert (contact.display_name, contact.email, contact.account_id) == ("Ann Lee", "ann@abc.example", firm.id)
    assert isinstance(done, Activity)
    assert (done.status, done.due_at, done.related.id) == ("completed", datetime(2026, 3, 5, 9, tzinfo=UTC), firm.id)
    assert isinstance(note, Note)
    assert (note.content, note.related.id) == ("Prefers mornings", firm.id)
    crm.repository.write("demo", [Delete("contact", ann.record.id)])
    assert all(not rows for kind, rows in system.rows.items() if kind.lower().startswith("contact"))


def crm_secret(system: System, crm: Connected) -> str:
    return system.secret if isinstance(system.secret, str) else json.dumps({**system.secret, "accounts_url": crm.url})


ACCOUNTS: dict[str, tuple[str, str, str, str, str]] = {
    "zoho": ("Accounts", "id", "Account_Name", "Created_Time", "Modified_Time"),
    "close": ("lead", "id", "name", "date_created", "date_updated"),
    "dynamics": ("accounts", "accountid", "name", "createdon", "modifiedon"),
}


def test_lists_are_read_page_by_page_and_then_what_changed_alone(system: System, crm: Connected) -> None:
    kind, key, name, created, changed = ACCOUNTS[system.crm]
    system.rows[kind] = {
        f"a{n}": {key: f"a{n}", name: f"F{n}", created: OLD, changed: NEW if n == 3 else OLD} for n in range(1, 6)
    }
    assert crm.load() == ["F1", "F2", "F3", "F4", "F5"]
    assert crm.load(datetime(2026, 3, 1, tzinfo=UTC)) == ["F3"]
    system.rows[kind]["a3"][changed] = OLD
    assert crm.load(datetime(2026, 3, 1, tzinfo=UTC)) == []


def test_what_was_deleted_in_the_crm_is_gone_a_day_later_and_no_sooner_than_it_is_certain(
    system: System, crm: Connected
) -> None:
    kind, key, name, created, changed = ACCOUNTS[system.crm]
    system.rows[kind] = {f"a{n}": {key: f"a{n}", name: f"F{n}", created: OLD, changed: OLD} for n in range(1, 6)}
    sync = Sync(crm)
    start_load("demo", sync.deps)
    sync.work()
    assert sync.count("account") == 5
    del system.rows[kind]["a2"]
    for wait in (timedelta(minutes=5), timedelta(days=1)):
        assert sync.count("account") == 5
        crm.clock.advance(wait)  # type: ignore[attr-defined]
        dispatch_sync(sync.deps)
        sync.work()
    assert sorted(one.display_name for one in crm.local.search("demo", RecordQuery("account")).items) == [
        "F1", "F3", "F4", "F5",
    ]  # fmt: skip


def test_a_list_that_was_cut_short_deletes_nothing(system: System, crm: Connected) -> None:
    kind, key, name, created, changed = ACCOUNTS[system.crm]
    rows = {f"a{n}": {key: f"a{n}", name: f"F{n}", created: OLD, changed: OLD} for n in range(1, 6)}
    system.rows[kind] = dict(rows)
    sync = Sync(crm)
    start_load("demo", sync.deps)
    sync.work()
    mirror = crm.mirrors["demo"]
    page = mirror.connector.page
    mirror.connector.page = lambda *place: replace(page(*place), items=[])  # type: ignore[method-assign]
    crm.clock.advance(timedelta(days=2))  # type: ignore[attr-defined]
    dispatch_sync(sync.deps)
    assert sync.work() > 1
    assert sync.count("account") == 5


def test_after_a_pause_longer_than_closes_filter_reaches_its_companies_are_read_whole() -> None:
    system = Close()
    system.rows["lead"] = {"a1": {"id": "a1", "name": "F1", "date_created": OLD, "date_updated": OLD}}
    with CustomerApi(system.answer) as server:
        crm = Connected(TickingClock(NOW), server.address, "close", "api_key")
        assert crm.load(NOW - timedelta(hours=30)) == []
        assert crm.load(NOW - timedelta(days=3)) == ["F1"]


def test_a_deal_moves_to_a_stage_of_the_teams_own_name(system: System, crm: Connected) -> None:
    _, deal = written(crm)
    [legal] = [
        one for one in crm.mirrors["demo"].connector.team_values()["opportunity.stage"] if one.label == "Legal review"
    ]
    crm.repository.write("demo", [Update("opportunity", deal.id, {"stage": NamedValue.of(legal)})])
    [row] = system.rows[DEALS[system.crm][0]].values()
    name, value = LEGAL[system.crm]
    assert row[name] == value


REFUSED: dict[str, tuple[Row, str]] = {
    "zoho": ({"close_date": None}, r"Zoho CRM refused this: required field not found \(close date\)"),
    "close": ({"probability": 95}, r"Close refused this: confidence: Must be at most 90\. \(probability\)"),
    "dynamics": ({"stage": "closed_won"}, r"stage can't be 'closed won' in Dynamics 365 Sales\. A deal is closed in"),
}


def test_a_refusal_names_the_field_and_leaves_no_record(system: System, crm: Connected) -> None:
    change, message = REFUSED[system.crm]
    account, _ = written(crm)
    values = {"name": "Globex", "amount": 900, "close_date": date(2026, 6, 1), "account_id": account.id} | change
    with pytest.raises(InvalidInputError) as caught:
        crm.repository.write("demo", [Create(Opportunity(**values))])
    assert re.search(message, caught.value.message)
    assert len(system.rows[DEALS[system.crm][0]]) == 1
    assert len(crm.local.search("demo", RecordQuery("opportunity")).items) == 1


LIMITED: dict[str, dict[str, str]] = {
    "zoho": {"Retry-After": "3"},
    "close": {"RateLimit": "limit=100, remaining=0, reset=3"},
    "dynamics": {"Retry-After": "3"},
}


def test_a_limit_is_waited_for_as_long_as_the_crm_says(system: System, crm: Connected) -> None:
    system.next = [Reply({"code": "TOO_MANY_REQUESTS"}, 429, LIMITED[system.crm])]
    crm.repository.write("demo", [Create(Account(name="ABC"))])
    assert [round(one) for one in crm.waits if one > 1] == [3]
    assert len(system.rows[ACCOUNTS[system.crm][0]]) == 1


def test_a_wrong_secret_is_told_as_such(system: System, crm: Connected) -> None:
    wrong = "api_wrong" if system.crm == "close" else json.dumps({"client_id": "c"})
    message = {"zoho": "the secret has no accounts_url", "dynamics": "the secret has no tenant_id"}
    other = Connected(crm.clock, crm.url, crm.crm, wrong, folder=crm.folder)
    with pytest.raises(PermissionDeniedError, match=message.get(system.crm, "The API key is invalid")):
        other.mirrors["demo"].connector.users()


def test_a_record_that_would_have_no_company_is_not_sent_to_close() -> None:
    system = Close()
    with CustomerApi(system.answer) as server:
        crm = Connected(TickingClock(NOW), server.address, "close", "api_key")
        with pytest.raises(InvalidInputError, match=r"without its account\. Without one Close would make a company"):
            crm.repository.write("demo", [Create(Contact(first_name="Ann"))])
    assert system.rows == {}


def test_an_address_that_is_one_of_several_in_the_crm_is_not_overwritten() -> None:
    system = Close()
    with CustomerApi(system.answer) as server:
        crm = Connected(TickingClock(NOW), server.address, "close", "api_key")
        account, _ = written(crm)
        [ann] = crm.repository.write(
            "demo", [Create(Contact(first_name="Ann", email="a@x.example", account_id=account.id))]
        )
        [row] = system.rows["contact"].values()
        row["emails"].append({"email": "private@x.example", "type": "home"})
        crm.repository.write("demo", [Update("contact", ann.record.id, {"email": "b@x.example"})])
    assert [one["email"] for one in row["emails"]] == ["a@x.example", "private@x.example"]


def test_a_custom_field_with_a_dot_in_its_name_is_read_and_written() -> None:
    system = Close()
    with CustomerApi(system.answer) as server:
        fields = {"opportunity": {"custom.region": {"at": '"custom.cf_1"'}}}
        crm = Connected(TickingClock(NOW), server.address, "close", "api_key", options={"fields": fields})
        account, _ = written(crm)
        deal = Opportunity(name="Globex", account_id=account.id, amount=Decimal(5), custom={"region": "EMEA"})
        [made] = crm.repository.write("demo", [Create(deal)])
    assert list(system.rows["opportunity"].values())[-1]["custom.cf_1"] == "EMEA"
    assert made.record.custom["region"] == "EMEA"


def test_a_call_that_is_only_read_there_is_not_changed_as_if_it_were_a_task() -> None:
    system = Zoho()
    with CustomerApi(system.answer) as server:
        secret = json.dumps({**Zoho.secret, "accounts_url": server.address})
        crm = Connected(TickingClock(NOW), server.address, "zoho", secret)
        account, _ = written(crm)
        [firm] = system.rows["Accounts"]
        about = {"What_Id": {"id": firm}, "$se_module": "Accounts", "Created_Time": OLD, "Modified_Time": OLD}
        system.rows["Calls"] = {"c1": {"id": "c1", "Subject": "First call", "Call_Start_Time": NEW, **about}}
        crm.load()
        [call] = crm.local.search("demo", RecordQuery("activity")).items
        assert isinstance(call, Activity)
        assert (call.activity_type, call.related.id) == ("call", account.id)
        with pytest.raises(InvalidInputError, match="Zoho CRM: calls and meetings are changed in Zoho CRM itself"):
            crm.repository.write("demo", [Update("activity", call.id, {"title": "Second call"})])
