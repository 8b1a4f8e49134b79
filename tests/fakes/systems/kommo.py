"""Kommo (amoCRM) by the documentation of its API v4, as far as the tests need it."""

from itertools import count
from typing import Any, ClassVar
from urllib.parse import urlencode

from tests.fakes.systems.customer_api import Reply, Request
from tests.fakes.systems.documented_crms import NOW, Row, System

KINDS = {"leads": "lead", "contacts": "contact", "companies": "company", "tasks": "task", "notes": "note"}
LINKED = {"leads": ("contacts", "companies"), "contacts": ("companies", "leads"), "companies": ("contacts", "leads")}
WHOLE = {"price", "status_id", "pipeline_id", "responsible_user_id", "complete_till", "task_type_id", "entity_id"}
"""Members that are refused unless they are whole numbers."""
NEEDED = {"tasks": ("text", "complete_till"), "notes": ("note_type",)}
WON, LOST = 142, 143
PIPELINES: dict[int, list[Row]] = {
    11: [{"id": 1, "name": "Incoming leads", "type": 1}, {"id": 12, "name": "Initial contact", "type": 0},
         {"id": 13, "name": "Offer made", "type": 0}, {"id": 14, "name": "Legal review", "type": 0}],
    21: [{"id": 2, "name": "Incoming leads", "type": 1}, {"id": 22, "name": "Renewal offer", "type": 0}],
}  # fmt: skip
CLOSED: list[Row] = [{"id": WON, "name": "Closed - won", "type": 0}, {"id": LOST, "name": "Closed - lost", "type": 0}]
"""Every pipeline has these two, with the same ids."""


