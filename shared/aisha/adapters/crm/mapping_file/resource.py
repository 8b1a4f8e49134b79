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
    """The form of the time of the last change in `{since}`.

    `is_data_feed`: `changes` takes no time and has the latest change first: it is read up to the first row before.
    `reach_days`: the request for changes reaches back so far; for changes since an earlier time the whole list is read.
    """

    format: TimeFormat = "iso"
    reach_days: Annotated[int, Field(ge=1)] | None = None
    is_data_feed: bool = False


class Key(Part):
    """The idempotency key of creates: the CRM's unique field that holds it, and the request that finds its record.

    It is used for connections that say `keyed`, since the field is the customer's own. `create` replaces the resource's
    where the key is no ordinary field. A second create with the same key makes no second record.
    """

    field: str
    find: Endpoint
    create: Endpoint | None = None


class Resource(Part):
    """Rows of an `object` of the CRM as records of a `type`; by default the object has the resource's name.

    `only` says which of the type's records are created here, when several resources share it; `required` are fields
    without which none is created here: the user is told, and nothing is sent. `where` is true for the
    rows that are such records (a JMESPath), `constants` are written with each new one. `together` are fields that are
    sent together or not at all. `deleted` is true for rows that were deleted. `record` picks, of what the CRM has in
    `fields_at`, what `{record}` repeats. `version` is the row's version, or `version_header` the header of `get` that
    has it, for `{version}`. `restore` brings back what was deleted, and
    `find` lists the records that may be one that was just created. `created_id_header` names a header with the new
    record's address, which ends with its id.
    A `list` with `{resources.<name>.id}` is read below each record of that resource, whose id is `_<name>_id` in the
    rows. `get` may then be left out: a record is looked for in the list. With `incremental_dependency` changes are read
    below those records alone that have changed themselves.
    `datetime_format` is the form of the times in rows. `{columns}` (a list: `{column_list}`) are
    the `columns` and the CRM's names of the fields and constants, of all resources of one object; these share the first
    one's `get`.
    """

    name: Name
    object_: str | None = Field(default=None, pattern=r"^[^/\s]+$", alias="object")
    type: EntityType
    only: dict[str, list[str]] = Field(default_factory=dict)
    id: Selector = "id"
    where: Selector | None = None
    deleted: Selector | None = None
    constants: dict[Place, JsonValue] = Field(default_factory=dict)
    required: list[str] = Field(default_factory=list)
    columns: list[str] = Field(default_factory=list)
    fields_at: Selector | None = None
    record: Selector | None = None
    version: Selector | None = None
    version_header: str | None = None
    datetime_format: TimeFormat = "iso"
    fields: dict[str, FieldMap | list[FieldMap]]
    together: list[list[str]] = Field(default_factory=list)
    created_at: Selector | None = None
    updated_at: Selector | None = None
    incremental: Incremental = Incremental()
    list_: Endpoint = Field(alias="list")
    get: Endpoint | None = None
    incremental_dependency: bool = False
    changes: Endpoint | None = None
    create: Endpoint | None = None
    created_id: Selector | None = None
    created_id_header: str | None = None
    update: Endpoint | None = None
    delete: Endpoint | None = None
    restore: Endpoint | None = None
    find: Endpoint | None = None
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
