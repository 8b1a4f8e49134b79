"""Three CRMs with unusual habits, each connected by a file that was written from docs/mapping-files.md alone.

Depot: values in lists, numbers as ids, cursors in a header, lists by POST, updates that replace the record, soft
deletes, custom fields as keys and values, relations by address, the key in the query. Relay: JSON:API with a login,
versions, `Link` headers, owners by e-mail or team, stages by pipeline. Ledger: refresh tokens that are replaced, forms,
status 207, pages with gaps, other ids in lists, amounts and times as people write them.
"""

import json
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from datetime import date, timedelta
from decimal import Decimal
from pathlib import Path
from threading import Event
from typing import Any

import pytest

from aisha.application.connections.sync import dispatch_sync, start_load
from aisha.domain.crm.queries import Create, Delete, RecordQuery, Update
from aisha.domain.crm.records import Account, Opportunity
from aisha.domain.crm.team_values import NamedValue
from aisha.domain.errors import (
    ConflictError,
    InvalidInputError,
    PermissionDeniedError,
    UnavailableError,
    WriteUndecidedError,
)
from infra.admin.connect import check
from tests.fakes.systems.customer_api import CustomerApi, Reply, Request
from tests.fakes.systems.unusual_crms import NOW, Depot, Ledger, Odd, Relay, Row, epoch_ms
from tests.support.tenants.connected import Connected, Sync


@pytest.fixture(params=[Depot, Relay, Ledger], ids=lambda one: one.name)
def odd(request: pytest.FixtureRequest) -> Odd:
    written: Odd = request.param()
    return written


def connected(odd: Odd, url: str, folder: Path, secret: Any = None) -> Connected:
    (folder / f"{odd.name}.json").write_text(json.dumps(odd.file), encoding="utf-8")
    secret = secret or odd.secret
    return Connected(odd.clock, url, odd.name, secret if isinstance(secret, str) else json.dumps(secret), folder=folder)


@pytest.fixture
def crm(odd: Odd, tmp_path: Path) -> Iterator[Connected]:
    with CustomerApi(odd.answer) as server:
        yield connected(odd, server.address, tmp_path)


def checked(odd: Odd, crm: Connected, monkeypatch: pytest.MonkeyPatch) -> str:
    """Return what `make connect-check` says."""
    monkeypatch.setattr("infra.admin.connect.crm_files", lambda _: crm.folder)
    connection = {"id": "conn_test_0001", "crm": odd.name, "url": crm.url, "secret": "token"}
    return "\n".join(check(connection, crm.store, allow_private=True))


def test_records_are_written_read_changed_and_deleted(
    odd: Odd, crm: Connected, monkeypatch: pytest.MonkeyPatch
) -> None:
    owner = None if odd.name == "relay" else "alice"
    account = Account(id="account_01JABCDEFGHJKMNPQRSTVWXYZ0", name="ABC", owner=owner)
    deal = Opportunity(name="Roof", stage="proposal", amount="1250.50", close_date=date(2026, 6, 1),
                       account_id=account.id)  # fmt: skip
    [firm, roof] = crm.repository.write("demo", [Create(account), Create(deal)])
    assert isinstance(firm.record, Account) and isinstance(roof.record, Opportunity)
    assert (firm.record.owner, roof.record.amount) == (owner, Decimal("1250.50"))
    [won] = crm.repository.write("demo", [Update("opportunity", roof.record.id, {"stage": "closed_won"})])
    assert isinstance(won.record, Opportunity)
    assert (won.record.name, won.record.stage, won.record.amount) == ("Roof", "closed_won", Decimal("1250.50"))
    for n in range(4):
        crm.repository.write("demo", [Create(Account(name=f"F{n}"))])
    assert crm.load() == ["ABC", "F0", "F1", "F2", "F3", "Roof"]
    assert "FAILED" not in checked(odd, crm, monkeypatch)
    crm.repository.write("demo", [Delete("opportunity", roof.record.id)])
    assert crm.local.search("demo", RecordQuery("opportunity")).items == []
    assert [row for row in odd.rows["deals"].values() if row.get("Removed") != [True]] == []


def test_its_own_message_names_the_field_and_a_limit_without_a_time_is_waited_for(odd: Odd, crm: Connected) -> None:
    odd.next = [Reply({}, 429)]
    crm.repository.write("demo", [Create(Account(name="ABC"))])
    assert len(odd.rows["firms"]) == 1 and crm.waits
    message, amount = (r"No value \(amount\)", 0) if odd.name == "relay" else (r"Too long \(name\)", 1)
    with pytest.raises(InvalidInputError, match=message):
        crm.repository.write(
            "demo", [Create(Opportunity(name="A name that is too long", stage="proposal", amount=amount))]
        )
    assert odd.rows["deals"] == {}


