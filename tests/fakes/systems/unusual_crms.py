"""Three invented CRMs whose APIs differ from those of the known ones in all that a mapping file can describe."""

from datetime import UTC, datetime
from typing import Any, ClassVar
from urllib.parse import parse_qs, unquote, urlsplit

from tests.fakes.systems.customer_api import Reply, Request
from tests.fakes.ticking_clock import TickingClock

NOW = datetime(2026, 3, 2, 9, 0, tzinfo=UTC)
Row = dict[str, Any]
NOT_THERE = dict.fromkeys(("lead", "contact", "activity", "note"), "This CRM has no such records.")


def epoch_ms(instant: datetime) -> int:
    return int(instant.timestamp() * 1000)


class Odd:
    """The base of the three: rows by object and id, and answers to come before any other."""

    name: ClassVar[str]
    secret: ClassVar[Any]
    file: ClassVar[Row]

    def __init__(self) -> None:
        self.clock = TickingClock(NOW)
        self.rows: dict[str, dict[str, Row]] = {"firms": {}, "deals": {}}
        self.next: list[Reply] = []

    def answer(self, request: Request) -> Reply:
        parts = urlsplit(request.path)
        query = {name: values[0] for name, values in parse_qs(parts.query).items()}
        if self.next and request.method != "GET" and parts.path not in ("/login", "/token"):
            return self.next.pop(0)
        return self.served(request, unquote(parts.path).strip("/").split("/"), query)

    def served(self, request: Request, path: list[str], query: dict[str, str]) -> Reply:
        raise NotImplementedError

    def new_id(self, kind: str) -> str:
        return str(len(self.rows[kind]) + 11)


def depot(kind: str, type_: str, fields: Row) -> Row:
    members = sorted({str(one["at"]).partition("[")[0].partition(".")[0] for one in fields.values()} | {"Removed"})
    listed: Row = {
        "method": "POST", "path": f"/v1/search/{kind}", "params": {"after": "{cursor}"},
        "json": {"size": "{limit}"}, "data_selector": "Result",
        "paginator": {"type": "header_cursor", "cursor_key": "X-Next", "limit": 2},
    }  # fmt: skip
    return {
        "name": kind, "type": type_, "id": "Id", "created_at": "Created", "updated_at": "Changed",
        "deleted": "Removed[0]", "incremental": {"format": "epoch_ms"},
        "record": "{" + ", ".join(f"{one}: {one}" for one in members) + "}",
        "list": listed, "changes": {**listed, "json": {"size": "{limit}", "filter": {"changedSince": "{since}"}}},
        "get": {"path": f"/v1/{kind}/{{id}}", "data_selector": "Record"},
        "create": {"method": "POST", "path": f"/v1/{kind}", "json": {"Record": "{fields}"}},
        "created_id_header": "Location",
        "update": {"method": "PUT", "path": f"/v1/{kind}/{{id}}", "json": {"Record": "{record}"}},
        "delete": {"method": "PATCH", "path": f"/v1/{kind}/{{id}}", "json": {"Removed": [True]}},
        "fields": fields,
    }  # fmt: skip


