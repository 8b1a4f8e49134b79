"""The product's package as the built layer has it: with the index of its tools."""

import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from bench.processes import ENVIRONMENT, ROOT
from infra.local.layer import write_tool_index


@contextmanager
def built_package() -> Iterator[dict[str, str]]:
    """The environment of processes that import it."""
    with tempfile.TemporaryDirectory() as folder:
        package = Path(folder) / "aisha"
        shutil.copytree(ROOT / "shared/aisha", package, ignore=shutil.ignore_patterns("__pycache__"))
        write_tool_index(package)
        yield ENVIRONMENT | {"PYTHONPATH": f"{folder}:{ROOT}"}
