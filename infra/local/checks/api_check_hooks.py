"""Teach schemathesis what the schema can't: valid time zones, and one Idempotency-Key per request."""

from collections.abc import MutableMapping
from typing import Any
from uuid import uuid4
from zoneinfo import available_timezones

import schemathesis
from hypothesis import strategies

from aisha.application.requests.chat_request import ZONE_FORMAT

KEY = "Idempotency-Key"
MAX_KEY_LENGTH = 255

schemathesis.openapi.format(ZONE_FORMAT, strategies.sampled_from(sorted(available_timezones())))


@schemathesis.hook
def before_call(_: schemathesis.HookContext, case: schemathesis.Case[Any], **__: object) -> None:
    """Replace each valid key by a unique one; invalid keys stay, since they must be refused.

    Not where the bearer token is left out on purpose: schemathesis would put it back into headers that were changed.
    """
    if case.meta is not None and getattr(case.meta.phase.data, "parameter", None) == "Authorization":
        return
    headers: MutableMapping[str, Any] = case.headers or {}
    key = headers.get(KEY)
    if isinstance(key, str) and 1 <= len(key) <= MAX_KEY_LENGTH:
        headers[KEY] = str(uuid4())
