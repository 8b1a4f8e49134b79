"""Copper and Attio as their documentation describes them, as far as the tests need them."""

import re
from typing import Any, ClassVar

from tests.fakes.systems.customer_api import Reply, Request
from tests.fakes.systems.documented_crms import NEW, NOW, Row, System

STAMP = int(NOW.timestamp())


class Copper(System):
    """Three headers for one key, searches by POST, times in seconds, a name in one text and in two parts."""

    crm = "copper"
    secret: ClassVar[dict[str, str]] = {"secret": "key", "email": "alice@demo.example"}
    users: ClassVar[list[Row]] = [{"id": 7, "name": "Alice", "email": "alice@demo.example"}]
    settings: ClassVar[dict[str, list[Row]]] = {
        "pipeline_stages": [
            {"id": 1, "name": "Qualified", "pipeline_id": 9, "win_probability": 5},
            {"id": 2, "name": "Legal review", "pipeline_id": 9, "win_probability": 50},
        ],
        "lead_statuses": [{"id": 11, "name": "New"}, {"id": 12, "name": "Open"}, {"id": 13, "name": "Unqualified"}],
        "customer_sources": [{"id": 21, "name": "Email"}, {"id": 22, "name": "Cold Call"}],
    }
    blank: ClassVar[dict[str, Row]] = {
        "leads": {"status_id": 11, "assignee_id": None, "email": None, "phone_numbers": []},
        "people": {"assignee_id": None, "emails": [], "phone_numbers": []},
        "companies": {"assignee_id": None, "phone_numbers": [], "websites": []},
        "opportunities": {"assignee_id": None, "pipeline_id": 9, "pipeline_stage_id": 1, "status": "Open"},
        "tasks": {"assignee_id": None, "status": "Open", "priority": "None"},
        "activities": {"user_id": 7, "activity_date": STAMP},
    }
    numbers = ("assignee_id", "company_id", "primary_contact_id", "pipeline_stage_id", "status_id", "due_date")
    lists = ("emails", "phone_numbers", "websites")

    def served(self, request: Request, path: str, query: dict[str, str]) -> Reply:
        given = tuple(request.headers.get(f"x-pw-{name}") for name in ("accesstoken", "application", "useremail"))
        if given != ("key", "developer_api", "alice@demo.example"):
            return _refused(401, "Invalid API Key")
        kind, _, rest = path.removeprefix("/developer_api/v1/").partition("/")
        if kind == "users":
            return Reply(self.users)
        if kind in self.settings:
            return Reply(self.settings[kind])
        rows = self.rows.setdefault(kind, {})
        if rest == "search":
            return self.searched(list(rows.values()), request.body)
        if rest and rest not in rows:
            return _refused(404, "Resource not found")
        if request.method == "DELETE":
            rows.pop(rest)
            if kind == "activities":
                rows[rest] = {"id": int(rest), "is_deleted": True}
            return Reply({"id": int(rest), "is_deleted": True})
        if request.method in ("POST", "PUT"):
            if problem := self.problem_of(request.body, is_new=not rest):
                return _refused(422, problem)
            rest = rest or str(100 + sum(map(len, self.rows.values())))
            row = rows.setdefault(rest, {"id": int(rest), "date_created": STAMP, **self.blank[kind]})
            row.update(request.body, date_modified=STAMP)
            if match := re.fullmatch(r"0?(\d+)/0?(\d+)/(\d+)", row.get("close_date") or ""):
                row["close_date"] = "/".join(match.groups())
        return Reply(rows[rest])

    def problem_of(self, body: Row, *, is_new: bool) -> str:
        if is_new and not body.get("name") and not body.get("parent", {}).get("id"):
            return "Validation failed: Name can't be blank"
        if wrong := [name for name in self.numbers if not isinstance(body.get(name), int | None)]:
            return f"Invalid input: {wrong[0]}"
        if any(not one.get("category") for name in self.lists for one in body.get(name, [])):
            return "Invalid input: category"
        return (
            "Validation failed: Email is invalid" if "@" not in (body.get("email") or {"email": "@"})["email"] else ""
        )

    def searched(self, matching: list[Row], body: Row) -> Reply:
        size, page = body["page_size"], body["page_number"]
        assert 0 < size <= 200
        since = body.get("minimum_modified_date", 0)
        assert isinstance(since, int)
        matching = [row for row in matching if row.get("date_modified", STAMP) >= since]
        return Reply(matching[(page - 1) * size : page * size])


