"""Plant small faults, one at a time, in the code that decides about writes, and count those that its tests notice.

Ends with 1 if fewer than 90 in 100 are noticed. The tests are imported once; each fault is planted in a forked process,
which runs the tests that pass through its line, until one fails. One process at a time.
"""

import argparse
import gc
import importlib
import json
import os
import random
import resource
import signal
import sys
import tempfile
import time
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from types import CodeType, FunctionType
from typing import Any

import pytest

from infra.mutants.mutations import Mutant, mutant_at, places_in
from infra.mutants.targets import GROUPS, modules_of

MIN_NOTICED = 0.9
MAX_TESTS = 600
"""Tests that are run against one fault: the quickest of those that pass through its line."""
MAX_TEST_SECONDS = 5.0
"""Tests that take more of the processor's time are left out."""
CPU_SECONDS = 120
"""Processor time after which a fault that makes the tests run on counts as noticed."""
_TOOL = sys.monitoring.PROFILER_ID
_OPTIONS = (
    "-q",
    "-p",
    "no:cacheprovider",
    "-o",
    "addopts=--import-mode=importlib -p no:schemathesis",
    "-m",
    "not slow",
)

type Functions = Mapping[tuple[str, str], Sequence[FunctionType]]


def main() -> int:
    """Run a sample of each group, print the figures and what went unnoticed, and return the exit code."""
    options = _options()
    groups = [options.group] if options.group else list(GROUPS)
    files = {group: _files(group) for group in groups}
    test_files = {group: tuple(dict.fromkeys(options.tests or GROUPS[group].tests)) for group in groups}
    functions = _load(list(dict.fromkeys(test for tests in test_files.values() for test in tests)), files)
    total: Counter[str] = Counter()
    for group in groups:
        counts = _play(group, files[group], test_files[group], functions, options)
        if counts is None:
            print(f"The tests of {group} fail without any fault.")
            return 1
        total += counts
    print(f"all: {total['noticed']} of {total.total()} noticed")
    return int(total["noticed"] < MIN_NOTICED * total.total())


def _play(
    group: str, files: Sequence[str], test_files: Sequence[str], functions: Functions, options: argparse.Namespace
) -> Counter[str] | None:
    """Run a group's faults and print those that go unnoticed; None if its tests fail without any."""
    traced = _in_child(lambda: _trace(test_files, {key: code for key, code in functions.items() if key[0] in files}))
    if traced is None:
        return None
    tests, counts = _tests_by_line(traced), Counter[str]()
    places = [place for name in files for place in places_in(Path(name).relative_to(Path.cwd()))]
    # The same sample at each run, so that its figures can be compared.
    random.Random(options.seed).shuffle(places)
    if options.only:
        places = [place for place in places if options.only in str(place[0])]
    for path, place, choice in places[: options.sample]:
        mutant = mutant_at(path, place, choice, str(Path.cwd() / path))
        if mutant is None:
            continue
        result = _result(mutant, functions, tests)
        counts[result] += 1
        if result != "noticed":
            where = f"{mutant.path}:{mutant.line} {mutant.function}"
            print(f"{result.upper()} {where}\n  - {mutant.before}\n  + {mutant.after}", flush=True)
    print(f"{group}: {counts['noticed']} of {counts.total()} noticed, of {len(places)} possible", flush=True)
    return counts


def _files(group: str) -> list[str]:
    return [str(importlib.import_module(name).__file__) for name in modules_of(group)]


def _load(tests: Sequence[str], groups: Mapping[str, Sequence[str]]) -> Functions:
    """Import the tests, and return the functions of the files by file and name."""
    with Path(os.devnull).open("w") as nowhere, _Output(nowhere.fileno()):
        pytest.main([*_OPTIONS, "--collect-only", *tests])
    files = {name for names in groups.values() for name in names}
    functions: dict[tuple[str, str], list[FunctionType]] = defaultdict(list)
    # Also functions that decorators or classes hold, which no module has by name.
    for candidate in gc.get_objects():
        if isinstance(candidate, FunctionType) and candidate.__code__.co_filename in files:
            functions[candidate.__code__.co_filename, candidate.__code__.co_qualname].append(candidate)
    return functions


class _Output:
    """Send what the process prints, and its children, to another file."""

    def __init__(self, target: int) -> None:
        self._target = target

    def __enter__(self) -> None:
        sys.stdout.flush()
        self._saved = os.dup(1)
        os.dup2(self._target, 1)

    def __exit__(self, *_: object) -> None:
        sys.stdout.flush()
        os.dup2(self._saved, 1)
        os.close(self._saved)


def _trace(tests: Sequence[str], functions: Functions) -> dict[str, Any]:
    """Run all tests, and return the lines that each passes through and how long it takes."""
    tracer = _Tracer()
    sys.monitoring.use_tool_id(_TOOL, "mutants")
    sys.monitoring.register_callback(_TOOL, sys.monitoring.events.LINE, tracer.line)
    for code in {function.__code__ for group in functions.values() for function in group}:
        for nested in _nested(code):
            sys.monitoring.set_local_events(_TOOL, nested, sys.monitoring.events.LINE)
    # Line events of these functions alone: the others run at full speed.
    ended = pytest.main([*_OPTIONS, *tests], plugins=[tracer])
    if ended != pytest.ExitCode.OK:
        raise SystemExit(ended)
    return {"lines": {name: sorted(lines) for name, lines in tracer.lines.items()}, "seconds": tracer.seconds}


