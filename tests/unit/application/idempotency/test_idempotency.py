"""Idempotency keys: one attempt at a time, stored answers, and release after an error."""

from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from random import Random
from typing import Any
from unittest.mock import Mock

import pytest
from ulid import ULID

from aisha.application.idempotency.keys import LEASE_TTL, Attempt, IdempotencyKeys, StoredAnswer, fingerprint_of
from aisha.application.idempotency.operation_ids import SUFFIX_LENGTH, operation_ulid, sibling_ulid
from aisha.domain.entries import Entry
from aisha.domain.errors import AishaError, ConflictError, InProgressError, InvalidInputError
from aisha.domain.principal import Principal
from tests.fakes.stores.in_memory import FixedClock, InMemoryEntryRepository

ANSWER = StoredAnswer(200, "application/json", '{"id":"note_1"}')
REQUEST, OTHER = (fingerprint_of("POST", "/things", body) for body in (b'{"a": 1}', b'{"a": 2}'))


@pytest.fixture
def clock() -> FixedClock:
    return FixedClock()


@pytest.fixture
def entries(clock: FixedClock) -> InMemoryEntryRepository:
    return InMemoryEntryRepository(clock)


@pytest.fixture
def keys(entries: InMemoryEntryRepository, clock: FixedClock) -> IdempotencyKeys:
    return IdempotencyKeys(entries, clock, Principal("demo", "alice"))


def take(keys: IdempotencyKeys, key: str = "k1", request: str = REQUEST) -> Attempt:
    attempt = keys.take(key, request)
    assert isinstance(attempt, Attempt)
    return attempt


def test_the_answer_is_replayed_for_a_day(keys: IdempotencyKeys, clock: FixedClock) -> None:
    keys.keep(take(keys), ANSWER)
    clock.advance(timedelta(hours=23, minutes=59))
    assert keys.take("k1", REQUEST) == ANSWER
    clock.advance(timedelta(minutes=1))
    assert isinstance(keys.take("k1", REQUEST), Attempt)


@pytest.mark.parametrize("is_answered", [True, False])
def test_a_key_is_for_one_request(keys: IdempotencyKeys, is_answered: bool) -> None:
    attempt = take(keys)
    if is_answered:
        keys.keep(attempt, ANSWER)
    with pytest.raises(InvalidInputError, match="another request"):
        keys.take("k1", OTHER)
    assert isinstance(keys.take("k2", OTHER), Attempt)


def test_while_the_first_runs_the_second_waits_and_then_takes_over_the_same_write(
    keys: IdempotencyKeys, clock: FixedClock
) -> None:
    first = take(keys)
    with pytest.raises(ConflictError, match="worked on"):
        keys.take("k1", REQUEST)
    clock.advance(LEASE_TTL)
    second = take(keys)
    assert second.operation == first.operation
    keys.keep(second, ANSWER)
    keys.keep(first, StoredAnswer(200, "application/json", "late"))
    assert keys.take("k1", REQUEST) == ANSWER


def test_of_many_at_once_one_gets_the_key(keys: IdempotencyKeys) -> None:
    def attempt(_: int) -> bool:
        try:
            return isinstance(keys.take("k1", REQUEST), Attempt)
        except ConflictError:
            return False

    with ThreadPoolExecutor(8) as pool:
        assert sum(pool.map(attempt, range(32))) == 1


def test_who_is_overtaken_between_looking_and_taking_does_not_run(
    keys: IdempotencyKeys, entries: InMemoryEntryRepository, monkeypatch: pytest.MonkeyPatch
) -> None:
    find, overtaking = entries.find, list[Attempt]()

    def find_and_lose(*args: Any) -> Entry | None:
        found = find(*args)
        if not overtaking:
            monkeypatch.setattr(entries, "find", find)
            overtaking.append(take(keys))
        return found

    monkeypatch.setattr(entries, "find", find_and_lose)
    with pytest.raises(InProgressError, match="worked on"):
        keys.take("k1", REQUEST)
    keys.keep(overtaking[0], ANSWER)
    assert keys.take("k1", REQUEST) == ANSWER


def test_a_second_attempt_knows_that_another_one_began(keys: IdempotencyKeys, clock: FixedClock) -> None:
    assert not keys.is_unanswered("k1")
    assert not take(keys).is_resumed
    assert keys.is_unanswered("k1")
    clock.advance(LEASE_TTL)
    second = take(keys)
    assert second.is_resumed
    keys.keep(second, ANSWER)
    assert not keys.is_unanswered("k1")


