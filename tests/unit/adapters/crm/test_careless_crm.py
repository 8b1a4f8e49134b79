"""An invented CRM that is careless: ids with slashes, pages that go round, errors in good answers, other encodings."""

import json
from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from decimal import Decimal
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, unquote, urlsplit

import pytest

from aisha.application.connections.comparison import compare
from aisha.application.connections.sync import fetch, start_load
from aisha.application.connections.sync_state import sync_state
from aisha.domain.crm.queries import Create, Delete, RecordQuery, Update
from aisha.domain.crm.records import Activity, Opportunity, Related
from aisha.domain.errors import AishaError, UnavailableError, WriteUndecidedError
from tests.fakes.systems.customer_api import CustomerApi, Reply, Request
from tests.fakes.ticking_clock import TickingClock
from tests.support.tenants.connected import Connected, Sync

NOW = datetime(2026, 3, 2, 9, 0, tzinfo=UTC)
Row = dict[str, Any]
FILE: Row = {
    "name": "sloven", "title": "Sloven",
    "client": {"base_url": "{url}/api", "auth": {"type": "http_basic"}},
    "errors": {"message": "fault.text || fault"},
    "resources": [
        {
            "name": "sales", "type": "opportunity", "id": "key", "created_at": "born", "deleted": "binned",
            "list": {
                "path": "/sales", "params": {"cursor": "{cursor}"}, "data_selector": "rows",
                "paginator": {"type": "cursor", "cursor_path": "next", "limit": 3},
            },
            "get": {"path": "/sales/{id}", "data_selector": "row"},
            "create": {"method": "POST", "path": "/sales", "json": {"row": "{fields}"}, "data_selector": "row"},
            "update": {"method": "PUT", "path": "/sales/{id}", "json": {"row": "{fields}"}},
            "delete": {"method": "DELETE", "path": "/sales/{id}"},
            "fields": {
                "name": "title",
                "stage": {"at": "stage", "values": {"prospecting": "new", "closed_won": "won"}, "other": "proposal"},
                "amount": {"at": "cents", "type": "cents"},
                "close_date": {"at": "due", "type": "date", "datetime_format": "%d.%m.%Y"},
                "owner": {"at": "agent", "user": "email"},
                "custom.hot": {"at": "hot", "type": "boolean"},
            },
        },
        {
            "name": "calls", "type": "activity", "id": "key", "created_at": "born",
            "list": {"path": "/calls", "data_selector": "rows"},
            "get": {"path": "/calls/{id}", "data_selector": "row"},
            "create": {"method": "POST", "path": "/sales/{resources.sales.id}/calls", "json": {"row": "{fields}"},
                       "data_selector": "row"},
            "fields": {
                "title": "subject",
                "due_at": {"at": "when", "type": "datetime"},
                "related": {"at": "sale", "link": "sales", "create_only": True},
            },
        },
    ],
    "unsupported": dict.fromkeys(("lead", "contact", "account", "note"), "Sloven has no such records."),
}  # fmt: skip


class Sloven:
    """The CRM's server. `next` are answers to come before any other, by a part of the path."""

    def __init__(self) -> None:
        self.clock = TickingClock(NOW)
        self.rows: dict[str, dict[str, Row]] = {"sales": {}, "calls": {}}
        self.next: list[tuple[str, Reply]] = []
        self.requests: list[Request] = []
        self.goes_round = False

    def add(self, kind: str = "sales", **values: Any) -> str:
        key = f"{kind}/{len(self.rows[kind]) + 1}"
        self.rows[kind][key] = {"key": key, "born": f"{self.clock.now():%Y-%m-%d %H:%M:%S}", **values}
        return key

    def answer(self, request: Request) -> Reply:
        self.requests.append(request)
        parts = urlsplit(request.path)
        place = f"{request.method} {parts.path}"
        if (one := next((one for one in self.next if one[0] in place), None)) is not None:
            self.next.remove(one)
            return one[1]
        _, kind, *rest = (unquote(part) for part in parts.path.strip("/").split("/"))
        if request.method == "GET" and not rest:
            return self.page(kind, parse_qs(parts.query).get("cursor", ["0"])[0])
        if request.method == "POST":
            about = {"sale": rest[0]} if rest else {}
            kind = rest[1] if rest else kind
            return Reply({"row": self.rows[kind][self.add(kind, **{**request.body["row"], **about})]})
        row = self.rows[kind].get(rest[0])
        if row is None:
            return Reply({"fault": {"text": "Not here"}}, 404)
        if request.method == "DELETE":
            del self.rows[kind][rest[0]]
        elif request.method == "PUT":
            row |= request.body["row"]
        return Reply({"row": row})

    def page(self, kind: str, cursor: str) -> Reply:
        at, rows = int(cursor), list(self.rows[kind].values())
        following = at + 3 if len(rows) > at + 3 else 0 if self.goes_round else None
        return Reply({"rows": rows[at : at + 3], "next": None if following is None else str(following)})


