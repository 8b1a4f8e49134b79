"""The registry of all tools, which creates their calls."""

from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from typing import Any

from msgspec.structs import replace
from pydantic import ValidationError
from pydantic_core import to_jsonable_python

from aisha.application.redaction.masking import masked_in
from aisha.application.requests.validation import argument_error, field_errors
from aisha.application.tooling.arguments.choices import TEAM_VALUES, with_team_values
from aisha.application.tooling.arguments.custom_arguments import split_arguments, with_custom_fields
from aisha.application.tooling.arguments.schemas import arguments_model, context_parameter
from aisha.application.tooling.context import ToolContext
from aisha.application.tooling.decorators import TOOL_MARK, Check, ToolMark
from aisha.application.tooling.definition import Tool, source_of
from aisha.application.tooling.formats import mcp_tool, openai_function
from aisha.application.tooling.gate.execution import execute_gated
from aisha.application.tooling.gate.policy import Verdict, denied, is_open, missing_port
from aisha.application.tooling.gate.receipts import keep_receipts
from aisha.application.tooling.published import PublishedTool
from aisha.domain.crm.custom_fields import CustomFields
from aisha.domain.crm.team_values import TeamValues
from aisha.domain.errors import AishaError, InvalidInputError, MalformedRequestError, NotFoundError
from aisha.domain.json_values import finite_json
from aisha.domain.principal import Principal
from aisha.domain.tools import Client, ToolCall, ToolResult, ToolSpec, ToolStatus

MAX_ARGUMENTS_LENGTH = 100_000
"""Characters of one call's arguments: 50 activities with long texts fit, and a round fits its DynamoDB item."""
MAX_CACHED_USERS = 256
"""Kinds of users, by door, modules, roles and rules, whose tools are kept."""
AnyTool = Tool | PublishedTool


