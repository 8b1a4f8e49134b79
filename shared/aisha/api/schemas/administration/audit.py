"""Schemas of the audit log."""

from datetime import datetime
from typing import Annotated, Any

from pydantic import Field

from aisha.api.params import Moment, NoneIfEmpty, OptionalText
from aisha.api.schemas.camel_model import CamelModel
from aisha.application.audit.chain import ChainReport
from aisha.domain.audit import AuditStatus, Severity


class AuditQuery(CamelModel):
    """Filters of the calls to list."""

    tool: OptionalText = Field(None, max_length=200, description="Name of a tool, e.g. update_lead.")
    user: OptionalText = Field(None, max_length=200, description="Id of the user on whose behalf the tool ran.")
    entity: OptionalText = Field(
        None, max_length=200, description="Id of a record, or the full name of a record that was written."
    )
    since: Moment = Field(None, description="A date or a date-time; without an offset, in the user's time zone.")
    status: Annotated[AuditStatus | None, NoneIfEmpty] = None
    limit: int = Field(20, ge=1, le=50, description="Calls per page.")
    cursor: OptionalText = Field(None, max_length=4000, description="`nextCursor` of the previous page.")


class AuditEntryJson(CamelModel):
    """A tool call. `status` is `intended` for a write whose outcome is unknown. `hash` covers `previousHash`."""

    id: str
    sequence: int
    at: datetime
    user: str
    door: str
    action: str
    tool: str
    severity: Severity
    status: AuditStatus
    line: str
    arguments: dict[str, Any]
    receipts: list[dict[str, Any]]
    entities: list[str]
    error: dict[str, Any] | None = None
    duration_ms: float
    call_id: str | None = None
    operation_id: str | None = None
    conversation_id: str | None = None
    confirmation_id: str | None = None
    reason: str = Field("", description="Why the call ran without a question, or why it waited, in words.")
    previous_hash: str
    hash: str


class AuditJson(CamelModel):
    """Calls, the latest first. A page may have fewer than `limit`; only the last page has no `nextCursor`."""

    items: list[AuditEntryJson]
    next_cursor: str | None = None


class ChainHeadJson(CamelModel):
    """The end of the chain."""

    sequence: int
    hash: str


class ChainJson(CamelModel):
    """The state of the log's hash chain; `problems` are sentences, in order."""

    is_intact: bool
    entries: int
    head: ChainHeadJson
    problems: list[str]


def chain_json(report: ChainReport) -> ChainJson:
    """Return the result of a verification as JSON."""
    # Not a field of the report: it follows from its problems.
    return ChainJson.from_attributes(report, is_intact=not report.problems)