class Kommo(System):
    """HAL: rows below `_embedded`, 204 for nothing, arrays of new records, links by requests, times since 1970."""

    crm = "kommo"
    secret = "long-lived-token"
    users: ClassVar[list[Row]] = [{"id": 7, "email": "alice@demo.example"}, {"id": 8, "email": "bob@demo.example"}]

    def __init__(self) -> None:
        super().__init__()
        self._ids = count(501)
        self.time = int(NOW.timestamp())

    def served(self, request: Request, path: str, query: dict[str, str]) -> Reply:
        if request.headers.get("authorization") != f"Bearer {self.secret}":
            return _problem(401, "Unauthorized", "Wrong token")
        kind, *rest = path.removeprefix("/api/v4/").split("/")
        if (kind, rest) == ("leads", ["pipelines"]):
            pipelines = [
                {"id": key, "_embedded": {"statuses": [{**one, "pipeline_id": key} for one in [*own, *CLOSED]]}}
                for key, own in PIPELINES.items()
            ]
            return Reply({"_embedded": {"pipelines": pipelines}})
        if kind == "users":
            return Reply({"_embedded": {"users": self.users}})
        if "notes" in rest:
            return self.notes(request, kind, rest, query)
        if rest[1:] and rest[1] in ("link", "unlink"):
            return self.linked(kind, int(rest[0]), rest[1], request.body)
        return self.objects(request, kind, rest[0] if rest else "", query)

    def notes(self, request: Request, kind: str, rest: list[str], query: dict[str, str]) -> Reply:
        """Serve /{kind}/notes, /{kind}/notes/{id} and /{kind}/{id}/notes."""
        if rest[0] != "notes":
            above = {"entity_id": int(rest[0])}
            request = Request(request.method, request.path, request.headers, [above | one for one in request.body])
        table, key = f"{kind}/notes", rest[1] if rest[0] == "notes" and rest[1:] else ""
        return self.objects(request, table, key, query, "notes")

    def objects(self, request: Request, kind: str, key: str, query: dict[str, str], name: str = "") -> Reply:
        rows, name = self.rows.setdefault(kind, {}), name or kind
        if request.method == "GET":
            if key:
                return Reply(self.shown(kind, rows[key], query)) if key in rows else Reply("", 204)
            return self.listed(request, kind, name, list(rows.values()), query)
        if request.method == "DELETE":
            return _problem(405, "Method not allowed", "")
        if not isinstance(request.body, list) and not key:
            return _problem(400, "Bad Request", "Array expected")
        bodies = [{**request.body, "id": int(key)}] if key else request.body
        errors = [error for body in bodies for error in self.wrong(name, body, is_new=request.method == "POST")]
        if errors:
            return _problem(400, "Bad Request", "Request validation failed", errors)
        answered = [self.saved(kind, name, body) for body in bodies]
        return Reply(answered[0] if key else {"_embedded": {name: answered}})

    def wrong(self, name: str, body: Row, *, is_new: bool) -> list[Row]:
        errors = [
            {"code": "InvalidType", "path": one, "detail": "This value should be of type int."}
            for one in sorted(WHOLE & body.keys())
            if not isinstance(body[one], int) or isinstance(body[one], bool)
        ]
        errors += [
            {"code": "FieldMissing", "path": one, "detail": "This field is missing."}
            for one in (NEEDED.get(name, ()) if is_new else ())
            if not body.get(one)
        ]
        statuses = {one["id"] for own in PIPELINES.values() for one in [*own, *CLOSED]}
        if body.get("status_id", WON) not in statuses:
            errors.append({"code": "NotSupportedChoice", "path": "status_id", "detail": "The value is not valid."})
        if not is_new and body.get("is_completed") and not body.get("result", {}).get("text"):
            errors.append({"code": "FieldMissing", "path": "result.text", "detail": "This field is missing."})
        return errors

    def saved(self, kind: str, name: str, body: Row) -> Row:
        self.time += 1
        key = str(body.get("id") or next(self._ids))
        defaults: Row = {"id": int(key), "created_at": self.time, "custom_fields_values": None, "_embedded": {}}
        if name == "leads":
            defaults |= {"price": 0, "status_id": 12, "pipeline_id": 11, "is_deleted": False}
        if name == "tasks":
            defaults |= {"is_completed": False, "task_type_id": 1}
        row = self.rows[kind].setdefault(key, defaults)
        changed = {one["field_code"]: one for one in body.get("custom_fields_values") or []}
        unchanged = [one for one in row["custom_fields_values"] or [] if one["field_code"] not in changed]
        row |= {member: value for member, value in body.items() if member not in ("id", "custom_fields_values")}
        row |= {"updated_at": self.time, "custom_fields_values": [*unchanged, *changed.values()] or None}
        return {"id": int(key), "updated_at": self.time}

    def linked(self, kind: str, key: int, action: str, body: Any) -> Reply:
        embedded = self.rows[kind][str(key)]["_embedded"]
        for one in body:
            to, target = one["to_entity_type"], int(one["to_entity_id"])
            if to not in LINKED[kind] or str(target) not in self.rows.get(to, {}):
                return _problem(400, "Bad Request", f"No {to} with the id {target}")
            others = [other for other in embedded.get(to, []) if other["id"] != target]
            if action == "link" and (to == "contacts" or kind == "leads"):
                # A deal has one company, and one of its contacts is the main one.
                is_main = bool(one.get("metadata", {}).get("is_main"))
                others = [] if to == "companies" else [{**other, "is_main": False} for other in others]
                embedded[to] = [*others, {"id": target, "is_main": is_main}]
            else:
                embedded[to] = [*others, {"id": target}] if action == "link" else others
        return Reply("", 204) if action == "unlink" else Reply({"_embedded": {"links": body}})

    def shown(self, kind: str, row: Row, query: dict[str, str]) -> Row:
        embedded = {
            to: linked
            for to, linked in row["_embedded"].items()
            if to == "companies" or to in query.get("with", "").split(",")
        }
        return {**row, "_embedded": embedded}

    def listed(self, request: Request, kind: str, name: str, rows: list[Row], query: dict[str, str]) -> Reply:
        page, limit = int(query.get("page", 1)), int(query.get("limit", 50))
        if limit > 250:
            return _problem(400, "Bad Request", "The limit is 250")
        if since := query.get("filter[updated_at][from]"):
            rows = [row for row in rows if row["updated_at"] >= int(since)]
        if kinds := query.get("filter[note_type]"):
            rows = [row for row in rows if row["note_type"] in kinds.split(",")]
        part = rows[(page - 1) * limit : page * limit]
        if not part:
            return Reply("", 204)
        links = {}
        if len(rows) > page * limit:
            host, path = request.headers["host"], request.path.partition("?")[0]
            links = {"next": {"href": f"http://{host}{path}?{urlencode({**query, 'page': page + 1})}"}}
        shown = [self.shown(kind, row, query) for row in part]
        return Reply({"_page": page, "_links": links, "_embedded": {name: shown}})


def _problem(status: int, title: str, detail: str, errors: list[Row] | None = None) -> Reply:
    body: Row = {"title": title, "type": "https://httpstatus.es", "status": status, "detail": detail}
    if errors:
        body["validation-errors"] = [{"request_id": "0", "errors": errors}]
    return Reply(body, status)
