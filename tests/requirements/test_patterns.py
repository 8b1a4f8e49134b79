"""No regular expression runs away: every one of the code is fed bait that it was made to stumble over.

Baits are as long as a user's message may be. They are made of what the pattern itself looks for, repeated, with an end
that does not fit: that is what makes a backtracking engine try everything.
"""

import importlib
import pkgutil
import re
import signal
import time
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from functools import cache
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
from msgspec import Struct

import aisha
from aisha.settings import Settings

LENGTH = Settings().message_characters
MAX_SECONDS = 0.5
"""For one search through a whole message; the slowest take about a tenth of it on an idle machine."""
UNITS = (
    *"aA1 \n\t,.-_*#([<!\"'`|/@:é",
    *("and ", "a ", "a, ", "a.", "1 ", "1,", "1.", "a@", "a.b", "tomorrow at 3 ", "the lead ", "http://a", "lead_"),
    *("a-", "&#1;", "%20", "no "),
)
ENDS = ("", "\x00")
PARTS = 24
"""Tests that share the patterns: to find these takes so long that none does it at the collection of all tests."""


@cache
def patterns() -> dict[tuple[str, int], tuple[re.Pattern[Any], str]]:
    """Return every compiled pattern of the modules and of re's own cache, with where it was found."""
    compiled: dict[tuple[str, int], tuple[re.Pattern[Any], str]] = {}
    for module in modules():
        for name, value in vars(module).items():
            for pattern in _within(value):
                if module.__name__.startswith("aisha"):
                    compiled.setdefault((str(pattern.pattern), pattern.flags), (pattern, f"{module.__name__}.{name}"))
    for source, text in literals():
        try:
            pattern = re.compile(text)
        except re.error:
            continue
        compiled.setdefault((text, pattern.flags), (pattern, source))
    return compiled


def modules() -> Iterator[ModuleType]:
    for info in pkgutil.walk_packages(aisha.__path__, "aisha."):
        yield importlib.import_module(info.name)


def literals() -> Iterator[tuple[str, str]]:
    """Yield the patterns that functions pass to `re` as plain texts."""
    call = re.compile(r"\bre\.(?:sub|match|search|split|findall|fullmatch|finditer)\(\s*r?\"((?:[^\"\\]|\\.)*)\"")
    root = Path(aisha.__file__).parent
    for file in sorted(root.rglob("*.py")):
        for match in call.finditer(file.read_text(encoding="utf-8")):
            yield file.relative_to(root).as_posix(), match[1]


def _within(value: object, depth: int = 0) -> Iterator[re.Pattern[Any]]:
    if isinstance(value, re.Pattern):
        yield value
    elif depth < 4 and isinstance(value, Mapping):
        for item in value.values():
            yield from _within(item, depth + 1)
    elif depth < 4 and isinstance(value, Iterable) and isinstance(value, list | tuple | set | frozenset):
        for item in value:
            yield from _within(item, depth + 1)
    elif depth < 3 and isinstance(value, Struct) and type(value).__module__.startswith("aisha"):
        for name in value.__struct_fields__:
            yield from _within(getattr(value, name, None), depth + 1)


def own_units(pattern: re.Pattern[Any]) -> list[str]:
    """Return the words of the pattern itself: its alternatives, as they would stand in a text."""
    words = re.findall(r"[A-Za-z]{2,12}", str(pattern.pattern))
    return [f"{word} " for word in dict.fromkeys(words)][:6]


def baits(pattern: re.Pattern[Any]) -> Iterator[str]:
    for unit in (*UNITS, *own_units(pattern)):
        text = (unit * (LENGTH // len(unit) + 1))[:LENGTH]
        for end in ENDS:
            yield text + end


def slowest(pattern: re.Pattern[Any]) -> tuple[float, str]:
    """Return the CPU seconds of the worst bait and how it begins; a search is stopped once it is over the limit."""
    worst = (0.0, "")
    for bait in baits(pattern):
        text: Any = bait.encode() if isinstance(pattern.pattern, bytes) else bait
        start = time.process_time()
        with suppress(TimeoutError), cpu_limit(2 * MAX_SECONDS):
            for _ in pattern.finditer(text):
                pass
            pattern.fullmatch(text)
        worst = max(worst, (time.process_time() - start, bait[:20]))
        if worst[0] > MAX_SECONDS:
            break
    return worst


@contextmanager
def cpu_limit(seconds: float) -> Iterator[None]:
    """Raise TimeoutError in the block after so much CPU time: `re` looks for signals while it searches."""

    def stop(*_: object) -> None:
        raise TimeoutError

    before = signal.signal(signal.SIGPROF, stop)
    signal.setitimer(signal.ITIMER_PROF, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.signal(signal.SIGPROF, before)


@pytest.mark.slow
@pytest.mark.parametrize("part", range(PARTS))
def test_no_pattern_runs_away(part: int) -> None:
    assert len(patterns()) > 80
    for pattern, source in list(patterns().values())[part::PARTS]:
        seconds, bait = slowest(pattern)
        assert seconds <= MAX_SECONDS, f"{source}: {seconds:.2f} s for {bait!r}…"
