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
    """The place of one of AiSHA's fields in the CRM's object, and the form of its value.

    A field may have several mappings. The first one for which a row has a value is read. Written is the one whose
    `values` have the value, or whose `link` is to its object, and all of them if none of them has.
    """

    at: Selector | None = None
    """The place that is read, within `fields_at`. It is also written unless `put` names another one."""
    item: Selector | None = None
    """The place that is read in the whole row, in place of `at`."""
    put: Place | None = None
    """The place that is written. It may be left out where `at` is a plain path such as `address.city`."""
    type: FieldType = "text"
    """The type of the CRM's value. A `day` is a date where AiSHA has a time: 9:00 UTC, unless `time` has the hour."""
    datetime_format: TimeFormat = "iso"
    """The form of a `date`, a `day` or a `datetime`."""
    time: Place | None = None
    """The place of the time of day beside a `day`, in UTC, for CRMs that store the two separately."""
    time_format: Annotated[str, Field(pattern="%")] = "%H:%M"
    """The form of `time`, a pattern of `strftime`."""
    values: dict[str, JsonValue] | str | None = None
    """The CRM's values by AiSHA's, or the name of one of the file's tables of values."""
    shown: dict[str, str] = Field(default_factory=dict)
    """AiSHA's values by the CRM's, for values that are read but never written."""
    other: str | None = None
    """AiSHA's value for all others of the CRM, which keep their own label."""
    part: Literal["first", "rest"] | None = None
    """The part of a full name to read: its first word, or the rest."""
    around: JsonValue = Field(default=None, alias="json")
    """A template with `{value}` that is written in place of the value.

    If it is a text, it is removed from the value in reading.
    """
    read_only: bool = False
    """True for a field that is never written."""
    create_only: bool = False
    """True for a field that is written only with a new record."""
    user: bool | Literal["email"] = False
    """True if the value is the id of a user, `email` if it is a user's address."""
    group: str | None = None
    """AiSHA's field with the record's group, such as its pipeline, of a table of values with groups."""
    numeric: bool = False
    """True for an id that is written as a number."""
    link: str | None = None
    """The object of the record whose id the value is."""
    when: Selector | None = None
    """A condition on rows: only those for which it is true have the field."""
    also: dict[Place, JsonValue] = Field(default_factory=dict)
    """Further values by place, to write beside the field.

    Texts may hold fields of the record: `{first_name} {last_name}`.
    """
    add: Endpoint | None = None
    """The request that makes a link which no create or update can set."""
    remove: Endpoint | None = None
    """The request that ends such a link."""
    set_: Endpoint | None = Field(default=None, alias="set")
    """The request, with `{value}`, that sets a field which no update takes.

    With a `put`, a create can still set it there.
    """

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
