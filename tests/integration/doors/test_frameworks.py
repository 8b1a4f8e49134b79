"""LangChain and pydantic-ai as clients of /v1, in the environment of the bench, which has them."""

import json
import re
import subprocess
from typing import Any

import pytest

from infra.local.server.server import ROOT, LocalServer
from tests.fakes.local import local_server, token, with_model
from tests.fakes.models.scripted_model import ScriptedModel

pytestmark = pytest.mark.npm
TIMEOUT_SECONDS = 600
"""For all calls of one program; importing the frameworks takes half a minute on a busy machine."""
FORM = {"company": "ABC Corp"}
QUESTIONS = (
    "langchain.invoke",
    "langchain.stream",
    "langchain.agent",
    "langchain.responses_api",
    "pydantic_ai.stream",
    "pydantic_ai.tools",
    "pydantic_ai.responses_api",
)
HISTORIES = ("langchain.history", "langchain.foreign_history", "pydantic_ai.history")
FORMS = (
    "langchain.structured_by_schema",
    "langchain.structured_by_call",
    "pydantic_ai.output_type",
    "pydantic_ai.native_output",
)
BOUND = "langchain.bind_tools"
EXAMPLES = "docs/embedding.md"


@pytest.fixture(scope="module")
def outcomes(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    """Return what each call of `tests/support/framework_clients.py` gave, those for forms with a scripted model."""
    process = subprocess.run([str(ROOT / "bench/frameworks/setup.sh")], check=False, capture_output=True, text=True)
    if process.returncode:
        pytest.skip(f"the frameworks could not be installed: {process.stderr.strip()[-200:]}")
    with local_server(tmp_path_factory.mktemp("frameworks")) as server:
        results = play(server, *QUESTIONS, *HISTORIES, BOUND)
        # Each answers the turn in words first, and then puts them into the form.
        expected = ["Jack Russel works for ABC Corp.", json.dumps(FORM)] * len(FORMS)
        with with_model(server, ScriptedModel(*expected)):
            results |= play(server, *FORMS)
        return results | {EXAMPLES: run("-c", examples(server))}


def play(server: LocalServer, *names: str) -> dict[str, Any]:
    program = "tests/support/framework_clients.py"
    lines = run(program, server.url, token(server, "alice"), *names).splitlines()
    return dict(zip(names, map(json.loads, lines), strict=True))


def examples(server: LocalServer) -> str:
    """Return the examples of docs/embedding.md for the two frameworks as one program."""
    page = (ROOT / "docs/embedding.md").read_text(encoding="utf-8")
    blocks = re.findall(r"^```python\n(.*?)^```", page, re.MULTILINE | re.DOTALL)
    chosen = [block for block in blocks if "langchain" in block or "pydantic_ai" in block]
    return "\n".join([f"URL, TOKEN = {server.url!r}, {token(server, 'alice')!r}", *chosen])


def run(*arguments: str) -> str:
    process = subprocess.run(
        [".local/tools/bench/bin/python", *arguments],
        cwd=ROOT,
        check=False,
        capture_output=True,
        text=True,
        timeout=TIMEOUT_SECONDS,
    )
    assert process.returncode == 0, process.stderr[-2000:]
    return process.stdout


@pytest.mark.parametrize("name", QUESTIONS)
def test_a_question_is_answered(outcomes: dict[str, Any], name: str) -> None:
    assert "ABC Corp" in outcomes[name]


@pytest.mark.parametrize("name", HISTORIES)
def test_the_messages_of_the_client_tell_whom_a_question_is_about(outcomes: dict[str, Any], name: str) -> None:
    assert "jack.russel@" in outcomes[name]


def test_tools_of_the_client_do_not_hinder_an_answer(outcomes: dict[str, Any]) -> None:
    text, calls = outcomes[BOUND]
    assert "ABC Corp" in text
    assert calls == []


@pytest.mark.parametrize("name", FORMS)
def test_an_answer_comes_in_the_form_that_the_client_asks_for(outcomes: dict[str, Any], name: str) -> None:
    assert outcomes[name] == FORM


def test_the_examples_of_the_documentation_print_answers(outcomes: dict[str, Any]) -> None:
    assert outcomes[EXAMPLES].count("Jack Russel") >= 2
