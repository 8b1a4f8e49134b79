"""Server-sent events out of the bytes of an answer."""

from collections.abc import Iterable, Iterator


def server_sent_data(chunks: Iterable[bytes]) -> Iterator[bytes]:
    """The `data` of each server-sent event, whole however the bytes were cut; comments and other fields are dropped.

    An event that the stream ended in is not given out. Source: the HTML standard, section 9.2.6.
    """
    rest = b""
    data: list[bytes] = []
    for chunk in chunks:
        lines = (rest + chunk).split(b"\n")
        rest = lines.pop()
        for line in lines:
            if line.startswith(b"data:"):
                data.append(line[5:].strip())
            elif data and not line.strip():
                yield b"\n".join(data)
                data = []
