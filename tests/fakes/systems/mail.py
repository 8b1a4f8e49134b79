"""Mail without a network: a sender that records messages, and an SMTP server on this machine."""

import ipaddress
import socketserver
import ssl
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from email import message_from_bytes, policy
from email.message import EmailMessage
from pathlib import Path

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID

from aisha.domain.errors import UnavailableError
from aisha.domain.external.mail import MailMessage


class RecordingMailSender:
    """A `MailSender` that records its messages in `sent`; it raises while `is_down`."""

    def __init__(self) -> None:
        self.sent: list[MailMessage] = []
        self.is_down = False

    def send(self, message: MailMessage) -> str:
        if self.is_down:
            raise UnavailableError("The mail server did not take the message")
        self.sent.append(message)
        return f"<{message.id}@test.example>"


@dataclass
class SmtpLog:
    """The record of a server: its port, the commands, the messages and whether each came encrypted."""

    port: int = 0
    commands: list[str] = field(default_factory=list)
    messages: list[bytes] = field(default_factory=list)
    encrypted: list[bool] = field(default_factory=list)

    def message(self) -> EmailMessage:
        """Return the only message."""
        assert len(self.messages) == 1
        return parse_message(self.messages[0])


def parse_message(raw: bytes) -> EmailMessage:
    message = message_from_bytes(raw, policy=policy.default)
    assert isinstance(message, EmailMessage)
    return message


class _Server(socketserver.ThreadingTCPServer):
    allow_reuse_address = True

    def __init__(self, tls: ssl.SSLContext | None, starttls: bool, refused: str) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.tls, self.starttls, self.refused, self.log = tls, starttls, refused, SmtpLog()
        self.log.port = self.server_address[1]

    def handle_error(self, request: object, client_address: object) -> None:
        """Ignore clients that leave in the middle, as some tests do."""


class _Handler(socketserver.StreamRequestHandler):
    server: "_Server"
    timeout = 10

    def setup(self) -> None:
        self.is_encrypted = self.server.tls is not None and not self.server.starttls
        if self.is_encrypted and self.server.tls is not None:
            self.request = self.server.tls.wrap_socket(self.request, server_side=True)
        super().setup()

    def say(self, text: str) -> None:
        self.wfile.write(f"{text}\r\n".encode())

    def handle(self) -> None:
        self.say("220 ready")
        while line := self.rfile.readline().decode().strip():
            self.server.log.commands.append(line)
            verb = line.upper().partition(" ")[0]
            if verb == "QUIT":
                self.say("221 bye")
                return
            self.answer(verb, line)

    def answer(self, verb: str, line: str) -> None:
        if verb == "EHLO":
            offered = self.server.starttls and not self.is_encrypted
            self.say("250-here\r\n250-STARTTLS\r\n250 AUTH PLAIN" if offered else "250-here\r\n250 AUTH PLAIN")
        elif verb == "STARTTLS" and self.server.tls is not None:
            self.say("220 go")
            self.request = self.server.tls.wrap_socket(self.request, server_side=True)
            self.rfile, self.wfile = self.request.makefile("rb"), self.request.makefile("wb", buffering=0)
            self.is_encrypted = True
        elif verb == "AUTH":
            self.say("235 welcome")
        elif verb == "RCPT" and self.server.refused in line:
            self.say("550 nobody here")
        elif verb == "DATA":
            self.say("354 go on")
            lines = iter(self.rfile.readline, b".\r\n")
            self.server.log.messages.append(b"".join(line.removeprefix(b".") for line in lines))
            self.server.log.encrypted.append(self.is_encrypted)
            self.say("250 taken")
        else:
            self.say("250 ok")

    def finish(self) -> None:
        super().finish()
        self.request.close()


@contextmanager
def smtp_server(
    tls: ssl.SSLContext | None = None, *, starttls: bool = False, refused: str = "refused@"
) -> Iterator[SmtpLog]:
    """Serve on 127.0.0.1, encrypted from the start with `tls`, or after STARTTLS with `starttls`.

    Recipients that contain `refused` are rejected.
    """
    with _Server(tls, starttls, refused) as server:
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        try:
            yield server.log
        finally:
            server.shutdown()
            thread.join()


def tls_contexts(folder: Path) -> tuple[ssl.SSLContext, ssl.SSLContext]:
    """Return a server's context with a new certificate for 127.0.0.1, and a client's that trusts it."""
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "test")])
    now = datetime.now(UTC)
    certificate = (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(name)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - timedelta(hours=1))
        .not_valid_after(now + timedelta(hours=1))
        .add_extension(x509.SubjectAlternativeName([x509.IPAddress(ipaddress.ip_address("127.0.0.1"))]), False)
        .add_extension(x509.BasicConstraints(ca=True, path_length=None), True)
        .sign(key, hashes.SHA256())
    )
    pem = folder / "server.pem"
    secret = key.private_bytes(
        serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
    )
    pem.write_bytes(secret + certificate.public_bytes(serialization.Encoding.PEM))
    server = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    server.load_cert_chain(pem)
    return server, ssl.create_default_context(cadata=certificate.public_bytes(serialization.Encoding.PEM).decode())
