"""What template.yaml says, and what it allows each function."""

import json
from collections.abc import Mapping
from typing import Any

from infra.local.server.template import read_document
from tests.fakes.api_gateway import ROOT

DOCUMENT = read_document(ROOT / "template.yaml")
RESOURCES: dict[str, dict[str, Any]] = DOCUMENT["Resources"]
GLOBALS: dict[str, Any] = DOCUMENT["Globals"]["Function"]
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


STREAMING = [name for name, one in FUNCTIONS.items() if one.get("Handler", "").endswith(".sh")]


def chosen(value: Any) -> list[Any]:
    """What a value may be: the value, or both of what `!If` chooses from; nothing for AWS::NoValue."""
    if isinstance(value, Mapping) and "If" in value:
        return [one for part in value["If"][1:] for one in chosen(part)]
    return [] if value == {"Ref": "AWS::NoValue"} else [value]


def statements(*names: str) -> list[dict[str, Any]]:
    """The statements of these policies, as they are with every condition met."""
    return [
        statement
        for name in names
        for given in POLICIES[name]["PolicyDocument"]["Statement"]
        for statement in chosen(given)
    ]


def granted(name: str) -> list[str]:
    """The policies of a function, by name. Anything but a policy of this template fails here."""
    policies = [policy["Ref"] for given in FUNCTIONS[name].get("Policies", []) for policy in chosen(given)]
    assert set(policies) <= set(POLICIES) - {"FunctionBoundary"}
    return policies


def may(name: str) -> set[tuple[str, str]]:
    """What a function may do to what, as (action, resource)."""
    return {
        (action, json.dumps(resource))
        for statement in statements(*granted(name))
        for action in listed(statement["Action"])
        for given in listed(statement["Resource"])
        for resource in chosen(given)
    }


def listed(value: Any) -> list[Any]:
    return value if isinstance(value, list) else [value]
