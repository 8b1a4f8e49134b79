"""Contents and size of the folders that `sam build` leaves for `sam deploy`."""

from pathlib import Path

from tests.real.conftest import ROOT

ASSETS = Path("SharedLayer/python/aisha/assets")
MAX_MEGABYTES = 200
"""Well under the 250 that Lambda allows a function's code and all its layers, unzipped."""


def size(folder: Path) -> float:
    return sum(path.stat().st_size for path in folder.rglob("*") if path.is_file()) / 1e6


def names(folder: Path, suffix: str) -> set[str]:
    return {path.name for path in folder.glob(f"*{suffix}")}


def test_the_layers_hold_files_and_no_links(build: Path) -> None:
    for layer in ("SharedLayer", "DependenciesLayer"):
        assert not [path for path in (build / layer).rglob("*") if path.is_symlink()]


def test_the_shared_layer_has_the_assets(build: Path) -> None:
    assert (build / ASSETS / "openapi.json").stat().st_size > 0
    assert (build / ASSETS / "docs.html").stat().st_size > 0
    for folder, suffix in (("tool_schemas", ".json"), ("knowledge", ".md")):
        assert names(build / ASSETS / folder, suffix) == names(ROOT / folder, suffix)
    assert names(build / ASSETS / "tool_schemas", ".json")


def test_a_function_with_its_layers_stays_well_under_the_limit(build: Path) -> None:
    layers = size(build / "DependenciesLayer") + size(build / "SharedLayer")
    largest = max(size(folder) for folder in build.glob("*Function"))
    assert largest + layers < MAX_MEGABYTES


def test_the_layers_carry_their_bytecode(build: Path) -> None:
    for layer, module in (("SharedLayer", "aisha/settings.py"), ("DependenciesLayer", "pydantic/main.py")):
        source = build / layer / "python" / module
        assert (source.parent / "__pycache__" / f"{source.stem}.cpython-313.pyc").is_file()
