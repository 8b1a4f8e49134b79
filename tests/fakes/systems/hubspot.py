"""A stateful fake of HubSpot's CRM API (paths of 2026-09) on a loopback port, which refuses what HubSpot refuses.

Its shapes and errors follow HubSpot's public documentation (developers.hubspot.com/docs/api-reference).
"""

import json
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from itertools import count
from threading import RLock
from typing import Any
from urllib.parse import parse_qs, urlsplit

from aisha.domain.ports import Clock
from tests.fakes.systems.loopback import LoopbackHandler, LoopbackServer

TOKEN = "pat-na1-test"
_STAGES = "appointmentscheduled qualifiedtobuy presentationscheduled contractsent closedwon closedlost".split()
ENUMS: dict[str, dict[str, Sequence[str]]] = {
    "deals": {"dealstage": _STAGES},
    "tasks": {"hs_task_status": ("NOT_STARTED", "COMPLETED", "DEFERRED"), "hs_task_type": ("TODO", "CALL", "EMAIL")},
}  # fmt: skip
NUMBERS = {"deals": ("amount",), "companies": ("annualrevenue", "numberofemployees")}
STAGES: Sequence[tuple[str, str, str]] = (
    ("appointmentscheduled", "Appointment Scheduled", "0.2"), ("qualifiedtobuy", "Qualified To Buy", "0.4"),
    ("presentationscheduled", "Presentation Scheduled", "0.6"), ("contractsent", "Contract Sent", "0.9"),
    ("closedwon", "Closed Won", "1.0"), ("closedlost", "Closed Lost", "0.0"),
)  # fmt: skip
PAGE = 100
_OBJECTS = re.compile(r"/crm/objects/2026-09/(\w+)(?:/(\w+))?(?:/associations/(.+))?$")


@dataclass
class Fault:
    """The server's behaviour at one request, instead of its work or after it: `lost` does the work and hangs up."""

    status: int = 500
    body: Any = None
    headers: dict[str, str] = field(default_factory=dict)
    lost: bool = False


@dataclass
class Row:
    """An object with its properties, which are texts, and the ids of those it is associated with, by their type."""

    id: str
    properties: dict[str, str | None]
    created: datetime
    updated: datetime
    associated: dict[str, list[str]] = field(default_factory=dict)


class RefusedError(Exception):
    """An error answer."""

    def __init__(self, status: int, message: str, category: str = "VALIDATION_ERROR", **more: Any) -> None:
        super().__init__(message)
        self.status = status
        self.body = {"status": "error", "message": message, "category": category, "correlationId": "c-1", **more}


