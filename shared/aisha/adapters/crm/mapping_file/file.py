"""The mapping file of a CRM, `tool_schemas/crm/<name>.json`: its members, and the checks that refuse it.

The read half has the names of dlt's `rest_api` source (dlthub.com/docs/dlt-ecosystem/verified-sources/rest_api):
`client`, `resources`, `data_selector`, `paginator`, `incremental`. What picks values is JMESPath (jmespath.org).
"""

import json
import re
from collections.abc import Iterator, Mapping
from functools import cached_property
from pathlib import Path
from typing import Annotated, Any, Literal, Self, get_args

from pydantic import Field, ValidationError, model_validator

from aisha.adapters.crm.mapping_file.client import Client, Errors, Limits
from aisha.adapters.crm.mapping_file.errors import problems, suggested
from aisha.adapters.crm.mapping_file.fields import TimeFormat
from aisha.adapters.crm.mapping_file.record_fields import LINK_TYPES, LOCAL_TYPES
from aisha.adapters.crm.mapping_file.requests import Endpoint, Part, Selector
from aisha.adapters.crm.mapping_file.resource import Name, Resource
from aisha.domain.crm.connector import Connection
from aisha.domain.crm.records import RECORD_TYPES, EntityType
from aisha.domain.json_values import repeated_members

_VARIABLE = re.compile(r"\{connection\.(\w+)\}")


class Users(Part):
    """The list of the CRM's users."""

    endpoint: Endpoint
    id: Selector = "id"
    email: Selector = "email"


class ValueTable(Part):
    """Values that each tenant has of its own, such as stages, read from the CRM."""

    endpoint: Endpoint
    items: Selector | None = None
    """The place in a row of a list of values, if rows are groups such as pipelines."""
    group: Selector | None = None
    """The place in a row of what the value belongs to, such as the pipeline of a stage."""
    id: Selector = "id"
    label: Selector = "label"
    canonical: Selector | None = None
    """AiSHA's value for a row, an expression; without it the connection's own table says it."""


class Signature(Part):
    """The signature of a webhook, made with the connection's `hook_secret`."""

    type: Literal["hmac", "basic", "token"] = "hmac"
    """`hmac`: an HMAC over `signed`. `basic`: basic authentication, the secret being `user:password`.

    `token`: the body has the secret itself, at `token`.
    """
    header: str = "Authorization"
    pattern: str = r"(?P<signature>.+)"
    """A regular expression for the header, with the groups `signature` and, if it is there, `timestamp`."""
    token: Selector | None = None
    """The place of the secret in the body."""
    signed: str = "{body}"
    """The text that the HMAC covers: `{method}`, `{url}`, `{timestamp}` and `{body}`."""
    algorithm: Literal["sha256", "sha1", "sha512"] = "sha256"
    encoding: Literal["hex", "base64"] = "hex"
    timestamp_header: str | None = None
    timestamp_unit: Literal["s", "ms"] = "s"

    @model_validator(mode="after")
    def _has_token(self) -> Self:
        if (self.type == "token") != (self.token is not None):
            raise ValueError("a signature of type token has its place in the body at token; the others have none")
        return self


class Events(Part):
    """The CRM's webhooks.

    The body is JSON or a form, whose fields are texts. Without a signature the only proof is the connection's id in the
    address, which nobody can guess.
    """

    signature: Signature | None = None
    changed: Selector
    """The refs of the changed records, `<object>/<id>`, picked from the body."""