def test_an_update_that_replaces_the_record_keeps_what_aisha_does_not_know(tmp_path: Path) -> None:
    depot = Depot()
    with CustomerApi(depot.answer) as server:
        crm = connected(depot, server.address, tmp_path)
        [written] = crm.repository.write("demo", [Create(Account(name="ABC", custom={"region": "North", "tier": "A"}))])
        [row] = depot.rows["firms"].values()
        assert row["Extra"] == [{"key": "region", "value": "North"}, {"key": "tier", "value": "A"}]
        row["Extra"].append({"key": "credit", "value": "5000"})
        row["Revenue"] = ["7000", "6000"]
        crm.mirrors["demo"].store(crm.mirrors["demo"].connector.page("firms").items, crm.clock.now())
        crm.repository.write(
            "demo", [Update("account", written.record.id, {"custom": {"region": "South", "tier": "A"}})]
        )
    [row] = depot.rows["firms"].values()
    assert {one["key"]: one["value"] for one in row["Extra"]} == {"region": "South", "tier": "A", "credit": "5000"}
    assert (row["Name"], row["Revenue"]) == (["ABC"], ["7000", "6000"])


def test_a_record_that_the_changes_call_deleted_is_gone_at_the_next_reading(tmp_path: Path) -> None:
    depot = Depot()
    with CustomerApi(depot.answer) as server:
        sync = Sync(connected(depot, server.address, tmp_path))
        sync.crm.repository.write("demo", [Create(Account(name="ABC"))])
        start_load("demo", sync.deps)
        sync.work()
        assert sync.count("account") == 1
        depot.rows["firms"]["11"] |= {"Removed": [True], "Changed": f"/Date({epoch_ms(depot.clock.now())}+0000)/"}
        dispatch_sync(sync.deps)
        sync.work()
        assert sync.count("account") == 0


def test_changes_are_asked_for_in_the_crms_own_form_of_times(tmp_path: Path) -> None:
    relay = Relay()
    with CustomerApi(relay.answer) as server:
        crm = connected(relay, server.address, tmp_path)
        crm.repository.write("demo", [Create(Account(name="Old"))])
        relay.rows["firms"]["11"]["attributes"]["changed"] = "01.01.2026 08:00:00"
        crm.repository.write("demo", [Create(Account(name="New"))])
        assert crm.load(NOW - timedelta(days=1)) == ["New"]


def test_a_deal_moves_within_its_own_pipeline_alone(tmp_path: Path) -> None:
    relay = Relay()
    with CustomerApi(relay.answer) as server:
        crm = connected(relay, server.address, tmp_path)
        [written] = crm.repository.write("demo", [Create(Opportunity(name="Roof", stage="proposal", amount=5))])
        attributes = relay.rows["deals"]["11"]["attributes"]
        attributes |= {"pipeline": "r", "stage": "r1"}
        crm.load()
        crm.repository.write("demo", [Update("opportunity", written.record.id, {"stage": "closed_won"})])
        assert attributes["stage"] == "r9"
        stages = {one.label: one for one in crm.mirrors["demo"].connector.team_values()["opportunity.stage"]}
        change = Update("opportunity", written.record.id, {"stage": NamedValue.of(stages["Renewal review"])})
        crm.repository.write("demo", [change])
        assert attributes["stage"] == "r2"
        other = Update("opportunity", written.record.id, {"stage": NamedValue.of(stages["New business review"])})
        with pytest.raises(InvalidInputError) as caught:
            crm.repository.write("demo", [other])
        assert caught.value.message == "stage can't be 'New business review' for this record in Relay."
        assert attributes["stage"] == "r2"


def test_an_owner_is_a_user_by_e_mail_or_a_team(tmp_path: Path) -> None:
    relay = Relay()
    with CustomerApi(relay.answer) as server:
        crm = connected(relay, server.address, tmp_path)
        [written] = crm.repository.write(
            "demo", [Create(Opportunity(name="Roof", stage="proposal", amount=5, owner="alice"))]
        )
        attributes = relay.rows["deals"]["11"]["attributes"]
        assert (written.record.owner, attributes["owner"]) == ("alice", {"kind": "user", "mail": "alice@demo.example"})
        attributes["owner"] = {"kind": "team", "team": "North"}
        crm.load()
        [deal] = crm.local.search("demo", RecordQuery("opportunity")).items
    assert (deal.owner, deal.custom["team"]) == (None, "North")


