"""Build the product's package as the layer has it: with the index of its tools, and compiled
(infra/build/build.sh).
"""

import compileall
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from py_compile import PycInvalidationMode

from bench.processes import ENVIRONMENT, ROOT
from infra.build.layer import write_tool_index


@contextmanager
def built_package() -> Iterator[dict[str, str]]:
    """Yield the environment of processes that import the built package."""
    with tempfile.TemporaryDirectory() as folder:
        package = Path(folder) / "aisha"
        shutil.copytree(ROOT / "shared/aisha", package, ignore=shutil.ignore_patterns("__pycache__"))
        write_tool_index(package)
        compileall.compile_dir(package, quiet=1, invalidation_mode=PycInvalidationMode.UNCHECKED_HASH)
        yield ENVIRONMENT | {"PYTHONPATH": f"{folder}:{ROOT}"}
