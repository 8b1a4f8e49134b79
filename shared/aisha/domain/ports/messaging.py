"""Ports for messages to people and to their other systems."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime

    from aisha.domain.conversations.events import MoodChanged
    from aisha.domain.external.issues import CloseReason, Issue, IssueComment, IssuePage, IssueState
    from aisha.domain.external.mail import MailMessage


class MailSender(Protocol):
    """Sends email from the configured address of this deployment."""

    def send(self, message: MailMessage) -> str:
        """Send a message and return the service's id.

        A message with the same `message.id` is sent once where the technology supports that. Raises
        `InvalidInputError` when it is refused, and `UnavailableError`.
        """
        ...


class WebhookSender(Protocol):
    """Sends signed messages to the users' URLs."""

    # The URL is a user's own: the adapter refuses addresses of private networks.
    def send(self, url: str, secret: str, message_id: str, body: bytes, at: datetime) -> None:
        """Send the JSON `body`, signed with the receiver's `secret`; receivers deduplicate by `message_id`.

        Raises `PermissionDeniedError` for a forbidden address, `InvalidInputError` when it is refused,
        `UnavailableError` or `DeadlineExceededError` when another try may help.
        """
        ...


class MoodWebhook(Protocol):
    """Sends the users' moods to one address, e.g. of a light or a display; it is the same for all tenants."""

    def push(self, mood: MoodChanged, tenant: str, user: str, message_id: str, at: datetime) -> None:
        """Send the mood and its user, but no text of the conversation. Raises the errors of `WebhookSender.send`."""
        ...


class IssueTracker(Protocol):
    """The issues of this deployment's configured project.

    Every method raises `UnavailableError` when the tracker does not respond or refuses its key, `NotFoundError` for an
    issue or a project that does not exist, `InvalidInputError` for values that the tracker refuses.
    """

    def create(self, title: str, body: str, labels: Sequence[str] = ()) -> Issue:
        """Open an issue and return it."""
        ...

    def get(self, number: int) -> Issue:
        """Return an issue."""
        ...

    def comment(self, number: int, body: str) -> IssueComment:
        """Add a comment and return it."""
        ...

    def close(self, number: int, reason: CloseReason = "completed") -> Issue:
        """Close an issue and return it. Closing a closed one changes nothing."""
        ...

    def issues(self, state: IssueState, labels: Sequence[str], page: int, limit: int) -> IssuePage[Issue]:
        """Return one page of at most `limit` issues, newest first; `page` counts from 1. A page may have fewer."""
        ...

    def comments(self, number: int, page: int, limit: int) -> IssuePage[IssueComment]:
        """Return one page of comments, oldest first."""
        ...
