"""A resource of a mapping file: the requests of an object's records, and their fields."""

from typing import Annotated, Any, Self
from urllib.parse import quote, unquote

from pydantic import Field, JsonValue, model_validator

from aisha.adapters.crm.mapping_file.fields import FieldMap, Place, TimeFormat
from aisha.adapters.crm.mapping_file.record_fields import check_mapped
from aisha.adapters.crm.mapping_file.requests import Endpoint, Part, Selector
from aisha.adapters.crm.mapping_file.resource_checks import problems_of
from aisha.domain.crm.records import RECORD_TYPES, EntityType

Name = Annotated[str, Field(pattern=r"^[a-z][a-z0-9_]{0,39}$")]


class Incremental(Part):
    """The request for changes: the form of its `{since}`, and how far back it reaches."""

    format: TimeFormat = "iso"
    """The form of `{since}`."""
    reach_days: Annotated[int, Field(ge=1)] | None = None
    """Days back that `changes` reaches at most. For changes since an earlier time the whole list is read."""
    is_data_feed: bool = False
    """True if `changes` takes no time and begins with the latest: it is read up to the first older row."""


class Key(Part):
    """The idempotency key of creates: a unique field of the CRM, so that a second create with one key adds no record.

    It is only used for connections with `keyed`, since it is a field that each customer has to add.
    """

    field: str
    """The CRM's name of the field."""
    find: Endpoint
    """The request that finds the record with a key."""
    create: Endpoint | None = None
    """The request that creates a record by its key, if that differs from the resource's `create`."""


