"""Meridian, a CRM of odd habits, is connected by a file written from docs/mapping-files.md alone.

Its ids and values are nested, empty members are left out, all writes go to one address that answers 207 with an
outcome for each, versions are numbers, prices whole cents, values codes, and what is deleted is archived.
"""

import json
from collections.abc import Iterator
from contextlib import suppress
from datetime import UTC, datetime, timedelta
from decimal import Decimal
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest

from aisha.adapters.crm.writing.locks import LEASE_TTL
from aisha.application.connections.sync import dispatch_sync, start_load
from aisha.domain.crm.queries import Create, Delete, RecordQuery, Update
from aisha.domain.crm.records import Account, Activity, Contact, Opportunity, Record, Related
from aisha.domain.errors import ConflictError, InvalidInputError
from infra.admin.connect import check
from tests.fakes.systems.customer_api import CustomerApi, Reply, Request
from tests.fakes.ticking_clock import TickingClock
from tests.support.killer import KilledError, Killer, SteppedHttp
from tests.support.tenants.connected import Connected, OneSecret, Sync

Row = dict[str, Any]
STAGES = {
    "prospecting": 10,
    "qualification": 20,
    "proposal": 30,
    "negotiation": 40,
    "closed_won": 90,
    "closed_lost": 91,
}
ACCOUNT = {"at": 'org."$ref".uid', "put": "org", "json": {"$ref": {"uid": "{value}"}}, "link": "org"}


def operation(**members: Any) -> Row:
    return {"method": "POST", "path": "/bulk", "json": {"operations": [members]}}


def meridian(name: str, type_: str, fields: Row, data: str = "{fields}", **more: Any) -> Row:
    listed: Row = {
        "path": f"/{name}", "params": {"take": "{limit}", "after": "{cursor}"}, "data_selector": "payload.rows",
        "paginator": {"type": "cursor", "cursor_path": "page.after", "has_more_path": "page.more", "limit": 3},
    }  # fmt: skip
    return {
        "name": name, "type": type_, "id": "record.key.uid", "version": "record.key.rev", "fields_at": "record.data",
        "created_at": "meta.created", "updated_at": "meta.touched", "deleted": "record.state == 'archived'",
        "incremental": {"format": "epoch"}, "list": listed,
        "get": {"path": f"/{name}/{{id}}", "data_selector": "payload"},
        "changes": {**listed, "params": {**listed["params"], "touched_after": "{since}", "state": "all"}},
        "create": operation(op="create", type=name, data="{fields}"), "created_id": "results[0].key.uid",
        "update": operation(op="patch", uid="{id}", rev="{version}", data=data),
        "delete": operation(op="archive", uid="{id}"), "restore": operation(op="restore", uid="{id}"),
        "fields": fields, **more,
    }  # fmt: skip


