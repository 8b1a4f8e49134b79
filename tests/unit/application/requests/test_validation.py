"""Validation errors as pointers and reasons."""

from typing import Annotated

import pytest
from pydantic import AfterValidator, BaseModel, ValidationError

from aisha.application.requests.validation import field_errors


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