class Resource(Part):
    """Rows of an object of the CRM as records of a type.

    A resource whose `list` has `{resources.<name>.id}` is read below each record of that resource, such as the comments
    of a deal. The parent's id is `_<name>_id` in its rows. Without a `get`, a record is looked up in the list.
    """

    name: Name
    object_: str | None = Field(default=None, pattern=r"^[^/\s]+$", alias="object")
    """The name of the object, if it differs from the resource's: several resources may share one object."""
    type: EntityType
    only: dict[str, list[str]] = Field(default_factory=dict)
    """The values of fields for which records are created here, if several resources have the type."""
    id: Selector = "id"
    where: Selector | None = None
    """A condition on rows: only those for which it is true are records of this resource."""
    deleted: Selector | None = None
    """True for rows of deleted records."""
    constants: dict[Place, JsonValue] = Field(default_factory=dict)
    """Values by place to write with each new record."""
    required: list[str] = Field(default_factory=list)
    """Fields without which no record is created: the user is told, and nothing is sent."""
    columns: list[str] = Field(default_factory=list)
    """Names that `{columns}` has besides those of the mapped fields and constants.

    Resources of one object share these names, and the first one's `get`.
    """
    fields_at: Selector | None = None
    """The place in a row of the object with the fields."""
    record: Selector | None = None
    """The part of a row that `{record}` repeats, an expression within `fields_at`; by default all of it."""
    version: Selector | None = None
    """The place in a row of its version, for `{version}`."""
    version_header: str | None = None
    """The header of the answer of `get` that has the version."""
    datetime_format: TimeFormat = "iso"
    """The form of the times in rows."""
    fields: dict[str, FieldMap | list[FieldMap]]
    """The mapping, or several, of each of AiSHA's fields."""
    together: list[list[str]] = Field(default_factory=list)
    """Groups of fields that are sent together or not at all."""
    created_at: Selector | None = None
    updated_at: Selector | None = None
    incremental: Incremental = Incremental()
    list_: Endpoint = Field(alias="list")
    get: Endpoint | None = None
    incremental_dependency: bool = False
    """True if `changes` is only read below parents that have changed themselves."""
    changes: Endpoint | None = None
    """The request for changes since a time; without it each run reads the whole list."""
    create: Endpoint | None = None
    created_id: Selector | None = None
    """The place of the new record's id in the answer of `create`."""
    created_id_header: str | None = None
    """The header of that answer with the new record's address, which ends with its id."""
    update: Endpoint | None = None
    delete: Endpoint | None = None
    restore: Endpoint | None = None
    """The request that brings back what `delete` deleted or archived."""
    find: Endpoint | None = None
    """The request that lists the records among which a new one is looked for if the answer of `create` was lost."""
    key: Key | None = None

    @model_validator(mode="before")
    @classmethod
    def _expand(cls, values: Any) -> Any:
        """Read `"name": "dealname"` as `"name": {"at": "dealname"}`, and let times have the resource's form."""
        if not isinstance(values, dict):
            return values
        fields, form = values.get("fields"), values.get("datetime_format")
        # Before validation, so that a field with a form of its own keeps it.
        if isinstance(fields, dict):
            fields = {name: {"at": field} if isinstance(field, str) else field for name, field in fields.items()}
            if form is not None:
                fields = {name: _with_form(field, form) for name, field in fields.items()}
            values = {**values, "fields": fields}
        if form is not None and isinstance(incremental := values.get("incremental", {}), dict):
            values = {**values, "incremental": {"format": form, **incremental}}
        return values

    @model_validator(mode="after")
    def _fits_the_type(self) -> Self:
        check_mapped(self.type, self.fields)
        for member, names in (
            ("required", self.required),
            ("together", [name for group in self.together for name in group]),
            ("only", self.only),
        ):
            for name in names:
                if name not in (self.fields if member != "only" else RECORD_TYPES[self.type].model_fields):
                    raise ValueError(f"{member}: {name!r} is none of this resource's fields")
        if wrong := [*problems_of(self)]:
            raise ValueError("; ".join(wrong))
        return self

    @property
    def requests(self) -> list[Endpoint]:
        """Return all requests of the resource."""
        own = (self.list_, self.get, self.changes, self.create, self.update, self.delete, self.restore, self.find)
        keyed = (self.key.find, self.key.create) if self.key else ()
        maps = (mapping for name in self.fields for mapping in self.maps(name))
        # Fields may have requests of their own, such as one that adds a link.
        single = (each for mapping in maps for each in (mapping.add, mapping.remove, mapping.set_))
        return [request for request in (*own, *keyed, *single) if request is not None]

    @property
    def parent(self) -> str | None:
        """Return the name of the resource below whose records this one is listed; None for a list of its own."""
        return self.list_.parent

    @property
    def create_parent(self) -> str | None:
        """Return the name of the resource below whose records new ones are made, or all are listed."""
        return self.parent or (self.create.parent if self.create else None)

    @property
    def parent_key(self) -> str | None:
        """Return the member of rows that has the id of the record above them."""
        return f"_{self.parent}_id" if self.parent else None

    def is_parent(self, mapping: FieldMap) -> bool:
        """Return whether a field is the record above, which the requests' addresses have."""
        return mapping.at is not None and mapping.at == self.parent_key

    def ref(self, native_id: Any, parent_id: Any = None) -> str:
        """Return the ref of a record, which names the record above it too."""
        # Quoted, so that the first slash ends the parent's id.
        above = "" if self.parent is None else f"{quote(str(parent_id), safe='')}/"
        return f"{self.kind}/{above}{native_id}"

    def ids(self, ref: str) -> dict[str, str]:
        """Return the variables `{id}` and `{resources.<name>.id}` of a ref."""
        native_id = ref.partition("/")[2]
        if self.parent is None:
            return {"id": native_id}
        parent_id, _, native_id = native_id.partition("/")
        return {"id": native_id, f"resources.{self.parent}.id": unquote(parent_id)}

    @property
    def kind(self) -> str:
        """The object that this resource's rows belong to: refs begin with it."""
        return self.object_ or self.name

    def maps(self, name: str) -> list[FieldMap]:
        """Return the mappings of a field: one, or several of which at most one applies to a row."""
        field_maps = self.fields.get(name, [])
        return [field_maps] if isinstance(field_maps, FieldMap) else field_maps


def _with_form(field: Any, form: Any) -> Any:
    if isinstance(field, list):
        return [_with_form(part, form) for part in field]
    return {"datetime_format": form, **field} if isinstance(field, dict) and field.get("type") == "datetime" else field
