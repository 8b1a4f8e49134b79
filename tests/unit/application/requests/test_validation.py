"""Validation errors as pointers and reasons."""

from typing import Annotated, Literal

import pytest
from pydantic import AfterValidator, BaseModel, Field, ValidationError

from aisha.application.requests.validation import field_errors, validated
from aisha.domain.errors import InvalidInputError


def _odd(value: int) -> int:
    if value % 2 == 0:
        raise ValueError("is even")
    return value


class Numbers(BaseModel):
    by_name: dict[str, list[Annotated[int, AfterValidator(_odd)]]]


def test_each_place_is_a_pointer_by_which_it_is_found_again() -> None:
    with pytest.raises(ValidationError) as raised:
        Numbers.model_validate({"by_name": {"a/b~c": [1, 2]}})
    (error,) = field_errors(raised.value)
    assert (error.pointer, error.reason) == ("/by_name/a~1b~0c/1", "is even")


def test_the_whole_has_the_empty_pointer() -> None:
    with pytest.raises(ValidationError) as raised:
        Numbers.model_validate([])
    assert [error.pointer for error in field_errors(raised.value)] == [""]


class Order(BaseModel):
    items: list[int] = Field(min_length=1)
    kind: Literal["call", "email"]
    note: str | list[int] = ""


@pytest.mark.parametrize(
    ("body", "message"),
    [
        ({"items": [1]}, "The request's `kind` is missing"),
        ({"items": [], "kind": "call"}, "The request's `items` should have at least 1 item, not 0"),
        ({"items": [1], "kind": "fax"}, "The request's `kind` should be 'call' or 'email'"),
        ({"items": [1], "kind": "call", "note": 5}, "The request's `note` should be a valid string"),
        ({"items": [1], "kind": "call", "note": ["a"]}, "The request's `note/0` should be a valid integer, unable to"),
        ([1], "The request should be a JSON object"),
    ],
)
def test_a_wrong_value_is_named_with_what_it_should_be(body: object, message: str) -> None:
    with pytest.raises(InvalidInputError) as caught:
        validated(Order, body)
    assert caught.value.message.startswith(message)
