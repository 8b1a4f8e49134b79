"""Parsing of server-sent events."""

from collections.abc import Iterable, Iterator

MAX_EVENT_BYTES = 4_000_000


def server_sent_data(chunks: Iterable[bytes]) -> Iterator[list[bytes]]:
    """Yield for each chunk the `data` of the events that end in it; comments and other fields are dropped.

    An event that is cut off by the end of the stream is dropped. Raises `ValueError` for one that is longer than
    `MAX_EVENT_BYTES`. Source: the HTML standard, section 9.2.6.
    """
    rest = b""
    data: list[bytes] = []
    size = 0
    for chunk in chunks:
        size += len(chunk)
        if size > MAX_EVENT_BYTES:
            raise ValueError("an event is too long")
        lines = (rest + chunk).split(b"\n")
        # The last piece may be half a line. Lines may also end with CR LF: `strip` removes the CR.
        rest = lines.pop()
        events: list[bytes] = []
        for line in lines:
            if line.startswith(b"data:"):
                data.append(line[5:].strip())
            elif data and not line.strip():
                events.append(b"\n".join(data))
                data, size = [], len(rest)
        yield events
