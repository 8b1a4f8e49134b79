"""The npm packages that tests/npm pins, installed in .local/npm."""

import fcntl
import subprocess
from pathlib import Path

ROOT = Path(__file__).parents[2]
MISSING_STATUS = 3
"""Exit status of the script on a machine without Node or without access to the packages."""


def npm_packages() -> Path:
    """Return the folder of the packages. Processes take turns: npm empties the folder first.

    Raises FileNotFoundError where they can't be installed, and RuntimeError for any other failure of the script.
    """
    lock = ROOT / ".local/npm.lock"
    lock.parent.mkdir(exist_ok=True)
    with lock.open("w") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        process = subprocess.run(
            [str(ROOT / "infra/environment/npm_client.sh")], check=False, capture_output=True, text=True
        )
    if process.returncode:
        problem = (process.stderr or process.stdout).strip()
        raise FileNotFoundError(problem) if process.returncode == MISSING_STATUS else RuntimeError(problem)
    return Path(process.stdout.strip())
