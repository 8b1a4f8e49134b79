"""The REST functions of records, conversations, tools, health and the API description."""

import json
import re
from typing import Any, cast

import pytest

from aisha.domain.conversations.conversation import Conversation, Message, Session
from aisha.domain.crm.records import Record
from aisha.domain.errors import UnavailableError
from tests.fakes.aws.api_gateway import REQUEST_ID, STAGE, answer_of, assert_problem, call, event, function
from tests.fakes.world import ALICE, BOB, RIVAL, World

# --- records


def test_a_list_is_filtered_and_counted(crm: dict[str, Record]) -> None:
    answer = call("crm", "GET", "/api/crm/lead?status=warm", ALICE)
    assert answer.status == 200
    assert answer.headers["content-type"] == "application/json"
    assert answer.headers["x-request-id"] == REQUEST_ID
    assert answer.headers["cache-control"] == "no-store"
    (item,) = answer.json["items"]
    assert (item["id"], item["display_name"], item["entity_type"]) == (crm["jack"].id, "Jack Russel", "lead")
    assert (answer.json["total"], answer.json["next_cursor"]) == (1, None)
    assert {"tenant_id", "version"}.isdisjoint(item)


@pytest.mark.parametrize(
    ("query", "names"),
    [
        ("name_contains=jack", ["Jack Russel"]),
        ("owner=bob", ["Jane Doe"]),
        ("status=Warm", ["Jack Russel"]),
        ("name_contains=nobody", []),
        ("status=", ["Jack Russel", "Jane Doe"]),
    ],
)
def test_filters(crm: dict[str, Record], query: str, names: list[str]) -> None:
    items = call("crm", "GET", f"/api/crm/lead?{query}", ALICE).json["items"]
    assert sorted(item["display_name"] for item in items) == names


@pytest.mark.parametrize(("kind", "status"), [("opportunity", "proposal"), ("account", "unknown")])
def test_status_is_the_stage_or_the_health(crm: dict[str, Record], kind: str, status: str) -> None:
    assert call("crm", "GET", f"/api/crm/{kind}?status={status}", ALICE).json["total"] == 1


def test_the_cursor_leads_through_all_pages(crm: dict[str, Record]) -> None:
    ids, cursor = [], ""
    for _ in range(2):
        page = call("crm", "GET", f"/api/crm/lead?limit=1&cursor={cursor}", ALICE).json
        ids += [item["display_name"] for item in page["items"]]
        cursor = page["next_cursor"]
    assert sorted(ids) == ["Jack Russel", "Jane Doe"]
    assert cursor is None


def test_another_tenants_id_is_answered_like_one_that_does_not_exist(crm: dict[str, Record]) -> None:
    theirs, own = crm["theirs"], crm["jack"]
    assert call("crm", "GET", f"/api/crm/lead/{theirs.id}", RIVAL).status == 200
    foreign = assert_problem(call("crm", "GET", f"/api/crm/lead/{theirs.id}", ALICE), 404, "not_found")
    unknown_id = own.id[:-4] + "0000"
    unknown = assert_problem(call("crm", "GET", f"/api/crm/lead/{unknown_id}", ALICE), 404, "not_found")
    assert json.dumps(foreign).replace(theirs.id, "?") == json.dumps(unknown).replace(unknown_id, "?")
    assert call("crm", "GET", "/api/crm/lead", RIVAL).json["total"] == 1


def test_an_id_of_another_type_does_not_exist(crm: dict[str, Record]) -> None:
    assert_problem(call("crm", "GET", f"/api/crm/contact/{crm['jack'].id}", ALICE), 404, "not_found")


def test_a_user_without_the_module_sees_neither_the_list_nor_the_record(crm: dict[str, Record]) -> None:
    assert call("crm", "GET", f"/api/crm/opportunity/{crm['deal'].id}", ALICE).json["display_name"] == "ABC renewal"
    for url in ("/api/crm/opportunity", f"/api/crm/opportunity/{crm['deal'].id}"):
        body = assert_problem(call("crm", "GET", url, BOB), 403, "permission_denied")
        assert "opportunities" in body["message"]
        assert "ABC renewal" not in json.dumps(body)


@pytest.mark.parametrize(
    ("url", "pointer"),
    [
        ("/api/crm/lead?limit=0", "/limit"),
        ("/api/crm/lead?limit=51", "/limit"),
        ("/api/crm/lead?limit=ten", "/limit"),
        ("/api/crm/lead?status=lukewarm", "/status"),
        ("/api/crm/lead?related_id=account_1", "/related_id"),
        (f"/api/crm/lead?name_contains={'x' * 201}", "/name_contains"),
    ],
)
def test_an_invalid_query_is_refused_with_a_pointer(world: World, url: str, pointer: str) -> None:
    assert_problem(call("crm", "GET", url, ALICE), 422, "invalid_input", pointer)