@pytest.mark.parametrize(("operation", "number"), [("op_1", 0), ("op_1.7", 7), ("op_1.12", 12)])
def test_ids_of_a_repeated_operation_differ_in_their_time_alone(operation: str, number: int) -> None:
    first, again = (operation_ulid(operation, "note", 3) for _ in range(2))
    assert first[-SUFFIX_LENGTH:] == again[-SUFFIX_LENGTH:]
    assert ULID.from_str(first).bytes[6:10] == number.to_bytes(2) + b"\0\3"
    others = (operation_ulid("op_2", "note", 3), operation_ulid(operation, "task", 3))
    assert all(other[-SUFFIX_LENGTH:] != first[-SUFFIX_LENGTH:] for other in others)


def test_ids_of_one_moment_sort_by_the_call_and_then_by_the_place(monkeypatch: pytest.MonkeyPatch) -> None:
    moment = ULID()
    monkeypatch.setattr("aisha.application.idempotency.operation_ids.ULID", Mock(wraps=ULID, return_value=moment))
    ids = [operation_ulid(f"op.{call}", "note", place) for call in (2, 10) for place in (0, 1)]
    assert ids == sorted(ids)
    sibling = sibling_ulid(ids[0], "question")
    assert (sibling[:10], sibling == ids[0]) == (ids[0][:10], False)
    assert sibling == sibling_ulid(ids[0], "question")


def test_what_was_refused_leaves_the_key_for_another_request(keys: IdempotencyKeys) -> None:
    first = take(keys)
    keys.release(first, is_settled=True)
    assert take(keys, request=OTHER).operation != first.operation


@pytest.mark.parametrize("is_settled", [True, False])
def test_a_late_release_leaves_the_key_with_its_next_owner(
    keys: IdempotencyKeys, clock: FixedClock, is_settled: bool
) -> None:
    first = take(keys)
    clock.advance(LEASE_TTL)
    second = take(keys)
    keys.release(first, is_settled=is_settled)
    with pytest.raises(ConflictError, match="worked on"):
        keys.take("k1", REQUEST)
    keys.keep(second, ANSWER)
    assert keys.take("k1", REQUEST) == ANSWER


def test_what_may_have_been_written_can_only_be_tried_again(keys: IdempotencyKeys) -> None:
    first = take(keys)
    keys.release(first, is_settled=False)
    with pytest.raises(InvalidInputError):
        keys.take("k1", OTHER)
    assert take(keys).operation == first.operation


def test_a_key_is_its_users_own(keys: IdempotencyKeys, entries: InMemoryEntryRepository, clock: FixedClock) -> None:
    keys.keep(take(keys), ANSWER)
    for other in (Principal("demo", "bob"), Principal("rival", "alice")):
        assert isinstance(IdempotencyKeys(entries, clock, other).take("k1", OTHER), Attempt)


@pytest.mark.parametrize(
    "text", ["data: {}\n\n" * 100_000, "größer: \ud83d".encode("utf-8", "replace").decode() * 500, "x"]
)
def test_a_long_answer_comes_back_as_it_was(keys: IdempotencyKeys, text: str) -> None:
    answer = StoredAnswer(200, "text/event-stream", text)
    keys.keep(take(keys), answer)
    assert keys.take("k1", REQUEST) == answer


def test_an_answer_too_long_to_keep_does_not_turn_into_an_error(keys: IdempotencyKeys) -> None:
    keys.keep(take(keys), StoredAnswer(200, "application/json", Random(1).randbytes(500_000).hex()))
    with pytest.raises(ConflictError):
        keys.take("k1", REQUEST)


@pytest.mark.parametrize("key", ["", "x" * 256, "schlüssel", "a\nb"])
def test_an_invalid_key_is_refused(keys: IdempotencyKeys, key: str) -> None:
    with pytest.raises(AishaError, match="1 to 255"):
        keys.take(key, REQUEST)


@pytest.mark.parametrize("key", ["x", "x" * 255, "with space ~"])
def test_each_key_of_1_to_255_printable_characters_is_taken(keys: IdempotencyKeys, key: str) -> None:
    keys.keep(take(keys, key), ANSWER)
    assert keys.take(key, REQUEST) == ANSWER


def test_a_fingerprint_covers_method_path_and_content() -> None:
    same = fingerprint_of("POST", "/things", b'{ "b":[1], "a" : 1 }')
    assert fingerprint_of("POST", "/things", b'{"a":1,"b":[1]}') == same
    other_requests = [
        ("PUT", "/things", b'{"a":1,"b":[1]}'),
        ("POST", "/thing", b'{"a":1,"b":[1]}'),
        ("POST", "/things", b"{"),
    ]
    assert len({same, *(fingerprint_of(*other) for other in other_requests)}) == 4
