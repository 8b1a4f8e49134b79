"""The fields of AiSHA's records that a mapping file can map, and those that it must."""

from collections.abc import Collection, Mapping
from enum import StrEnum
from typing import Any, get_args

from aisha.adapters.crm.mapping_file.errors import suggested
from aisha.domain.crm.records import RECORD_TYPES, SUBJECT_TYPES, Address

LOCAL_TYPES = frozenset(("goal", "event"))
"""Types that no other CRM has in this form: they stay in AiSHA."""
REQUIRED = {
    "lead": ("first_name", "last_name", "company"),
    "contact": ("first_name", "last_name"),
    "account": ("name",),
    "opportunity": ("name", "stage"),
    "activity": ("title", "related"),
    "note": ("content", "related"),
}
"""Fields of which each resource must map one (a lead, a contact) or all (the others)."""
_ANY_NAME = ("lead", "contact")
LINK_TYPES: Mapping[str, frozenset[str]] = {
    **{f"{kind}_id": frozenset((kind,)) for kind in ("account", "contact", "lead")},
    "related": frozenset(SUBJECT_TYPES),
}
"""Fields that are other records, by the types that these may have."""
_UNMAPPED_MEMBERS = frozenset(("id", "tenant_id", "version", "remote", "created_at", "updated_at"))
"""Members of records that no file maps."""


def enumerated(annotation: Any) -> list[str]:
    """Return the values of a field's enumeration; none for a field of another type."""
    if isinstance(annotation, type) and issubclass(annotation, StrEnum):
        return [annotated.value for annotated in annotation]
    return [value for part in get_args(annotation) for value in enumerated(part)]


def check_mapped(entity_type: str, names: Collection[str]) -> None:
    """Raise `ValueError` for a field that records of the type do not have, and for one that must be mapped."""
    if entity_type in LOCAL_TYPES:
        raise ValueError(f"records of the type {entity_type} stay in AiSHA")
    model = RECORD_TYPES[entity_type].model_fields
    for name in names:
        outer, _, inner = name.partition(".")
        parts = Address.model_fields if outer == "address" else ()
        if not (name in model or (outer == "custom" and inner) or (outer in model and inner in parts)):
            field_names = [
                *sorted(model.keys() - _UNMAPPED_MEMBERS),
                *(f"address.{field}" for field in Address.model_fields),
                "custom.<name>",
            ]
            raise ValueError(f"fields: {entity_type} has no field {name!r}. {suggested(name, field_names)}")
    missing = [name for name in REQUIRED[entity_type] if name not in names]
    # A person needs one of the names, the other types all of their fields.
    if missing and (entity_type not in _ANY_NAME or len(missing) == len(REQUIRED[entity_type])):
        raise ValueError(f"fields: {entity_type} needs a mapping of {' and '.join(missing)}")
