"""The id of a conversation that a client begins, or goes on with before anything of it could be stored."""

import hashlib
import json
from datetime import datetime, timedelta

from ulid import ULID

from aisha.domain.ids import CONVERSATION_ID

_ULID_BYTES = 16
_TIME_BYTES = 6
UNSTORED_TTL = timedelta(days=1)
"""Time within which a conversation that could not be stored may still begin under its id."""


def conversation_id_of(tenant: str, user: str, client_id: str) -> str:
    """Return the conversation's id for a client's id, which is hashed with tenant and user unless it is one of ours.

    So two users' clients may use the same id, and another user's id does not open their conversation.
    """
    if CONVERSATION_ID.fullmatch(client_id):
        return client_id
    key = json.dumps([tenant, user, client_id]).encode()
    return f"conv_{ULID(hashlib.sha256(key).digest()[:_ULID_BYTES])}"


def unstored_id(tenant: str, user: str, now: datetime) -> str:
    """Return the id of a conversation that can't be stored right now. `may_begin` recognises it without any store."""
    return _unstored_id(tenant, user, round(now.timestamp() * 1000))


def may_begin(conversation_id: str, tenant: str, user: str, now: datetime) -> bool:
    """Return whether an id is one that `unstored_id` gave this user within the last day: its conversation may begin."""
    text = conversation_id.removeprefix("conv_")
    try:
        ulid = ULID.from_str(text)
    except ValueError:
        return False
    is_recent = abs(now - ulid.datetime) < UNSTORED_TTL
    # Made again from its time: only an id of this tenant's user comes out the same.
    return is_recent and _unstored_id(tenant, user, ulid.milliseconds) == conversation_id


def _unstored_id(tenant: str, user: str, milliseconds: int) -> str:
    digest = hashlib.sha256(json.dumps([tenant, user, milliseconds]).encode()).digest()
    time = milliseconds.to_bytes(_TIME_BYTES, "big")
    return f"conv_{ULID((time + digest)[:_ULID_BYTES])}"