class HubSpot(LoopbackServer):
    """A portal. `before` is asked before each request, and may return a fault."""

    def __init__(self, clock: Clock, port: int = 0) -> None:
        super().__init__(_Handler, port)
        self.clock = clock
        self.rows: dict[str, dict[str, Row]] = {}
        self.owners = {"71": "alice@demo.example", "72": "bob@demo.example"}
        self.unique: set[str] = set()
        self.requests: list[tuple[str, str]] = []
        self.before: Callable[[str, str], Fault | None] = lambda method, path: None
        self.lag = 0
        """Number of the newest changes that a search does not find yet."""
        self.lock = RLock()
        self._ids = count(101)

    def add(self, kind: str, associated: dict[str, list[str]] | None = None, **properties: str) -> str:
        """Create an object as a user of the portal does, and return its id."""
        with self.lock:
            now = self.clock.now()
            row = Row(str(next(self._ids)), dict(properties), now, now, associated or {})
            self.rows.setdefault(kind, {})[row.id] = row
            return row.id

    def change(self, kind: str, native_id: str, **properties: str | None) -> None:
        with self.lock:
            row = self.rows[kind][native_id]
            row.properties.update(properties)
            row.updated = self.clock.now()

    def remove(self, kind: str, native_id: str) -> None:
        with self.lock:
            del self.rows[kind][native_id]

    def all(self, kind: str) -> list[dict[str, str | None]]:
        return [row.properties for row in self.rows.get(kind, {}).values()]

    # --- the API

    def answer(self, method: str, path: str, query: dict[str, list[str]], body: Any) -> tuple[int, Any]:
        if path == "/crm/owners/2026-09":
            return 200, {"results": [{"id": key, "email": email} for key, email in self.owners.items()]}
        if path == "/crm/pipelines/2026-09/deals":
            stages = [
                {
                    "id": key,
                    "label": label,
                    "metadata": {"isClosed": str(p in ("1.0", "0.0")).lower(), "probability": p},
                }
                for key, label, p in STAGES
            ]
            renewals = [{**one, "id": f"renewal_{one['id']}"} for one in stages]
            return 200, {"results": [{"id": "default", "stages": stages}, {"id": "renewals", "stages": renewals}]}
        match = _OBJECTS.match(path)
        if match is None:
            raise RefusedError(404, "resource not found", "OBJECT_NOT_FOUND")
        kind, native_id, association = match.groups()
        rows = self.rows.setdefault(kind, {})
        if native_id == "search":
            return 200, self._search(kind, body)
        if native_id is None:
            if method == "POST":
                return 201, self._shown(self._create(kind, body["properties"]), {})
            return 200, self._page(kind, query)
        if native_id not in rows:
            raise RefusedError(404, "resource not found", "OBJECT_NOT_FOUND")
        row = rows[native_id]
        if association:
            return self._associate(method, row, association.removeprefix("default/").split("/"))
        if method == "PATCH":
            self._check(kind, body["properties"], row)
            self.change(kind, native_id, **body["properties"])
        elif method == "DELETE":
            del rows[native_id]
            return 204, None
        return 200, self._shown(row, query)

    def _create(self, kind: str, properties: dict[str, Any]) -> Row:
        self._check(kind, properties, None)
        return self.rows[kind][self.add(kind, **properties)]

    def _check(self, kind: str, properties: dict[str, Any], row: Row | None) -> None:
        for name, value in properties.items():
            allowed = ENUMS.get(kind, {}).get(name)
            if value is not None and allowed and str(value).removeprefix("renewal_") not in allowed:
                message = f"{value} was not one of the allowed options: {', '.join(allowed)}"
                raise self._invalid(name, message, "INVALID_OPTION")
            if value is not None and name in NUMBERS.get(kind, ()):
                try:
                    float(value)
                except ValueError:
                    raise self._invalid(name, f"{value} was not a valid number.", "INVALID_INTEGER") from None
            if name == "aisha_key" and name not in self.unique:
                raise self._invalid(name, 'Property "aisha_key" does not exist', "PROPERTY_DOESNT_EXIST")
        for name in {"email", "aisha_key"} & properties.keys():
            others = (other for other in self.rows[kind].values() if other is not row)
            if (
                kind == "contacts"
                and properties[name]
                and any(other.properties.get(name) == properties[name] for other in others)
            ):
                raise RefusedError(409, "Contact already exists. Existing ID: 101", "CONFLICT")
        if kind == "deals" and row is None and not properties.get("dealname"):
            raise self._invalid("dealname", "dealname is required", "REQUIRED_FIELD")

    def _invalid(self, name: str, message: str, code: str) -> RefusedError:
        error = {"message": message, "code": code, "context": {"propertyName": [name]}}
        return RefusedError(400, "Property values were not valid", errors=[error])

    def _associate(self, method: str, row: Row, parts: list[str]) -> tuple[int, Any]:
        kind, target = parts
        if target not in self.rows.get(kind, {}):
            raise RefusedError(404, f"No {kind} with id {target}", "OBJECT_NOT_FOUND")
        ids = row.associated.setdefault(kind, [])
        if method == "PUT" and target not in ids:
            ids.append(target)
        if method == "DELETE" and target in ids:
            ids.remove(target)
        row.updated = self.clock.now()
        return (204, None) if method == "DELETE" else (200, {})

    def _page(self, kind: str, query: dict[str, list[str]]) -> Any:
        limit, after = int(query.get("limit", ["10"])[0]), int(query.get("after", ["0"])[0])
        if limit > PAGE:
            raise RefusedError(400, f"Limit must be <= {PAGE}")
        rows = sorted(self.rows[kind].values(), key=lambda row: int(row.id))
        part = rows[after : after + limit]
        return self._results([self._shown(row, query) for row in part], after + limit, len(rows))

    def _search(self, kind: str, body: Any) -> Any:
        rows = sorted(self.rows[kind].values(), key=lambda row: row.updated)
        rows = rows[: len(rows) - self.lag] if self.lag else rows
        for group in body["filterGroups"]:
            for one in group["filters"]:
                name, value = one["propertyName"], one["value"]
                if name.endswith("lastmodifieddate"):
                    rows = [row for row in rows if row.updated.timestamp() * 1000 >= int(value)]
                else:
                    rows = [row for row in rows if row.properties.get(name) == value]
        after, limit = int(body.get("after") or 0), int(body.get("limit", 10))
        if after + limit > 10_000:
            raise RefusedError(400, "The maximum is 10000 results")
        part = [self._shown(row, {}) for row in rows[after : after + limit]]
        return {"total": len(rows), **self._results(part, after + limit, len(rows))}

    def _results(self, results: list[Any], following: int, total: int) -> dict[str, Any]:
        paging = {"paging": {"next": {"after": str(following)}}} if following < total else {}
        return {"results": results, **paging}

    def _shown(self, row: Row, query: dict[str, list[str]]) -> dict[str, Any]:
        names = query.get("properties", [""])[0].split(",")
        response: dict[str, Any] = {
            "id": row.id,
            "properties": {name: row.properties.get(name) for name in {*names, "hs_object_id"} if name},
            "createdAt": row.created.isoformat().replace("+00:00", "Z"),
            "updatedAt": row.updated.isoformat().replace("+00:00", "Z"),
            "archived": False,
        }
        requested_kinds = query.get("associations", [""])[0].split(",")
        if associations := {kind: ids for kind, ids in row.associated.items() if ids and kind in requested_kinds}:
            response["associations"] = {
                kind: {"results": [{"id": one, "type": f"x_to_{kind}"} for one in ids]}
                for kind, ids in associations.items()
            }
        return response


