"""Parameter types and rules that all toolkits share."""

from collections.abc import Iterable, Mapping
from datetime import datetime
from typing import Annotated, Any

from pydantic import AfterValidator, Field

from aisha.application.tooling.context import ToolContext
from aisha.domain.errors import InvalidInputError
from aisha.domain.mail import MAIL_ADDRESS_FIELD
from aisha.domain.queries import MAX_PAGE

Limit = Annotated[int, Field(ge=1, le=MAX_PAGE), "At most so many"]
Cursor = Annotated[str | None, "next_cursor of the page before"]
NameContains = Annotated[
    str | None, Field(max_length=200), "Words of the name; case, accents and one typo do not matter"
]
Owner = Annotated[str | None, Field(max_length=100), "User id, or 'me'"]
RecordId = Annotated[str, Field(min_length=1, max_length=60)]
Text = Annotated[str, Field(min_length=1, max_length=200)]
Email = Annotated[str, Field(max_length=254, pattern=MAIL_ADDRESS_FIELD)]
Phone = Annotated[str, Field(min_length=3, max_length=40)]


def _lowered(value: list[str]) -> list[str]:
    return [item.lower() for item in value]


Tags = Annotated[list[Text], Field(max_length=20), AfterValidator(_lowered)]


def owner_id(context: ToolContext, owner: str | None) -> str | None:
    """Return the user id for `owner`, a user id or e.g. `me`; None for None."""
    if owner is None:
        return None
    return context.principal.user if owner.strip().lower() in ("me", "myself", "mine") else owner.strip().lower()


def check_action(action: str, takes: Mapping[str, Iterable[str]], **values: Any) -> None:
    """Raise `InvalidInputError` for a value that the tool's action would ignore."""
    names = tuple(takes.get(action, ()))
    for name, value in values.items():
        if value is not None and name not in names:
            fitting = [other for other, other_names in takes.items() if name in other_names]
            raise InvalidInputError(
                f"{name} is not for the action {action}",
                pointer=f"/{name}",
                suggestion=f"Leave it out, or use the action {' or '.join(fitting)}.",
            )


def require_future(time: datetime, context: ToolContext, field: str) -> datetime:
    """Return the time. Raises `InvalidInputError` when it has passed: nothing is scheduled in the past."""
    if time < context.now:
        raise InvalidInputError(
            f"{field} lies in the past: {time.isoformat(timespec='minutes')}",
            suggestion="Ask for a time that is still to come.",
            pointer=f"/{field}",
        )
    return time