class Depot(Odd):
    name = "depot"
    secret = "k3y/+="
    file: ClassVar[Row] = {
        "name": "depot", "title": "Depot",
        "client": {"auth": {"type": "api_key", "location": "query", "name": "apikey"}},
        "errors": {"message": "Fault.Reason[0]", "field": "Fault.Field[0]"},
        "users": {"endpoint": {"path": "/v1/users", "data_selector": "Users"}, "id": "Id", "email": "Mail[0]"},
        "resources": [
            depot("firms", "account", {
                "name": {"at": "Name[0]", "put": "Name[0]"},
                "annual_revenue": {"at": "Revenue[0]", "put": "Revenue[0]", "type": "decimal"},
                "owner": {"at": "Owner[0]", "put": "Owner[0]", "user": True, "numeric": True},
                "custom.region": {
                    "at": "Extra[?key=='region'].value | [0]", "put": "Extra[?key=='region'].value",
                },
                "custom.tier": {"at": "Extra[?key=='tier'].value | [0]", "put": "Extra[?key=='tier'].value"},
            }),
            depot("deals", "opportunity", {
                "name": {"at": "Name[0]", "put": "Name[0]"},
                "stage": {"at": "Stage[0]", "put": "Stage[0]", "other": "prospecting",
                          "values": {"prospecting": 1, "proposal": 2, "closed_won": 9}},
                "amount": {"at": "Sum.Cents[0]", "put": "Sum.Cents[0]", "type": "cents"},
                "currency": {"at": "Sum.Currency.Code[0]", "put": "Sum.Currency.Code[0]"},
                "close_date": {"at": "Until[0]", "put": "Until[0]", "type": "date", "datetime_format": "epoch_ms"},
                "account_id": {"at": "Firm[0]", "put": "Firm[0]", "json": "/v1/firms/{value}", "link": "firms"},
            }),
        ],
        "unsupported": NOT_THERE,
    }  # fmt: skip

    def served(self, request: Request, path: list[str], query: dict[str, str]) -> Reply:
        if query.get("apikey") != self.secret:
            return Reply({"Fault": {"Reason": ["No key"]}}, 401)
        _, kind, *rest = path
        if kind == "users":
            return Reply({"Users": [{"Id": 7, "Mail": ["Alice@demo.example"]}]})
        if kind == "search":
            since, at = (request.body.get("filter") or {}).get("changedSince", 0), int(query.get("after", 0))
            assert isinstance(since, int)
            matching = [row for row in self.rows[rest[0]].values() if self.changed(row) >= since]
            more = {"X-Next": str(at + 2)} if len(matching) > at + 2 else {}
            return Reply({"Result": matching[at : at + 2]}, headers=more)
        rows = self.rows[kind]
        now = f"/Date({epoch_ms(self.clock.now())}+0000)/"
        if request.method == "POST":
            record = request.body["Record"]
            if len(record["Name"][0]) > 20:
                return Reply({"Fault": {"Reason": ["Too long"], "Field": ["Name"]}}, 422)
            key = self.new_id(kind)
            rows[key] = {"Id": int(key), "Created": now, "Changed": now, "Removed": [False], **record}
            return Reply("", 201, {"Location": f"https://depot.example/v1/{kind}/{key}"})
        if rest[0] not in rows:
            return Reply({}, 404)
        if request.method == "GET":
            return Reply({"Record": rows[rest[0]]})
        unchanged = {"Id": rows[rest[0]]["Id"], "Created": rows[rest[0]]["Created"], "Changed": now}
        if request.method == "PUT":
            assert "Id" not in request.body["Record"]
            rows[rest[0]] = {**request.body["Record"], **unchanged}
        else:
            rows[rest[0]] |= {**request.body, "Changed": now}
        return Reply("", 204)

    @staticmethod
    def changed(row: Row) -> int:
        return int(row["Changed"].removeprefix("/Date(").partition("+")[0])


def relay(kind: str, type_: str, fields: Row) -> Row:
    body = {"data": {"type": kind, "attributes": "{fields.attributes}", "relationships": "{fields.relationships}"}}
    listed = {
        "path": f"/{kind}", "params": {"page[size]": "{limit}"}, "data_selector": "data",
        "paginator": {"type": "header_link", "limit": 2},
    }  # fmt: skip
    guarded = {"path": f"/{kind}/{{id}}", "headers": {"If-Match": "{version}"}}
    return {
        "name": kind, "type": type_, "created_at": "attributes.created", "updated_at": "attributes.changed",
        "version_header": "ETag", "list": listed,
        "changes": {**listed, "params": {"page[size]": "{limit}", "filter[changed]": "{since}"}},
        "get": {"path": f"/{kind}/{{id}}", "data_selector": "data"},
        "create": {"method": "POST", "path": f"/{kind}", "json": body, "data_selector": "data"},
        "update": {"method": "PATCH", "json": {"data": {**body["data"], "id": "{id}"}}, **guarded},
        "delete": {"method": "DELETE", **guarded},
        "fields": fields,
    }  # fmt: skip


