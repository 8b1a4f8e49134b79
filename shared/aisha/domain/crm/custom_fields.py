"""Fields of records that a tenant has of its own, such as "Region" of its leads: they are in `custom` of a record."""

import re
from collections.abc import Mapping, Sequence
from typing import Any, Literal, get_args

from msgspec import Struct

CustomFieldType = Literal["text", "number", "date", "boolean"]
CustomType = Literal["lead", "contact", "account", "opportunity"]
CUSTOM_TYPES: tuple[CustomType, ...] = get_args(CustomType)
"""The types of records whose custom fields are parameters of tools."""
NAME = r"^[a-z][a-z0-9_]{0,39}$"
"""A regular expression of names: providers of models accept no others as names of parameters."""
MAX_FIELDS = 40
"""Custom fields of a type of records: each is sent to models with the tools of the type."""
MAX_VALUES = 100
"""Values of a field that are listed to models; a field with more is a text to them."""
MAX_TEXT_LENGTH = 200


class CustomField(Struct, frozen=True):
    """A field of a tenant's own. People call it by its `name` in words: `budget_band` is "budget band".

    `values` are those that it can have, in the tenant's own spelling; without them any of the type. It can be asked for
    and searched; tools write it only where it is `writable`. `description` is for models.
    """

    name: str
    type: CustomFieldType = "text"
    values: tuple[str, ...] = ()
    writable: bool = False
    description: str = ""

    @property
    def label(self) -> str:
        """The name in words."""
        return self.name.replace("_", " ")


CustomFields = Mapping[str, Sequence[CustomField]]
"""A tenant's custom fields by type of record."""


class CustomValues(dict[str, Any]):
    """The values of custom fields in a call, by name. A tool's parameter of this type is in no schema."""


def is_name(text: str) -> bool:
    """Return whether a text can be the name of a custom field."""
    # A field with another name is shown, but no tool can have it as a parameter.
    return re.fullmatch(NAME, text) is not None
