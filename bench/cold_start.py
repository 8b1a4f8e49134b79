"""Measure how long the built functions take to start and to answer in AWS's Lambda runtime interface emulator.

Each function of the template that `sam build` produced is started anew and gets its event of events/ once cold and
five times warm, over DynamoDB Local with the demo data. The layers are those of the build; nothing comes from the
source tree. This machine's processor is not Lambda's, and no memory setting slows it down: compare the figures with
one another.
"""

import argparse
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from statistics import median

from infra.sam.built_stack import BuiltStack, MissingToolError, built_stack, script
from infra.sam.emulator import Answer, emulated

ROOT = Path(__file__).parents[1]
BUILD = ROOT / ".local/build"
WARM = 5
FAILURES = ("failed", "500", "502", "503", "504")
"""Beginnings of a failed status. 501 is right for a function whose external service has no key."""


@dataclass(frozen=True)
class Measured:
    """A function's figures: milliseconds, and peak megabytes beside the template's memory.

    `cpu` is the processor time of the cold start; the others are times that the sender waited.
    """

    name: str
    status: str
    cold: float
    cpu: float
    warm: float
    slowest: float
    peak: float
    memory: int


def status_of(answer: Answer) -> str:
    """Return the HTTP status, "ok" for a function that answers no HTTP request, or "failed: ..." when it raised."""
    value = answer.value
    if isinstance(value, dict) and "errorType" in value:
        return f"failed: {value['errorType']}: {value.get('errorMessage')}"
    if isinstance(value, dict) and value.get("batchItemFailures"):
        return "ok, message to come again"
    return str(value["statusCode"]) if isinstance(value, dict) and "statusCode" in value else "ok"


def measure(run: BuiltStack, name: str, emulator: Path, adapter: Path | None, warm: int) -> Measured:
    """Start a function and send its event 1 + `warm` times."""
    event = run.event(name)
    with emulated(run.deployment, name, emulator, adapter) as function:
        first = function.invoke(event)
        cpu = function.cpu_milliseconds()
        later = [function.invoke(event).milliseconds for _ in range(warm)]
        peak = function.peak_megabytes()
    memory = int(run.deployment.property_of(name, "MemorySize"))
    return Measured(name, status_of(first), first.milliseconds, cpu, median(later), max(later), peak, memory)


def measure_all(run: BuiltStack, warm: int) -> Iterator[Measured | str]:
    """Yield every function's figures as they come, or a line that explains why there are none."""
    emulator = Path(script("sam/sam.sh", "--emulator"))
    try:
        adapter, reason = Path(script("build/lambda_adapter.sh")), ""
    except MissingToolError as error:
        adapter, reason = None, str(error)
    for name in run.deployment.functions:
        if run.deployment.is_streaming(name) and adapter is None:
            yield f"{name}: not run, {reason}"
        else:
            yield measure(run, name, emulator, adapter, warm)


def table_line(figures: Measured) -> str:
    """Format one line of the table."""
    times = f"{figures.cold:>9.0f}{figures.cpu:>9.0f}{figures.warm:>9.1f}{figures.slowest:>9.1f}"
    return f"{figures.name:<26}{times}{figures.peak:>9.0f}{figures.memory:>9}   {figures.status}"


def main() -> int:
    """Print the table. Returns 1 when a function failed, 3 when this machine lacks what all of them need."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--build", type=Path, default=BUILD, help="what infra/build/build.sh host made")
    parser.add_argument("--warm", type=int, default=WARM)
    options = parser.parse_args()
    if not (options.build / "template.yaml").is_file():
        parser.error(f"{options.build} has no build; make one: infra/build/build.sh host {options.build}")
    failed = []
    try:
        with tempfile.TemporaryDirectory() as logs, built_stack(options.build.resolve(), Path(logs)) as run:
            titles = ("cold ms", "its CPU", "warm ms", "slowest", "peak MB", "of MB")
            print(f"{'function':<26}{''.join(f'{title:>9}' for title in titles)}   answer")
            for figures in measure_all(run, options.warm):
                print(figures if isinstance(figures, str) else table_line(figures), flush=True)
                if isinstance(figures, Measured) and figures.status.startswith(FAILURES):
                    failed.append(figures.name)
    except MissingToolError as error:
        print(f"skipped: {error}", file=sys.stderr)
        return 3
    if failed:
        print(f"failed: {', '.join(failed)}", file=sys.stderr)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
