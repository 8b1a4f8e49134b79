"""The SAM template agrees with the code: handlers, operations, settings, tables and permissions."""

import json
import os
from typing import Any

import pytest

from aisha.adapters.dynamodb.tables import TTL_ATTRIBUTE, conversations_schema, keyed_schema
from aisha.settings import VARIABLE_NAMES, Settings
from infra.local.server.template import load_template
from tests.fakes.aws.api_gateway import ROOT, function, operations
from tests.support.template import (
    DOCUMENT,
    FUNCTIONS,
    GLOBALS,
    RESOURCES,
    STREAMING,
    TABLES,
    WITHOUT_ROUTES,
    folder_of,
    variables,
)

REQUIRED = {"records_table", "conversations_table", "entries_table", "jwks_url", "jwt_issuer", "jwt_audience"}
"""Settings whose defaults can't be used in AWS."""

# --- functions and operations


def test_every_handler_is_deployed() -> None:
    handlers = {path.parent.name for path in (ROOT / "functions").glob("*/handler.py")}
    assert {folder_of(properties) for properties in FUNCTIONS.values()} == handlers


@pytest.mark.parametrize("name", FUNCTIONS)
def test_the_handler_that_lambda_starts_exists(name: str) -> None:
    properties = FUNCTIONS[name]
    handler = properties.get("Handler", GLOBALS["Handler"])
    if handler.endswith(".sh"):
        assert os.access(ROOT / properties["CodeUri"] / handler, os.X_OK)
        assert properties["Environment"]["Variables"]["AWS_LAMBDA_EXEC_WRAPPER"] == "/opt/bootstrap"
    else:
        file, _, attribute = handler.rpartition(".")
        assert file == "handler"
        assert callable(getattr(function(folder_of(properties)), attribute))


def test_routes_are_the_declared_operations() -> None:
    routes = load_template(ROOT / "template.yaml").routes
    deployed = {
        (route.function.folder.name, route.method, route.resource, route.authorizer is None) for route in routes
    }
    declared = {
        (name, operation.method, operation.path, operation.public)
        for name in map(folder_of, FUNCTIONS.values())
        if name not in WITHOUT_ROUTES
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
    for name in ("ChatFunction", "FlowChatFunction", "OpenAiFunction", "McpFunction", "ConfirmationsFunction"):
        assert FUNCTIONS[name]["Timeout"] > Settings().turn_seconds


@pytest.mark.parametrize("name", STREAMING)
def test_web_apps_stream_through_the_adapter(name: str) -> None:
    """Check the mode from which SAM makes the integration STREAM, with the path `response-streaming-invocations`."""
    streaming = FUNCTIONS[name]
    assert streaming["Environment"]["Variables"]["AWS_LWA_INVOKE_MODE"] == "response_stream"
    for event in streaming["Events"].values():
        assert event["Properties"]["ResponseTransferMode"] == "RESPONSE_STREAM"
    assert "LambdaAdapterLayer" in json.dumps(streaming["Layers"])


def test_both_doors_of_the_turn_are_set_up_alike() -> None:
    chat, door = FUNCTIONS["ChatFunction"], FUNCTIONS["OpenAiFunction"]
    for part in ("MemorySize", "Timeout", "Layers", "Policies", "Environment", "Handler"):
        assert chat[part] == door[part], part
    scripts = [(ROOT / app["CodeUri"] / app["Handler"]).read_text(encoding="utf-8") for app in (chat, door)]
    assert scripts[0] == scripts[1]


# --- settings


def test_every_parameter_is_explained() -> None:
    text = (ROOT / "docs/deploying.md").read_text(encoding="utf-8")
    assert not [name for name in DOCUMENT["Parameters"] if f"`{name}`" not in text]


def test_every_variable_is_a_setting() -> None:
    settings = {f"AISHA_{name.upper()}" for name in Settings.model_fields} | set(VARIABLE_NAMES.values())
    assert {name for _, name in variables() if name.startswith("AISHA_")} <= settings


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
    attributes = [
        {tuple(sorted(attribute.items())) for attribute in definition["AttributeDefinitions"]}
        for definition in (table, schema)
    ]
    assert attributes[0] == attributes[1]
