"""Parameter types and rules that all toolkits share."""

from collections.abc import Iterable, Mapping
from datetime import datetime
from typing import Annotated, Any

from pydantic import AfterValidator, BeforeValidator, Field

from aisha.application.tooling.context import ToolContext
from aisha.domain.crm.queries import MAX_PAGE
from aisha.domain.errors import InvalidInputError, MissingFieldError
from aisha.domain.external.mail import MAIL_ADDRESS_FIELD
from aisha.domain.wording import format_moment, humanise

Limit = Annotated[int, Field(ge=1, le=MAX_PAGE), f"Results, at most {MAX_PAGE}"]
Cursor = Annotated[str | None, "next_cursor of the last page"]
NameContains = Annotated[str | None, Field(max_length=200), "Words of the name, typos allowed"]
Owner = Annotated[str | None, Field(max_length=100), "User id, or 'me'"]
RecordId = Annotated[str, Field(min_length=1, max_length=60)]
Minutes = Annotated[int, Field(ge=1, le=24 * 60)]
Text = Annotated[str, Field(min_length=1, max_length=200)]
Email = Annotated[str, Field(max_length=254, pattern=MAIL_ADDRESS_FIELD)]
Phone = Annotated[str, Field(min_length=3, max_length=40)]
InLowerCase = BeforeValidator(lambda value: value.strip().lower() if isinstance(value, str) else value)
"""Accepts a word of a `Literal` in any case, as models write it."""


def _lower_all(value: list[str]) -> list[str]:
    return [item.lower() for item in value]


Tags = Annotated[list[Text], Field(max_length=20), AfterValidator(_lower_all)]


def owner_id(context: ToolContext, owner: str | None) -> str | None:
    """Return the user id for `owner`, a user id or e.g. `me`; None for None."""
    if owner is None:
        return None
    name = owner.strip().lower()
    return context.principal.user if name in ("me", "myself", "mine") else name


def check_action(action: str, arguments: Mapping[str, Iterable[str]], **values: Any) -> None:
    """Raise `InvalidInputError` for a value that the action does not use. `arguments` are the names used, by action."""
    for name, value in values.items():
        if value is not None and name not in arguments.get(action, ()):
            actions = [other for other, names in arguments.items() if name in names]
            raise InvalidInputError(
                f"{name} is not for the action {action}",
                pointer=f"/{name}",
                suggestion=f"Leave it out, or use the action {' or '.join(actions)}.",
            )


def require_argument[T](name: str, value: T | None, suggestion: str) -> T:
    """Return the value. Raises `MissingFieldError` when it is None."""
    if value is None:
        raise MissingFieldError(name, suggestion=suggestion)
    return value


def require_future(time: datetime, context: ToolContext, field: str) -> datetime:
    """Return the time. Raises `InvalidInputError` when it has passed, since nothing is scheduled in the past."""
    if time < context.now:
        raise InvalidInputError(
            f"The {humanise(field)} is in the past: {format_moment(time, context.now)}",
            suggestion="Ask for a time that is still to come.",
            pointer=f"/{field}",
        )
    return time
