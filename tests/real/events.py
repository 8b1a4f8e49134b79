"""Events of events/*.json, as they are and changed into other requests."""

import copy
import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any
from urllib.parse import quote

EVENTS = Path(__file__).parents[2] / "events"


def event(name: str) -> dict[str, Any]:
    """Return the event of a function as its file has it."""
    content: dict[str, Any] = json.loads((EVENTS / f"{name}.json").read_text(encoding="utf-8"))
    return content


def request(
    name: str,
    method: str,
    resource: str,
    parameters: Mapping[str, str] | None = None,
    *,
    body: Any = None,
    authorizer: Mapping[str, Any] | None = None,
) -> dict[str, Any]:
    """Return a function's event for another operation of it, or for another caller."""
    changed = copy.deepcopy(event(name))
    path = resource
    for key, value in (parameters or {}).items():
        path = path.replace(f"{{{key}}}", quote(value, safe=""))
    changed |= {
        "resource": resource,
        "path": path,
        "httpMethod": method,
        "pathParameters": dict(parameters) if parameters else None,
        "queryStringParameters": None,
        "multiValueQueryStringParameters": None,
        "body": None if body is None else json.dumps(body),
    }
    changed["requestContext"] |= {"httpMethod": method, "path": f"/v1{path}", "resourcePath": resource}
    if authorizer is not None:
        changed["requestContext"]["authorizer"] = dict(authorizer)
    return changed


def chat_event(message: str, **members: Any) -> dict[str, Any]:
    """Return the event of a turn by the demo user."""
    return request("chat", "POST", "/api/ai/chat", body={"message": message, **members})
