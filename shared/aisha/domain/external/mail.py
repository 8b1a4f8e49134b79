"""Email messages and addresses."""

import re
from datetime import datetime

from msgspec import Struct

from aisha.domain.errors import InvalidInputError

# RFC 5322 allows more, such as quoted names, which hardly anybody has and which could break out of a header.
_ATOM = r"[\w!#$%&'*+/=?^`{|}~-]{1,64}"
_LABEL = r"[A-Za-z\d](?:[A-Za-z\d-]{0,61}[A-Za-z\d])?"
_ADDRESS = re.compile(rf"{_ATOM}(?:\.{_ATOM}){{0,9}}@{_LABEL}(?:\.{_LABEL}){{1,9}}", re.ASCII)
MAIL_ADDRESS_FIELD = r"^[^@\s]+@[^@\s]+\.[^@\s]+$"
"""The loose form that a field of a record takes: an address in any alphabet (a JSON Schema pattern)."""
MAIL_DOMAIN = r"[\w-]{1,63}(?:\.[\w-]{1,63}){1,9}"
MAIL_ADDRESS_IN_TEXT = rf"[\w.+-]{{1,64}}@{MAIL_DOMAIN}"
"""An address among other words."""
_CONTROL = re.compile(r"[\x00-\x1f\x7f\x85\u2028\u2029]")
_IDENTIFIER = re.compile(r"[\w.-]{1,64}", re.ASCII)
_MAX_ADDRESS_LENGTH = 254


def is_mail_address(text: str | None) -> bool:
    """Return whether the text is one plain address such as `ann@abc.example`, without a name."""
    return text is not None and len(text) <= _MAX_ADDRESS_LENGTH and _ADDRESS.fullmatch(text) is not None


class MailMessage(Struct, frozen=True):
    """A plain-text message to one person; the `MailSender` adds its own address.

    `id` is the local part of the Message-ID, which stays the same when the message is sent again. `date` is the time of
    sending. `reply_to` receives replies, `reply_name` is the author's name. Raises `InvalidInputError` for text that
    could break out of a header.
    """

    id: str
    to: str
    subject: str
    body: str
    date: datetime
    reply_to: str | None = None
    reply_name: str | None = None

    def __post_init__(self) -> None:
        if not is_mail_address(self.to):
            raise InvalidInputError("The recipient must be one email address", pointer="/to")
        if self.reply_to is not None and not is_mail_address(self.reply_to):
            raise InvalidInputError("The address for answers must be one email address")
        # A line break would begin another header.
        if not self.subject.strip() or _CONTROL.search(self.subject):
            raise InvalidInputError("The subject must be one line of text", pointer="/subject")
        if _CONTROL.search(self.reply_name or ""):
            raise InvalidInputError("The author's name must be one line of text")
        # It becomes the Message-ID.
        if not _IDENTIFIER.fullmatch(self.id):
            raise InvalidInputError("The id of a message is made of letters, digits, dots and dashes")
