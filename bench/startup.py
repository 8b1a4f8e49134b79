"""Measure the start of a process: to the end of its first turn, and to an imported handler."""

import sys
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from statistics import fmean

from bench.built import built_package
from bench.processes import AISHA, ROOT, SDK, fresh_cpu
from bench.provider import run_provider
from bench.table import Row
from bench.world import ANSWERS, conversation, write_conversation

MAX_FRESH_RATIO = 0.9
MAX_IMPORT_RATIO = 1.15
MODEL_FUNCTIONS = frozenset(("chat", "embedding", "flow_chat", "openai", "singleturn", "suggest"))
"""The functions that call models."""
YARDSTICK = """
import boto3
from aws_lambda_powertools import Logger, Metrics
from aws_lambda_powertools.event_handler import APIGatewayRestResolver
boto3.client("dynamodb", region_name="us-east-1", aws_access_key_id="none", aws_secret_access_key="none")
Logger(service="bench"), Metrics(namespace="bench", service="bench"), APIGatewayRestResolver()
"""
HANDLER = "import runpy, sys; runpy.run_path(sys.argv[1])"
END = "\nimport os; os._exit(0)"
"""Skips the interpreter's teardown, which Lambda's processes never reach."""


def fresh_row(rounds: int) -> Row:
    """Return the row for a fresh process with one turn in it."""
    with run_provider(ANSWERS) as url, tempfile.TemporaryDirectory() as folder:
        path = write_conversation(conversation(url), Path(folder))
        commands = {contestant.name: [*contestant.command(path), "once"] for contestant in (AISHA, SDK)}
        with built_package() as environment:
            times = _means(commands, rounds, environment)
    ours, theirs = times[AISHA.name], times[SDK.name]
    detail = f"CPU, {ours:.0f} : {theirs:.0f} ms"
    return Row("fresh process, one turn", "openai SDK loop", ours / theirs, maximum=MAX_FRESH_RATIO, detail=detail)


def import_rows(rounds: int) -> list[Row]:
    """Return the rows of processes that import a handler, beside one with boto3 and Powertools.

    The interpreter's own time is subtracted.
    """
    handlers = sorted((ROOT / "functions").glob("*/handler.py"))
    commands = {path.parent.name: [sys.executable, "-c", HANDLER + END, str(path)] for path in handlers}
    yardstick = {"-": [sys.executable, "-c", YARDSTICK + END], "": [sys.executable, "-c", "import runpy" + END]}
    with built_package() as environment:
        times = _means(commands | yardstick, rounds, environment)
    interpreter = times.pop("")
    base = times.pop("-") - interpreter
    return [_import_row(name, time - interpreter, base) for name, time in times.items()]


def _import_row(name: str, time: float, base: float) -> Row:
    bound = None if name in MODEL_FUNCTIONS else MAX_IMPORT_RATIO
    detail = f"CPU, {time:.0f} : {base:.0f} ms"
    return Row(f"import of `{name}`", "boto3 client, Powertools", time / base, maximum=bound, detail=detail)


def _means(commands: Mapping[str, Sequence[str]], rounds: int, environment: Mapping[str, str]) -> dict[str, float]:
    for command in commands.values():
        fresh_cpu(command, environment)  # writes bytecode, fills the disk's cache
    taken: dict[str, list[float]] = {name: [] for name in commands}
    for _ in range(rounds):
        for name, command in commands.items():
            taken[name].append(fresh_cpu(command, environment))
    return {name: fmean(times) for name, times in taken.items()}