def test_an_invalid_cursor_is_refused(world: World) -> None:
    assert call("crm", "GET", "/api/crm/lead?cursor=made-up", ALICE).status == 422


def test_unknown_types_and_routes_are_not_found(world: World) -> None:
    assert_problem(call("crm", "GET", "/api/crm/unicorn", ALICE), 404, "not_found")
    assert_problem(call("crm", "GET", "/api/crm/lead/1/2", ALICE), 404, "not_found")
    assert_problem(call("crm", "POST", "/api/crm/lead", ALICE), 404, "not_found")


# --- authentication


@pytest.mark.parametrize("name", ["tenant_id", "user"])
def test_a_request_without_a_principal_is_unauthenticated(world: World, name: str) -> None:
    context = {key: value for key, value in ALICE.items() if key != name}
    for authorizer in (None, {}, context):
        answer = call("crm", "GET", "/api/crm/lead", authorizer)
        assert_problem(answer, 401, "unauthenticated")
        assert answer.headers["www-authenticate"] == "Bearer"


def test_a_token_that_expired_during_a_cached_authorization_is_refused(world: World) -> None:
    now = world.clock.now().timestamp()
    ends = [ALICE | {"expires_at": str(int(now) - seconds)} for seconds in (-60, 1)]
    assert call("crm", "GET", "/api/crm/lead", ends[0]).status == 200
    assert_problem(call("crm", "GET", "/api/crm/lead", ends[1]), 401, "unauthenticated")


def test_neither_query_nor_body_chooses_the_tenant(crm: dict[str, Record]) -> None:
    page = call("crm", "GET", "/api/crm/lead?tenant_id=rival&tenant=rival&user=alice", ALICE).json
    assert crm["theirs"].id not in json.dumps(page)
    assert page["total"] == 2


# --- errors


class Broken:
    """A store whose reads raise an error."""

    def __init__(self, error: Exception) -> None:
        self._error = error

    def search(self, *_: Any) -> Any:
        raise self._error

    load = get = search


def test_an_unexpected_error_is_logged_and_hidden_from_the_client(
    world: World, caplog: pytest.LogCaptureFixture
) -> None:
    world.use(records=cast("Any", Broken(RuntimeError("password is hunter2"))))
    body = assert_problem(call("crm", "GET", "/api/crm/lead", ALICE), 500, "internal_error")
    assert "hunter2" not in json.dumps(body)
    (failure,) = [record for record in caplog.records if record.levelname == "ERROR"]
    assert vars(failure)["request_id"] == REQUEST_ID
    assert "hunter2" in caplog.text


def test_an_unavailable_store_is_a_retryable_problem(world: World) -> None:
    world.use(records=cast("Any", Broken(UnavailableError("The database does not answer."))))
    answer = call("crm", "GET", "/api/crm/lead", ALICE)
    assert assert_problem(answer, 503, "unavailable")["retryable"] is True
    assert int(answer.headers["retry-after"]) > 0


def test_a_request_is_logged_and_measured_without_its_content(
    crm: dict[str, Record], capsys: pytest.CaptureFixture[str], caplog: pytest.LogCaptureFixture
) -> None:
    call("crm", "GET", "/api/crm/lead?name_contains=Jack", ALICE)
    (line,) = [vars(record) for record in caplog.records]
    assert (line["route"], line["status"], line["tenant"]) == ("GET /api/crm/{type}", 200, "demo")
    (metrics,) = [json.loads(text) for text in capsys.readouterr().out.splitlines() if '"_aws"' in text]
    assert (metrics["route"], metrics["Errors"]) == ("GET /api/crm/{type}", [0.0])
    assert metrics["Latency"][0] > 0
    assert "Jack" not in f"{line}{metrics}"


# --- conversations


@pytest.fixture
def talk(world: World) -> str:
    """The id of a conversation of Alice with a question and its answer."""
    now = world.clock.now()
    head = Conversation("conv_01JD3Q9A7C5E3G1J9K7M5N3P1Q", "demo", "alice", "Warm leads", now, now)
    session = world.conversations.begin(Session(head), Message("msg_1", 0, "user", "Who is warm?", now))
    answer = Message("msg_2", session.conversation.sequence, "assistant", "Jack Russel.", now)
    world.conversations.finish(session, session.conversation, answer)
    return head.id


