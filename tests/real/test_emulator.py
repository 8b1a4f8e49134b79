"""The built functions in AWS's Lambda runtime interface emulator, without this source tree on their path."""

import json
from pathlib import Path

import pytest

from bench.cold_start import measure, status_of
from infra.local.server.template import load_template
from infra.sam.built_stack import BuiltStack, event_file
from infra.sam.emulator import emulated
from tests.real.conftest import ROOT, script
from tests.real.events import event

FUNCTIONS = sorted({route.function.name for route in load_template(ROOT / "template.yaml").routes})
WITHOUT_A_KEY = {"EmbeddingFunction": "501", "RealtimeFunction": "501", "SpeechFunction": "501"}
"""Statuses of the functions whose external service has no key here."""
NOT_FOUND = {"ConfirmationsFunction": "404", "CrmHooksFunction": "404"}
"""Statuses of the functions whose event names a confirmation or connection that does not exist."""
NOT_THE_LAST = ("404", "409")
"""Statuses of the undo of an operation that does not exist: the user has written nothing, or something else."""


@pytest.fixture(scope="session")
def emulator() -> Path:
    return Path(script("sam/sam.sh", "--emulator"))


def test_crm_in_the_emulator(run: BuiltStack, emulator: Path) -> None:
    with emulated(run.deployment, "CrmFunction", emulator) as function:
        answer = function.invoke(event("crm")).value
    assert answer["statusCode"] == 200
    assert [item["display_name"] for item in json.loads(answer["body"])["items"]] == ["Jack Russel"]


def test_chat_in_the_emulator(run: BuiltStack, emulator: Path) -> None:
    with emulated(run.deployment, "ChatFunction", emulator, Path(script("build/lambda_adapter.sh"))) as function:
        answer = function.invoke(event("chat")).value
    assert answer["statusCode"] == 200
    assert "Jack Russel" in json.loads(answer["body"])["response"]


def test_every_function_of_the_build_has_an_event(run: BuiltStack) -> None:
    assert [name for name in run.deployment.functions if event_file(name) is None] == []


@pytest.mark.parametrize("name", [*FUNCTIONS, "AuthorizerFunction", "SweepDispatcherFunction", "SweepWorkerFunction"])
def test_its_event_is_answered_cold_and_warm(name: str, run: BuiltStack, emulator: Path) -> None:
    adapter = Path(script("build/lambda_adapter.sh")) if run.deployment.is_streaming(name) else None
    measured = measure(run, name, emulator, adapter, warm=1)
    expected = (WITHOUT_A_KEY | NOT_FOUND).get(name, "200" if name in FUNCTIONS else "ok")
    assert measured.status in (NOT_THE_LAST if name == "UndoFunction" else (expected,))
    assert measured.peak < measured.memory


def test_a_function_that_raises_says_so(run: BuiltStack, emulator: Path) -> None:
    with emulated(run.deployment, "AuthorizerFunction", emulator) as function:
        answer = function.invoke(event("authorizer") | {"authorizationToken": "Bearer nonsense"})
    assert status_of(answer).startswith("failed")
