"""The one place that knows every tool: finds them, shows them, makes calls of them."""

import importlib
import inspect
import json
import pkgutil
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from pathlib import Path
from types import ModuleType
from typing import Any

from pydantic import ValidationError
from pydantic_core import from_json, to_jsonable_python

from aisha.application.redaction.masking import masked_in
from aisha.application.requests.validation import argument_error, field_errors
from aisha.application.tooling.context import ToolContext
from aisha.application.tooling.decorators import TOOL_MARK, TOOLKIT_MARK, ToolkitMark, ToolMark
from aisha.application.tooling.definition import Tool
from aisha.application.tooling.execution import execute_gated
from aisha.application.tooling.policy import Verdict, denied, is_open
from aisha.application.tooling.published import PublishedTool, read_index
from aisha.application.tooling.receipts import keep_receipts
from aisha.application.tooling.schemas import (
    arguments_model,
    context_parameter,
    description_of,
    parameters_schema,
    result_schema,
    returns_schema,
    sent_schema,
)
from aisha.domain.errors import AishaError, InvalidInputError, MalformedRequestError, NotFoundError
from aisha.domain.principal import Principal
from aisha.domain.tools import FOREIGN, Client, ToolCall, ToolResult, ToolSpec, ToolStatus

MOST_CHARACTERS = 100_000
"""Of one call's arguments: 50 activities with long texts fit, and what the conversation keeps of a round fits its item."""
ASSETS = Path(__file__).parents[2] / "assets"
SCHEMA_FOLDER = ASSETS / "tool_schemas"
INDEX_FILE = ASSETS / "tool_index.json"
"""Only in the built layer, where no tool can change any more."""


AnyTool = Tool | PublishedTool


