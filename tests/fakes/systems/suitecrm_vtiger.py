"""SuiteCRM, by the source of its API V8, and Vtiger's REST API, by its documentation, as far as the tests need them."""

import json
import re
from base64 import b64encode
from typing import Any, ClassVar

from tests.fakes.systems.customer_api import Reply, Request
from tests.fakes.systems.documented_crms import NOW, Row, System

STAMP = NOW.strftime("%Y-%m-%d %H:%M:%S")
_DATABASE_TIME = re.compile(r"\d{4}-\d\d-\d\d \d\d:\d\d:\d\d")


class SuiteCrm(System):
    """JSON:API with a password grant, 400 for every failure, times written as in SQL and shown as in ISO 8601."""

    crm = "suitecrm"
    secret: ClassVar[dict[str, str]] = {"client_id": "c", "client_secret": "s", "username": "u", "password": "p"}
    modules: ClassVar[dict[str, str]] = {
        "Accounts": "Account", "Contacts": "Contact", "Leads": "Lead", "Opportunities": "Opportunity", "Notes": "Note",
        "Calls": "Call", "Meetings": "Meeting", "Tasks": "Task", "Users": "User",
    }  # fmt: skip
    times = ("date_start", "date_due")

    def __init__(self) -> None:
        super().__init__()
        self.rows["Users"] = {"u7": {"id": "u7", "email1": "alice@demo.example", "deleted": "0"}}

    def served(self, request: Request, path: str, query: dict[str, str]) -> Reply:
        path = path.removeprefix("/legacy/Api/")
        if path == "access_token":
            if request.body != {"grant_type": "password", **self.secret}:
                return Reply({"error": "invalid_client", "error_description": "Client authentication failed"}, 401)
            self.tokens += 1
            return Reply({"token_type": "Bearer", "expires_in": 3600, "access_token": f"jwt{self.tokens}"})
        if request.headers.get("authorization") != f"Bearer jwt{self.tokens}":
            return Reply({"error": "access_denied", "message": "The authorization server denied the request."}, 401)
        if request.method in ("POST", "PATCH"):
            return self.saved(request.body["data"], is_new=request.method == "POST")
        _, _, module, *rest = path.split("/")
        if not rest:
            return self.listed(module, query)
        row = self.rows.setdefault(module, {}).get(rest[0])
        if row is None or row["deleted"] == "1":
            return _detail(f"{module} module with id {rest[0]} is not found")
        if request.method == "DELETE":
            row.update(deleted="1", date_modified=STAMP)
            return Reply({"meta": {"message": f"Record with id {rest[0]} is deleted"}})
        return Reply({"data": self.shown(module, row)})

    def saved(self, data: Row, *, is_new: bool) -> Reply:
        rows = self.rows.setdefault(data["type"], {})
        key = f"{data['type']}-{len(rows)}" if is_new else data["id"]
        if is_new:
            rows[key] = {"id": key, "date_entered": STAMP, "deleted": "0"}
        elif key not in rows:
            return _detail(f"{data['type']} module with id {key} is not found")
        for name, value in data["attributes"].items():
            is_lost = name in self.times and not _DATABASE_TIME.fullmatch(str(value))
            # The database has texts alone.
            rows[key][name] = "" if value is None or is_lost else f"{value:.6f}" if name == "amount" else _text(value)
        rows[key]["date_modified"] = STAMP
        return Reply({"data": self.shown(data["type"], rows[key])}, 201)

    def shown(self, module: str, row: Row) -> Row:
        attributes = {
            name: f"{value.replace(' ', 'T')}+00:00" if _DATABASE_TIME.fullmatch(value) else value
            for name, value in row.items()
            if name != "id"
        }
        return {"type": self.modules[module], "id": row["id"], "attributes": attributes}

    def listed(self, module: str, query: dict[str, str]) -> Reply:
        matching = [row for row in self.rows.setdefault(module, {}).values() if row["deleted"] == "0"]
        if since := query.get("filter[date_modified][gte]"):
            assert _DATABASE_TIME.fullmatch(since)
            matching = [row for row in matching if row["date_modified"] >= since]
        size, page = int(query["page[size]"]), int(query["page[number]"])
        return Reply({"data": [self.shown(module, row) for row in matching[(page - 1) * size : page * size]]})


