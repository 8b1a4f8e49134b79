"""Contract of `AuditLog`: on moto, on DynamoDB Local, and in memory; tampering with stored entries is detected."""

import json
import logging
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from datetime import UTC, datetime
from typing import Any

import boto3
import pytest
from msgspec.structs import replace
from pynamodb.connection import Connection
from pynamodb.exceptions import PutError

from aisha.adapters.dynamodb.audit import MAX_ENTRIES, DynamoDBAuditLog
from aisha.application.audit.chain import verify
from aisha.domain.audit import BEGINNING, AuditEntry, AuditHead, chained, hash_of
from aisha.domain.errors import InvalidInputError, UnavailableError
from aisha.domain.ports import AuditLog
from tests.contract.conftest import DynamoDB
from tests.contract.recorded_requests import recorded_requests
from tests.fakes.stores.audit import InMemoryAuditLog


def entry(number: int, tenant: str = "demo", **more: Any) -> AuditEntry:
    at = datetime(2026, 3, 2, 9, 0, number, tzinfo=UTC)
    return AuditEntry(f"audit_{number}", tenant, "alice", "api", "update_lead", "executed", at, **more)


def stored_log(dynamodb: DynamoDB) -> DynamoDBAuditLog:
    return DynamoDBAuditLog(
        dynamodb.entries_table, region=dynamodb.region, endpoint=dynamodb.endpoint, sleep=lambda _: None
    )


@pytest.fixture(params=[pytest.param("dynamodb", marks=pytest.mark.slow), "in_memory"])
def log(request: pytest.FixtureRequest, dynamodb: DynamoDB) -> AuditLog:
    return InMemoryAuditLog() if request.param == "in_memory" else stored_log(dynamodb)


def ids(entries: list[AuditEntry]) -> list[str]:
    return [one.id for one in entries]


# --- the contract


def test_what_was_added_is_read_back_whole(log: AuditLog) -> None:
    receipt = {
        "action": "updated",
        "entity": {"id": "lead_1"},
        "before": {"status": "warm"},
        "after": {"status": "hot"},
    }
    new = entry(
        1,
        arguments={"name": "Zoë 🎉", "deep": [{"n": 1.5}, None]},
        receipts=(receipt,),
        entities=("lead_1",),
        error={"code": "conflict"},
        duration_ms=12.3,
        confirmation_id="conf_1",
        intent="audit_0",
    )
    (added,) = log.append("demo", [new])
    (stored,) = log.page("demo", 10)
    assert replace(stored, receipts=tuple(stored.receipts), entities=tuple(stored.entities)) == added
    assert (added.sequence, added.previous_hash) == (1, BEGINNING)
    assert replace(added, sequence=0, previous_hash="", hash="") == new
    assert stored.action == "aisha.update_lead"


def test_entries_are_a_chain(log: AuditLog) -> None:
    first, second = log.append("demo", [entry(1), entry(2)])
    (third,) = log.append("demo", [entry(3)])
    assert [one.sequence for one in (first, second, third)] == [1, 2, 3]
    assert (second.previous_hash, third.previous_hash) == (first.hash, second.hash)
    assert log.head("demo") == AuditHead(3, third.hash)
    assert [link.sequence for link in log.links("demo")] == [1, 2, 3]
    assert [link.sequence for link in log.links("demo", 2)] == [3]
    assert verify(log, "demo").problems == ()


def test_pages_begin_with_the_last(log: AuditLog) -> None:
    log.append("demo", [entry(number) for number in range(1, 8)])
    page = log.page("demo", 3)
    assert ids(page) == ["audit_7", "audit_6", "audit_5"]
    assert ids(log.page("demo", 50, page[-1].sequence)) == ["audit_4", "audit_3", "audit_2", "audit_1"]
    assert log.page("demo", 3, 1) == []


def test_each_tenant_has_its_own_chain(log: AuditLog) -> None:
    log.append("demo", [entry(1)])
    log.append("demo#x", [entry(2, "demo#x")])
    (theirs,) = log.append("rival", [entry(3, "rival")])
    assert theirs.sequence == 1
    assert ids(log.page("demo", 10)) == ["audit_1"]
    assert ids(log.page("demo#x", 10)) == ["audit_2"]
    assert log.head("nobody") == AuditHead()
    assert verify(log, "nobody").problems == ()


@pytest.mark.parametrize("count", [0, MAX_ENTRIES + 1])
def test_too_many_or_none_are_refused(log: AuditLog, count: int) -> None:
    with pytest.raises(InvalidInputError):
        log.append("demo", [entry(number) for number in range(count)])


# --- DynamoDB


def test_many_writers_at_once_lose_and_double_nothing(dynamodb: DynamoDB) -> None:
    logs = [stored_log(dynamodb) for _ in range(4)]

    def work(number: int) -> None:
        logs[number % 4].append("demo", [entry(number), entry(number, user="x")] if number % 3 else [entry(number)])

    def entry(number: int, user: str = "alice") -> AuditEntry:
        at = datetime(2026, 3, 2, tzinfo=UTC)
        return AuditEntry(f"audit_{number}_{user}", "demo", user, "api", "get_lead", "executed", at)

    with ThreadPoolExecutor(8) as workers:
        list(workers.map(work, range(30)))
    report = verify(logs[0], "demo")
    assert (report.entries, report.problems) == (50, ())
    assert len({one.id for one in logs[0].page("demo", 100)}) == 50


