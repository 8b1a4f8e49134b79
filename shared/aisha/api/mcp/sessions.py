"""Sessions without a store: the session id encodes the capability that the client announced in `initialize`.

A forged id gains nothing: the user is identified by the token, and elicitation only asks the client's own user.
"""

import re

from aisha.domain.errors import NotFoundError
from aisha.domain.ids import ULID as ULID_PATTERN
from aisha.domain.ids import new_ulid

SESSION_HEADER = "mcp-session-id"
_ELICITS = "e"
# E.g. `01JD3Q9A7C5E3G1J9K7M5N3P1Q-e`; without the `e` the client can't be asked.
_ID = re.compile(rf"{ULID_PATTERN}-(e?)")


def new_session_id(*, can_be_asked: bool) -> str:
    """Return an id for a client. `can_be_asked` is True when it can show its user a form."""
    return f"{new_ulid()}-{_ELICITS if can_be_asked else ''}"


def session_can_be_asked(session_id: str | None) -> bool:
    """Return what the id encodes; False without an id. Raises `NotFoundError` for an id that is not this server's."""
    if session_id is None:
        return False
    if (match := _ID.fullmatch(session_id)) is None:
        raise NotFoundError("There is no such session.", suggestion="Send `initialize` again, without a session id.")
    return bool(match[1])
