"""What a turn takes beside the loops and the frameworks: CPU, time to the first text, many at once."""

import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from statistics import median

from bench.processes import (
    AISHA,
    ASYNC_SDK,
    HTTPX,
    LANGCHAIN,
    PYDANTIC_AI,
    SDK,
    Contestant,
    Running,
    interleaved,
    middle,
    running,
)
from bench.provider import provider
from bench.table import Row
from bench.world import ANSWERS, conversation, written

NAMES = {
    SDK: "openai SDK loop",
    ASYNC_SDK: "openai SDK loop, asynchronous",
    HTTPX: "httpx loop",
    PYDANTIC_AI: "pydantic-ai",
    LANGCHAIN: "langchain",
}
MOST_WHOLE = 0.5
MOST_STREAMED = 0.6
MOST_FIRST_MS = 5.0
LEAST_AT_ONCE = 2.0
AT_ONCE = 32
THINKING_SECONDS = 0.05
PIECE_SECONDS = 0.002


@contextmanager
def _started(
    contestants: list[Contestant], *, delay: float = 0.0, pause: float = 0.0
) -> Iterator[dict[Contestant, Running]]:
    """The contestants, ready, with a provider that they all ask."""
    with (
        provider(ANSWERS, delay=delay, pause=pause) as url,
        tempfile.TemporaryDirectory() as folder,
        running(contestants, written(conversation(url), Path(folder))) as started,
    ):
        yield started


def cpu_rows(others: list[Contestant], rounds: int) -> list[Row]:
    """CPU of a whole turn and of a streamed one."""
    with _started([AISHA, *others]) as started:
        whole = middle(interleaved(started, "whole", rounds=rounds, turns=2))
        streamed = middle(interleaved(started, "streamed", rounds=rounds, turns=2))
    return [*_ratios("turn, JSON", whole, MOST_WHOLE), *_ratios("turn, streamed", streamed, MOST_STREAMED)]


def _ratios(what: str, times: dict[Contestant, float], most: float) -> list[Row]:
    ours = times[AISHA]
    return [
        Row(what, NAMES[one], ours / time, most=most if one is SDK else None, detail=f"CPU, {ours:.1f} : {time:.1f} ms")
        for one, time in times.items()
        if one is not AISHA
    ]


def first_text_row(rounds: int) -> Row:
    """How much later the first text comes than in the httpx loop, from a model with a pause before each piece."""
    with _started([AISHA, HTTPX], pause=PIECE_SECONDS) as started:
        figures = interleaved(started, "first", rounds=3 * rounds)
    # By round: the clock of a busy machine wanders further between two rounds than the two differ in one.
    later = median(ours - theirs for (ours,), (theirs,) in zip(figures[AISHA], figures[HTTPX], strict=True))
    ours, theirs = middle(figures).values()
    return Row(
        "first text",
        NAMES[HTTPX],
        later * 1000,
        most=MOST_FIRST_MS,
        unit="ms",
        detail=f"clock, {ours:.1f} : {theirs:.1f} ms",
    )


def at_once_row(rounds: int) -> Row:
    """Throughput of many turns at once beside the better of the SDK's two clients."""
    with _started([AISHA, SDK, ASYNC_SDK], delay=THINKING_SECONDS) as started:
        figures = interleaved(started, "at_once", rounds=rounds, turns=AT_ONCE, warm_up=AT_ONCE)
    clock = {one: median(seconds for seconds, _ in taken) for one, taken in figures.items()}
    best = min((SDK, ASYNC_SDK), key=clock.__getitem__)
    rates = [AT_ONCE / clock[one] for one in (AISHA, best)]
    name = "openai SDK loop, " + ("32 threads" if best is SDK else "asynchronous")
    return Row(
        f"{AT_ONCE} turns at once, 50 ms a model call",
        name,
        rates[0] / rates[1],
        least=LEAST_AT_ONCE,
        detail=f"turns a second, {rates[0]:.0f} : {rates[1]:.0f}",
    )
