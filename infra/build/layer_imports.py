"""Import each handler and each module of the package, with the packages of the built layers alone.

Modules are loaded late in many places, so a package missing from the layer would show at an invocation only.
usage: PYTHONPATH=<layers> python -S layer_imports.py BUILD_FOLDER       (-S: without the interpreter's site-packages)
"""

import importlib
import os
import pkgutil
import sys
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path

LOCAL_ONLY = frozenset({"numpy", "threadpoolctl", "tokenizers"})
"""Packages of the embedded memory, which deployed functions do not have."""


def modules(package: str) -> list[str]:
    """Import a package and return the names of all modules below it."""
    root = importlib.import_module(package)
    return [package, *(module.name for module in pkgutil.walk_packages(root.__path__, f"{package}."))]


def handler(path: Path) -> None:
    """Load a handler by its file, as Lambda does."""
    spec = spec_from_file_location(f"handler_of_{path.parent.name}", path)
    assert spec is not None
    assert spec.loader is not None
    sys.modules[spec.name] = module_from_spec(spec)
    spec.loader.exec_module(sys.modules[spec.name])


def clients(services: list[str]) -> None:
    """Create a client of each service in the layer, which needs its endpoints, partitions and model."""
    boto3 = importlib.import_module("boto3")
    for service in services:
        boto3.client(service, region_name="us-east-1", aws_access_key_id="none", aws_secret_access_key="none")  # nosec B106


def main(build: Path) -> int:
    """Print a line for each module that can't be imported, and return 1 if there is one."""
    failures: list[str] = []
    local: list[str] = []
    for name in modules("aisha"):
        try:
            importlib.import_module(name)
        except ModuleNotFoundError as error:
            (local if (error.name or "").partition(".")[0] in LOCAL_ONLY else failures).append(f"{name}: {error}")
    handlers = sorted(build.glob("*Function/handler.py"))
    for path in handlers:
        try:
            handler(path)
        except Exception as error:
            failures.append(f"{path.parent.name}: {type(error).__name__}: {error}")
    services = sorted(
        path.name for path in (build / "DependenciesLayer/python/botocore/data").iterdir() if path.is_dir()
    )
    clients(services)
    if not handlers:
        failures.append(f"no handler in {build}")
    for failure in failures:
        print(f"layer: can't import {failure}", file=sys.stderr)
    if not failures:
        print(
            f"layer: {len(handlers)} handlers and every module import; "
            f"for a laptop only: {len(local)} (numpy and the like)"
        )
    return 1 if failures else 0


if __name__ == "__main__":
    os.environ.setdefault("AISHA_JWKS_URL", "https://identity.example/jwks.json")
    sys.exit(main(Path(sys.argv[1])))
