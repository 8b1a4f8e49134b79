"""Contract of `ConversationRepository`: in memory, and on each DynamoDB of the fixture."""

from collections import Counter
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime, timedelta, timezone
from typing import Any

import pytest
from msgspec.structs import replace

from aisha.adapters.dynamodb.conversations import DynamoDBConversationRepository
from aisha.domain.conversations.conversation import (
    Conversation,
    Message,
    PendingConfirmation,
    Session,
    SessionEntity,
    ToolSummary,
)
from aisha.domain.errors import InvalidInputError, NotFoundError, PayloadTooLargeError
from aisha.domain.ports import ConversationRepository
from tests.contract.recorded_requests import recorded_requests
from tests.fakes.stores.in_memory import InMemoryConversationRepository

NOW = datetime(2026, 3, 2, 9, 0, tzinfo=UTC)
TURNS_AT_ONCE = 20


@pytest.fixture
def stored(dynamodb: Any) -> DynamoDBConversationRepository:
    return DynamoDBConversationRepository(
        dynamodb.conversations_table, region=dynamodb.region, endpoint=dynamodb.endpoint
    )


@pytest.fixture(params=["in_memory", pytest.param("dynamodb", marks=pytest.mark.slow)])
def conversations(request: pytest.FixtureRequest, stored: DynamoDBConversationRepository) -> ConversationRepository:
    return stored if request.param == "dynamodb" else InMemoryConversationRepository()


def new(conversation_id: str = "conv_01", tenant: str = "demo", user: str = "alice", at: datetime = NOW) -> Session:
    return Session(Conversation(conversation_id, tenant, user, "New conversation", at, at), ())


def question(text: str, at: datetime = NOW) -> Message:
    return Message(f"msg_{text}", 0, "user", text, at)


def answer(text: str, at: datetime = NOW) -> Message:
    return Message(f"msg_re_{text}", 0, "assistant", f"re: {text}", at)


def entity(name: str) -> SessionEntity:
    return SessionEntity(f"lead_{name}", "lead", name, (name.lower(),))


def pending(confirmation_id: str = "conf_1") -> PendingConfirmation:
    return PendingConfirmation(
        confirmation_id, "delete_lead", {"lead_id": "lead_1"}, "abc", "Delete it?", True, "msg_1", NOW
    )


def converse(conversations: ConversationRepository, session: Session, text: str, **changes: Any) -> Conversation:
    begun = conversations.begin(session, question(text))
    return conversations.finish(begun, replace(begun.conversation, **changes), answer(text))


def load(conversations: ConversationRepository, last: int = 50) -> Session:
    return conversations.load("demo", "alice", "conv_01", last)


def texts(session: Session) -> list[str]:
    return [message.content for message in session.messages]


# --- one turn after the other


def test_a_turn_is_read_back_in_order(conversations: ConversationRepository) -> None:
    converse(conversations, new(), "one")
    converse(conversations, load(conversations), "two")
    session = load(conversations)
    assert texts(session) == ["one", "re: one", "two", "re: two"]
    assert [message.sequence for message in session.messages] == [1, 2, 3, 4]
    assert all(message.finished for message in session.messages)


def test_only_the_last_messages_are_loaded_oldest_first(conversations: ConversationRepository) -> None:
    for text in ("one", "two", "three"):
        session = load(conversations) if text != "one" else new()
        converse(conversations, session, text)
    assert texts(load(conversations, last=3)) == ["re: two", "three", "re: three"]
    assert texts(load(conversations, last=0)) == []


def test_a_question_is_kept_before_its_answer_is_known(conversations: ConversationRepository) -> None:
    begun = conversations.begin(new(), question("hello"))
    user, unfinished = load(conversations).messages
    assert (user.content, user.finished) == ("hello", True)
    assert (unfinished.role, unfinished.finished) == ("assistant", False)
    assert begun.conversation.sequence == unfinished.sequence == 2


def test_everything_about_a_message_and_a_head_is_kept(conversations: ConversationRepository) -> None:
    summary = ToolSummary(
        "c1", "search_leads", {"limit": 5, "score": 0.5, "a": [None, "ü"]}, "executed", "Found 1", (entity("Jack"),)
    )
    zone = timezone(timedelta(hours=-5))
    reply = Message(
        "msg_2",
        2,
        "assistant",
        "Grüße 👋",
        NOW.astimezone(zone),
        (summary,),
        {"model": "m"},
        {"blob": {"x": 1.5}},
        True,
    )
    begun = conversations.begin(new(), question("hello"))
    after = replace(
        begun.conversation, title="Leads", summary="About leads", pending=pending(), entities=(entity("Jack"),)
    )
    finished = conversations.finish(begun, after, reply)
    session = load(conversations)
    assert session.messages[1] == reply
    assert session.conversation == finished
    assert (finished.title, finished.summary, finished.pending) == ("Leads", "About leads", pending())
    assert finished.entities == (entity("Jack"),)


