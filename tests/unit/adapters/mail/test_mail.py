from datetime import UTC, datetime
from pathlib import Path

import boto3
import pytest
from moto import mock_aws
from moto.core.models import DEFAULT_ACCOUNT_ID
from moto.ses.models import ses_backends
from msgspec.structs import replace

from aisha.adapters.mail.outbox import OutboxMailSender
from aisha.adapters.mail.ses import SesMailSender
from aisha.adapters.mail.smtp import SmtpMailSender
from aisha.bootstrap import Services
from aisha.domain.errors import InvalidInputError, UnavailableError
from aisha.domain.external.mail import MailMessage, is_mail_address
from aisha.settings import read_settings
from tests.fakes.systems.mail import parse_message, smtp_server, tls_contexts

SENDER = "ABC Sales <aisha@abc.example>"
DATE = datetime(2026, 3, 2, 10, tzinfo=UTC)
MESSAGE = MailMessage(
    id="0123abc",
    to="jack@far.example",
    subject="Grüße, Jack",
    body="Hello Jack,\n\nschöne Grüße!\n.\nAnn\n",
    date=DATE,
    reply_to="ann@abc.example",
    reply_name="Ann Lee",
)


def _read(folder: Path) -> list[bytes]:
    return [file.read_bytes() for file in folder.iterdir()]


def test_the_outbox_keeps_the_message_as_it_would_be_sent(tmp_path: Path) -> None:
    sent = OutboxMailSender(SENDER, str(tmp_path / "new" / "outbox")).send(MESSAGE)
    raw = (tmp_path / "new" / "outbox" / "0123abc.eml").read_bytes()
    message = parse_message(raw)
    assert raw.isascii()
    assert (message["From"], message["To"]) == ("Ann Lee <aisha@abc.example>", "jack@far.example")
    assert message["Reply-To"] == "Ann Lee <ann@abc.example>"
    assert message["Subject"] == "Grüße, Jack"
    assert message["Message-ID"] == sent == "<0123abc@abc.example>"
    assert message["Date"].datetime == DATE
    assert message.get_content().replace("\r\n", "\n") == MESSAGE.body


def test_the_same_message_is_stored_once(tmp_path: Path) -> None:
    outbox = OutboxMailSender(SENDER, str(tmp_path))
    outbox.send(MESSAGE)
    assert outbox.send(replace(MESSAGE, body="another text")) == "<0123abc@abc.example>"
    assert len(_read(tmp_path)) == 1
    assert b"another" not in _read(tmp_path)[0]
    outbox.send(replace(MESSAGE, id="another"))
    assert len(_read(tmp_path)) == 2


def test_without_an_author_the_sender_stands_alone(tmp_path: Path) -> None:
    OutboxMailSender(SENDER, str(tmp_path)).send(replace(MESSAGE, reply_to=None, reply_name=None))
    message = parse_message(_read(tmp_path)[0])
    assert message["From"] == "ABC Sales <aisha@abc.example>"
    assert message["Reply-To"] is None


