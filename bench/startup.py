"""What a process takes from its start: to its first turn's end, and to a handler that is imported."""

import sys
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from statistics import fmean

from bench.built import built_package
from bench.processes import AISHA, ROOT, SDK, fresh_cpu
from bench.provider import provider
from bench.table import Row
from bench.world import ANSWERS, conversation, written

MOST_FRESH = 1.1
MOST_IMPORT = 1.15
MODEL_FUNCTIONS = frozenset(("chat", "embedding", "flow_chat", "openai", "singleturn", "suggest"))
"""The functions whose work is a model's."""
YARDSTICK = """
import boto3
from aws_lambda_powertools import Logger, Metrics
from aws_lambda_powertools.event_handler import APIGatewayRestResolver
boto3.client("dynamodb", region_name="us-east-1", aws_access_key_id="none", aws_secret_access_key="none")
Logger(service="bench"), Metrics(namespace="bench", service="bench"), APIGatewayRestResolver()
"""
HANDLER = "import runpy, sys; runpy.run_path(sys.argv[1])"
END = "\nimport os; os._exit(0)"
"""What the interpreter tears down at its end is not of the start: Lambda's processes never get there."""


def fresh_row(rounds: int) -> Row:
    """A fresh process with one turn in it."""
    with provider(ANSWERS) as url, tempfile.TemporaryDirectory() as folder:
        path = written(conversation(url), Path(folder))
        commands = {one.name: [*one.command(path), "once"] for one in (AISHA, SDK)}
        with built_package() as environment:
            times = _means(commands, rounds, environment)
    ours, theirs = times[AISHA.name], times[SDK.name]
    detail = f"CPU, {ours:.0f} : {theirs:.0f} ms"
    return Row("fresh process, one turn", "openai SDK loop", ours / theirs, most=MOST_FRESH, detail=detail)


def import_rows(rounds: int) -> list[Row]:
    """A fresh process that imports a handler, beside one with the AWS SDK's client and Powertools; interpreters' own time counts not."""
    handlers = sorted((ROOT / "functions").glob("*/handler.py"))
    commands = {path.parent.name: [sys.executable, "-c", HANDLER + END, str(path)] for path in handlers}
    yardstick = {"-": [sys.executable, "-c", YARDSTICK + END], "": [sys.executable, "-c", "import runpy" + END]}
    with built_package() as environment:
        times = _means(commands | yardstick, rounds, environment)
    nothing = times.pop("")
    base = times.pop("-") - nothing
    return [_import_row(name, time - nothing, base) for name, time in times.items()]


def _import_row(name: str, time: float, base: float) -> Row:
    most = None if name in MODEL_FUNCTIONS else MOST_IMPORT
    detail = f"CPU, {time:.0f} : {base:.0f} ms"
    return Row(f"import of `{name}`", "boto3 client, Powertools", time / base, most=most, detail=detail)


def _means(commands: Mapping[str, Sequence[str]], rounds: int, environment: Mapping[str, str]) -> dict[str, float]:
    for command in commands.values():
        fresh_cpu(command, environment)  # writes bytecode, fills the disk's cache
    taken: dict[str, list[float]] = {name: [] for name in commands}
    for _ in range(rounds):
        for name, command in commands.items():
            taken[name].append(fresh_cpu(command, environment))
    return {name: fmean(times) for name, times in taken.items()}
