"""Pipedrive, Odoo, Twenty and EspoCRM by their documented shapes: each type is read, a deal is created and changed.

The servers here answer as the documents say, with no rules of the systems: that a file agrees with a system is shown
only by `make connect-check`.
"""

import re
from collections.abc import Iterator, Mapping
from datetime import UTC, date, datetime
from decimal import Decimal
from typing import Any, ClassVar, Protocol
from urllib.parse import urlsplit

import pytest

from aisha.domain.crm.queries import Create, RecordQuery, Update
from aisha.domain.crm.records import Account, Activity, Opportunity, Related
from tests.fakes.systems.customer_api import CustomerApi, Reply, Request
from tests.fakes.ticking_clock import TickingClock
from tests.support.tenants.connected import Connected

ISO, ODOO, ESPO = "2026-02-01T08:00:00Z", "2026-02-01 08:00:00", "2026-02-01 08:00:00"
Row = dict[str, Any]


class Shape(Protocol):
    """A CRM's answers. `rows` are its objects by name and id; a new row has `new` below its own values."""

    crm: str
    rows: dict[str, dict[str, Row]]

    def answer(self, request: Request) -> Reply: ...


class Pipedrive:
    crm = "pipedrive"
    stamps: ClassVar[Row] = {"add_time": ISO, "update_time": ISO}

    def __init__(self) -> None:
        self.rows: dict[str, dict[str, Row]] = {
            "users": {"7": {"id": 7, "email": "alice@demo.example"}},
            "stages": {"1": {"id": 1, "name": "Demo", "deal_probability": 30},
                       "2": {"id": 2, "name": "Legal review", "deal_probability": 60}},
            "organizations": {"11": {"id": 11, "name": "ABC", "owner_id": 7, **self.stamps}},
            "persons": {"12": {"id": 12, "name": "Ann Lee", "emails": [{"value": "ann@abc.example", "primary": True}],
                               "org_id": 11, "owner_id": 7, **self.stamps}},
            "leads": {"ad-1": {"id": "ad-1", "title": "Orbit", "value": {"amount": 50, "currency": "EUR"},
                               "is_archived": False, "owner_id": 7, **self.stamps}},
            "deals": {"13": {"id": 13, "title": "Renewal", "value": 500, "currency": "EUR", "status": "open",
                             "stage_id": 1, "org_id": 11, "owner_id": 7, **self.stamps}},
            "activities": {"14": {"id": 14, "subject": "Call Ann", "type": "call", "due_date": "2026-03-05",
                                  "done": False, "deal_id": 13, "owner_id": 7, **self.stamps}},
            "notes": {"15": {"id": 15, "content": "<p>Prefers mornings</p>", "deal_id": 13, "user_id": 7,
                             **self.stamps}},
        }  # fmt: skip

    def answer(self, request: Request) -> Reply:
        if request.headers.get("x-api-token") != "t":
            return Reply({"success": False, "error": "unauthorized access"}, 401)
        kind, _, key = re.sub(r"^/(api/v2|v1)/", "", urlsplit(request.path).path).partition("/")
        rows = self.rows[kind]
        if request.method == "GET" and not key:
            return Reply({"success": True, "data": list(rows.values()), "additional_data": {"next_cursor": None}})
        if request.method == "POST":
            key = str(100 + len(rows))
            rows[key] = {"id": int(key), "status": "open", **self.stamps}
        if request.body:
            rows[key] |= request.body
        return Reply({"success": True, "data": rows[key]}, 201 if request.method == "POST" else 200)


class Odoo:
    crm = "odoo"
    stamps: ClassVar[Row] = {"create_date": ODOO, "write_date": ODOO}

    def __init__(self) -> None:
        person = {"function": False, "website": False, "industry_id": False, "phone": False, "user_id": [7, "Alice"]}
        self.rows: dict[str, dict[str, Row]] = {
            "res.users": {"7": {"id": 7, "email": "alice@demo.example", "login": "alice"}},
            "crm.stage": {"1": {"id": 1, "name": "Demo", "is_won": False, "sequence": 1},
                          "2": {"id": 2, "name": "Legal review", "is_won": False, "sequence": 5},
                          "3": {"id": 3, "name": "Won", "is_won": True, "sequence": 70}},
            "res.partner": {"11": {"id": 11, "name": "ABC", "is_company": True, "email": False, **person,
                                   **self.stamps},
                            "12": {"id": 12, "name": "Ann Lee", "is_company": False, "email": "ann@abc.example",
                                   "parent_id": [11, "ABC"], **person, **self.stamps}},
            "crm.lead": {"13": {"id": 13, "type": "opportunity", "name": "Renewal", "expected_revenue": 500.0,
                                "stage_id": [1, "Demo"], "partner_id": [12, "Ann Lee"], "user_id": [7, "Alice"],
                                "probability": 20.0, "date_deadline": False, "description": False, "active": True,
                                **self.stamps},
                         "16": {"id": 16, "type": "lead", "name": "Orbit", "contact_name": "Petra Novak",
                                "partner_name": "Orbit", "expected_revenue": 0.0, "active": True, "user_id": False,
                                **self.stamps}},
            "mail.activity": {"14": {"id": 14, "summary": "Call Ann", "note": False, "date_deadline": "2026-03-05",
                                     "res_model": "crm.lead", "res_id": 13, "user_id": [7, "Alice"], **self.stamps}},
        }  # fmt: skip

    def answer(self, request: Request) -> Reply:
        if request.headers.get("authorization") != "Bearer t":
            return Reply({"name": "werkzeug.exceptions.Unauthorized", "message": "Invalid apikey"}, 401)
        _, _, _, model, method = urlsplit(request.path).path.split("/")
        rows, body = self.rows[model], request.body
        if method == "search_read":
            plain = [one for one in body["domain"] if one[1] == "=" and one[0] != "share"]
            found = [row for row in rows.values() if all(row.get(name) == value for name, _, value in plain)]
            return Reply(found[body.get("offset", 0) :])
        if method == "create":
            [values] = body["vals_list"]
            key = str(100 + len(rows))
            rows[key] = {"id": int(key), "active": True, **self.stamps, **self.stored(values)}
            return Reply([int(key)])
        for one in body["ids"]:
            rows[str(one)] |= self.stored(body["vals"])
        return Reply(body=True)

    def stored(self, values: Mapping[str, Any]) -> Row:
        """Return values as they are read: a link is its id and name."""
        return {name: [value, "..."] if name.endswith("_id") else value for name, value in values.items()}