class _Handler(LoopbackHandler):
    fake: HubSpot

    def _serve(self) -> None:
        content, fake = self.content(), self.fake
        parts = urlsplit(self.path)
        fault = fake.before(self.command, parts.path)
        fake.requests.append((self.command, parts.path))
        if fault is not None and not fault.lost:
            self._json(fault.status, fault.body, fault.headers)
            return
        if self.headers.get("Authorization") != f"Bearer {TOKEN}":
            refused = {"message": "Authentication credentials not found.", "category": "INVALID_AUTHENTICATION"}
            self._json(401, {"status": "error", **refused})
            return
        try:
            with fake.lock:
                body = json.loads(content) if content else None
                status, answer = fake.answer(self.command, parts.path, parse_qs(parts.query), body)
        except RefusedError as error:
            status, answer = error.status, error.body
        if fault is not None:
            self.close_connection = True
            return
        self._json(status, answer)

    def _json(self, status: int, body: Any, headers: dict[str, str] | None = None) -> None:
        content = b"" if body is None else body.encode() if isinstance(body, str) else json.dumps(body).encode()
        kind = "text/html" if isinstance(body, str) else "application/json"
        self.send(status, content, {"Content-Type": kind, **(headers or {})})

    do_GET = do_POST = do_PUT = do_PATCH = do_DELETE = _serve
