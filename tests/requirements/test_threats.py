"""Every threat of OWASP's lists has its row in docs/threats.md, with files and tests that are there."""

import ast
import re
from pathlib import Path

from tests.support.named_tests import missing_tests

ROOT = Path(__file__).parents[2]
TEXT = (ROOT / "docs" / "threats.md").read_text(encoding="utf-8")
ROWS = {
    cells[0]: cells
    for line in TEXT.splitlines()
    if len(cells := [cell.strip() for cell in line.strip().strip("|").split(" | ")]) == 4
    and re.fullmatch(r"(?:LLM|ASI)\d\d", cells[0])
}
IDS = [f"{name}{number:02d}" for name in ("LLM", "ASI") for number in range(1, 11)]
RUNS_CODE = {"eval", "exec", "compile", "__import__"}
RUNNING_MODULES = {"subprocess", "pickle", "marshal", "shelve", "code", "pty", "dill", "joblib"}


def test_every_threat_has_its_row() -> None:
    assert list(ROWS) == IDS


def test_the_files_and_tests_that_the_rows_name_exist() -> None:
    for threat, name, meets, shown in ROWS.values():
        files, tests = re.findall(r"`([^`]+/[^`]+)`", meets), re.findall(r"`([^`]+)`", shown)
        assert name, threat
        assert files, f"{threat}: say where it is met"
        assert tests, f"{threat}: say which test shows it"
        assert [path for path in files if not (ROOT / path).exists()] == [], threat
        assert list(missing_tests(tests)) == [], threat


def sources() -> list[Path]:
    return [path for folder in ("shared/aisha", "functions") for path in sorted((ROOT / folder).rglob("*.py"))]


def test_nothing_runs_code_that_somebody_wrote() -> None:
    found = []
    for path in sources():
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            match node:
                case ast.Call(func=ast.Name(id=name)) if name in RUNS_CODE:
                    found.append(f"{path.name}: {name}")
                case ast.Call(func=ast.Attribute(value=ast.Name(id="os"), attr=name)) if name in ("system", "popen"):
                    found.append(f"{path.name}: os.{name}")
                case ast.Import(names=names):
                    found += [f"{path.name}: {one.name}" for one in names if one.name.split(".")[0] in RUNNING_MODULES]
                case ast.ImportFrom(module=str(module)) if module.split(".")[0] in RUNNING_MODULES:
                    found.append(f"{path.name}: {module}")
                case ast.Call(keywords=keywords) if any(one.arg == "shell" for one in keywords):
                    found.append(f"{path.name}: shell")
    assert len(sources()) > 100
    assert found == []
