"""DynamoDB carries a write out and its answer is lost: the write is known as done, or unavailable, and never twice."""

from contextlib import suppress
from datetime import datetime, timedelta

import pytest
from msgspec.structs import replace

from aisha.adapters.dynamodb.conversations import DynamoDBConversationRepository
from aisha.adapters.dynamodb.entries import DynamoDBEntryRepository
from aisha.adapters.dynamodb.rate_limits import DynamoDBRateLimiter
from aisha.adapters.dynamodb.records.repository import DynamoDBRecordRepository
from aisha.adapters.dynamodb.spending import DynamoDBSpendingLedger
from aisha.application.idempotency.keys import Attempt, IdempotencyKeys
from aisha.application.scans import Finding
from aisha.application.suggestions.store import FoundFinding, save_findings
from aisha.application.tooling.results import EntityRef
from aisha.domain.conversations.conversation import Conversation, Message, PendingConfirmation, Session
from aisha.domain.crm.queries import Create, RecordQuery, Update
from aisha.domain.crm.records import Lead
from aisha.domain.errors import ConflictError, NotFoundError, UnavailableError
from aisha.domain.principal import Principal
from aisha.domain.rate_limits import RateLimits
from tests.contract.conftest import DynamoDB
from tests.fakes.ticking_clock import TickingClock
from tests.support.lost_answers import lost_answers

HOW_OFTEN = pytest.mark.parametrize("times", [1, None], ids=["the first answer", "every answer"])


@pytest.fixture
def entries(dynamodb: DynamoDB, clock: TickingClock) -> DynamoDBEntryRepository:
    return DynamoDBEntryRepository(dynamodb.entries_table, clock, region=dynamodb.region, endpoint=dynamodb.endpoint)


@pytest.fixture
def conversations(dynamodb: DynamoDB) -> DynamoDBConversationRepository:
    return DynamoDBConversationRepository(
        dynamodb.conversations_table, region=dynamodb.region, endpoint=dynamodb.endpoint, sleep=lambda _: None
    )


@pytest.fixture
def records(dynamodb: DynamoDB, clock: TickingClock) -> DynamoDBRecordRepository:
    return DynamoDBRecordRepository(
        dynamodb.records_table, clock, region=dynamodb.region, endpoint=dynamodb.endpoint, sleep=lambda _: None
    )


def _head(now: datetime) -> Conversation:
    return Conversation("conv_1", "demo", "alice", "Hello", created_at=now, updated_at=now)


@HOW_OFTEN
def test_an_entry_is_written_once_and_is_ones_own(entries: DynamoDBEntryRepository, times: int | None) -> None:
    with lost_answers("UpdateItem", times=times) as lost:
        first = entries.put("demo", "alice", "sticky", "s1", {"text": "a"}, expected_version=0)
        second = entries.put("demo", "alice", "sticky", "s1", {"text": "b"}, expected_version=1)
    assert lost
    assert (first.version, second.version, dict(second.body)) == (1, 2, {"text": "b"})
    with pytest.raises(ConflictError):
        entries.put("demo", "alice", "sticky", "s1", {"text": "c"}, expected_version=1)


@HOW_OFTEN
def test_findings_are_stored_once_and_known_as_new(
    entries: DynamoDBEntryRepository, clock: TickingClock, times: int | None
) -> None:
    entity = EntityRef(type="lead", id="lead_1", name="Jack")
    findings = [
        FoundFinding(Finding(kind="silent", entity=entity, text="Call", priority=7, owner="alice"), "stale_leads")
    ]
    with lost_answers("TransactWriteItems", times=times) as lost:
        for _ in range(2):
            with suppress(UnavailableError):
                save_findings(entries, "demo", findings, "one", clock.now())
    assert lost
    assert save_findings(entries, "demo", findings, "one", clock.now()) == [True]
    assert save_findings(entries, "demo", findings, "two", clock.now()) == [False]
    assert [entry.version for entry in entries.page("demo", "alice", "suggestion").items] == [2]


@HOW_OFTEN
def test_who_deletes_an_entry_is_told_so_and_nobody_else(entries: DynamoDBEntryRepository, times: int | None) -> None:
    entries.put("demo", "alice", "sticky", "s1", {"text": "a"})
    with lost_answers("UpdateItem", "DeleteItem", times=times):
        assert entries.delete("demo", "alice", "sticky", "s1")
    assert entries.find("demo", "alice", "sticky", "s1") is None
    assert not entries.delete("demo", "alice", "sticky", "s1")
    assert entries.put("demo", "alice", "sticky", "s1", {"text": "new"}, expected_version=0).body == {"text": "new"}


