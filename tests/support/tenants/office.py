"""Two tenants with records and entries for the tests that run every tool. The ids are the same each time."""

import json
import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import UTC, timedelta
from itertools import count
from typing import Any

from msgspec.structs import asdict, replace

from aisha.application.audit.trail import Audit
from aisha.application.tooling.context import ToolPorts, make_context
from aisha.domain.audit import AuditEntry
from aisha.domain.crm.queries import Create
from aisha.domain.crm.records import RECORD_TYPES
from aisha.domain.errors import NotFoundError
from aisha.domain.external.issues import CloseReason, Issue, IssueComment, IssuePage, IssueState
from aisha.domain.memory import MemoryChunk, MemoryHit, MemoryQuery
from aisha.domain.principal import Principal
from aisha.domain.tools import ToolResult
from tests.fakes.models.words_embedder import ThreeWordsEmbedder
from tests.fakes.stores.audit import InMemoryAuditLog
from tests.fakes.stores.in_memory import FixedClock, InMemoryEntryRepository, InMemoryRecordRepository
from tests.fakes.systems.mail import RecordingMailSender
from tests.support.tenants.desk import MODULES, NOW, REGISTRY

ANN = Principal(
    "acme",
    "ann",
    roles=frozenset(("admin",)),
    modules=MODULES | {"email"},
    name="Ann Lee",
    email="ann@acme.example",
    zone="Europe/Berlin",
)
BOB = replace(ANN, user="bob", name="Bob Ray", email="bob@acme.example")
EVE = replace(ANN, tenant="rival", email="eve@rival.example")
"""A user of another tenant with Ann's user id."""
ANY_ID = re.compile(r"\b[a-z_]+_[0-9A-HJKMNP-TV-Z]{26}")
_BEGIN = NOW - timedelta(days=40)


class InMemoryIssueTracker:
    """An `IssueTracker` of one project in memory."""

    def __init__(self) -> None:
        self.stored: list[Issue] = []
        self.stored_comments: list[tuple[int, IssueComment]] = []
        self.reasons: dict[int, CloseReason] = {}

    def create(self, title: str, body: str, labels: Sequence[str] = ()) -> Issue:
        number = len(self.stored) + 1
        self.stored.append(
            Issue(number, title, body, "open", "ann", f"https://x.example/{number}", NOW, NOW, tuple(labels))
        )
        return self.stored[-1]

    def get(self, number: int) -> Issue:
        if number > len(self.stored):
            raise NotFoundError(f"There is no issue {number}")
        return self.stored[number - 1]

    def comment(self, number: int, body: str) -> IssueComment:
        comment = IssueComment(len(self.stored_comments) + 1, "ann", body, self.get(number).url, NOW)
        self.stored_comments.append((number, comment))
        return comment

    def close(self, number: int, reason: CloseReason = "completed") -> Issue:
        self.stored[number - 1] = replace(self.get(number), state="closed")
        self.reasons[number] = reason
        return self.stored[number - 1]

    def issues(self, state: IssueState, labels: Sequence[str], page: int, limit: int) -> IssuePage[Issue]:
        issues = [
            issue
            for issue in reversed(self.stored)
            if state in ("all", issue.state) and set(labels) <= set(issue.labels)
        ]
        return _page(issues, page, limit)

    def comments(self, number: int, page: int, limit: int) -> IssuePage[IssueComment]:
        self.get(number)
        return _page([comment for issue, comment in self.stored_comments if issue == number], page, limit)


def _page[T](items: Sequence[T], page: int, limit: int) -> IssuePage[T]:
    end = page * limit
    return IssuePage(list(items[end - limit : end]), page + 1 if len(items) > end else None)


