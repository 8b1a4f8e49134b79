"""Requirements on the repository itself."""

import ast
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parents[2]
SDKS = {"anthropic", "boto3", "botocore", "groq", "httpx", "openai", "opensearchpy", "pynamodb"}
CORE = ("domain", "application", "tools", "brainlets")
DEPLOY_COMMANDS = ("sam deploy", "cloudformation deploy", "cloudformation create-stack", "cloudformation update-stack")


def imported_packages(path: Path) -> Iterator[str]:
    """Yield the top-level package of every import of a module, inside functions too."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name.partition(".")[0] for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            yield node.module.partition(".")[0]


def test_the_core_imports_no_sdk_of_a_provider_or_a_store() -> None:
    """H-001, N-003."""
    modules = [path for package in CORE for path in (ROOT / "shared/aisha" / package).rglob("*.py")]
    assert len(modules) > 100
    assert [f"{path}: {name}" for path in modules for name in imported_packages(path) if name in SDKS] == []


def test_no_script_deploys_by_itself() -> None:
    """A-176: comments and messages may name the command that a person runs."""
    scripts = [ROOT / ".ci/run", ROOT / "Makefile", *(ROOT / "infra").rglob("*.sh")]
    lines = [line.partition("#")[0] for path in scripts for line in path.read_text(encoding="utf-8").splitlines()]
    commands = [line.strip() for line in lines if not line.strip().startswith("echo")]
    assert [line for line in commands if any(command in line for command in DEPLOY_COMMANDS)] == []
