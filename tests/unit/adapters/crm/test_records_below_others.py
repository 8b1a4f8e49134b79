"""A CRM that lists comments below their deal alone, whose ids have slashes, connected by a file alone."""

import json
from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, unquote, urlsplit

import pytest

from aisha.adapters.crm.mapping_file.file import read_mapping
from aisha.application.connections.sync import dispatch_sync, start_load
from aisha.application.connections.sync_state import sync_state
from aisha.domain.crm.queries import Create, Delete, RecordQuery, Update
from aisha.domain.crm.records import Note, Opportunity, Record, Related
from aisha.domain.errors import InvalidInputError, UnavailableError
from infra.admin.connect import check
from tests.fakes.systems.customer_api import CustomerApi, Reply, Request
from tests.fakes.ticking_clock import TickingClock
from tests.support.tenants.connected import Connected, OneSecret, Sync

NOW = datetime(2026, 3, 2, 9, 0, tzinfo=UTC)
Row = dict[str, Any]
FILE: Row = {
    "name": "thread", "title": "Thread",
    "client": {"auth": {"type": "bearer"}},
    "users": {"endpoint": {"path": "/users", "data_selector": "rows"}, "id": "id", "email": "mail"},
    "resources": [
        {
            "name": "deals", "type": "opportunity", "created_at": "created", "updated_at": "changed",
            "list": {
                "path": "/deals", "params": {"from": "{offset}"}, "data_selector": "rows",
                "paginator": {"type": "offset", "limit": 30},
            },
            "changes": {
                "path": "/deals", "params": {"from": "{offset}", "since": "{since}"}, "data_selector": "rows",
                "paginator": {"type": "offset", "limit": 30},
            },
            "get": {"path": "/deals/{id}"},
            "create": {"method": "POST", "path": "/deals", "json": "{fields}"},
            "delete": {"method": "DELETE", "path": "/deals/{id}"},
            "fields": {
                "name": "name", "stage": {"at": "stage", "values": {"prospecting": "p"}, "other": "prospecting"},
            },
        },
        {
            "name": "comments", "type": "note", "created_at": "at",
            "list": {
                "path": "/deals/{resources.deals.id}/comments", "params": {"after": "{cursor}"},
                "data_selector": "rows",
                "paginator": {"type": "cursor", "cursor_path": "next", "limit": 2},
            },
            "create": {"method": "POST", "path": "/deals/{resources.deals.id}/comments", "json": "{fields}"},
            "update": {"method": "PATCH", "path": "/deals/{resources.deals.id}/comments/{id}", "json": "{fields}"},
            "delete": {"method": "DELETE", "path": "/deals/{resources.deals.id}/comments/{id}"},
            "fields": {
                "content": "text",
                "related": {"at": "_deals_id", "link": "deals"},
                "owner": {"at": "author", "user": True, "read_only": True},
            },
        },
    ],
    "unsupported": {
        **dict.fromkeys(("lead", "contact", "account", "activity"), "Thread has no such records."),
        "note.related": "Thread has comments on deals alone.",
    },
}  # fmt: skip


class Thread:
    """The CRM's server: comments answer to their deal's address alone, two to a page, and creates without an id."""

    def __init__(self) -> None:
        self.clock = TickingClock(NOW)
        self.deals: dict[str, Row] = {}
        self.comments: dict[str, dict[str, Row]] = {}
        self.requests: list[str] = []

    def add(self, name: str) -> str:
        key = f"2026/{len(self.deals) + 1}"
        now = self.clock.now().isoformat()
        self.deals[key] = {"id": key, "name": name, "stage": "p", "created": now, "changed": now}
        self.comments[key] = {}
        return key

    def comment(self, deal: str, text: str) -> str:
        key = f"c/{sum(map(len, self.comments.values())) + 1}"
        self.comments[deal][key] = {"id": key, "text": text, "at": self.clock.now().isoformat(), "author": 7}
        return key

    def answer(self, request: Request) -> Reply:
        parts = urlsplit(request.path)
        query = {name: values[0] for name, values in parse_qs(parts.query).items()}
        kind, *rest = (unquote(part) for part in parts.path.strip("/").split("/"))
        self.requests.append(f"{request.method} {parts.path}")
        if kind == "users":
            return Reply({"rows": [{"id": 7, "mail": "alice@demo.example"}]})
        if not rest and request.method == "POST":
            return Reply(self.deals[self.add(request.body["name"])], 201)
        if not rest:
            rows = [row for row in self.deals.values() if row["changed"] >= query.get("since", "")]
            at = int(query["from"])
            return Reply({"rows": rows[at : at + 30]})
        if kind != "deals" or rest[0] not in self.deals:
            return Reply({"message": "No such deal"}, 404)
        if len(rest) > 1:
            return self.served(request, rest[0], rest[2:], int(query.get("after", 0)))
        if request.method == "DELETE":
            del self.deals[rest[0]]
            return Reply("", 204)
        return Reply(self.deals[rest[0]])

    def served(self, request: Request, deal: str, rest: list[str], after: int) -> Reply:
        rows = self.comments[deal]
        if request.method == "POST":
            self.comment(deal, request.body["text"])
            assert list(request.body) == ["text"]
            return Reply({"message": "Thanks"}, 201)
        if request.method == "GET":
            shown = list(rows.values())
            return Reply({"rows": shown[after : after + 2], "next": after + 2 if len(shown) > after + 2 else None})
        if rest[0] not in rows:
            return Reply({"message": "No such comment"}, 404)
        if request.method == "PATCH":
            rows[rest[0]] |= request.body
        else:
            del rows[rest[0]]
        return Reply("", 204)


