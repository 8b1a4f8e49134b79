"""A function as built, in AWS's own Lambda runtime interface emulator, which the SAM CLI carries."""

import http.client
import json
import os
import signal
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from tests.real.conftest import free_port, script
from tests.real.deployment import Deployment
from tests.real.events import event

PATH = "/2015-03-31/functions/function/invocations"
START_SECONDS = 15


@contextmanager
def emulated(deployment: Deployment, name: str) -> Iterator[int]:
    """The port where the function can be invoked."""
    port, runtime_port = free_port(), free_port()
    addresses = ["--runtime-interface-emulator-address", f"127.0.0.1:{port}"]
    addresses += ["--runtime-api-address", f"127.0.0.1:{runtime_port}"]
    command = [script("sam.sh", "--emulator"), *addresses, *deployment.command(name)]
    log = (deployment.logs / f"emulated-{name}.log").open("ab")
    with (
        log,
        subprocess.Popen(
            command,
            env=deployment.environment(name),
            cwd=deployment.folder / name,
            stdout=log,
            stderr=log,
            start_new_session=True,
        ) as process,
    ):
        try:
            yield port
        finally:
            os.killpg(process.pid, signal.SIGTERM)


def invoke(port: int, sent: dict[str, Any]) -> Any:
    """Tries again until the emulator listens."""
    deadline = time.monotonic() + START_SECONDS
    while True:
        connection = http.client.HTTPConnection("127.0.0.1", port, timeout=START_SECONDS)
        try:
            connection.request("POST", PATH, json.dumps(sent))
            return json.loads(connection.getresponse().read())
        except ConnectionRefusedError:
            assert time.monotonic() < deadline, "the emulator did not start"
        finally:
            connection.close()


def test_crm_in_the_emulator(deployment: Deployment) -> None:
    assert Path(script("sam.sh", "--emulator")).is_file()
    with emulated(deployment, "CrmFunction") as port:
        answer = invoke(port, event("crm"))
    assert answer["statusCode"] == 200
    assert [item["display_name"] for item in json.loads(answer["body"])["items"]] == ["Jack Russel"]
