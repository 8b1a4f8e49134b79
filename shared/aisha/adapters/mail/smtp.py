"""Mail through an SMTP server, encrypted."""

import smtplib
import ssl
from urllib.parse import unquote, urlsplit

from aisha.adapters.mail.mime import Sender, as_mime, message_id
from aisha.domain.errors import InvalidInputError, UnavailableError
from aisha.domain.external.mail import MailMessage

SECONDS = 10.0
"""Timeout of each answer of the server."""
_PORTS = {"smtp": 587, "smtps": 465}
_THIS_MACHINE = frozenset(("127.0.0.1", "::1", "localhost"))


class SmtpMailSender:
    """A `MailSender` with one connection a message.

    `url` is `smtps://user:password@host:465`, or `smtp://...:587` with STARTTLS; only a server on this machine may do
    without encryption. SMTP can't be asked whether a message went out already: the same message has the same
    Message-ID, by which many servers drop the second. Raises ValueError for a wrong URL.
    """

    def __init__(self, sender: str, url: str, tls: ssl.SSLContext | None = None) -> None:
        parts = urlsplit(url)
        if parts.scheme not in _PORTS or not parts.hostname:
            raise ValueError("AISHA_SMTP_URL must be like smtps://user:password@host:465")
        self._sender = Sender(sender)
        self._is_encrypted = parts.scheme == "smtps"
        self._host, self._port = parts.hostname, parts.port or _PORTS[parts.scheme]
        self._user, self._password = unquote(parts.username or ""), unquote(parts.password or "")
        self._tls = tls or ssl.create_default_context()

    def send(self, message: MailMessage) -> str:
        """Send it.

        Raises `InvalidInputError` when the server refuses the recipient, `UnavailableError` for all else.
        """
        mime = as_mime(message, self._sender)
        try:
            with self._connected() as server:
                server.send_message(mime, self._sender.address, [message.to])
        except smtplib.SMTPRecipientsRefused as error:
            raise InvalidInputError(f"The mail server refuses to deliver to {message.to}", pointer="/to") from error
        except smtplib.SMTPNotSupportedError as error:
            raise UnavailableError("The mail server can't take this message safely") from error
        except (smtplib.SMTPException, OSError) as error:
            raise UnavailableError("The mail server did not take the message", suggestion="Try again later.") from error
        return message_id(message, self._sender)

    def _connected(self) -> smtplib.SMTP:
        if self._is_encrypted:
            server: smtplib.SMTP = smtplib.SMTP_SSL(self._host, self._port, timeout=SECONDS, context=self._tls)
        else:
            server = smtplib.SMTP(self._host, self._port, timeout=SECONDS)
        try:
            server.ehlo()
            # `starttls` raises an error when the server does not offer it: an attacker on the way can't suppress
            # encryption. What was offered before TLS no longer counts (RFC 3207): hence the second greeting.
            if not self._is_encrypted and (self._host not in _THIS_MACHINE or server.has_extn("starttls")):
                server.starttls(context=self._tls)
                server.ehlo()
            if self._user:
                server.login(self._user, self._password)
        # The caller's `with` has not begun: the connection would stay open.
        except BaseException:
            server.close()
            raise
        return server
