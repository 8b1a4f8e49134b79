"""A folder that receives mail instead of its recipients, for laptops and tests."""

from pathlib import Path

from aisha.adapters.mail.mime import Sender, as_mime, message_id
from aisha.domain.errors import UnavailableError
from aisha.domain.external.mail import MailMessage


class OutboxMailSender:
    """A `MailSender` that writes `<id>.eml`; a message that exists already is not written again."""

    def __init__(self, sender: str, folder: str) -> None:
        self._sender = Sender(sender)
        self._folder = Path(folder)

    def send(self, message: MailMessage) -> str:
        """Write the message. Raises `UnavailableError` when the folder can't be written to."""
        content = as_mime(message, self._sender).as_bytes()
        try:
            self._folder.mkdir(parents=True, exist_ok=True)
            self._write(self._folder / f"{message.id}.eml", content)
        except OSError as error:
            raise UnavailableError("The outbox folder can't be written to") from error
        return message_id(message, self._sender)

    @staticmethod
    def _write(path: Path, content: bytes) -> None:
        try:
            file = path.open("xb")
        except FileExistsError:
            return
        with file:
            file.write(content)
