"""Test that a JSON file makes an operation of the customer's API a tool like any other."""

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from aisha.application.tooling import ToolRegistry
from aisha.bootstrap import Services
from aisha.settings import read_settings
from tests.fakes.aws.api_gateway import call, caller, serving
from tests.fakes.stores.in_memory import FixedClock, InMemoryEntryRepository
from tests.fakes.systems.customer_api import CustomerApi, Reply, Request
from tests.support.dialogue.conversations import NOW, Stage

ROOT = Path(__file__).parents[2]
EXAMPLE = ROOT / "tests" / "http_tools" / "find_shipments.json"
SHIPMENTS = [
    {"id": 4711, "name": "Bolts", "carrier": {"id": 1, "name": "DHL"}, "status": "on its way"},
    {"id": 4712, "name": "Nuts", "carrier": {"id": 1, "name": "DHL"}, "insured": True},
]


def answer(request: Request) -> Reply:
    is_authorised = request.headers.get("authorization") == "Bearer t0ken-of-erp"
    return Reply(SHIPMENTS if request.method == "GET" else None) if is_authorised else Reply({}, 401)


@pytest.fixture
def api() -> Iterator[CustomerApi]:
    with CustomerApi(answer) as running:
        yield running


@pytest.fixture
def registry(api: CustomerApi, tmp_path: Path) -> Iterator[ToolRegistry]:
    """The product's own tools, and two of the folder that AISHA_HTTP_TOOLS names."""
    here: dict[str, Any] = {"url": f"{api.url}/api", "allowed_hosts": ["127.0.0.1"], "allow_private": True}
    find = json.loads(EXAMPLE.read_text(encoding="utf-8")) | here
    cancel = find | {
        "name": "cancel_shipments",
        "method": "DELETE",
        "description": "Cancel what was not shipped yet.",
        "examples": ["cancel the shipments to {name}", "stop all shipments to {name}"],
    }
    for file in (find, cancel):
        (tmp_path / f"{file['name']}.json").write_text(json.dumps(file), encoding="utf-8")
    environment = {"AISHA_HTTP_TOOLS": str(tmp_path), "AISHA_SECRET__ERP_TOKEN": "t0ken-of-erp"}
    entries = InMemoryEntryRepository(FixedClock())
    with serving(Services(settings=read_settings(environment), entries=entries)) as services:
        yield services.tools


@pytest.mark.parametrize(
    "sentence",
    [
        "Where are the shipments to Acme?",
        "where are the shipments to Acme",
        "Please show me the shipments for Acme",
        "shipments for Acme",
        "What have we shipped to Acme lately?",
        "Any shipments to Acme this week?",
        "What did we ship to Acme?",
    ],
)
def test_the_planner_uses_it(registry: ToolRegistry, api: CustomerApi, sentence: str) -> None:
    reply = Stage(registry, NOW).say(sentence)
    assert [one["name"] for one in reply["toolCalls"]][-1:] == ["find_shipments"]
    assert reply["response"].splitlines() == [
        "1. **Bolts**, carrier: DHL, status: on its way",
        "2. **Nuts**, carrier: DHL, insured: yes",
    ]
    assert api.requests[-1].path == "/api/customers/Acme/shipments"


def test_what_deletes_waits_for_the_user(registry: ToolRegistry, api: CustomerApi) -> None:
    stage = Stage(registry, NOW)
    question = stage.say("Cancel the shipments to Acme")
    assert api.requests == []
    assert question["status"] == "needs_confirmation"
    answer = stage.say("yes", question["conversationId"])
    assert [(request.method, request.path) for request in api.requests] == [("DELETE", "/api/customers/Acme/shipments")]
    assert answer["toolCalls"][0]["status"] == "executed"


def test_a_closed_module_closes_it(registry: ToolRegistry, api: CustomerApi) -> None:
    stage = Stage(registry, NOW)
    stage.principal = replace(stage.principal, modules=stage.principal.modules - {"accounts"})
    stage.say("Where are the shipments to Acme?")
    assert api.requests == []


@pytest.mark.usefixtures("registry")
def test_the_catalogue_lists_it() -> None:
    items = call("tools", "GET", "/api/ai/tools", caller("demo", "alice")).json["items"]
    (item,) = (one for one in items if one["name"] == "find_shipments")
    assert item["toolkit"] == "http"
    assert item["parameters"]["required"] == ["customer"]


def test_a_folder_that_is_not_there_is_a_clear_error(tmp_path: Path) -> None:
    missing = read_settings({"AISHA_HTTP_TOOLS": str(tmp_path / "none")})
    with pytest.raises(ValueError, match="AISHA_HTTP_TOOLS"):
        _ = Services(settings=missing).tools


@pytest.mark.parametrize(("folder", "loaded"), [(None, set()), (EXAMPLE.parent, {"httpcore2", "jsonschema"})])
def test_the_http_client_is_loaded_for_http_tools_alone(folder: Path | None, loaded: set[str]) -> None:
    program = (
        "import sys; from aisha.bootstrap import Services; Services().tools; "
        "print(*({'httpcore2', 'httpx2', 'jsonschema', 'boto3'} & set(sys.modules)))"
    )
    environment = {**os.environ, "PYTHONPATH": str(ROOT / "shared"), "AISHA_HTTP_TOOLS": str(folder or "")}
    run = subprocess.run([sys.executable, "-c", program], env=environment, capture_output=True, text=True, check=True)
    assert set(run.stdout.split()) == loaded