def test_what_cannot_be_read_back_is_unavailable(entries: DynamoDBEntryRepository) -> None:
    with lost_answers("UpdateItem", "GetItem"), pytest.raises(UnavailableError):
        entries.put("demo", "alice", "sticky", "s1", {"text": "a"}, expected_version=0)


@HOW_OFTEN
def test_a_request_gets_its_own_key(entries: DynamoDBEntryRepository, clock: TickingClock, times: int | None) -> None:
    keys = IdempotencyKeys(entries, clock, Principal("demo", "alice", roles=frozenset({"rep"})))
    with lost_answers("UpdateItem", times=times):
        assert isinstance(keys.take("key-1", "fingerprint"), Attempt)


@HOW_OFTEN
def test_a_record_is_written_once(records: DynamoDBRecordRepository, times: int | None) -> None:
    with lost_answers("TransactWriteItems", times=times):
        [created] = records.write("demo", [Create(Lead(first_name="Jack"))], "op-1")
        [changed] = records.write("demo", [Update("lead", created.record.id, {"status": "warm"})], "op-2")
    [record] = records.search("demo", RecordQuery("lead")).items
    assert (record.id, record.version) == (created.record.id, changed.record.version)


def test_a_record_without_an_operation_is_unavailable(records: DynamoDBRecordRepository) -> None:
    with lost_answers("TransactWriteItems"), pytest.raises((UnavailableError, ConflictError)) as caught:
        records.write("demo", [Create(Lead(first_name="Jack"))])
    assert isinstance(caught.value, UnavailableError)


def test_a_turn_is_kept_once(conversations: DynamoDBConversationRepository, clock: TickingClock) -> None:
    now = clock.now()
    head = _head(now)
    with lost_answers("TransactWriteItems"):
        session = conversations.begin(Session(head), Message("msg_1", 0, "user", "Hello", now))
        answer = Message("msg_2", 0, "assistant", "Hello Alice", now, metadata={"toolsUsed": ["x"]})
        conversations.finish(session, session.conversation, answer)
    messages = conversations.load("demo", "alice", "conv_1", 10).messages
    assert [(message.role, message.content) for message in messages] == [
        ("user", "Hello"),
        ("assistant", "Hello Alice"),
    ]


@HOW_OFTEN
def test_a_confirmation_is_taken_by_the_one_who_took_it(
    conversations: DynamoDBConversationRepository, clock: TickingClock, times: int | None
) -> None:
    now = clock.now()
    pending = PendingConfirmation(
        "conf_1", "delete_lead", {}, "hash", "Delete?", True, "msg_2", now + timedelta(minutes=10)
    )
    head = _head(now)
    session = conversations.begin(Session(head), Message("msg_1", 0, "user", "Delete it", now))
    asked = replace(session.conversation, pending=pending)
    stored = conversations.finish(session, asked, Message("msg_2", 0, "assistant", "Delete?", now))
    with lost_answers("UpdateItem", times=times):
        assert conversations.take_pending(stored, "conf_1")
    assert not conversations.take_pending(stored, "conf_1")


def test_a_deleted_conversation_leaves_no_message(
    conversations: DynamoDBConversationRepository, clock: TickingClock
) -> None:
    now = clock.now()
    head = _head(now)
    conversations.begin(Session(head), Message("msg_1", 0, "user", "Hello", now))
    with lost_answers("DeleteItem"), pytest.raises(UnavailableError):
        conversations.delete("demo", "alice", "conv_1")
    conversations.delete("demo", "alice", "conv_1")
    with pytest.raises(NotFoundError):
        conversations.delete("demo", "alice", "conv_1")


def test_counters_are_unavailable_and_no_error_of_ours(dynamodb: DynamoDB, clock: TickingClock) -> None:
    table, region, endpoint = dynamodb.entries_table, dynamodb.region, dynamodb.endpoint
    limiter = DynamoDBRateLimiter(table, region=region, endpoint=endpoint)
    ledger = DynamoDBSpendingLedger(table, region=region, endpoint=endpoint)
    with lost_answers("UpdateItem"):
        with pytest.raises(UnavailableError):
            limiter.take("demo", "alice", RateLimits(9, 9), clock.now())
        with pytest.raises(UnavailableError):
            ledger.reserve("demo", "2026-03", 1, 10)