def test_a_change_between_reading_and_writing_is_refused_by_its_version(tmp_path: Path) -> None:
    relay = Relay()
    with CustomerApi(relay.answer) as server:
        crm = connected(relay, server.address, tmp_path)
        [written] = crm.repository.write("demo", [Create(Account(name="ABC"))])
        relay.next = [Reply({"errors": [{"detail": "Another version"}]}, 412)]
        with pytest.raises(ConflictError, match="Another version"):
            crm.repository.write("demo", [Update("account", written.record.id, {"industry": "Steel"})])
        crm.repository.write("demo", [Update("account", written.record.id, {"industry": "Steel"})])
    assert relay.rows["firms"]["11"]["attributes"]["branch"] == "Steel"


def test_rows_that_a_crm_leaves_out_of_pages_end_no_list(tmp_path: Path) -> None:
    ledger = Ledger()
    born = {"born": "20260302-090000", "agent": "al"}
    ledger.rows["firms"] = {
        f"f:{n}": {"id": f"f:{n}", "title": title, **born} for n, title in enumerate(["Hidden", "A", "B", "C", "D"])
    }
    with CustomerApi(ledger.answer) as server:
        crm = connected(ledger, server.address, tmp_path)
        assert crm.load() == ["A", "B", "C", "D"]


def test_a_refresh_token_is_replaced_in_the_secret_and_shared_by_processes(tmp_path: Path) -> None:
    ledger = Ledger()
    with CustomerApi(ledger.answer) as server:
        crm = connected(ledger, server.address, tmp_path)
        store = crm.store
        crm.repository.write("demo", [Create(Account(name="ABC"))])
        assert json.loads(store.value) | {"refresh_token": "r1", "client_id": "c"} == json.loads(store.value)
        # Another process begins with what is stored: the first one's access token.
        other = connected(ledger, server.address, tmp_path, json.loads(store.value))
        assert other.load() == ["ABC"]
        assert ledger.tokens == 1
        # The CRM ends the access token: it is renewed with the token that is stored.
        ledger.access = "ended"
        assert other.load() == ["ABC"]
        assert (ledger.tokens, ledger.refresh) == (2, "r2")


def test_two_processes_that_renew_at_once_use_each_refresh_token_once(tmp_path: Path) -> None:
    ledger, other_is_there = Ledger(), Event()

    def answer(request: Request) -> Reply:
        if request.path.endswith("/token"):
            # Until the other process waits for the lock, or, without one, has sent its own request.
            if ledger.asked:
                other_is_there.set()
            ledger.asked += 1
            assert other_is_there.wait(10)
        return ledger.answer(request)

    with CustomerApi(answer) as server:
        crm = connected(ledger, server.address, tmp_path)
        crm.locks.sleep = lambda _: other_is_there.set()
        one, other = crm.mirrors["demo"], crm.mirror("demo")
        with ThreadPoolExecutor(2) as threads:
            pages = list(threads.map(lambda mirror: mirror.connector.page("firms"), (one, other)))
    assert [page.items for page in pages] == [[], []]
    assert (ledger.tokens, ledger.refresh) == (1, "r1")


def test_a_refresh_token_that_can_not_be_stored_is_used_and_stored_later(tmp_path: Path) -> None:
    ledger = Ledger()
    with CustomerApi(ledger.answer) as server:
        crm = connected(ledger, server.address, tmp_path)
        store = crm.store
        put, store.put = store.put, _refuses  # type: ignore[method-assign]
        assert crm.load() == []
        assert json.loads(store.value)["refresh_token"] == "r0"
        store.put = put  # type: ignore[method-assign]
        ledger.access = "ended"
        assert crm.load() == []
        assert (json.loads(store.value)["refresh_token"], ledger.refresh) == ("r2", "r2")


def _refuses(name: str, value: str) -> None:
    raise UnavailableError("Secrets Manager did not store the secret")


def test_a_wrong_login_is_told_as_such(tmp_path: Path) -> None:
    relay = Relay()
    with CustomerApi(relay.answer) as server:
        crm = connected(relay, server.address, tmp_path, {"user": "aisha", "password": "old"})
        with pytest.raises(PermissionDeniedError, match=r"Relay refused our credentials .*Who\?"):
            crm.load()


def _changed(change: Row, *path: str) -> Row:
    """Return Depot's file with members of an object replaced; a path's `firms` is that resource."""
    file: Row = json.loads(json.dumps(Depot.file))
    place: Any = file
    for step in path:
        place = next(one for one in place if one["name"] == step) if isinstance(place, list) else place[step]
    place |= change
    return file


