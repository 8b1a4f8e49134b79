"""The role of each function allows the DynamoDB requests that its operations' examples make."""

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
from infra.openapi import examples_of
from tests.fakes.aws.api_gateway import ROOT, answer_of, caller, chat, event, function, operations, serving
from tests.fakes.local import place_demo_data
from tests.support.template import (
    FUNCTIONS,
    STREAMING,
    WITHOUT_ROUTES,
    alternatives,
    folder_of,
    permissions_of,
    policies_of,
    statements,
)

pytestmark = pytest.mark.slow

ALICE = caller("demo", "alice", modules=("leads", "contacts", "accounts", "opportunities", "activities", "notes"))
ADMIN = ALICE | {"roles": '["admin"]'}
PARAMETERS = {"type": "lead", "mode": "brief"}
"""Parameters of paths; every other one is the id of no record."""
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
    "sweep_dependencies": {
        (action, "EntriesTable") for action in ("GetItem", "BatchGetItem", "Query", "PutItem", "UpdateItem")
    },
}
"""Minimal DynamoDB permissions of a handler that uses a service, by the service's name."""
STORED_ANSWER = {(action, "EntriesTable") for action in ("GetItem", "UpdateItem", "DeleteItem")}
"""Permissions for an `Idempotency-Key`: it is looked up, taken, and released when nothing was written."""


@dataclass(frozen=True)
class Access:
    """An action on a table; `key` is the partition of the item or the query."""

    action: str
    table: str
    key: str


def accesses(operation: str, request: Mapping[str, Any]) -> Iterator[Access]:
    """Yield the accesses that IAM checks for a DynamoDB request: for a transaction or a batch, those of its parts."""
    if operation == "TransactWriteItems":
        for part in request["TransactItems"]:
            ((kind, inner),) = part.items()
            yield from accesses(IN_TRANSACTIONS[kind], inner)
    elif operation in ("BatchGetItem", "BatchWriteItem"):
        for name in request["RequestItems"]:
            yield Access(operation, TABLES[name], "")
    else:
        item = request.get("Key") or request.get("Item") or {}
        values = request.get("ExpressionAttributeValues", {})
        key = item["pk"]["S"] if item else next((value["S"] for value in values.values() if "S" in value), "")
        yield Access(operation, TABLES[request["TableName"]], key)


@pytest.fixture(scope="module")
def recorded(tmp_path_factory: pytest.TempPathFactory) -> Iterator[list[Access]]:
    """Yield a list that gets the accesses of every DynamoDB request, over the demo data."""
    recorded_accesses: list[Access] = []
    original = BaseClient._make_api_call  # type: ignore[attr-defined]

    def record(client: BaseClient, operation: str, request: Mapping[str, Any]) -> Any:
        if client.meta.service_model.service_name == "dynamodb" and operation != "DescribeTable":
            recorded_accesses.extend(accesses(operation, request))
        return original(client, operation, request)

    data = tmp_path_factory.mktemp("permissions")
    place_demo_data(data)
    with (
        EmbeddedAWS(data / "data"),
        pytest.MonkeyPatch.context() as patch,
        serving(Services(settings=Settings())),
    ):
        patch.setattr(BaseClient, "_make_api_call", record)
        yield recorded_accesses


def send(name: str, operation: Operation) -> None:
    """Send the operation's example as an administrator with every module."""
    path = re.sub(r"\{(\w+)\}", lambda match: PARAMETERS.get(match[1], "lead_01JD"), operation.path)
    body = json.dumps(examples["request"]) if "request" in (examples := examples_of(operation)) else None
    headers = {"Idempotency-Key": str(ULID())}
    if name in map(folder_of, (FUNCTIONS[one] for one in STREAMING)):
        chat(body or "", ADMIN, method=operation.method, path=path, app=function(name).app, headers=headers)
        return
    request = event(name, operation.method, path, ADMIN, body)
    request["headers"] |= headers
    answer_of(function(name), request)


def is_allowed(name: str, access: Access) -> bool:
    """Return whether a policy of the function allows the access, including the policy's condition on keys."""
    for statement in statements(*policies_of(name)):
        actions, resources = statement["Action"], json.dumps([*alternatives(statement["Resource"])])
        if f"dynamodb:{access.action}" not in (actions if isinstance(actions, list) else [actions]):
            continue
        patterns = statement.get("Condition", {}).get("ForAllValues:StringLike", {}).get("dynamodb:LeadingKeys", ["*"])
        if f"{access.table}.Arn" in resources and any(fnmatchcase(access.key, pattern) for pattern in patterns):
            return True
    return False


@pytest.mark.parametrize("name", [name for name, one in FUNCTIONS.items() if folder_of(one) not in WITHOUT_ROUTES])
def test_a_role_allows_what_its_function_asks_of_dynamodb(name: str, recorded: list[Access]) -> None:
    for operation in operations(folder_of(FUNCTIONS[name])):
        recorded.clear()
        send(folder_of(FUNCTIONS[name]), operation)
        refused = {one for one in recorded if not is_allowed(name, one)}
        assert not refused, operation.id


def test_the_recording_sees_reads_and_writes_of_every_table(recorded: list[Access]) -> None:
    recorded.clear()
    turn = next(one for one in operations("chat") if one.id == "chat")
    send("chat", turn)
    actions = {(one.action, one.table) for one in recorded}
    assert {("GetItem", "EntriesTable"), ("UpdateItem", "EntriesTable"), ("Query", "RecordsTable")} <= actions
    assert any(table == "ConversationsTable" and action in ("PutItem", "UpdateItem") for action, table in actions)


def has_permissions(name: str, needed: set[tuple[str, str]]) -> bool:
    permissions = permissions_of(name)
    return all(
        (f"dynamodb:{action}", json.dumps({"GetAtt": f"{table}.Arn"})) in permissions for action, table in needed
    )


@pytest.mark.parametrize("name", [name for name, one in FUNCTIONS.items() if folder_of(one) not in WITHOUT_ROUTES])
def test_a_function_that_honours_an_idempotency_key_may_store_answers(name: str) -> None:
    if any(operation.idempotent for operation in operations(folder_of(FUNCTIONS[name]))):
        assert has_permissions(name, STORED_ANSWER)


@pytest.mark.parametrize("name", FUNCTIONS)
def test_a_role_fits_what_the_handler_takes_from_the_composition_root(name: str) -> None:
    code = (ROOT / "functions" / folder_of(FUNCTIONS[name]) / "handler.py").read_text(encoding="utf-8")
    if "aisha.api.mcp" in code:
        code += "".join(path.read_text(encoding="utf-8") for path in (ROOT / "shared/aisha/api/mcp").glob("*.py"))
    for service in set(re.findall(r"\b(?:services|app)\.(\w+)", code)) & set(NEEDS):
        assert has_permissions(name, NEEDS[service]), service


@pytest.mark.parametrize("tenant", ["demo", "a.b_c-d@x", "Ünï/cödé"])
def test_only_the_authorizer_may_read_grants_of_users(tenant: str, recorded: list[Access]) -> None:
    recorded.clear()
    function("authorizer").app.services.access_of(tenant, "alice")
    assert recorded
    assert all(is_allowed("AuthorizerFunction", one) for one in recorded)
    assert not any(is_allowed("SingleTurnFunction", one) for one in recorded)