@pytest.fixture
def thread() -> Thread:
    return Thread()


def connected(thread: Thread, folder: Path, **comments: Any) -> Iterator[Connected]:
    file = json.loads(json.dumps(FILE))
    file["resources"][1] |= comments
    (folder / "thread.json").write_text(json.dumps(file), encoding="utf-8")
    with CustomerApi(thread.answer) as server:
        yield Connected(thread.clock, server.address, "thread", "s3cret", folder=folder)


@pytest.fixture
def crm(thread: Thread, tmp_path: Path) -> Iterator[Connected]:
    yield from connected(thread, tmp_path)


@pytest.fixture
def dependent(thread: Thread, tmp_path: Path) -> Iterator[Connected]:
    yield from connected(thread, tmp_path, incremental_dependency=True)


def notes(crm: Connected) -> list[Note]:
    found = crm.local.search("demo", RecordQuery("note", limit=50)).items
    return [one for one in found if isinstance(one, Note)]


def loaded(crm: Connected) -> Sync:
    sync = Sync(crm)
    start_load("demo", sync.deps)
    sync.work()
    return sync


def deal_of(crm: Connected, name: str) -> Record:
    return next(one for one in crm.local.search("demo", RecordQuery("opportunity")).items if one.display_name == name)


def about(deal: Record) -> Related:
    return Related(type="opportunity", id=deal.id)


def test_comments_of_all_deals_arrive_with_their_deal_and_author(thread: Thread, crm: Connected) -> None:
    deals = [thread.add(f"Deal {number}") for number in range(45)]
    for number, deal in enumerate(deals):
        for place in range(number % 4):
            thread.comment(deal, f"{number}.{place}")
    loaded(crm)
    expected = {f"{number}.{place}": f"Deal {number}" for number in range(45) for place in range(number % 4)}
    shown = notes(crm)
    assert {one.content: one.related.name for one in shown}.items() <= expected.items()
    assert {one.owner for one in shown} == {"alice"}
    assert sum(row.count for row in crm.local.counts("demo", "note")) == len(expected)
    state = sync_state(crm.entries, "demo")
    assert state is not None and (state.phase, state.problems, state.error) == ("ready", [], None)


def test_a_note_is_written_changed_and_deleted_below_its_deal(thread: Thread, crm: Connected) -> None:
    first, second = thread.add("First"), thread.add("Second")
    loaded(crm)
    [written] = crm.repository.write("demo", [Create(Note(content="Call Ann", related=about(deal_of(crm, "Second"))))])
    assert [row["text"] for row in thread.comments[second].values()] == ["Call Ann"]
    assert thread.comments[first] == {}
    crm.repository.write("demo", [Update("note", written.record.id, {"content": "Call Ann at nine"})])
    assert [row["text"] for row in thread.comments[second].values()] == ["Call Ann at nine"]
    crm.repository.write("demo", [Delete("note", written.record.id)])
    assert (thread.comments[second], notes(crm)) == ({}, [])


def test_a_deal_and_its_note_are_written_together(thread: Thread, crm: Connected) -> None:
    deal = Opportunity(id="opportunity_01JABCDEFGHJKMNPQRSTVWXYZ0", name="New", stage="prospecting")
    crm.repository.write("demo", [Create(deal), Create(Note(content="Hello", related=about(deal)))])
    [[row]] = [list(rows.values()) for rows in thread.comments.values()]
    assert row["text"] == "Hello"


def test_the_newest_of_two_equal_comments_is_the_new_one(thread: Thread, crm: Connected) -> None:
    deal = thread.add("First")
    old = thread.comment(deal, "Called")
    loaded(crm)
    thread.clock.advance(timedelta(minutes=1))
    [written] = crm.repository.write("demo", [Create(Note(content="Called", related=about(deal_of(crm, "First"))))])
    crm.repository.write("demo", [Delete("note", written.record.id)])
    assert list(thread.comments[deal]) == [old]


