"""Errors as problem documents: what they tell people to do."""

import json

import pytest

from aisha.domain.errors import AishaError, ConflictError, NotFoundError, PayloadTooLargeError
from aisha.renderers.problem import problem


@pytest.mark.parametrize("kind", [AishaError, ConflictError, NotFoundError, PayloadTooLargeError])
def test_an_error_says_what_to_do(kind: type[AishaError]) -> None:
    general = json.loads(problem(kind("It is not there"), "req_1").body)
    own = json.loads(problem(kind("It is not there", suggestion="Look under the sofa."), "req_1").body)
    assert general["suggestion"].endswith(".")
    assert own["suggestion"] == "Look under the sofa."