class ToolRegistry:
    """All tools by name, shared by all tenants and threads. A tool is never removed.

    `arrivals` returns the tools that were added since its last call, such as those of an MCP server that did not answer
    before; one whose name is taken is dropped.
    """

    def __init__(self, tools: Iterable[AnyTool], arrivals: Callable[[], Sequence[Tool]] = tuple) -> None:
        self._by_name: dict[str, AnyTool] = {}
        self._instances: dict[type, Any] = {}
        self._open: dict[Hashable, tuple[tuple[ToolSpec, ...], tuple[ToolSpec, ...]]] = {}
        self._arrivals = arrivals
        for item in tools:
            if (other := self._by_name.get(item.spec.name)) is not None:
                places = " and ".join(source_of(each.function) for each in (other, item))
                raise TypeError(f"two tools are called {item.spec.name!r}, in {places}")
            self._by_name[item.spec.name] = item
        self._all_specs = tuple(item.spec for item in self._by_name.values())

    @property
    def _tools(self) -> dict[str, AnyTool]:
        if arrived := self._arrivals():
            # A new dict, because another thread may be iterating over the old one.
            self._by_name = self._by_name | {
                item.spec.name: item for item in arrived if item.spec.name not in self._by_name
            }
            self._all_specs = tuple(item.spec for item in self._by_name.values())
        return self._by_name

    @property
    def _specs(self) -> tuple[ToolSpec, ...]:
        # `_tools` is read first: it takes in new arrivals and replaces `_all_specs`.
        return self._all_specs if self._tools else ()

    def with_tools(self, tools: Iterable[AnyTool]) -> "ToolRegistry":
        """Return a registry of these tools and further ones. Raises TypeError when two have the same name."""
        return ToolRegistry([*self._by_name.values(), *tools], self._arrivals)

    def with_arrivals(self, arrivals: Callable[[], Sequence[Tool]]) -> "ToolRegistry":
        """Return a registry of these tools with another source of arrivals."""
        return ToolRegistry(self._by_name.values(), arrivals)

    def specs(self) -> tuple[ToolSpec, ...]:
        """Return all specs in the order of discovery."""
        return self._specs

    def spec(self, name: str) -> ToolSpec | None:
        """Return the spec by name, or None."""
        return item.spec if (item := self._tools.get(name)) else None

    def spec_for(self, name: str, arguments: Mapping[str, Any]) -> ToolSpec | None:
        """Return the spec that applies to a call with these arguments, or None for an unknown tool."""
        return spec.for_call(arguments) if (spec := self.spec(name)) else None

    def get_tool(self, name: str) -> Callable[..., Any] | None:
        """Return the tool's function (bound, for a method of a toolkit), or None."""
        return self._bound(item) if (item := self._tools.get(name)) else None

    def permitted(
        self,
        principal: Principal,
        rules: Mapping[str, Verdict] | None = None,
        team_values: TeamValues | None = None,
        custom_fields: CustomFields | None = None,
    ) -> tuple[ToolSpec, ...]:
        """Return the specs that the user may use through this door and by the tenant's rules, with its own terms."""
        specs = self._open_to(principal, rules)
        if not (team_values or custom_fields):
            return specs
        return tuple(_for_tenant(spec, team_values or {}, custom_fields or {}) for spec in specs)

    def _open_to(self, principal: Principal, rules: Mapping[str, Verdict] | None) -> tuple[ToolSpec, ...]:
        specs = self._specs
        # Most users of a tenant have the same rights, so a few entries serve all of them.
        key = (principal.door, principal.modules, principal.roles, frozenset((rules or {}).items()))
        cached = self._open.get(key)
        if cached is None or cached[0] is not specs:
            if len(self._open) >= MAX_CACHED_USERS:
                self._open.clear()
            cached = self._open[key] = specs, tuple(spec for spec in specs if is_open(principal, spec, rules))
        return cached[1]

    def get_always_tools(self, client: Client) -> tuple[ToolSpec, ...]:
        """Return the tools that are sent to the model in each turn."""
        return tuple(spec for spec in self._specs if spec.always and client in spec.clients)

    def get_routed_tools_catalog(self) -> dict[str, str]:
        """Return the other tools, by name the first line of the description, for a router to choose from."""
        return {spec.name: spec.description.splitlines()[0] for spec in self._specs if not spec.always}

    def get_openai_tools(self, client: Client) -> list[dict[str, Any]]:
        """Return the function declarations of the client's tools."""
        return [openai_function(spec) for spec in self._specs if client in spec.clients]

    def get_openai_tools_by_names(self, names: Sequence[str], client: Client) -> list[dict[str, Any]]:
        """Return the function declarations of the named tools, without unknown ones and those of other clients."""
        return [
            openai_function(item.spec)
            for name in names
            if (item := self._tools.get(name)) and client in item.spec.clients
        ]

    def get_mcp_tools(self, client: Client) -> list[dict[str, Any]]:
        """Return the client's tools in the format of MCP."""
        return [mcp_tool(spec) for spec in self._specs if client in spec.clients]

    def create_call(
        self, name: str, raw_json: str | Mapping[str, Any], context: ToolContext, call_id: str = ""
    ) -> ToolCall:
        """Parse, validate and convert a call without running it.

        Invalid input raises no error: the call's result is `not_found` or `failed`, with the error for the model. The
        result is `rejected` for a tool that the user may not use through this door. Such calls can't be executed. The
        outcome of the call is audited.
        """
        call = self._parsed_call(name, raw_json, context, call_id)
        call.sensitive = context.ports.sensitive
        call.masks_contacts = context.ports.masks_contacts(context.principal.tenant)
        _check(call, context)
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
        spec = _for_tenant(item.spec, context.team_values, context.custom_fields)
        call = ToolCall(call_id, name, {}, spec)
        try:
            call.arguments = _parse(raw_json)
            call.spec = spec.for_call(call.arguments)
            converted = _convert(item, spec, call.arguments, context)
            # Before a question is asked: nobody should confirm what can't succeed.
            if (check := _check_of(item.function)) is not None:
                check(context, converted)
            # Last: only a call that passed every check can be executed.
            call.bind(self._runner(item, converted, context), context.logs)
        except AishaError as error:
            call.fail(error)
        return call

    def call_tool(self, name: str, params: str | Mapping[str, Any], context: ToolContext) -> ToolResult:
        """Create a call and run it if the gate allows it; one that it denies or asks about is `rejected`."""
        call = self.create_call(name, params, context)
        return execute_gated(call, context.principal)

    def _runner(self, item: AnyTool, converted: dict[str, Any], context: ToolContext) -> Callable[[], Any]:
        if (parameter := context_parameter(item.function)) is not None:
            converted[parameter] = replace(context, registry=self)
        bound = self._bound(item)

        def run() -> Any:
            # Converted before the receipts are stored, since these are read from the JSON result.
            value = to_jsonable_python(bound(**converted), exclude_none=True)
            keep_receipts(context, item.spec, value)
            return value

        return run

    def _bound(self, item: AnyTool) -> Callable[..., Any]:
        if item.owner is None:
            return item.function
        # Two threads may both create an instance; `setdefault` lets both use the same one.
        instance = self._instances.get(item.owner) or self._instances.setdefault(item.owner, item.owner())
        return item.function.__get__(instance)  # type: ignore[no-any-return]