def _refused(status: int, message: str) -> Reply:
    return Reply({"success": False, "status": status, "message": message}, status)


class Attio(System):
    """Values as lists of objects that are written as plain values, searches by POST, no times of changes."""

    crm = "attio"
    secret = "token"
    users: ClassVar[list[Row]] = [
        {"id": {"workspace_id": "w", "workspace_member_id": "m7"}, "email_address": "alice@demo.example"}
    ]
    stages: ClassVar[list[str]] = ["Lead", "In Progress", "Legal review", "Won 🎉", "Lost"]
    members: ClassVar[dict[str, str]] = {
        "email_addresses": "email_address", "domains": "domain", "phone_numbers": "original_phone_number",
        "value": "currency_value",
    }  # fmt: skip
    """The member of an attribute's value that a plain value is; `value` for the others."""
    needed: ClassVar[dict[str, set[str]]] = {
        "deals": {"name", "stage", "owner"},
        "notes": {"parent_object", "parent_record_id", "title", "format", "content"},
        "tasks": {"content", "format", "deadline_at", "is_completed", "linked_records", "assignees"},
    }

    def served(self, request: Request, path: str, query: dict[str, str]) -> Reply:
        if request.headers.get("authorization") != "Bearer token":
            return _failed(401, "unauthorized", "Could not find the access token.")
        _, _, kind, *rest = path.split("/")
        if kind == "workspace_members":
            return Reply({"data": self.users})
        if rest[-1:] == ["statuses"]:
            return Reply({"data": [{"id": {"status_id": f"s-{one}"}, "title": one} for one in self.stages]})
        if kind == "objects":
            kind, _, *rest = rest
        rows, given = self.rows.setdefault(kind, {}), request.body or query
        if rest == ["query"] or (request.method == "GET" and not rest):
            at, limit = int(given["offset"]), int(given["limit"])
            assert limit <= (50 if kind == "notes" else 500)
            return Reply({"data": list(rows.values())[at : at + limit]})
        if rest and rest[0] not in rows:
            return _failed(404, "not_found", f'Record with ID "{rest[0]}" was not found.')
        if request.method == "DELETE":
            del rows[rest[0]]
            return Reply({})
        if request.method in ("POST", "PATCH"):
            data = request.body["data"]
            written = data.get("values", data)
            if not rest and (missing := self.needed.get(kind, set()) - written.keys()):
                return _failed(400, "missing_value", f'Required value for attribute "{min(missing)}" was not provided.')
            try:
                rest = rest or [self.added(kind)]
                self.store(kind, rows[rest[0]], written)
            except ValueError as error:
                return _failed(400, "validation_type", f'Invalid value was passed to attribute with slug "{error}".')
        return Reply({"data": rows[rest[0]]})

    def added(self, kind: str) -> str:
        key = f"{kind}-{len(self.rows[kind])}"
        own = {"notes": "note_id", "tasks": "task_id"}.get(kind, "record_id")
        self.rows[kind][key] = {"id": {"workspace_id": "w", own: key}, "created_at": NEW}
        return key

    def store(self, kind: str, row: Row, written: Row) -> None:
        if kind in ("notes", "tasks"):
            row.update({name: value for name, value in written.items() if name != "format"})
            row["content_plaintext"] = row.get("content")
            row["linked_records"] = [
                {"target_object_id": one.get("target_object", one.get("target_object_id")),
                 "target_record_id": one["target_record_id"]}
                for one in row.get("linked_records", [])
            ]  # fmt: skip
            return
        values = row.setdefault("values", {})
        for slug, value in written.items():
            values[slug] = [] if value is None else [self.shown(slug, one) for one in _listed(value)]

    def shown(self, slug: str, value: Any) -> Row:
        if slug == "stage":
            if value not in self.stages:
                raise ValueError(slug)
            return {"status": {"id": {"status_id": f"s-{value}"}, "title": value}}
        is_whole_name = isinstance(value, dict) and set(value) == {"first_name", "last_name", "full_name"}
        if slug == "name" and not isinstance(value, str) and not is_whole_name:
            raise ValueError(slug)
        if slug == "value":
            return {"currency_value": float(value), "currency_code": "USD"}
        return value if isinstance(value, dict) else {self.members.get(slug, "value"): value}


def _listed(value: Any) -> list[Any]:
    return value if isinstance(value, list) else [value]


def _failed(status: int, code: str, message: str) -> Reply:
    return Reply({"status_code": status, "type": "invalid_request_error", "code": code, "message": message}, status)
