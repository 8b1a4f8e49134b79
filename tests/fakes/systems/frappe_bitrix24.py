"""Frappe CRM, by its source, and Bitrix24, by its documentation, as far as the tests need them."""

import json
from datetime import datetime, timedelta
from typing import Any, ClassVar
from urllib.parse import urlsplit
from zoneinfo import ZoneInfo

from tests.fakes.systems.customer_api import Reply, Request
from tests.fakes.systems.documented_crms import NOW, Row, System


class Frappe(System):
    """Names as ids, times of the site's own zone, 417 for a refusal, and a version among an update's fields."""

    crm = "frappe"
    secret = "key:secret"
    time_zone = "Asia/Kolkata"
    needed: ClassVar[dict[str, str]] = {"CRM Lead": "first_name", "CRM Task": "title", "FCRM Note": "title"}
    links: ClassVar[dict[str, dict[str, str]]] = {
        "CRM Deal": {"organization": "CRM Organization", "lead": "CRM Lead", "status": "CRM Deal Status"},
        "CRM Lead": {"status": "CRM Lead Status"},
    }
    lists: ClassVar[dict[str, str]] = {"email_ids": "email_id", "phone_nos": "mobile_no"}
    """Lists that a record alone shows, and the field that has their first value."""

    def __init__(self) -> None:
        super().__init__()
        self.edits = 0
        stages = [("Qualification", "Open", 10), ("Proposal/Quotation", "Ongoing", 50), ("Legal review", "Ongoing", 70),
                  ("Won", "Won", 100), ("Lost", "Lost", 0)]  # fmt: skip
        for name, kind, probability in stages:
            own = {"name": name, "deal_status": name, "type": kind, "probability": probability}
            self.rows.setdefault("CRM Deal Status", {})[name] = own
        self.rows["CRM Lead Status"] = {"New": {"name": "New", "lead_status": "New", "type": "Open"}}

    def stamp(self) -> str:
        """Return the next time of the site's clock."""
        self.edits += 1
        return f"{NOW.astimezone(ZoneInfo(self.time_zone)) + timedelta(microseconds=self.edits):%Y-%m-%d %H:%M:%S.%f}"

    def served(self, request: Request, path: str, query: dict[str, str]) -> Reply:
        if request.headers.get("authorization") != f"token {self.secret}":
            return _exception("AuthenticationError", "", 401)
        doctype, _, key = path.removeprefix("/api/resource/").partition("/")
        rows = self.rows.setdefault(doctype, {})
        if key and key not in rows:
            return _exception("DoesNotExistError", f"{doctype} {key} not found", 404)
        if request.method == "GET":
            return Reply({"data": rows[key]}) if key else self.listed(rows, query)
        if request.method == "DELETE":
            del rows[key]
            return Reply({"data": "ok"}, 202)
        return self.saved(doctype, key, dict(request.body))

    def saved(self, doctype: str, key: str, body: Row) -> Reply:
        rows = self.rows[doctype]
        before = rows.get(key, {})
        if key and body.pop("modified", None) != before["modified"]:
            return _exception("TimestampMismatchError", "Document has been modified after you have opened it", 417)
        row = before | body
        if (field := self.needed.get(doctype)) and not row.get(field):
            return _exception("MandatoryError", f"[{doctype}, {key}]: {field}", 417)
        for field, target in self.links.get(doctype, {}).items():
            if (name := row.get(field)) and name not in self.rows.get(target, {}):
                return _exception("LinkValidationError", f"Could not find {field.title()}: {name}", 417)
        if due := body.get("due_date"):
            datetime.strptime(due, "%Y-%m-%d %H:%M:%S")  # noqa: DTZ007 - of the site's zone
        for field, shown in self.lists.items():
            row |= {shown: row[field][0][shown.replace("mobile_no", "phone")]} if row.get(field) else {}
        own_name: Any = key or self.name_of(doctype, row)
        if not key and own_name in rows:
            return _exception("DuplicateEntryError", f"('{doctype}', '{own_name}')", 409)
        now = self.stamp()
        rows[str(own_name)] = {"creation": now} | row | {"name": own_name, "modified": now}
        return Reply({"data": rows[str(own_name)]})

    def name_of(self, doctype: str, row: Row) -> Any:
        number = len(self.rows[doctype]) + 1
        match doctype:
            case "CRM Organization":
                return row["organization_name"]
            case "Contact":
                return f"{row['first_name']} {row.get('last_name', '')}".strip()
            case "CRM Task":
                return number
        return f"{doctype.upper().replace(' ', '-')}-2026-{number:05}"

    def listed(self, rows: dict[str, Row], query: dict[str, str]) -> Reply:
        matching = [{name: one for name, one in row.items() if name not in self.lists} for row in rows.values()]
        for field, operator, value in json.loads(query.get("filters", "[]")):
            assert operator == ">="
            datetime.strptime(value, "%Y-%m-%d %H:%M:%S")  # noqa: DTZ007 - of the site's zone
            matching = [row for row in matching if row[field] >= value]
        at, size = int(query.get("limit_start", 0)), int(query["limit_page_length"]) or len(matching)
        return Reply({"data": matching[at : at + size]})


