"""A CRM that nobody has seen, with habits of its own, is connected by a file alone."""

import json
from collections.abc import Iterator
from datetime import UTC, date, datetime, timedelta
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest

from aisha.domain.crm.queries import Create, Delete, RecordQuery, Update
from aisha.domain.crm.records import Account, Activity, Contact, Opportunity, Related
from aisha.domain.crm.team_values import NamedValue
from aisha.domain.errors import InvalidInputError
from tests.fakes.systems.customer_api import CustomerApi, Reply, Request
from tests.fakes.ticking_clock import TickingClock
from tests.support.tenants.connected import Connected

FILE: dict[str, Any] = {
    "name": "kontor",
    "title": "Kontor",
    "client": {"base_url": "{url}/app", "auth": {"type": "api_key", "name": "X-Kontor", "value": "key={secret}"}},
    "errors": {"message": "fehler[].text", "field": "fehler[0].feld"},
    "users": {"endpoint": {"path": "/benutzer", "data_selector": "liste"}, "id": "nr", "email": "post"},
    "values": {
        "stage": {
            "endpoint": {"path": "/phasen", "data_selector": "liste"},
            "id": "nr",
            "label": "titel",
            "canonical": "schluss && 'closed_won' || 'proposal'",
        }
    },
    "resources": [
        {
            "name": "firmen", "type": "account", "id": "nr", "created_at": "angelegt", "fields_at": "felder",
            "list": {
                "path": "/firmen", "params": {"seite": "{page}", "anzahl": "{limit}"}, "data_selector": "liste",
                "paginator": {"type": "page_number", "base_page": 0, "limit": 2},
            },
            "get": {"path": "/firmen/{id}"},
            "create": {"method": "POST", "path": "/firmen", "json": {"felder": "{fields}"}},
            "update": {"method": "PUT", "path": "/firmen/{id}", "json": {"felder": "{fields}"}},
            "delete": {"method": "POST", "path": "/firmen/{id}/loeschen"},
            "fields": {
                "name": "firma",
                "annual_revenue": {"at": "umsatz", "type": "decimal"},
                "owner": {"at": "betreuer", "user": True, "numeric": True},
                "custom.branche": "branche",
            },
        },
        {
            "name": "personen", "type": "contact", "id": "nr", "created_at": "angelegt", "fields_at": "felder",
            "list": {"path": "/personen", "data_selector": "liste"},
            "get": {"path": "/personen/{id}"},
            "create": {"method": "POST", "path": "/personen", "json": {"felder": "{fields}"}},
            "update": {"method": "PUT", "path": "/personen/{id}", "json": {"felder": "{fields}"}},
            "fields": {
                "first_name": {"at": "voller_name", "part": "first"},
                "last_name": {"at": "voller_name", "part": "rest"},
                "account_id": {"at": "firma_nr", "link": "firmen", "numeric": True},
            },
        },
        {
            "name": "angebote", "type": "opportunity", "id": "nr", "created_at": "angelegt", "fields_at": "felder",
            "list": {"path": "/angebote", "data_selector": "liste"},
            "get": {"path": "/angebote/{id}"},
            "create": {"method": "POST", "path": "/angebote", "json": {"felder": "{fields}"}},
            "update": {"method": "PUT", "path": "/angebote/{id}", "json": {"felder": "{fields}"}},
            "delete": {"method": "POST", "path": "/angebote/{id}/loeschen"},
            "fields": {
                "name": "titel",
                "stage": {"at": "phase", "values": "stage", "other": "prospecting", "numeric": True},
                "amount": {"at": "summe", "type": "micros"},
                "close_date": {"at": "bis", "type": "date"},
            },
        },
        {
            "name": "termine", "type": "activity", "id": "nr", "created_at": "angelegt", "fields_at": "felder",
            "list": {"path": "/termine", "data_selector": "liste"},
            "get": {"path": "/termine/{id}"},
            "create": {"method": "POST", "path": "/termine", "json": {"felder": "{fields}"}},
            "fields": {
                "title": "betreff",
                "due_at": {"at": "zeit", "type": "epoch_ms"},
                "related": [
                    {"at": "bezug_nr", "when": "bezug == 'A'", "link": "angebote", "also": {"bezug": "A"}},
                    {"at": "bezug_nr", "when": "bezug == 'F'", "link": "firmen", "also": {"bezug": "F"}},
                ],
            },
        },
    ],
    "unsupported": {"lead": "Kontor has no leads.", "note": "Kontor has no notes."},
}  # fmt: skip


