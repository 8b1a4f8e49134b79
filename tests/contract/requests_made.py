"""Watches what an adapter asks of DynamoDB."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from pynamodb.connection import Connection


@contextmanager
def calls() -> Iterator[list[str]]:
    """The requests that go to DynamoDB meanwhile, by the name of their operation."""
    seen: list[str] = []
    dispatch = Connection.dispatch

    def see(self: Connection, operation_name: str, operation_kwargs: Any) -> Any:
        seen.append(operation_name)
        return dispatch(self, operation_name, operation_kwargs)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Connection, "dispatch", see)
        yield seen
