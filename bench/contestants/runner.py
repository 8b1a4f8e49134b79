"""One contestant in a process of its own. usage: python -m bench.contestants.runner MODULE CLASS CONVERSATION [once]

Reads commands from its standard input, one JSON object a line, and answers each with one: `{"do": "whole", "turns": 5}`.
`once` plays one turn and ends at once, for the time that a fresh process takes to there.
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
    """What a contestant can be asked to do. A turn without the scripted reply ends the process."""

    def __init__(self, contestant: Any, conversation: Conversation) -> None:
        self._contestant, self._conversation = contestant, conversation

    def whole(self, turns: int) -> list[float]:
        """CPU seconds of each turn."""
        return [self._timed(self._contestant.whole) for _ in range(turns)]

    def streamed(self, turns: int) -> list[float]:
        """CPU seconds of each streamed turn."""
        return [self._timed(lambda: list(self._contestant.streamed())) for _ in range(turns)]

    def first(self, turns: int) -> list[float]:
        """Seconds to each turn's first text."""
        return [self._first() for _ in range(turns)]

    def at_once(self, turns: int) -> list[float]:
        """Seconds that the turns take side by side, and their CPU seconds."""
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
        """A contestant whose pieces are not the text itself says how to get it."""
        text_of = getattr(self._contestant, "text_of", "".join)
        return str(text_of(pieces))


def main() -> None:
    """Makes the contestant and does what it is told."""
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
