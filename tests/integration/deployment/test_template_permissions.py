"""The SAM template gives each function the permissions that its code needs, and no other."""

import json
import re

import pytest

from aisha.adapters.llm.catalog import load_catalog
from aisha.bootstrap.models import MODELS
from tests.fakes.aws.api_gateway import ROOT, operations
from tests.support.template import (
    FUNCTIONS,
    GLOBALS,
    POLICIES,
    RESOURCES,
    WITHOUT_ROUTES,
    as_list,
    folder_of,
    permissions_of,
    policies_of,
    statements,
    variables,
)


def may_write(name: str, table: str) -> bool:
    return any(action in WRITES and table in resource for action, resource in permissions_of(name))


READS = {f"dynamodb:{name}" for name in ("GetItem", "BatchGetItem", "Query")}
WRITES = {
    f"dynamodb:{name}" for name in ("PutItem", "UpdateItem", "DeleteItem", "BatchWriteItem", "ConditionCheckItem")
}
NAMED_BY_PREFIX = (
    "secret:${SecretsPrefix}",
    "-??????",
    "domain/aisha-${Id}/*",
    "domain/${OpenSearchName}/*",
    "log-group:${Logs}:*",
    ":bedrock:*::foundation-model/",
)
"""Resources with a wildcard for the part of a name that AWS adds: a secret's ARN, an index, a stream of logs, or the
regions to which an inference profile routes."""


@pytest.mark.parametrize("name", POLICIES)
def test_no_permission_is_for_more_than_this_deployment_has(name: str) -> None:
    for statement in statements(name):
        if statement["Effect"] == "Deny":
            continue
        assert not {"NotAction", "NotResource"} & set(statement)
        actions = as_list(statement["Action"])
        assert not [action for action in actions if "*" in action]
        for resource in as_list(statement["Resource"]):
            text = json.dumps(resource)
            if "*" in text and not any(prefix in text for prefix in NAMED_BY_PREFIX):
                assert set(actions) == {"xray:PutTraceSegments", "xray:PutTelemetryRecords"}, "X-Ray names no resources"


def test_bedrock_may_be_asked_for_the_models_of_the_models_file_alone() -> None:
    catalog = load_catalog(MODELS)
    chains = {ref.model for chain in catalog.capabilities.values() for ref in chain if ref.provider == "bedrock"}
    named = chains | {catalog.defaults["bedrock"]}
    expected = {
        kind + model
        for name in named
        for kind, model in (("foundation-model/", name.removeprefix("global.")), ("inference-profile/", name))
        if kind == "foundation-model/" or name.startswith("global.")
    }
    asking = statements("BedrockPolicy")[0]
    assert {re.split(r":(?=foundation|inference)", resource["Sub"])[1] for resource in asking["Resource"]} == expected
    users = {name for name in FUNCTIONS if "BedrockPolicy" in policies_of(name)}
    assert users == {name for name in FUNCTIONS if {"SecretsPolicy", "ModelKeysPolicy"} & {*policies_of(name)}} - {
        "HealthFunction",
        "ProfileFunction",
        "ToolsFunction",
        "UndoFunction",
        "CrmFunction",
        "CrmHooksFunction",
        "ConnectionsFunction",
        "SweepWorkerFunction",
    }


def test_nothing_may_scan_or_touch_the_tables_themselves() -> None:
    actions = {action for statement in statements(*POLICIES) for action in as_list(statement["Action"])}
    assert {action for action in actions if action.startswith("dynamodb:")} == READS | WRITES


def test_functions_have_roles_of_their_own_within_one_boundary() -> None:
    assert GLOBALS["PermissionsBoundary"] == {"Ref": "FunctionBoundary"}
    assert not [name for name, one in FUNCTIONS.items() if {"Role", "PermissionsBoundary"} & set(one)]
    bound = statements("FunctionBoundary")
    for name in FUNCTIONS:
        for action, resource in permissions_of(name):
            allowing = [statement for statement in bound if statement["Effect"] == "Allow"]
            allowed = [statement for statement in allowing if action in as_list(statement["Action"])]
            assert allowed, f"{name}: the boundary takes {action} away"
            if action.startswith(("dynamodb:", "sqs:")):
                resources = [json.dumps(item) for statement in allowed for item in as_list(statement["Resource"])]
                assert resource in resources, name


