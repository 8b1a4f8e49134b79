"""Copper, Attio, SuiteCRM and Vtiger by their documented shapes, each connected by its file alone.

The servers here keep records and answer as the vendors' documents say. That a file agrees with the system is shown
only by `make connect-check`.
"""

import json
import re
from collections.abc import Iterator
from datetime import UTC, date, datetime
from decimal import Decimal
from email.utils import format_datetime
from pathlib import Path
from typing import Any

import pytest

from aisha.domain.crm.queries import Create, Delete, RecordQuery, Update
from aisha.domain.crm.records import Account, Activity, Contact, Note, Opportunity, Related
from aisha.domain.errors import InvalidInputError, NotFoundError, PermissionDeniedError
from tests.fakes.systems.copper_attio import STAMP, Attio, Copper
from tests.fakes.systems.customer_api import CustomerApi, Reply
from tests.fakes.systems.documented_crms import NOW, Row, System
from tests.fakes.systems.suitecrm_vtiger import SuiteCrm, Vtiger
from tests.fakes.ticking_clock import TickingClock
from tests.support.tenants.connected import FILES, Connected
from tests.support.tenants.documented import created, move_to_own_stage, only

FRIDAY = datetime(2026, 3, 6, 14, 30, tzinfo=UTC)
OLD = "2026-02-01 08:00:00"


def connected(system: System, address: str, secret: Any = None) -> Connected:
    secret = secret or system.secret
    url = f"{address}/legacy" if system.crm == "suitecrm" else address
    return Connected(TickingClock(NOW), url, system.crm, secret if isinstance(secret, str) else json.dumps(secret))


@pytest.fixture(params=[Copper, Attio, SuiteCrm, Vtiger], ids=lambda one: one.crm)
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


def written(crm: Connected) -> tuple[Account, Opportunity]:
    account = created(crm, Account(name="ABC", website="abc.example", owner="alice"))
    deal = Opportunity(
        name="Renewal", stage="prospecting", amount="1250.50", close_date=date(2026, 6, 1), account_id=account.id,
        owner="alice",
    )  # fmt: skip
    return account, created(crm, deal)


DEALS: dict[str, tuple[str, Row]] = {
    "copper": ("opportunities", {"name": "Renewal", "pipeline_stage_id": 1, "monetary_value": 1250.5, "status": "Open",
                                 "close_date": "6/1/2026", "company_id": 100, "assignee_id": 7}),
    "attio": ("deals", {"values": {
        "name": [{"value": "Renewal"}],
        "stage": [{"status": {"id": {"status_id": "s-Lead"}, "title": "Lead"}}],
        "value": [{"currency_value": 1250.5, "currency_code": "USD"}],
        "associated_company": [{"target_object": "companies", "target_record_id": "companies-0"}],
        "owner": [{"referenced_actor_type": "workspace-member", "referenced_actor_id": "m7"}]}}),
    "suitecrm": ("Opportunities", {"name": "Renewal", "sales_stage": "Prospecting", "amount": "1250.500000",
                                   "date_closed": "2026-06-01", "account_id": "Accounts-0", "assigned_user_id": "u7"}),
    "vtiger": ("Potentials", {"potentialname": "Renewal", "sales_stage": "Prospecting", "amount": "1250.5",
                              "closingdate": "2026-06-01", "related_to": "11x100", "assigned_user_id": "19x7"}),
}  # fmt: skip


