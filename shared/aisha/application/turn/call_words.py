"""Text for a call's arguments and records, in questions to the user and in replies."""

from collections.abc import Mapping
from typing import Any

from aisha.application.tooling.visibility import is_visible
from aisha.application.turn.record import TurnRecord
from aisha.application.turn.state import TurnInput
from aisha.domain.ids import record_kind_of

MAX_VALUE_LENGTH = 80


def record_names(turn_input: TurnInput, record: TurnRecord, arguments: Mapping[str, Any]) -> list[str]:
    """Return the names of the records whose ids are arguments, in order, without those that the user may not see.

    Names that are not in `record.names` yet are read from the store and added to it.
    """
    ids = [(kind, value) for value in arguments.values() if isinstance(value, str) and (kind := record_kind_of(value))]
    unknown = [(kind, value) for kind, value in ids if value.lower() not in record.names]
    if unknown:
        # The question must not reveal the name of a record that the user may not see.
        for stored in turn_input.deps.records.get_many(turn_input.principal.tenant, unknown).values():
            if is_visible(turn_input.principal, stored):
                record.names[stored.id.lower()] = stored.display_name
    return [name for _, value in ids if (name := record.names.get(value.lower()))]


def format_argument(name: str, value: Any) -> str:
    """Format an argument as `name: value`, a list by its length.

    Return an empty text for ids, for which the question has the record's name, and for objects.
    """
    label = name.replace("_", " ")
    if isinstance(value, list):
        return f"{len(value)} {label}"
    if value is None or isinstance(value, Mapping) or (isinstance(value, str) and record_kind_of(value)):
        return ""
    text = str(value)
    return f"{label}: {text if len(text) <= MAX_VALUE_LENGTH else text[:MAX_VALUE_LENGTH] + '…'}"
