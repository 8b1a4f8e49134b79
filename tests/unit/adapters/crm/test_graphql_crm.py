"""A CRM with a GraphQL API is connected by a file written from docs/mapping-files.md alone.

Every request is `POST /graphql`, every answer has status 200: errors, refused sign-ins and limits are codes in the
body. Ids are integers, names in snake and camel case, times in seconds since 1970; pages have `pageInfo`, a deleted
record is one with a state, and the team's own fields are a list of keys and values, with options that the API lists.
"""

import json
from collections.abc import Iterator
from datetime import UTC, date, datetime
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest

from aisha.domain.crm.custom_fields import CustomField
from aisha.domain.crm.queries import Create, Delete, RecordQuery, Update
from aisha.domain.crm.records import Activity, Lead, Opportunity, Related
from aisha.domain.errors import InvalidInputError, PermissionDeniedError, WriteUndecidedError
from tests.fakes.systems.customer_api import CustomerApi, Reply, Request
from tests.fakes.ticking_clock import TickingClock
from tests.support.tenants.connected import Connected

NOW = datetime(2026, 3, 2, 9, 0, tzinfo=UTC)
Row = dict[str, Any]
OPTIONS = [{"option_id": 31, "text": "North"}, {"option_id": 32, "text": "South-East"}]


def graphql(query: str, **variables: Any) -> Row:
    return {"method": "POST", "path": "/graphql", "json": {"query": query, "variables": variables}}


def resource(kind: str, type_: str, fields: Row, **more: Any) -> Row:
    one = kind.removesuffix("s")
    page = {
        "data_selector": f"data.{kind}.edges[].node",
        "paginator": {
            "type": "cursor", "cursor_path": f"data.{kind}.pageInfo.hasNextPage && data.{kind}.pageInfo.endCursor",
            "limit": 2,
        },
    }  # fmt: skip
    listed = f"query {{ {kind}(first: $first, after: $after) {{ edges {{ node {{ id }} }} }} }}"
    return {
        "name": kind, "type": type_, "id": "id", "created_at": "created_at", "updated_at": "updatedAt",
        "deleted": "lifecycle_state == 'ARCHIVED'", "incremental": {"format": "epoch"},
        "list": {**graphql(listed, first="{limit}", after="{cursor}"), **page},
        "changes": {**graphql(listed, first="{limit}", after="{cursor}", since="{since}"), **page},
        "get": {**graphql(f"query {{ {one}(id: $id) {{ id }} }}", id="{number}"), "data_selector": f"data.{one}"},
        "create": {**graphql(f"mutation {{ create_{one} {{ id }} }}", input="{fields}"),
                   "data_selector": f"data.create_{one}"},
        "update": graphql(f"mutation {{ update_{one} {{ id }} }}", id="{number}", input="{fields}"),
        "delete": graphql(f"mutation {{ archive_{one} {{ id }} }}", id="{number}"),
        "fields": fields, **more,
    }  # fmt: skip