def test_records_are_created_linked_changed_and_deleted(system: System, server: CustomerApi, crm: Connected) -> None:
    account, deal = written(crm)
    kind, expected = DEALS[system.crm]
    [row] = system.rows[kind].values()
    assert row | expected == row
    ann = created(crm, Contact(first_name="Ann", last_name="van Lee", email="ann@abc.example", account_id=account.id,
                               owner="alice"))  # fmt: skip
    about = Related(type="account", id=account.id)
    task = created(crm, Activity(title="Send offer", activity_type="task", related=about, due_at=FRIDAY, owner="alice"))
    created(crm, Note(content="Say {name} and {now}", related=about, owner="alice"))
    crm.repository.write("demo", [Update("opportunity", deal.id, {"amount": 750, "stage": "closed_won"})])
    crm.repository.write("demo", [Update("activity", task.id, {"status": "completed"})])
    crm.repository.write("demo", [Update("contact", ann.id, {"last_name": "Novak"})])
    # The copy is made anew from what the CRM now has.
    fresh = connected(system, server.address)
    fresh.load()
    read, firm, contact = only(fresh, "opportunity"), only(fresh, "account"), only(fresh, "contact")
    assert (read.amount, read.stage, read.owner, read.account_id) == (Decimal(750), "closed_won", "alice", firm.id)
    assert read.close_date == (None if system.crm == "attio" else date(2026, 6, 1))
    assert (firm.name, firm.website) == ("ABC", "abc.example")
    assert (contact.display_name, contact.email, contact.account_id) == ("Ann Novak", "ann@abc.example", firm.id)
    done, note = only(fresh, "activity"), only(fresh, "note")
    due_at = FRIDAY.replace(hour=9, minute=0) if system.crm == "vtiger" else FRIDAY
    assert (done.title, done.status, done.due_at, done.related.id) == ("Send offer", "completed", due_at, firm.id)
    assert (note.content, note.related.id) == ("Say {name} and {now}", firm.id)
    crm.repository.write("demo", [Delete("contact", ann.id)])
    fresh = connected(system, server.address)
    fresh.load()
    assert fresh.local.search("demo", RecordQuery("contact")).items == []


ACCOUNTS: dict[str, tuple[str, Any]] = {
    "copper": ("companies", lambda n: {"id": n, "name": f"F{n}", "date_created": 1, "date_modified": STAMP - 10**6}),
    "attio": ("companies", lambda n: {"id": {"record_id": f"c{n}"}, "created_at": "2026-02-01T08:00:00.061281000Z",
                                      "values": {"name": [{"value": f"F{n}"}]}}),
    "suitecrm": ("Accounts", lambda n: {"id": f"a{n}", "name": f"F{n}", "date_entered": OLD, "date_modified": OLD,
                                        "deleted": "0"}),
    "vtiger": ("Accounts", lambda n: {"id": f"11x{n}", "accountname": f"F{n}", "createdtime": OLD,
                                      "modifiedtime": OLD}),
}  # fmt: skip
CHANGED: dict[str, Row] = {
    "copper": {"date_modified": STAMP - 60},
    "suitecrm": {"date_modified": "2026-03-02 08:59:00"},
    "vtiger": {"modifiedtime": "2026-03-02 08:59:00"},
}


def test_lists_are_read_page_by_page_and_then_what_changed_alone(system: System, crm: Connected) -> None:
    kind, row_of = ACCOUNTS[system.crm]
    system.rows[kind] = {f"k{n}": row_of(n) for n in range(1, 502)}
    assert sorted(crm.load()) == sorted(f"F{n}" for n in range(1, 502))
    system.rows[kind]["k3"] |= CHANGED.get(system.crm, {})
    # Attio has no times of changes: its list is read whole.
    assert len(crm.load(datetime(2026, 3, 1, tzinfo=UTC))) == (1 if system.crm in CHANGED else 501)


@pytest.mark.parametrize("system", [Copper, Attio, Vtiger], indirect=True, ids=lambda one: one.crm)
def test_a_deal_moves_to_a_stage_of_the_teams_own_name(system: System, crm: Connected) -> None:
    _, deal = written(crm)
    move_to_own_stage(crm, deal)
    [row] = system.rows[DEALS[system.crm][0]].values()
    assert {"pipeline_stage_id": 2, "status": "Open"}.items() <= row.items() or "Legal review" in json.dumps(row)


REFUSALS: dict[str, Row] = {
    "copper": {"success": False, "status": 422, "message": "the name is too long"},
    "attio": {"status_code": 400, "type": "invalid_request_error", "code": "x", "message": "the name is too long"},
    "suitecrm": {"errors": {"status": 400, "title": None, "detail": "the name is too long"}},
    "vtiger": {"success": False, "error": {"code": "INVALID_VALUE", "message": "the name is too long"}},
}


