"""The id and the title of a conversation that a client begins."""

import hashlib
import json

from ulid import ULID

from aisha.domain.ids import CONVERSATION_ID

MAX_TITLE_LENGTH = 60
_DIGEST_BYTES = 16
"""As many as a ULID has."""


def conversation_id_of(tenant: str, user: str, client_id: str) -> str:
    """Our id for a client's: one of ours stays itself, any other is hashed together with tenant and user.

    So two users whose clients count from 1 never meet, and an id that somebody else knows opens nothing.
    """
    if CONVERSATION_ID.fullmatch(client_id):
        return client_id
    key = json.dumps([tenant, user, client_id]).encode()
    return f"conv_{ULID(hashlib.sha256(key).digest()[:_DIGEST_BYTES])}"


def title_of(message: str) -> str:
    """Return the title of a conversation that begins with `message`."""
    return " ".join(message.split())[:MAX_TITLE_LENGTH]
