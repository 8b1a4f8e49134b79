"""DynamoDB requests that are carried out and whose answers never arrive."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from botocore.endpoint import Endpoint
from botocore.exceptions import ReadTimeoutError


@contextmanager
def lost_answers(*operations: str, times: int | None = None) -> Iterator[list[str]]:
    """Lose the answers to these operations, all or the first `times`; yield the names of those that were lost.

    botocore repeats a request without an answer, as it does after a real timeout.
    """
    lost: list[str] = []
    receive = Endpoint._do_get_response  # type: ignore[attr-defined]

    def lose(self: Any, request: Any, operation_model: Any, context: Any) -> Any:
        answer = receive(self, request, operation_model, context)
        if operation_model.name not in operations or (times is not None and len(lost) >= times):
            return answer
        lost.append(operation_model.name)
        return None, ReadTimeoutError(endpoint_url="https://dynamodb.test", error="the answer was lost")

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Endpoint, "_do_get_response", lose)
        # The pauses of botocore between its tries.
        patch.setattr("botocore.endpoint.time.sleep", lambda _: None)
        yield lost
