"""Zoho CRM, Close and Dynamics 365 as their documentation describes them, as far as the tests need them."""

import re
from base64 import b64encode
from datetime import UTC, datetime
from typing import Any, ClassVar
from urllib.parse import parse_qs, unquote, urlsplit

from tests.fakes.systems.customer_api import Reply, Request

NOW = datetime(2026, 3, 2, 9, 0, tzinfo=UTC)
OLD, NEW = "2026-02-01T08:00:00+00:00", "2026-03-02T08:59:00+00:00"
Row = dict[str, Any]


class System:
    """The base of the three: rows by object and id, one refusal to come, the number of token requests."""

    crm: ClassVar[str]
    secret: ClassVar[dict[str, str] | str]
    users: ClassVar[list[Row]]

    def __init__(self) -> None:
        self.rows: dict[str, dict[str, Row]] = {}
        self.next: list[Reply] = []
        self.tokens = 0

    def answer(self, request: Request) -> Reply:
        if self.next and request.method != "GET" and "token" not in request.path:
            return self.next.pop(0)
        parts = urlsplit(request.path)
        query = {name: values[0] for name, values in parse_qs(parts.query).items()}
        return self.served(request, unquote(parts.path), query)

    def served(self, request: Request, path: str, query: dict[str, str]) -> Reply:
        raise NotImplementedError


class Zoho(System):
    """Lists of at most two rows, 204 where there is nothing, 304 where nothing has changed, 200 for some refusals."""

    crm = "zoho"
    secret: ClassVar[dict[str, str]] = {"client_id": "c", "client_secret": "s", "refresh_token": "r"}
    users: ClassVar[list[Row]] = [{"id": "7", "email": "alice@demo.example"}]

    def served(self, request: Request, path: str, query: dict[str, str]) -> Reply:
        if path == "/oauth/v2/token":
            self.tokens += 1
            return Reply({"access_token": f"1000.{self.tokens}", "expires_in": 3600, "token_type": "Bearer"})
        if request.headers.get("authorization") != f"Zoho-oauthtoken 1000.{self.tokens}":
            return Reply({"code": "INVALID_TOKEN", "message": "invalid oauth token", "status": "error"}, 401)
        _, _, _, module, *rest = path.split("/")
        if module == "users":
            return Reply({"users": self.users, "info": {"more_records": False}})
        if module == "settings":
            stages = ["Qualification", "Proposal/Price Quote", "Legal review", "Closed Won"]
            listed = [{"id": f"4{n}", "actual_value": one, "display_value": one} for n, one in enumerate(stages)]
            return Reply({"fields": [{"api_name": "Deal_Name"}, {"api_name": "Stage", "pick_list_values": listed}]})
        rows = self.rows.setdefault(module, {})
        if request.method == "GET" and not rest:
            return self.listed(rows, request, query)
        if request.method == "GET":
            return Reply({"data": [rows[rest[0]]]}) if rest[0] in rows else Reply("", 204)
        if request.method == "DELETE":
            matching = rows.pop(rest[0], None)
            code = {"code": "SUCCESS", "status": "success"} if matching else {"code": "INVALID_DATA", "status": "error"}
            return Reply({"data": [{**code, "details": {"id": rest[0]}, "message": "record deleted"}]})
        [fields] = request.body["data"]
        if module == "Deals" and request.method == "POST" and not fields.get("Closing_Date"):
            refusal = {"api_name": "Closing_Date", "json_path": "$.data[0].Closing_Date"}
            one = {"code": "MANDATORY_NOT_FOUND", "details": refusal, "message": "required field not found"}
            return Reply({"data": [{**one, "status": "error"}]}, 202)
        key = rest[0] if rest else f"90{len(rows)}"
        rows.setdefault(key, {"id": key, "Created_Time": NEW, "Modified_Time": NEW}).update(fields)
        answered = {"code": "SUCCESS", "details": {"id": key}, "message": "record added", "status": "success"}
        return Reply({"data": [answered]}, 200 if rest else 201)

    def listed(self, rows: dict[str, Row], request: Request, query: dict[str, str]) -> Reply:
        assert 0 < len(query["fields"].split(",")) <= 50
        matching = list(rows.values())
        if since := request.headers.get("if-modified-since"):
            # A time with "Z" or parts of a second is refused.
            assert re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\+00:00", since)
            matching = [row for row in matching if row["Modified_Time"] >= since]
            if not matching:
                return Reply("", 304)
        if not matching:
            return Reply("", 204)
        at = int(query.get("page_token", "p0")[1:])
        more = len(matching) > at + 2
        return Reply({"data": matching[at : at + 2],
                      "info": {"more_records": more, "next_page_token": f"p{at + 2}" if more else None}})  # fmt: skip