@pytest.fixture
def sloven() -> Sloven:
    return Sloven()


@pytest.fixture
def crm(sloven: Sloven, tmp_path: Path) -> Iterator[Connected]:
    (tmp_path / "sloven.json").write_text(json.dumps(FILE), encoding="utf-8")
    with CustomerApi(sloven.answer) as server:
        yield Connected(sloven.clock, server.address, "sloven", "user:s3cret", folder=tmp_path)


def loaded(crm: Connected) -> Sync:
    sync = Sync(crm)
    start_load("demo", sync.deps)
    sync.work(50)
    return sync


def deals(crm: Connected) -> dict[str, Opportunity]:
    found = crm.local.search("demo", RecordQuery("opportunity", limit=50)).items
    return {one.name: one for one in found if isinstance(one, Opportunity)}


def problems(crm: Connected) -> list[str]:
    state = sync_state(crm.entries, "demo")
    assert state is not None
    return state.problems


def test_ids_with_slashes_cents_days_and_owners_are_written_and_read(sloven: Sloven, crm: Connected) -> None:
    deal = Opportunity(
        name="Dach", stage="closed_won", amount=Decimal("1250.55"), owner="alice", close_date="2026-06-01"
    )
    [written] = crm.repository.write("demo", [Create(deal)])
    [row] = sloven.rows["sales"].values()
    assert (row["cents"], row["due"], row["agent"]) == (125055, "01.06.2026", "alice@demo.example")
    crm.repository.write("demo", [Update("opportunity", written.record.id, {"amount": Decimal("19.99")})])
    assert row["cents"] == 1999
    call = Activity(title="Anrufen", activity_type="task", related=Related(type="opportunity", id=written.record.id))
    crm.repository.write("demo", [Create(call)])
    [called] = sloven.rows["calls"].values()
    assert (called["subject"], called["sale"]) == ("Anrufen", "sales/1")
    crm.repository.write("demo", [Delete("opportunity", written.record.id)])
    assert sloven.rows["sales"] == {}


def test_owners_in_other_letters_times_without_zone_and_truths_in_other_words(sloven: Sloven, crm: Connected) -> None:
    sloven.add(title="A", stage="new", agent="Alice@Demo.Example", hot="Y", cents="1999")
    sloven.add(title="B", stage="new", agent="left@demo.example", hot="N", cents=-5)
    sloven.add(title="C", stage="odd", hot="maybe", cents="12,50")
    loaded(crm)
    found = deals(crm)
    assert (found["A"].owner, found["A"].custom, found["A"].amount) == ("alice", {"hot": True}, Decimal("19.99"))
    assert (found["B"].owner, found["B"].custom) == ("left@demo.example", {"hot": False})
    assert found["A"].created_at == datetime(2026, 3, 2, 9, 0, tzinfo=UTC)
    [unread] = [problem for problem in problems(crm) if problem.startswith("sales sales/3: ")]
    assert "'12,50' is no cents" in unread or "'maybe' is no" in unread


