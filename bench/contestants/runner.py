"""Run one contestant in a process of its own.

usage: python -m bench.contestants.runner MODULE CLASS CONVERSATION [once]

Reads commands from standard input, one JSON object a line such as `{"do": "whole", "turns": 5}`, and answers each with
a line. `once` plays one turn and ends, to time a fresh process.
"""

import importlib
import json
import os
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from bench.contestants.conversation import Conversation, read_conversation


class Course:
    """The commands of a contestant. A turn without the scripted reply ends the process."""

    def __init__(self, contestant: Any, conversation: Conversation) -> None:
        self._contestant, self._conversation = contestant, conversation

    def whole(self, turns: int) -> list[float]:
        """Return the CPU seconds of each turn."""
        return [self._timed(self._contestant.whole) for _ in range(turns)]

    def streamed(self, turns: int) -> list[float]:
        """Return the CPU seconds of each streamed turn."""
        return [self._timed(lambda: list(self._contestant.streamed())) for _ in range(turns)]

    def first(self, turns: int) -> list[float]:
        """Return the seconds to each turn's first text."""
        return [self._first() for _ in range(turns)]

    def at_once(self, turns: int) -> list[float]:
        """Return the seconds that the turns take side by side, and their CPU seconds."""
        start, start_cpu = time.perf_counter(), time.process_time()
        replies = self._contestant.at_once(turns)
        spent = [time.perf_counter() - start, time.process_time() - start_cpu]
        for reply in replies:
            self.check(reply)
        return spent

    def check(self, reply: str) -> None:
        if reply != self._conversation.reply:
            raise RuntimeError(f"another reply than the scripted one: {reply!r}")

    def _timed(self, turn: Callable[[], str | list[str]]) -> float:
        start = time.process_time()
        reply = turn()
        spent = time.process_time() - start
        self.check(reply if isinstance(reply, str) else self._text(reply))
        return spent

    def _first(self) -> float:
        start = time.perf_counter()
        pieces, spent = [], 0.0
        for piece in self._contestant.streamed():
            pieces.append(piece)
            if not spent and self._text([piece]):
                spent = time.perf_counter() - start
        self.check(self._text(pieces))
        return spent

    def _text(self, pieces: list[str]) -> str:
        """Join the pieces, by the contestant's own `text_of` where they are not the text itself."""
        text_of = getattr(self._contestant, "text_of", "".join)
        return str(text_of(pieces))


def main() -> None:
    """Create the contestant and run its commands."""
    module, name, path, *once = sys.argv[1:]
    conversation = read_conversation(Path(path))
    contestant = getattr(importlib.import_module(f"bench.contestants.{module}"), name)(conversation)
    course = Course(contestant, conversation)
    if once:
        course.check(contestant.whole())
        # What the interpreter tears down at its end is not of the start: Lambda's processes never get there.
        os._exit(0)
    print(json.dumps("ready"), flush=True)
    for line in sys.stdin:
        command = json.loads(line)
        print(json.dumps(getattr(course, command["do"])(command["turns"])), flush=True)


if __name__ == "__main__":
    main()
