"""Validators and JSON Schemas (2020-12, as in OpenAPI 3.1) from the signatures of tools."""

import inspect
from collections.abc import Callable
from functools import lru_cache
from types import NoneType, UnionType
from typing import Annotated, Any, Union, get_args, get_origin, get_type_hints

from pydantic import BaseModel, ConfigDict, TypeAdapter, create_model
from pydantic.fields import FieldInfo
from pydantic.json_schema import GenerateJsonSchema, JsonSchemaMode, JsonSchemaValue
from pydantic_core import core_schema

from aisha.application.tooling.context import ToolContext
from aisha.domain.crm.custom_fields import CustomValues
from aisha.domain.json_values import values_in
from aisha.domain.wording import adds_to_name

_CUSTOM = CustomValues | None
"""The annotation of a parameter that takes the tenant's own fields, see `custom_arguments`."""
JSON_SCHEMA_DIALECT = "https://json-schema.org/draft/2020-12/schema"


class QualifiedTitles(GenerateJsonSchema):
    """A schema generator with each class's qualified Python name as `title`, which leads readers to the code."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._enumerations: dict[str, str] = {}

    def model_schema(self, schema: core_schema.ModelSchema) -> JsonSchemaValue:
        return {**super().model_schema(schema), "title": qualified(schema["cls"])}

    def enum_schema(self, schema: core_schema.EnumSchema) -> JsonSchemaValue:
        self._enumerations[schema["cls"].__name__] = title = qualified(schema["cls"])
        return {**super().enum_schema(schema), "title": title}

    def generate(self, schema: core_schema.CoreSchema, mode: JsonSchemaMode = "validation") -> JsonSchemaValue:
        generated = super().generate(schema, mode)
        # pydantic writes its own short title over that of an enumeration afterwards.
        for definition in generated.get("$defs", {}).values():
            if "enum" in definition:
                definition["title"] = self._enumerations.get(definition.get("title", ""), definition.get("title"))
        return generated

    # Otherwise pydantic adds a title made of its name to every field, such as "Lead Id".
    def field_title_should_be_set(self, schema: Any) -> bool:  # noqa: ARG002 - the base class's signature
        return False


def qualified(annotation: Any) -> str:
    """Return the full name of a type, e.g. `list[str]` or `dict[str, aisha.domain.crm.records.Note]`."""
    origin = get_origin(annotation)
    if origin is Annotated:
        return qualified(get_args(annotation)[0])
    if origin in (Union, UnionType):
        return " | ".join(qualified(part) for part in get_args(annotation))
    if origin is not None:
        arguments = ", ".join(
            qualified(part) if isinstance(part, type) or get_origin(part) else repr(part)
            for part in get_args(annotation)
        )
        return f"{getattr(origin, '__qualname__', str(origin).removeprefix('typing.'))}[{arguments}]"
    if annotation in (None, NoneType):
        return "None"
    if not isinstance(annotation, type):
        return str(annotation)
    generic = getattr(annotation, "__pydantic_generic_metadata__", {})
    if generic.get("origin") is not None:
        # pydantic sets the module of `RecordList[Lead]` to the one that used it first.
        return f"{qualified(generic['origin'])}[{', '.join(qualified(part) for part in generic['args'])}]"
    if annotation.__module__ == "builtins":
        return annotation.__qualname__
    return f"{annotation.__module__}.{annotation.__qualname__}"


def description_of(function: Callable[..., Any], explicit: str | None) -> str:
    """Return the explicit description or that of the docstring. Raises TypeError when there is neither."""
    text = (explicit or inspect.cleandoc(function.__doc__ or "")).strip()
    if not text:
        raise TypeError(f"tool {function.__qualname__} needs a description: write a docstring")
    return text


def _field(annotation: Any, parameter: inspect.Parameter) -> tuple[Any, FieldInfo]:
    metadata = get_args(annotation)[1:] if get_origin(annotation) is Annotated else ()
    description = next((item for item in metadata if isinstance(item, str)), None)
    info = FieldInfo.from_annotation(annotation)
    if parameter.default is not inspect.Parameter.empty:
        info = FieldInfo.merge_field_infos(info, default=parameter.default)
    if not (info.description or description):
        raise TypeError(f"parameter {parameter.name!r} needs a description: Annotated[..., 'what it is']")
    return annotation, FieldInfo.merge_field_infos(
        info, description=info.description or description, title=qualified(annotation)
    )


@lru_cache(maxsize=512)
def arguments_model(function: Callable[..., Any]) -> type[BaseModel]:
    """Return the model that validates and converts a tool's arguments, without those that are injected."""
    hints = get_type_hints(function, include_extras=True)
    fields: dict[str, Any] = {}
    for parameter in inspect.signature(function).parameters.values():
        annotation = hints.get(parameter.name)
        if parameter.name == "self" or annotation is ToolContext or annotation == _CUSTOM:
            continue
        if parameter.kind in (parameter.VAR_POSITIONAL, parameter.VAR_KEYWORD):
            raise TypeError(f"{parameter} takes any number of arguments: give each its own parameter, or use a list")
        if annotation is None:
            raise TypeError(f"parameter {parameter.name!r} of {function.__qualname__} needs a type")
        fields[parameter.name] = _field(annotation, parameter)
    return create_model(
        f"{function.__name__}_arguments",
        # Unknown arguments are refused, so that a model notices an invented one.
        __config__=ConfigDict(extra="forbid", str_strip_whitespace=True, arbitrary_types_allowed=False),
        __module__=function.__module__,
        **fields,
    )