FILE: Row = {
    "name": "lattice",
    "title": "Lattice",
    "datetime_format": "epoch",
    "client": {"base_url": "{url}", "auth": {"type": "api_key", "name": "X-Lattice-Key"}},
    "errors": {
        "ok_if": "errors == null", "message": "errors[].message", "code": "errors[0].extensions.code",
        "field": "errors[0].extensions.path[-1]", "not_found": ["NOT_FOUND"], "denied": ["UNAUTHENTICATED"],
        "limited": {"code": ["THROTTLED"]},
    },
    "users": {
        "endpoint": {**graphql("query { members { id } }"), "data_selector": "data.members"},
        "id": "id", "email": "primary_email",
    },
    "values": {
        "regions": {
            "endpoint": {**graphql("query { options { option_id } }"), "data_selector": "data.options"},
            "id": "option_id", "label": "text",
        },
    },
    "resources": [
        resource("leads", "lead", {
            "first_name": {"at": "full_name", "part": "first"},
            "last_name": {"at": "full_name", "part": "rest"},
            "email": "contactPoints.email",
            "status": {"at": "stage_key", "values": {"new": "OPEN", "qualified": "READY"}, "other": "contacted"},
            "owner": {"at": "ownerId", "user": True, "numeric": True},
            "custom.region": {"at": "customFields[?key=='region'].value | [0]",
                              "put": "customFields[?key=='region'].value", "values": "regions", "numeric": True},
            "custom.fleet_size": {"at": "customFields[?key=='fleet'].value | [0]",
                                  "put": "customFields[?key=='fleet'].value", "type": "integer"},
            "custom.vip": {"at": "is_vip", "type": "boolean"},
            "custom.segment": {"at": "segment", "read_only": True},
        }),
        resource("deals", "opportunity", {
            "name": "title",
            "stage": {"at": "stageKey", "values": {"prospecting": "OPEN", "closed_won": "WON"}, "other": "proposal"},
            "amount": {"at": "money.minor_units", "type": "cents"},
            "currency": "money.currencyCode",
            "close_date": {"at": "expected_close", "type": "date", "datetime_format": "epoch"},
            "lead_id": {"at": "leadId", "link": "leads", "numeric": True},
            "custom.margin": {"at": "margin_minor", "type": "cents"},
        }, together=[["amount", "currency"]]),
        resource("tasks", "activity", {
            "title": "subject",
            "due_at": {"at": "dueAt", "type": "datetime"},
            "related": [
                {"at": "target.id", "when": "target.type == 'Lead'", "link": "leads", "numeric": True,
                 "also": {"target.type": "Lead"}},
                {"at": "target.id", "when": "target.type == 'Deal'", "link": "deals", "numeric": True,
                 "also": {"target.type": "Deal"}},
            ],
        }),
    ],
    "unsupported": dict.fromkeys(("contact", "account", "note"), "Lattice has no such records."),
}  # fmt: skip


class Lattice:
    """The CRM's server. What a query does is read from its first names; `refusals` come before any other answer."""

    def __init__(self) -> None:
        self.clock = TickingClock(NOW)
        self.rows: dict[str, dict[int, Row]] = {"leads": {}, "deals": {}, "tasks": {}}
        self.refusals: list[Row] = []
        self.ignored = ""

    def answer(self, request: Request) -> Reply:
        assert (request.method, request.path) == ("POST", "/graphql")
        if request.headers.get("x-lattice-key") != "s3cret":
            return self.refused("Who are you?", code="UNAUTHENTICATED")
        if self.refusals:
            return Reply(self.refusals.pop(0))
        query, variables = str(request.body["query"]), request.body["variables"]
        name = query.replace("(", " ").split("{ ")[1].split()[0]
        verb, _, kind = name.rpartition("_")
        if name == "members":
            return Reply({"data": {"members": [{"id": 7, "primary_email": "Alice@demo.example"}]}})
        if name == "options":
            return Reply({"data": {"options": OPTIONS}})
        if name in self.rows:
            return self.page(name, variables)
        rows, key = self.rows[f"{kind}s"], variables.get("id")
        if not verb and key in rows:
            return Reply({"data": {name: rows[key]}})
        if verb == "create":
            key = len(rows) + 101
            rows[key] = {"id": key, "created_at": self.now(), "lifecycle_state": "ACTIVE"}
        if key not in rows:
            return self.refused("No such record", code="NOT_FOUND")
        if verb == "archive":
            rows[key] |= {"lifecycle_state": "ARCHIVED", "updatedAt": self.now()}
        else:
            given = variables["input"]
            if len(given.get("title", "")) > 20:
                return self.refused("Too long", code="BAD_USER_INPUT", path=["input", "title"])
            own = {one["key"]: one for one in [*rows[key].get("customFields", ()), *given.pop("customFields", ())]}
            given.pop(self.ignored, None)
            rows[key] |= {**given, "customFields": [*own.values()], "updatedAt": self.now()}
        return Reply({"data": {name: {"id": key}}})

    def page(self, kind: str, variables: Row) -> Reply:
        assert isinstance(variables["first"], int)
        found = [row for row in self.rows[kind].values() if row["updatedAt"] >= variables.get("since", 0)]
        at = int(variables.get("after", "c0").removeprefix("c"))
        more = {"hasNextPage": len(found) > at + 2, "endCursor": f"c{at + 2}"}
        return Reply({"data": {kind: {"edges": [{"node": row} for row in found[at : at + 2]], "pageInfo": more}}})

    @staticmethod
    def refused(message: str, **extensions: Any) -> Reply:
        return Reply({"data": None, "errors": [{"message": message, "extensions": extensions}]})

    def now(self) -> int:
        return int(self.clock.now().timestamp())


