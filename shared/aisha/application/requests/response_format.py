"""The form in which a client of OpenAI's API wants the answer: text, a JSON object, or the call of one of its tools."""

from collections.abc import Mapping, Sequence
from typing import Any

from msgspec import Struct

from aisha.domain.errors import InvalidInputError

KINDS = ("text", "json_object", "json_schema")


class Structure(Struct, frozen=True):
    """A JSON object by `schema`; with `tools` the call of one of them, whose arguments it is."""

    schema: Mapping[str, Any]
    tools: tuple[str, ...] = ()


def structure_of(
    response_format: Mapping[str, Any] | None, tools: Sequence[Any] | None, choice: Any
) -> Structure | None:
    """Return the form that was asked for; None for text.

    The assistant runs its own tools. Those of a client it may call or leave, so they are left, unless `tool_choice`
    demands a call. Raises `InvalidInputError`.
    """
    if choice not in (None, "auto", "none"):
        return _forced(tools or (), choice)
    kind = (response_format or {}).get("type", "text")
    if kind not in KINDS:
        raise InvalidInputError(
            f"There is no response format {kind!r:.40}. Choose one of: {', '.join(KINDS)}.",
            pointer="/response_format/type",
        )
    if response_format is None or kind == "text":
        return None
    # Chat completions nest the schema, responses do not.
    described = response_format.get("json_schema") or response_format
    schema = described.get("schema") if isinstance(described, Mapping) else None
    if kind == "json_schema" and not isinstance(schema, Mapping):
        raise InvalidInputError("A json_schema needs its `schema`.", pointer="/response_format/json_schema/schema")
    return Structure(schema or {"type": "object"})


def _forced(tools: Sequence[Any], choice: Any) -> Structure:
    functions = {name: function for function in map(_function, tools) if (name := function.get("name"))}
    if isinstance(choice, Mapping):
        name = _function(choice).get("name")
        functions = {name: functions[name]} if name in functions else {}
    elif choice != "required":
        functions = {}
    if not functions:
        raise InvalidInputError(
            "`tool_choice` must be auto, none, required, or name one of `tools`.", pointer="/tool_choice"
        )
    schemas = {str(name): function.get("parameters") or {"type": "object"} for name, function in functions.items()}
    if len(schemas) == 1:
        ((name, schema),) = schemas.items()
        return Structure(schema, (name,))
    # The model is to choose: each alternative names its tool beside the arguments.
    calls = [
        {
            "type": "object",
            "properties": {"name": {"const": name}, "arguments": schema},
            "required": ["name", "arguments"],
        }
        for name, schema in schemas.items()
    ]
    return Structure({"anyOf": calls}, tuple(schemas))


def _function(tool: Any) -> Mapping[str, Any]:
    """Return a tool's function: nested in chat completions, flat in responses."""
    definition = tool.get("function", tool) if isinstance(tool, Mapping) else {}
    return definition if isinstance(definition, Mapping) else {}