FILE: Row = {
    "name": "meridian", "title": "Meridian",
    "client": {
        "base_url": "{url}/v3",
        "auth": {"type": "api_key", "name": "Authorization", "value": "Meridian {secret}"},
    },
    "errors": {
        "message": "results[?problem].problem.text", "code": "results[0].problem.code",
        "field": "results[0].problem.field", "ok_if": "!(results[?problem])", "not_found": [404, "E404"],
        "conflict": [409, "E409"],
    },
    "users": {"endpoint": {"path": "/staff", "data_selector": "payload.rows"}, "id": "key.uid", "email": "login.mail"},
    "resources": [
        meridian("org", "account", {
            "name": "title", "annual_revenue": {"at": "turnover.minor", "type": "cents"},
            "owner": {"at": 'agent."$staff"', "user": True},
        }),
        meridian("per", "contact", {
            "first_name": {"at": "full", "part": "first"}, "last_name": {"at": "full", "part": "rest"},
            "email": {"at": "reach[?kind=='mail'].value | [0]", "put": "reach[?kind=='mail'].value"},
            "phone": {"at": "reach[?kind=='tel'].value | [0]", "put": "reach[?kind=='tel'].value"},
            "account_id": ACCOUNT, "custom.newsletter": {"at": "mails", "values": {"yes": "Y", "no": "N"}},
        }, "{record}"),
        meridian("deal", "opportunity", {
            "name": "headline", "stage": {"at": "phase", "values": STAGES}, "account_id": ACCOUNT,
            "amount": {"at": "value.minor", "type": "cents"}, "currency": "value.cur",
            "close_date": {"at": "until", "type": "date", "datetime_format": "%d/%m/%Y"},
        }, together=[["amount", "currency"]]),
        meridian("todo", "activity", {
            "title": "what", "activity_type": {"at": "kind", "values": {"call": "T1", "meeting": "T2", "task": "T3"}},
            "priority": {"at": "urgency", "values": {"low": 1, "normal": 2, "high": 3, "urgent": 4}},
            "due_at": {"at": "when", "type": "datetime", "datetime_format": "epoch"},
            "related": [
                {**ACCOUNT, "at": 'about."$ref".uid', "put": "about", "link": one,
                 "when": f"starts_with(record.data.about.\"$ref\".uid, '{one}-')"} for one in ("deal", "per", "org")
            ],
        }),
    ],
    "unsupported": {
        "lead": "Meridian has no leads.", "note": "Meridian's notes are lists below other records, which are not read.",
    },
}  # fmt: skip


class Meridian:
    """The CRM's server."""

    def __init__(self) -> None:
        self.clock = TickingClock(datetime(2026, 3, 2, 9, 0, tzinfo=UTC))
        self.rows: dict[str, Row] = {}

    def of(self, record: Record) -> Row:
        """Return what the CRM has of a record."""
        assert record.remote is not None
        data: Row = self.rows[record.remote.ref.partition("/")[2]]["data"]
        return data

    def answer(self, request: Request) -> Reply:
        parts = urlsplit(request.path)
        query = {name: values[0] for name, values in parse_qs(parts.query).items()}
        kind, *rest = parts.path.removeprefix("/v3/").split("/")
        if kind == "bulk":
            return Reply({"results": [self.done(**one) for one in request.body["operations"]]}, 207)
        if kind == "staff":
            staff = {"key": {"uid": "st-1"}, "login": {"mail": "Alice@Demo.example"}}
            return Reply({"payload": {"rows": [staff]}, "page": {"more": False, "after": "same"}})
        if rest:
            found = rest[0] in self.rows
            return Reply({"payload": self.shown(rest[0])} if found else self.refused("E404"), 200 if found else 404)
        uids = [
            uid
            for uid, row in self.rows.items()
            if uid.startswith(f"{kind}-") and row["touched"] >= int(query.get("touched_after", 0))
            if query.get("state") == "all" or row["state"] == "live"
        ]
        begin = int(query.get("after", "at0").removeprefix("at"))
        end = begin + int(query["take"])
        rows = [self.shown(uid) for uid in uids[begin:end]]
        return Reply({"payload": {"rows": rows}, "page": {"more": end < len(uids), "after": f"at{begin + len(rows)}"}})

    def shown(self, uid: str) -> Row:
        row = self.rows[uid]
        data = {name: value for name, value in row["data"].items() if value is not None}
        record = {"key": {"uid": uid, "rev": row["rev"]}, "data": data, "state": row["state"]}
        return {"record": record, "meta": {"created": row["created"], "touched": row["touched"]}}

    def done(self, op: str, type: str = "", uid: str = "", rev: Any = None, data: Any = None) -> Row:
        if len((data or {}).get("headline") or "") > 20:
            return self.refused("E104", "The headline is too long.", "headline")
        now = self.clock.now()
        if op == "create":
            uid = f"{type}-{len(self.rows) + 1}"
            self.rows[uid] = {"data": data, "rev": 0, "created": now.isoformat(), "state": "live"}
        elif uid not in self.rows:
            return self.refused("E404")
        elif rev is not None and rev != self.rows[uid]["rev"]:
            return self.refused("E409", "It has another rev.")
        else:
            self.rows[uid]["rev"] += 1
            self.rows[uid]["data"] |= data or {}
            self.rows[uid]["state"] = {"archive": "archived", "restore": "live"}.get(op, self.rows[uid]["state"])
        self.rows[uid]["touched"] = int(now.timestamp())
        return {"status": 200, "key": {"uid": uid}}

    @staticmethod
    def refused(code: str, text: str = "There is no such record.", field: str | None = None) -> Row:
        return {"status": 400, "problem": {"code": code, "text": text, "field": field}}


