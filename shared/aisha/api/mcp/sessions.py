"""Sessions without a store: the id itself encodes what the client announced in `initialize`.

A forged id gains nothing: the token alone names the user, and a client that claims to elicit only asks its own user.
"""

import re

from ulid import ULID

from aisha.domain.errors import NotFoundError
from aisha.domain.ids import ULID as ULID_PATTERN

SESSION_HEADER = "mcp-session-id"
_ASKED = "e"
_ID = re.compile(rf"{ULID_PATTERN}-(e?)")


def new_session_id(can_be_asked: bool) -> str:
    """Return an id for a client. `can_be_asked`: its user can be asked with a form."""
    return f"{ULID()}-{_ASKED if can_be_asked else ''}"


def session_can_be_asked(session_id: str | None) -> bool:
    """Return what the id encodes; False without one. Raises `NotFoundError` for what is no id of ours."""
    if session_id is None:
        return False
    if (match := _ID.fullmatch(session_id)) is None:
        raise NotFoundError("There is no such session.", suggestion="Send `initialize` again, without a session id.")
    return bool(match[1])
