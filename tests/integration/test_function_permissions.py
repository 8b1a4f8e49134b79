"""Every function does what it does with its own role: DynamoDB requests of each operation's example against its policies."""

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from fnmatch import fnmatchcase
from typing import Any

import pytest
from botocore.client import BaseClient
from ulid import ULID

from aisha.api.operation import Operation
from aisha.bootstrap import Services
from aisha.settings import Settings
from infra.local.aws_fakes.embedded import EmbeddedAWS
from tests.fakes.api_gateway import ROOT, answer_of, caller, chat, event, function, operations, serving
from tests.fakes.local import place_demo_data
from tests.support.template import (
    FUNCTIONS,
    STREAMING,
    WITHOUT_ROUTES,
    chosen,
    folder,
    granted,
    may,
    statements,
)

ALICE = caller("demo", "alice", modules=("leads", "contacts", "accounts", "opportunities", "activities", "notes"))
ADMIN = ALICE | {"roles": '["admin"]'}
PARAMETERS = {"type": "lead", "mode": "brief"}
"""Of paths; every other one is an id that nothing has."""
TABLES = {"aisha-records": "RecordsTable", "aisha-conversations": "ConversationsTable", "aisha-entries": "EntriesTable"}
IN_TRANSACTIONS = {
    "Put": "PutItem",
    "Update": "UpdateItem",
    "Delete": "DeleteItem",
    "ConditionCheck": "ConditionCheckItem",
}
NEEDS = {
    "records": {("Query", "RecordsTable"), ("GetItem", "RecordsTable")},
    "conversations": {("Query", "ConversationsTable"), ("GetItem", "ConversationsTable")},
    "entries": {("Query", "EntriesTable"), ("GetItem", "EntriesTable")},
    "audit_log": {("Query", "EntriesTable"), ("GetItem", "EntriesTable")},
    "access_of": {("GetItem", "EntriesTable")},
    # A tool call is audited, whatever it does.
    "tool_ports": {(action, "EntriesTable") for action in ("GetItem", "Query", "PutItem", "UpdateItem")},
    "tool_context": {(action, "EntriesTable") for action in ("GetItem", "Query", "PutItem", "UpdateItem")},
    "turn_dependencies": {(action, "EntriesTable") for action in ("GetItem", "Query", "PutItem", "UpdateItem")},
    "sweep_dependencies": {(action, "EntriesTable") for action in ("GetItem", "Query", "PutItem", "UpdateItem")},
}
"""What a handler that takes this from its services asks of DynamoDB at least."""
KEPT_ANSWER = {(action, "EntriesTable") for action in ("GetItem", "UpdateItem", "DeleteItem")}
"""What an `Idempotency-Key` takes: it is looked up, taken, and given back when nothing was written."""


@dataclass(frozen=True)
class Access:
    """One action on one table; `key` is the item's or the query's partition."""

    action: str
    table: str
    key: str


def accesses(operation: str, request: Mapping[str, Any]) -> Iterator[Access]:
    """What IAM is asked for a DynamoDB request: of a transaction and of a batch, for each of its parts."""
    if operation == "TransactWriteItems":
        for part in request["TransactItems"]:
            ((kind, inner),) = part.items()
            yield from accesses(IN_TRANSACTIONS[kind], inner)
    elif operation in ("BatchGetItem", "BatchWriteItem"):
        for name in request["RequestItems"]:
            yield Access(operation, TABLES[name], "")
    else:
        named = request.get("Key") or request.get("Item") or {}
        values = request.get("ExpressionAttributeValues", {})
        key = named["pk"]["S"] if named else next((one["S"] for one in values.values() if "S" in one), "")
        yield Access(operation, TABLES[request["TableName"]], key)


@pytest.fixture(scope="module")
def recorded(tmp_path_factory: pytest.TempPathFactory) -> Iterator[list[Access]]:
    """DynamoDB requests as they are made, over the demo data."""
    made: list[Access] = []
    original = BaseClient._make_api_call  # type: ignore[attr-defined]

    def record(client: BaseClient, operation: str, request: Mapping[str, Any]) -> Any:
        if client.meta.service_model.service_name == "dynamodb" and operation != "DescribeTable":
            made.extend(accesses(operation, request))
        return original(client, operation, request)

    data = tmp_path_factory.mktemp("permissions")
    place_demo_data(data)
    with (
        EmbeddedAWS(data / "data"),
        pytest.MonkeyPatch.context() as patch,
        serving(Services(settings=Settings())),
    ):
        patch.setattr(BaseClient, "_make_api_call", record)
        yield made


