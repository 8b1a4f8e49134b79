"""Record the requests that an adapter sends to DynamoDB."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from pynamodb.connection import Connection


@contextmanager
def recorded_requests() -> Iterator[list[str]]:
    """Yield a list that gets the operation name of every request to DynamoDB inside the `with` block."""
    operations: list[str] = []
    dispatch = Connection.dispatch

    def record(self: Connection, operation_name: str, operation_kwargs: Any) -> Any:
        operations.append(operation_name)
        return dispatch(self, operation_name, operation_kwargs)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Connection, "dispatch", record)
        yield operations
