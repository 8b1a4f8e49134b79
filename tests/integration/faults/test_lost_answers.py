"""DynamoDB carries writes out and its answers are lost: what the user of the API gets then, and what is stored."""

from collections.abc import Iterator

import pytest

from aisha.adapters.dynamodb.conversations import DynamoDBConversationRepository
from aisha.adapters.dynamodb.entries import DynamoDBEntryRepository
from aisha.adapters.dynamodb.records.repository import DynamoDBRecordRepository
from aisha.domain.crm.queries import Create, RecordQuery
from aisha.domain.crm.records import Lead, Record
from infra.local.aws_fakes.embedded import EmbeddedAWS
from tests.fakes.aws.api_gateway import chat
from tests.fakes.world import ALICE, World
from tests.support.lost_answers import lost_answers

REGION = "us-east-1"
KEY = {"idempotency-key": "8a1f0f6e-6a53-4a8f-9e58-2b1c6d0f7f19"}
NOTE = "Add a note to Jack Russel: likes sailing"


@pytest.fixture
def stored(world: World) -> Iterator[DynamoDBRecordRepository]:
    """Serve the functions with a DynamoDB inside this process, in which Alice has the lead Jack Russel."""
    with EmbeddedAWS(None):
        records = DynamoDBRecordRepository("aisha-records", world.clock, region=REGION, sleep=lambda _: None)
        world.use(
            records=records,
            entries=DynamoDBEntryRepository("aisha-entries", world.clock, region=REGION),
            conversations=DynamoDBConversationRepository("aisha-conversations", region=REGION, sleep=lambda _: None),
        )
        records.write("demo", [Create(Lead(first_name="Jack", last_name="Russel", company="ABC Corp", owner="alice"))])
        yield records


def notes(records: DynamoDBRecordRepository) -> list[Record]:
    return records.search("demo", RecordQuery("note")).items


@pytest.mark.parametrize("times", [1, None], ids=["the first answer", "every answer"])
def test_a_note_is_there_once_and_the_user_is_told_so(stored: DynamoDBRecordRepository, times: int | None) -> None:
    with lost_answers("TransactWriteItems", "UpdateItem", "PutItem", times=times) as lost:
        answer = chat({"message": NOTE}, ALICE, headers=KEY)
    assert lost
    assert answer.status == 200, answer.text
    assert [call["status"] for call in answer.json["toolCalls"] if call["name"] == "create_note"] == ["executed"]
    assert len(notes(stored)) == 1


def test_the_same_request_after_lost_answers_adds_nothing(stored: DynamoDBRecordRepository) -> None:
    with lost_answers("TransactWriteItems", "UpdateItem", "PutItem"):
        first = chat({"message": NOTE}, ALICE, headers=KEY)
    again = chat({"message": NOTE}, ALICE, headers=KEY)
    assert (again.status, again.json["response"]) == (first.status, first.json["response"])
    assert again.headers["idempotent-replayed"] == "true"
    assert len(notes(stored)) == 1


def test_where_nothing_can_be_read_back_the_user_may_ask_again(stored: DynamoDBRecordRepository) -> None:
    with lost_answers("TransactWriteItems", "UpdateItem", "PutItem", "GetItem", "Query", "BatchGetItem"):
        refused = chat({"message": NOTE}, ALICE, headers=KEY)
    assert refused.status == 503
    assert refused.json["code"] == "unavailable"
    again = chat({"message": NOTE}, ALICE, headers=KEY)
    assert again.status == 200, again.text
    assert len(notes(stored)) == 1
