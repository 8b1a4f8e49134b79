"""Walks through values of JSON."""

from types import MappingProxyType

from aisha.domain.json_values import texts_in, values_in, with_texts, without_none

VALUE = {"name": "Ann", "calls": [{"title": "Demo", "minutes": 30}, None], "tags": ("a", "b"), "own": {}}


def test_texts_are_found_at_any_depth_in_their_order() -> None:
    assert list(texts_in(VALUE)) == ["Ann", "Demo", "a", "b"]
    assert list(texts_in(MappingProxyType({"name": "Ann"}))) == ["Ann"]


def test_all_values_are_found_each_before_those_in_it() -> None:
    assert list(values_in(VALUE["calls"])) == [VALUE["calls"], {"title": "Demo", "minutes": 30}, "Demo", 30, None]


def test_texts_are_changed_and_nothing_else() -> None:
    upper = {"name": "ANN", "calls": [{"title": "DEMO", "minutes": 30}, None], "tags": ["A", "B"], "own": {}}
    assert with_texts(VALUE, str.upper) == upper


def test_members_that_are_none_are_left_out() -> None:
    assert without_none(name="Ann", age=None, score=0) == {"name": "Ann", "score": 0}