class Relay(Odd):
    name = "relay"
    secret: ClassVar[Row] = {"user": "aisha", "password": "s3cret"}
    kind_of_json = "application/vnd.api+json"
    form = "%d.%m.%Y %H:%M:%S"
    file: ClassVar[Row] = {
        "name": "relay", "title": "Relay", "datetime_format": form,
        "client": {
            "headers": {"Accept": kind_of_json, "Content-Type": kind_of_json},
            "auth": {
                "type": "login", "name": "X-Session", "value": "{secret}", "access_token_url": "{url}/login",
                "access_token_path": "data.token", "expires_in_path": "data.seconds",
            },
        },
        "errors": {"message": "errors[].detail", "field": "split(errors[0].source.pointer, '/')[-1]"},
        "values": {"stage": {
            "endpoint": {"path": "/pipelines", "data_selector": "data"}, "items": "stages", "group": "id",
            "id": "id", "label": "name", "canonical": "end == 'won' && 'closed_won' || 'proposal'",
        }},
        "resources": [
            relay("firms", "account", {"name": "attributes.title", "industry": "attributes.branch"}),
            relay("deals", "opportunity", {
                "name": "attributes.title",
                "amount": {"at": "attributes.value.cents", "type": "cents"},
                "close_date": {"at": "attributes.until", "type": "date", "datetime_format": "%d.%m.%Y"},
                "stage": {"at": "attributes.stage", "values": "stage", "other": "prospecting",
                          "group": "custom.pipeline"},
                "custom.pipeline": {"at": "attributes.pipeline", "read_only": True},
                "account_id": {"at": "relationships.firm.data.id", "link": "firms",
                               "also": {"relationships.firm.data.type": "firms"}},
                "owner": {"at": "attributes.owner.mail", "when": "attributes.owner.kind == 'user'", "user": "email",
                          "also": {"attributes.owner.kind": "user"}},
                "custom.team": {"at": "attributes.owner.team", "read_only": True},
            }),
        ],
        "unsupported": NOT_THERE,
    }  # fmt: skip

    def served(self, request: Request, path: list[str], query: dict[str, str]) -> Reply:
        kind, *rest = path
        if kind == "login":
            right = request.body == self.secret
            return Reply({"data": {"token": "t1", "seconds": 600}} if right else {"errors": [{"detail": "Who?"}]})
        if request.headers.get("x-session") != "t1":
            return Reply({"errors": [{"detail": "Log in"}]}, 401)
        if kind == "pipelines":
            ends = [("New business", "n"), ("Renewal", "r")]
            stages = [
                [{"id": f"{one}1", "name": "Offer"}, {"id": f"{one}2", "name": f"{name} review"},
                 {"id": f"{one}9", "name": "Won", "end": "won"}] for name, one in ends
            ]  # fmt: skip
            return Reply({"data": [{"id": one, "stages": of} for (_, one), of in zip(ends, stages, strict=True)]})
        rows, now = self.rows[kind], self.clock.now().strftime(self.form)
        if request.method == "GET" and not rest:
            since, at = query.get("filter[changed]"), int(query.get("page[at]", 0))
            matching = [row for row in rows.values() if self.order(row["attributes"]["changed"]) >= self.order(since)]
            link = f'</{kind}>; rel="first"'
            if len(matching) > at + 2:
                link += f', </{kind}?page[at]={at + 2}>; rel="next"'
            return Reply({"data": matching[at : at + 2]}, headers={"Link": link})
        if request.method != "GET" and request.body is not None:
            assert request.headers["content-type"] == self.kind_of_json
        if request.method == "POST":
            data, key = request.body["data"], self.new_id(kind)
            if not data["attributes"].get("value", {}).get("cents", 1):
                pointer = "/data/attributes/value/cents"
                return Reply({"errors": [{"detail": "No value", "source": {"pointer": pointer}}]}, 422)
            rows[key] = {"type": kind, "id": key, "relationships": {}, **data}
            rows[key]["attributes"] |= {"created": now, "changed": now, "pipeline": "n", "revision": 1}
            return Reply({"data": rows[key]}, 201)
        row = rows.get(rest[0])
        if row is None:
            return Reply({"errors": [{"detail": "Gone"}]}, 404)
        tag = f'"{row["attributes"]["revision"]}"'
        if request.method != "GET":
            if request.headers.get("if-match") != tag:
                return Reply({"errors": [{"detail": "Another version"}]}, 412)
            if request.method == "DELETE":
                del rows[rest[0]]
                return Reply("", 204)
            row["attributes"] |= {"revision": row["attributes"]["revision"] + 1, "changed": now}
            for part in ("attributes", "relationships"):
                row[part] |= request.body["data"].get(part, {})
        return Reply({"data": row}, headers={"ETag": tag})

    @staticmethod
    def order(text: str | None) -> list[str]:
        """Return the parts of a time from the year on."""
        return [] if text is None else [text[6:10], text[3:5], text[:2], text[11:]]


