"""Mail through Amazon SES, API version 2."""

import boto3
from botocore.config import Config
from botocore.exceptions import BotoCoreError, ClientError

from aisha.adapters.mail.mime import Sender, as_mime
from aisha.domain.errors import InvalidInputError, UnavailableError
from aisha.domain.external.mail import MailMessage

_REFUSED = frozenset(("BadRequestException", "MessageRejected"))
# SES can't tell a repeated request from a new message, so nothing is tried twice.
_CONFIG = Config(connect_timeout=2, read_timeout=8, retries={"mode": "standard", "total_max_attempts": 1})


class SesMailSender:
    """A `MailSender`. The function's role needs `ses:SendEmail` for the sender's verified identity."""

    def __init__(self, sender: str, region: str) -> None:
        self._sender = Sender(sender)
        self._client = boto3.client("sesv2", region_name=region, config=_CONFIG)

    def send(self, message: MailMessage) -> str:
        """Return SES's id of the message. Raises `InvalidInputError` when SES refuses it, else `UnavailableError`."""
        try:
            answer = self._client.send_email(
                FromEmailAddress=self._sender.address,
                Destination={"ToAddresses": [message.to]},
                Content={"Raw": {"Data": as_mime(message, self._sender).as_bytes()}},
            )
        except ClientError as error:
            if error.response["Error"]["Code"] in _REFUSED:
                raise InvalidInputError("Amazon SES refuses to send this message") from error
            raise UnavailableError("Amazon SES can't send now", suggestion="Try again later.") from error
        except BotoCoreError as error:
            raise UnavailableError("Amazon SES did not answer", suggestion="Check whether it arrived.") from error
        return str(answer["MessageId"])
