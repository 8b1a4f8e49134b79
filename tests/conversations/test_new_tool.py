"""A tool in one new file is in the catalogue, in its schema and in the planner without another edit."""

import re
import sys
from dataclasses import replace
from pathlib import Path

import pytest

import aisha.tools
from aisha.application.tooling import ToolRegistry, discover
from tests.conversations.player import Stage
from tests.conversations.test_conversations import NOW

README = Path(__file__).parents[2] / "README.md"


@pytest.fixture
def registry(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> ToolRegistry:
    """The project's tools and the one that the README shows, dropped into the same package."""
    code = re.search(r"```python\n(.*?)```", README.read_text(encoding="utf-8"), re.DOTALL)
    assert code is not None
    (tmp_path / "greetings.py").write_text(code[1], encoding="utf-8")
    monkeypatch.setattr(aisha.tools, "__path__", [*aisha.tools.__path__, str(tmp_path)])
    monkeypatch.delitem(sys.modules, "aisha.tools.greetings", raising=False)
    return discover("aisha.tools")


def test_it_has_a_schema_from_its_signature(registry: ToolRegistry) -> None:
    spec = registry.spec("write_birthday_greeting")
    assert spec is not None
    assert spec.parameters["required"] == ["name"]
    assert spec.returns["type"] == "string"


@pytest.mark.parametrize(
    "sentence",
    [
        "Write a birthday greeting for John Doe",
        "please write John Doe a birthday greeting",
        "can you congratulate John Doe on his birthday?",
        "Birthday wishes for John Doe",
    ],
)
def test_the_planner_uses_it(registry: ToolRegistry, sentence: str) -> None:
    answer = Stage(registry, NOW).say(sentence)
    assert [call["name"] for call in answer["toolCalls"]][-1:] == ["write_birthday_greeting"]
    assert "Happy birthday, John Doe!" in answer["response"]


def test_it_is_behind_the_gate(registry: ToolRegistry) -> None:
    stage = Stage(registry, NOW)
    stage.principal = replace(stage.principal, modules=stage.principal.modules - {"contacts"})
    assert "Happy birthday" not in stage.say("Write a birthday greeting for John Doe")["response"]
