"""Messages in the Internet Message Format (RFC 5322)."""

from email.headerregistry import Address, AddressHeader, HeaderRegistry
from email.message import EmailMessage
from email.policy import SMTP
from email.utils import format_datetime
from typing import cast

from aisha.domain.external.mail import MailMessage, is_mail_address

_POLICY = SMTP.clone(cte_type="7bit")
"""Seven-bit: text in any language passes every server."""


class Sender:
    """The sender of this deployment: `aisha@abc.example` or `ABC Sales <aisha@abc.example>`. Raises ValueError."""

    def __init__(self, text: str) -> None:
        addresses: tuple[Address, ...] = cast(AddressHeader, HeaderRegistry()("From", text)).addresses
        if len(addresses) != 1 or not is_mail_address(addresses[0].addr_spec):
            raise ValueError(f"AISHA_MAIL_FROM is no sender: {text!r}")
        self.name = addresses[0].display_name
        self.address = addresses[0].addr_spec

    @property
    def domain(self) -> str:
        return self.address.rpartition("@")[2]

    def header(self, author: str | None) -> Address:
        """Return the From header: the author's name, where there is one, before the deployment's address."""
        return Address(author or self.name, addr_spec=self.address)


def message_id(message: MailMessage, sender: Sender) -> str:
    """Return an id that is the same for the same message, and for no other."""
    return f"<{message.id}@{sender.domain}>"


def as_mime(message: MailMessage, sender: Sender) -> EmailMessage:
    """Return the whole message. `EmailMessage` refuses a line end in any header, so no header can be injected."""
    mime = EmailMessage(policy=_POLICY)
    mime["From"] = sender.header(message.reply_name)
    mime["To"] = Address(addr_spec=message.to)
    mime["Subject"] = message.subject
    mime["Date"] = format_datetime(message.date)
    mime["Message-ID"] = message_id(message, sender)
    if message.reply_to:
        mime["Reply-To"] = Address(message.reply_name or "", addr_spec=message.reply_to)
    mime.set_content(message.body)
    return mime
