"""Issues of a project in an issue tracker outside of the CRM."""

from datetime import datetime
from typing import Literal

from msgspec import Struct, field

IssueState = Literal["open", "closed", "all"]
CloseReason = Literal["completed", "not_planned"]


class Issue(Struct, frozen=True):
    """An issue. `number` is its public number, `url` its page, `comments` their count; `body` is Markdown."""

    number: int
    title: str
    body: str
    state: Literal["open", "closed"]
    author: str
    url: str
    created_at: datetime
    updated_at: datetime
    labels: tuple[str, ...] = ()
    comments: int = 0


class IssueComment(Struct, frozen=True):
    """A comment on an issue; `body` is Markdown."""

    id: int
    author: str
    body: str
    url: str
    created_at: datetime


class IssuePage[T](Struct, frozen=True):
    """One page of a list. `next_page` is the number of the next one, None on the last."""

    items: list[T] = field(default_factory=list)
    next_page: int | None = None