def _detail(detail: str) -> Reply:
    return Reply({"errors": {"status": 400, "title": None, "detail": detail}}, 400)


def _text(value: Any) -> str:
    return {None: "", True: "1", False: "0"}.get(value, str(value))


class Vtiger(System):
    """A query language for lists, forms of which one member is JSON, a date and a time of day apart."""

    crm = "vtiger"
    secret: ClassVar[dict[str, str]] = {"username": "alice", "password": "accesskey"}
    stages: ClassVar[list[str]] = ["Prospecting", "Qualification", "Legal review", "Closed Won", "Closed Lost"]
    modules: ClassVar[dict[str, int]] = {
        "Leads": 10, "Accounts": 11, "Contacts": 12, "Potentials": 13, "Calendar": 9, "Events": 18, "ModComments": 31,
    }  # fmt: skip
    needed: ClassVar[dict[str, tuple[str, ...]]] = {
        "Accounts": ("accountname",),
        "Potentials": ("potentialname", "closingdate", "sales_stage"),
        "Events": ("subject", "date_start", "time_start", "due_date", "time_end", "eventstatus", "activitytype"),
        "Calendar": ("subject", "date_start", "due_date", "taskstatus"),
    }

    def __init__(self) -> None:
        super().__init__()
        self.rows["Users"] = {"19x7": {"id": "19x7", "email1": "alice@demo.example"}}

    def served(self, request: Request, path: str, query: dict[str, str]) -> Reply:
        if request.headers.get("authorization") != f"Basic {b64encode(b'alice:accesskey').decode()}":
            return _unsuccessful("INVALID_AUTH", "Authentication failed", 401)
        operation = path.removeprefix("/restapi/v1/vtiger/default/")
        given = query if request.method == "GET" else request.body
        if operation == "query":
            return self.queried(given["query"])
        if operation == "describe":
            values = [{"label": one, "value": one} for one in self.stages]
            fields = [{"name": "sales_stage", "type": {"name": "picklist", "picklistValues": values}}]
            return Reply({"success": True, "result": {"fields": [{"name": "potentialname"}, *fields]}})
        element = json.loads(given.get("element", "{}"))
        if operation == "create":
            rows = self.rows.setdefault(given["elementType"], {})
            missing = [one for one in self.needed.get(given["elementType"], ()) if not element.get(one)]
            if missing or not element.get("assigned_user_id"):
                named = (missing or ["assigned_user_id"])[0]
                return _unsuccessful("MANDATORY_FIELDS_MISSING", f"{named} does not have a value")
            key = f"{self.modules[given['elementType']]}x{100 + len(rows)}"
            rows[key] = {"id": key, "createdtime": STAMP}
        else:
            key = element.get("id") or given["id"]
            rows = next((rows for rows in self.rows.values() if key in rows), {})
            if not rows:
                return _unsuccessful("RECORD_NOT_FOUND", "Record you are trying to access is not found")
        if operation == "delete":
            del rows[key]
            return Reply({"success": True, "result": {"status": "successful"}})
        if element:
            rows[key] |= {name: _text(value) for name, value in element.items()} | {"modifiedtime": STAMP}
        return Reply({"success": True, "result": rows[key]})

    def queried(self, text: str) -> Reply:
        match = re.fullmatch(
            r"select \* from (\w+)(?: where modifiedtime >= '(.+)')?(?: order by \w+)? limit (\d+), (\d+);", text
        )
        if match is None:
            return _unsuccessful("QUERY_SYNTAX_ERROR", "Syntax Error on line 1")
        matching, at = list(self.rows.get(match[1], {}).values()), int(match[3])
        if match[2]:
            assert _DATABASE_TIME.fullmatch(match[2])
            matching = [row for row in matching if row["modifiedtime"] >= match[2]]
        return Reply({"success": True, "result": matching[at : at + min(int(match[4]), 100)]})


def _unsuccessful(code: str, message: str, status: int = 400) -> Reply:
    return Reply({"success": False, "error": {"code": code, "message": message}}, status)