def test_the_conversation_begins_with_version_one(conversations: ConversationRepository) -> None:
    assert conversations.begin(new(), question("hello")).conversation.version == 1


# --- one user's alone


@pytest.mark.parametrize(("tenant", "user"), [("demo", "bob"), ("rival", "alice"), ("rival", "rita")])
def test_a_conversation_of_another_user_does_not_exist(
    conversations: ConversationRepository, tenant: str, user: str
) -> None:
    converse(conversations, new(), "secret")
    reads: list[Callable[[], object]] = [
        lambda: conversations.load(tenant, user, "conv_01", 10),
        lambda: conversations.messages(tenant, user, "conv_01", 10, None),
        lambda: conversations.delete(tenant, user, "conv_01"),
    ]
    for read in reads:
        with pytest.raises(NotFoundError) as raised:
            read()
        assert raised.value.entity_type == "conversation"
    assert conversations.recent(tenant, user, 10, None) == ([], None)
    assert texts(load(conversations)) == ["secret", "re: secret"]


def test_parts_of_a_key_can_not_be_shifted_into_each_other(conversations: ConversationRepository) -> None:
    converse(conversations, new("c", tenant="a", user="b#x"), "hello")
    for tenant, user, conversation_id in (("a#b", "x", "c"), ("a", "b", "x#c"), ("a", "b%23x", "c")):
        with pytest.raises(NotFoundError):
            conversations.load(tenant, user, conversation_id, 10)


@pytest.mark.parametrize("conversation_id", ["", "x" * 5000, "~head", "conv_01#m", "é" * 150])
def test_an_odd_id_is_just_not_found(conversations: ConversationRepository, conversation_id: str) -> None:
    with pytest.raises(NotFoundError):
        conversations.load("demo", "alice", conversation_id, 10)


# --- simultaneous turns


def test_turns_at_once_lose_nothing(conversations: ConversationRepository) -> None:
    def turn(number: int) -> None:
        session = new()
        begun = conversations.begin(session, question(f"q{number}"))
        mine = (entity(f"E{number}"), *begun.conversation.entities)
        conversations.finish(begun, replace(begun.conversation, entities=mine), answer(f"q{number}"))

    with ThreadPoolExecutor(TURNS_AT_ONCE) as pool:
        list(pool.map(turn, range(TURNS_AT_ONCE)))
    session = load(conversations)
    pairs = list(zip(texts(session)[::2], texts(session)[1::2], strict=True))
    assert sorted(pairs) == sorted((f"q{number}", f"re: q{number}") for number in range(TURNS_AT_ONCE))
    assert [message.sequence for message in session.messages] == list(range(1, 2 * TURNS_AT_ONCE + 1))
    assert all(message.finished for message in session.messages)
    names = Counter(one.name for one in session.conversation.entities)
    assert names == Counter(f"E{number}" for number in range(TURNS_AT_ONCE))
    assert session.conversation.version == session.conversation.sequence == 2 * TURNS_AT_ONCE


def test_a_turn_that_was_overtaken_sees_what_was_said(conversations: ConversationRepository) -> None:
    converse(conversations, new(), "one")
    stale = load(conversations)
    converse(conversations, load(conversations), "two")
    begun = conversations.begin(stale, question("three"))
    assert texts(begun) == ["one", "re: one", "two", "re: two"]
    assert begun.conversation.sequence == 6


def test_the_turn_that_ends_last_puts_its_records_in_front(conversations: ConversationRepository) -> None:
    converse(conversations, new(), "one", entities=(entity("A"), entity("B")))
    slow = conversations.begin(load(conversations), question("slow"))
    quick = conversations.begin(load(conversations), question("quick"))
    quick_head = replace(quick.conversation, entities=(entity("Q"), entity("A"), entity("B")), title="Quick")
    conversations.finish(quick, quick_head, answer("quick"))
    slow_head = replace(slow.conversation, entities=(entity("S"), entity("B"), entity("A")))
    head = conversations.finish(slow, slow_head, answer("slow"))
    assert [one.name for one in head.entities] == ["S", "B", "Q", "A"]
    assert head.title == "Quick"


def test_a_turn_without_records_leaves_the_order_alone(conversations: ConversationRepository) -> None:
    converse(conversations, new(), "one", entities=(entity("A"),))
    slow = conversations.begin(load(conversations), question("slow"))
    converse(conversations, load(conversations), "quick", entities=(entity("Q"), entity("A")), pending=pending())
    head = conversations.finish(slow, slow.conversation, answer("slow"))
    assert [one.name for one in head.entities] == ["Q", "A"]
    assert head.pending == pending()