def _check_of(function: Callable[..., Any]) -> Check | None:
    mark = getattr(function, TOOL_MARK, None)
    return mark.check if isinstance(mark, ToolMark) else None


def _check(call: ToolCall, context: ToolContext) -> None:
    """Reject a call of a tool that the user may not use; fail one that can't run here or has a masked address."""
    if call.spec is None:
        return
    if (error := denied(context.principal, call.spec)) is not None:
        # A fresh result, since a call that failed at its validation cannot be rejected any more. Permission comes
        # first: a user without it learns nothing about the arguments.
        call.result = ToolResult(logs=call.result.logs)
        call.reject(error.message, error)
    elif call.result.status is ToolStatus.PENDING and (unset := missing_port(call.spec, context.ports)) is not None:
        call.fail(unset)
    elif call.masks_contacts and call.result.status is ToolStatus.PENDING and (masked := masked_in(call.arguments)):
        call.fail(
            InvalidInputError(
                f"{masked.strip()} is masked here: it is no address or number that can be used",
                suggestion="Leave it out, or give the id of the record: what is stored there is used.",
            )
        )


def _parse(raw_json: str | Mapping[str, Any]) -> dict[str, Any]:
    if not isinstance(raw_json, str):
        # Models send null for an optional argument that they leave out.
        return {key: value for key, value in raw_json.items() if value is not None}
    if len(raw_json) > MAX_ARGUMENTS_LENGTH:
        raise InvalidInputError(
            f"The arguments have {len(raw_json)} characters, at most {MAX_ARGUMENTS_LENGTH} are read",
            suggestion="Ask for less at once.",
        )
    try:
        # from_json refuses more than 200 levels of nesting.
        parsed = finite_json(raw_json or "{}")
    except ValueError as error:
        raise MalformedRequestError(
            f"The arguments are not JSON: {error}", suggestion="Send one JSON object."
        ) from None
    if not isinstance(parsed, dict):
        raise InvalidInputError("The arguments must be one JSON object", suggestion='For example {"limit": 5}.')
    return {key: value for key, value in parsed.items() if value is not None}


def _for_tenant(spec: ToolSpec, team_values: TeamValues, custom_fields: CustomFields) -> ToolSpec:
    return with_custom_fields(with_team_values(spec, team_values), custom_fields)


def _convert(item: AnyTool, spec: ToolSpec, arguments: dict[str, Any], context: ToolContext) -> dict[str, Any]:
    if item.convert is not None:
        return item.convert(arguments, context)
    arguments, custom = split_arguments(spec, arguments, context.now)
    model = arguments_model(item.function)
    try:
        validated = model.model_validate(arguments, context={"now": context.now, TEAM_VALUES: context.team_values})
    except ValidationError as error:
        raise argument_error(field_errors(error)[0], spec.properties) from None
    return {name: getattr(validated, name) for name in model.model_fields} | ({"custom": custom} if custom else {})