@lru_cache(maxsize=512)
def context_parameter(function: Callable[..., Any]) -> str | None:
    """Return the name of the parameter of type `ToolContext`, or None."""
    return next((name for name, hint in get_type_hints(function).items() if hint is ToolContext), None)


@lru_cache(maxsize=512)
def parameters_schema(function: Callable[..., Any]) -> dict[str, Any]:
    """Return the schema of the arguments, with all but recursive references inlined and without `null` options."""
    schema = arguments_model(function).model_json_schema(schema_generator=QualifiedTitles)
    definitions = schema.pop("$defs", {})
    inlined = _inline(schema, definitions, ())
    inlined["title"] = f"{function.__module__}.{function.__qualname__}"
    if any(isinstance(part, dict) and "$ref" in part for part in values_in(inlined)):
        inlined["$defs"] = definitions
    inlined.setdefault("properties", {})
    return dict(inlined)


@lru_cache(maxsize=512)
def returns_schema(function: Callable[..., Any]) -> dict[str, Any]:
    """Return the schema of the tool's results. Raises TypeError for a function without return type."""
    hints = get_type_hints(function, include_extras=True)
    if "return" not in hints:
        raise TypeError(f"tool {function.__qualname__} needs a return type")
    adapter = TypeAdapter(hints["return"])
    schema = adapter.json_schema(mode="serialization", schema_generator=QualifiedTitles)
    schema.setdefault("title", qualified(hints["return"]))
    return schema


def _inline(node: Any, definitions: dict[str, Any], open_names: tuple[str, ...]) -> Any:
    if isinstance(node, list):
        return [_inline(item, definitions, open_names) for item in node]
    if not isinstance(node, dict):
        return node
    if "$ref" in node:
        name = node["$ref"].rsplit("/", 1)[-1]
        # A recursive type, which cannot be inlined into itself.
        if name in open_names:
            return node
        rest = {key: value for key, value in node.items() if key != "$ref"}
        return {**_inline(definitions[name], definitions, (*open_names, name)), **rest}
    # `create_call` drops null arguments, so that "or null" means the same to a model as leaving the argument out.
    if (options := node.get("anyOf")) and {"type": "null"} in options:
        options = [option for option in options if option != {"type": "null"}]
        rest = {key: value for key, value in node.items() if key not in ("anyOf", "default")}
        if len(options) == 1:
            return {**_inline(options[0], definitions, open_names), **rest}
        return {"anyOf": _inline(options, definitions, open_names), **rest}
    return {key: _inline(value, definitions, open_names) for key, value in node.items()}


_NOT_SENT = frozenset(
    (
        *("title", "additionalProperties", "default", "examples", "format", "pattern"),
        *("minimum", "maximum", "minItems", "maxItems", "minLength", "maxLength"),
    )
)
"""Keywords that models do not need: each call is validated by the whole schema anyway. A time may be given in words."""


def schema_for_model(node: Any) -> Any:
    """Return a schema of arguments for a model, without what mainly costs tokens (C-H3).

    These are the keywords in `_NOT_SENT`, descriptions that only say the parameter's name again, and the option to give
    a number as text.
    """
    if isinstance(node, list):
        return [schema_for_model(item) for item in node]
    if not isinstance(node, dict):
        return node
    if len(options := node.get("anyOf", ())) > 1 and options[-1] == {"type": "string"}:
        node = {**options[0], **{key: value for key, value in node.items() if key != "anyOf"}}
    return {
        # The keys below `properties` are names of parameters, which may be "title" too, and not keywords.
        key: {name: _parameter_for_model(name, member) for name, member in value.items()}
        if key == "properties"
        else schema_for_model(value)
        for key, value in node.items()
        if key not in _NOT_SENT
    }


def _parameter_for_model(name: str, schema: Any) -> Any:
    sent = schema_for_model(schema)
    if isinstance(sent, dict) and not adds_to_name(sent.get("description", ""), name):
        sent.pop("description", None)
    return sent


def without_titles(node: Any) -> Any:
    """Return a schema without its titles, which are Python's names of the types."""
    return without_keywords(node, frozenset(("title",)))


_NOT_GUARANTEED = frozenset(
    ("title", "default", "required", "additionalProperties", "minLength", "maxLength", "pattern", "format", "readOnly")
)
"""Keywords that a sent result may violate: empty values are left out, sensitive ones removed or masked."""


def result_schema(node: Any) -> Any:
    """Return a schema of results for clients: the types of the members, all of them optional."""
    return without_keywords(node, _NOT_GUARANTEED)


def without_keywords(node: Any, keywords: frozenset[str]) -> Any:
    """Return a schema without these keywords, at any depth."""
    if isinstance(node, list):
        return [without_keywords(item, keywords) for item in node]
    if not isinstance(node, dict):
        return node
    return {
        # As in `schema_for_model`, the keys below `properties` are names.
        key: {name: without_keywords(member, keywords) for name, member in value.items()}
        if key in ("properties", "$defs", "definitions")
        else without_keywords(value, keywords)
        for key, value in node.items()
        if key not in keywords
    }