class SharedWordsMemory:
    """The search of a `MemoryStore`: the score of a chunk is the share of the query's words that it has."""

    def __init__(self) -> None:
        self.chunks: list[MemoryChunk] = []

    def search(self, tenant: str, vector: Sequence[float], query: MemoryQuery) -> list[MemoryHit]:
        words = set(query.text.lower().split())
        hits = [
            MemoryHit(chunk, len(words & set(chunk.text.lower().split())) / len(words))
            for chunk in self.chunks
            if chunk.tenant == tenant and query.entity_type in (None, chunk.entity_type)
        ]
        return sorted((hit for hit in hits if hit.score > 0), key=lambda hit: -hit.score)[: query.limit]


@dataclass
class Office:
    """The stores of both tenants, and everything else that a tool can read or write.

    Without `others` there are only the records of Ann's tenant and Ann's own entries.
    """

    others: bool = True
    clock: FixedClock = field(default_factory=lambda: FixedClock(_BEGIN))
    mail: RecordingMailSender = field(default_factory=RecordingMailSender)
    issues: InMemoryIssueTracker = field(default_factory=InMemoryIssueTracker)
    memories: SharedWordsMemory = field(default_factory=SharedWordsMemory)
    audit: InMemoryAuditLog = field(default_factory=InMemoryAuditLog)
    ids: dict[str, str] = field(default_factory=dict)
    """Ids by name. Names of the other tenant begin with `rival:`, names of Bob's own entries with `bob:`."""

    def __post_init__(self) -> None:
        self.records = InMemoryRecordRepository(self.clock)
        self.entries = InMemoryEntryRepository(self.clock)
        self._numbers = count(1)
        self._operations = count(1)
        for principal, whose in ((ANN, ""), (EVE, "rival:")):
            self._store_past(principal, whose)
        self.clock.advance(timedelta(days=38))
        for principal, whose in ((ANN, ""), (EVE, "rival:")):
            self._store_recent(principal, whose)
        for principal, whose in ((ANN, ""), (BOB, "bob:"), (EVE, "rival:")):
            self._store_entries(principal, whose)
        self._store_outside()
        self.clock.advance(timedelta(days=2))

    def run(self, principal: Principal, tool: str, arguments: dict[str, Any] | str) -> ToolResult:
        """Run one call without asking for confirmation. `arguments` may be JSON text, as a model writes it."""
        ports = ToolPorts(
            self.records, self.entries, self.clock, self.mail, issues=self.issues,
            memory=lambda: self.memories, embedder=ThreeWordsEmbedder,  # type: ignore[arg-type, return-value]
            audit=Audit(self.audit),
        )  # fmt: skip
        context = make_context(principal, ports, f"op.{next(self._operations)}")
        call = REGISTRY.create_call(tool, arguments, context)
        return call.execute() if call.result.status == "pending" else call.result

    def dump_records(self, tenant: str) -> str:
        """Return all records of a tenant, as text."""
        stored = sorted(self.records._records.get(tenant, {}).items())
        return _as_text([(key, record.version, record.model_dump(mode="json")) for key, record in stored])

    def dump_entries(self, tenant: str, owner: str | None) -> str:
        """Return all entries of an owner, as text."""
        places = sorted(place for place in self.entries._entries if place[:2] == (tenant, owner))
        entries = [asdict(entry) for place in places for entry in self.entries._entries[place].values()]
        return _as_text(sorted(entries, key=lambda entry: str(entry["id"])))

    def dump_sent(self) -> str:
        """Return the sent mail and the issues, as text."""
        return _as_text([self.mail.sent, self.issues.stored, self.issues.stored_comments, self.issues.reasons])

    def _id(self, whose: str, name: str, kind: str) -> str:
        self.ids[whose + name] = f"{kind}_01JN{next(self._numbers):022d}"
        return self.ids[whose + name]

    def _put(self, principal: Principal, whose: str, name: str, kind: str, /, **fields: Any) -> None:
        if (about := fields.pop("about", None)) is not None:
            subject = self.ids[whose + about]
            fields["related"] = {"type": subject.partition("_")[0], "id": subject, "name": about.title()}
        values = {"id": self._id(whose, name, kind), "owner": principal.user, **fields}
        if whose and not self.others:
            return
        self.records.write(principal.tenant, [Create(RECORD_TYPES[kind].model_validate(values))])

    def _store_past(self, principal: Principal, whose: str) -> None:
        ids = self.ids

        def put(name: str, kind: str, /, **fields: Any) -> None:
            self._put(principal, whose, name, kind, **fields)

        put("abc", "account", name="ABC Corp", industry="Steel", type="customer", health="healthy", annual_revenue=900,
            employee_count=50, address={"state": "Texas", "city": "Austin"})  # fmt: skip
        put("john", "contact", first_name="John", last_name="Doe", company="ABC Corp", account_id=ids[whose + "abc"],
            email="john@abc.example", department="Sales", job_title="Buyer", last_contacted_at=_BEGIN)  # fmt: skip
        put("jack", "lead", first_name="Jack", last_name="Russel", company="ABC Corp", email="jack@abc.example",
            status="warm", source="referral", score=90, estimated_value=900, last_contacted_at=_BEGIN,
            address={"state": "Texas", "city": "Austin"}, job_title="Buyer")  # fmt: skip
        put("pilot", "opportunity", name="Pilot", amount=900, stage="proposal", close_date="2026-03-05",
            account_id=ids[whose + "abc"], contact_id=ids[whose + "john"], lead_id=ids[whose + "jack"])  # fmt: skip
        put("won", "opportunity", name="Pilot before", amount=800, stage="closed_won", close_date="2026-02-01",
            account_id=ids[whose + "abc"])  # fmt: skip
        put("old call", "activity", title="Old call", activity_type="call", about="jack", due_at="2026-02-20T09:00Z",
            priority="high")  # fmt: skip
        put("old note", "note", content="Wonderful talk about the price.", about="jack", note_type="call_log")
        put("growth", "goal", title="Growth", key_results=[{"title": "Deals", "target": 10, "current": 2},
            {"title": "Calls", "target": 10}], status="in_progress")  # fmt: skip
        put("old event", "event", kind="record_changed", title="Jack changed", about="jack")

    def _store_recent(self, principal: Principal, whose: str) -> None:
        ids = self.ids

        def put(name: str, kind: str, /, **fields: Any) -> None:
            self._put(principal, whose, name, kind, **fields)

        put("xyz", "account", name="XYZ Inc", industry="Hotels", owner="bob", annual_revenue=100, employee_count=5,
            address={"state": "Ohio", "city": "Dayton"})  # fmt: skip
        put("steel", "account", name="Steel Ltd", industry="Steel", type="customer", employee_count=60)
        put("jane", "contact", first_name="Jane", last_name="Smith", company="XYZ Inc", account_id=ids[whose + "xyz"],
            email="jane@xyz.example", department="Law", job_title="Lawyer", status="prospect", owner="bob",
            last_contacted_at=NOW - timedelta(days=1))  # fmt: skip
        put("mary", "lead", first_name="Mary", last_name="Major", company="XYZ Inc", email="mary@xyz.example",
            source="website", score=10, estimated_value=10, owner="bob", last_contacted_at=NOW - timedelta(days=1),
            address={"state": "Ohio", "city": "Dayton"})  # fmt: skip
        put("ned", "lead", first_name="Ned", last_name="Nolan", company="ABC Corp", source="referral",
            status="qualified", score=50, estimated_value=800)  # fmt: skip
        put("fleet", "opportunity", name="Fleet", amount=100, stage="qualification", close_date="2026-06-30",
            owner="bob", account_id=ids[whose + "xyz"], contact_id=ids[whose + "jane"])  # fmt: skip
        put("pilot two", "opportunity", name="Second", amount=850, stage="proposal", account_id=ids[whose + "abc"])
        put("meeting", "activity", title="Meeting", activity_type="meeting", about="pilot", due_at="2026-03-02T15:00Z",
            owner="bob")  # fmt: skip
        put("task", "activity", title="Task", activity_type="task", about="mary", due_at="2026-03-06T09:00Z")
        put("done", "activity", title="Done", activity_type="call", about="jack", status="completed",
            due_at="2026-02-27T09:00Z", completed_at="2026-02-27T09:00Z")  # fmt: skip
        put("note", "note", content="Furious about the price. Asked us to call back.", about="jack")
        put("mary's note", "note", content="Wants a demo.", about="mary", owner="bob", is_private=False)
        put("bob's secret", "note", content="bob:secret about Jack", about="jack", owner="bob", is_private=True)
        put("reach", "goal", title="Reach", scope="shared", key_results=[{"title": "Leads", "target": 5, "current": 5}])
        put("bob's goal", "goal", title="bob:secret goal", owner="bob")
        put("event", "event", kind="sweep_completed", title="Sweep Completed")

    def _store_entries(self, principal: Principal, whose: str) -> None:
        """Store a user's own entries; their texts contain `whose`."""
        later = (NOW + timedelta(days=1)).isoformat()
        own: list[tuple[str, str, dict[str, Any]]] = [
            ("golf", "memory", {"text": f"{whose}secret Jack likes golf"}),
            ("tea", "memory", {"text": f"{whose}secret Mary drinks tea"}),
            ("flowers", "reminder", {"text": f"{whose}secret flowers", "due_at": later}),
            (
                "dentist",
                "reminder",
                {"text": f"{whose}secret dentist", "due_at": (NOW - timedelta(hours=1)).isoformat()},
            ),
            ("taxes", "reminder", {"text": f"{whose}secret taxes", "resolved_at": NOW.isoformat()}),
        ]
        ids = [self._id(whose, name, kind) for name, kind, _ in own]
        wishes = [
            {"id": self._id(whose, name, "instruction"), "text": f"{whose}secret {name}", "created_at": NOW.isoformat()}
            for name in ("short", "polite")
        ]
        if whose and not self.others:
            return
        for entry_id, (_, kind, body) in zip(ids, own, strict=True):
            self.entries.put(principal.tenant, principal.user, kind, entry_id, body)
        body = {"mode": "default", "instructions": wishes}
        self.entries.put(principal.tenant, principal.user, "preferences", "preferences", body)

    def _store_outside(self) -> None:
        first = self.issues.create("Export does nothing", "Nothing happens.", ["bug"])
        self.issues.create("Nicer colours", "Please.")
        self.issues.close(self.issues.create("Old", "Long ago.").number)
        for body in ("Still so", "Here too"):
            self.issues.comment(first.number, body)
        for tenant, whose in (("acme", ""), ("rival", "rival:"))[: 2 if self.others else 1]:
            jack = {"entity_type": "lead", "entity_id": self.ids[whose + "jack"]}
            self.memories.chunks += [
                MemoryChunk(f"{whose}1", tenant, f"{whose}secret price talk went well", NOW, metadata=jack, **jack),
                MemoryChunk(f"{whose}2", tenant, f"{whose}secret demo then price", NOW, entity_type="account"),
            ]
            for name, days in (("jack", 5), ("pilot", 1)):
                about, at = self.ids[whose + name], NOW - timedelta(days=days)
                read = AuditEntry(
                    f"audit_{name}", tenant, "ann", "api", f"get_{name}", "executed", at, entities=(about,)
                )
                self.audit.append(tenant, [replace(read, line=f"{whose}secret {name}")])


def _as_text(value: Any) -> str:
    return json.dumps(value, default=str, sort_keys=True, indent=0)


def result_text(result: ToolResult) -> str:
    """Return the value or the error of a tool's result, as text."""
    return _as_text(result.value if result.error is None else result.error)


def utc(days: int) -> str:
    """Return the time so many days from `NOW`, in ISO 8601."""
    return (NOW + timedelta(days=days)).astimezone(UTC).isoformat()
