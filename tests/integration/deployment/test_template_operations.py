"""The SAM template's queues, logs, alarms, dashboard and deployments agree with the code."""

import json
import re
import tomllib
from collections.abc import Iterator, Mapping
from typing import Any

import pytest

from aisha.observability.metrics import SERVICE, UNITS
from tests.fakes.aws.api_gateway import ROOT
from tests.support.template import (
    DOCUMENT,
    FUNCTIONS,
    GLOBALS,
    QUEUES,
    RESOURCES,
    STREAMING,
    alternatives,
    resources_of_type,
)

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
