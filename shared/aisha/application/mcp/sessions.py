"""Sessions that are kept nowhere: the id itself says what the client told in its greeting.

Nobody gains anything by making one up: who a request is from its token alone says, and a client that claims to have its
user asked only has itself asked.
"""

import re

from ulid import ULID

from aisha.domain.errors import NotFoundError

SESSION_HEADER = "mcp-session-id"
_ASKED = "e"
_ID = re.compile(r"[0-9A-HJKMNP-TV-Z]{26}-(e?)")


def new_session_id(can_be_asked: bool) -> str:
    """An id for a client that greeted. `can_be_asked`: it lets its user be asked with a form."""
    return f"{ULID()}-{_ASKED if can_be_asked else ''}"


def session_can_be_asked(session_id: str | None) -> bool:
    """What the id says; without one nobody can be asked. Raises `NotFoundError` for what is no id of ours."""
    if session_id is None:
        return False
    if (known := _ID.fullmatch(session_id)) is None:
        raise NotFoundError("There is no such session.", suggestion="Send `initialize` again, without a session id.")
    return bool(known[1])