def test_conversations_are_listed_and_read(talk: str) -> None:
    page = call("conversations", "GET", "/api/ai/conversations", ALICE).json
    assert [(item["id"], item["title"]) for item in page["items"]] == [(talk, "Warm leads")]
    conversation = call("conversations", "GET", f"/api/ai/conversations/{talk}", ALICE).json
    assert [(item["role"], item["content"]) for item in conversation["messages"]] == [
        ("user", "Who is warm?"),
        ("assistant", "Jack Russel."),
    ]
    assert {"createdAt", "updatedAt", "entities"} <= set(conversation)


def test_a_long_conversation_comes_in_pages(talk: str) -> None:
    first = call("conversations", "GET", f"/api/ai/conversations/{talk}?limit=1", ALICE).json
    assert [item["role"] for item in first["messages"]] == ["user"]
    rest = call("conversations", "GET", f"/api/ai/conversations/{talk}?limit=1&cursor={first['nextCursor']}", ALICE)
    assert [item["role"] for item in rest.json["messages"]] == ["assistant"]


@pytest.mark.parametrize("stranger", [BOB, RIVAL])
def test_other_users_can_neither_see_nor_delete_a_conversation(talk: str, stranger: dict[str, str]) -> None:
    assert call("conversations", "GET", "/api/ai/conversations", stranger).json["items"] == []
    for method in ("GET", "DELETE"):
        assert_problem(call("conversations", method, f"/api/ai/conversations/{talk}", stranger), 404, "not_found")
    assert call("conversations", "GET", f"/api/ai/conversations/{talk}", ALICE).status == 200


def test_a_deleted_conversation_is_not_found(talk: str) -> None:
    answer = call("conversations", "DELETE", f"/api/ai/conversations/{talk}", ALICE)
    assert (answer.status, answer.text, answer.headers["x-request-id"]) == (204, "", REQUEST_ID)
    for method in ("GET", "DELETE"):
        assert_problem(call("conversations", method, f"/api/ai/conversations/{talk}", ALICE), 404, "not_found")


# --- tools, health, the description


def test_the_catalogue_holds_what_the_user_may_use(world: World) -> None:
    body = call("tools", "GET", "/api/ai/tools", ALICE).json
    tools = {tool["name"]: tool for tool in body["items"]}
    assert body["total"] == len(tools) == len(body["items"])
    assert tools["search_leads"]["parameters"]["type"] == "object"
    assert {"description", "returns", "access", "confirmation", "toolkit", "examples"} <= set(tools["search_leads"])
    narrow = call("tools", "GET", "/api/ai/tools", ALICE | {"modules": '["contacts"]'}).json
    assert "search_leads" not in {tool["name"] for tool in narrow["items"]}


def test_health_needs_no_token_and_names_each_dependency(world: World) -> None:
    answer = call("health", "GET", "/health")
    assert answer.status == 200
    assert answer.json["status"] == "ok"
    assert [item["name"] for item in answer.json["dependencies"]] == ["records", "conversations", "tools", "model"]


def test_health_says_which_dependency_is_missing(world: World) -> None:
    world.use(conversations=cast("Any", Broken(UnavailableError("no database"))))
    answer = call("health", "GET", "/health")
    assert (answer.status, answer.json["status"]) == (503, "unavailable")
    states = {item["name"]: item["state"] for item in answer.json["dependencies"]}
    assert states == {"records": "ok", "conversations": "unavailable", "tools": "ok", "model": "ok"}


def test_the_api_description_has_the_base_path_of_the_request(world: World) -> None:
    answer = call("docs", "GET", "/openapi.json")
    assert answer.json["openapi"].startswith("3.1")
    assert answer.json["servers"] == [{"url": f"/{STAGE}"}]
    request = event("docs", "GET", "/openapi.json", None)
    request["requestContext"]["path"] = "/openapi.json"
    assert answer_of(function("docs"), request).json["servers"] == [{"url": "/"}]


def test_the_documentation_page_loads_nothing_from_other_hosts(world: World) -> None:
    answer = call("docs", "GET", "/docs")
    assert (answer.status, answer.headers["content-type"]) == (200, "text/html; charset=utf-8")
    assert "default-src 'none'" in answer.headers["content-security-policy"]
    urls = set(re.findall(r"""(?:src|href|action)=["']([^"']+)""", answer.text))
    assert {url for url in urls if not url.startswith(("./", "data:"))} == set()
    files = {url.removeprefix(".") for url in urls if url.startswith("./docs/")}
    assert len(files) == 3
    for path in files:
        file = call("docs", "GET", path)
        assert (file.status, len(file.text) > 100) == (200, True), path
    assert_problem(call("docs", "GET", "/docs/secrets.txt"), 404, "not_found")