class Twenty:
    crm = "twenty"
    stamps: ClassVar[Row] = {"createdAt": ISO, "updatedAt": ISO}
    ones: ClassVar[dict[str, str]] = {
        "companies": "company", "people": "person", "opportunities": "opportunity", "tasks": "task", "notes": "note",
    }  # fmt: skip

    def __init__(self) -> None:
        self.rows: dict[str, dict[str, Row]] = {
            "workspaceMembers": {"u7": {"id": "u7", "userEmail": "alice@demo.example"}},
            "companies": {"c11": {"id": "c11", "name": "ABC", "employees": 12, "accountOwnerId": "u7",
                                  "domainName": {"primaryLinkUrl": "abc.example"}, **self.stamps}},
            "people": {"p12": {"id": "p12", "name": {"firstName": "Ann", "lastName": "Lee"},
                               "emails": {"primaryEmail": "ann@abc.example"}, "companyId": "c11", **self.stamps}},
            "opportunities": {"o13": {"id": "o13", "name": "Renewal", "stage": "SCREENING", "companyId": "c11",
                                      "amount": {"amountMicros": 500_000_000, "currencyCode": "EUR"}, **self.stamps}},
            "tasks": {"t14": {"id": "t14", "title": "Call Ann", "status": "TODO", "dueAt": "2026-03-05T09:00:00Z",
                              "taskTargets": [{"opportunityId": "o13"}], "assigneeId": "u7", **self.stamps}},
            "notes": {"n15": {"id": "n15", "title": "Ann", "bodyV2": {"markdown": "Prefers mornings"},
                              "noteTargets": [{"opportunityId": "o13"}], **self.stamps}},
        }  # fmt: skip

    def answer(self, request: Request) -> Reply:
        if request.headers.get("authorization") != "Bearer t":
            return Reply({"statusCode": 401, "error": "UnauthorizedException", "messages": ["Token invalid."]}, 401)
        kind, _, key = urlsplit(request.path).path.removeprefix("/rest/").partition("/")
        rows, one = self.rows[kind], self.ones.get(kind, kind)
        if request.method == "GET" and not key:
            page = {"hasNextPage": False, "endCursor": "x"}
            return Reply({"data": {kind: list(rows.values())}, "totalCount": len(rows), "pageInfo": page})
        if request.method == "GET":
            return Reply({"data": {one: rows[key]}})
        verb = "create" if request.method == "POST" else "update"
        if verb == "create":
            key = f"new-{len(rows)}"
            rows[key] = {"id": key, **self.stamps}
        rows[key] |= request.body
        return Reply({"data": {f"{verb}{one[0].upper()}{one[1:]}": rows[key]}}, 201 if verb == "create" else 200)


