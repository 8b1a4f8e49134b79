"""A tool in one new file is in the catalogue, in its schema and in the planner without another edit."""

import re
import sys
from pathlib import Path

import pytest
from msgspec.structs import replace

import aisha.brainlets
import aisha.tools
from aisha.adapters.http_tools import http_tools
from aisha.adapters.secrets.environment import EnvironmentSecretStore
from aisha.application.knowledge import library as knowledge
from aisha.application.tooling import ToolRegistry, discover
from aisha.application.turn.brainlets.registry import discover_brainlets
from aisha.domain.errors import ModelUnavailableError
from tests.fakes.models.scripted_model import ScriptedModel
from tests.support.dialogue.conversations import NOW, Stage

ROOT = Path(__file__).parents[2]
README = ROOT / "README.md"
EXTENDING = ROOT / "docs" / "extending.md"


def example(page: Path, language: str) -> str:
    """Return the first example of a language on a page; it has at most nine lines of text."""
    code = re.findall(rf"```{language}\n(.*?)```", page.read_text(encoding="utf-8"), re.DOTALL)[0]
    assert len([line for line in code.splitlines() if line.strip()]) < 10
    return str(code)


@pytest.fixture
def registry(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> ToolRegistry:
    """The project's tools and the README's example, dropped into the same package."""
    (tmp_path / "greetings.py").write_text(example(README, "python"), encoding="utf-8")
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
        "Write John Doe a greeting for his birthday",
        "Congratulate John Doe on his birthday",
        "I want to wish John Doe a happy birthday",
        "It's John Doe's birthday, can you wish him a happy birthday?",
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


def test_a_brainlet_is_one_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "weather.py").write_text(example(EXTENDING, "python"), encoding="utf-8")
    monkeypatch.setattr(aisha.brainlets, "__path__", [*aisha.brainlets.__path__, str(tmp_path)])
    monkeypatch.delitem(sys.modules, "aisha.brainlets.weather", raising=False)
    model = ScriptedModel(ModelUnavailableError("no router"), "Sunny, isn't it?")
    stage = Stage(discover("aisha.tools"), NOW)
    stage.deps = replace(stage.deps, model=model, brainlets=discover_brainlets("aisha.brainlets"))
    assert stage.say("Hello")["response"] == "Sunny, isn't it?"
    assert '"weather": "sunny"' in model.requests[-1].messages[-2].content


def test_an_article_is_one_file(tmp_path: Path) -> None:
    (tmp_path / "trade-shows.md").write_text(example(EXTENDING, "markdown"), encoding="utf-8")
    library = knowledge.Library(knowledge.load(tmp_path))
    assert [one.article.title for one in library.search("how do we follow up a trade show?")] == ["Trade shows"]


def test_an_http_tool_is_one_file(tmp_path: Path) -> None:
    (tmp_path / "find_shipments.json").write_text(example(EXTENDING, "json"), encoding="utf-8")
    (tool,) = http_tools(tmp_path, EnvironmentSecretStore({}))
    assert (tool.spec.name, tool.spec.access, tool.spec.required) == ("find_shipments", "read", ("customer",))
