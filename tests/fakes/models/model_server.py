"""A fake OpenAI-compatible model server on 127.0.0.1 with scripted chat completions, streamed or not.

In a test, `with ModelServer(Answer("Hello")) as server: ...` gives one answer per request, in order. As a process,
`python -m tests.fakes.models.model_server` reads a JSON list of answers from its standard input, prints its address
and plays the list to every turn from the start: the number of answers since the request's last question selects the
next one.
"""

import json
import socket
import struct
import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from tests.fakes.systems.loopback import LoopbackHandler, LoopbackServer

MODEL = "gpt-4o-2024-08-06"
_EVENTS = "text/event-stream; charset=utf-8"
_CREATED = 1_772_442_000
_FINGERPRINT = "fp_1827dd0c55"


@dataclass(frozen=True, slots=True)
class Answer:
    """The answer to one request.

    `calls` are `(id, name, arguments as JSON text)`. The text is streamed `characters` at a time. A `status` other
    than 200 is an error with `headers`. After `cut_after` pieces the connection is closed, with `resets` by a TCP
    reset; after `hang_after` pieces (-1: before the headers) nothing more is sent until the server stops. `pause` is
    the delay before each piece, in seconds. `raw` is sent instead of a model's answer, `trickle` bytes at a time.
    `usage` is the number of input and output tokens, None for a server that reports none; `cached` input tokens were
    in its cache. `extra` is additional content of the first call, `thought` is the model's reasoning before the text.
    """

    text: str = ""
    calls: Sequence[tuple[str, str, str]] = ()
    characters: int = 4
    status: int = 200
    headers: dict[str, str] = field(default_factory=dict)
    finish_reason: str | None = None
    usage: tuple[int, int] | None = (1200, 60)
    cut_after: int | None = None
    hang_after: int | None = None
    pause: float = 0.0
    raw: bytes | None = None
    trickle: int | None = None
    model: str = MODEL
    cached: int = 0
    extra: dict[str, Any] | None = None
    thought: str = ""
    resets: bool = False

    @property
    def misbehaves(self) -> bool:
        """True for an answer that breaks off, hangs or pauses; it is sent in pieces even if it is not streamed."""
        return self.cut_after is not None or self.hang_after is not None or bool(self.pause)


Play = Callable[[dict[str, Any]], Answer]


class ModelServer(LoopbackServer):
    """The server in a thread.

    `requests` are the bodies of the requests, `headers` their headers (names in lower case), `connections` the
    number of connections. `play` chooses the answer to a body instead of `answers`.
    """

    def __init__(self, *answers: Answer, play: Play | None = None) -> None:
        super().__init__(_Handler)
        self.answers = list(answers)
        self.requests: list[dict[str, Any]] = []
        self.headers: list[dict[str, str]] = []
        self.connections = 0
        self.play = play or (lambda _: self.answers.pop(0))

    @property
    def url(self) -> str:
        """The base URL for clients."""
        return f"{self.address}/v1"

    # The members below are the protocol; servers of other protocols override them.

    path = "/v1/chat/completions"
    content_type = _EVENTS

    def request(self, path: str, body: dict[str, Any]) -> dict[str, Any] | None:
        """Return a request as it is remembered, None for a path that does not exist."""
        return body if path == self.path else None

    def streams(self, body: dict[str, Any]) -> bool:
        return bool(body.get("stream"))

    def error(self, status: int) -> dict[str, Any]:
        return _error(status)

    def events(self, answer: Answer, body: dict[str, Any]) -> list[bytes]:
        """Return an answer as the events of a stream."""
        return list(_events(answer, bool((body.get("stream_options") or {}).get("include_usage"))))

    def whole(self, answer: Answer) -> dict[str, Any]:
        """Return an answer that is not streamed."""
        return _completion(answer)


class _Handler(LoopbackHandler):
    fake: ModelServer

    def setup(self) -> None:
        super().setup()
        self.fake.connections += 1

    def do_POST(self) -> None:
        body = self.fake.request(self.path, json.loads(self.content()))
        if body is None:
            self._send_json(404, self.fake.error(404), {})
            return
        self.fake.requests.append(body)
        self.fake.headers.append(self.lower_headers())
        answer = self.fake.play(body)
        if answer.status != 200:
            self._send_json(answer.status, self.fake.error(answer.status), answer.headers)
        elif answer.raw is not None:
            self._send_pieces(answer, _cut(answer.raw, answer.trickle), self.fake.content_type)
        elif self.fake.streams(body):
            self._send_pieces(answer, self.fake.events(answer, body), self.fake.content_type)
        elif answer.misbehaves:
            content = json.dumps(self.fake.whole(answer)).encode()
            self._send_pieces(answer, _cut(content, answer.characters), "application/json")
        else:
            self._send_json(200, self.fake.whole(answer), answer.headers)

    def _send_json(self, status: int, body: Any, headers: dict[str, str]) -> None:
        self.send(status, json.dumps(body).encode(), {"Content-Type": "application/json", **headers})

    def _send_pieces(self, answer: Answer, pieces: Sequence[bytes], content_type: str) -> None:
        if answer.hang_after == -1:
            self.fake.stopping.wait()
            self.close_connection = True
            return
        self.begin(200, {"Content-Type": content_type, **answer.headers, "Transfer-Encoding": "chunked"})
        for index, piece in enumerate(pieces):
            if index in (answer.cut_after, answer.hang_after):
                self._break_off(waits=index == answer.hang_after, resets=answer.resets)
                return
            if answer.pause:
                self.fake.stopping.wait(answer.pause)
            self.wfile.write(b"%x\r\n%b\r\n" % (len(piece), piece))
        self.wfile.write(b"0\r\n\r\n")

    def _break_off(self, waits: bool, resets: bool) -> None:
        if waits:
            self.fake.stopping.wait()
        if resets:
            # A linger time of zero makes the close send RST instead of FIN.
            self.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        self.close_connection = True


