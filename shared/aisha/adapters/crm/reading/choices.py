"""Values that each tenant's CRM has of its own for a field, such as stages, and those of AiSHA that they count as."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from msgspec import Struct

from aisha.adapters.crm.mapping_file.fields import FieldMap
from aisha.adapters.crm.mapping_file.file import ValueTable
from aisha.domain.crm.custom_fields import MAX_VALUES, CustomField, CustomFieldType, is_name
from aisha.domain.crm.team_values import TeamValue

CUSTOM = "custom."
_CUSTOM_TYPES: Mapping[str, CustomFieldType] = {
    **dict.fromkeys(("integer", "number", "decimal", "cents", "micros"), "number"),
    **dict.fromkeys(("date", "day"), "date"),
    "boolean": "boolean",
}
"""The types of custom fields by those of mappings; the others are texts."""
_TIME_TYPES = ("datetime", "epoch_ms")


class Choices(Struct, frozen=True):
    """The values of one of the file's tables, as the CRM has them now.

    `labels` are the CRM's words by its ids, in its order; `counts_as` are AiSHA's values by id, `ids` the id that sets
    each of AiSHA's values; `groups` are what each id belongs to, such as the pipeline of a stage.
    """

    labels: Mapping[str, str]
    counts_as: Mapping[str, str]
    ids: Mapping[str, str]
    groups: Mapping[str, str]

    def within(self, group: str) -> "Choices":
        """Return those of one group alone; AiSHA's values are set by the group's own ids where it has them."""
        labels = {native_id: label for native_id, label in self.labels.items() if self.groups.get(native_id) == group}
        counts_as = {native_id: value for native_id, value in self.counts_as.items() if native_id in labels}
        ids = {value: native_id for value, native_id in self.ids.items() if native_id in labels}
        for native_id, value in counts_as.items():
            ids.setdefault(value, native_id)
        return Choices(labels, counts_as, ids, self.groups)

    def label_of(self, native_id: str) -> str:
        """Return the CRM's word for an id; the id itself where the table does not have it."""
        return self.labels.get(native_id, native_id)


Tables = Mapping[str, Choices]
"""The values of each of the file's tables, by its name."""
_NO_CHOICES = Choices({}, {}, {}, {})


def read_choices(
    rows: Iterator[tuple[Mapping[str, Any], Any]],
    table: ValueTable,
    own: Mapping[str, str],
    pick: Callable[[str | None, Any], Any],
) -> Choices:
    """Return the choices in a table's rows, each with its group. `own` are the connection's: ids by AiSHA's values."""
    labels: dict[str, str] = {}
    counts_as: dict[str, str] = {}
    groups: dict[str, str] = {}
    for row, group in rows:
        native_id = str(pick(table.id, row))
        labels[native_id] = str(pick(table.label, row) or native_id)
        groups[native_id] = str(group)
        if table.canonical and (value := pick(table.canonical, row)):
            counts_as[native_id] = str(value)
    # What the connection says wins over what the table says.
    ids = dict(own)
    for native_id, value in counts_as.items():
        ids.setdefault(value, native_id)
    counts_as |= {native_id: value for value, native_id in own.items()}
    ids = {value: native_id for value, native_id in ids.items() if native_id in labels}
    return Choices(labels, counts_as, ids, groups)


def choices_of(mapping: FieldMap, tables: Tables) -> Choices | None:
    """Return the choices of a field whose values are a table of the file's; None for another field."""
    return tables.get(mapping.values, _NO_CHOICES) if isinstance(mapping.values, str) else None


def ids_by_value(name: str, mapping: FieldMap, choices: Choices | None) -> Mapping[str, Any]:
    """Return the CRM's values by AiSHA's. Those of a custom field with a table are set by their labels."""
    if choices is None:
        return mapping.values if isinstance(mapping.values, Mapping) else {}
    return {label: native_id for native_id, label in choices.labels.items()} if name.startswith(CUSTOM) else choices.ids


def team_values_of(mapping: FieldMap, choices: Choices | None) -> dict[str, TeamValue]:
    """Return the tenant's own values of a field by the CRM's id, those of a table of values alone."""
    if choices is None:
        return {}
    set_by = {native_id: value for value, native_id in choices.ids.items()}
    counted = {**set_by, **choices.counts_as}
    kinds = {
        native_id: counted.get(native_id) or mapping.shown.get(native_id) or mapping.other
        for native_id in choices.labels
    }
    return {native_id: TeamValue(choices.labels[native_id], value) for native_id, value in kinds.items() if value}


def custom_field(name: str, maps: Sequence[FieldMap], tables: Tables) -> CustomField | None:
    """Return the tenant's own field that the mappings of `custom.<name>` describe; None for another field."""
    own = name.removeprefix(CUSTOM)
    if own == name or not is_name(own):
        return None
    values = {value: None for mapping in maps for value in ids_by_value(name, mapping, choices_of(mapping, tables))}
    fixed = (mapping.create_only or mapping.user or mapping.link or mapping.type in _TIME_TYPES for mapping in maps)
    # Written only where every mapping has a place: otherwise the CRM would keep it for some records alone.
    is_writable = all(mapping.place for mapping in maps) and not any(fixed)
    kind: CustomFieldType = "text" if values else _CUSTOM_TYPES.get(maps[0].type, "text")
    return CustomField(own, kind, tuple(values) if len(values) <= MAX_VALUES else (), is_writable)