class Kontor:
    """The CRM's server: numbers as text, ids as numbers, pages from 0, deletes by POST."""

    def __init__(self, clock: TickingClock) -> None:
        self.clock = clock
        self.rows: dict[str, dict[int, dict[str, Any]]] = {}

    def answer(self, request: Request) -> Reply:
        if request.headers.get("x-kontor") != "key=s3cret":
            return Reply({"fehler": [{"text": "Schlüssel falsch"}]}, 403)
        parts = urlsplit(request.path)
        _, _, kind, *rest = parts.path.split("/")
        if kind == "benutzer":
            return Reply({"liste": [{"nr": 7, "post": "Alice@Demo.example"}]})
        if kind == "phasen":
            phases = [(1, "Anfrage", False), (2, "Angebot raus", False), (9, "Auftrag", True)]
            return Reply({"liste": [{"nr": nr, "titel": titel, "schluss": end} for nr, titel, end in phases]})
        rows = self.rows.setdefault(kind, {})
        if not rest and request.method == "GET":
            query = {name: int(values[0]) for name, values in parse_qs(parts.query).items()}
            page, size = query.get("seite", 0), query.get("anzahl", 1000)
            return Reply({"liste": [self.shown(nr, row) for nr, row in rows.items()][page * size : (page + 1) * size]})
        if not rest:
            if len(request.body["felder"].get("titel", "")) > 20:
                return Reply({"fehler": [{"feld": "titel", "text": "Titel zu lang"}]}, 400)
            nr = len(rows) + 1
            rows[nr] = {**request.body["felder"], "angelegt": self.clock.now().isoformat()}
            return Reply({"nr": nr}, 201)
        nr = int(rest[0])
        if nr not in rows:
            return Reply({}, 404)
        if rest[1:] == ["loeschen"]:
            del rows[nr]
            return Reply("", 200, {"Content-Type": "application/json"})
        if request.method == "PUT":
            rows[nr] |= request.body["felder"]
        return Reply(self.shown(nr, rows[nr]))

    def shown(self, nr: int, row: dict[str, Any]) -> dict[str, Any]:
        fields = {name: value for name, value in row.items() if name != "angelegt"}
        return {"nr": nr, "angelegt": row["angelegt"], "felder": fields}


@pytest.fixture
def kontor() -> Kontor:
    return Kontor(TickingClock(datetime(2026, 3, 2, 9, 0, tzinfo=UTC)))


@pytest.fixture
def crm(kontor: Kontor, tmp_path: Path) -> Iterator[Connected]:
    (tmp_path / "kontor.json").write_text(json.dumps(FILE), encoding="utf-8")
    with CustomerApi(kontor.answer) as server:
        yield Connected(kontor.clock, server.address, "kontor", "s3cret", folder=tmp_path)


