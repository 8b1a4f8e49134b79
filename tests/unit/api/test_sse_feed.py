"""A stream as its reader gets it: what is made, and comments while there is nothing."""

import asyncio
import threading
from collections.abc import Generator

import pytest

from aisha.api import sse_feed
from aisha.api.sse_feed import SseFeed
from aisha.renderers.server_sent_events import COMMENT


def test_looking_whether_the_reader_is_there_is_no_sign_of_life(monkeypatch: pytest.MonkeyPatch) -> None:
    """Empty pieces send nothing, so a proxy between would close the stream: comments go out all the same."""
    monkeypatch.setattr(sse_feed, "KEEP_ALIVE_SECONDS", 0.2)
    enough = threading.Event()

    def pieces() -> Generator[str]:
        yield "data: begun\n\n"
        for _ in range(1000):
            if enough.wait(0.01):
                break
            yield ""
        yield "data: end\n\n"

    async def read() -> list[str]:
        feed, pieces_read = await SseFeed.begin(pieces(), "req-1"), list[str]()
        async for sent in feed:
            pieces_read.append(sent.decode())
            if pieces_read.count(COMMENT) == 2:
                enough.set()
        return pieces_read

    assert asyncio.run(asyncio.wait_for(read(), 30)) == ["data: begun\n\n", COMMENT, COMMENT, "data: end\n\n"]


def test_a_reader_who_leaves_with_the_last_piece_has_let_the_stream_end() -> None:
    """The generator stores the answer at its end: cut off there, its work would be done again for a repetition."""
    ends: list[str] = []

    def pieces() -> Generator[str]:
        try:
            yield "data: [DONE]\n\n"
            ends.append("stored")
        except GeneratorExit:
            ends.append("cut off")

    class Leaving(SseFeed):
        """Its reader leaves in the moment in which a piece is there."""

        def _signal(self) -> None:
            self.cancel()
            super()._signal()

    async def read() -> None:
        async for _ in await Leaving.begin(pieces(), "req-1"):
            pass

    asyncio.run(asyncio.wait_for(read(), 30))
    assert ends == ["stored"]
