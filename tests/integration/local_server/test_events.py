"""Events of events/*.json, made for `sam local invoke`, against the functions and the demo data."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from aisha.adapters.auth.jwt_tokens import TokenVerifier
from aisha.bootstrap import Services
from aisha.settings import Settings
from infra.local.aws_fakes.embedded import EmbeddedAWS
from infra.local.demo.users import MODULES, USERS
from infra.local.server.lambda_events import LambdaContext
from tests.fakes.aws.api_gateway import ROOT, answer_of, chat, function, serving
from tests.fakes.local import place_demo_data

pytestmark = pytest.mark.slow

EVENTS = sorted((ROOT / "events").glob("*.json"), key=lambda path: path.stem)


def event(name: str) -> Any:
    return json.loads((ROOT / "events" / f"{name}.json").read_text(encoding="utf-8"))


@pytest.fixture(scope="module", autouse=True)
def demo_data(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Services]:
    """Serve the functions from tables with the demo data, without a key of this machine."""
    folder = tmp_path_factory.mktemp("events")
    place_demo_data(folder)
    with EmbeddedAWS(folder / "data"), serving(Services(settings=Settings())) as services:
        yield services


def test_every_function_has_an_event() -> None:
    folders = {path.parent.name for path in (ROOT / "functions").glob("*/handler.py")}
    assert {path.stem for path in EVENTS} == folders


@pytest.mark.parametrize("path", EVENTS, ids=lambda path: path.stem)
def test_the_events_are_a_demo_users(path: Path) -> None:
    context = json.loads(path.read_text(encoding="utf-8")).get("requestContext", {}).get("authorizer")
    if path.stem in ("authorizer", "crm_hooks", "docs", "health", "ingest", "sweep_dispatcher", "sweep_worker"):
        assert context is None
        return
    profile = USERS[context["tenant_id"], context["user"]]
    assert json.loads(context["roles"]) == profile["roles"]
    assert set(json.loads(context["modules"])) == set(MODULES)


def test_without_a_memory_the_message_stays_in_its_queue() -> None:
    request = event("ingest")
    failed = function("ingest").handler(request, LambdaContext("IngestFunction", 512, "req-1", 0))["batchItemFailures"]
    assert failed == [{"itemIdentifier": request["Records"][0]["messageId"]}]


@pytest.mark.parametrize(
    ("name", "status"),
    [
        ("conversations", 200),
        ("crm", 200),
        ("crm_hooks", 404),
        ("tools", 200),
        ("health", 200),
        ("docs", 200),
        ("documents", 200),
        ("confirmations", 404),
        ("analytics", 200),
        ("audit", 200),
        ("notifications", 200),
        ("profile", 200),
        ("suggest", 200),
        ("singleturn", 200),
        ("embedding", 501),
        ("preferences", 200),
        ("realtime", 501),
        ("scans", 200),
        ("suggestions", 200),
        ("undo", 404),
    ],
)
def test_the_status_of_each_event(name: str, status: int) -> None:
    assert answer_of(function(name), event(name)).status == status


def test_crm_finds_jack() -> None:
    page = answer_of(function("crm"), event("crm")).json
    assert [item["display_name"] for item in page["items"]] == ["Jack Russel"]


def test_chat_answers_about_jack() -> None:
    request = event("chat")
    answer = chat(request["body"], request["requestContext"]["authorizer"])
    assert answer.status == 200
    assert "Jack Russel" in answer.json["response"]
    assert "ABC Corp" in answer.json["response"]


def test_without_a_key_there_is_no_speech() -> None:
    request = event("speech")
    answer = chat(
        request["body"], request["requestContext"]["authorizer"], path=request["path"], app=function("speech").app
    )
    assert (answer.status, answer.json["code"]) == (501, "speech_unavailable")


def test_the_openai_door_answers_about_jack() -> None:
    request = event("openai")
    answer = chat(
        request["body"], request["requestContext"]["authorizer"], path=request["path"], app=function("openai").app
    )
    assert answer.status == 200
    assert "ABC Corp" in answer.json["choices"][0]["message"]["content"]


def test_the_mcp_door_finds_jack() -> None:
    request = event("mcp")
    answer = chat(
        request["body"], request["requestContext"]["authorizer"], path=request["path"], app=function("mcp").app
    )
    assert answer.status == 200
    assert [item["display_name"] for item in answer.json["result"]["structuredContent"]["items"]] == ["Jack Russel"]


def test_an_unsigned_token_is_refused(demo_data: Services) -> None:
    demo_data.token_verifier = TokenVerifier("https://id.example.com/keys", issuer="aisha", audience="aisha")
    with pytest.raises(Exception, match=r"^Unauthorized$"):
        function("authorizer").handler(event("authorizer"), None)