def test_a_missing_folder_is_an_error(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(UnavailableError):
        OutboxMailSender(SENDER, str(tmp_path / "file")).send(MESSAGE)


@pytest.mark.parametrize(
    "wrong",
    [
        {"subject": "Hi\r\nBcc: all@far.example"},
        {"subject": "Hi\nBcc: all@far.example"},
        {"subject": "Hi\u2028there"},
        {"subject": "  "},
        {"to": "jack@far.example\nBcc: all@far.example"},
        {"to": "jack@far.example, all@far.example"},
        {"to": "Jack <jack@far.example>"},
        {"to": "jack"},
        {"reply_to": "ann@abc.example\r\nX: y"},
        {"reply_name": "Ann\r\nBcc: all@far.example"},
        {"id": "../../etc/passwd"},
        {"id": "a b"},
    ],
)
def test_nothing_breaks_out_of_a_header_or_the_folder(wrong: dict[str, str]) -> None:
    with pytest.raises(InvalidInputError):
        replace(MESSAGE, **wrong)


@pytest.mark.parametrize("odd", ['"Ann" <Lee>', "Ann, Lee; Ltd", "=?utf-8?q?Ann?=", "Änn Œ"])
def test_an_unusual_name_stays_a_name(tmp_path: Path, odd: str) -> None:
    OutboxMailSender(SENDER, str(tmp_path)).send(replace(MESSAGE, reply_name=odd))
    (address,) = parse_message(_read(tmp_path)[0])["From"].addresses
    assert address.addr_spec == "aisha@abc.example"


@pytest.mark.parametrize(
    ("text", "fits"),
    [
        ("ann@abc.example", True),
        ("ann.lee+crm@mail.abc.example", True),
        ("ann@abc", False),
        ("ann..lee@abc.example", False),
        (".ann@abc.example", False),
        ("ann@-abc.example", False),
        ("ann@abc.example ", False),
        ("ann@abc.example\n", False),
        ("änn@abc.example", False),
        (f"{'a' * 250}@abc.example", False),
        (None, False),
    ],
)
def test_only_one_plain_address_is_an_address(text: str | None, fits: bool) -> None:
    assert is_mail_address(text) is fits


# -- SMTP --------------------------------------------------------------------------------------------------------------


def test_a_server_on_this_machine_gets_the_message() -> None:
    with smtp_server() as log:
        sent = SmtpMailSender(SENDER, f"smtp://127.0.0.1:{log.port}").send(MESSAGE)
    assert log.message()["Message-ID"] == sent
    assert log.message().get_content().replace("\r\n", "\n").rstrip() == "Hello Jack,\n\nschöne Grüße!\n.\nAnn"
    assert "mail from:<aisha@abc.example>" in [command.lower() for command in log.commands]
    assert not any(command.startswith("AUTH") for command in log.commands)


def test_user_and_password_go_encrypted_from_the_start(tmp_path: Path) -> None:
    server, client = tls_contexts(tmp_path)
    with smtp_server(server) as log:
        SmtpMailSender(SENDER, f"smtps://ann%40abc:p%3Aw@127.0.0.1:{log.port}", client).send(MESSAGE)
    assert log.encrypted == [True]
    assert any(command.startswith("AUTH PLAIN") for command in log.commands)


def test_encryption_that_is_offered_is_used(tmp_path: Path) -> None:
    server, client = tls_contexts(tmp_path)
    with smtp_server(server, starttls=True) as log:
        SmtpMailSender(SENDER, f"smtp://ann:pw@127.0.0.1:{log.port}", client).send(MESSAGE)
    assert log.encrypted == [True]
    verbs = [command.partition(" ")[0].upper() for command in log.commands]
    assert verbs.index("STARTTLS") < verbs.index("AUTH")


def test_mail_to_other_machines_requires_encryption(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("aisha.adapters.mail.smtp._THIS_MACHINE", frozenset())
    with smtp_server() as log, pytest.raises(UnavailableError, match="safely"):
        SmtpMailSender(SENDER, f"smtp://ann:pw@127.0.0.1:{log.port}").send(MESSAGE)
    assert log.messages == []
    assert not any(command.startswith("AUTH") for command in log.commands)


def test_an_untrusted_certificate_is_not_accepted(tmp_path: Path) -> None:
    server, _ = tls_contexts(tmp_path)
    with smtp_server(server) as log, pytest.raises(UnavailableError):
        SmtpMailSender(SENDER, f"smtps://ann:pw@127.0.0.1:{log.port}").send(MESSAGE)
    assert log.messages == []


def test_a_refused_recipient_and_a_missing_server_are_different_errors() -> None:
    with smtp_server() as log:
        sender = SmtpMailSender(SENDER, f"smtp://127.0.0.1:{log.port}")
        with pytest.raises(InvalidInputError, match=r"refused@far\.example"):
            sender.send(replace(MESSAGE, to="refused@far.example"))
    with pytest.raises(UnavailableError):
        sender.send(MESSAGE)


@pytest.mark.parametrize("url", ["http://127.0.0.1:25", "smtp://", "127.0.0.1:25"])
def test_an_invalid_server_address_is_refused_at_the_start(url: str) -> None:
    with pytest.raises(ValueError, match="AISHA_SMTP_URL"):
        SmtpMailSender(SENDER, url)


@pytest.mark.parametrize("sender", ["nobody", "", "ann@abc.example, bob@abc.example"])
def test_an_invalid_sender_is_refused_at_the_start(sender: str, tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="AISHA_MAIL_FROM"):
        OutboxMailSender(sender, str(tmp_path))


# -- Amazon SES --------------------------------------------------------------------------------------------------------


@pytest.fixture
def _aws(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY"):
        monkeypatch.setenv(name, "test")


@pytest.mark.usefixtures("_aws")
def test_ses_gets_the_whole_message_of_a_verified_sender() -> None:
    with mock_aws():
        sender = SesMailSender(SENDER, "eu-central-1")
        boto3.client("sesv2", region_name="eu-central-1").create_email_identity(EmailIdentity="aisha@abc.example")
        sent = sender.send(MESSAGE)
        (sent_message,) = ses_backends[DEFAULT_ACCOUNT_ID]["eu-central-1"].sent_messages
        message = parse_message(sent_message.raw_data.encode())
    assert sent_message.id == sent
    assert set(sent_message.destinations) == {"jack@far.example"}
    assert message["Subject"] == "Grüße, Jack"
    assert message["Reply-To"] == "Ann Lee <ann@abc.example>"


@pytest.mark.usefixtures("_aws")
def test_a_refusal_by_ses_is_an_error() -> None:
    with mock_aws(), pytest.raises(InvalidInputError, match="SES refuses"):
        SesMailSender(SENDER, "eu-central-1").send(MESSAGE)


# -- settings ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("environment", "missing"),
    [
        ({"AISHA_MAIL": "ses"}, "AISHA_MAIL_FROM"),
        ({"AISHA_MAIL": "smtp", "AISHA_MAIL_FROM": SENDER}, "AISHA_SMTP_URL"),
        ({"AISHA_MAIL": "outbox", "AISHA_MAIL_FROM": SENDER}, "AISHA_OUTBOX_FOLDER"),
        ({"AISHA_MAIL": "pigeon"}, "mail"),
    ],
)
def test_settings_that_can_not_send_stop_the_function(environment: dict[str, str], missing: str) -> None:
    with pytest.raises(ValueError, match=missing):
        read_settings(environment)


def test_wrong_settings_show_no_password() -> None:
    with pytest.raises(ValueError, match="AISHA_MAIL_FROM") as caught:
        read_settings({"AISHA_MAIL": "smtp", "AISHA_SMTP_URL": "smtps://ann:hunter2@mail.example"})
    assert "hunter2" not in str(caught.value)
    good = read_settings(
        {"AISHA_MAIL": "smtp", "AISHA_MAIL_FROM": SENDER, "AISHA_SMTP_URL": "smtps://ann:hunter2@mail.example"}
    )
    assert "hunter2" not in repr(good)


@pytest.mark.parametrize(
    ("environment", "kind"),
    [
        ({}, "NoneType"),
        ({"AISHA_MAIL": "ses", "AISHA_MAIL_FROM": SENDER}, "SesMailSender"),
        (
            {"AISHA_MAIL": "smtp", "AISHA_MAIL_FROM": SENDER, "AISHA_SMTP_URL": "smtps://mail.example"},
            "SmtpMailSender",
        ),
        ({"AISHA_MAIL": "outbox", "AISHA_MAIL_FROM": SENDER, "AISHA_OUTBOX_FOLDER": "box"}, "OutboxMailSender"),
    ],
)
def test_the_settings_choose_the_sender(environment: dict[str, str], kind: str) -> None:
    assert type(Services(settings=read_settings(environment)).mail).__name__ == kind
