"""A fake of Amazon Bedrock's runtime on 127.0.0.1: `ConverseStream` in the frames of vnd.amazon.eventstream, and
`InvokeModel` of a Titan embedding model. It can misbehave like `ModelServer`."""

import json
import struct
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any
from urllib.parse import unquote
from zlib import crc32

from tests.fakes.models.model_server import Answer, ModelServer


@dataclass(frozen=True, slots=True)
class BedrockAnswer(Answer):
    """`exception` is the name of an error that ends the stream after the text; `written` tokens went to the cache.

    `breaks_frame` puts a wrong checksum into the last frame.
    """

    exception: str = ""
    written: int = 0
    breaks_frame: bool = False


class BedrockServer(ModelServer):
    """A `ModelServer` that speaks the Converse API. The bodies in `requests` also have the path's `model`."""

    content_type = "application/vnd.amazon.eventstream"

    @property
    def url(self) -> str:
        return self.address

    def request(self, path: str, body: dict[str, Any]) -> dict[str, Any] | None:
        prefix, _, rest = path.partition("/model/")
        model, _, operation = rest.rpartition("/")
        known = operation in ("converse-stream", "invoke") and not prefix
        return {"model": unquote(model), **body} if known else None

    def streams(self, body: dict[str, Any]) -> bool:
        return "messages" in body

    def error(self, status: int) -> dict[str, Any]:
        return {"message": f"secret details of a {status}"}

    def events(self, answer: Answer, body: dict[str, Any]) -> list[bytes]:
        frames = [frame({":message-type": "event", ":event-type": name}, event) for name, event in _events(answer)]
        if isinstance(answer, BedrockAnswer) and answer.exception:
            headers = {":message-type": "exception", ":exception-type": answer.exception}
            # In place of the end.
            frames[-2:] = [frame(headers, {"message": "secret details"})]
        if isinstance(answer, BedrockAnswer) and answer.breaks_frame:
            frames[-1] = frames[-1][:-4] + b"\0\0\0\0"
        return frames

    def whole(self, answer: Answer) -> dict[str, Any]:
        """Return what a Titan model answers; the answer's text is the vector as JSON."""
        vector = json.loads(answer.text)
        tokens, _ = answer.usage or (0, 0)
        return {"embedding": vector, "embeddingsByType": {"float": vector}, "inputTextTokenCount": tokens}


def frame(headers: dict[str, str], payload: dict[str, Any]) -> bytes:
    """Return one message of the event stream encoding: lengths, their checksum, headers, payload, checksum of all."""
    encoded = b"".join(
        struct.pack("!B", len(name)) + name.encode() + struct.pack("!BH", 7, len(value)) + value.encode()
        for name, value in (headers | {":content-type": "application/json"}).items()
    )
    content = json.dumps(payload, ensure_ascii=False).encode()
    prelude = struct.pack("!II", 16 + len(encoded) + len(content), len(encoded))
    prelude += struct.pack("!I", crc32(prelude))
    message = prelude + encoded + content
    return message + struct.pack("!I", crc32(message))


def _events(answer: Answer) -> Iterator[tuple[str, dict[str, Any]]]:
    yield "messageStart", {"role": "assistant"}
    number = 0
    if answer.text:
        for piece in _cut(answer.text, answer):
            yield "contentBlockDelta", {"contentBlockIndex": number, "delta": {"text": piece}}
        yield "contentBlockStop", {"contentBlockIndex": number}
        number += 1
    for call_id, name, arguments in answer.calls:
        start = {"toolUse": {"toolUseId": call_id, "name": name}}
        yield "contentBlockStart", {"contentBlockIndex": number, "start": start}
        for piece in _cut(arguments, answer):
            yield "contentBlockDelta", {"contentBlockIndex": number, "delta": {"toolUse": {"input": piece}}}
        yield "contentBlockStop", {"contentBlockIndex": number}
        number += 1
    yield "messageStop", {"stopReason": answer.finish_reason or ("tool_use" if answer.calls else "end_turn")}
    read, written = answer.usage or (0, 0)
    stored = answer.written if isinstance(answer, BedrockAnswer) else 0
    usage = {
        "inputTokens": read - answer.cached - stored,
        "outputTokens": written,
        "totalTokens": read + written,
        "cacheReadInputTokens": answer.cached,
        "cacheWriteInputTokens": stored,
    }
    yield "metadata", {"usage": usage, "metrics": {"latencyMs": 321}}


def _cut(text: str, answer: Answer) -> list[str]:
    return [text[start : start + answer.characters] for start in range(0, len(text), answer.characters)]