class ToolRegistry:
    """All tools by name; one serves every tenant and thread. It never loses one.

    `arrivals` gives further tools that came since it was last asked, such as those of another system that was away; one
    whose name is taken is dropped.
    """

    def __init__(self, tools: Iterable[AnyTool], arrivals: Callable[[], Sequence[Tool]] = tuple) -> None:
        self._found: dict[str, AnyTool] = {}
        self._instances: dict[type, Any] = {}
        self._arrivals = arrivals
        for item in tools:
            if (known := self._found.get(item.spec.name)) is not None:
                raise TypeError(f"two tools are called {item.spec.name!r}: {known.function!r} and {item.function!r}")
            self._found[item.spec.name] = item
        self._found_specs = tuple(item.spec for item in self._found.values())

    @property
    def _tools(self) -> dict[str, AnyTool]:
        if arrived := self._arrivals():
            # A new one, for another thread may be going through the old one.
            self._found = self._found | {one.spec.name: one for one in arrived if one.spec.name not in self._found}
            self._found_specs = tuple(item.spec for item in self._found.values())
        return self._found

    @property
    def _specs(self) -> tuple[ToolSpec, ...]:
        return self._found_specs if self._tools else ()

    def with_tools(self, tools: Iterable[AnyTool]) -> "ToolRegistry":
        """A registry of these tools and further ones. Raises TypeError when two have one name."""
        return ToolRegistry([*self._found.values(), *tools], self._arrivals)

    def with_arrivals(self, arrivals: Callable[[], Sequence[Tool]]) -> "ToolRegistry":
        """A registry of these tools and of those that `arrivals` gives, now or later, in place of earlier arrivals."""
        return ToolRegistry(self._found.values(), arrivals)

    def specs(self) -> tuple[ToolSpec, ...]:
        """Every tool's spec, in the order of discovery."""
        return self._specs

    def spec(self, name: str) -> ToolSpec | None:
        """The spec by name, or None."""
        return item.spec if (item := self._tools.get(name)) else None

    def get_tool(self, name: str) -> Callable[..., Any] | None:
        """The tool's own function (bound, for a method of a toolkit), or None."""
        return self._bound(item) if (item := self._tools.get(name)) else None

    def permitted(self, principal: Principal, rules: Mapping[str, Verdict] | None = None) -> tuple[ToolSpec, ...]:
        """What this user may use through this door and by the tenant's rules: what a denial would meet is left out."""
        return tuple(spec for spec in self._specs if is_open(principal, spec, rules))

    def get_always_tools(self, client: Client) -> tuple[ToolSpec, ...]:
        """The tools sent to the model at every turn."""
        return tuple(spec for spec in self._specs if spec.always and client in spec.clients)

    def get_routed_tools_catalog(self) -> dict[str, str]:
        """The other tools, each with the first line of its description: what a router chooses from."""
        return {spec.name: spec.description.splitlines()[0] for spec in self._specs if not spec.always}

    def get_openai_tools(self, client: Client) -> list[dict[str, Any]]:
        """Function declarations of all tools of this client."""
        return [openai_function(spec) for spec in self._specs if client in spec.clients]

    def get_openai_tools_by_names(self, names: Sequence[str], client: Client) -> list[dict[str, Any]]:
        """Function declarations of those named; unknown names and other clients' tools are left out."""
        return [
            openai_function(item.spec)
            for name in names
            if (item := self._tools.get(name)) and client in item.spec.clients
        ]

    def get_mcp_tools(self, client: Client) -> list[dict[str, Any]]:
        """The tools of this client in MCP's shape."""
        return [mcp_tool(spec) for spec in self._specs if client in spec.clients]

    def create_call(
        self, name: str, raw_json: str | Mapping[str, Any], context: ToolContext, call_id: str = ""
    ) -> ToolCall:
        """Parses, validates and converts; runs nothing.

        Bad input raises nothing: the call comes back with its result already `not_found` or `failed` and the error in
        it, for the model to read; so does, `rejected`, what this user may not use through this door at all. Neither can be
        executed. What becomes of it is audited.
        """
        call = self._parsed_call(name, raw_json, context, call_id)
        call.sensitive = context.ports.sensitive
        call.masks_contacts = context.ports.masks_contacts(context.principal.tenant)
        _check(call, context.principal)
        if context.audit is not None:
            context.audit.follow(call)
        return call

    def _parsed_call(
        self, name: str, raw_json: str | Mapping[str, Any], context: ToolContext, call_id: str
    ) -> ToolCall:
        item = self._tools.get(name)
        if item is None:
            error = NotFoundError(
                f"There is no tool {name!r}", tool=name, suggestion="Use one of the tools you were given."
            )
            call = ToolCall(call_id, name, {}, None)
            call.fail(error)
            call.result.status = ToolStatus.NOT_FOUND
            return call
        call = ToolCall(call_id, name, {}, item.spec)
        try:
            call.arguments = _parse(raw_json)
            call.spec = item.spec.for_call(call.arguments)
            run = self._runner(item, _convert(item, call.arguments, context), context)
            call.bind(run, context.logs)
        except AishaError as error:
            call.fail(error)
        return call

    def call_tool(self, name: str, params: str | Mapping[str, Any], context: ToolContext) -> ToolResult:
        """Makes and runs a call that the gate allows at once; what it denies or asks about comes back `rejected`."""
        call = self.create_call(name, params, context)
        return execute_gated(call, context.principal)

    def _runner(self, item: AnyTool, converted: dict[str, Any], context: ToolContext) -> Callable[[], Any]:
        if (parameter := context_parameter(item.function)) is not None:
            converted[parameter] = context
        bound = self._bound(item)

        def run() -> Any:
            value = to_jsonable_python(bound(**converted), exclude_none=True)
            keep_receipts(context, item.spec, value)
            return value

        return run

    def _bound(self, item: AnyTool) -> Callable[..., Any]:
        if item.owner is None:
            return item.function
        instance = self._instances.get(item.owner) or self._instances.setdefault(item.owner, item.owner())
        return item.function.__get__(instance)  # type: ignore[no-any-return]


def _check(call: ToolCall, principal: Principal) -> None:
    """Ends a call of what is closed to the user, whatever it asks for, and one that goes by a masked address."""
    if call.spec is None:
        return
    if (error := denied(principal, call.spec)) is not None:
        call.result = ToolResult(logs=call.result.logs)
        call.reject(error.message, error)
    elif call.masks_contacts and call.result.status is ToolStatus.PENDING and (hidden := masked_in(call.arguments)):
        call.fail(
            InvalidInputError(
                f"{hidden.strip()} is masked here: it is no address or number that can be used",
                suggestion="Leave it out, or give the id of the record: what is stored there is used.",
            )
        )


def _parse(raw_json: str | Mapping[str, Any]) -> dict[str, Any]:
    if not isinstance(raw_json, str):
        return {key: value for key, value in raw_json.items() if value is not None}
    if len(raw_json) > MOST_CHARACTERS:
        raise InvalidInputError(
            f"The arguments have {len(raw_json)} characters, at most {MOST_CHARACTERS} are read",
            suggestion="Ask for less at once.",
        )
    try:
        parsed = from_json(raw_json or "{}", allow_inf_nan=False)  # refuses what is nested more than 200 deep
    except ValueError as error:
        raise MalformedRequestError(
            f"The arguments are not JSON: {error}", suggestion="Send one JSON object."
        ) from None
    if not isinstance(parsed, dict):
        raise InvalidInputError("The arguments must be one JSON object", suggestion='For example {"limit": 5}.')
    return {key: value for key, value in parsed.items() if value is not None}


