"""Issues of a project: what is reported as broken or wished for, outside of the CRM."""

from datetime import datetime
from typing import Literal

from msgspec import Struct, field

IssueState = Literal["open", "closed", "all"]
CloseReason = Literal["completed", "not_planned"]


class Issue(Struct, frozen=True):
    """`number` is what people call it by. `url` is its page. `comments` is how many it has. `body` is Markdown."""

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
    """`body` is Markdown."""

    id: int
    author: str
    body: str
    url: str
    created_at: datetime


class IssuePage[T](Struct, frozen=True):
    """`next_page` is the number of the page to go on with, None on the last one."""

    items: list[T] = field(default_factory=list)
    next_page: int | None = None
