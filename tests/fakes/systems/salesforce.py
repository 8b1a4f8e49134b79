"""A stateful fake of Salesforce's REST API on a loopback port, which refuses what Salesforce refuses.

Its shapes and errors follow Salesforce's REST API Developer Guide (developer.salesforce.com/docs/atlas.en-us.api_rest).
"""

import json
import re
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime, timedelta
from email.utils import parsedate_to_datetime
from itertools import count
from threading import RLock
from typing import Any
from urllib.parse import parse_qs, urlsplit

from aisha.domain.ports import Clock
from tests.fakes.systems.hubspot import Fault
from tests.fakes.systems.loopback import LoopbackHandler, LoopbackServer

SECRET = json.dumps({"client_id": "3MVG9", "client_secret": "s3cret-of-the-app"})
PREFIXES = {
    "Account": "001",
    "Contact": "003",
    "Lead": "00Q",
    "Opportunity": "006",
    "Task": "00T",
    "Event": "00U",
    "Note": "002",
}
REQUIRED = {
    "Lead": ("LastName", "Company"),
    "Contact": ("LastName",),
    "Account": ("Name",),
    "Opportunity": ("Name", "StageName", "CloseDate"),
}
PICKLISTS = {
    "StageName": (
        "Prospecting",
        "Qualification",
        "Proposal/Price Quote",
        "Negotiation/Review",
        "Closed Won",
        "Closed Lost",
    )
}
STAGES = (
    ("Prospecting", 10),
    ("Qualification", 20),
    ("Proposal/Price Quote", 65),
    ("Negotiation/Review", 80),
    ("Closed Won", 100),
    ("Closed Lost", 0),
)
PAGE = 2
DATA = "/services/data/v67.0"
_QUERY = re.compile(r"SELECT (.+?) FROM (\w+)(?: WHERE (.+?))?(?: ORDER BY .+)?", re.DOTALL)
_CONDITION = re.compile(r"(\w+) (=|>=) (?:'([^']*)'|(\S+))")


@dataclass
class RefusedError(Exception):
    status: int
    code: str
    message: str
    fields: tuple[str, ...] = ()


