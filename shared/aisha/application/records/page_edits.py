"""Changes of a record by a page: by the tool of its type, and only of the version that the user has read."""

from collections.abc import Mapping
from datetime import timedelta
from typing import Any

from aisha.application.records.changed_meanwhile import changed_by_others
from aisha.application.tenants.profile import rules_of
from aisha.application.tooling.context import ToolContext
from aisha.application.tooling.gate.execution import execute_gated, refuse_to_ask
from aisha.application.tooling.registry import ToolRegistry
from aisha.domain.crm.records import Record
from aisha.domain.errors import ChangedMeanwhileError, ConflictError, InvalidInputError, VersionNeededError
from aisha.domain.ports import AuditLog
from aisha.domain.principal import Principal

_ANY_VERSION = "*"
_RECENT = timedelta(days=1)
"""Age of the audit entries among which the author of a change is looked for."""


def etag_of(record: Record) -> str:
    """Return the record's entity tag: its version, quoted."""
    return f'"{record.version}"'


def check_current(record: Record, if_match: str | None, principal: Principal, log: AuditLog | None) -> None:
    """Check the header `If-Match` of a change: the entity tags of the version that the user has read, or `*`.

    Raises `VersionNeededError` without one, and `ChangedMeanwhileError` when the record has another version.
    """
    if if_match is None:
        raise VersionNeededError(
            "Say which state of the record you change.", suggestion="Send its ETag as If-Match, or * to overwrite it."
        )
    # Weak tags too: proxies that compress an answer make its tag weak.
    tags = {tag.strip().removeprefix("W/") for tag in if_match.split(",")}
    if _ANY_VERSION in tags or etag_of(record) in tags:
        return
    since = record.updated_at - _RECENT if record.updated_at else None
    change = changed_by_others(log, principal, record, since) if since else None
    clause = change.clause if change else f"“{record.display_name}” was changed"
    raise ChangedMeanwhileError(
        f"{clause[:1].upper()}{clause[1:]} since you read it, so nothing was changed.",
        suggestion="Look at it again, and repeat the change if it still holds.",
        entity_type=record.TYPE,
        entity_id=record.id,
    )


def change_record(context: ToolContext, registry: ToolRegistry, record: Record, values: Mapping[str, Any]) -> None:
    """Change fields of the record by the tool of its type, through the gate.

    Raises the errors of the tool and of the gate, `InvalidInputError` for a type without such a tool, and
    `ChangedMeanwhileError` if another request was quicker.
    """
    name, id_parameter = f"update_{record.TYPE}", f"{record.TYPE}_id"
    if registry.spec(name) is None or id_parameter in values:
        pointer = f"/{id_parameter}" if id_parameter in values else ""
        raise InvalidInputError(
            f"This can't be changed on a {record.TYPE}.", pointer=pointer, suggestion="Leave it out."
        )
    call = registry.create_call(name, {**values, id_parameter: record.id}, context, context.operation_id)
    result = execute_gated(call, context.principal, rules_of(context), ask=refuse_to_ask(call, "page"))
    if result.ok:
        return
    error = result.exception or ConflictError("Nothing was changed.")
    if isinstance(error, ConflictError) and "expected_version" in (error.detail or {}):
        raise ChangedMeanwhileError(error.message, entity_type=record.TYPE, entity_id=record.id)
    raise error