def test_a_refusal_is_told_in_the_crms_own_words_and_leaves_no_record(system: System, crm: Connected) -> None:
    system.next = [Reply(REFUSALS[system.crm], 200 if system.crm == "vtiger" else 400)]
    with pytest.raises(InvalidInputError, match=r"\w+ refused this: the name is too long"):
        created(crm, Account(name="ABC", owner="alice"))
    assert not system.rows.get(ACCOUNTS[system.crm][0])
    assert crm.local.search("demo", RecordQuery("account")).items == []


@pytest.mark.parametrize(
    ("system", "missing", "message"),
    [(Attio, "owner", "its owner. A deal there needs one."), (Vtiger, "close_date", "its close date. Each deal there")],
    indirect=["system"],
)
def test_a_deal_without_what_the_crm_needs_is_not_sent(
    system: System, crm: Connected, missing: str, message: str
) -> None:
    values = {"name": "Globex", "close_date": date(2026, 6, 1), "owner": "alice"} | {missing: None}
    with pytest.raises(InvalidInputError, match=f"can't store this opportunity without {re.escape(message)}"):
        created(crm, Opportunity(**values))
    assert not system.rows.get(DEALS[system.crm][0])


def test_a_limit_is_waited_for_as_long_as_the_crm_says(system: System, crm: Connected) -> None:
    # Attio says a date, not seconds.
    seconds = format_datetime(datetime.now(UTC).replace(microsecond=0), usegmt=True) if system.crm == "attio" else "3"
    system.next = [Reply({"message": "slower"}, 429, {"Retry-After": seconds})]
    created(crm, Account(name="ABC", owner="alice"))
    assert len(system.rows[ACCOUNTS[system.crm][0]]) == 1
    assert [round(one) for one in crm.waits if one > 1] == ([] if system.crm == "attio" else [3])


WRONG_SECRETS: dict[str, tuple[Any, str]] = {
    "copper": ({"secret": "key"}, r"Copper refused our credentials or rights: the secret has no email\."),
    "attio": ("wrong", "Could not find the access token"),
    "suitecrm": ({"client_id": "c", "client_secret": "s"}, "the secret has no password and no username"),
    "vtiger": ({"username": "alice", "password": "wrong"}, "Authentication failed"),
}


def test_a_wrong_secret_is_told_as_such(system: System, server: CustomerApi) -> None:
    secret, message = WRONG_SECRETS[system.crm]
    with pytest.raises(PermissionDeniedError, match=message):
        connected(system, server.address, secret).mirrors["demo"].connector.users()


def test_a_key_alone_is_answered_with_what_the_secret_needs() -> None:
    with CustomerApi(Copper().answer) as server:
        crm = connected(Copper(), server.address, "key")
        with pytest.raises(
            PermissionDeniedError, match="not the JSON that Copper needs: its members are secret, email"
        ):
            crm.mirrors["demo"].connector.users()


def test_members_of_the_secret_stand_in_one_header_too(tmp_path: Path) -> None:
    file = json.loads((FILES / "copper.json").read_text(encoding="utf-8"))
    auth = {"type": "api_key", "name": "Authorization", "value": "Token token={secret}, email={email}"}
    file["client"] = {"base_url": "{url}", "auth": auth}
    (tmp_path / "copper.json").write_text(json.dumps(file), encoding="utf-8")
    with CustomerApi(Reply([])) as server:
        crm = Connected(TickingClock(NOW), server.address, "copper", json.dumps(Copper.secret), folder=tmp_path)
        assert crm.mirrors["demo"].connector.users() == []
    assert server.requests[0].headers["authorization"] == "Token token=key, email=alice@demo.example"


def test_a_record_that_a_colleague_deleted_is_gone(system: System, crm: Connected) -> None:
    _, deal = written(crm)
    rows = system.rows[DEALS[system.crm][0]]
    [key] = rows
    if system.crm == "suitecrm":
        rows[key]["deleted"] = "1"
    else:
        del rows[key]
    with pytest.raises(NotFoundError, match="Renewal was deleted in "):
        crm.repository.write("demo", [Update("opportunity", deal.id, {"amount": 5})])


