"""Run contestants in processes of their own, in turn, so that a slow minute of the machine affects all of them."""

import json
import os
import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from statistics import median

ROOT = Path(__file__).parents[1]
FRAMEWORKS = ROOT / ".local/tools/bench/bin/python"


@dataclass(frozen=True, slots=True)
class Contestant:
    """A contestant. `module` and `name` of a class in bench.contestants; `python` is the interpreter with its
    libraries.
    """

    module: str
    name: str
    python: str = sys.executable

    def command(self, conversation: Path) -> list[str]:
        return [self.python, "-m", "bench.contestants.runner", self.module, self.name, str(conversation)]


AISHA = Contestant("aisha_turn", "AishaTurn")
SDK = Contestant("sdk_loop", "SdkLoop")
ASYNC_SDK = Contestant("sdk_loop", "AsyncSdkLoop")
HTTPX = Contestant("httpx_loop", "HttpxLoop")
PYDANTIC_AI = Contestant("pydantic_ai_agent", "PydanticAiAgent", str(FRAMEWORKS))
LANGCHAIN = Contestant("langchain_agent", "LangchainAgent", str(FRAMEWORKS))

ENVIRONMENT = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"} | {
    "PYTHONPATH": f"{ROOT / 'shared'}:{ROOT}",
    "LANGSMITH_TRACING": "false",
}


class Running:
    """A contestant's process, waiting for commands."""

    def __init__(self, process: "subprocess.Popen[str]") -> None:
        self._process = process
        self._read()

    def do(self, command: str, turns: int) -> list[float]:
        """Return the figures of `turns` turns. Raises RuntimeError when the contestant failed; it has printed why."""
        assert self._process.stdin
        print(json.dumps({"do": command, "turns": turns}), file=self._process.stdin, flush=True)
        return [float(figure) for figure in self._read()]

    def _read(self) -> Sequence[float]:
        assert self._process.stdout
        if not (line := self._process.stdout.readline()):
            raise RuntimeError(f"a contestant of the bench ended: {self._process.args!r}")
        answer: Sequence[float] = json.loads(line)
        return answer


@contextmanager
def run_contestants(contestants: Sequence[Contestant], conversation: Path) -> Iterator[dict[Contestant, Running]]:
    """Yield all contestants, ready."""
    with ExitStack() as stack:
        yield {
            contestant: Running(stack.enter_context(_process(contestant, conversation))) for contestant in contestants
        }


@contextmanager
def _process(contestant: Contestant, conversation: Path) -> "Iterator[subprocess.Popen[str]]":
    command, pipe = contestant.command(conversation), subprocess.PIPE
    with subprocess.Popen(command, cwd=ROOT, env=ENVIRONMENT, stdin=pipe, stdout=pipe, text=True) as process:
        try:
            yield process
        finally:
            process.terminate()


def interleave[K](
    started: Mapping[K, Running], command: str, *, rounds: int, turns: int = 1, warm_up: int = 3
) -> dict[K, list[list[float]]]:
    """Return each contestant's figures by round; every round runs all of them."""
    for one in started.values():
        one.do(command, warm_up)
    figures: dict[K, list[list[float]]] = {key: [] for key in started}
    for _ in range(rounds):
        for key, one in started.items():
            figures[key].append(one.do(command, turns))
    return figures


def medians[K](figures: Mapping[K, list[list[float]]]) -> dict[K, float]:
    """Return the median of each contestant's turns, in milliseconds."""
    return {key: median(turn for turns in rounds for turn in turns) * 1000 for key, rounds in figures.items()}


def fresh_cpu(command: Sequence[str], environment: Mapping[str, str] = ENVIRONMENT) -> float:
    """Return the CPU milliseconds of a process, system time included. Raises RuntimeError if it failed."""
    process = os.posix_spawn(command[0], list(command), environment)
    _, status, used = os.wait4(process, 0)
    if status:
        raise RuntimeError(f"failed: {command}")
    return (used.ru_utime + used.ru_stime) * 1000