def test_pages_that_go_round_end_with_an_error_and_lose_nothing(sloven: Sloven, crm: Connected) -> None:
    for number in range(7):
        sloven.add(title=f"Deal {number}", stage="new")
    sloven.goes_round = True
    with pytest.raises(UnavailableError, match="Sloven's pages of sales repeat"):
        loaded(crm)
    assert len(deals(crm)) == 7
    state = sync_state(crm.entries, "demo")
    assert state is not None and "repeat" in str(state.error)


def test_a_page_that_goes_round_does_not_keep_the_comparison_busy(sloven: Sloven, crm: Connected) -> None:
    for number in range(4):
        sloven.add(title=f"Deal {number}", stage="new")
    sync = loaded(crm)
    sloven.goes_round = True
    with pytest.raises(UnavailableError, match="repeat"):
        for _ in range(20):
            compare(crm.mirrors["demo"], sync.deps)


FAULTS: dict[str, Reply] = {
    "an error with status 200": Reply({"fault": {"text": "Maintenance until ten"}}),
    "a page of a proxy": Reply("<html><title>Sign in</title></html>"),
    "nothing": Reply("", 200),
    "null": Reply(b"null"),
    "an empty object": Reply({}),
    "a list": Reply([{"row": 1}]),
    "a row of another": Reply({"row": {"key": "sales/99", "title": "Other", "stage": "new"}}),
    "a redirect": Reply("", 302, {"Location": "https://login.example/"}),
}


@pytest.mark.parametrize("case", FAULTS)
def test_a_wrong_answer_about_a_record_deletes_no_copy(sloven: Sloven, crm: Connected, case: str) -> None:
    key = sloven.add(title="A", stage="new")
    sync = loaded(crm)
    sloven.next = [(f"GET /api/{key.replace('/', '%2F')}", FAULTS[case]), ("GET /api/sales/", FAULTS[case])] * 9
    try:
        fetch(crm.mirrors["demo"], [f"sales/{key}"], sync.deps)
    except AishaError as error:
        assert "Sloven" in error.message
    else:
        assert any("Sloven" in one or "sales" in one for one in problems(crm))
    assert list(deals(crm)) == ["A"]


@pytest.mark.parametrize("case", ["an error with status 200", "a page of a proxy", "nothing", "null", "a redirect"])
def test_a_wrong_answer_to_a_new_record_is_looked_up_or_asked_and_never_repeated(
    sloven: Sloven, crm: Connected, case: str
) -> None:
    sloven.next = [("POST", FAULTS[case])]
    with pytest.raises((WriteUndecidedError, AishaError), match="Sloven"):
        crm.repository.write("demo", [Create(Opportunity(name="Dach", stage="prospecting"))], "op-1")
    assert [one.method for one in sloven.requests if one.method == "POST"] == ["POST"]
    sloven.add(title="Dach", stage="new")
    [written] = crm.repository.write("demo", [Create(Opportunity(name="Dach", stage="prospecting"))], "op-1")
    assert len(sloven.rows["sales"]) == 1 and written.record.remote is not None


@pytest.mark.parametrize("case", ["an error with status 200", "a page of a proxy"])
def test_an_older_record_is_not_taken_for_the_new_one(sloven: Sloven, crm: Connected, case: str) -> None:
    deal = {"name": "Dach", "stage": "prospecting"}
    crm.repository.write("demo", [Create(Opportunity(**deal))], "op-1")
    sloven.clock.advance(timedelta(minutes=1))
    sloven.next = [("POST", FAULTS[case])]
    with pytest.raises(WriteUndecidedError):
        crm.repository.write("demo", [Create(Opportunity(**deal))], "op-2")
    assert (len(sloven.rows["sales"]), len(deals(crm))) == (1, 1)


