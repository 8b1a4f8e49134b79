"""A CRM whose requests are all commands: `deals.move`, `deals.win` and `deals.assign` beside an update.

It pages by the last id, has lists of words as fields of the team's own, and deletes no deals.
"""

import hashlib
import hmac
import json
from collections.abc import Iterator
from decimal import Decimal
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest

from aisha.adapters.crm.http.signatures import verify
from aisha.adapters.crm.mapping_file.file import Signature
from aisha.adapters.crm.writing.locks import LEASE_TTL
from aisha.domain.crm.queries import Create, Update
from aisha.domain.crm.records import Account, Opportunity
from aisha.domain.errors import InvalidInputError, UnauthenticatedError, WriteUndecidedError
from tests.fakes.systems.customer_api import CustomerApi, Reply, Request
from tests.fakes.systems.documented_crms import NOW, Row
from tests.fakes.ticking_clock import TickingClock
from tests.support.killer import KilledError, Killer, SteppedHttp
from tests.support.tenants.connected import Connected
from tests.support.tenants.documented import created, move_to_own_stage, only


def command(name: str, **body: Any) -> Row:
    return {"method": "POST", "path": f"/{name}", "json": body}


def listed(kind: str) -> Row:
    page = command(f"{kind}.list", size="{limit}", after_id="{cursor}")
    paginator = {"type": "cursor", "cursor_path": "data[-1].id", "limit": 2}
    return {**page, "data_selector": "data", "paginator": paginator}


def resource(kind: str, type_: str, fields: Row, **more: Any) -> Row:
    return {
        "name": kind, "type": type_, "list": listed(kind),
        "get": {**command(f"{kind}.info", id="{number}"), "data_selector": "data"},
        "create": {**command(f"{kind}.add"), "json": "{fields}", "data_selector": "data"},
        "update": command(f"{kind}.update", id="{number}", values="{fields}"), "fields": fields, **more,
    }  # fmt: skip


OWNER = {"at": "agent.id", "user": True, "numeric": True, "set": command("deals.assign", id="{number}", user="{value}")}
STAGE = [
    {"at": "state", "values": {"closed_won": "won"}, "set": command("deals.win", id="{number}")},
    {"at": "state", "values": {"closed_lost": "lost"}, "set": command("deals.lose", id="{number}")},
    {"at": "phase.id", "put": "phase_id", "values": "stage", "numeric": True, "other": "prospecting",
     "set": command("deals.move", id="{number}", phase_id="{value}", pipeline="{group}")},
]  # fmt: skip
FILE: Row = {
    "name": "commander", "title": "Commander",
    "client": {"base_url": "{url}"}, "errors": {"message": "errors[].title", "field": "errors[0].meta.field"},
    "users": {"endpoint": {**command("users.list"), "data_selector": "data"}},
    "values": {"stage": {
        "endpoint": {**command("phases.list"), "data_selector": "data"}, "label": "title",
        "group": "pipeline", "canonical": "title == 'Offer' && 'proposal' || 'prospecting'"}},
    "resources": [
        resource("firms", "account", {"name": "name"}, delete=command("firms.delete", id="{number}")),
        resource("deals", "opportunity", {
            "name": "title", "amount": {"at": "value.amount", "type": "decimal"}, "currency": "value.currency",
            "stage": STAGE, "owner": OWNER, "custom.markets": {"at": "join(', ', markets || `[]`)", "read_only": True},
            "account_id": {"at": "firm.id", "link": "firms", "numeric": True, "put": "firm_id"},
        }, together=[["amount", "currency"]]),
    ],
    "unsupported": dict.fromkeys(("lead", "contact", "activity", "note"), "It has no such records."),
}  # fmt: skip


