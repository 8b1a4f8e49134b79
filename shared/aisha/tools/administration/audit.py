"""The tool that lists the audit trail, for administrators."""

from datetime import datetime
from typing import Annotated, Any

from pydantic import Field

from aisha.application.audit.listing import AuditFilter, audit_page
from aisha.application.tooling import ToolContext, followups, tool, toolkit
from aisha.application.tooling.arguments.parameters import Cursor, Limit
from aisha.application.tooling.results import RecordList
from aisha.domain.audit import AuditEntry, AuditStatus, Severity
from aisha.domain.dates.parsing import When
from aisha.domain.deferred_model import DeferredModel
from aisha.domain.errors import NotSetUpError
from aisha.domain.principal import ADMIN
from aisha.domain.tools import FollowUp


class AuditedCall(DeferredModel):
    """A call of a tool. `changes` are the records it wrote; `confirmed` is true when the user approved it first."""

    at: datetime
    user: str
    door: str
    tool: str
    status: AuditStatus
    severity: Severity
    line: str
    arguments: dict[str, Any]
    changes: list[str]
    confirmed: bool


@toolkit(name="pipeline", description="Exact counts and sums of the pipeline, what happened in it, and the user's day.")
class AuditTrailKit:
    @tool(
        role=ADMIN,
        examples=(
            "show me the audit trail",
            "show the audit log",
            "audit trail of this record",
            "what does the audit trail say since {since}",
            "which tools did the assistant call for our users",
        ),
        typical_followups=(
            FollowUp("What important things happened recently?", "📰", "get_recent_events"),
            followups.PIPELINE,
            followups.PRIORITIES,
        ),
    )
    def get_audit_trail(
        self,
        context: ToolContext,
        entity: Annotated[
            str | None, Field(min_length=1, max_length=200), "Only calls about this record: its id, or its whole name"
        ] = None,
        since: Annotated[When | None, "Only calls from this time on"] = None,
        limit: Limit = 10,
        cursor: Cursor = None,
    ) -> RecordList[AuditedCall]:
        """List calls of tools: those of the tenant, with user and outcome, newest first. For administrators only."""
        # The log is a port that a deployment may be without, unlike the stores.
        if context.ports.audit is None:
            raise NotSetUpError("This deployment keeps no audit log.", suggestion="Ask your admin to set one up.")
        page = audit_page(
            context.ports.audit.log, context.principal.tenant, AuditFilter(entity=entity, since=since), limit, cursor
        )
        return RecordList[AuditedCall](items=[_to_call(entry) for entry in page.items], next_cursor=page.next_cursor)


def _to_call(entry: AuditEntry) -> AuditedCall:
    changes = [
        f"{receipt['action']} {receipt['entity']['type']} {receipt['entity']['name']}" for receipt in entry.receipts
    ]
    return AuditedCall.from_attributes(entry, changes=changes, confirmed=entry.confirmation_id is not None)
