"""The shapes of ids."""

from ulid import ULID

from aisha.domain.crm.records import RECORD_TYPES
from aisha.domain.ids import ID, KNOWN_ID, RECORD_KINDS, record_kind_of


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
