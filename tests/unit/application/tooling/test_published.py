"""The index of tools, from which a deployed function reads their specs without importing them."""

import json
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from aisha.application.tooling import ToolRegistry, discover
from aisha.application.tooling.published import published, spec_of
from infra.build.layer import write_tool_index

ROOT = Path(__file__).parents[4]
CALL = """
import json, sys
from aisha.application.tooling import discover
registry = discover("aisha.tools")
before = [name for name in sys.modules if name.startswith("aisha.tools.")]
tool = registry.get_tool("get_lead")
after = [name for name in sys.modules if name.startswith("aisha.tools.")]
print(json.dumps([[spec.name for spec in registry.specs()], before, after, tool.__qualname__]))
"""


@pytest.fixture(scope="module")
def computed() -> ToolRegistry:
    return discover("aisha.tools", schemas=None)


def test_a_published_tool_is_the_tool(computed: ToolRegistry) -> None:
    for spec in computed.specs():
        assert spec_of(json.loads(json.dumps(published(spec)))) == spec


def test_a_module_is_imported_when_its_tool_is_called(computed: ToolRegistry, tmp_path: Path) -> None:
    package = tmp_path / "aisha"
    shutil.copytree(ROOT / "shared/aisha", package, ignore=shutil.ignore_patterns("__pycache__"))
    assert write_tool_index(package) == len(computed.specs())
    run = subprocess.run([sys.executable, "-c", CALL], cwd=tmp_path, capture_output=True, text=True, check=True)
    names, before, after, function = json.loads(run.stdout)
    assert names == [spec.name for spec in computed.specs()], "in the order of discovery"
    assert (before, function) == ([], "Leads.get_lead")
    assert after == ["aisha.tools.records", "aisha.tools.records.leads"]