def test_an_append_is_one_request(dynamodb: DynamoDB) -> None:
    log = stored_log(dynamodb)
    log.append("demo", [entry(1)])
    with recorded_requests() as operations:
        log.append("demo", [entry(2), entry(3)])
    assert operations == ["TransactWriteItems"]


def test_another_process_that_appended_is_followed(dynamodb: DynamoDB) -> None:
    one, other = stored_log(dynamodb), stored_log(dynamodb)
    one.append("demo", [entry(1)])
    other.append("demo", [entry(2)])
    (third,) = one.append("demo", [entry(3)])
    assert third.sequence == 3
    assert verify(one, "demo").problems == ()


@contextmanager
def failing_writes(error: Exception, *, after: bool, times: int = 1) -> Iterator[list[str]]:
    """Let the next `times` transactions fail, before or after they are done; yield the names of the failed ones."""
    dispatch, failed = Connection.dispatch, list[str]()

    def fail(self: Connection, operation_name: str, operation_kwargs: Any) -> Any:
        if operation_name != "TransactWriteItems" or len(failed) == times:
            return dispatch(self, operation_name, operation_kwargs)
        failed.append(operation_name)
        if after:
            dispatch(self, operation_name, operation_kwargs)
        raise error

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Connection, "dispatch", fail)
        yield failed


def test_a_lost_answer_adds_nothing_twice(dynamodb: DynamoDB) -> None:
    log = stored_log(dynamodb)
    log.append("demo", [entry(1)])
    with failing_writes(PutError("the connection broke"), after=True) as failed:
        added = log.append("demo", [entry(2), entry(3)])
    assert len(failed) == 1
    assert [one.sequence for one in added] == [2, 3]
    assert ids(log.page("demo", 10)) == ["audit_3", "audit_2", "audit_1"]
    log.append("demo", [entry(4)])
    assert verify(log, "demo").problems == ()


def test_a_write_that_never_arrived_is_an_error(dynamodb: DynamoDB) -> None:
    log = stored_log(dynamodb)
    log.append("demo", [entry(1)])
    with failing_writes(PutError("the connection broke"), after=False), pytest.raises(UnavailableError):
        log.append("demo", [entry(2)])
    assert ids(log.page("demo", 10)) == ["audit_1"]
    log.append("demo", [entry(3)])
    assert verify(log, "demo").problems == ()


# --- tampering


@pytest.fixture
def table(dynamodb: DynamoDB) -> Any:
    """Return the table itself, for tests that change its items without the adapter."""
    resource: Any = boto3.resource("dynamodb", region_name=dynamodb.region, endpoint_url=dynamodb.endpoint)
    return resource.Table(dynamodb.entries_table)


KEY = "audit#demo"


def item(table: Any, place: int | str) -> dict[str, Any]:
    sk = place if isinstance(place, str) else f"entry#{place:012}"
    stored: dict[str, Any] = table.get_item(Key={"pk": KEY, "sk": sk})["Item"]
    return stored


def edit(table: Any, place: int, **changes: str) -> None:
    table.put_item(Item=item(table, place) | changes)


def delete(table: Any, *places: int | str) -> None:
    for place in places:
        table.delete_item(Key={"pk": KEY, "sk": item(table, place)["sk"]})


def edit_body(table: Any) -> None:
    body = json.loads(item(table, 3)["body"]) | {"user": "mallory"}
    edit(table, 3, body=json.dumps(body, separators=(",", ":"), sort_keys=True))


def edit_and_seal(table: Any) -> None:
    stored = item(table, 3)
    body = stored["body"].replace("alice", "mallory")
    edit(table, 3, body=body, hash=hash_of(3, stored["previous_hash"], body))


def swap(table: Any) -> None:
    second, third = item(table, 2), item(table, 3)
    table.put_item(Item=second | {"sk": third["sk"]})
    table.put_item(Item=third | {"sk": second["sk"]})


def swap_and_seal(table: Any) -> None:
    previous = item(table, 1)["hash"]
    for place, body in ((2, item(table, 3)["body"]), (3, item(table, 2)["body"])):
        sealed = hash_of(place, previous, body)
        edit(table, place, body=body, previous_hash=previous, hash=sealed)
        previous = sealed


def rewrite_the_end(table: Any) -> None:
    stored = item(table, 5)
    body = stored["body"].replace("alice", "mallory")
    edit(table, 5, body=body, hash=hash_of(5, stored["previous_hash"], body))


def insert(table: Any) -> None:
    previous, body = item(table, 5)["hash"], item(table, 5)["body"]
    sealed = {"body": body, "previous_hash": previous, "hash": hash_of(6, previous, body)}
    table.put_item(Item={"pk": KEY, "sk": "entry#000000000006", **sealed})


