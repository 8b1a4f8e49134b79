"""Issues of a project: what is reported as broken or wished for, outside of the CRM."""

from dataclasses import dataclass, field
from datetime import datetime
from typing import Literal

IssueState = Literal["open", "closed", "all"]
CloseReason = Literal["completed", "not_planned"]


@dataclass(frozen=True, slots=True)
class Issue:
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


@dataclass(frozen=True, slots=True)
class IssueComment:
    """`body` is Markdown."""

    id: int
    author: str
    body: str
    url: str
    created_at: datetime


@dataclass(frozen=True, slots=True)
class IssuePage[T]:
    """`next_page` is the number of the page to go on with, None on the last one."""

    items: list[T] = field(default_factory=list)
    next_page: int | None = None