def _cut(raw: bytes, size: int | None) -> list[bytes]:
    size = size or len(raw)
    return [raw[start : start + size] for start in range(0, len(raw), size)]


def _error(status: int) -> dict[str, Any]:
    return {"error": {"message": f"secret details of a {status}", "type": "some_error", "param": None, "code": None}}


def _events(answer: Answer, with_usage: bool) -> Iterator[bytes]:
    first: dict[str, Any] = {"role": "assistant", "content": None if answer.calls else "", "refusal": None}
    yield _event(answer, [_choice(first)], with_usage)
    for start in range(0, len(answer.text), answer.characters):
        yield _event(answer, [_choice({"content": answer.text[start : start + answer.characters]})], with_usage)
    for index, (call_id, name, arguments) in enumerate(answer.calls):
        opening = {"index": index, "id": call_id, "type": "function", "function": {"name": name, "arguments": ""}}
        opening |= {"extra_content": answer.extra} if answer.extra and not index else {}
        yield _event(answer, [_choice({"tool_calls": [opening]})], with_usage)
        for start in range(0, len(arguments), answer.characters):
            piece = {"index": index, "function": {"arguments": arguments[start : start + answer.characters]}}
            yield _event(answer, [_choice({"tool_calls": [piece]})], with_usage)
    yield _event(answer, [_choice({}, _reason(answer))], with_usage)
    if with_usage and answer.usage:
        yield _event(answer, [], with_usage, _usage(*answer.usage, answer.cached))
    yield b"data: [DONE]\n\n"


def _event(answer: Answer, choices: list[Any], with_usage: bool, usage: dict[str, Any] | None = None) -> bytes:
    chunk = {
        "id": "chatcmpl-BkHnZQ0mFw3qjY1nK2bQ7tJ5vXc8L",
        "object": "chat.completion.chunk",
        "created": _CREATED,
        "model": answer.model,
        "service_tier": "default",
        "system_fingerprint": _FINGERPRINT,
        "choices": choices,
    }
    if with_usage:
        chunk["usage"] = usage
    return b"data: %b\n\n" % json.dumps(chunk, separators=(",", ":"), ensure_ascii=False).encode()


def _choice(delta: dict[str, Any], finish_reason: str | None = None) -> dict[str, Any]:
    return {"index": 0, "delta": delta, "logprobs": None, "finish_reason": finish_reason}


def _reason(answer: Answer) -> str:
    return answer.finish_reason or ("tool_calls" if answer.calls else "stop")


def _usage(read: int, written: int, cached: int) -> dict[str, Any]:
    return {
        "prompt_tokens": read,
        "completion_tokens": written,
        "total_tokens": read + written,
        "prompt_tokens_details": {"cached_tokens": cached, "audio_tokens": 0},
        "completion_tokens_details": {"reasoning_tokens": 0, "audio_tokens": 0},
    }


def _completion(answer: Answer) -> dict[str, Any]:
    calls = [
        {"id": call_id, "type": "function", "function": {"name": name, "arguments": arguments}}
        for call_id, name, arguments in answer.calls
    ]
    message: dict[str, Any] = {"role": "assistant", "content": answer.text or None, "refusal": None}
    choice = {"index": 0, "message": message, "logprobs": None, "finish_reason": _reason(answer)}
    if calls:
        message["tool_calls"] = calls
    completion = {
        "id": "chatcmpl-BkHnZQ0mFw3qjY1nK2bQ7tJ5vXc8L",
        "object": "chat.completion",
        "created": _CREATED,
        "model": answer.model,
        "choices": [choice],
        "system_fingerprint": _FINGERPRINT,
    }
    return completion | ({"usage": _usage(*answer.usage, answer.cached)} if answer.usage else {})


def by_round(answers: Sequence[Answer]) -> Play:
    """Return a `Play` that plays the list to every question from its start."""

    def play(body: dict[str, Any]) -> Answer:
        roles = [_role(message) for message in body["messages"]]
        last_question = len(roles) - 1 - roles[::-1].index("user")
        return answers[roles[last_question:].count("assistant")]

    return play


def _role(message: dict[str, Any]) -> str:
    """Return the role of a message; for Anthropic and Bedrock results of tools have the role user."""
    blocks = message["content"] if isinstance(message["content"], list) else []
    is_result = any("toolResult" in block or block.get("type") == "tool_result" for block in blocks)
    return "tool" if is_result else str(message["role"])


def main() -> None:
    """Serve the answers from the standard input until the process is ended."""
    answers = [Answer(**fields) for fields in json.loads(sys.stdin.readline())]
    server = ModelServer(play=by_round(answers))
    print(server.url, flush=True)
    server.serve()


if __name__ == "__main__":
    main()