class Espo:
    crm = "espocrm"
    stamps: ClassVar[Row] = {"createdAt": ESPO, "modifiedAt": ESPO}

    def __init__(self) -> None:
        about = {"parentType": "Opportunity", "parentId": "e13", "assignedUserId": "u7", **self.stamps}
        self.rows: dict[str, dict[str, Row]] = {
            "User": {"u7": {"id": "u7", "emailAddress": "alice@demo.example"}},
            "Account": {"e11": {"id": "e11", "name": "ABC", "type": "Customer", "assignedUserId": "u7", **self.stamps}},
            "Contact": {"e12": {"id": "e12", "firstName": "Ann", "lastName": "Lee", "accountId": "e11",
                                "emailAddress": "ann@abc.example", **self.stamps}},
            "Lead": {"e16": {"id": "e16", "firstName": "Petra", "lastName": "Novak", "accountName": "Orbit",
                             "status": "In Process", "source": "Web Site", "doNotCall": False, **self.stamps}},
            "Opportunity": {"e13": {"id": "e13", "name": "Renewal", "amount": 500, "amountCurrency": "EUR",
                                    "stage": "Qualification", "probability": 20, "accountId": "e11",
                                    "assignedUserId": "u7", **self.stamps}},
            "Task": {"e14": {"id": "e14", "name": "Send offer", "status": "Not Started", "dateEnd": ESPO, **about}},
            "Call": {"e17": {"id": "e17", "name": "Call Ann", "status": "Planned", "dateStart": ESPO, **about}},
            "Meeting": {"e18": {"id": "e18", "name": "Visit", "status": "Held", "dateStart": ESPO, **about}},
            "Note": {"e15": {"id": "e15", "type": "Post", "post": "Prefers mornings", "createdById": "u7", **about}},
        }  # fmt: skip

    def answer(self, request: Request) -> Reply:
        if request.headers.get("x-api-key") != "t":
            return Reply("", 401)
        kind, _, key = urlsplit(request.path).path.removeprefix("/api/v1/").partition("/")
        rows = self.rows[kind]
        if request.method == "GET" and not key:
            return Reply({"total": len(rows), "list": list(rows.values())})
        if request.method == "POST":
            key = f"new{len(rows)}"
            rows[key] = {"id": key, **self.stamps}
        if request.body:
            rows[key] |= request.body
        return Reply(rows[key])


@pytest.fixture(params=[Pipedrive, Odoo, Twenty, Espo], ids=lambda one: one.crm)
def shape(request: pytest.FixtureRequest) -> Shape:
    shape: Shape = request.param()
    return shape


@pytest.fixture
def crm(shape: Shape) -> Iterator[Connected]:
    with CustomerApi(shape.answer) as server:
        yield Connected(TickingClock(datetime(2026, 3, 2, 9, 0, tzinfo=UTC)), server.address, shape.crm, "t")


WRITTEN: dict[str, tuple[str, Row, Row]] = {
    "pipedrive": ("deals", {"title": "Globex", "stage_id": 2, "value": 900.0, "status": "open", "org_id": 11},
                  {"value": 750.0, "stage_id": 2}),
    "odoo": ("crm.lead", {"name": "Globex", "type": "opportunity", "stage_id": [2, "..."], "expected_revenue": 900.0},
             {"expected_revenue": 750.0, "stage_id": [2, "..."]}),
    "twenty": ("opportunities", {"name": "Globex", "stage": "PROPOSAL", "companyId": "c11"}, {"stage": "PROPOSAL"}),
    "espocrm": ("Opportunity", {"name": "Globex", "stage": "Proposal", "amount": 900.0, "accountId": "e11"},
                {"amount": 750.0, "stage": "Proposal"}),
}  # fmt: skip
"""The object of deals, and what a created and a changed one have."""


def test_a_row_of_each_type_is_read_and_a_deal_is_created_and_changed(shape: Shape, crm: Connected) -> None:
    mirror = crm.mirrors["demo"]
    for resource, kind in mirror.connector.resources.items():
        page = mirror.connector.page(resource)
        assert page.skipped == []
        assert [one.entity_type for one in page.items] == [kind], resource
        assert mirror.store(page.items, crm.clock.now())[1] == []
    [deal] = crm.local.search("demo", RecordQuery("opportunity")).items
    [account] = crm.local.search("demo", RecordQuery("account")).items
    assert isinstance(deal, Opportunity)
    assert isinstance(account, Account)
    assert (deal.name, deal.amount, account.name, account.owner) == ("Renewal", Decimal(500), "ABC", "alice")

    new = Opportunity(
        name="Globex", amount=900, currency="EUR", stage="proposal", account_id=account.id, close_date=date(2026, 6, 1)
    )
    crm.repository.write("demo", [Create(new)])
    crm.repository.write("demo", [Update("opportunity", deal.id, {"amount": 750, "stage": "proposal"})])
    kind, created, changed = WRITTEN[shape.crm]
    rows = list(shape.rows[kind].values())
    assert rows[-1] | created == rows[-1]
    [old] = [row for row in rows if row.get("name", row.get("title")) == "Renewal"]
    assert old | changed == old


@pytest.mark.parametrize("shape", [Pipedrive], indirect=True)
def test_a_due_date_of_pipedrive_has_its_time_of_day(shape: Shape, crm: Connected) -> None:
    crm.load()
    [deal] = crm.local.search("demo", RecordQuery("opportunity")).items
    due_at = datetime(2026, 3, 6, 14, 30, tzinfo=UTC)
    call = Activity(title="Call", activity_type="call", related=Related(type="opportunity", id=deal.id), due_at=due_at)
    [written] = crm.repository.write("demo", [Create(call)])
    row = list(shape.rows["activities"].values())[-1]
    assert (row["due_date"], row["due_time"]) == ("2026-03-06", "14:30")
    assert isinstance(written.record, Activity)
    assert written.record.due_at == due_at
