"""Check the API against its description: schemathesis with every check on a local server with the demo data.

usage: python -m infra.local.checks.api_check [--max-examples 50] [--phases examples,coverage,fuzzing,stateful]

`schemathesis.toml` says what is allowed beyond the description, and why. The exit code is schemathesis' own.
"""

import argparse
import os
import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from tempfile import TemporaryDirectory
from unittest.mock import patch

from aisha.adapters.llm.provider import providers
from infra.local.server.server import ROOT, LocalServer

PHASES = "examples,coverage,fuzzing,stateful"
KEYS = {*(provider.variable for provider in providers().values()), "ELEVENLABS_API_KEY"}
UNLIMITED = {"AISHA_USER_REQUESTS_PER_MINUTE": "1000000", "AISHA_TENANT_REQUESTS_PER_HOUR": "1000000"}
"""The check exceeds a user's normal limits."""


@contextmanager
def checkable_server(folder: Path) -> Iterator[LocalServer]:
    """Start a server without rate limits and model providers."""
    environment = {name: text for name, text in os.environ.items() if name not in KEYS}
    with patch.dict(os.environ, environment | UNLIMITED, clear=True), LocalServer(folder, with_memory=True) as server:
        yield server


def check(
    server: LocalServer,
    max_examples: int,
    phases: str = PHASES,
    *,
    captured: bool = False,
    seconds: float | None = None,
    without: Sequence[str] = (),
) -> subprocess.CompletedProcess[str]:
    """Send the same requests every time, as alice. `captured` keeps the output, `without` are paths to skip.

    Raises `subprocess.TimeoutExpired` after `seconds`.
    """
    token = server.signer.user_token("alice", "demo", datetime.now(UTC))
    command = [
        *(sys.executable, "-m", "schemathesis.cli", "--config-file", str(ROOT / "schemathesis.toml"), "--no-color"),
        *("run", f"{server.url}/openapi.json", "--url", server.url, "-H", f"Authorization: Bearer {token}"),
        *("--checks", "all", "--phases", phases, "--max-examples", str(max_examples)),
        *("--generation-deterministic", "--continue-on-failure"),
        *(word for path in without for word in ("--exclude-path", path)),
    ]
    # The hooks import both.
    environment = os.environ | {"PYTHONPATH": os.pathsep.join((str(ROOT / "shared"), str(ROOT)))}
    return subprocess.run(
        command, cwd=ROOT, env=environment, check=False, capture_output=captured, text=True, timeout=seconds
    )


def main() -> int:
    parser = argparse.ArgumentParser(prog="api_check")
    parser.add_argument("--max-examples", type=int, default=50, help="random requests for each operation")
    parser.add_argument("--phases", default=PHASES)
    options = parser.parse_args()
    with TemporaryDirectory() as folder, checkable_server(Path(folder)) as server:
        return check(server, options.max_examples, options.phases).returncode


if __name__ == "__main__":
    sys.exit(main())
