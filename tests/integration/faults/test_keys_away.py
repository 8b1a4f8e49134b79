"""While the store of idempotency keys is away, a request with a key does nothing, and one without is answered."""

from typing import Any

import pytest

from aisha.domain.crm.records import Record
from aisha.domain.errors import UnavailableError
from tests.fakes.aws.api_gateway import assert_problem, chat
from tests.fakes.world import ALICE, World

KEY = {"idempotency-key": "8a1c3e0e-6c0f-4f0f-8a52-7d2a0c5b9d10"}


@pytest.mark.parametrize("method", ["put", "find"])
@pytest.mark.parametrize("message", ["Show me my warm leads", "Add a note to Jack Russel: likes sailing"])
def test_a_request_with_a_key_is_refused_and_nothing_of_it_is_done(
    world: World, crm: dict[str, Record], monkeypatch: pytest.MonkeyPatch, method: str, message: str
) -> None:
    stored = getattr(world.entries, method)

    def unavailable_for_keys(tenant: str, owner: str | None, kind: str, *more: Any, **options: Any) -> Any:
        if kind == "idempotency":
            raise UnavailableError("The store does not answer right now.")
        return stored(tenant, owner, kind, *more, **options)

    monkeypatch.setattr(world.entries, method, unavailable_for_keys)
    problem = assert_problem(chat({"message": message}, ALICE, headers=KEY), 503, "unavailable")
    assert problem["retryable"] is True
    assert world.audit.page("demo", 10) == []
    assert "Jack Russel" in chat({"message": "Show me my warm leads"}, ALICE).json["response"]
