"""The contract tests of the repositories, against DynamoDB Local."""

import subprocess
import sys

from tests.real.conftest import ROOT


def test_the_repositories_keep_their_contracts(contract_environment: dict[str, str]) -> None:
    command = [sys.executable, "-m", "pytest", "-q", "-m", "real", "-p", "no:cacheprovider", "tests/contract"]
    process = subprocess.run(
        command, cwd=ROOT, env=contract_environment, check=False, capture_output=True, text=True, timeout=600
    )
    assert process.returncode == 0, process.stdout[-8000:] + process.stderr[-2000:]