def _exception(kind: str, text: str, status: int) -> Reply:
    return Reply({"exception": f"frappe.exceptions.{kind}: {text}", "exc_type": kind, "exc": '["Traceback"]'}, status)


class Bitrix24(System):
    """Methods instead of paths, the key in the address, lists of addresses with ids, 400 for every refusal."""

    crm = "bitrix24"
    secret = "1/abcdef0123456789"
    time_zone = "UTC"
    types: ClassVar[dict[int, str]] = {1: "lead", 2: "deal", 3: "contact", 4: "company"}
    lists: ClassVar[tuple[str, ...]] = ("PHONE", "EMAIL", "WEB")
    statuses: ClassVar[list[tuple[str, str, str, str]]] = [
        ("DEAL_STAGE", "NEW", "New", "process"), ("DEAL_STAGE", "PREPARATION", "Documents", "process"),
        ("DEAL_STAGE", "UC_LEGAL", "Legal review", "process"), ("DEAL_STAGE", "WON", "Deal won", "success"),
        ("DEAL_STAGE", "LOSE", "Deal lost", "failure"), ("DEAL_STAGE_5", "C5:NEW", "Begin", "process"),
        ("DEAL_STAGE_5", "C5:WON", "Done", "success"), ("STATUS", "NEW", "Unassigned", "process"),
        ("STATUS", "IN_PROCESS", "In progress", "process"), ("STATUS", "CONVERTED", "Good lead", "success"),
        ("SOURCE", "WEB", "Website", ""),
    ]  # fmt: skip

    def answer(self, request: Request) -> Reply:
        # Every request is a POST here: what is to come is for a create.
        if self.next and not request.path.endswith(".add"):
            return self.served(request, urlsplit(request.path).path, {})
        return super().answer(request)

    def served(self, request: Request, path: str, query: dict[str, str]) -> Reply:
        key, _, method = path.removeprefix("/rest/").rpartition("/")
        if key != self.secret:
            return Reply({"error": "NO_AUTH_FOUND", "error_description": "Wrong authorization data"}, 401)
        assert request.method == "POST"
        body: Row = request.body or {}
        if method == "user.get":
            return Reply({"result": [{"ID": "7", "EMAIL": "Alice@demo.example", "ACTIVE": True}], "total": 1})
        if method == "crm.status.list":
            names = ("ENTITY_ID", "STATUS_ID", "NAME")
            listed = [dict(zip(names, one, strict=False)) | {"EXTRA": {"SEMANTICS": one[3]}} for one in self.statuses]
            return Reply({"result": listed, "total": len(listed)})
        if method == "crm.activity.todo.add":
            return self.todo(body)
        entity, _, verb = method.removeprefix("crm.").rpartition(".")
        rows = self.rows.setdefault(entity, {})
        if verb == "list":
            return self.listed(entity, rows, body)
        if verb == "add":
            return Reply({"result": self.added(entity, body["fields"])})
        row = rows.get(str(body["id"]))
        if row is None:
            text = "Activity is not found" if entity == "activity" else "Not found"
            return Reply({"error": "", "error_description": text}, 400)
        if verb == "update":
            self.put(row, body["fields"])
        elif verb == "delete":
            del rows[row["ID"]]
        return Reply({"result": row if verb == "get" else True, "time": {"duration": 0.1}})

    def todo(self, body: Row) -> Reply:
        if not body.get("deadline"):
            return Reply({"error": "100", "error_description": "Could not find value for parameter {deadline}"}, 400)
        owner = self.rows.get(self.types[int(body["ownerTypeId"])], {})
        if str(body["ownerId"]) not in owner:
            return Reply({"error": "OWNER_NOT_FOUND", "error_description": "Owner not found"}, 400)
        fields = {"OWNER_TYPE_ID": body["ownerTypeId"], "OWNER_ID": body["ownerId"], "SUBJECT": body.get("title", ""),
                  "DESCRIPTION": body.get("description", ""), "DEADLINE": body["deadline"], "TYPE_ID": "6",
                  "RESPONSIBLE_ID": body.get("responsibleId", "1"), "COMPLETED": "N", "PRIORITY": "2"}  # fmt: skip
        return Reply({"result": {"id": self.added("activity", fields)}})

    def added(self, entity: str, fields: Row) -> int:
        rows = self.rows[entity] = self.rows.get(entity, {})
        number = sum(len(one) for one in self.rows.values()) + 100
        empty = {"COMPANY_ID": "0", "CONTACT_ID": None, "CATEGORY_ID": "0"} if entity == "deal" else {}
        rows[str(number)] = {"ID": str(number)} | empty
        for name in ("DATE_CREATE", "CREATED"):
            rows[str(number)][name] = "2026-03-02T12:00:00+03:00"
        self.put(rows[str(number)], fields)
        return number

    def put(self, row: Row, fields: Row) -> None:
        for name, value in fields.items():
            if name not in self.lists:
                row[name] = value if value is None else str(value)
                continue
            items = row.setdefault(name, [])
            for one in value:
                own = next((item for item in items if item["ID"] == one.get("ID")), None)
                if own is None:
                    items.append(own := {"ID": str(500 + len(items)), "TYPE_ID": name, "VALUE_TYPE": "OTHER"})
                own |= {"VALUE": one["VALUE"]} | ({"VALUE_TYPE": one["VALUE_TYPE"]} if "VALUE_TYPE" in one else {})
        row |= dict.fromkeys(("DATE_MODIFY", "LAST_UPDATED"), "2026-03-02T12:00:00+03:00")

    def listed(self, entity: str, rows: dict[str, Row], body: Row) -> Reply:
        matching, at = list(rows.values()), int(body.get("start") or 0)
        if entity == "timeline.comment":
            assert set(body["filter"]) == {"ENTITY_ID", "ENTITY_TYPE"}
        for name, value in body.get("filter", {}).items():
            if name.startswith(">="):
                matching = [row for row in matching if _time(row[name[2:]]) >= _time(value)]
            else:
                matching = [row for row in matching if row[name] == str(value)]
        more = {"next": at + 50} if len(matching) > at + 50 else {}
        return Reply({"result": matching[at : at + 50], "total": len(matching), **more})


def _time(text: str) -> datetime:
    return datetime.fromisoformat(text)


OLD_BITRIX = {"DATE_CREATE": "2026-02-01T12:00:00+03:00", "DATE_MODIFY": "2026-02-01T12:00:00+03:00"}
"""The times of a record of Bitrix24 that has not changed for a month."""
