"""Orders that several models read together, and one of them takes for something else."""

from collections.abc import Iterable, Mapping, Sequence

import pytest

from aisha.domain.language.reader import MIN_DISPUTING, read
from aisha.domain.language.tokens import Token

READ_TOGETHER = {"update_record": 0.8, "search": 0.2}


class TwoModels:
    """An encoder whose one segment has an act by both models together, and one by each of them."""

    def __init__(self, *acts: Mapping[str, float]) -> None:
        self._acts = list(acts)
        self._count = 0

    def read(self, tokens: Sequence[Token], marks: Sequence[Iterable[str]]) -> "TwoModels":
        self._count = len(tokens)
        return self

    def tags(self) -> list[str]:
        return ["O"] * self._count

    def starts(self, tags: Sequence[str]) -> list[int]:
        return [0]

    def acts(self, first: int, last: int, tags: Sequence[str]) -> list[Mapping[str, float]]:
        return self._acts


def is_disputed(*acts: Mapping[str, float]) -> bool:
    (segment,) = read("mark her warm", encoder=TwoModels(*acts)).segments
    return segment.is_disputed


@pytest.mark.parametrize("other", ["hypothetical", "search", "create_note"])
def test_an_order_is_disputed_by_a_model_that_finds_another_act(other: str) -> None:
    doubting = {other: MIN_DISPUTING, "update_record": 0.3}
    assert is_disputed(READ_TOGETHER, READ_TOGETHER, doubting)
    assert is_disputed(READ_TOGETHER, doubting, READ_TOGETHER)


def test_an_order_is_not_disputed_by_a_model_that_is_unsure_of_another_act() -> None:
    assert not is_disputed(READ_TOGETHER, {"search": MIN_DISPUTING - 0.01, "update_record": 0.2})


def test_two_acts_that_change_a_record_in_the_same_way_dispute_nothing() -> None:
    assert not is_disputed(READ_TOGETHER, {"advance_stage": 0.9, "update_record": 0.1})


def test_a_question_is_not_disputed() -> None:
    assert not is_disputed({"search": 1.0}, {"update_record": 1.0})


def test_one_model_alone_disputes_nothing() -> None:
    assert not any(segment.is_disputed for segment in read("mark her warm and delete Ann").segments)