def test_a_note_about_what_has_no_comments_is_refused_before_any_request(thread: Thread, crm: Connected) -> None:
    thread.add("First")
    loaded(crm)
    before = len(thread.requests)
    lead = Related(type="lead", id="lead_01JABCDEFGHJKMNPQRSTVWXYZ0")
    with pytest.raises(InvalidInputError, match=r"without its related record\. Thread has comments on deals alone"):
        crm.repository.write("demo", [Create(Note(content="Call", related=lead))])
    assert thread.requests[before:] == []


def test_a_colleagues_comment_arrives_and_a_deleted_one_goes(thread: Thread, crm: Connected) -> None:
    deal = thread.add("First")
    gone = thread.comment(deal, "Old")
    sync = loaded(crm)
    thread.clock.advance(timedelta(days=1, minutes=6))
    del thread.comments[deal][gone]
    thread.comment(deal, "New")
    dispatch_sync(sync.deps)
    sync.work()
    assert [one.content for one in notes(crm)] == ["New"]


def test_comments_of_a_deleted_deal_go_with_it(thread: Thread, crm: Connected) -> None:
    deal, other = thread.add("First"), thread.add("Second")
    thread.comment(deal, "Old")
    thread.comment(other, "Stays")
    sync = loaded(crm)
    thread.clock.advance(timedelta(days=1, minutes=6))
    del thread.deals[deal]
    dispatch_sync(sync.deps)
    sync.work()
    assert [one.content for one in notes(crm)] == ["Stays"]


def test_a_run_reads_the_comments_of_each_deal_or_of_those_that_changed(thread: Thread, dependent: Connected) -> None:
    deals = [thread.add(f"Deal {number}") for number in range(3)]
    thread.clock.advance(timedelta(minutes=30))
    sync = loaded(dependent)
    thread.clock.advance(timedelta(minutes=30))
    thread.comment(deals[1], "New")
    thread.deals[deals[1]]["changed"] = thread.clock.now().isoformat()
    thread.requests.clear()
    dispatch_sync(sync.deps)
    sync.work()
    assert [one for one in thread.requests if one.endswith("/comments")] == ["GET /deals/2026%2F2/comments"]
    assert [one.content for one in notes(dependent)] == ["New"]


def test_a_list_that_is_below_no_deal_is_named(thread: Thread, tmp_path: Path) -> None:
    wrong = {**FILE["resources"][1]["list"], "path": "/deal/{resources.deals.id}/remarks"}
    thread.add("First")
    for crm in connected(thread, tmp_path, list=wrong):
        with pytest.raises(UnavailableError, match=r"no list at GET /deal/{resources.deals.id}/remarks"):
            loaded(crm)


def test_the_check_of_a_connection_says_what_a_run_costs(
    thread: Thread, crm: Connected, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("infra.admin.connect.crm_files", lambda _: crm.folder)
    thread.comment(thread.add("First"), "Hello")
    connection = {"id": "conn_demo1", "crm": "thread", "url": crm.url, "secret": "token"}
    lines = check(connection, OneSecret("s3cret"), allow_private=True)
    assert "comments: each run reads what is below each of deals, by a request of its own" in lines
    assert [line for line in lines if "FAILED" in line] == []


MISTAKES: dict[str, tuple[Callable[[Row, Row], object], str]] = {
    "a parent that does not exist": (
        lambda deals, comments: comments.update(
            json.loads(json.dumps(comments).replace("resources.deals", "resources.deal"))
        ),
        r"comments: there is no resource 'deal'. Did you mean 'deals'\?",
    ),
    "another member of the parent": (
        lambda deals, comments: comments["list"].update(path="/deals/{resources.deals.key}/comments"),
        r"{resources.deals.key} is no placeholder",
    ),
    "a request below what the list is not below": (
        lambda deals, comments: deals["get"].update(path="/x/{resources.comments.id}/{id}"),
        r"deals: get: it has {resources.comments.id}, and list has not",
    ),
    "a list of its own without get": (
        lambda deals, comments: deals.pop("get"),
        r"deals: 'get' is missing",
    ),
    "a dependency on nothing": (
        lambda deals, comments: deals.update(incremental_dependency=True),
        r"deals: incremental_dependency: list has no",
    ),
    "a dependency without changes": (
        lambda deals, comments: (deals.pop("changes"), comments.update(incremental_dependency=True)),
        r"comments: incremental_dependency needs changes of deals",
    ),
    "a new record without its parent": (
        lambda deals, comments: comments["fields"].update(related={"at": "account", "link": "comments"}),
        r"comments: create is below deals, and no field has a link to 'deals'",
    ),
}  # fmt: skip


@pytest.mark.parametrize("case", MISTAKES)
def test_a_wrong_file_is_refused_with_its_place(tmp_path: Path, case: str) -> None:
    file = json.loads(json.dumps(FILE))
    change, message = MISTAKES[case]
    change(*file["resources"])
    (tmp_path / "thread.json").write_text(json.dumps(file), encoding="utf-8")
    with pytest.raises(ValueError, match=message):
        read_mapping(tmp_path / "thread.json")
