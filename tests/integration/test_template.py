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
WITHOUT_ROUTES = {"authorizer", "ingest", "sweep_dispatcher", "sweep_worker"}
"""Functions that API Gateway does not ask for an answer."""


def of_type(kind: str) -> dict[str, dict[str, Any]]:
    """Properties of the resources of a type."""
    return {name: one["Properties"] for name, one in RESOURCES.items() if one["Type"] == kind}


FUNCTIONS = of_type("AWS::Serverless::Function")
TABLES = of_type("AWS::DynamoDB::Table")
POLICIES = of_type("AWS::IAM::ManagedPolicy")
QUEUES = of_type("AWS::SQS::Queue")


def folder(properties: Mapping[str, Any]) -> str:
    return str(properties["CodeUri"]).strip("/").rpartition("/")[2]


def operations(name: str) -> list[Any]:
    module = function(name)
    return list(getattr(module, "OPERATIONS", None) or module.app.operations)


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
    for name in ("ChatFunction", "ConfirmationsFunction"):
        assert FUNCTIONS[name]["Timeout"] > Settings().turn_seconds


STREAMING = [name for name, one in FUNCTIONS.items() if one.get("Handler", "").endswith(".sh")]


@pytest.mark.parametrize("name", STREAMING)
def test_web_apps_stream_through_the_adapter(name: str) -> None:
    """SAM makes the integration's STREAM and its path `response-streaming-invocations` of `RESPONSE_STREAM`."""
    streaming = FUNCTIONS[name]
    assert streaming["Environment"]["Variables"]["AWS_LWA_INVOKE_MODE"] == "response_stream"
    for event in streaming["Events"].values():
        assert event["Properties"]["ResponseTransferMode"] == "RESPONSE_STREAM"
    assert "LambdaAdapterLayer" in json.dumps(streaming["Layers"])


def test_both_doors_of_the_turn_are_set_up_alike() -> None:
    chat, door = FUNCTIONS["ChatFunction"], FUNCTIONS["OpenAiFunction"]
    for part in ("MemorySize", "Timeout", "Layers", "Policies", "Environment", "Handler"):
        assert chat[part] == door[part], part
    scripts = [(ROOT / one["CodeUri"] / one["Handler"]).read_text(encoding="utf-8") for one in (chat, door)]
    assert scripts[0] == scripts[1]


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
            assert re.fullmatch(r"dynamodb:\w+|sqs:SendMessage", action)
            what = "Table" if action.startswith("dynamodb") else "Queue"
            assert all(what in json.dumps(resource) for resource in listed(statement["Resource"]))
        for resource in listed(statement["Resource"]):
            assert "*" not in json.dumps(resource)


def test_nothing_may_scan_or_touch_the_tables_themselves() -> None:
    actions = {action for statement in statements() for action in listed(statement["Action"])} - {"sqs:SendMessage"}
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
        methods = {event["Properties"].get("Method") for event in properties.get("Events", {}).values()}
        if methods <= {"GET"}:
            assert not [policy for policy in granted(name) if "Write" in policy]


def test_only_what_runs_tools_writes_records() -> None:
    writers = {name for name in FUNCTIONS if "RecordsWritePolicy" in granted(name)}
    assert writers == {
        "ChatFunction",
        "FlowChatFunction",
        "OpenAiFunction",
        "ConfirmationsFunction",
        "NotificationsFunction",
        "RealtimeFunction",
        "ScansFunction",
        "SuggestionsFunction",
        "SweepWorkerFunction",
    }


# --- queues


@pytest.mark.parametrize("name", [name for name, one in QUEUES.items() if "RedrivePolicy" in one])
def test_what_can_not_be_done_is_set_aside_after_five_tries(name: str) -> None:
    queue = QUEUES[name]
    dead = queue["RedrivePolicy"]["deadLetterTargetArn"]["GetAtt"].partition(".")[0]
    assert queue["RedrivePolicy"]["maxReceiveCount"] == 5
    assert QUEUES[dead]["MessageRetentionPeriod"] > queue["MessageRetentionPeriod"]


@pytest.mark.parametrize("name", QUEUES)
def test_queues_are_encrypted(name: str) -> None:
    assert QUEUES[name]["SqsManagedSseEnabled"] is True


def test_a_message_of_a_batch_fails_alone_and_is_not_given_out_twice_at_once() -> None:
    events = [
        (properties, event["Properties"])
        for properties in FUNCTIONS.values()
        for event in properties.get("Events", {}).values()
        if event["Type"] == "SQS"
    ]
    assert events
    for properties, event in events:
        assert event["FunctionResponseTypes"] == ["ReportBatchItemFailures"]
        queue = QUEUES[event["Queue"]["GetAtt"].partition(".")[0]]
        assert queue["VisibilityTimeout"] >= 6 * properties["Timeout"]


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
