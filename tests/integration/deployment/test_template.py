"""The SAM template agrees with the code: handlers, operations, settings, tables and permissions."""

import json
import os
import re
import tomllib
from collections.abc import Iterator, Mapping
from typing import Any

import pytest

from aisha.adapters.dynamodb.tables import TTL_ATTRIBUTE, conversations_schema, keyed_schema
from aisha.adapters.llm.catalog import load_catalog
from aisha.api.mcp.operations import METADATA
from aisha.bootstrap.models import MODELS
from aisha.domain.errors import AishaError
from aisha.observability.metrics import SERVICE, UNITS
from aisha.settings import VARIABLE_NAMES, Settings
from infra.local.server.template import load_template
from tests.fakes.aws.api_gateway import ROOT, function, operations
from tests.support.template import (
    DOCUMENT,
    FUNCTIONS,
    GLOBALS,
    POLICIES,
    QUEUES,
    RESOURCES,
    STREAMING,
    TABLES,
    WITHOUT_ROUTES,
    alternatives,
    as_list,
    folder_of,
    permissions_of,
    policies_of,
    resources_of_type,
    statements,
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


def variables() -> Iterator[tuple[str, str]]:
    for name in GLOBALS["Environment"]["Variables"]:
        yield "every function", name
    for function_name, properties in FUNCTIONS.items():
        for name in properties.get("Environment", {}).get("Variables", {}):
            yield function_name, name


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


# --- permissions


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


# --- queues


@pytest.mark.parametrize("name", [name for name, one in QUEUES.items() if "RedrivePolicy" in one])
def test_a_message_that_fails_five_times_is_a_dead_letter(name: str) -> None:
    queue = QUEUES[name]
    dead = queue["RedrivePolicy"]["deadLetterTargetArn"]["GetAtt"].partition(".")[0]
    assert queue["RedrivePolicy"]["maxReceiveCount"] == 5
    assert QUEUES[dead]["MessageRetentionPeriod"] > queue["MessageRetentionPeriod"]


@pytest.mark.parametrize("name", QUEUES)
def test_queues_are_encrypted(name: str) -> None:
    assert QUEUES[name]["SqsManagedSseEnabled"] is True


def test_a_message_of_a_batch_fails_alone_and_is_invisible_while_in_work() -> None:
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


def test_a_scheduled_event_that_fails_is_a_dead_letter() -> None:
    dead = {"GetAtt": "ScheduleDeadLetters.Arn"}
    scheduled = [
        (properties, event["Properties"])
        for properties in FUNCTIONS.values()
        for event in properties.get("Events", {}).values()
        if event["Type"] == "ScheduleV2"
    ]
    assert scheduled
    for properties, event in scheduled:
        assert event["DeadLetterConfig"] == {"Arn": dead}
        assert properties["EventInvokeConfig"]["DestinationConfig"]["OnFailure"]["Destination"] == dead


def test_the_sweep_has_no_more_workers_than_are_reserved_for_it() -> None:
    worker = FUNCTIONS["SweepWorkerFunction"]
    workers = worker["Events"]["Pages"]["Properties"]["ScalingConfig"]["MaximumConcurrency"]
    assert workers in alternatives(worker["ReservedConcurrentExecutions"])


# --- logs, alarms and the dashboard


def test_every_log_group_forgets() -> None:
    groups = resources_of_type("AWS::Logs::LogGroup")
    assert all(group["RetentionInDays"] == {"Ref": "LogRetentionDays"} for group in groups.values())
    assert GLOBALS["LoggingConfig"]["LogGroup"]["Ref"] in groups
    assert RESOURCES["Api"]["Properties"]["AccessLogSetting"]["DestinationArn"] == {"GetAtt": "AccessLogs.Arn"}


def test_access_logs_are_json_without_what_people_write() -> None:
    text = RESOURCES["Api"]["Properties"]["AccessLogSetting"]["Format"]
    assert {"requestId", "status", "tenant", "milliseconds"} <= json.loads(text).keys()
    assert "querystring" not in text.lower()


ALARMS = resources_of_type("AWS::CloudWatch::Alarm")


@pytest.mark.parametrize("name", ALARMS)
def test_alarms_notify_the_topic_and_ignore_missing_data(name: str) -> None:
    assert ALARMS[name]["TreatMissingData"] == "notBreaching"
    assert alternatives(ALARMS[name]["AlarmActions"][0]) == [{"Ref": "AlarmTopicArn"}]


def measured(value: Any) -> Iterator[tuple[Any, str]]:
    """Yield the metrics of an alarm as pairs of namespace and name."""
    if isinstance(value, Mapping):
        if "MetricName" in value:
            yield value["Namespace"], value["MetricName"]
        for inner in value.values():
            yield from measured(inner)
    if isinstance(value, list):
        for inner in value:
            yield from measured(inner)


def test_alarms_use_existing_metrics() -> None:
    own = {name for alarm in ALARMS.values() for space, name in measured(alarm) if space == {"Ref": "AWS::StackName"}}
    filters = resources_of_type("AWS::Logs::MetricFilter").values()
    from_logs = {log_filter["MetricTransformations"][0]["MetricName"] for log_filter in filters}
    assert own <= set(UNITS) | from_logs
    assert {"AuditEntriesLost", "BudgetRefusals", "RateLimiterUnavailable", "TurnFailures", "TurnLatency"} <= own


def test_alarms_use_own_metrics_of_the_whole_service() -> None:
    metrics = [
        query["MetricStat"]["Metric"] if "MetricStat" in query else query
        for alarm in ALARMS.values()
        for query in [alarm, *alarm.get("Metrics", [])]
    ]
    stack = {"Ref": "AWS::StackName"}
    own = [metric for metric in metrics if metric.get("Namespace") == stack and metric["MetricName"] in UNITS]
    assert own
    assert all(metric["Dimensions"] == [{"Name": "service", "Value": SERVICE}] for metric in own)
    assert GLOBALS["Environment"]["Variables"]["AISHA_METRICS_NAMESPACE"] == {"Ref": "AWS::StackName"}


def test_the_log_line_that_is_counted_is_written() -> None:
    (log_filter,) = resources_of_type("AWS::Logs::MetricFilter").values()
    words = log_filter["FilterPattern"].strip('"')
    assert any(words in path.read_text(encoding="utf-8") for path in (ROOT / "shared").rglob("*.py"))


def test_the_dashboard_shows_existing_metrics() -> None:
    body = RESOURCES["Dashboard"]["Properties"]["DashboardBody"]["Sub"]
    lines = [
        line
        for widget in json.loads(body)["widgets"]
        if widget["type"] == "metric"
        for line in widget["properties"]["metrics"]
    ]
    charted, above = set[str](), [""]
    for line in lines:
        # "..." repeats the line above, "." the part of it in the same place.
        names = [part for part in line if isinstance(part, str)]
        names = (
            above
            if names[:1] == ["..."]
            else [was if name == "." else name for name, was in zip(names, [*above, *names], strict=False)]
        )
        above = names or above
        if names and names[0] == "${AWS::StackName}":
            assert names[2:] == ["service", "aisha"], "each metric is there without its dimensions"
            charted.add(names[1])
    searched = set(re.findall(r'MetricName="(\w+)"', json.dumps(lines).replace('\\"', '"')))
    assert charted | searched <= set(UNITS)
    assert {"TurnLatency", "TimeToFirstToken", "TurnFailures", "Errors", "RateLimited"} <= charted | searched


def test_every_dead_letter_raises_an_alarm() -> None:
    dead = {name for name, one in QUEUES.items() if "RedrivePolicy" not in one}
    assert {name for name in QUEUES if f"{name}.QueueName" in json.dumps(ALARMS["DeadLettersAlarm"])} == dead


def test_the_dashboard_shows_every_alarm() -> None:
    body = RESOURCES["Dashboard"]["Properties"]["DashboardBody"]["Sub"]
    alarms = json.loads(body)["widgets"][0]["properties"]["alarms"]
    assert set(alarms) == {f"${{{name}.Arn}}" for name in ALARMS}


# --- new versions


def test_alarms_move_requests_back_to_the_version_before() -> None:
    alarms = [alarm["Ref"] for alarm in GLOBALS["DeploymentPreference"]["Alarms"]]
    assert GLOBALS["AutoPublishAliasAllProperties"] is True, "the code is in a layer"
    assert alarms
    for name in alarms:
        assert '"Api"' not in json.dumps(ALARMS[name]), "the API refers to the versions"


@pytest.mark.parametrize("name", STREAMING)
def test_web_apps_begin_from_no_snapshot(name: str) -> None:
    assert FUNCTIONS[name]["SnapStart"] == {"ApplyOn": "None"}


@pytest.mark.parametrize("environment", ["default", "dev", "staging", "prod"])
def test_every_deployment_confirms_its_changes(environment: str) -> None:
    config = tomllib.loads((ROOT / "samconfig.toml").read_text(encoding="utf-8"))
    deploy = config[environment]["deploy"]["parameters"]
    assert deploy["confirm_changeset"] is True
    assert deploy["capabilities"] == "CAPABILITY_IAM"
    overrides = {override.partition("=")[0] for override in deploy.get("parameter_overrides", [])}
    assert overrides <= set(DOCUMENT["Parameters"])


# --- pages of other origins

PREFLIGHT = RESOURCES["Api"]["Properties"]["Cors"]


def test_pages_may_send_what_the_functions_read() -> None:
    allowed = PREFLIGHT["AllowHeaders"].strip("'").split(",")
    assert {"authorization", "content-type", "accept", "idempotency-key"} <= set(allowed)
    auth = RESOURCES["Api"]["Properties"]["Auth"]
    assert auth["AddDefaultAuthorizerToCorsPreflight"] is auth["AddApiKeyRequiredToCorsPreflight"] is False


@pytest.mark.parametrize("name", RESOURCES["Api"]["Properties"]["GatewayResponses"])
def test_pages_can_read_the_gateway_s_refusals(name: str) -> None:
    response = RESOURCES["Api"]["Properties"]["GatewayResponses"][name]
    headers = response["ResponseParameters"]["Headers"]
    assert headers["Access-Control-Allow-Origin"] == PREFLIGHT["AllowOrigin"]
    assert headers["x-request-id"] == "context.requestId"
    assert headers["X-Content-Type-Options"] == "'nosniff'"
    assert "x-request-id" in headers["Access-Control-Expose-Headers"]
    assert PREFLIGHT["AllowOrigin"]["If"][0] == "HasOrigins"


def test_no_page_of_just_any_origin_may_use_mcp() -> None:
    origins = FUNCTIONS["McpFunction"]["Environment"]["Variables"]["AISHA_MCP_ORIGINS"]
    assert origins == {"If": ["HasAnyOrigin", "", {"Ref": "AllowedOrigins"}]}
    assert DOCUMENT["Conditions"]["HasAnyOrigin"] == {"Equals": [{"Ref": "AllowedOrigins"}, "*"]}


# --- API Gateway's own answers


def test_a_401_tells_mcp_clients_where_a_token_is_to_be_had() -> None:
    headers = RESOURCES["Api"]["Properties"]["GatewayResponses"]["UNAUTHORIZED"]["ResponseParameters"]["Headers"]
    condition, with_server, otherwise = headers["WWW-Authenticate"]["If"]
    assert condition == "TellsAuthorizationServer"
    assert with_server["Sub"] == f"'Bearer resource_metadata=\"${{PublicUrl}}{METADATA}\"'"
    assert otherwise == "'Bearer'"
    public = {route.resource for route in load_template(ROOT / "template.yaml").routes if not route.authorizer}
    assert METADATA in public


@pytest.mark.parametrize(
    ("name", "good", "bad"),
    [
        (
            "PublicUrl",
            ["", "https://ai.abc.example", "https://x.example/v1"],
            ["http://ai.abc.example", "https://x/", "https://x/'"],
        ),
        ("MoodWebhookUrl", ["", "https://h.example/mood?k=1"], ["h.example/mood", "ftp://h.example"]),
        ("OtlpEndpoint", ["", "http://127.0.0.1:4318"], ["127.0.0.1:4318"]),
        (
            "AllowedOrigins",
            ["", "*", "https://a.example", "https://a.example,https://b.example"],
            ["a.example", "*,*", "https://a.example/x"],
        ),
    ],
)
def test_addresses_are_checked_when_they_are_given(name: str, good: list[str], bad: list[str]) -> None:
    pattern = DOCUMENT["Parameters"][name]["AllowedPattern"]
    assert all(re.fullmatch(pattern, address) for address in good)
    assert not [address for address in bad if re.fullmatch(pattern, address)]


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
    assert body["detail"] == body["error"]["message"] == body["message"]
    assert body["type"] == f"urn:aisha:problem:{body['code']}"
    assert body["code"] in codes(AishaError) | {"rate_limited"}, "only the gateway limits rates"


# --- the web client's files


def test_the_web_client_is_hosted_only_when_asked_for() -> None:
    hosting = {
        name: resource for name, resource in RESOURCES.items() if name.startswith("Web") and name != "WebAclAssociation"
    }
    assert len(hosting) == 6
    assert {resource.get("Condition") for resource in hosting.values()} == {"HostsWeb"}
    assert DOCUMENT["Parameters"]["WebHosting"]["Default"] == "false"


def test_the_bucket_is_private_and_read_by_its_distribution_alone() -> None:
    bucket = RESOURCES["WebBucket"]["Properties"]
    assert all(bucket["PublicAccessBlockConfiguration"].values())
    allowed, denied = RESOURCES["WebBucketPolicy"]["Properties"]["PolicyDocument"]["Statement"]
    assert (allowed["Principal"], allowed["Action"]) == ({"Service": "cloudfront.amazonaws.com"}, "s3:GetObject")
    assert "distribution/${WebDistribution}" in json.dumps(allowed["Condition"])
    assert (denied["Effect"], denied["Condition"]) == ("Deny", {"Bool": {"aws:SecureTransport": "false"}})
    origin = RESOURCES["WebDistribution"]["Properties"]["DistributionConfig"]["Origins"][0]
    assert "WebAccess" in json.dumps(origin["OriginAccessControlId"])


def test_hosted_files_may_be_loaded_by_any_page_and_are_no_page_themselves() -> None:
    headers = RESOURCES["WebHeaders"]["Properties"]["ResponseHeadersPolicyConfig"]
    assert headers["CorsConfig"]["AccessControlAllowOrigins"]["Items"] == ["*"]
    assert headers["CorsConfig"]["AccessControlAllowCredentials"] is False
    security = headers["SecurityHeadersConfig"]
    assert "frame-ancestors 'none'" in security["ContentSecurityPolicy"]["ContentSecurityPolicy"]
    assert security["ContentTypeOptions"]["Override"]
    behavior = RESOURCES["WebDistribution"]["Properties"]["DistributionConfig"]["DefaultCacheBehavior"]
    assert behavior["ViewerProtocolPolicy"] == "redirect-to-https"