@pytest.fixture
def server() -> Meridian:
    return Meridian()


@pytest.fixture
def crm(server: Meridian, tmp_path: Path) -> Iterator[Connected]:
    (tmp_path / "meridian.json").write_text(json.dumps(FILE), encoding="utf-8")
    with CustomerApi(server.answer) as api:
        yield Connected(server.clock, api.address, "meridian", "s3cret", folder=tmp_path)


def created(crm: Connected, record: Record) -> Record:
    [written] = crm.repository.write("demo", [Create(record)])
    assert written.only_here == ()
    return written.record


def changed(crm: Connected, record: Record, **fields: Any) -> Record:
    [written] = crm.repository.write("demo", [Update(record.TYPE, record.id, fields)])
    return written.record


def names(crm: Connected, kind: str) -> list[str]:
    return sorted(one.display_name for one in crm.local.search("demo", RecordQuery(kind, limit=50)).items)


def test_records_are_written_in_its_nested_form(server: Meridian, crm: Connected) -> None:
    org = created(crm, Account(name="Neu", owner="alice", annual_revenue=Decimal("1234.56")))
    assert server.of(org) == {"title": "Neu", "turnover": {"minor": 123456}, "agent": {"$staff": "st-1"}}
    deal = created(crm, Opportunity(name="Roof", stage="proposal", amount=Decimal("1999.99"), currency="EUR",
                                    close_date="2026-12-24", account_id=org.id))  # fmt: skip
    assert server.of(changed(crm, deal, stage="closed_won", amount=2500)) == {
        "headline": "Roof", "phase": 90, "value": {"minor": 250000, "cur": "EUR"}, "until": "24/12/2026",
        "org": {"$ref": {"uid": "org-1"}},
    }  # fmt: skip
    about, due_at = Related(type="opportunity", id=deal.id, name="Roof"), datetime(2026, 12, 1, tzinfo=UTC)
    call = created(crm, Activity(title="Ring", activity_type="call", priority="urgent", due_at=due_at, related=about))
    assert server.of(call) == {
        "what": "Ring", "kind": "T1", "urgency": 4, "when": 1796083200, "about": {"$ref": {"uid": "deal-2"}},
    }  # fmt: skip


def test_a_contact_without_a_company_and_one_of_two_addresses(server: Meridian, crm: Connected) -> None:
    org = created(crm, Account(name="Neu"))
    ann = created(
        crm, Contact(first_name="Ann", last_name="Lee", email="ann@x.example", phone="+49 1", account_id=org.id)
    )
    solo = created(crm, Contact(first_name="Solo", last_name="One"))
    assert isinstance(solo, Contact) and solo.account_id is None
    changed(crm, ann, email="new@x.example", custom={"newsletter": "yes"})
    assert server.of(changed(crm, ann, account_id=None)) == {
        "full": "Ann Lee", "org": None, "mails": "Y",
        "reach": [{"kind": "mail", "value": "new@x.example"}, {"kind": "tel", "value": "+49 1"}],
    }  # fmt: skip