class MappingFile(Part):
    """The mapping file of one CRM."""

    schema_: str | None = Field(default=None, alias="$schema")
    name: Name
    title: Annotated[str, Field(min_length=1, max_length=60)]
    """The name of the CRM for people."""
    client: Client
    limits: Limits = Limits()
    errors: Errors = Errors()
    users: Users | None = None
    values: dict[str, ValueTable] = Field(default_factory=dict)
    """Tables of values by name."""
    datetime_format: TimeFormat = "iso"
    """The form of times in all resources that say no other."""
    resources: list[Resource] = Field(min_length=1)
    events: Events | None = None
    unsupported: dict[str, str] = Field(default_factory=dict)
    """Sentences on what the CRM can't do, by `type`, `type.action`, `type.field` or `type.field.value`."""

    @model_validator(mode="before")
    @classmethod
    def _expand(cls, values: Any) -> Any:
        """Let times of each resource have the file's form."""
        # Not validated yet: what has another shape is refused by its own field, with its place.
        raw = values.get("resources") if isinstance(values, dict) and "datetime_format" in values else None
        if not isinstance(raw, list):
            return values
        form = {"datetime_format": values["datetime_format"]}
        return {**values, "resources": [form | item if isinstance(item, dict) else item for item in raw]}

    @model_validator(mode="after")
    def _fits_together(self) -> Self:
        names = [resource.name for resource in self.resources]
        problems = [f"two resources are called {name!r}" for name in set(names) if names.count(name) > 1]
        types = {resource.type for resource in self.resources}
        # A missing type is more often an oversight than a decision.
        for name in sorted(set(get_args(EntityType)) - types - LOCAL_TYPES - self.unsupported.keys()):
            problems.append(f"resources: no {name}; say in unsupported why")
        for name in self.unsupported:
            if name.partition(".")[0] not in RECORD_TYPES:
                problems.append(f"unsupported: {name!r} begins with no record type")
        for resource in self.resources:
            problems += [*self._stray(resource), *self._wrong_parents(resource)]
        if problems:
            raise ValueError("; ".join(problems))
        return self

    def _stray(self, resource: Resource) -> Iterator[str]:
        for name in resource.fields:
            for mapping in resource.maps(name):
                if isinstance(mapping.values, str) and mapping.values not in self.values:
                    yield f"{resource.name}.{name}: there is no table of values {mapping.values!r}"
                linked = {other.type for other in self.resources if other.kind == mapping.link}
                if mapping.link and not linked:
                    objects = list(dict.fromkeys(other.kind for other in self.resources))
                    suggestion = suggested(mapping.link, objects)
                    yield f"{resource.name}.{name}: no resource has the object {mapping.link!r}. {suggestion}"
                elif mapping.link and not linked & LINK_TYPES.get(name, linked):
                    right = " or ".join(sorted(LINK_TYPES[name]))
                    yield f"{resource.name}.{name}: the object {mapping.link!r} is no {right}"
                # A link is one id in the row, and a ref below another record needs two.
                if any(other.kind == mapping.link and other.parent for other in self.resources):
                    yield f"{resource.name}.{name}: records of {mapping.link} stand below others: no id alone names one"
                if mapping.user is True and self.users is None:
                    yield f'{resource.name}.{name}: the file has no users; say "user": "email" if it is an address'
                if mapping.group and (not isinstance(mapping.values, str) or mapping.group not in resource.fields):
                    yield f"{resource.name}.{name}: group is a field of this resource, for values of a table"

    def _wrong_parents(self, resource: Resource) -> Iterator[str]:
        """Yield what is wrong with the resource that this one's records stand below."""
        names, name = [resource.name for resource in self.resources], resource.create_parent
        if name is None:
            return
        if name not in names:
            yield f"{resource.name}: there is no resource {name!r}. {suggested(name, names)}"
            return
        parent = self.named(name)
        # A ref has room for one parent.
        if parent.parent:
            yield f"{resource.name}: {name} stands below {parent.parent} itself, which is one level too many"
        if resource.incremental_dependency and parent.changes is None:
            yield f"{resource.name}: incremental_dependency needs changes of {name}"
        if resource.create is not None and not self.parent_fields(resource):
            yield f"{resource.name}: create is below {name}, and no field has a link to {parent.kind!r}"

    @cached_property
    def is_queried_by_id(self) -> bool:
        """True where a request has a record's id within a longer text, so that ids can't be any text."""
        return any(request.is_queried_by_id for resource in self.resources for request in resource.requests)

    def named(self, name: str) -> Resource:
        """Return the resource of this name."""
        return next(resource for resource in self.resources if resource.name == name)

    def parent_fields(self, resource: Resource) -> list[str]:
        """Return the fields that say below which record a new one is; none where it is below no other."""
        kind = self.named(resource.create_parent).kind if resource.create_parent else None
        return [
            field for field in resource.fields if kind and any(mapping.link == kind for mapping in resource.maps(field))
        ]

    def parent_of(self, resource: Resource, links: Mapping[str, str | None]) -> dict[str, str]:
        """Return the variable `{resources.<name>.id}` of a new record, from its links."""
        if resource.create_parent is None:
            return {}
        kind = self.named(resource.create_parent).kind
        refs = ((links.get(field) or "").partition("/") for field in self.parent_fields(resource))
        return {
            f"resources.{resource.create_parent}.id": native_id for object_, _, native_id in refs if object_ == kind
        }

    def of_type(self, entity_type: str) -> list[Resource]:
        """Return the resources whose rows are records of this type."""
        return [resource for resource in self.resources if resource.type == entity_type]

    def of_object(self, ref: str) -> list[Resource]:
        """Return the resources whose object a ref names: the rows of one object may be records of several types."""
        return [resource for resource in self.resources if resource.kind == ref.partition("/")[0]]


def _parsed(path: Path) -> Any:
    try:
        return json.loads(path.read_bytes())
    except ValueError:
        return None


def _with_variables(text: str, name: str, variables: Mapping[str, str]) -> str:
    """Return the file's text with the connection's variables. Raises ValueError for those that it does not say."""
    if missing := sorted(set(_VARIABLE.findall(text)) - variables.keys()):
        raise ValueError(f"{name} needs of the connection under variables: {', '.join(missing)}.")
    return _VARIABLE.sub(lambda match: variables[match[1]], text)


def read_mapping(path: Path, connection: Connection | None = None) -> MappingFile:
    """Return the file with a connection's time zone, variables and added fields.

    Raises ValueError with every problem by its place.
    """
    try:
        text = path.read_text(encoding="utf-8").replace("{time_zone}", connection.time_zone if connection else "UTC")
        if connection is not None:
            text = _with_variables(text, path.name, connection.variables)
        file = MappingFile.model_validate_json(text)
        if repeated := repeated_members(text):
            raise ValueError(f"{path.name} can't be used: {repeated[0]} is there twice in one object")
        if connection is not None and connection.fields:
            values = file.model_dump(by_alias=True, exclude_unset=True)
            for resource in values["resources"]:
                resource["fields"].update(connection.fields.get(resource["type"], {}))
            file = MappingFile.model_validate(values)
    except OSError:
        names = ", ".join(sorted(file.stem for file in path.parent.glob("*.json") if not file.stem.startswith("_")))
        folder = f"{path.parent}, the folder that AISHA_CRM_FILES may name"
        raise ValueError(f"There is no file {path.name} in {folder}. There are files for {names}.") from None
    except ValidationError as error:
        lines = problems(error, MappingFile, _parsed(path))
        raise ValueError(f"{path.name} can't be used:\n" + "\n".join(lines)) from None
    if file.name != path.stem:
        raise ValueError(f"{path.name} can't be used: its name is {file.name!r}")
    return file
