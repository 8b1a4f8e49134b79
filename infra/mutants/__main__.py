"""Plant small faults, one at a time, in the code that decides about writes, and count those that its tests notice.

`python -m infra.mutants --sample 200`. Ends with 1 if fewer than 90 in 100 are noticed. The tests are imported once;
each fault is planted in a forked process, which runs the tests that pass through its line, until one fails.
"""

import argparse
import contextlib
import gc
import importlib
import io
import json
import os
import random
import resource
import signal
import sys
import tempfile
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from types import CodeType, FunctionType
from typing import Any

import pytest

from infra.mutants.mutations import Mutant, mutants_of
from infra.mutants.targets import GROUPS, Group

MIN_NOTICED = 0.9
MAX_TESTS = 150
"""Tests that are run against one fault, the quickest of those that pass through its line."""
CPU_SECONDS = 60
"""Processor time after which a fault that makes the tests run on counts as noticed."""
_TOOL = sys.monitoring.PROFILER_ID
_OPTIONS = (
    "-q",
    "-x",
    "-p",
    "no:cacheprovider",
    "-p",
    "no:randomly",
    "--no-header",
    "-o",
    "addopts=--import-mode=importlib -p no:schemathesis",
)

type Lines = dict[tuple[str, int], list[str]]


def main() -> int:
    """Run a sample of each group, print the figures and what went unnoticed, and return the exit code."""
    options = _options()
    noticed: Counter[str] = Counter()
    planted: Counter[str] = Counter()
    for group in GROUPS:
        if options.group not in ("", group.name):
            continue
        for mutant, result in _run(group, options.sample // (1 if options.group else len(GROUPS)), options.seed):
            planted[group.name] += 1
            noticed[group.name] += result == "noticed"
            if result != "noticed":
                where = f"{mutant.path}:{mutant.line} {mutant.function}"
                print(f"{result.upper()} {where}\n  - {mutant.before}\n  + {mutant.after}", flush=True)
        print(f"{group.name}: {noticed[group.name]} of {planted[group.name]} noticed", flush=True)
    total, found = sum(planted.values()), sum(noticed.values())
    print(f"all: {found} of {total} noticed ({found / max(1, total):.0%})")
    return int(found < MIN_NOTICED * total)


def _run(group: Group, sample: int, seed: int) -> Iterator[tuple[Mutant, str]]:
    functions = _load(group)
    covered = _in_child(lambda: _trace(group, functions))
    if covered is None:
        raise SystemExit(f"The tests of {group.name} fail without any fault.")
    tests: Lines = defaultdict(list)
    for name, lines in sorted(covered["lines"].items(), key=lambda item: covered["seconds"].get(item[0], 0.0)):
        for file_name, line in lines:
            tests[file_name, line].append(name)
    files = {file_name for file_name, _ in functions}
    mutants = [one for name in sorted(files) for one in mutants_of(Path(name).relative_to(Path.cwd()), name)]
    random.Random(seed).shuffle(mutants)
    for mutant in mutants[:sample]:
        file_name = str(Path.cwd() / mutant.path)
        names = tests.get((file_name, mutant.line), [])[:MAX_TESTS]
        found = functions.get((file_name, mutant.function), [])
        if not names or not found:
            yield mutant, "never run"
            continue
        # Tests of one file follow each other, so that what they share is set up once.
        order = {file: place for place, file in enumerate(dict.fromkeys(name.partition("::")[0] for name in names))}
        names.sort(key=lambda name: order[name.partition("::")[0]])
        done = _in_child(lambda mutant=mutant, names=names, found=found: _plant(mutant, names, found))
        yield mutant, "unnoticed" if done is not None and done["code"] == 0 else "noticed"


def _load(group: Group) -> dict[tuple[str, str], list[FunctionType]]:
    """Import the modules and tests of a group, and return the modules' functions by file and name."""
    files = {str(importlib.import_module(name).__file__) for name in group.modules}
    with contextlib.redirect_stdout(io.StringIO()):
        pytest.main([*_OPTIONS, "--collect-only", *group.tests])
    functions: dict[tuple[str, str], list[FunctionType]] = defaultdict(list)
    for one in gc.get_objects():
        if isinstance(one, FunctionType) and one.__code__.co_filename in files:
            functions[one.__code__.co_filename, one.__code__.co_qualname].append(one)
    gc.freeze()
    return functions


def _trace(group: Group, functions: Mapping[tuple[str, str], Sequence[FunctionType]]) -> dict[str, Any] | None:
    """Run all tests of a group, and return the lines that each passes through and how long it takes."""
    tracer = _Tracer()
    sys.monitoring.use_tool_id(_TOOL, "mutants")
    sys.monitoring.register_callback(_TOOL, sys.monitoring.events.LINE, tracer.line)
    for code in {one.__code__ for found in functions.values() for one in found}:
        for nested in _nested(code):
            sys.monitoring.set_local_events(_TOOL, nested, sys.monitoring.events.LINE)
    options = [option for option in _OPTIONS if option != "-x"]
    if pytest.main([*options, *group.tests], plugins=[tracer]) not in (0, 5):
        return None
    return {"lines": {name: sorted(lines) for name, lines in tracer.lines.items()}, "seconds": tracer.seconds}


class _Tracer:
    """A plugin of pytest that notes the lines and the duration of each test."""

    def __init__(self) -> None:
        self.lines: dict[str, set[tuple[str, int]]] = defaultdict(set)
        self.seconds: dict[str, float] = defaultdict(float)
        self._test = ""

    def line(self, code: CodeType, line: int) -> None:
        if self._test:
            self.lines[self._test].add((code.co_filename, line))

    def pytest_runtest_logstart(self, nodeid: str) -> None:
        self._test = nodeid

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        self.seconds[report.nodeid] += report.duration


def _nested(code: CodeType) -> Iterator[CodeType]:
    yield code
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield from _nested(constant)


def _plant(mutant: Mutant, names: Sequence[str], functions: Sequence[FunctionType]) -> dict[str, Any]:
    for one in functions:
        one.__code__ = mutant.code
    return {"code": int(pytest.main([*_OPTIONS, *names]))}


def _in_child(work: Any) -> dict[str, Any] | None:
    """Do the work in a forked process and return what it returns; None if it ended without an answer."""
    with tempfile.NamedTemporaryFile() as answer:
        child = os.fork()
        if child == 0:
            os.setsid()
            if sys.monitoring.get_tool(_TOOL) is None:
                resource.setrlimit(resource.RLIMIT_CPU, (CPU_SECONDS * 10, CPU_SECONDS * 10))
            with open(os.devnull, "w") as nowhere:
                os.dup2(nowhere.fileno(), 1)
                os.dup2(nowhere.fileno(), 2)
            try:
                Path(answer.name).write_text(json.dumps(work()))
            finally:
                os._exit(0)
        try:
            os.waitpid(child, 0)
        finally:
            with contextlib.suppress(ProcessLookupError):
                os.killpg(child, signal.SIGKILL)
        text = answer.read()
    return dict(json.loads(text)) if text else None


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser("python -m infra.mutants", description=__doc__)
    parser.add_argument("--sample", type=int, default=200, help="faults, of all groups together")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--group", default="", choices=["", *(group.name for group in GROUPS)])
    return parser.parse_args()


if __name__ == "__main__":
    sys.exit(main())