def _convert(item: AnyTool, arguments: dict[str, Any], context: ToolContext) -> dict[str, Any]:
    if item.convert is not None:
        return item.convert(arguments, context)
    model = arguments_model(item.function)
    try:
        validated = model.model_validate(arguments, context={"now": context.now})
    except ValidationError as error:
        raise argument_error(field_errors(error)[0], model.model_fields) from None
    return {name: getattr(validated, name) for name in model.model_fields}


def openai_function(spec: ToolSpec) -> dict[str, Any]:
    """The spec as an OpenAI function declaration."""
    function = {"name": spec.name, "description": spec.description, "parameters": sent_schema(spec.parameters)}
    return {"type": "function", "function": function}


def mcp_tool(spec: ToolSpec) -> dict[str, Any]:
    """The spec as an MCP tool. What can't be taken back is called destructive: a changed record can be (`undo_last`)."""
    title = spec.name.replace("_", " ").capitalize()
    hints = {
        "title": title,
        "readOnlyHint": spec.access == "read",
        "destructiveHint": spec.access in ("delete", "external"),
        "idempotentHint": spec.access in ("read", "delete"),
        "openWorldHint": spec.access == "external" or spec.toolkit in FOREIGN,
    }
    tool = {"name": spec.name, "title": title, "description": spec.description, "inputSchema": spec.parameters}
    schema = result_schema(spec.returns)
    return tool | ({"outputSchema": schema} if schema.get("type") == "object" else {}) | {"annotations": hints}


def discover(package: ModuleType | str, schemas: Path | None = SCHEMA_FOLDER) -> ToolRegistry:
    """Imports every module of the package and registers what is marked in it, by module and name.

    `schemas` is the folder of published schemas, read instead of computed; a tool without a file there (a new one) is
    computed. None computes all. Where the built layer has an index of the published tools, a module is imported when one
    of its tools is first called.
    """
    root = importlib.import_module(package) if isinstance(package, str) else package
    if schemas == SCHEMA_FOLDER and root.__name__ == "aisha.tools" and (indexed := read_index(INDEX_FILE)):
        return ToolRegistry(
            PublishedTool(spec, partial(_imported, f"{root.__name__}.{module}", spec.name)) for module, spec in indexed
        )
    tools: list[Tool] = []
    for info in sorted(pkgutil.iter_modules(root.__path__), key=lambda info: info.name):
        module = importlib.import_module(f"{root.__name__}.{info.name}")
        tools.extend(sorted(tools_of(module, schemas), key=lambda item: item.spec.name))
    return ToolRegistry(tools)


def _imported(module: str, name: str) -> Tool:
    return next(item for item in tools_of(importlib.import_module(module)) if item.spec.name == name)


def tools_of(module: ModuleType, schemas: Path | None = SCHEMA_FOLDER) -> list[Tool]:
    """The tools that a module defines, in the order they stand in it."""
    found: list[Tool] = []
    for value in vars(module).values():
        if getattr(value, "__module__", None) != module.__name__:
            continue
        if isinstance(mark := getattr(value, TOOLKIT_MARK, None), ToolkitMark) and inspect.isclass(value):
            methods = (member for member in vars(value).values() if hasattr(member, TOOL_MARK))
            found.extend(_make(method, mark, value, schemas) for method in methods)
        elif hasattr(value, TOOL_MARK):
            stem = module.__name__.rsplit(".", 1)[-1]
            found.append(_make(value, ToolkitMark(stem, module.__doc__ or stem, None), None, schemas))
    return found


def _make(function: Callable[..., Any], kit: ToolkitMark, owner: type | None, schemas: Path | None) -> Tool:
    mark: ToolMark = getattr(function, TOOL_MARK)
    name = mark.name or function.__name__
    published = _published(name, schemas)
    confirmation = mark.confirmation or ("destructive" if mark.access in ("delete", "external") else "none")
    spec = ToolSpec(
        name=name,
        description=description_of(function, mark.description),
        parameters=published["parameters"] if published else parameters_schema(function),
        returns=published["returns"] if published else returns_schema(function),
        toolkit=kit.name,
        access=mark.access,
        confirmation=confirmation,
        module=mark.module or kit.module,
        role=mark.role,
        always=mark.always,
        persistent=mark.persistent,
        clients=mark.clients,
        guidance=mark.guidance,
        typical_followups=mark.typical_followups,
        examples=mark.examples,
        read_actions=mark.read_actions,
    )
    return Tool(spec, function, owner)


def _published(name: str, schemas: Path | None) -> dict[str, Any] | None:
    if schemas is None or not (path := schemas / f"{name}.json").is_file():
        return None
    return dict(json.loads(path.read_text(encoding="utf-8")))