class Ledger(Odd):
    name = "ledger"
    secret: ClassVar[Row] = {"client_id": "c", "client_secret": "s", "refresh_token": "r0"}
    file: ClassVar[Row] = {
        "name": "ledger", "title": "Ledger",
        "client": {"auth": {"type": "oauth2_refresh_token", "access_token_url": "{url}/token"}},
        "errors": {
            "ok_if": "results == null || results[0].status < `300`", "code": "results[0].status",
            "message": "results[0].text", "field": "results[0].member",
        },
        "users": {"endpoint": {"path": "/users", "data_selector": "rows"}, "id": "login", "email": "mail"},
        "resources": [
            {
                "name": kind, "type": type_, "id": "href && split(href, '/')[-1] || id", "created_at": "born",
                "datetime_format": "%Y%m%d-%H%M%S",
                "list": {
                    "path": f"/{kind}", "params": {"page": "{page}", "rows": "{limit}"}, "data_selector": "rows",
                    "ids_only": True,
                    "paginator": {"type": "page_number", "base_page": 0, "limit": 2, "stop_after_empty_page": True},
                },
                "get": {"path": f"/{kind}/{{id}}"},
                "create": {"method": "POST", "path": f"/{kind}", "form": "{fields}", "data_selector": "results"},
                "update": {"method": "POST", "path": f"/{kind}/{{id}}", "form": "{fields}"},
                "delete": {"method": "DELETE", "path": f"/{kind}/{{id}}"},
                "fields": fields,
            }
            for kind, type_, fields in [
                ("firms", "account", {"name": "title", "owner": {"at": "agent", "user": True}}),
                ("deals", "opportunity", {
                    "name": "title",
                    "stage": {"at": "won", "values": {"closed_won": True, "proposal": False}},
                    "amount": {"at": "replace(replace(split(sum, ' ')[0], '.', ''), ',', '.')", "put": "sum",
                               "type": "decimal"},
                }),
            ]
        ],
        "unsupported": NOT_THERE,
    }  # fmt: skip

    def __init__(self) -> None:
        super().__init__()
        self.refresh, self.access, self.tokens, self.asked = "r0", "none", 0, 0

    def served(self, request: Request, path: list[str], query: dict[str, str]) -> Reply:
        kind, *rest = path
        if kind == "token":
            if request.body.get("refresh_token") != self.refresh:
                # A token that was used before: whoever holds it may have stolen it.
                self.refresh = "revoked"
                return Reply({"error": "invalid_grant"}, 400)
            assert set(request.body) == {"client_id", "client_secret", "refresh_token", "grant_type"}
            self.tokens += 1
            self.refresh, self.access = f"r{self.tokens}", f"a{self.tokens}"
            answered = {"access_token": self.access, "refresh_token": self.refresh, "expires_in": 3600}
            return Reply(answered)
        if request.headers.get("authorization") != f"Bearer {self.access}":
            return Reply({"results": [{"status": 401, "text": "Expired"}]}, 401)
        if kind == "users":
            return Reply({"rows": [{"login": "al", "mail": "alice@demo.example"}]})
        rows = self.rows[kind]
        if request.method == "GET" and not rest:
            at = int(query["page"]) * 2
            page = [*rows.values()][at : at + 2]
            return Reply({"rows": [{"id": n, "href": f"/{kind}/{row['id']}"} for n, row in enumerate(page)
                                   if row["title"] != "Hidden"]})  # fmt: skip
        if rest and rest[0] not in rows:
            return Reply({"results": [{"status": 404, "text": "Nothing there"}]}, 207)
        if request.method == "GET":
            return Reply(rows[rest[0]])
        if request.method == "DELETE":
            del rows[rest[0]]
            return Reply({"results": [{"status": 200}]}, 207)
        assert request.headers["content-type"] == "application/x-www-form-urlencoded"
        if len(request.body.get("title", "")) > 20:
            return Reply({"results": [{"status": 422, "text": "Too long", "member": "title"}]}, 207)
        key = rest[0] if rest else f"{kind[0]}:{self.new_id(kind)}"
        row = rows.setdefault(key, {"id": key, "born": self.clock.now().strftime("%Y%m%d-%H%M%S")})
        row |= {name: value == "true" if name == "won" else value for name, value in request.body.items()}
        if "sum" in request.body:
            whole, _, rest_ = request.body["sum"].partition(".")
            row["sum"] = f"{int(whole):,}".replace(",", ".") + f",{rest_:0<2} EUR"
        return Reply({"results": [{"status": 201, "id": key}]}, 207)
