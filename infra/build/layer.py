"""Trim the built dependencies layer to the files that functions load, and report the layers' sizes.

Runs under the build's own Python 3.13 with the standard library alone: python -m infra.build.layer FOLDER ARCHITECTURE
"""

import ast
import json
import shutil
import sys
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[2]
SOURCES = ("shared", "functions")
LAYERS = ("DependenciesLayer", "SharedLayer")
LIMIT_BYTES = 250 * 1024 * 1024
"""Lambda's limit for a function's code and all of its layers, unzipped."""
UNUSED_PACKAGES = ("grpc", "google", "opensearch")
UNUSED_DISTRIBUTIONS = ("grpcio", "protobuf", "opensearch_protobufs")
"""opensearch-py pulls gRPC in, but its HTTP transport never imports it."""
CREDENTIAL_SERVICES = frozenset({"sts"})
"""Services that botocore itself calls to assume a role by a web identity."""
UNUSED_FILES = ("*.pyi", "*.pyx", "*.pxd", "*.c", "*.h", "*.cpp", "*.hpp", "*.rst", "py.typed")
UNUSED_FOLDERS = ("tests", "__pycache__")
UNUSED_PATHS = ("boto3/data", "boto3/examples", "bin", "requirements.txt")
"""boto3/data describes boto3's resources; the code uses only clients."""
ELF_MACHINES = {"x86_64": 62, "arm64": 183}
"""e_machine of a shared object: https://refspecs.linuxfoundation.org/elf/gabi4+/ch4.eheader.html"""


class LayerError(Exception):
    """The layer can't be used."""


def used_services(folders: Iterable[Path]) -> frozenset[str]:
    """Return the AWS services for which code under `folders` creates boto3 clients, and those of botocore itself.

    Raises `LayerError` for a client whose service is no literal, since nothing here could tell which data it needs.
    """
    services = set(CREDENTIAL_SERVICES)
    for path in sorted(path for folder in folders for path in folder.rglob("*.py")):
        text = path.read_text(encoding="utf-8")
        # Most files have no word of it, and need no parsing.
        for call in _boto3_calls(ast.parse(text)) if "boto3" in text else ():
            service = call.args[0] if call.args else None
            if not isinstance(service, ast.Constant) or not isinstance(service.value, str):
                raise LayerError(f"{path.name}:{call.lineno}: name the service of a boto3 client as a literal")
            services.add(service.value)
    return frozenset(services)


def _boto3_calls(tree: ast.AST) -> Iterator[ast.Call]:
    for node in ast.walk(tree):
        if (
            isinstance(node, ast.Call)
            and isinstance(node.func, ast.Attribute)
            and node.func.attr in ("client", "resource")
            and isinstance(node.func.value, ast.Name)
            and node.func.value.id == "boto3"
        ):
            yield node


def trim(packages: Path, services: frozenset[str]) -> None:
    """Delete from `packages` (a layer's folder `python`) the files that no function loads. Raises `LayerError`."""
    for name in (*UNUSED_PACKAGES, *UNUSED_PATHS):
        _delete(packages / name)
    for name in UNUSED_DISTRIBUTIONS:
        for folder in packages.glob(f"{name}-*.dist-info"):
            _delete(folder)
    data = packages / "botocore/data"
    if missing := sorted(service for service in services if not (data / service).is_dir()):
        raise LayerError(f"botocore knows no service {', '.join(missing)}")
    for folder in data.iterdir():
        if folder.is_dir() and folder.name not in services:
            _delete(folder)
    for pattern in (*UNUSED_FILES, *UNUSED_FOLDERS):
        # A list, since the walk would fail in a folder that it has just deleted.
        for path in list(packages.rglob(pattern)):
            # The metadata have licences, which must go with the packages.
            if "dist-info" not in str(path.parent):
                _delete(path)


def _delete(path: Path) -> None:
    if path.is_dir():
        shutil.rmtree(path)
    else:
        path.unlink(missing_ok=True)


def write_tool_index(package: Path) -> int:
    """Write the tools of the built `package` (the folder `aisha`) to the file that discovery reads; return their count.

    By module and name, the order of discovery. A process that has it imports a tool's module when the tool is called.
    """
    assets = package / "assets"
    files = [json.loads(path.read_text(encoding="utf-8")) for path in (assets / "tool_schemas").glob("*.json")]
    files.sort(key=_discovery_order)
    text = json.dumps(files, ensure_ascii=False, separators=(",", ":"))
    (assets / "tool_index.json").write_text(text, encoding="utf-8")
    return len(files)


def _discovery_order(file: Mapping[str, Any]) -> tuple[str, str, str]:
    # `aisha.tools.records.leads.Leads.get_lead`: only the class of a toolkit has a capital letter.
    module = [part for part in file["parameters"]["title"].split(".")[:-1] if part.islower()]
    return module[-1], ".".join(module), file["id"]


def check_architecture(packages: Path, architecture: str) -> None:
    """Raise `LayerError` for a shared object of another architecture, which only an invocation would detect."""
    for path in packages.rglob("*.so*"):
        # `e_machine` is at byte 18 of the ELF header.
        machine = int.from_bytes(path.read_bytes()[18:20], "little")
        if machine != ELF_MACHINES[architecture]:
            raise LayerError(f"{path.relative_to(packages)} is not built for {architecture}")


def size(folder: Path) -> int:
    """Return the bytes of all files, as Lambda counts them."""
    return sum(path.stat().st_size for path in folder.rglob("*") if path.is_file())


def check_size(build: Path) -> str:
    """Return the layers' sizes as text. Raises `LayerError` beyond Lambda's limit."""
    sizes = {name: size(build / name) for name in LAYERS}
    largest = max((size(folder) for folder in build.glob("*Function")), default=0)
    total = sum(sizes.values()) + largest
    text = ", ".join(f"{name} {_mb(size_bytes)}" for name, size_bytes in sizes.items())
    report = f"with bytecode: {text}, largest function {_mb(largest)}: {_mb(total)} of Lambda's {_mb(LIMIT_BYTES)}"
    if total > LIMIT_BYTES:
        raise LayerError(f"too large: {report}")
    return report


def _mb(count: int) -> str:
    return f"{count / 1024 / 1024:.1f} MB"


def main(command: str, folder: str, architecture: str) -> int:
    """Run `trim` before compilation to bytecode, or `check` after it; return 1 when the build can't be used."""
    build = Path(folder)
    packages = build / LAYERS[0] / "python"
    try:
        if command == "trim":
            before = size(packages)
            services = used_services(ROOT / name for name in SOURCES)
            trim(packages, services)
            check_architecture(packages, architecture)
            print(f"layer: {write_tool_index(build / LAYERS[1] / 'python' / 'aisha')} tools in the index")
            print(
                f"layer: {_mb(before)} as installed, {_mb(size(packages))} trimmed; "
                f"botocore: {', '.join(sorted(services))}"
            )
        else:
            print(f"layer: {check_size(build)}")
    except LayerError as error:
        print(f"layer: {error}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