def test_a_redirect_after_a_new_record_is_no_reason_to_make_it_again(sloven: Sloven, crm: Connected) -> None:
    served = sloven.answer

    def see_other(request: Request) -> Reply:
        answer = served(request)
        return Reply("", 303, {"Location": "/sales/1"}) if request.method == "POST" else answer

    with CustomerApi(see_other) as server:
        other = Connected(sloven.clock, server.address, "sloven", "user:s3cret", folder=crm.folder)
        [written] = other.repository.write("demo", [Create(Opportunity(name="Dach", stage="prospecting"))])
    assert (len(sloven.rows["sales"]), written.record.remote is not None) == (1, True)


ENCODINGS: dict[str, Callable[[Row], Reply]] = {
    "a byte order mark": lambda body: Reply(b"\xef\xbb\xbf" + json.dumps(body, ensure_ascii=False).encode()),
    "Latin-1": lambda body: Reply(
        json.dumps(body, ensure_ascii=False).encode("latin-1"),
        headers={"Content-Type": "application/json; charset=ISO-8859-1"},
    ),
}


@pytest.mark.parametrize("case", ENCODINGS)
def test_an_answer_in_another_encoding_is_read(sloven: Sloven, crm: Connected, case: str) -> None:
    row = {"key": "1", "title": "Müller & Söhne", "stage": "new"}
    sloven.next = [("GET /api/sales", ENCODINGS[case]({"rows": [row]}))]
    loaded(crm)
    assert list(deals(crm)) == ["Müller & Söhne"]


@pytest.mark.parametrize("rows", [[None], ["1"], {"1": {}}, "many", 7])
def test_rows_that_are_none_are_named(sloven: Sloven, crm: Connected, rows: Any) -> None:
    sloven.next = [("GET /api/sales", Reply({"rows": rows}))] * 9
    with pytest.raises(UnavailableError, match="Sloven's answer to GET /sales has no list of rows"):
        loaded(crm)


ROWS: dict[str, tuple[Row, str]] = {
    "no id": ({"title": "A"}, "it has no id"),
    "an id that is an object": ({"key": {"a": 1}, "title": "A"}, "can't be an id"),
    "a time that is none": ({"key": "1", "title": "A", "stage": "new", "born": "yesterday"}, "created_at: 'yesterday'"),
    "an amount too large": ({"key": "1", "title": "A", "stage": "new", "cents": "1e40"}, "amount"),
    "an amount that is none": ({"key": "1", "title": "A", "stage": "new", "cents": "NaN"}, "amount"),
    "a name that is a list": ({"key": "1", "title": ["A"], "stage": "new"}, "is a list; pick one value"),
    "a date in another form": ({"key": "1", "title": "A", "stage": "new", "due": "2026-06-01"}, "is no date of"),
}


@pytest.mark.parametrize("case", ROWS)
def test_a_row_that_can_not_be_read_is_named_and_the_others_are(sloven: Sloven, crm: Connected, case: str) -> None:
    row, message = ROWS[case]
    good = {"key": "good", "title": "Good", "stage": "new"}
    sloven.next = [("GET /api/sales", Reply({"rows": [row, good]}))]
    loaded(crm)
    assert list(deals(crm)) == ["Good"]
    assert [one for one in problems(crm) if message in one], problems(crm)


def test_a_value_that_can_not_be_held_is_left_out_and_named(sloven: Sloven, crm: Connected) -> None:
    key = sloven.add(title="A", stage="new", cents=-5)
    loaded(crm)
    assert deals(crm)["A"].amount is None
    [problem] = problems(crm)
    assert problem.startswith(f"sales/{key}: amount '-0.05' is left out: ")
    crm.repository.write("demo", [Update("opportunity", deals(crm)["A"].id, {"name": "B"})])
    assert (sloven.rows["sales"][key]["title"], sloven.rows["sales"][key]["cents"]) == ("B", -5)


def test_a_call_without_its_sale_is_refused(sloven: Sloven, crm: Connected) -> None:
    lead = Related(type="lead", id="lead_01JABCDEFGHJKMNPQRSTVWXYZ0")
    with pytest.raises(AishaError, match="Sloven can't store this activity without its related record"):
        crm.repository.write("demo", [Create(Activity(title="Anrufen", activity_type="task", related=lead))])
    assert sloven.requests == []