def insert_between(table: Any) -> None:
    table.put_item(Item=item(table, 3) | {"sk": "entry#000000000003b"})


def cut_off(table: Any) -> None:
    delete(table, 4, 5)


def set_head(table: Any, place: int) -> None:
    head = item(table, "head")
    table.put_item(Item=head | {"sequence": place, "hash": item(table, place)["hash"]})


def cut_off_with_head(table: Any) -> None:
    set_head(table, 3)


@pytest.mark.parametrize(
    ("tamper", "message"),
    [
        (edit_body, "Entry 3 was edited"),
        (lambda table: edit(table, 3, body="not json"), "Entry 3 was edited"),
        (lambda table: edit(table, 3, previous_hash=BEGINNING), "Entry 3 was edited"),
        (lambda table: edit(table, 3, hash=BEGINNING), "Entry 3 was edited"),
        (edit_and_seal, "Entry 4 does not follow entry 3"),
        (lambda table: delete(table, 3), "Entry 3 is missing: deleted"),
        (lambda table: delete(table, 1, 2), "Entries 1 to 2 are missing: deleted"),
        (swap, "Entry 2 was edited, or belongs to another place"),
        (swap_and_seal, "Entry 4 does not follow entry 3"),
        (cut_off, "Entries 4 to 5 are missing at the end: cut off"),
        (lambda table: delete(table, 1, 2, 3, 4, 5), "Entries 1 to 5 are missing at the end: cut off"),
        (rewrite_the_end, "Entry 5 is not the one that the log ended with"),
        (insert, "The log ends with entry 5, but entries stand after it"),
        (insert_between, "no entry of the log stands after entry 3"),
        (cut_off_with_head, "The log ends with entry 3, but entries stand after it"),
        (lambda table: delete(table, "head"), "The log ends with entry 0, but entries stand after it"),
    ],
)
def test_tampering_shows(dynamodb: DynamoDB, table: Any, tamper: Callable[[Any], None], message: str) -> None:
    log = stored_log(dynamodb)
    log.append("demo", [entry(number) for number in range(1, 6)])
    assert verify(log, "demo").problems == ()
    tamper(table)
    problems = verify(log, "demo").problems
    assert any(message in problem for problem in problems), problems
    assert all(one.id for one in log.page("demo", 50)), "entries of a broken log can still be listed"


def test_a_chain_written_anew_shows_against_a_known_head(dynamodb: DynamoDB, table: Any) -> None:
    log = stored_log(dynamodb)
    log.append("demo", [entry(number) for number in range(1, 6)])
    known_head = log.head("demo")
    assert verify(log, "demo", known_head).problems == ()
    previous = BEGINNING
    for place in range(1, 6):
        body = item(table, place)["body"].replace("alice", "mallory")
        edit(table, place, body=body, previous_hash=previous, hash=(previous := hash_of(place, previous, body)))
    set_head(table, 5)
    assert verify(log, "demo").problems == ()
    assert "Entry 5 is not the one that was known" in verify(log, "demo", known_head).problems[0]


def test_a_log_cut_off_with_its_head_shows_against_a_known_one(dynamodb: DynamoDB, table: Any) -> None:
    log = stored_log(dynamodb)
    log.append("demo", [entry(number) for number in range(1, 6)])
    known_head = log.head("demo")
    set_head(table, 3)
    delete(table, 4, 5)
    assert verify(log, "demo").problems == ()
    assert "There was an entry 5" in verify(log, "demo", known_head).problems[0]


def test_without_its_head_the_log_takes_nothing_more(dynamodb: DynamoDB, table: Any) -> None:
    stored_log(dynamodb).append("demo", [entry(1)])
    delete(table, "head")
    with pytest.raises(UnavailableError):
        stored_log(dynamodb).append("demo", [entry(2)])


def test_entries_added_while_it_is_checked_are_no_problem(dynamodb: DynamoDB) -> None:
    log = stored_log(dynamodb)
    log.append("demo", [entry(1), entry(2)])

    class Busy(DynamoDBAuditLog):
        added = 0

        def head(self, tenant: str) -> AuditHead:
            if self.added < 3:
                self.added += 1
                log.append(tenant, [entry(2 + self.added)])
            return super().head(tenant)

    report = verify(Busy(dynamodb.entries_table, region=dynamodb.region, endpoint=dynamodb.endpoint), "demo")
    assert (report.entries, report.problems) == (5, ())


def test_a_seal_depends_on_place_and_content() -> None:
    (first, _), (second, _) = chained(AuditHead(), [entry(1), entry(1)])
    assert first.hash != second.hash


def test_each_new_end_of_the_chain_is_logged_where_no_function_can_change_it(
    dynamodb: DynamoDB, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.INFO, "aisha.adapters.dynamodb.audit")
    log = stored_log(dynamodb)
    heads = []
    for number in (1, 2):
        log.append("demo", [entry(number)])
        heads.append(f"{log.head('demo').sequence}:{log.head('demo').hash}")
    logged = [record for record in caplog.records if record.message == "audit head"]
    assert [(vars(record)["tenant"], vars(record)["head"]) for record in logged] == [("demo", head) for head in heads]
