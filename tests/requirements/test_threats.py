"""Every threat of OWASP's lists has its row in docs/threats.md, which names existing files and tests."""

import ast
import re
import tomllib
from pathlib import Path

from tests.attack.honest import FILE, NOT_ORDERED, orders
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
CODE_FUNCTIONS = {"eval", "exec", "compile", "__import__"}
CODE_MODULES = {"subprocess", "pickle", "marshal", "shelve", "code", "pty", "dill", "joblib"}
SUSPICIOUS = re.compile(
    rf"(?<![.\w])(?:{'|'.join(CODE_FUNCTIONS)})\(|\bos\.|\bshell=|\b(?:import|from) .*\b(?:{'|'.join(CODE_MODULES)})\b"
)


def test_every_threat_has_its_row() -> None:
    assert list(ROWS) == IDS


def test_the_files_and_tests_that_the_rows_name_exist() -> None:
    for threat, name, measures, proof in ROWS.values():
        files, tests = re.findall(r"`([^`]+/[^`]+)`", measures), re.findall(r"`([^`]+)`", proof)
        assert name, threat
        assert files, f"{threat}: name the files that meet it"
        assert tests, f"{threat}: name the tests that prove it"
        assert [path for path in files if not (ROOT / path).exists()] == [], threat
        assert list(missing_tests(tests)) == [], threat


def test_every_statement_names_the_tests_that_show_it() -> None:
    statements = [line.removeprefix("- ").replace("*", "") for line in TEXT.splitlines() if line.startswith("- ")]
    shown_by: dict[str, list[str]] = tomllib.loads((ROOT / "tests/requirements/threats.toml").read_text("utf-8"))[
        "tests"
    ]
    assert [[key for key in shown_by if one.startswith(key)] for one in statements] == [[key] for key in shown_by]
    assert list(missing_tests(name for names in shown_by.values() for name in names)) == []


def test_the_numbers_of_sentences_are_those_of_their_files() -> None:
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    only_sound, ordered = (len(list(orders(file))) for file in (NOT_ORDERED, FILE))
    assert f"{only_sound} messages that only sound like orders" in TEXT
    assert f"of {only_sound} messages that only speak of a change" in readme
    assert f"of {ordered} honest orders" in readme


def sources() -> list[Path]:
    return [path for folder in ("shared/aisha", "functions") for path in sorted((ROOT / folder).rglob("*.py"))]


def test_no_source_runs_code_of_a_text_or_a_process() -> None:
    suspects = []
    for path in sources():
        text = path.read_text(encoding="utf-8")
        # Most files have none of the words, and need no parsing.
        for node in ast.walk(ast.parse(text)) if SUSPICIOUS.search(text) else ():
            match node:
                case ast.Call(func=ast.Name(id=name)) if name in CODE_FUNCTIONS:
                    suspects.append(f"{path.name}: {name}")
                case ast.Call(func=ast.Attribute(value=ast.Name(id="os"), attr=name)) if name in ("system", "popen"):
                    suspects.append(f"{path.name}: os.{name}")
                case ast.Import(names=names):
                    suspects += [
                        f"{path.name}: {alias.name}" for alias in names if alias.name.split(".")[0] in CODE_MODULES
                    ]
                case ast.ImportFrom(module=str(module)) if module.split(".")[0] in CODE_MODULES:
                    suspects.append(f"{path.name}: {module}")
                case ast.Call(keywords=keywords) if any(keyword.arg == "shell" for keyword in keywords):
                    suspects.append(f"{path.name}: shell")
    assert len(sources()) > 100
    assert suspects == []