class Commander:
    """The CRM. `refused` are the commands that it refuses."""

    def __init__(self) -> None:
        self.rows: dict[str, dict[int, Row]] = {"firms": {}, "deals": {}}
        self.refused: set[str] = set()
        self.commands: list[str] = []

    def answer(self, request: Request) -> Reply:
        name, body = request.path.strip("/"), request.body or {}
        kind, _, verb = name.partition(".")
        self.commands.append(name)
        if name in self.refused:
            return Reply({"errors": [{"title": f"{name} is not allowed", "meta": {"field": "phase_id"}}]}, 400)
        if kind == "users":
            return Reply({"data": [{"id": 7, "email": "alice@demo.example"}, {"id": 8, "email": "bob@demo.example"}]})
        if kind == "phases":
            titles = enumerate(("New", "Offer", "Legal"), 1)
            return Reply({"data": [{"id": n, "title": one, "pipeline": 40} for n, one in titles]})
        rows = self.rows[kind]
        if verb == "list":
            after = [row for key, row in sorted(rows.items()) if key > int(body.get("after_id", 0))]
            return Reply({"data": after[: body["size"]]})
        if verb == "add":
            key = len(rows) + 1
            rows[key] = {"id": key, "state": "open", "phase": {"id": 1}, "agent": {"id": 8}}
            self.take(rows[key], body)
            return Reply({"data": {"id": key}}, 201)
        if body["id"] not in rows:
            return Reply({"errors": [{"title": "Not found"}]}, 404)
        row = rows[body["id"]]
        match verb:
            case "info":
                return Reply({"data": row})
            case "update":
                if {"phase_id", "state"} & body["values"].keys():
                    return Reply({"errors": [{"title": "Unknown parameter"}]}, 400)
                self.take(row, body["values"])
            case "move":
                assert body["pipeline"] == 40
                row |= {"phase": {"id": body["phase_id"]}, "state": "open"}
            case "win" | "lose":
                if row["state"] != "open":
                    return Reply({"errors": [{"title": "The deal is closed already"}]}, 400)
                row["state"] = "won" if verb == "win" else "lost"
            case "assign":
                row["agent"] = {"id": body["user"]}
            case "delete":
                del rows[body["id"]]
        return Reply("", 204)

    def take(self, row: Row, body: Row) -> None:
        links = {name: {"id": body[f"{name}_id"]} for name in ("phase", "firm") if f"{name}_id" in body}
        row |= {name: value for name, value in body.items() if not name.endswith("_id")} | links


@pytest.fixture
def commander() -> Commander:
    return Commander()


@pytest.fixture
def crm(commander: Commander, tmp_path: Path) -> Iterator[Connected]:
    (tmp_path / "commander.json").write_text(json.dumps(FILE), encoding="utf-8")
    with CustomerApi(commander.answer) as server:
        yield Connected(TickingClock(NOW), server.address, "commander", "token", folder=tmp_path)


LOG: Row = {
    "name": "logbook", "title": "Logbook", "client": {"base_url": "{url}/{connection.book}"},
    "resources": [{
        "name": "pages", "type": "account", "updated_at": "at", "constants": {"shelf": "{connection.shelf}"},
        "list": {"path": "/pages", "params": {"shelf": "{connection.shelf}", "n": "{page}"},
                 "paginator": {"type": "page_number", "limit": 2}},
        "changes": {"path": "/pages", "params": {"shelf": "{connection.shelf}", "n": "{page}", "sort": "-at"},
                    "paginator": {"type": "page_number", "limit": 2}},
        "incremental": {"is_data_feed": True}, "get": {"path": "/pages/{id}"},
        "create": {"method": "POST", "path": "/pages", "json": "{fields}"}, "fields": {"name": "name"}}],
    "unsupported": dict.fromkeys(
        ("lead", "contact", "opportunity", "activity", "note", "account.update"), "It has no such records."
    ),
}  # fmt: skip


def logbook(url: str, folder: Path, **variables: str) -> Connected:
    (folder / "logbook.json").write_text(json.dumps(LOG), encoding="utf-8")
    options = {"variables": variables}
    return Connected(TickingClock(NOW), url, "logbook", "token", folder=folder, options=options)


