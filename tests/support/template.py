"""The content of template.yaml, and the permissions of each function."""

import json
from collections.abc import Iterator, Mapping
from typing import Any

from infra.local.server.template import read_document
from tests.fakes.aws.api_gateway import ROOT

DOCUMENT = read_document(ROOT / "template.yaml")
RESOURCES: dict[str, dict[str, Any]] = DOCUMENT["Resources"]
GLOBALS: dict[str, Any] = DOCUMENT["Globals"]["Function"]
WITHOUT_ROUTES = {"authorizer", "ingest", "sweep_dispatcher", "sweep_worker"}
"""Functions that have no route in API Gateway."""


def resources_of_type(kind: str) -> dict[str, dict[str, Any]]:
    """Return the properties of the resources of a type, by name."""
    return {name: resource["Properties"] for name, resource in RESOURCES.items() if resource["Type"] == kind}


FUNCTIONS = resources_of_type("AWS::Serverless::Function")
TABLES = resources_of_type("AWS::DynamoDB::Table")
POLICIES = resources_of_type("AWS::IAM::ManagedPolicy")
QUEUES = resources_of_type("AWS::SQS::Queue")


def folder_of(properties: Mapping[str, Any]) -> str:
    return str(properties["CodeUri"]).strip("/").rpartition("/")[2]


STREAMING = [name for name, properties in FUNCTIONS.items() if properties.get("Handler", "").endswith(".sh")]


def alternatives(value: Any) -> list[Any]:
    """Return the possible values: both branches of an `!If`, else the value itself; none for AWS::NoValue."""
    if isinstance(value, Mapping) and "If" in value:
        return [choice for branch in value["If"][1:] for choice in alternatives(branch)]
    return [] if value == {"Ref": "AWS::NoValue"} else [value]


def statements(*names: str) -> list[dict[str, Any]]:
    """Return the statements of these policies in all branches of their conditions."""
    return [
        statement
        for name in names
        for entry in POLICIES[name]["PolicyDocument"]["Statement"]
        for statement in alternatives(entry)
    ]


def policies_of(name: str) -> list[str]:
    """Return the names of a function's policies, which must all be policies of this template."""
    policies = [policy["Ref"] for entry in FUNCTIONS[name].get("Policies", []) for policy in alternatives(entry)]
    assert set(policies) <= set(POLICIES) - {"FunctionBoundary"}
    return policies


def permissions_of(name: str) -> set[tuple[str, str]]:
    """Return the permissions of a function as (action, resource), the resource as JSON text."""
    return {
        (action, json.dumps(resource))
        for statement in statements(*policies_of(name))
        for action in as_list(statement["Action"])
        for entry in as_list(statement["Resource"])
        for resource in alternatives(entry)
    }


def as_list(value: Any) -> list[Any]:
    return value if isinstance(value, list) else [value]


def variables() -> Iterator[tuple[str, str]]:
    """Yield each function's name, or "every function", with the name of one of its environment variables."""
    for name in GLOBALS["Environment"]["Variables"]:
        yield "every function", name
    for function_name, properties in FUNCTIONS.items():
        for name in properties.get("Environment", {}).get("Variables", {}):
            yield function_name, name
