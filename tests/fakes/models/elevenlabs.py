"""A fake of ElevenLabs' streaming endpoint on a loopback port, after its reference: chunked MP3, errors in `detail`."""

import json
import re
import threading
from types import TracebackType
from typing import Any
from urllib.parse import parse_qs, urlsplit

from tests.fakes.systems.loopback import LoopbackHandler, LoopbackServer

KEY = "xi-secret-key"
VOICES = ("JBFqnCBsd6RMkjVDRZzb", "21m00Tcm4TlvDq8ikWAM")
MODELS = ("eleven_v3", "eleven_multilingual_v2", "eleven_flash_v2_5", "eleven_flash_v2")
_PATH = re.compile(r"/v1/text-to-speech/([^/]+)/stream")


class ElevenLabs(LoopbackServer):
    """The server in a thread. `pieces` are the audio of every text.

    While the event `paused` is cleared, an answer stops after its first piece. `cut_after` closes the connection after
    that many pieces, `hangs` never answers, and a `status` other than 200 is the answer to every request.
    """

    def __init__(
        self,
        *pieces: bytes,
        status: int = 200,
        hangs: bool = False,
        cut_after: int | None = None,
    ) -> None:
        super().__init__(_Handler)
        self.pieces = pieces or (b"ID3\x04\x00", b"\xff\xfb\x90", b"\x00\xfe\xff")
        self.status, self.hangs, self.cut_after = status, hangs, cut_after
        self.paused = threading.Event()
        self.paused.set()
        self.requests: list[dict[str, Any]] = []

    @property
    def audio(self) -> bytes:
        return b"".join(self.pieces)

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.paused.set()
        super().__exit__(kind, error, trace)


class _Handler(LoopbackHandler):
    fake: ElevenLabs

    def do_POST(self) -> None:
        body = json.loads(self.content())
        address = urlsplit(self.path)
        path = _PATH.fullmatch(address.path)
        voice = path[1] if path else None
        self.fake.requests.append({"voice": voice, "query": parse_qs(address.query), "body": body})
        if self.fake.hangs:
            self.fake.stopping.wait()
        elif self.fake.status != 200:
            self._refuse(self.fake.status, "out_of_order", f"No, {self.headers['xi-api-key']}.")
        elif self.headers["xi-api-key"] != KEY:
            self._refuse(401, "invalid_api_key", "Invalid API key.")
        elif voice is None:
            self._refuse(404, "not_found", "Not found.")
        elif voice not in VOICES:
            self._refuse(404, "voice_not_found", f"A voice with voice_id {voice} was not found.")
        elif not body.get("text") or body.get("model_id") not in MODELS:
            self._refuse(422, "invalid", "Invalid request.")
        else:
            self._stream()

    def _refuse(self, status: int, code: str, message: str) -> None:
        content = json.dumps({"detail": {"status": code, "message": message}}).encode()
        self.send(status, content, {"Content-Type": "application/json"})

    def _stream(self) -> None:
        self.begin(200, {"Content-Type": "audio/mpeg", "Transfer-Encoding": "chunked"})
        for index, piece in enumerate(self.fake.pieces):
            if index == self.fake.cut_after:
                self.close_connection = True
                return
            self.wfile.write(b"%x\r\n%s\r\n" % (len(piece), piece))
            self.wfile.flush()
            self.fake.paused.wait()
        self.wfile.write(b"0\r\n\r\n")