def test_a_deal_that_was_abandoned_counts_as_lost_and_is_opened_again_by_a_stage() -> None:
    system = Copper()
    with CustomerApi(system.answer) as server:
        crm = connected(system, server.address)
        _, deal = written(crm)
        [row] = system.rows["opportunities"].values()
        row["status"] = "Abandoned"
        crm.load()
        assert only(crm, "opportunity").stage == "closed_lost"
        crm.repository.write("demo", [Update("opportunity", deal.id, {"stage": "prospecting"})])
    assert (row["status"], row["pipeline_stage_id"]) == ("Open", 1)


def test_a_name_of_one_word_is_written_whole_to_attio() -> None:
    system = Attio()
    with CustomerApi(system.answer) as server:
        ann = created(connected(system, server.address), Contact(first_name="Ann"))
    [row] = system.rows["people"].values()
    assert row["values"]["name"] == [{"first_name": "Ann", "last_name": "", "full_name": "Ann"}]
    assert ann.first_name == "Ann"


def test_an_address_of_another_kind_stays_beside_the_one_that_is_written() -> None:
    system = Copper()
    with CustomerApi(system.answer) as server:
        crm = connected(system, server.address)
        ann = created(crm, Contact(first_name="Ann", last_name="Lee", email="a@x.example"))
        [row] = system.rows["people"].values()
        row["emails"].append({"email": "private@x.example", "category": "personal"})
        crm.load()
        crm.repository.write("demo", [Update("contact", ann.id, {"email": "b@x.example"})])
    assert [one["email"] for one in row["emails"]] == ["b@x.example", "private@x.example"]


def test_a_call_has_its_day_and_its_time_of_day_apart_in_vtiger() -> None:
    system = Vtiger()
    with CustomerApi(system.answer) as server:
        crm = connected(system, server.address)
        account, _ = written(crm)
        about = Related(type="account", id=account.id)
        created(crm, Activity(title="Call", activity_type="call", related=about, due_at=FRIDAY, owner="alice"))
        [row] = system.rows["Events"].values()
        assert (row["date_start"], row["time_start"], row["due_date"]) == ("2026-03-06", "14:30:00", "2026-03-06")
        row.update(time_start="8:05", modifiedtime="2026-03-02 09:00:00")
        crm.load()
    call = only(crm, "activity")
    assert (call.activity_type, call.due_at) == ("call", FRIDAY.replace(hour=8, minute=5))


def test_a_time_that_suitecrm_shows_in_another_form_than_it_takes_is_read_back() -> None:
    system = SuiteCrm()
    with CustomerApi(system.answer) as server:
        crm = connected(system, server.address)
        account, _ = written(crm)
        about = Related(type="account", id=account.id)
        call = created(crm, Activity(title="Call", activity_type="call", related=about, due_at=FRIDAY, owner="alice"))
    [row] = system.rows["Calls"].values()
    assert row["date_start"] == "2026-03-06 14:30:00"
    assert (call.due_at, call.activity_type) == (FRIDAY, "call")


def test_what_the_crm_sets_by_itself_or_what_follows_is_not_named_as_kept_here_alone() -> None:
    for system in (Copper(), Attio()):
        with CustomerApi(system.answer) as server:
            crm = connected(system, server.address)
            account, deal = written(crm)
            about = Related(type="account", id=account.id)
            [note] = crm.repository.write("demo", [Create(Note(content="Hello", related=about, owner="alice"))])
            person = Contact(last_name="Lee", company="ABC", account_id=account.id, department="Sales")
            [ann] = crm.repository.write("demo", [Create(person)])
            won: dict[str, Any] = {"stage": "closed_won", "probability": 100}
            [closed] = crm.repository.write("demo", [Update("opportunity", deal.id, won)])
            [sure] = crm.repository.write("demo", [Update("opportunity", deal.id, {"probability": 70})])
        # Copper has the owner of a note by itself; Attio has neither an owner of notes nor a probability.
        assert note.only_here == (() if system.crm == "copper" else ("owner",))
        assert ann.only_here == ("department",)
        assert closed.only_here == ()
        assert sure.only_here == (() if system.crm == "copper" else ("probability",))