@pytest.fixture
def lattice() -> Lattice:
    return Lattice()


@pytest.fixture
def crm(lattice: Lattice, tmp_path: Path) -> Iterator[Connected]:
    (tmp_path / "lattice.json").write_text(json.dumps(FILE), encoding="utf-8")
    with CustomerApi(lattice.answer) as server:
        yield Connected(lattice.clock, server.address, "lattice", "s3cret", folder=tmp_path)


def load(crm: Connected, since: datetime | None = None) -> tuple[list[str], list[str]]:
    """Read all pages of all resources into the copy; return the names of records, and the refs of deleted ones."""
    names: list[str] = []
    deleted: list[str] = []
    mirror = crm.mirrors["demo"]
    for one in mirror.connector.resources:
        cursor, is_first = None, True
        while is_first or cursor:
            page = mirror.connector.page(one, since, cursor)
            assert page.skipped == []
            written, problems = mirror.store(page.items, crm.clock.now())
            assert problems == []
            names += [one.record.display_name for one in written]
            deleted += page.deleted
            cursor, is_first = page.next_cursor, False
    return names, deleted


def test_records_are_written_in_its_terms_and_read_back(lattice: Lattice, crm: Connected) -> None:
    own = {"region": "South-East", "fleet_size": 40, "vip": False}
    lead = Lead(first_name="Ann", last_name="van der Lee", email="ann@x.example", owner="alice", custom=own)
    [ann] = crm.repository.write("demo", [Create(lead)])
    deal = Opportunity(name="Roof", amount=Decimal("1250.50"), currency="EUR", close_date=date(2026, 6, 1),
                       lead_id=ann.record.id, custom={"margin": 12.5})  # fmt: skip
    [roof] = crm.repository.write("demo", [Create(deal)])
    task = Activity(title="Call", activity_type="call", due_at=datetime(2026, 3, 3, 9, tzinfo=UTC),
                    related=Related(type="opportunity", id=roof.record.id))  # fmt: skip
    crm.repository.write("demo", [Create(task)])
    [row], [sold], [todo] = (list(lattice.rows[kind].values()) for kind in ("leads", "deals", "tasks"))
    assert (row["full_name"], row["contactPoints"], row["ownerId"]) == (
        "Ann van der Lee",
        {"email": "ann@x.example"},
        7,
    )
    assert row["customFields"] == [{"key": "region", "value": 32}, {"key": "fleet", "value": 40}]
    assert row["is_vip"] is False
    assert (sold["money"], sold["leadId"]) == ({"minor_units": 125050, "currencyCode": "EUR"}, 101)
    assert (sold["expected_close"], sold["margin_minor"]) == (1780272000, 1250)
    assert (todo["target"], todo["dueAt"]) == ({"id": 101, "type": "Deal"}, 1772528400)
    assert isinstance(ann.record, Lead) and isinstance(roof.record, Opportunity)
    assert (ann.record.custom, ann.record.owner) == (own, "alice")
    assert (roof.record.custom, roof.record.lead_id) == ({"margin": 12.5}, ann.record.id)


def test_its_custom_fields_are_those_of_the_tools(crm: Connected) -> None:
    assert crm.mirrors["demo"].connector.custom_fields() == {
        "lead": [
            CustomField("region", values=("North", "South-East"), writable=True),
            CustomField("fleet_size", type="number", writable=True),
            CustomField("vip", type="boolean", writable=True),
            CustomField("segment"),
        ],
        "opportunity": [CustomField("margin", type="number", writable=True)],
    }


