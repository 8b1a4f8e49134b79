"""The fake provider of the bench, in a process of its own, so that its work counts as no contestant's CPU time.

The protocol is that of tests/fakes/models/model_server.py. Differences: an answer is encoded once, so that the server
is no bottleneck of many turns at once, and a delay before the first byte is possible.
"""

import json
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict
from pathlib import Path
from typing import Any

from tests.fakes.models.model_server import Answer, ModelServer, by_round

ROOT = Path(__file__).parents[1]


class Provider(ModelServer):
    """Plays the answers of every turn from the start. `delay` is in seconds before each answer."""

    def __init__(self, answers: Sequence[Answer], delay: float) -> None:
        play = by_round(answers)

        def after_thinking(body: dict[str, Any]) -> Answer:
            self.requests.clear()
            self.headers.clear()
            if delay:
                time.sleep(delay)
            return play(body)

        super().__init__(play=after_thinking)
        self._events: dict[tuple[int, bool], list[bytes]] = {}

    def events(self, answer: Answer, body: dict[str, Any]) -> list[bytes]:
        key = id(answer), bool((body.get("stream_options") or {}).get("include_usage"))
        if key not in self._events:
            self._events[key] = super().events(answer, body)
        return self._events[key]


@contextmanager
def run_provider(answers: Sequence[Answer], *, delay: float = 0.0, pause: float = 0.0) -> Iterator[str]:
    """Yield the provider's base URL. `pause` is in seconds before each piece of a stream."""
    script = {"answers": [asdict(answer) | {"pause": pause} for answer in answers], "delay": delay}
    with subprocess.Popen(
        [sys.executable, "-m", "bench.provider"], cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as process:
        assert process.stdin and process.stdout
        print(json.dumps(script), file=process.stdin, flush=True)
        try:
            yield process.stdout.readline().strip()
        finally:
            process.terminate()


def main() -> None:
    """Serve the script read from standard input until the process is ended."""
    script = json.loads(sys.stdin.readline())
    server = Provider([Answer(**fields) for fields in script["answers"]], script["delay"])
    print(server.url, flush=True)
    server.serve()


if __name__ == "__main__":
    main()
