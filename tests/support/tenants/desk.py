"""A tenant's CRM in memory, and users who run tools on it."""

from datetime import UTC, datetime
from itertools import count
from typing import Any

from msgspec.structs import replace

from aisha.application.tooling import discover
from aisha.application.tooling.context import ToolPorts, make_context
from aisha.domain.crm.queries import Create
from aisha.domain.crm.records import RECORD_TYPES
from aisha.domain.principal import Principal
from aisha.domain.tools import ToolResult
from tests.fakes.stores.in_memory import FixedClock, InMemoryRecordRepository, in_memory_ports

NOW = datetime(2026, 3, 2, 9, 0, tzinfo=UTC)
"""A Monday; 10:00 in Berlin."""
MODULES = frozenset(("leads", "contacts", "accounts", "opportunities", "activities", "notes", "goals"))
ANN = Principal("acme", "ann", modules=MODULES, zone="Europe/Berlin")
BOB = replace(ANN, user="bob", modules=MODULES - {"opportunities"})
EVE = replace(ANN, user="eve", tenant="rival")
REGISTRY = discover("aisha.tools", schemas=None)


class Desk:
    """A user who runs tools and stores records."""

    def __init__(
        self,
        principal: Principal,
        clock: FixedClock,
        records: InMemoryRecordRepository,
        ports: ToolPorts | None = None,
    ) -> None:
        self.principal = principal
        self.clock = clock
        self.records = records
        self.ports = ports or in_memory_ports(clock, records)
        self._calls = count(1)

    def at(self, principal: Principal) -> "Desk":
        """Return the desk of another user of the same store."""
        return Desk(principal, self.clock, self.records, self.ports)

    def run(self, tool: str, /, **arguments: Any) -> ToolResult:
        operation = f"{self.principal.user}.{tool}.{next(self._calls)}"
        context = make_context(self.principal, self.ports, operation)
        call = REGISTRY.create_call(tool, arguments, context)
        return call.execute() if call.result.status == "pending" else call.result

    def do(self, tool: str, /, **arguments: Any) -> Any:
        """Run a call that must succeed, and return its value."""
        result = self.run(tool, **arguments)
        assert result.ok, result.error or result.exception
        return result.value

    def refuse(self, tool: str, /, **arguments: Any) -> dict[str, Any]:
        """Run a call that must fail, and return its error."""
        result = self.run(tool, **arguments)
        assert result.error is not None, result.value
        return result.error

    def put(self, entity_type: str, /, **fields: Any) -> str:
        """Store a record, owned by this user by default and related to the record `about`, and return its id."""
        about = fields.pop("about", None)
        if about is not None:
            kind = about.partition("_")[0]
            name = self.records.get(self.principal.tenant, kind, about).display_name
            fields["related"] = {"type": kind, "id": about, "name": name}
        record = RECORD_TYPES[entity_type].model_validate({"owner": self.principal.user, **fields})
        return self.records.write(self.principal.tenant, [Create(record)])[0].record.id

    def names(self, tool: str, /, **arguments: Any) -> list[str]:
        """Run a call that returns a list, and return the names of its items in order."""
        return [item["display_name"] for item in self.do(tool, **arguments)["items"]]

    def total(self, entity_type: str) -> int:
        """Return the number of records of a type."""
        return sum(row.count for row in self.records.counts(self.principal.tenant, entity_type))
