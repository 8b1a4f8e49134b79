"""template.yaml against what it deploys: handlers, operations, settings, tables, permissions."""

import json
import os
import re
from collections.abc import Iterator, Mapping
from typing import Any

import pytest
import yaml

from aisha.adapters.dynamodb.tables import TTL_ATTRIBUTE, conversations_schema, keyed_schema
from aisha.domain.errors import AishaError
from aisha.settings import Settings
from infra.local import template
from tests.fakes.api_gateway import ROOT, function

DOCUMENT: dict[str, Any] = yaml.load((ROOT / "template.yaml").read_text(encoding="utf-8"), template._Loader)
RESOURCES: dict[str, dict[str, Any]] = DOCUMENT["Resources"]
GLOBALS: dict[str, Any] = DOCUMENT["Globals"]["Function"]
REQUIRED = {"records_table", "conversations_table", "entries_table", "jwks_url", "jwt_issuer", "jwt_audience"}
"""Settings whose defaults are of no use in AWS."""


def of_type(kind: str) -> dict[str, dict[str, Any]]:
    """Properties of the resources of a type."""
    return {name: one["Properties"] for name, one in RESOURCES.items() if one["Type"] == kind}


FUNCTIONS = of_type("AWS::Serverless::Function")
TABLES = of_type("AWS::DynamoDB::Table")
POLICIES = of_type("AWS::IAM::ManagedPolicy")


def folder(properties: Mapping[str, Any]) -> str:
    return str(properties["CodeUri"]).strip("/").rpartition("/")[2]


def operations(name: str) -> list[Any]:
    module = function(name)
    return list(module.OPERATIONS if name == "chat" else module.app.operations)


# --- functions and operations


def test_every_handler_is_deployed() -> None:
    handlers = {path.parent.name for path in (ROOT / "functions").glob("*/handler.py")}
    assert {folder(properties) for properties in FUNCTIONS.values()} == handlers


@pytest.mark.parametrize("name", FUNCTIONS)
def test_what_lambda_starts_exists(name: str) -> None:
    properties = FUNCTIONS[name]
    handler = properties.get("Handler", GLOBALS["Handler"])
    if handler.endswith(".sh"):
        assert os.access(ROOT / properties["CodeUri"] / handler, os.X_OK)
        assert properties["Environment"]["Variables"]["AWS_LAMBDA_EXEC_WRAPPER"] == "/opt/bootstrap"
    else:
        file, _, attribute = handler.rpartition(".")
        assert file == "handler"
        assert callable(getattr(function(folder(properties)), attribute))


def test_routes_are_the_declared_operations() -> None:
    routes = template.load_template(ROOT / "template.yaml").routes
    deployed = {
        (route.function.folder.name, route.method, route.resource, route.authorizer is None) for route in routes
    }
    declared = {
        (name, operation.method, operation.path, operation.public)
        for name in map(folder, FUNCTIONS.values())
        if name != "authorizer"
        for operation in operations(name)
    }
    assert deployed == declared
    assert len(routes) == len(deployed)


def test_runtime_and_architecture() -> None:
    assert GLOBALS["Runtime"] == "python3.13"
    assert GLOBALS["Architectures"] == [{"Ref": "Architecture"}]
    assert DOCUMENT["Parameters"]["Architecture"]["Default"] == "arm64"
    assert not any("Runtime" in properties or "Architectures" in properties for properties in FUNCTIONS.values())


def test_a_turn_ends_before_its_function_does() -> None:
    for name in ("ChatFunction", "ConfirmationsFunction"):
        assert FUNCTIONS[name]["Timeout"] > Settings().turn_seconds


def test_chat_streams_through_the_adapter() -> None:
    chat = FUNCTIONS["ChatFunction"]
    assert chat["Environment"]["Variables"]["AWS_LWA_INVOKE_MODE"] == "response_stream"
    assert chat["Events"]["Chat"]["Properties"]["ResponseTransferMode"] == "RESPONSE_STREAM"
    assert "LambdaAdapterLayer" in json.dumps(chat["Layers"])


# --- settings


def variables() -> Iterator[tuple[str, str]]:
    for name in GLOBALS["Environment"]["Variables"]:
        yield "every function", name
    for function_name, properties in FUNCTIONS.items():
        for name in properties.get("Environment", {}).get("Variables", {}):
            yield function_name, name


def test_every_variable_is_a_setting() -> None:
    known = {f"AISHA_{name.upper()}" for name in Settings.model_fields}
    assert {name for _, name in variables() if name.startswith("AISHA_")} <= known