LIST = ("resources", "firms", "list")
WRONG: dict[str, tuple[Row, str]] = {
    "a list at another path": (
        _changed({"method": "GET", "path": "/v1/firms/all"}, *LIST),
        "firms: FAILED: Depot has no list at GET /v1/firms/all",
    ),
    "rows at another member": (
        _changed({"data_selector": "Rows"}, *LIST),
        "has no list of rows at data_selector 'Rows': it has the members Result",
    ),
    "a cursor that is not sent": (
        _changed({"params": {"at": "{cursor}"}}, *LIST), "firms: FAILED: Depot's pages repeat",
    ),
    "a page that is shorter than asked for": (
        _changed({"params": {"after": "{offset}"}, "json": {}, "paginator": {"type": "offset", "limit": 50}}, *LIST),
        "a page of 50 was asked for, 2 rows came, and there are more. Say limit 2",
    ),
    "a filter of changes that is not obeyed": (
        _changed({"json": {"changed": "{since}"}}, "resources", "firms", "changes"),
        "firms: FAILED: changes has rows from before {since}, such as firms/f0",
    ),
    "a row that is somewhere else in get": (
        _changed({"path": "/v1/firms/{id}", "data_selector": None}, "resources", "firms", "get"),
        "firms: FAILED: Depot's firms/f0 can't be read: it has no id at 'Id'; it has Record",
    ),
    "a list for one value": (
        _changed({"name": {"at": "Name", "put": "Name"}}, "resources", "firms", "fields"),
        "name: at 'Name' is a list; pick one value of it, such as 'Name | [0]'",
    ),
    "a form that is not the CRM's": (
        _changed({"annual_revenue": {"at": "Revenue[0]", "type": "date", "put": "Revenue[0]"}}, "resources", "firms",
                 "fields"),
        "annual_revenue: 'many' is no date",
    ),
    "users at another path": (
        _changed({"path": "/v1/firms/all"}, "users", "endpoint"),
        "users: FAILED: Depot has no list at GET /v1/firms/all",
    ),
}  # fmt: skip


@pytest.mark.parametrize("case", WRONG)
def test_a_check_says_what_is_wrong_with_a_file_that_looks_right(
    case: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    depot, (file, message) = Depot(), WRONG[case]
    depot.rows["firms"] = {
        f"f{n}": {"Id": f"f{n}", "Name": [f"F{n}"], "Revenue": ["many" if "form" in case else "5"],
                  "Created": "/Date(1700000000000)/", "Changed": "/Date(1700000000000+0000)/"}
        for n in range(3)
    }  # fmt: skip
    monkeypatch.setattr(Depot, "file", file)
    with CustomerApi(depot.answer) as server:
        crm = connected(depot, server.address, tmp_path)
        assert message in checked(depot, crm, monkeypatch)


def test_a_list_whose_rows_have_less_than_get_is_told_by_the_check(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    depot = Depot()
    row = {"Id": "f0", "Name": ["ABC"], "Created": "/Date(1700000000000)/", "Changed": "/Date(1700000000000+0000)/"}
    depot.rows["firms"] = {"f0": row}

    def answer(request: Request) -> Reply:
        whole = {"Record": {**row, "Revenue": ["5"]}}
        return Reply(whole) if request.path.startswith("/v1/firms/f0") else depot.answer(request)

    with CustomerApi(answer) as server:
        crm = connected(depot, server.address, tmp_path)
        assert "firms: FAILED: get and list differ in annual_revenue: every change" in checked(depot, crm, monkeypatch)


def test_a_change_that_a_crm_ignores_is_no_success(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    depot = Depot()
    misspelt = {"annual_revenue": {"at": "Revenue[0]", "put": "Revenu[0]", "type": "decimal"}}
    monkeypatch.setattr(Depot, "file", _changed(misspelt, "resources", "firms", "fields"))
    with CustomerApi(depot.answer) as server:
        crm = connected(depot, server.address, tmp_path)
        [written] = crm.repository.write("demo", [Create(Account(name="ABC", annual_revenue=Decimal(5)))])
        assert isinstance(written.record, Account)
        assert (written.record.annual_revenue, written.only_here) == (Decimal(5), ("annual_revenue",))
        depot.rows["firms"]["11"]["Revenue"] = ["6"]
        mirror = crm.mirrors["demo"]
        mirror.store(mirror.connector.page("firms").items, crm.clock.now())
        change = {"name": "ABC Corp", "annual_revenue": Decimal(7)}
        with pytest.raises(WriteUndecidedError) as caught:
            crm.repository.write("demo", [Update("account", written.record.id, change)])
        stored = crm.local.get("demo", "account", written.record.id)
    assert caught.value.message == (
        "Depot did not take the change of annual revenue: ABC Corp has there what it had before, though Depot answered "
        "with success. It did change name."
    )
    assert isinstance(stored, Account) and (stored.name, stored.annual_revenue) == ("ABC Corp", Decimal(6))
