"""Cold starts: no handler imports modules that only some requests need."""

import ast
import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).parents[2]
HANDLERS = sorted(path.parent.name for path in ROOT.glob("functions/*/handler.py"))
HEAVY = (
    "anthropic",
    "boto3",
    "cachetools",
    "httpx",
    "httpx2",
    "jinja2",
    "jsonschema",
    "markdown_it",
    "numpy",
    "openai",
    "opensearchpy",
    "opentelemetry",
    "pynamodb",
    "snowballstemmer",
    "tokenizers",
    "uvicorn",
)
"""SDKs, stores' clients and renderers, which are imported when they are first used."""

LOADED = """
import importlib.util, json, sys
seen, report = set(), {}
for name in sys.argv[1].split():
    spec = importlib.util.spec_from_file_location(f"handler_{name}", f"functions/{name}/handler.py")
    spec.loader.exec_module(importlib.util.module_from_spec(spec))
    heavy = {module for module in sys.argv[2].split() if module in sys.modules}
    report[name], seen = sorted(heavy - seen), heavy
print(json.dumps(report))
"""

FIRST_USE = """
import json, sys
from aisha.bootstrap import Services
services = Services()
services.chat_model, services.tools
print(json.dumps([module for module in sys.argv[1].split() if module in sys.modules]))
"""


def run_program(program: str, *arguments: str, **variables: str) -> Any:
    """Run a program in a fresh interpreter and return the JSON that it prints."""
    environment = {"PATH": os.environ["PATH"], "PYTHONPATH": f"{ROOT / 'shared'}{os.pathsep}{ROOT}"} | variables
    ran = subprocess.run(
        [sys.executable, "-c", program, *arguments], cwd=ROOT, env=environment, capture_output=True, text=True
    )
    assert ran.returncode == 0, ran.stderr
    return json.loads(ran.stdout)


@pytest.fixture(scope="module")
def loaded() -> dict[str, list[str]]:
    """Return the heavy modules that each handler's import added, with all handlers imported in one process."""
    modules: dict[str, list[str]] = run_program(LOADED, " ".join(HANDLERS), " ".join(HEAVY))
    return modules


@pytest.mark.parametrize("name", HANDLERS)
def test_a_handler_imports_nothing_heavy(name: str, loaded: dict[str, list[str]]) -> None:
    assert loaded[name] == [], f"functions/{name}/handler.py imports at cold start what it may never need"


def test_a_provider_s_sdk_waits_for_its_first_question() -> None:
    keys = {"OPENAI_API_KEY": "sk-none", "ANTHROPIC_API_KEY": "sk-none"}
    assert run_program(FIRST_USE, "openai anthropic opensearchpy", **keys) == []


def test_models_and_vectors_of_a_provider_need_no_sdk() -> None:
    program = (
        "import json, sys\n"
        "from aisha.adapters.embeddings import openai_embeddings\n"
        "from aisha.adapters.llm.apis import anthropic_chat, openai_chat\n"
        "print(json.dumps([name for name in ('anthropic', 'openai') if name in sys.modules]))\n"
    )
    assert run_program(program) == []


@pytest.mark.parametrize("name", HANDLERS)
def test_a_function_is_one_file_and_imports_no_other_function(name: str) -> None:
    (module,) = (ROOT / "functions" / name).rglob("*.py")
    nodes = ast.walk(ast.parse(module.read_text(encoding="utf-8")))
    modules = [node.module or "." for node in nodes if isinstance(node, ast.ImportFrom)]
    assert not [one for one in modules if one.split(".")[0] in ("functions", "handler", "")]