class Salesforce(LoopbackServer):
    """An org. `before` is asked before each request, and may return a fault."""

    def __init__(self, clock: Clock) -> None:
        super().__init__(_Handler)
        self.clock = clock
        self.rows: dict[str, dict[str, dict[str, Any]]] = {kind: {} for kind in PREFIXES}
        self.users = {"005A": "alice@demo.example", "005B": "bob@demo.example"}
        self.has_key = False
        self.session = "00D!session-1"
        self.requests: list[tuple[str, str]] = []
        self.before: Callable[[str, str], Fault | None] = lambda method, path: None
        self.lock = RLock()
        self._ids = count(1)
        self._cursors: dict[str, list[Any]] = {}

    def add(self, kind: str, **fields: Any) -> str:
        """Create a record as a user of the org does, and return its id."""
        now = self.clock.now()
        native_id = f"{PREFIXES[kind]}{next(self._ids):012d}AAA"
        stamps = {"Id": native_id, "CreatedDate": now, "SystemModstamp": now}
        self.rows[kind][native_id] = {"OwnerId": "005A", **fields, **stamps}
        return native_id

    def change(self, kind: str, native_id: str, **fields: Any) -> None:
        self.rows[kind][native_id] |= {**fields, "SystemModstamp": self.clock.now()}

    # --- the API

    def answer(
        self, method: str, path: str, query: dict[str, list[str]], body: Any, headers: dict[str, str]
    ) -> tuple[int, Any]:
        if path == "/services/oauth2/token":
            form = {name: values[0] for name, values in parse_qs(body).items()}
            if form.get("grant_type") != "client_credentials" or form.get("client_secret") != "s3cret-of-the-app":
                return 400, {"error": "invalid_client", "error_description": "invalid client credentials"}
            return 200, {"access_token": self.session, "instance_url": self.url, "token_type": "Bearer"}
        if headers.get("authorization") != f"Bearer {self.session}":
            raise RefusedError(401, "INVALID_SESSION_ID", "Session expired or invalid")
        if path.startswith(f"{DATA}/query/01g"):
            return 200, self._results(self._cursors.pop(path.rpartition("/")[2]))
        if path.startswith(f"{DATA}/query"):
            return 200, self._results(self._select(query["q"][0]))
        match = re.match(rf"{DATA}/sobjects/(\w+)(?:/(\w+))?(?:/([^/]+))?/?$", path)
        if match is None or match[1] not in PREFIXES:
            raise RefusedError(404, "NOT_FOUND", "The requested resource does not exist")
        kind, first, second = match.groups()
        fields = json.loads(body) if body else {}
        if second is not None:
            return self._upsert(kind, first, second, fields)
        if method == "POST":
            return 201, {"id": self._create(kind, fields), "success": True, "errors": []}
        row = self.rows[kind].get(first)
        if row is None:
            raise RefusedError(404, "NOT_FOUND", "Provided external ID field does not exist or is not accessible")
        if method == "DELETE":
            del self.rows[kind][first]
            return 204, None
        if method == "PATCH":
            limit = headers.get("if-unmodified-since")
            if limit and row["SystemModstamp"] >= parsedate_to_datetime(limit) + timedelta(seconds=1):
                return 412, None
            self._check(kind, fields, is_new=False)
            self.change(kind, first, **fields)
            return 204, None
        return 200, self._shown(kind, row, list(row))

    def _create(self, kind: str, fields: dict[str, Any]) -> str:
        self._check(kind, fields, is_new=True)
        return self.add(kind, **fields)

    def _upsert(self, kind: str, field: str, value: str, fields: dict[str, Any]) -> tuple[int, Any]:
        if field != "AiSHA_Key__c" or not self.has_key:
            raise RefusedError(404, "NOT_FOUND", "Provided external ID field does not exist or is not accessible")
        for native_id, row in self.rows[kind].items():
            if row.get(field) == value:
                self.change(kind, native_id, **fields)
                return 200, {"id": native_id, "success": True, "created": False, "errors": []}
        return 201, {"id": self._create(kind, {**fields, field: value}), "success": True, "created": True, "errors": []}

    def _check(self, kind: str, fields: dict[str, Any], *, is_new: bool) -> None:
        missing = tuple(name for name in REQUIRED.get(kind, ()) if not fields.get(name)) if is_new else ()
        if missing:
            message = f"Required fields are missing: [{', '.join(missing)}]"
            raise RefusedError(400, "REQUIRED_FIELD_MISSING", message, missing)
        for name, value in fields.items():
            if name in PICKLISTS and value not in PICKLISTS[name]:
                message = f"bad value for restricted picklist field: {value}"
                raise RefusedError(400, "INVALID_OR_NULL_FOR_RESTRICTED_PICKLIST", message, (name,))
            if name == "Amount" and value is not None and not isinstance(value, int | float):
                raise RefusedError(400, "JSON_PARSER_ERROR", f"Cannot deserialize instance of currency from {value!r}")

    def _select(self, text: str) -> list[Any]:
        match = _QUERY.fullmatch(text.strip())
        if match is None:
            raise RefusedError(400, "MALFORMED_QUERY", f"unexpected token: {text[:40]}")
        names, kind, where = [name.strip() for name in match[1].split(",")], match[2], match[3]
        if kind == "User":
            rows: list[dict[str, Any]] = [
                {"Id": key, "Email": email, "IsActive": True} for key, email in self.users.items()
            ]
        elif kind == "OpportunityStage":
            rows = [
                {
                    "ApiName": name,
                    "MasterLabel": name,
                    "IsClosed": name.startswith("Closed"),
                    "IsWon": name == "Closed Won",
                    "DefaultProbability": probability,
                    "IsActive": True,
                }
                for name, probability in STAGES
            ]
        else:
            rows = list(self.rows[kind].values())
        for condition in filter(None, (where or "").split(" AND ")):
            part = _CONDITION.fullmatch(condition.strip())
            if part is None:
                raise RefusedError(400, "MALFORMED_QUERY", f"unexpected token: {condition}")
            rows = [row for row in rows if _holds(row, part)]
        if len(names) != len(set(names)):
            raise RefusedError(400, "INVALID_FIELD", f"duplicate field selected: {names}")
        return [self._shown(kind, row, names) for row in rows]

    def _results(self, rows: list[Any]) -> dict[str, Any]:
        page, rest = rows[:PAGE], rows[PAGE:]
        more: dict[str, Any] = {}
        if rest:
            cursor = f"01g{next(self._ids)}"
            self._cursors[cursor] = rest
            more = {"nextRecordsUrl": f"{DATA}/query/{cursor}"}
        return {"totalSize": len(rows), "done": not rest, "records": page, **more}

    def _shown(self, kind: str, row: dict[str, Any], names: list[str]) -> dict[str, Any]:
        response: dict[str, Any] = {"attributes": {"type": kind}}
        for name in names:
            relation, _, inner = name.partition(".")
            if inner == "Type":
                target = str(row.get(f"{relation}Id") or "")
                kind_of_target = next((one for one, prefix in PREFIXES.items() if target.startswith(prefix)), None)
                response[relation] = {"Type": kind_of_target} if kind_of_target else None
                continue
            value = row.get(name)
            response[name] = value.isoformat(timespec="milliseconds") if isinstance(value, datetime) else value
        return response


def _holds(row: dict[str, Any], part: re.Match[str]) -> bool:
    name, operator, text, literal = part.groups()
    value = row.get(name)
    if operator == ">=":
        return isinstance(value, datetime) and value >= datetime.fromisoformat(literal)
    return value is (literal == "true") if text is None else value == text


class _Handler(LoopbackHandler):
    fake: Salesforce

    def _serve(self) -> None:
        content, fake, parts = self.content().decode(), self.fake, urlsplit(self.path)
        fault = fake.before(self.command, parts.path)
        fake.requests.append((self.command, parts.path))
        if fault is not None and not fault.lost:
            self._json(fault.status, fault.body, fault.headers)
            return
        try:
            with fake.lock:
                query = parse_qs(parts.query)
                status, answer = fake.answer(self.command, parts.path, query, content, self.lower_headers())
        except RefusedError as error:
            one: dict[str, Any] = {"message": error.message, "errorCode": error.code}
            status, answer = error.status, [{**one, "fields": list(error.fields)} if error.fields else one]
        if fault is not None:
            self.close_connection = True
            return
        self._json(status, answer)

    def _json(self, status: int, body: Any, headers: dict[str, str] | None = None) -> None:
        content = b"" if body is None else json.dumps(body).encode()
        limits = {"Sforce-Limit-Info": f"api-usage={len(self.fake.requests)}/100000"}
        self.send(status, content, {"Content-Type": "application/json;charset=UTF-8", **limits, **(headers or {})})

    do_GET = do_POST = do_PATCH = do_DELETE = _serve