def test_no_function_changes_the_audit_log_or_grants_access() -> None:
    denied = {
        key: set(as_list(statement["Action"]))
        for statement in statements("FunctionBoundary")
        if statement["Effect"] == "Deny"
        for key in statement["Condition"]["ForAnyValue:StringLike"]["dynamodb:LeadingKeys"]
    }
    changes = {"dynamodb:UpdateItem", "dynamodb:DeleteItem", "dynamodb:BatchWriteItem"}
    assert denied == {"audit#*": changes, "*#u#*#access": changes | {"dynamodb:PutItem"}}


@pytest.mark.parametrize("name", FUNCTIONS)
def test_a_role_takes_all_its_policies(name: str) -> None:
    """Count a role's policies, of which IAM allows ten; SAM adds those for logs, traces and a queue."""
    from_queue = any(event["Type"] == "SQS" for event in FUNCTIONS[name].get("Events", {}).values())
    assert len(policies_of(name)) + 2 + from_queue <= 10


def test_functions_that_only_read_can_not_write() -> None:
    for name, properties in FUNCTIONS.items():
        methods = {event["Properties"].get("Method") for event in properties.get("Events", {}).values()}
        if methods <= {"GET"}:
            assert not {action for action, _ in permissions_of(name)} & WRITES, name


def test_only_what_runs_tools_writes_records() -> None:
    assert {name for name in FUNCTIONS if may_write(name, "RecordsTable")} == {
        "ChatFunction",
        "FlowChatFunction",
        "OpenAiFunction",
        "McpFunction",
        "ConfirmationsFunction",
        "CrmFunction",
        "NotificationsFunction",
        "RealtimeFunction",
        "ScansFunction",
        "SuggestionsFunction",
        "SweepWorkerFunction",
        "UndoFunction",
    }


def test_what_writes_records_can_write_those_of_a_tenant_with_a_crm_of_its_own() -> None:
    # A scan writes events alone, which no other CRM has.
    for name in {name for name in FUNCTIONS if may_write(name, "RecordsTable")} - {"ScansFunction"}:
        permissions = permissions_of(name)
        entries = json.dumps({"GetAtt": "EntriesTable.Arn"})
        # The connection, the journal and its locks; then the secret, which the connection names.
        for action in ("GetItem", "PutItem", "DeleteItem"):
            assert (f"dynamodb:{action}", entries) in permissions, name
        assert "SecretsPolicy" in policies_of(name), name


@pytest.mark.parametrize("name", [name for name in FUNCTIONS if folder_of(FUNCTIONS[name]) not in WITHOUT_ROUTES])
def test_functions_whose_requests_are_counted_can_count(name: str) -> None:
    if any(operation.limited for operation in operations(folder_of(FUNCTIONS[name]))):
        assert ("dynamodb:UpdateItem", json.dumps({"GetAtt": "EntriesTable.Arn"})) in permissions_of(name)


def test_mail_is_sent_in_one_identity_s_name_by_what_runs_tools_or_delivers() -> None:
    senders = {name for name in FUNCTIONS if "MailPolicy" in policies_of(name)}
    assert senders == {name for name in FUNCTIONS if may_write(name, "RecordsTable")} - {
        "CrmFunction",
        "ScansFunction",
        "UndoFunction",
    }
    (sending,) = statements("MailPolicy")
    assert sending["Resource"]["Sub"].endswith(":identity/${MailIdentity}")


def test_memory_is_open_to_the_functions_that_use_it() -> None:
    users = {name for name in FUNCTIONS if "MemoryPolicy" in policies_of(name)}
    roles = {f"{name}Role.Arn" for name in users}
    (domain,) = RESOURCES["MemoryDomain"]["Properties"]["AccessPolicies"]["Statement"]
    assert {principal["GetAtt"] for principal in domain["Principal"]["AWS"] if "GetAtt" in principal} == roles
    text, values = RESOURCES["MemoryAccess"]["Properties"]["Policy"]["Sub"]
    named = {value["GetAtt"] for name, value in values.items() if "GetAtt" in value and f"${{{name}}}" in text}
    assert named == roles
    (rules,) = json.loads(text.replace("${Operator}", ""))
    assert len(rules["Principal"]) == len(roles)


def test_no_key_is_in_the_environment() -> None:
    assert "resolve:secretsmanager" not in (ROOT / "template.yaml").read_text(encoding="utf-8")
    assert not [name for _, name in variables() if name.endswith("_KEY") or "TOKEN" in name]
