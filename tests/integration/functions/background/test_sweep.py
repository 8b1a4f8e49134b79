"""The sweep's two functions over SQS (moto's): from the schedule to suggestions, digest and mail."""

import json
from collections.abc import Iterator, Mapping
from datetime import UTC, datetime, timedelta
from email import message_from_bytes
from pathlib import Path
from typing import Any

import pytest
from moto import mock_aws

from aisha.application import scans
from aisha.application.notifications.settings import NotificationSettings, save_settings
from aisha.application.sweep import current_sweep
from aisha.application.tenants.sweep_enrolment import enrol
from aisha.domain.crm.queries import RecordPage, RecordQuery
from aisha.domain.crm.records import Event, Record
from aisha.domain.errors import InvalidInputError, UnavailableError
from aisha.domain.principal import Principal
from aisha.settings import read_settings
from infra.local.server.lambda_events import LambdaContext
from tests.fakes.aws.api_gateway import call, function
from tests.fakes.aws.queue_lambda import QueueLambda, make_queue
from tests.fakes.systems.webhook_receiver import WebhookReceiver
from tests.fakes.world import ALICE, BOB, World

pytestmark = pytest.mark.slow

SCHEDULED = "2026-03-02T09:00:00Z"
MAX_TRIES = 5


class Queue(QueueLambda):
    """The sweep's queue, its dead letters, and memory's queue."""

    def __init__(self) -> None:
        url, self.dead_url = make_queue("sweep", MAX_TRIES)
        super().__init__("sweep_worker", url)
        self.memory_url = self.client.create_queue(QueueName="memory")["QueueUrl"]

    def drain(self) -> None:
        for _ in range(200):
            if not self.waiting():
                return
            self.poll()
        raise AssertionError("the queue does not get empty")

    def send(self, body: str) -> None:
        self.client.send_message(QueueUrl=self.url, MessageBody=body)