def test_a_record_that_a_turn_dropped_stays_dropped(conversations: ConversationRepository) -> None:
    converse(conversations, new(), "one", entities=(entity("A"), entity("B")))
    slow = conversations.begin(load(conversations), question("delete A"))
    converse(conversations, load(conversations), "quick", entities=(entity("Q"), entity("A"), entity("B")))
    head = conversations.finish(slow, replace(slow.conversation, entities=(entity("B"),)), answer("slow"))
    assert [one.name for one in head.entities] == ["Q", "B"]


def test_at_most_twenty_records_are_kept_in_mind(conversations: ConversationRepository) -> None:
    many = tuple(entity(f"E{number}") for number in range(30))
    assert converse(conversations, new(), "many", entities=many).entities == many[:20]


# --- confirmations


def test_one_of_many_takes_the_pending_confirmation(conversations: ConversationRepository) -> None:
    head = converse(conversations, new(), "delete it", pending=pending())
    with ThreadPoolExecutor(8) as pool:
        taken = list(pool.map(lambda _: conversations.take_pending(head, "conf_1"), range(8)))
    assert sorted(taken) == [False] * 7 + [True]
    assert load(conversations).conversation.pending is None


def test_another_confirmation_is_not_taken(conversations: ConversationRepository) -> None:
    head = converse(conversations, new(), "delete it", pending=pending())
    assert not conversations.take_pending(head, "conf_2")
    assert not conversations.take_pending(new("conv_02").conversation, "conf_1")
    assert load(conversations).conversation.pending == pending()


def test_a_taken_confirmation_does_not_come_back(conversations: ConversationRepository) -> None:
    converse(conversations, new(), "delete it", pending=pending())
    begun = conversations.begin(load(conversations), question("weather?"))
    assert conversations.take_pending(begun.conversation, "conf_1")
    conversations.finish(begun, begun.conversation, answer("weather?"))
    assert load(conversations).conversation.pending is None


def test_settling_a_confirmation_keeps_one_asked_since(conversations: ConversationRepository) -> None:
    converse(conversations, new(), "delete it", pending=pending())
    settling = conversations.begin(load(conversations), question("yes"))
    converse(conversations, load(conversations), "and that", pending=pending("conf_2"))
    head = conversations.finish(settling, replace(settling.conversation, pending=None), answer("yes"))
    assert head.pending == load(conversations).conversation.pending == pending("conf_2")


def test_a_turn_takes_the_place_of_messages(conversations: ConversationRepository) -> None:
    converse(conversations, new(), "hello")
    converse(conversations, load(conversations), "wether?")
    replaced = load(conversations).messages[2:]
    begun = conversations.begin(load(conversations), question("weather?"))
    assert texts(load(conversations))[2:4] == ["wether?", "re: wether?"], "until the new answer is there"
    conversations.finish(begun, begun.conversation, answer("weather?"), replaced)
    assert texts(load(conversations)) == ["hello", "re: hello", "weather?", "re: weather?"]
    page, _ = conversations.messages("demo", "alice", "conv_01", 50, None)
    assert [message.content for message in page] == texts(load(conversations))


# --- lists


def test_conversations_are_listed_newest_first_page_by_page(conversations: ConversationRepository) -> None:
    for number in range(5):
        at = NOW + timedelta(minutes=number)
        conversations.begin(new(f"conv_{number}", at=at), question("hi", at))
    later = NOW + timedelta(hours=1)
    conversations.begin(conversations.load("demo", "alice", "conv_1", 5), question("again", later))
    listed: list[str] = []
    cursor = None
    for _ in range(3):
        page, cursor = conversations.recent("demo", "alice", 2, cursor)
        listed += [head.id for head in page]
    assert listed == ["conv_1", "conv_4", "conv_3", "conv_2", "conv_0"]
    assert cursor is None


def test_a_cursor_of_another_user_leads_nowhere(conversations: ConversationRepository) -> None:
    for number in range(3):
        conversations.begin(new(f"conv_{number}"), question("hi"))
    _, cursor = conversations.recent("demo", "alice", 1, None)
    with pytest.raises(InvalidInputError):
        conversations.recent("demo", "bob", 1, cursor)


@pytest.mark.parametrize("cursor", ["nonsense", "é", "W10", "e30"])
def test_a_made_up_cursor_is_refused(conversations: ConversationRepository, cursor: str) -> None:
    converse(conversations, new(), "one")
    with pytest.raises(InvalidInputError):
        conversations.recent("demo", "alice", 2, cursor)
    with pytest.raises(InvalidInputError):
        conversations.messages("demo", "alice", "conv_01", 2, cursor)


