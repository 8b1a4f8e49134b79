"""Read template.yaml for the local gateway: routes, their authorizers and functions, and gateway responses."""

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import unquote

import yaml

from infra.local.errors import TemplateError

# E.g. `{id}`, or `{proxy+}`, which also takes the slashes of the rest of a path.
_PARAMETER = re.compile(r"\{(\w+)(\+?)\}")


class _Loader(yaml.CSafeLoader):
    """A YAML loader with CloudFormation's tags; `!Ref X` becomes {"Ref": "X"}, `!Sub x` {"Sub": "x"} and so on."""


def _intrinsic(loader: yaml.CSafeLoader, suffix: str, node: yaml.Node) -> dict[str, Any]:
    if isinstance(node, yaml.ScalarNode):
        return {suffix: loader.construct_scalar(node)}
    if isinstance(node, yaml.SequenceNode):
        return {suffix: loader.construct_sequence(node, deep=True)}
    assert isinstance(node, yaml.MappingNode)
    return {suffix: loader.construct_mapping(node, deep=True)}


# CloudFormation's tags are no YAML that a safe loader knows.
_Loader.add_multi_constructor("!", _intrinsic)


@dataclass(frozen=True, slots=True)
class FunctionConfig:
    """A Lambda function. `folder` has its handler.py; `is_asgi` if it runs its own web server."""

    name: str
    folder: Path
    timeout: int
    memory: int
    is_asgi: bool


@dataclass(frozen=True, slots=True)
class Route:
    """One method of one resource, e.g. GET /api/crm/{type}. `authorizer` is None for a public one."""

    method: str
    resource: str
    function: FunctionConfig
    authorizer: FunctionConfig | None

    def match(self, path: str) -> dict[str, str] | None:
        """Return the decoded parameters of a path of this resource, None for other paths."""
        match = re.fullmatch(_PARAMETER.sub(_group, self.resource), path.rstrip("/") or "/")
        return {name: unquote(value) for name, value in match.groupdict().items()} if match else None

    @property
    def specificity(self) -> tuple[int, int]:
        """The precedence: routes with fewer parameters first, greedy ones last."""
        return ("+}" in self.resource, len(_PARAMETER.findall(self.resource)))


def _group(match: re.Match[str]) -> str:
    return f"(?P<{match[1]}>{'.+' if match[2] else '[^/]+'})"


@dataclass(frozen=True, slots=True)
class GatewayResponse:
    """A gateway response. `status` is None where the refusal's own status applies."""

    status: int | None
    headers: Mapping[str, str]
    body: str

    def render(self, request_id: str, message: str) -> str:
        """Return the body; `message` is API Gateway's text, which the template may quote."""
        text = self.body.replace("$context.error.messageString", json.dumps(message))
        return text.replace("$context.requestId", request_id)

    def headers_for(self, request_id: str) -> dict[str, str]:
        return {name: request_id if value == "context.requestId" else value for name, value in self.headers.items()}


@dataclass(frozen=True, slots=True)
class ApiTemplate:
    """The API of a template. `responses` are by API Gateway's name of the refusal, e.g. ACCESS_DENIED.

    `preflight` are the headers of the answer to a page's question whether it may call, without origin and methods.
    """

    routes: tuple[Route, ...]
    responses: Mapping[str, GatewayResponse]
    preflight: Mapping[str, str]

    def find(self, method: str, path: str) -> tuple[Route, dict[str, str]] | None:
        """Return the route of a request and its parameters, or None."""
        for route in self._routes_of(path):
            if route.method in (method, "ANY") and (parameters := route.match(path)) is not None:
                return route, parameters
        return None

    def methods(self, path: str) -> tuple[str, ...]:
        """Return the methods of this path, sorted; empty for an unknown path."""
        return tuple(sorted({route.method for route in self._routes_of(path)}))

    def _routes_of(self, path: str) -> list[Route]:
        """Return the routes of the most specific resource. As in API Gateway, no other has methods it lacks."""
        matching = [route for route in self.routes if route.match(path) is not None]
        return [route for route in matching if route.resource == matching[0].resource]

    def refusal(self, name: str, status: int) -> GatewayResponse:
        """Return the response of that name, or the one for its class of statuses."""
        default = "DEFAULT_4XX" if status < 500 else "DEFAULT_5XX"
        return self.responses.get(name) or self.responses.get(default) or GatewayResponse(None, {}, "{}")