@pytest.fixture
def queue(world: World, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[Queue]:
    for name in ("AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY"):
        monkeypatch.setenv(name, "test")
    with mock_aws():
        queues = Queue()
        urls = {"AISHA_SWEEP_QUEUE_URL": queues.url, "AISHA_MEMORY_QUEUE_URL": queues.memory_url}
        mail = {"AISHA_MAIL": "outbox", "AISHA_MAIL_FROM": "a@b.example", "AISHA_OUTBOX_FOLDER": str(tmp_path)}
        sweep = {"AISHA_QUEUE": "sqs", "AISHA_SWEEP_PAGE": "1", "AISHA_WEBHOOKS_TO_PRIVATE": "true"}
        world.use(settings=read_settings(urls | mail | sweep))
        yield queues


def dispatch(task: str = "sweep", **more: Any) -> Any:
    event = {"task": task, "sweep": SCHEDULED, "tenants": "demo"} | more
    return function("sweep_dispatcher").handler(event, LambdaContext("SweepDispatcherFunction", 512, "req-1", 0))


def suggestions(user: Mapping[str, str] = ALICE) -> Any:
    return call("suggestions", "GET", "/api/ai/suggestions?limit=100", user).json["suggestions"]


def events(world: World) -> list[Event]:
    records = world.records.search("demo", RecordQuery("event", limit=50)).items
    return [record for record in records if isinstance(record, Event)]


def test_from_the_schedule_to_the_briefing(world: World, crm: dict[str, Record], queue: Queue) -> None:
    enrol(world.entries, "rival")
    assert dispatch()["tenants"] == ["demo", "rival"]
    queue.drain()
    assert [suggestion["entity"]["name"] for suggestion in suggestions()][:1] == ["Jack Russel"]
    assert {suggestion["entity"]["name"] for suggestion in suggestions()} == {"Jack Russel", "ABC renewal", "ABC Corp"}
    assert [event.title for event in events(world)] == ["Sweep Completed"]
    text = call("scans", "GET", "/api/ai/scan-briefing", ALICE).json["text"]
    assert "6 scans ran" in text
    assert queue.waiting(queue.dead_url) == 0


def test_the_schedule_has_memories_deleted_that_are_too_old(world: World, queue: Queue) -> None:
    dispatch()
    (message,) = queue.client.receive_message(QueueUrl=queue.memory_url)["Messages"]
    assert json.loads(message["Body"]) == {"forget_before": "2024-03-02T09:00:00Z"}
    dispatch("deliver")
    assert queue.waiting(queue.memory_url) == 0


def test_the_same_schedule_again_starts_nothing(world: World, crm: dict[str, Record], queue: Queue) -> None:
    dispatch()
    queue.drain()
    before = suggestions()
    dispatch()
    queue.drain()
    assert suggestions() == before
    assert len(events(world)) == 1


def test_every_message_delivered_again_changes_nothing(
    world: World, crm: dict[str, Record], queue: Queue, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Deliver each message twice, as SQS may: it delivers at least once."""
    work_queue = world.services.work_queue
    assert work_queue is not None
    send = work_queue.send
    monkeypatch.setattr(work_queue, "send", lambda name, message: [send(name, message) for _ in range(2)])
    dispatch()
    queue.drain()
    (event,) = events(world)
    assert event.detail["new_findings"] == len(suggestions()) + len(suggestions(BOB)) > 3
    assert event.detail["examined"] == 4


class FailingSearch:
    """The search of a repository that fails for leads this number of times."""

    def __init__(self, world: World, times: int) -> None:
        self._search, self.left = world.records.search, times

    def __call__(self, tenant: str, query: RecordQuery) -> RecordPage:
        if query.entity_type == "lead" and self.left:
            self.left -= 1
            raise UnavailableError("The records do not answer")
        return self._search(tenant, query)


def test_a_store_that_comes_back_costs_nothing(
    world: World, crm: dict[str, Record], queue: Queue, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(world.records, "search", FailingSearch(world, 3))
    dispatch()
    queue.drain()
    (event,) = events(world)
    assert all(scan["succeeded"] for scan in event.detail["scans"])
    assert "Jack Russel" in {suggestion["entity"]["name"] for suggestion in suggestions()}


def test_a_message_that_never_succeeds_is_set_aside_and_the_sweep_ends(
    world: World, crm: dict[str, Record], queue: Queue, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(world.records, "search", FailingSearch(world, 10_000))
    dispatch()
    queue.drain()
    assert queue.waiting(queue.dead_url) == 1
    (event,) = events(world)
    failed = {scan["scan_type"] for scan in event.detail["scans"] if not scan["succeeded"]}
    assert failed == {"stale_leads", "next_steps", "data_quality"}
    state = current_sweep(world.entries, "demo")
    assert state
    assert state.phase == "done"


@pytest.mark.parametrize("poison", ["{", "[]", '{"task": "dance"}', '{"task": "sweep", "tenant": "demo"}'])
def test_poison_fails_alone_and_ends_among_the_dead_letters(
    world: World, crm: dict[str, Record], queue: Queue, poison: str
) -> None:
    queue.send(poison)
    dispatch()
    assert len(queue.poll()) == 1
    queue.drain()
    assert queue.waiting(queue.dead_url) == 1
    assert len(events(world)) == 1


def test_one_scan_that_breaks_does_not_keep_others_from_their_work(
    world: World, crm: dict[str, Record], queue: Queue, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(reader: scans.ScanReader) -> Iterator[scans.Finding]:
        raise ZeroDivisionError
        yield

    registered = scans.scans()
    stale_leads = registered["stale_leads"]
    patched = {**registered, "stale_leads": type(stale_leads)(stale_leads.spec, broken)}
    monkeypatch.setattr("aisha.application.sweep.scanning.scans", lambda: patched)
    dispatch()
    queue.drain()
    assert {suggestion["entity"]["name"] for suggestion in suggestions()} == {"ABC renewal", "ABC Corp"}
    assert len(events(world)) == 1


@pytest.mark.parametrize("event", [{"task": "dance"}, {"tenants": "demo"}, {"task": "sweep", "tenants": [7]}])
def test_a_schedule_with_a_mistake_is_refused(world: World, queue: Queue, event: Mapping[str, Any]) -> None:
    with pytest.raises(InvalidInputError):
        function("sweep_dispatcher").handler(event, LambdaContext("SweepDispatcherFunction", 512, "req-1", 0))


# --- deliveries


def save_settings_of_alice(world: World, **values: Any) -> NotificationSettings:
    alice = Principal("demo", "alice", email="alice@example.com", zone="Europe/Berlin")
    return save_settings(world.entries, alice, NotificationSettings(**values), allow_http=True)


def test_the_digest_is_mailed_at_eight(world: World, crm: dict[str, Record], queue: Queue, tmp_path: Path) -> None:
    save_settings_of_alice(world, channel="email")
    dispatch()
    queue.drain()
    assert dispatch("deliver")["tenants"] == []
    world.clock.advance(datetime(2026, 3, 3, 7, 0, 1, tzinfo=UTC) - world.clock.now())  # 08:00 in Berlin
    assert dispatch("deliver")["tenants"] == ["demo"]
    queue.drain()
    (path,) = tmp_path.glob("*.eml")
    mail = message_from_bytes(path.read_bytes())
    assert mail["To"] == "alice@example.com"
    assert mail["Subject"] == f"{len(suggestions())} new suggestions about your records"
    assert dispatch("deliver")["tenants"] == []


def test_a_webhook_that_was_away_gets_it_later(world: World, crm: dict[str, Record], queue: Queue) -> None:
    with WebhookReceiver() as receiver:
        receiver.statuses = [503, 204]
        save_settings_of_alice(world, channel="webhook", webhook_url=receiver.url)
        dispatch()
        queue.drain()
        for _ in range(2):
            world.clock.advance(timedelta(days=1))
            dispatch("deliver")
            queue.drain()
        assert len(receiver.received) == 2
        ids = {headers["webhook-id"] for headers, _ in receiver.received}
        assert len(ids) == 1
        assert json.loads(receiver.received[1][1])["data"]["title"].endswith("new suggestions about your records")
