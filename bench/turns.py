"""Compare a turn with hand-written loops and frameworks: CPU, time to the first text, many turns at once."""

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
    interleave,
    medians,
    run_contestants,
)
from bench.provider import run_provider
from bench.table import Row
from bench.world import ANSWERS, conversation, write_conversation

NAMES = {
    SDK: "openai SDK loop",
    ASYNC_SDK: "openai SDK loop, asynchronous",
    HTTPX: "httpx loop",
    PYDANTIC_AI: "pydantic-ai",
    LANGCHAIN: "langchain",
}
MAX_WHOLE_RATIOS = {SDK: 0.5, HTTPX: 1.4}
MAX_STREAMED_RATIOS = {SDK: 0.6, HTTPX: 1.3}
MAX_FIRST_TEXT_MS = 5.0
MIN_AT_ONCE_RATIO = 2.0
CONCURRENT_TURNS = 32
THINKING_SECONDS = 0.05
PIECE_SECONDS = 0.002


@contextmanager
def _start(
    contestants: list[Contestant], *, delay: float = 0.0, pause: float = 0.0
) -> Iterator[dict[Contestant, Running]]:
    """Yield the contestants, ready, with a provider that all of them ask."""
    with (
        run_provider(ANSWERS, delay=delay, pause=pause) as url,
        tempfile.TemporaryDirectory() as folder,
        run_contestants(contestants, write_conversation(conversation(url), Path(folder))) as started,
    ):
        yield started


def cpu_rows(others: list[Contestant], rounds: int) -> list[Row]:
    """Return the rows for the CPU of a whole turn and of a streamed one."""
    with _start([AISHA, *others]) as started:
        whole = medians(interleave(started, "whole", rounds=rounds, turns=2))
        streamed = medians(interleave(started, "streamed", rounds=rounds, turns=2))
    return [*_ratios("turn, JSON", whole, MAX_WHOLE_RATIOS), *_ratios("turn, streamed", streamed, MAX_STREAMED_RATIOS)]


def _ratios(what: str, times: dict[Contestant, float], bounds: dict[Contestant, float]) -> list[Row]:
    ours = times[AISHA]
    return [
        Row(
            what,
            NAMES[one],
            ours / time,
            maximum=bounds.get(one),
            detail=f"CPU, {ours:.1f} : {time:.1f} ms",
        )
        for one, time in times.items()
        if one is not AISHA
    ]


def first_text_row(rounds: int) -> Row:
    """Return the row for the delay of the first text beside the httpx loop, with a pause before each piece."""
    with _start([AISHA, HTTPX], pause=PIECE_SECONDS) as started:
        figures = interleave(started, "first", rounds=3 * rounds)
    # By round: the clock of a busy machine wanders further between two rounds than the two differ in one.
    delay = median(ours - theirs for (ours,), (theirs,) in zip(figures[AISHA], figures[HTTPX], strict=True))
    ours, theirs = medians(figures).values()
    return Row(
        "first text",
        NAMES[HTTPX],
        delay * 1000,
        maximum=MAX_FIRST_TEXT_MS,
        unit="ms",
        detail=f"clock, {ours:.1f} : {theirs:.1f} ms",
    )


def at_once_row(rounds: int) -> Row:
    """Return the row for the throughput of many turns at once beside the better of the SDK's two clients."""
    with _start([AISHA, SDK, ASYNC_SDK], delay=THINKING_SECONDS) as started:
        figures = interleave(started, "at_once", rounds=rounds, turns=CONCURRENT_TURNS, warm_up=CONCURRENT_TURNS)
    clock = {contestant: median(seconds for seconds, _ in rounds_taken) for contestant, rounds_taken in figures.items()}
    best = min((SDK, ASYNC_SDK), key=clock.__getitem__)
    rates = [CONCURRENT_TURNS / clock[contestant] for contestant in (AISHA, best)]
    name = "openai SDK loop, " + ("32 threads" if best is SDK else "asynchronous")
    return Row(
        f"{CONCURRENT_TURNS} turns at once, 50 ms a model call",
        name,
        rates[0] / rates[1],
        minimum=MIN_AT_ONCE_RATIO,
        detail=f"turns a second, {rates[0]:.0f} : {rates[1]:.0f}",
    )