def send(name: str, operation: Operation) -> None:
    """The operation's example by an administrator, to whom nothing is refused."""
    path = re.sub(r"\{(\w+)\}", lambda match: PARAMETERS.get(match[1], "lead_01JD"), operation.path)
    body = None if operation.body_example is None else json.dumps(operation.body_example)
    headers = {"Idempotency-Key": str(ULID())}
    if name in map(folder, (FUNCTIONS[one] for one in STREAMING)):
        chat(body or "", ADMIN, method=operation.method, path=path, app=function(name).app, headers=headers)
        return
    sent = event(name, operation.method, path, ADMIN, body)
    sent["headers"] |= headers
    answer_of(function(name), sent)


def is_allowed(name: str, access: Access) -> bool:
    """Whether a policy of the function allows it, with the condition on the key that it may have."""
    for statement in statements(*granted(name)):
        actions, resources = statement["Action"], json.dumps([*chosen(statement["Resource"])])
        if f"dynamodb:{access.action}" not in (actions if isinstance(actions, list) else [actions]):
            continue
        patterns = statement.get("Condition", {}).get("ForAllValues:StringLike", {}).get("dynamodb:LeadingKeys", ["*"])
        if f"{access.table}.Arn" in resources and any(fnmatchcase(access.key, one) for one in patterns):
            return True
    return False


@pytest.mark.parametrize("name", [name for name, one in FUNCTIONS.items() if folder(one) not in WITHOUT_ROUTES])
def test_a_role_allows_what_its_function_asks_of_dynamodb(name: str, recorded: list[Access]) -> None:
    for operation in operations(folder(FUNCTIONS[name])):
        recorded.clear()
        send(folder(FUNCTIONS[name]), operation)
        refused = {one for one in recorded if not is_allowed(name, one)}
        assert not refused, operation.id


def test_the_recording_sees_reads_and_writes_of_every_table(recorded: list[Access]) -> None:
    recorded.clear()
    (turn,) = operations("chat")
    send("chat", turn)
    seen = {(one.action, one.table) for one in recorded}
    assert {("GetItem", "EntriesTable"), ("UpdateItem", "EntriesTable"), ("Query", "RecordsTable")} <= seen
    assert any(table == "ConversationsTable" and action in ("PutItem", "UpdateItem") for action, table in seen)


def has(name: str, needed: set[tuple[str, str]]) -> bool:
    given = may(name)
    return all((f"dynamodb:{action}", json.dumps({"GetAtt": f"{table}.Arn"})) in given for action, table in needed)


@pytest.mark.parametrize("name", [name for name, one in FUNCTIONS.items() if folder(one) not in WITHOUT_ROUTES])
def test_who_honours_an_idempotency_key_may_keep_answers(name: str) -> None:
    if any(operation.idempotent for operation in operations(folder(FUNCTIONS[name]))):
        assert has(name, KEPT_ANSWER)


@pytest.mark.parametrize("name", FUNCTIONS)
def test_a_role_fits_what_the_handler_takes_from_the_composition_root(name: str) -> None:
    code = (ROOT / "functions" / folder(FUNCTIONS[name]) / "handler.py").read_text(encoding="utf-8")
    if "aisha.api.mcp" in code:
        code += "".join(path.read_text(encoding="utf-8") for path in (ROOT / "shared/aisha/api/mcp").glob("*.py"))
    for taken in set(re.findall(r"\b(?:services|app)\.(\w+)", code)) & set(NEEDS):
        assert has(name, NEEDS[taken]), taken


@pytest.mark.parametrize("tenant", ["demo", "a.b_c-d@x", "Ünï/cödé"])
def test_grants_are_read_by_the_authorizer_alone_of_all_limited_keys(tenant: str, recorded: list[Access]) -> None:
    recorded.clear()
    function("authorizer").app.services.access_of(tenant, "alice")
    assert recorded
    assert all(is_allowed("AuthorizerFunction", one) for one in recorded)
    assert not any(is_allowed("SingleTurnFunction", one) for one in recorded)