def test_records_are_written_in_the_crms_own_terms(kontor: Kontor, crm: Connected) -> None:
    account = Account(id="account_01JABCDEFGHJKMNPQRSTVWXYZ0", name="ABC", owner="alice", custom={"branche": "Bau"})
    person = Contact(first_name="Ann", last_name="van der Lee", account_id=account.id)
    deal = Opportunity(name="Dach", stage="closed_won", amount="1250.50", close_date=date(2026, 6, 1))
    written = crm.repository.write("demo", [Create(account), Create(person), Create(deal)])
    firm, ann, roof = (next(iter(kontor.rows[kind].values())) for kind in ("firmen", "personen", "angebote"))
    assert (firm["firma"], firm["betreuer"], firm["branche"]) == ("ABC", 7, "Bau")
    assert (ann["voller_name"], ann["firma_nr"]) == ("Ann van der Lee", 1)
    assert (roof["phase"], roof["summe"], roof["bis"]) == (9, 1_250_500_000, "2026-06-01")
    call = Activity(
        title="Anrufen", activity_type="call", related=Related(type="opportunity", id=written[2].record.id),
        due_at=datetime(2026, 3, 3, 9, tzinfo=UTC),
    )  # fmt: skip
    crm.repository.write("demo", [Create(call)])
    [row] = kontor.rows["termine"].values()
    assert (row["bezug"], row["bezug_nr"], row["zeit"]) == ("A", "1", 1772528400000)
    crm.repository.write("demo", [Update("contact", written[1].record.id, {"first_name": "Anna"})])
    assert kontor.rows["personen"][1]["voller_name"] == "Anna van der Lee"
    crm.repository.write("demo", [Delete("opportunity", written[2].record.id)])
    assert kontor.rows["angebote"] == {}


def test_its_records_custom_fields_and_own_stages_arrive(kontor: Kontor, crm: Connected) -> None:
    now = kontor.clock.now().isoformat()
    kontor.rows["firmen"] = {
        nr: {"firma": f"F{nr}", "umsatz": "1000000", "branche": "Bau", "angelegt": now} for nr in range(1, 6)
    }
    kontor.rows["angebote"] = {1: {"titel": "Dach", "phase": 2, "angelegt": now}}
    mirror = crm.mirrors["demo"]
    for resource in mirror.connector.resources:
        cursor = None
        while True:
            page = mirror.connector.page(resource, None, cursor)
            assert mirror.store(page.items, kontor.clock.now())[1] == []
            if (cursor := page.next_cursor) is None:
                break
    accounts = crm.local.search("demo", RecordQuery("account")).items
    assert [one.display_name for one in accounts] == ["F1", "F2", "F3", "F4", "F5"]
    assert accounts[0].custom == {"branche": "Bau"}
    [deal] = crm.local.search("demo", RecordQuery("opportunity")).items
    assert isinstance(deal, Opportunity)
    # The team's own word is shown beside the stage that it counts as.
    assert (deal.stage, deal.custom) == ("proposal", {"stage": "Angebot raus"})


def test_a_deal_moves_between_two_of_its_stages_that_count_as_the_same(kontor: Kontor, crm: Connected) -> None:
    first, second, won = crm.mirrors["demo"].connector.team_values()["opportunity.stage"]
    assert [one.counts_as for one in (first, second, won)] == ["proposal", "proposal", "closed_won"]
    [written] = crm.repository.write("demo", [Create(Opportunity(name="Dach", stage="proposal"))])
    for place, value in ((2, second), (1, first), (9, won)):
        change = Update("opportunity", written.record.id, {"stage": NamedValue.of(value)})
        [moved] = crm.repository.write("demo", [change])
        assert kontor.rows["angebote"][1]["phase"] == place
        assert moved.record.custom == {"stage": value.label}


def test_its_own_message_names_the_field(crm: Connected) -> None:
    with pytest.raises(InvalidInputError, match=r"Kontor refused this: Titel zu lang \(name\)"):
        crm.repository.write("demo", [Create(Opportunity(name="Ein viel zu langer Titel", stage="proposal"))])


def test_what_the_file_does_not_have_is_refused_with_its_reason(crm: Connected, kontor: Kontor) -> None:
    [written] = crm.repository.write("demo", [Create(Contact(first_name="Ann"))])
    with pytest.raises(InvalidInputError, match="Kontor: this connection can't delete a contact"):
        crm.repository.write("demo", [Delete("contact", written.record.id)])
    kontor.clock.advance(timedelta(days=1))
    assert list(kontor.rows["personen"]) == [1]