def test_changes_that_begin_with_the_latest_are_read_up_to_the_first_older_one(tmp_path: Path) -> None:
    rows = [{"id": n, "name": f"P{n}", "at": f"2026-03-0{n}T09:00:00Z"} for n in range(1, 8)]
    asked: list[str] = []

    def answer(request: Request) -> Reply:
        asked.append(request.path)
        query = {name: values[0] for name, values in parse_qs(urlsplit(request.path).query).items()}
        assert request.path.startswith("/b-1/pages?") and query["shelf"] == "7"
        ordered, number = rows[::-1] if "sort" in query else rows, int(query["n"])
        return Reply(ordered[2 * number - 2 : 2 * number])

    with CustomerApi(answer) as server:
        crm = logbook(server.address, tmp_path, book="b-1", shelf="7")
        assert crm.load() == [f"P{n}" for n in range(1, 8)]
        asked.clear()
        assert crm.load(NOW.replace(day=5)) == ["P7", "P6", "P5"]
        assert len(asked) == 2


def test_what_a_team_has_of_its_own_in_addresses_and_records_comes_from_its_connection(tmp_path: Path) -> None:
    bodies: list[Any] = []

    def answer(request: Request) -> Reply:
        bodies.append(request.body)
        return Reply({"id": 1, "name": "ABC", "at": "2026-03-01T09:00:00Z"})

    with CustomerApi(answer) as server:
        created(logbook(server.address, tmp_path, book="b-1", shelf="7"), Account(name="ABC"))
        assert bodies[0] == {"shelf": "7", "name": "ABC"}
        with pytest.raises(ValueError, match=r"logbook\.json needs of the connection under variables: shelf\."):
            logbook(server.address, tmp_path, book="b-1")


def roof(crm: Connected, **more: Any) -> Opportunity:
    deal = Opportunity(**({"name": "Roof", "stage": "proposal", "amount": "12.50", "owner": "alice"} | more))
    written_deal: Opportunity = created(crm, deal)
    return written_deal


def test_fields_with_a_command_of_their_own_are_set_by_it(commander: Commander, crm: Connected) -> None:
    firm = created(crm, Account(name="ABC"))
    deal = roof(crm, account_id=firm.id)
    row = commander.rows["deals"][1]
    assert (row["phase"], row["agent"], row["firm"]) == ({"id": 2}, {"id": 7}, {"id": 1})
    assert commander.commands.count("deals.move") == 0 and commander.commands.count("deals.assign") == 1
    crm.repository.write("demo", [Update("opportunity", deal.id, {"stage": "closed_won", "amount": "20.00"})])
    assert (row["state"], row["value"]["amount"]) == ("won", 20.0)
    crm.repository.write("demo", [Update("opportunity", deal.id, {"stage": "prospecting", "owner": "bob"})])
    assert (row["state"], row["phase"], row["agent"]) == ("open", {"id": 1}, {"id": 8})
    move_to_own_stage(crm, deal, "Legal")
    assert (row["phase"], only(crm, "opportunity").custom["stage"]) == ({"id": 3}, "Legal")


def test_a_field_that_is_not_changed_sends_no_command(commander: Commander, crm: Connected) -> None:
    deal = roof(crm)
    commander.commands.clear()
    crm.repository.write("demo", [Update("opportunity", deal.id, {"name": "Roof and gutter"})])
    assert set(commander.commands) == {"deals.info", "deals.update"}


def test_pages_go_on_after_the_last_id_and_a_list_of_words_is_read_as_one_text(
    commander: Commander, crm: Connected
) -> None:
    for number in range(1, 6):
        row = {"id": number, "title": f"D{number}", "state": "open", "phase": {"id": 2}}
        commander.rows["deals"][number] = row | ({"markets": ["North", "South"]} if number == 5 else {})
    assert crm.load() == ["D1", "D2", "D3", "D4", "D5"]
    assert crm.local._records["demo"] and {  # type: ignore[attr-defined]
        one.custom.get("markets")
        for one in crm.local._records["demo"].values()  # type: ignore[attr-defined]
    } == {None, "North, South"}