def test_required_settings_are_given_to_every_function() -> None:
    assert {f"AISHA_{name.upper()}" for name in REQUIRED} <= set(GLOBALS["Environment"]["Variables"])


def test_dynamodb_is_aws_own() -> None:
    assert "AISHA_DYNAMODB_ENDPOINT" not in {name for _, name in variables()}


# --- tables


@pytest.mark.parametrize("name", TABLES)
def test_tables_can_be_restored_are_encrypted_expire_and_outlive_the_stack(name: str) -> None:
    table = TABLES[name]
    assert table["PointInTimeRecoverySpecification"] == {"PointInTimeRecoveryEnabled": True}
    assert table["SSESpecification"]["SSEEnabled"] is True
    assert table["TimeToLiveSpecification"] == {"AttributeName": TTL_ATTRIBUTE, "Enabled": True}
    assert RESOURCES[name]["DeletionPolicy"] == RESOURCES[name]["UpdateReplacePolicy"] == "Retain"


@pytest.mark.parametrize(
    ("name", "schema"),
    [
        ("RecordsTable", keyed_schema("any")),
        ("ConversationsTable", conversations_schema("any")),
        ("EntriesTable", keyed_schema("any")),
    ],
)
def test_tables_have_the_keys_that_the_adapters_use(name: str, schema: dict[str, Any]) -> None:
    table = TABLES[name]
    for part in ("KeySchema", "BillingMode", "GlobalSecondaryIndexes"):
        assert table.get(part) == schema.get(part)
    attributes = [{tuple(sorted(one.items())) for one in given["AttributeDefinitions"]} for given in (table, schema)]
    assert attributes[0] == attributes[1]


# --- permissions


def statements() -> Iterator[dict[str, Any]]:
    for policy in POLICIES.values():
        yield from policy["PolicyDocument"]["Statement"]


def granted(name: str) -> set[str]:
    """The policies of a function, by name. Anything but a policy of this template fails here."""
    policies = {policy["Ref"] for policy in FUNCTIONS[name].get("Policies", [])}
    assert policies <= set(POLICIES)
    return policies


def listed(value: Any) -> list[Any]:
    return value if isinstance(value, list) else [value]


def test_no_permission_has_a_wildcard() -> None:
    for statement in statements():
        assert statement["Effect"] == "Allow"
        assert not {"NotAction", "NotResource"} & set(statement)
        for action in listed(statement["Action"]):
            assert re.fullmatch(r"dynamodb:\w+", action)
        for resource in listed(statement["Resource"]):
            assert "*" not in json.dumps(resource)
            assert "Table" in json.dumps(resource)


def test_nothing_may_scan_or_touch_the_tables_themselves() -> None:
    actions = {action for statement in statements() for action in listed(statement["Action"])}
    assert actions <= {
        f"dynamodb:{name}"
        for name in (
            "GetItem",
            "BatchGetItem",
            "Query",
            "PutItem",
            "UpdateItem",
            "DeleteItem",
            "BatchWriteItem",
            "ConditionCheckItem",
        )
    }


def test_functions_that_only_read_can_not_write() -> None:
    for name, properties in FUNCTIONS.items():
        methods = {event["Properties"]["Method"] for event in properties.get("Events", {}).values()}
        if methods <= {"GET"}:
            assert not [policy for policy in granted(name) if "Write" in policy]


def test_only_turns_write_records() -> None:
    writers = {name for name in FUNCTIONS if "RecordsWritePolicy" in granted(name)}
    assert writers == {"ChatFunction", "ConfirmationsFunction"}


# --- what API Gateway answers itself


def codes(root: type[AishaError]) -> set[str]:
    return {root.code}.union(*(codes(child) for child in root.__subclasses__()))


@pytest.mark.parametrize("name", RESOURCES["Api"]["Properties"]["GatewayResponses"])
def test_refusals_of_the_gateway_are_problems(name: str) -> None:
    response = RESOURCES["Api"]["Properties"]["GatewayResponses"][name]
    assert response["ResponseParameters"]["Headers"]["Content-Type"] == "'application/problem+json'"
    text = response["ResponseTemplates"]["application/problem+json"]
    body = json.loads(text.replace("$context.error.messageString", '"said"').replace("$context.requestId", "id"))
    assert body.get("status") == response.get("StatusCode")
    assert body["request_id"] == "id"
    assert body["type"] == f"urn:aisha:problem:{body['code']}"
    assert body["code"] in codes(AishaError) | {"rate_limited"}, "only the gateway limits rates"
