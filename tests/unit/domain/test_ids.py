"""The shapes of ids."""

from datetime import UTC, datetime, timedelta

import pytest
from ulid import ULID

from aisha.domain.crm.records import RECORD_TYPES
from aisha.domain.ids import ID, KNOWN_ID, RECORD_KINDS, UlidSequence, ids_in, new_ulid, record_kind_of


def test_every_type_of_record_has_its_kind_of_id() -> None:
    assert set(RECORD_KINDS) == set(RECORD_TYPES)


def test_an_id_tells_its_record_type() -> None:
    assert record_kind_of(f"lead_{ULID()}") == "lead"
    for text in ("lead", "lead_1", f"planet_{ULID()}", f"conv_{ULID()}", str(ULID())):
        assert record_kind_of(text) is None


def test_ids_are_told_from_other_words() -> None:
    assert ID.fullmatch(f"planet_{ULID()}")
    assert not KNOWN_ID.fullmatch(f"planet_{ULID()}")
    assert KNOWN_ID.fullmatch(f"conv_{ULID()}".lower())
    assert not ID.fullmatch("lead_generation")


ANN = "lead_01JD3Q8S5V0W8Y2Z6T4R9K7M1N"


@pytest.mark.parametrize(
    ("text", "ids"),
    [
        (f"{ANN}, {ANN.upper()} and ({ANN}) lead_time", [ANN, ANN]),
        (f"My{ANN}{ANN}", [f"y{ANN}", ANN]),
        (f"{'a' * 30}{ANN[4:]} x{ANN[4:]} {ANN[4:]}", [f"{'a' * 20}{ANN[4:]}"]),
        ("", []),
    ],
)
def test_ids_are_read_from_a_text_whatever_stands_around_them(text: str, ids: list[str]) -> None:
    assert [*ids_in(text)] == ids == [match[0] for match in ID.finditer(text)]


def test_a_new_ulid_is_one_of_the_current_time_and_higher_than_the_one_before() -> None:
    before = datetime.now(UTC)
    ulids = [new_ulid() for _ in range(2000)]
    assert ulids == sorted(set(ulids))
    for text in (ulids[0], ulids[-1]):
        assert before - timedelta(milliseconds=1) <= ULID.from_str(text).datetime <= datetime.now(UTC)


def test_ulids_of_a_given_time_have_that_time_and_differ_at_random_from_those_of_another_process() -> None:
    now = datetime(2026, 11, 28, 9, 30, 15, 250_000, UTC)
    here, elsewhere = UlidSequence(), UlidSequence()
    first, second, other = here.next(now), here.next(now), elsewhere.next(now)
    assert [ULID.from_str(text).datetime for text in (first, second, other)] == [now] * 3
    assert first < second
    assert len({first, second, other}) == 3
    assert here.next(now + timedelta(milliseconds=1)) > second