@pytest.mark.parametrize("limit", [0, -1, 51])
def test_a_page_has_bounds(conversations: ConversationRepository, limit: int) -> None:
    converse(conversations, new(), "one")
    with pytest.raises(InvalidInputError):
        conversations.recent("demo", "alice", limit, None)
    with pytest.raises(InvalidInputError):
        conversations.messages("demo", "alice", "conv_01", limit, None)


def test_messages_are_listed_oldest_first_page_by_page(conversations: ConversationRepository) -> None:
    converse(conversations, new(), "one")
    converse(conversations, load(conversations), "two")
    first, cursor = conversations.messages("demo", "alice", "conv_01", 3, None)
    second, end = conversations.messages("demo", "alice", "conv_01", 3, cursor)
    assert [message.content for message in first + second] == ["one", "re: one", "two", "re: two"]
    assert end is None


# --- deleting


def test_a_deleted_conversation_is_gone_with_its_messages(conversations: ConversationRepository) -> None:
    for number in range(20):
        converse(conversations, load(conversations) if number else new(), f"q{number}")
    converse(conversations, new("conv_02"), "other")
    conversations.delete("demo", "alice", "conv_01")
    with pytest.raises(NotFoundError):
        load(conversations)
    with pytest.raises(NotFoundError):
        conversations.delete("demo", "alice", "conv_01")
    assert [head.id for head in conversations.recent("demo", "alice", 10, None)[0]] == ["conv_02"]
    conversations.begin(new(), question("fresh"))
    assert texts(load(conversations)) == ["fresh", ""]


def test_a_turn_does_not_bring_a_deleted_conversation_back(conversations: ConversationRepository) -> None:
    begun = conversations.begin(new(), question("hello"))
    conversations.delete("demo", "alice", "conv_01")
    with pytest.raises(NotFoundError):
        conversations.finish(begun, begun.conversation, answer("hello"))
    with pytest.raises(NotFoundError):
        conversations.begin(begun, question("still there?"))
    assert conversations.recent("demo", "alice", 10, None) == ([], None)


# --- requests and items of DynamoDB


@pytest.mark.parametrize("turns", [1, 20, pytest.param(100, marks=pytest.mark.slow)])
def test_a_turn_takes_three_requests_however_long_the_talk(stored: DynamoDBConversationRepository, turns: int) -> None:
    for number in range(turns):
        converse(stored, stored.load("demo", "alice", "conv_01", 0) if number else new(), f"q{number}")
    with recorded_requests() as operations:
        begun = stored.begin(stored.load("demo", "alice", "conv_01", 10), question("now"))
        stored.finish(begun, replace(begun.conversation, entities=(entity("A"),)), answer("now"))
    assert operations == ["Query", "TransactWriteItems", "TransactWriteItems"]
    assert len(begun.messages) == min(2 * turns, 10)


def test_what_is_too_large_says_so_and_leaves_nothing(stored: DynamoDBConversationRepository) -> None:
    converse(stored, new(), "one")
    with pytest.raises(PayloadTooLargeError):
        stored.begin(stored.load("demo", "alice", "conv_01", 10), question("x" * 450_000))
    assert texts(stored.load("demo", "alice", "conv_01", 10)) == ["one", "re: one"]


def test_items_expire_as_long_after_the_turn_as_was_asked(dynamodb: Any) -> None:
    stored = DynamoDBConversationRepository(
        dynamodb.conversations_table, region=dynamodb.region, endpoint=dynamodb.endpoint, days=30
    )
    converse(stored, new(), "one")
    expected = int((NOW + timedelta(days=30)).timestamp())
    assert {item.expires_at for item in stored._model.scan()} == {expected}


# --- titles


def test_a_new_title_is_stored_and_a_running_turn_keeps_it(conversations: ConversationRepository) -> None:
    converse(conversations, new(), "one")
    begun = conversations.begin(load(conversations), question("two"))
    renamed = conversations.rename("demo", "alice", "conv_01", "Renewal of ABC Corp")
    assert (renamed.title, renamed.updated_at) == ("Renewal of ABC Corp", begun.conversation.updated_at)
    conversations.finish(begun, begun.conversation, answer("two"))
    stored = load(conversations)
    assert (stored.conversation.title, texts(stored)) == ("Renewal of ABC Corp", ["one", "re: one", "two", "re: two"])


def test_only_the_owner_can_rename_a_conversation(conversations: ConversationRepository) -> None:
    converse(conversations, new(), "one")
    for tenant, user in (("demo", "bob"), ("rival", "alice")):
        with pytest.raises(NotFoundError):
            conversations.rename(tenant, user, "conv_01", "Mine")
    assert load(conversations).conversation.title == "New conversation"