class _Tracer:
    """A plugin of pytest that notes the lines and the duration of each test."""

    def __init__(self) -> None:
        self.lines: dict[str, set[tuple[str, int]]] = defaultdict(set)
        self.seconds: dict[str, float] = defaultdict(float)
        self._test = ""

    def line(self, code: CodeType, line: int) -> None:
        self.lines[self._test].add((code.co_filename, line))

    def pytest_runtest_logstart(self, nodeid: str) -> None:
        self._test = nodeid

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_call(self, item: pytest.Item) -> Iterator[None]:
        """Take the processor's time, which other programs don't lengthen. Set-up, which tests share, does not count."""
        start = time.process_time()
        try:
            yield
        finally:
            self.seconds[item.nodeid] = time.process_time() - start


def _nested(code: CodeType) -> Iterator[CodeType]:
    yield code
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield from _nested(constant)


def _tests_by_line(traced: Mapping[str, Any]) -> dict[tuple[str, int], list[str]]:
    """Return the tests that pass through each line, the quickest first."""
    tests: dict[tuple[str, int], list[str]] = defaultdict(list)
    seconds = traced["seconds"]
    for name, lines in sorted(traced["lines"].items(), key=lambda item: seconds.get(item[0], 0.0)):
        for file_name, line in lines if seconds.get(name, MAX_TEST_SECONDS) < MAX_TEST_SECONDS else ():
            tests[file_name, line].append(name)
    return tests


def _result(mutant: Mutant, functions: Functions, tests: Mapping[tuple[str, int], Sequence[str]]) -> str:
    file_name = str(Path.cwd() / mutant.path)
    targets = functions.get((file_name, mutant.function), ())
    # A line within an expression may have no event of its own: then the tests of the whole function count.
    lines = sorted(
        {
            line
            for function in targets
            for nested in _nested(function.__code__)
            for *_, line in nested.co_lines()
            if line
        }
    )
    of_function = dict.fromkeys(name for line in lines for name in tests.get((file_name, line), ()))
    names = (tests.get((file_name, mutant.line)) or list(of_function))[:MAX_TESTS]
    if not names or not targets:
        return "never run"
    # Tests of one file follow each other, so that what they share is set up once.
    order = {file: place for place, file in enumerate(dict.fromkeys(name.partition("::")[0] for name in names))}
    outcome = _in_child(lambda: _plant(mutant, sorted(names, key=lambda name: order[name.partition("::")[0]]), targets))
    return "unnoticed" if outcome == {"code": 0} else "noticed"


def _plant(mutant: Mutant, names: Sequence[str], functions: Sequence[FunctionType]) -> dict[str, Any]:
    # A fault may turn a loop into one without an end.
    resource.setrlimit(resource.RLIMIT_CPU, (CPU_SECONDS, CPU_SECONDS))
    for function in functions:
        function.__code__ = mutant.code
    return {"code": int(pytest.main([*_OPTIONS, "-x", *names]))}


def _in_child(work: Callable[[], Mapping[str, Any]]) -> dict[str, Any] | None:
    """Do the work in a forked process and return what it returns; None if it ended without an answer."""
    sys.stdout.flush()
    with tempfile.NamedTemporaryFile() as answer:
        # A fork has the imported tests already, and what the fault breaks ends with it.
        child = os.fork()
        if child == 0:
            # A group of its own, so that servers which a test starts can be ended with it.
            os.setsid()
            with Path(os.devnull).open("w") as nowhere:
                os.dup2(nowhere.fileno(), 1)
                os.dup2(nowhere.fileno(), 2)
            try:
                Path(answer.name).write_text(json.dumps(work()))
            finally:
                os._exit(0)
        try:
            os.waitpid(child, 0)
        finally:
            # Also servers and threads that a test has left, and the child itself if this process is told to end.
            os.killpg(child, signal.SIGKILL) if _is_group(child) else None
        text = answer.read()
    return dict(json.loads(text)) if text else None


def _is_group(process: int) -> bool:
    try:
        os.killpg(process, 0)
    except (ProcessLookupError, PermissionError):
        return False
    return True


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser("python -m infra.mutants", description=__doc__)
    parser.add_argument("--sample", type=int, default=40, help="faults of each group")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--group", default="", choices=["", *GROUPS])
    parser.add_argument("--only", default="", help="a part of the path of the modules to change")
    parser.add_argument("--tests", nargs="*", help="files of tests in place of the group's")
    return parser.parse_args()


def _end(*_: object) -> None:
    raise SystemExit(1)


if __name__ == "__main__":
    signal.signal(signal.SIGTERM, _end)
    sys.exit(main())
