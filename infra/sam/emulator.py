"""Run a built function in AWS's Lambda runtime interface emulator, which the SAM CLI includes.

The emulator starts the function at its first event, so that one is cold: process, imports and init are in its time.
"""

import http.client
import json
import os
import signal
import socket
import subprocess
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from infra.sam.deployment import Deployment
from infra.sam.runtime_api import SEPARATOR

PATH = "/2015-03-31/functions/function/invocations"
START_SECONDS, ANSWER_SECONDS = 15.0, 60.0
POLL_SECONDS = 0.02


@dataclass(frozen=True)
class Answer:
    """The response to an event, and the milliseconds until it came."""

    body: bytes
    milliseconds: float

    @property
    def value(self) -> Any:
        """The handler's result. A streamed one is its prelude (status, headers) with the body as `body`."""
        if SEPARATOR in self.body:
            prelude, _, body = self.body.partition(SEPARATOR)
            return {**json.loads(prelude), "body": body.decode("utf-8", errors="replace")}
        return json.loads(self.body)


@dataclass(frozen=True)
class Emulated:
    """A function in an emulator, `process`, which listens on 127.0.0.1:`port`."""

    port: int
    process: int

    def invoke(self, event: Mapping[str, Any]) -> Answer:
        """Send one event. Raises OSError when the emulator has ended."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=ANSWER_SECONDS)
        try:
            began = time.perf_counter()
            connection.request("POST", PATH, json.dumps(event))
            body = connection.getresponse().read()
            return Answer(body, (time.perf_counter() - began) * 1000)
        finally:
            connection.close()

    def peak_megabytes(self) -> float:
        """Return the peak memory of the function's own processes, without the emulator; 0 without /proc."""
        lines = [line for child in descendants(self.process) for line in _lines(Path(f"/proc/{child}/status"))]
        return sum(int(line.split()[1]) for line in lines if line.startswith("VmHWM")) / 1024

    def cpu_milliseconds(self) -> float:
        """Return the CPU time of the function's own processes, which other load on the machine does not change."""
        ticks = 0
        for child in descendants(self.process):
            for line in _lines(Path(f"/proc/{child}/stat"))[:1]:
                # The program's name, in parentheses, may have spaces. Fields 11 and 12 after it are utime and stime.
                fields = line.rpartition(")")[2].split()
                ticks += int(fields[11]) + int(fields[12])
        return ticks * 1000 / os.sysconf("SC_CLK_TCK")


def descendants(process: int) -> list[int]:
    """Return the ids of all descendants of a process."""
    parents: dict[int, int] = {}
    for path in Path("/proc").glob("[0-9]*/stat"):
        for line in _lines(path)[:1]:
            parents[int(path.parent.name)] = int(line.rpartition(")")[2].split()[1])
    processes = [process]
    # The list grows while it is walked, until no process has another child.
    for process_id in processes:
        processes += [child for child, parent in parents.items() if parent == process_id]
    return processes[1:]


def _lines(path: Path) -> list[str]:
    try:
        return path.read_text(encoding="utf-8").splitlines()
    except OSError:  # It ended meanwhile.
        return []


def free_port() -> int:
    """Return a free port of 127.0.0.1."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


@contextmanager
def emulated(deployment: Deployment, name: str, emulator: Path, adapter: Path | None = None) -> Iterator[Emulated]:
    """Run a function until the context ends, ready for its first event. Only streaming functions need `adapter`.

    Raises TimeoutError when the emulator does not listen.
    """
    port, runtime_port, web_port = free_port(), free_port(), free_port()
    addresses = ["--runtime-interface-emulator-address", f"127.0.0.1:{port}"]
    addresses += ["--runtime-api-address", f"127.0.0.1:{runtime_port}"]
    # Streaming functions have a web server of their own, which the adapter has to find.
    environment = deployment.environment(name)
    if deployment.is_streaming(name):
        environment |= {"AWS_LWA_PORT": str(web_port), "AWS_LAMBDA_RUNTIME_API": f"127.0.0.1:{runtime_port}"}
    with deployment.log(f"emulated-{name}").open("ab") as log:
        process = subprocess.Popen(
            [str(emulator), *addresses, *deployment.command(name, adapter)],
            env=environment,
            cwd=deployment.folder / name,
            stdout=log,
            stderr=log,
            start_new_session=True,
        )
    try:
        _wait_listening(port, process)
        yield Emulated(port, process.pid)
    finally:
        _stop(process)


def _wait_listening(port: int, process: subprocess.Popen[bytes]) -> None:
    deadline = time.monotonic() + START_SECONDS
    while time.monotonic() < deadline and process.poll() is None:
        connection = http.client.HTTPConnection("127.0.0.1", port, timeout=1)
        try:
            connection.connect()
            return
        except OSError:
            time.sleep(POLL_SECONDS)
        finally:
            connection.close()
    raise TimeoutError(f"the emulator did not listen on 127.0.0.1:{port}")


def _stop(process: subprocess.Popen[bytes]) -> None:
    """End the emulator and its descendants, which have their own process groups."""
    for child in (*descendants(process.pid), process.pid):
        try:
            os.kill(child, signal.SIGTERM)
        except ProcessLookupError:
            continue
    try:
        process.wait(timeout=5)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()
