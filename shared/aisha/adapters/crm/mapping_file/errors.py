"""The problems of a mapping file as sentences, each with its place by names and with what may stand there."""

from collections.abc import Iterator, Mapping
from difflib import get_close_matches
from typing import Any, get_args, get_origin

from pydantic import BaseModel, ValidationError

_TIME_FORMS = (
    "it is iso, odoo, epoch, epoch_ms, or a pattern of strftime such as %Y-%m-%d %H:%M, also with the zone of times "
    "that name none: %Y-%m-%d %H:%M[Europe/Berlin]"
)
_FORMS = {
    "path": "it begins with / and has no spaces",
    "value": "it needs {secret}, for the token or key",
    "format": _TIME_FORMS,
    "datetime_format": _TIME_FORMS,
    "put": "it is a place such as address.city, emails[0].address or custom[?key=='region'].value, with names in "
    'quotes that have a dot: "custom.cf_1"',
    "name": "it has small letters, digits and _, and begins with a letter",
}


def problems(error: ValidationError, model: type[BaseModel], raw: Any) -> Iterator[str]:
    """Yield one sentence for each problem of a file. Of a mapping and a list of them the nearer is meant."""
    items = error.errors(include_url=False, include_context=True, include_input=False)
    # Pydantic reports a union's problems for each of its types; those of the likelier type are shown.
    outer = [item for item in items if not any("list[" in str(part) for part in item["loc"])]
    seen = {_names(item["loc"]) for item in outer}
    others = [item for item in items if item not in outer and item["type"] != "list_type"]
    for item in [*(item for item in outer if item["type"] != "model_type" or not others), *others]:
        place, name = _place(item["loc"], raw), str(item["loc"][-1]) if item["loc"] else ""
        text = item["msg"].removeprefix("Value error, ")
        # Pydantic names the member as the place; people look for the object that has it.
        if item["type"] == "extra_forbidden":
            place = _place(item["loc"][:-1], raw)
            text = f"there is no member {name!r} here. {suggested(name, _members(model, item['loc'][:-1]))}"
        elif item["type"] == "missing":
            place, text = _place(item["loc"][:-1], raw), f"{name!r} is missing"
        elif item["type"] == "string_pattern_mismatch":
            text = _FORMS.get(name, text)
        yield f"{place}: {text}".removeprefix(": ")
    if not seen and not others:
        yield from (f"{_place(item['loc'], raw)}: {item['msg']}" for item in items)


def suggested(name: str, names: list[str], noun: str = "") -> str:
    """Return "Did you mean ...?" for a name that is nearly a known one, else all of these."""
    near = get_close_matches(name, names, 1, 0.7)
    return f"Did you mean {near[0]!r}?" if near else f"There are {noun}{', '.join(sorted(names))}."


def _names(loc: tuple[int | str, ...]) -> tuple[int | str, ...]:
    """Return a place without pydantic's names of validators and of the members of a union."""
    return tuple(part for part in loc if not (isinstance(part, str) and ("(" in part or "[" in part)))


def _place(loc: tuple[int | str, ...], raw: Any) -> str:
    """Return `resources.deals.fields.stage`: a resource by its name, another item of a list by its number from 0."""
    parts: list[str] = []
    for part in _names(loc):
        raw = raw[part] if _has(raw, part) else None
        is_resource = parts == ["resources"] and isinstance(raw, Mapping) and isinstance(raw.get("name"), str)
        parts.append(str(raw["name"] if is_resource else part))
    return ".".join(parts)


def _has(raw: Any, part: int | str) -> bool:
    return part in raw if isinstance(raw, Mapping) else isinstance(raw, list) and isinstance(part, int)


def _members(model: type[BaseModel], loc: tuple[int | str, ...]) -> list[str]:
    """Return the members that the object at a place may have."""
    current, is_key = model, False
    for part in _names(loc):
        if is_key or isinstance(part, int):
            is_key = False
            continue
        field = next((field for name, field in current.model_fields.items() if part in (field.alias, name)), None)
        if field is None:
            continue
        current, is_key = _model_in(field.annotation) or current, get_origin(field.annotation) is dict
    return [field.alias or name for name, field in current.model_fields.items()]


def _model_in(annotation: Any) -> type[BaseModel] | None:
    if isinstance(annotation, type) and issubclass(annotation, BaseModel):
        return annotation
    return next((model for part in get_args(annotation) if (model := _model_in(part))), None)
