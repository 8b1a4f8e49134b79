"""The id of a conversation that a client begins."""

import hashlib
import json

from ulid import ULID

from aisha.domain.ids import CONVERSATION_ID

_ULID_BYTES = 16


def conversation_id_of(tenant: str, user: str, client_id: str) -> str:
    """Return the conversation's id for a client's id, which is hashed with tenant and user unless it is one of ours.

    So two users' clients may use the same id, and another user's id does not open their conversation.
    """
    if CONVERSATION_ID.fullmatch(client_id):
        return client_id
    key = json.dumps([tenant, user, client_id]).encode()
    return f"conv_{ULID(hashlib.sha256(key).digest()[:_ULID_BYTES])}"