def test_one_refusal_in_a_good_answer_names_the_field_and_a_version_in_between_is_a_conflict(
    server: Meridian, crm: Connected, monkeypatch: pytest.MonkeyPatch
) -> None:
    deal = created(crm, Opportunity(name="Roof", stage="proposal"))
    with pytest.raises(InvalidInputError, match=r"The headline is too long\. \(name\)"):
        changed(crm, deal, name="A headline that is too long")
    connector = crm.mirrors["demo"].connector
    get = connector.get

    def overtaken(ref: str) -> Any:
        record = get(ref)
        server.done("patch", uid="deal-1", data={"own": "x"})
        return record

    monkeypatch.setattr(connector, "get", overtaken)
    with pytest.raises(ConflictError, match="another rev"):
        changed(crm, deal, stage="closed_won")
    assert server.of(deal)["phase"] == 30


def test_what_is_archived_is_deleted_and_an_undo_brings_the_same_record_back(server: Meridian, crm: Connected) -> None:
    deal = created(crm, Opportunity(name="Roof", stage="proposal"))
    server.of(deal)["own"] = "that AiSHA does not know"
    crm.repository.write("demo", [Delete("opportunity", deal.id)])
    assert (server.rows["deal-1"]["state"], names(crm, "opportunity")) == ("archived", [])
    [back] = crm.repository.write("demo", [Create(Opportunity(id=deal.id, name="Roof", stage="proposal"))])
    assert (back.record.id, list(server.rows), server.rows["deal-1"]["state"]) == (deal.id, ["deal-1"], "live")
    assert server.of(back.record)["own"] == "that AiSHA does not know"


def test_an_undo_that_is_killed_anywhere_ends_with_the_one_record(server: Meridian, crm: Connected) -> None:
    deal = created(crm, Opportunity(name="Roof", stage="proposal"))
    undo = [Create(Opportunity(id=deal.id, name="Roof", stage="proposal"))]
    for number in range(1, 30):
        crm.repository.write("demo", [Delete("opportunity", deal.id)])
        killer, operation_id = Killer(number), f"undo-{number}"
        crm.mirrors["demo"] = crm.mirror("demo", SteppedHttp(killer))
        with suppress(KilledError):
            crm.repository.write("demo", undo, operation_id)
        crm.mirrors["demo"] = crm.mirror("demo")
        server.clock.advance(LEASE_TTL)
        [back] = crm.repository.write("demo", undo, operation_id)
        assert (back.record.id, list(server.rows), server.rows["deal-1"]["state"]) == (deal.id, ["deal-1"], "live")
        if killer.left > 0:
            return
    raise AssertionError("it never finished")


def test_an_undo_creates_the_record_anew_where_the_crm_has_it_no_more(server: Meridian, crm: Connected) -> None:
    deal = created(crm, Opportunity(name="Roof", stage="proposal"))
    crm.repository.write("demo", [Delete("opportunity", deal.id)])
    server.rows = {"deal-0": server.rows["deal-1"]}
    [back] = crm.repository.write("demo", [Create(Opportunity(id=deal.id, name="Roof", stage="proposal"))])
    assert (back.record.id, server.of(back.record)["headline"]) == (deal.id, "Roof")


def test_all_its_pages_and_then_the_changes_and_the_archived_arrive(
    server: Meridian, crm: Connected, monkeypatch: pytest.MonkeyPatch
) -> None:
    for number in range(8):
        server.done("create", "org", data={"title": f"F{number}"})
    sync = Sync(crm)
    start_load("demo", sync.deps)
    sync.work()
    assert names(crm, "account") == [f"F{number}" for number in range(8)]
    server.clock.advance(timedelta(minutes=10))
    server.done("archive", uid="org-1")
    server.done("patch", uid="org-2", data={"title": "Renamed"})
    dispatch_sync(sync.deps)
    sync.work()
    assert names(crm, "account") == ["F2", "F3", "F4", "F5", "F6", "F7", "Renamed"]
    monkeypatch.setattr("infra.admin.connect.crm_files", lambda _: crm.folder)
    connection = {"id": "conn_test_0001", "crm": "meridian", "url": crm.url, "secret": "token"}
    lines = check(connection, OneSecret("s3cret"), allow_private=True)
    assert not [line for line in lines if "FAILED" in line or "can't be read" in line]