def test_a_refused_command_takes_the_rest_of_the_change_back(commander: Commander, crm: Connected) -> None:
    deal = roof(crm)
    commander.refused = {"deals.win"}
    change = Update("opportunity", deal.id, {"name": "Gutter", "amount": "20.00", "stage": "closed_won"})
    with pytest.raises(InvalidInputError, match=r"deals\.win is not allowed \(stage\)"):
        crm.repository.write("demo", [change])
    row = commander.rows["deals"][1]
    assert (row["title"], row["value"]["amount"], row["state"]) == ("Roof", 12.5, "open")
    assert only(crm, "opportunity").name == "Roof"


def test_a_new_record_of_which_a_part_is_refused_and_that_can_not_be_deleted_is_told(
    commander: Commander, crm: Connected
) -> None:
    commander.refused = {"deals.assign"}
    with pytest.raises(WriteUndecidedError, match="Commander created the opportunity, and it deletes none"):
        roof(crm)
    assert len(commander.rows["deals"]) == 1


def test_what_a_later_step_can_not_take_back_is_told(commander: Commander, crm: Connected) -> None:
    commander.refused = {"firms.add"}
    changes = [Create(Opportunity(name="Roof", stage="proposal", amount=1)), Create(Account(name="ABC"))]
    with pytest.raises(WriteUndecidedError, match=r"which could not be taken back: Roof \(created\)"):
        crm.repository.write("demo", changes)


@pytest.mark.parametrize("is_new", [True, False])
def test_a_kill_at_any_command_ends_with_the_whole_change_or_a_question(
    commander: Commander, crm: Connected, is_new: bool
) -> None:
    for number in range(1, 60):
        commander.rows = {"firms": {}, "deals": {}}
        deal = None if is_new else roof(crm)
        new = Opportunity(name="Roof", stage="proposal", amount=20, owner="alice")
        changes = (
            [Create(new)] if deal is None else [Update("opportunity", deal.id, {"amount": 20, "stage": "closed_won"})]
        )
        crm.mirrors["demo"] = crm.mirror("demo", SteppedHttp(Killer(number)))
        was_killed = is_asked = False
        try:
            crm.repository.write("demo", changes, f"op-{number}")
        except KilledError:
            was_killed = True
        crm.clock.advance(LEASE_TTL)  # type: ignore[attr-defined]
        crm.mirrors["demo"] = crm.mirror("demo")
        try:
            crm.repository.write("demo", changes, f"op-{number}")
        except WriteUndecidedError:
            # Only a create may end in a question.
            assert is_new
            is_asked = True
        rows = list(commander.rows["deals"].values())
        assert len(rows) == 1 or (is_asked and not rows)
        if rows and not is_asked:
            expected = ("open", 2, 7) if is_new else ("won", 2, 7)
            assert (rows[0]["state"], rows[0]["phase"]["id"], rows[0]["agent"]["id"]) == expected
            assert Decimal(rows[0]["value"]["amount"]) == 20
        if not was_killed:
            return
    raise AssertionError("it never finished")


@pytest.mark.parametrize("algorithm", ["sha1", "sha256", "sha512"])
def test_webhooks_are_signed_by_the_algorithm_that_the_file_says(algorithm: str) -> None:
    signature = Signature.model_validate({"header": "X-Signature", "algorithm": algorithm})
    sent = {"x-signature": hmac.new(b"secret", b"{}", getattr(hashlib, algorithm)).hexdigest()}
    verify(signature, "secret", sent, "POST", "", b"{}", NOW)
    with pytest.raises(UnauthenticatedError, match="signature is wrong"):
        verify(signature, "other", sent, "POST", "", b"{}", NOW)
