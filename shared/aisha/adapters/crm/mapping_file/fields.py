"""The fields of a mapping file: where a value is in the CRM's object, and in which form."""

import re
from datetime import UTC, tzinfo
from typing import Annotated, Literal, Self
from zoneinfo import ZoneInfo

from pydantic import AfterValidator, Field, JsonValue, model_validator

from aisha.adapters.crm.mapping_file.paths import PLACE
from aisha.adapters.crm.mapping_file.requests import Endpoint, Part, Selector
from aisha.adapters.http_tools.templates import names_in

_PLAIN_STEP = r'(?:[A-Za-z_]\w*|"[^"]+")'
_PLAIN = re.compile(rf"{_PLAIN_STEP}(?:\.{_PLAIN_STEP})*")
_FIRST = re.compile(_PLAIN_STEP)


def zone_of(form: str) -> tzinfo:
    """Return the zone of times in a form that name none. Raises ValueError for one that does not exist."""
    name = form.partition("[")[2].rstrip("]")
    try:
        return ZoneInfo(name) if name else UTC
    except (LookupError, OSError, ValueError):
        raise ValueError(f"there is no time zone {name!r}; zones are named as in Europe/Berlin") from None


Place = Annotated[str, Field(pattern=rf"^{PLACE}$")]


def _checked_zone(form: str) -> str:
    # When the file is read, not at the first record with a time.
    zone_of(form)
    return form


TimeFormat = Annotated[
    str, Field(pattern=r"^(iso|odoo|epoch|epoch_ms)$|^[^\[\]]*%[^\[\]]*(\[[\w/+-]+\])?$"), AfterValidator(_checked_zone)
]
"""`iso`, `odoo` (UTC, without the T), `epoch`, `epoch_ms`, or a pattern of Python's `strftime`, of the time in UTC.

A pattern may end with the zone of times that name none, as in RFC 9557: `%Y-%m-%d %H:%M[Europe/Berlin]`.
"""

FieldType = Literal[
    "text", "integer", "number", "decimal", "cents", "micros", "boolean", "date", "day", "datetime", "epoch_ms", "html"
]  # fmt: skip


class FieldMap(Part):
    """The places of a field: read `at` (JMESPath in `fields_at`) or `item` (in the whole row), written to `put`.

    Without `put` a plain `at` is written where it is read; `read_only` fields are never written, `create_only` ones
    with a new record alone. `values` are the CRM's values by AiSHA's, or the name of a table of the file's `values`, of
    which `group` is AiSHA's field with the record's group; `shown` are AiSHA's by the CRM's, for those that are read
    and never set; `other` is shown for the rest. `part` reads the first word of a name, or the others. A `day` is a
    date where AiSHA has a time: 9:00 UTC of it. `datetime_format` is the form of a `date`, a `day` or a `datetime`.

    `user` is the id of a user, or with `email` the address of one. A `link` is the id of another record, a row of that
    `object`; `add` and `remove` are requests that make and end it. `set` is the request that sets a field which an
    update does not take, with `{value}`; with a `put`, a create takes the field there. Only rows for which `when` is
    true have the field; `also` is written beside it, and `json` around it, a template with `{value}`; where that is a
    text, it is taken off again in reading. `numeric` writes an id as a number. A CRM that keeps a date and a time of
    day apart has the date at the place of a `day`, and the other at `time`, in the form `time_format`, in UTC. Of
    several mappings of a field the first one is read that a row has a value for; written is the one that has the value,
    or the link's object, and all of them where they have neither. Texts in `also` may hold fields of the record:
    `{first_name} {last_name}`.
    """

    at: Selector | None = None
    item: Selector | None = None
    put: Place | None = None
    type: FieldType = "text"
    datetime_format: TimeFormat = "iso"
    time: Place | None = None
    time_format: Annotated[str, Field(pattern="%")] = "%H:%M"
    values: dict[str, JsonValue] | str | None = None
    shown: dict[str, str] = Field(default_factory=dict)
    other: str | None = None
    part: Literal["first", "rest"] | None = None
    around: JsonValue = Field(default=None, alias="json")
    read_only: bool = False
    create_only: bool = False
    user: bool | Literal["email"] = False
    group: str | None = None
    numeric: bool = False
    link: str | None = None
    when: Selector | None = None
    also: dict[Place, JsonValue] = Field(default_factory=dict)
    add: Endpoint | None = None
    remove: Endpoint | None = None
    set_: Endpoint | None = Field(default=None, alias="set")

    @model_validator(mode="after")
    def _has_a_place(self) -> Self:
        if self.at is None and self.item is None:
            raise ValueError("it needs at or item")
        if not self.read_only and self.place is None and not self.has_request:
            raise ValueError(
                "say where it is written with put (such as name, address.city, list[0].value or "
                "list[?kind=='work'].value), as at is no plain name, or read_only"
            )
        # What stands around the value is taken off again in reading, which needs its one place.
        if self.around is not None and list(names_in(self.around)) != ["value"]:
            raise ValueError("json needs {value}, once, and no other placeholder")
        if self.set_ is not None and (self.add or not (self.values or self.set_.has("value"))):
            raise ValueError("set needs {value}, or values that it is for, and stands in the place of add")
        # Other types hold date and time of day in one value.
        if self.time is not None and self.type != "day":
            raise ValueError("time is for a field of the type day")
        return self

    @property
    def place(self) -> str | None:
        """Return the dotted path in `{fields}` that the field is written to; None where it is not."""
        # A plain `at` such as `address.city` can be written; `phones[0] | number` can't.
        if self.read_only or self.put or self.has_request:
            return None if self.read_only else self.put
        return self.at if self.at is not None and _PLAIN.fullmatch(self.at) else None

    @property
    def has_request(self) -> bool:
        """True for a field that has a request of its own."""
        return self.add is not None or self.set_ is not None

    @property
    def is_id(self) -> bool:
        """True for the id of a value of the CRM's, a user or another record."""
        return bool(self.values or self.user or self.link)

    @property
    def column(self) -> str | None:
        """Return the CRM's field that a list has to ask for."""
        if self.at is None:
            return None
        # The written name first: `at` may be an expression, and lists are asked for names.
        named = self.put or self.at
        match = _FIRST.match(self.at)
        is_plain = _PLAIN.fullmatch(named) and '"' not in named
        return named if is_plain else match and match[0].strip('"')