def read_document(path: Path) -> dict[str, Any]:
    """Return a template as parsed, with the tags as `_Loader` converts them. Raises `OSError`."""
    document: dict[str, Any] = yaml.load(path.read_text(encoding="utf-8"), _Loader)  # nosec B506 - a safe loader
    return document


def load_template(path: Path) -> ApiTemplate:
    """Read a SAM template. Raises `TemplateError`, `OSError`."""
    document = read_document(path)
    resources: Mapping[str, Any] = document.get("Resources", {})
    defaults: Mapping[str, Any] = document.get("Globals", {}).get("Function", {})
    functions = {
        name: _function(name, {**defaults, **resource["Properties"]}, path.parent)
        for name, resource in resources.items()
        if resource["Type"] == "AWS::Serverless::Function"
    }
    routes = [
        Route(
            method=event["Method"].upper(),
            resource=event["Path"],
            function=functions[name],
            authorizer=_authorizer(event, resources, functions),
        )
        for name in functions
        for event in _api_events(resources[name])
    ]
    responses = {
        name: _response(response)
        for resource in resources.values()
        if resource["Type"] == "AWS::Serverless::Api"
        for name, response in resource["Properties"].get("GatewayResponses", {}).items()
    }
    apis = [resource["Properties"] for resource in resources.values() if resource["Type"] == "AWS::Serverless::Api"]
    cors: Mapping[str, Any] = next((api["Cors"] for api in apis if "Cors" in api), {})
    names = {"AllowHeaders": "access-control-allow-headers", "MaxAge": "access-control-max-age"}
    preflight = {header: str(cors[name]).strip("'") for name, header in names.items() if name in cors}
    return ApiTemplate(tuple(sorted(routes, key=lambda route: route.specificity)), responses, preflight)


def _response(properties: Mapping[str, Any]) -> GatewayResponse:
    headers = properties.get("ResponseParameters", {}).get("Headers", {})
    return GatewayResponse(
        status=properties.get("StatusCode"),
        headers={name.lower(): text.strip("'") for name, value in headers.items() if (text := _by_default(value))},
        body=next(iter(properties.get("ResponseTemplates", {}).values()), "{}"),
    )


def _by_default(value: Any) -> str | None:
    """Return a text with the parameters' defaults, or None when it has no value then."""
    # `!If [condition, then, else]`: every condition is false by default.
    while isinstance(value, Mapping) and "If" in value:
        value = value["If"][2]
    return value if isinstance(value, str) else None


def _function(name: str, properties: Mapping[str, Any], root: Path) -> FunctionConfig:
    handler = str(properties["Handler"])
    return FunctionConfig(
        name=name,
        folder=(root / properties["CodeUri"]).resolve(),
        timeout=int(properties.get("Timeout", 3)),
        memory=int(properties.get("MemorySize", 128)),
        is_asgi=handler.endswith(".sh"),
    )


def _api_events(resource: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    events = resource["Properties"].get("Events", {}).values()
    return [event["Properties"] for event in events if event["Type"] == "Api"]


def _authorizer(
    event: Mapping[str, Any], resources: Mapping[str, Any], functions: Mapping[str, FunctionConfig]
) -> FunctionConfig | None:
    api = event.get("RestApiId", {}).get("Ref")
    if api not in resources:
        raise TemplateError(f"{event['Path']}: RestApiId must be !Ref of an API of this template")
    auth = resources[api]["Properties"].get("Auth", {})
    name = event.get("Auth", {}).get("Authorizer", auth.get("DefaultAuthorizer"))
    if name in (None, "NONE"):
        return None
    arn = auth["Authorizers"][name]["FunctionArn"]
    target = arn.get("GetAtt") or arn.get("Ref", "")
    function = functions.get(str(target).partition(".")[0])
    if function is None:
        raise TemplateError(f"{event['Path']}: the authorizer {name} is no function of this template")
    return function