class Close(System):
    """Amounts in cents, a company above everything, custom fields with a dot in their name, `field-errors`."""

    crm = "close"
    secret = "api_key"
    users: ClassVar[list[Row]] = [{"id": "user_7", "email": "alice@demo.example"}]
    objects: ClassVar[dict[str, str]] = {"lead": "lead", "contact": "cont", "opportunity": "oppo", "task": "task"}

    def served(self, request: Request, path: str, query: dict[str, str]) -> Reply:
        if request.headers.get("authorization") != f"Basic {b64encode(b'api_key:').decode()}":
            return Reply({"error": "The API key is invalid."}, 401)
        kind, _, rest = path.removeprefix("/api/v1/").removeprefix("activity/").partition("/")
        if kind == "data":
            return self.searched(request.body)
        if kind in ("user", "status"):
            types = [("stat_1", "Demo", "active"), ("stat_2", "Legal review", "active"), ("stat_3", "Won", "won")]
            statuses = [{"id": one, "label": label, "type": type_} for one, label, type_ in types]
            return Reply({"data": self.users if kind == "user" else statuses, "has_more": False})
        rows, key = self.rows.setdefault(kind, {}), rest.strip("/")
        if key and key not in rows:
            return Reply({"error": "Empty query"}, 404)
        if request.method == "GET" and not key:
            at, matching = int(query["_skip"]), list(rows.values())
            if since := query.get("date_updated__gte"):
                matching = [
                    row
                    for row in matching
                    if datetime.fromisoformat(row["date_updated"]) >= datetime.fromisoformat(since)
                ]
            return Reply({"data": matching[at : at + 2], "has_more": len(matching) > at + 2})
        if request.method == "DELETE":
            del rows[key]
            return Reply({})
        if request.method in ("POST", "PUT"):
            if request.body.get("confidence", 0) > 90:
                return Reply({"errors": [], "field-errors": {"confidence": "Must be at most 90."}}, 400)
            key = key or f"{self.objects.get(kind, 'acti')}_{len(rows)}"
            rows.setdefault(key, {"id": key, "date_created": NEW, "lead_name": "ABC"}).update(request.body)
            rows[key]["date_updated"] = NEW
        return Reply(rows[key])

    def searched(self, body: Row) -> Reply:
        [kind], at = body["_fields"], int(body.get("cursor", "c0")[1:])
        matching = list(self.rows.setdefault(kind, {}).values())
        if len(body["query"]["queries"]) > 1:
            matching = [row for row in matching if row["date_updated"] == NEW]
        page = [{name: row.get(name) for name in body["_fields"][kind]} for row in matching[at : at + 2]]
        return Reply({"data": page, "cursor": f"c{at + 2}" if len(matching) > at + 2 else None})


class Dynamics(System):
    """OData: links are written as `@odata.bind` and read as `_..._value`, ids in parentheses, 204 for a change."""

    crm = "dynamics"
    secret: ClassVar[dict[str, str]] = {"client_id": "c", "client_secret": "s", "tenant_id": "t1"}
    users: ClassVar[list[Row]] = [{"systemuserid": "u7", "internalemailaddress": "alice@demo.example"}]
    note = "Microsoft.Dynamics.CRM.lookuplogicalname"
    ones: ClassVar[dict[str, str]] = {"opportunities": "opportunity", "tasks": "activity"}

    def served(self, request: Request, path: str, query: dict[str, str]) -> Reply:
        if path.endswith("/oauth2/v2.0/token"):
            self.tokens += 1
            return Reply({"access_token": "dyn", "expires_in": 3599})
        if request.headers.get("authorization") != "Bearer dyn":
            return Reply("", 401)
        path = path.removeprefix("/api/data/v9.2/")
        if path.startswith("EntityDefinitions"):
            labels = enumerate(["Qualify", "Develop", "Legal review", "Close"])
            options = [{"Value": n, "Label": {"UserLocalizedLabel": {"Label": label}}} for n, label in labels]
            return Reply({"OptionSet": {"Options": options}})
        match = re.fullmatch(r"(\w+)(?:\(([\w-]+)\))?", path)
        assert match, path
        kind, key = match[1], match[2]
        if kind == "systemusers":
            return Reply({"value": self.users})
        rows, id_name = self.rows.setdefault(kind, {}), f"{self.ones.get(kind, kind[:-1])}id"
        if key and key not in rows:
            return Reply({"error": {"code": "0x80040217", "message": f"{kind} With Id = {key} Does Not Exist"}}, 404)
        if request.method == "GET" and not key:
            return self.listed(rows, request, query)
        if request.method == "DELETE":
            del rows[key]
            return Reply("", 204)
        if request.method in ("POST", "PATCH"):
            assert key is None or request.headers["if-match"] == "*"
            key = key or f"new-{len(rows)}"
            rows.setdefault(key, {id_name: key, "createdon": NEW, "statecode": 0}).update(self.stored(request.body))
            rows[key]["modifiedon"] = NEW
        if request.method == "PATCH":
            return Reply("", 204)
        return Reply(rows[key], 201 if request.method == "POST" else 200)

    def stored(self, body: Row) -> Row:
        """Return the body as it is read: a bound link is the other's id, and the name of its table beside it."""
        values: Row = {}
        for name, value in body.items():
            navigation, _, bound = name.partition("@")
            if not bound:
                values[name] = value
                continue
            assert bound == "odata.bind"
            match = re.fullmatch(r"/(\w+)\(([\w-]+)\)", value or "")
            table, key = match.groups() if match else ("", None)
            column = f"_{navigation.partition('_')[0]}_value"
            values |= {column: key, f"{column}@{self.note}": self.ones.get(table, table[:-1])}
        return values

    def listed(self, rows: dict[str, Row], request: Request, query: dict[str, str]) -> Reply:
        matching, at = list(rows.values()), int(query.get("$skiptoken", 0))
        assert "odata.maxpagesize=" in request.headers["prefer"]
        if condition := query.get("$filter"):
            since = datetime.fromisoformat(condition.removeprefix("modifiedon ge "))
            matching = [row for row in matching if datetime.fromisoformat(row["modifiedon"]) >= since]
        body: Row = {"value": matching[at : at + 2]}
        if len(matching) > at + 2:
            body["@odata.nextLink"] = f"{request.path.partition('?')[0]}?$skiptoken={at + 2}"
        return Reply(body)