def test_one_custom_field_is_changed_and_the_others_stay(lattice: Lattice, crm: Connected) -> None:
    own = {"region": "North", "fleet_size": 40}
    [ann] = crm.repository.write("demo", [Create(Lead(first_name="Ann", last_name="Lee", custom=own))])
    [changed] = crm.repository.write("demo", [Update("lead", ann.record.id, {"custom.region": "South-East"})])
    assert changed.record.custom == {"region": "South-East", "fleet_size": 40}
    assert lattice.rows["leads"][101]["customFields"] == [{"key": "region", "value": 32}, {"key": "fleet", "value": 40}]
    with pytest.raises(InvalidInputError) as caught:
        crm.repository.write("demo", [Update("lead", ann.record.id, {"custom.region": "Mars"})])
    assert caught.value.message == "region can't be 'Mars' in Lattice."
    assert "North, South-East" in (caught.value.suggestion or "")
    [cleared] = crm.repository.write("demo", [Update("lead", ann.record.id, {"custom.fleet_size": None})])
    assert cleared.record.custom == {"region": "South-East"}


def test_a_custom_field_that_a_colleague_clears_is_cleared_here(lattice: Lattice, crm: Connected) -> None:
    own = {"region": "North", "fleet_size": 40}
    [ann] = crm.repository.write("demo", [Create(Lead(first_name="Ann", last_name="Lee", custom=own))])
    since = lattice.clock.now()
    lattice.rows["leads"][101] |= {"customFields": [{"key": "region", "value": None}], "updatedAt": lattice.now()}
    load(crm, since)
    assert crm.local.get("demo", "lead", ann.record.id).custom == {}


def test_a_change_of_a_custom_field_that_it_ignores_is_told(lattice: Lattice, crm: Connected) -> None:
    [ann] = crm.repository.write("demo", [Create(Lead(first_name="Ann", last_name="Lee", custom={"vip": False}))])
    lattice.ignored = "is_vip"
    with pytest.raises(WriteUndecidedError, match="Lattice did not take the change of vip"):
        crm.repository.write("demo", [Update("lead", ann.record.id, {"custom.vip": True})])
    assert crm.local.get("demo", "lead", ann.record.id).custom == {"vip": False}


def test_all_pages_and_then_the_changes_and_the_deleted_arrive(lattice: Lattice, crm: Connected) -> None:
    for n in range(5):
        crm.repository.write("demo", [Create(Lead(first_name=f"A{n}", last_name="Lee"))])
    fresh = Connected(lattice.clock, crm.url, "lattice", "s3cret", folder=crm.folder)
    assert load(fresh)[0] == [f"A{n} Lee" for n in range(5)]
    since = lattice.clock.now()
    [last] = fresh.local.search("demo", RecordQuery("lead", "A4")).items
    [first] = fresh.local.search("demo", RecordQuery("lead", "A0")).items
    lattice.rows["leads"][105] |= {"full_name": "Zoe Lee", "updatedAt": lattice.now()}
    fresh.repository.write("demo", [Delete("lead", first.id)])
    assert lattice.rows["leads"][101]["lifecycle_state"] == "ARCHIVED"
    assert load(fresh, since) == (["Zoe Lee"], ["leads/101"])
    assert fresh.local.get("demo", "lead", last.id).display_name == "Zoe Lee"


def test_a_refusal_in_a_good_answer_is_one(lattice: Lattice, crm: Connected) -> None:
    with pytest.raises(InvalidInputError, match=r"Lattice refused this: Too long \(name\)"):
        crm.repository.write("demo", [Create(Opportunity(name="A title that is too long"))])
    limited = {"errors": [{"message": "Slow down", "extensions": {"code": "THROTTLED"}}]}
    lattice.refusals = [limited, limited]
    crm.repository.write("demo", [Create(Opportunity(name="Roof"))])
    assert len(crm.waits) >= 2
    wrong = Connected(lattice.clock, crm.url, "lattice", "wrong", folder=crm.folder)
    with pytest.raises(PermissionDeniedError, match="Who are you"):
        load(wrong)
