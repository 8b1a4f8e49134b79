"""Isolation of tenants and users: every operation and every tool, with every id of another one's data.

Each request is made in two worlds: in one Alice has data of her own, in the other she has none. Another caller must get
the same answer in both, so that no answer contains her data or tells that one of her ids exists.
"""

import asyncio
import json
import re
from collections.abc import Iterator, Mapping
from copy import deepcopy
from dataclasses import dataclass, field, replace
from datetime import timedelta
from typing import Any

import httpx
import pytest
from msgspec import structs

from aisha.api.operation import Operation
from aisha.application.tooling.context import ToolPorts, make_context
from aisha.bootstrap import Services
from aisha.domain.crm.records import RECORD_TYPES, Record
from aisha.domain.principal import Principal
from aisha.domain.tools import ToolSpec
from infra.openapi import examples_of
from tests.fakes.aws.api_gateway import (
    ALL_MODULES,
    Answer,
    answer_of,
    call,
    chat,
    declared,
    event,
    function,
    request_context,
    serve,
)
from tests.fakes.world import ALICE, BOB, RIVAL, World
from tests.support.product_tools import product_tools

SECRET = "zebra"
"""A word that all of Alice's own data contains, and nothing else."""
_ULID = "[0-9A-HJKMNP-TV-Z]{26}"
ANY_ID = re.compile(rf"\b(?:[a-z]+_)+{_ULID}(?:[._]{_ULID})?|\b{_ULID}\b|\b[0-9a-f]{{24,64}}\b")
_TIMES = re.compile(r'"(\w*(?:[mM]s|[sS]econds|created|_time))":\s*[\d.]+')
_KEYS = re.compile(r"whsec_[\w+/=]+")
SHARED: list[tuple[str, dict[str, Any]]] = [
    ("lead", {"first_name": "Jack", "last_name": "Russel", "company": "ABC Corp", "status": "warm", "owner": "alice"}),
    ("account", {"name": "ABC Corp", "industry": "Software", "owner": "bob"}),
]


OPERATIONS = [(name, operation) for name, operation in declared() if not operation.public]
EVERY_OPERATION = pytest.mark.parametrize(
    ("name", "operation"), OPERATIONS, ids=[operation.id for _, operation in OPERATIONS]
)
SPECS = {spec.name: spec for spec in product_tools().specs()}


@dataclass
class Request:
    """A request to an operation, of a REST function or of an ASGI app."""

    name: str
    operation: Operation
    path: str
    body: Any = None
    headers: dict[str, str] = field(default_factory=dict)

    def as_user(self, caller: Mapping[str, str]) -> Answer:
        method = self.operation.method
        text = json.dumps(self.body) if self.body is not None else None
        if not hasattr(function(self.name), "OPERATIONS"):
            proxied = event(self.name, method, self.path, caller, text)
            proxied["headers"] |= self.headers
            proxied["multiValueHeaders"] |= {key: [value] for key, value in self.headers.items()}
            return answer_of(function(self.name), proxied)
        return asyncio.run(self._asgi(caller, text))

    async def _asgi(self, caller: Mapping[str, str], text: str | None) -> Answer:
        path = self.path.partition("?")[0]
        context = json.dumps(request_context(self.operation.method, path, path, caller), ensure_ascii=True)
        headers = {"content-type": "application/json", "x-amzn-request-context": context, **self.headers}
        if "accept" not in headers:
            headers["accept"] = "application/json, text/event-stream"
        transport = httpx.ASGITransport(app=function(self.name).app)
        async with httpx.AsyncClient(transport=transport, base_url="http://127.0.0.1") as client:
            answer = await client.request(self.operation.method, self.path, content=text, headers=headers)
        return Answer(answer.status_code, {key.lower(): value for key, value in answer.headers.items()}, answer.text)


def with_ids(value: Any, foreign: str) -> Any:
    """Return an example's body with this id as the value of every member that is an id."""
    if isinstance(value, list):
        return [with_ids(item, foreign) for item in value]
    if isinstance(value, dict):
        return {
            name: foreign if re.search(r"(^i|I)d$", name) and isinstance(item, str) else with_ids(item, foreign)
            for name, item in value.items()
        }
    return value


def requests(name: str, operation: Operation, foreign: str) -> Iterator[Request]:
    """Yield requests to the operation that name the id of another user's or tenant's thing."""
    kind = foreign.rpartition("_")[0]
    path = operation.path.replace("{id}", foreign).replace("{mode}", "brief")
    paths = [path.replace("{type}", kind if kind in RECORD_TYPES else "lead")]
    example = examples_of(operation).get("request")
    if operation.path == "/api/crm/{type}":
        paths.append(f"{paths[0]}?related_id={foreign}")
    if operation.path in ("/api/ai/audit", "/api/ai/realtime"):
        paths.append(f"{paths[0]}?{'entity' if 'audit' in operation.path else 'conversationId'}={foreign}")
    for variant in paths:
        yield Request(name, operation, variant, with_ids(example, foreign) if example is not None else None)
    if not isinstance(example, dict):
        return
    about = {"sessionEntities": [{"type": kind, "id": foreign, "name": "it"}]}
    page = {"context": {"page": "record", "recordType": kind, "recordId": foreign}}
    if "message" in example and kind in RECORD_TYPES:
        yield Request(name, operation, path, {"message": "Tell me about it", **about, **page})
        yield Request(name, operation, path, {"message": f"Delete {kind} {foreign}"})
    elif "message" in example:
        yield Request(name, operation, path, {"message": "And now?", "conversationId": foreign})
    elif operation.path == "/api/ai/suggest" and kind in RECORD_TYPES:
        yield Request(name, operation, path, {**example, **about, **page})


OF_THE_TENANT = ("summarizeCommands",)
"""Operations whose answers count the commands of all users of the tenant."""
_SEEDS: dict[bool, tuple[dict[str, Any], list[str]]] = {}
"""Contents of the stores of the world with Alice's data, and her ids: by whether the caller is of another tenant."""


class Worlds:
    """A deployment with and without Alice's own data; `enter` chooses the one that the functions use."""

    def __init__(self, world: World) -> None:
        self._world = world

    def ids(self, rival: bool) -> list[str]:
        """Return ids that the caller may not see: all of Alice's tenant for a `rival`, else her private ones."""
        if rival not in _SEEDS:
            fresh = self._fresh()
            self._share(fresh)
            self._furnish(fresh)
            _SEEDS[rival] = _contents(fresh), sorted(self._private_ids(fresh, rival))
        return _SEEDS[rival][1]

    @property
    def services(self) -> Services:
        return self._world.services

    def enter(self, world: str, rival: bool) -> None:
        """Serve the functions from a new world: a "furnished" one, else one without Alice's data."""
        self.ids(rival)
        fresh = self._fresh()
        if world == "furnished":
            for place, value in _SEEDS[rival][0].items():
                store, name = place.split(".")
                setattr(getattr(fresh, store), name, deepcopy(value))
        elif not rival:
            self._share(fresh, status="qualified")
        fresh.clock.advance(timedelta(minutes=5))

    def _fresh(self) -> World:
        fresh = World()
        self._world.services.close()
        for name in ("services", "clock", "records", "entries", "conversations", "limiter", "ledger", "audit"):
            setattr(self._world, name, getattr(fresh, name))
        serve(fresh.services)
        return fresh

    def _share(self, world: World, **changed: str) -> None:
        """Add the records that the tenant shares, with a change that Alice made for all to see."""
        for place, (kind, values) in enumerate(SHARED):
            record: Record = RECORD_TYPES[kind].model_validate(
                {"id": f"{kind}_01JN{place:022d}", **values, **(changed if kind == "lead" else {})}
            )
            world.add("demo", record)

    def _furnish(self, world: World) -> None:
        """Add Alice's own data, by requests and tool calls of hers where there are such."""
        related = {"type": "lead", "id": f"lead_01JN{0:022d}", "name": "Jack"}
        note = {"content": f"{SECRET} note", "is_private": True, "owner": "alice", "related": related}
        goal = {"title": f"{SECRET} goal", "owner": "alice", "scope": "mine"}
        world.add("demo", RECORD_TYPES["note"].model_validate(note), RECORD_TYPES["goal"].model_validate(goal))
        principal = Principal("demo", "alice", modules=frozenset(ALL_MODULES))
        registry, ports = world.services.tools, world.services.tool_ports
        for place, (tool, arguments) in enumerate(
            [
                ("manage_reminders", {"action": "create", "text": f"{SECRET} dentist", "due_at": "2026-03-02T10:00Z"}),
                ("manage_memory", {"action": "save", "text": f"{SECRET} Jack likes golf"}),
                ("manage_prompt", {"action": "add", "text": f"Say {SECRET} first"}),
            ]
        ):
            if registry.spec(tool) is not None:
                registry.call_tool(tool, arguments, make_context(principal, ports, f"furnish.{place}"))
        for text in (
            f"Remember that {SECRET} is my password",
            f"Remind me tomorrow to feed the {SECRET}",
            "Change the status of lead Jack Russel to qualified",
        ):
            assert chat({"message": text}, ALICE).status == 200
        assert chat({"message": "Delete lead Jack Russel"}, ALICE).json["status"] == "needs_confirmation"
        notification = {"title": f"{SECRET} call", "body": SECRET}
        assert call("notifications", "POST", "/api/ai/notifications", ALICE, json.dumps(notification)).status < 300
        assert call("preferences", "POST", "/api/ai/mode/coach", ALICE).status == 200
        texts = {"reason": SECRET, "title": SECRET, "kind": "next_step", "first_sweep": "s1", "key": "k"}
        action = {"tool": "create_note", "arguments": {"content": SECRET}, "modules": [], "priority": 50}
        opened_at = world.clock.now().isoformat()
        suggestion = {"status": "pending", "entity": related, "opened_at": opened_at, **texts, **action}
        world.entries.put("demo", "alice", "suggestion", f"suggestion_01JN{7:022d}", suggestion)
        world.entries.put("demo", "alice", "realtime_session", f"realtime_session_01JN{8:022d}", {"ends_at": SECRET})

    def _private_ids(self, world: World, rival: bool) -> set[str]:
        """Return an id of each kind of thing that the caller may not see."""
        ids = [entry.id for (_, owner, _), page in world.entries._entries.items() if owner for entry in page.values()]
        records = world.records._records["demo"].values()
        ids += [record.id for record in records if rival or record.TYPE in ("note", "goal")]
        heads = world.conversations._heads.values()
        ids += [head.id for head in heads] + [head.pending.id for head in heads if head.pending]
        by_kind = {any_id.rpartition("_")[0]: any_id for any_id in ids if "_" in any_id}
        return set(by_kind.values())


def _contents(world: World) -> dict[str, Any]:
    places = ("records._records", "entries._entries", "conversations._heads", "conversations._messages")
    return {place: deepcopy(getattr(getattr(world, place.split(".")[0]), place.split(".")[1])) for place in places}


def comparable(answer: Answer, foreign: str) -> tuple[int, str]:
    """Return an answer's status and text without what differs by chance: times, keys, new ids and the requested id."""
    text = _KEYS.sub("whsec", _TIMES.sub(r'"\1":0', answer.text.replace(foreign, "the id")))
    return answer.status, ANY_ID.sub(lambda match: match[0] if match[0].find("_01JN0") > 0 else "new", text)


@pytest.fixture
def worlds(world: World) -> Worlds:
    return Worlds(world)


CALLERS = pytest.mark.parametrize("caller", [RIVAL, BOB], ids=["another tenant", "another user"])


@EVERY_OPERATION
@CALLERS
def test_an_id_of_another_ones_data_is_like_an_unknown_id(
    worlds: Worlds, name: str, operation: Operation, caller: dict[str, str]
) -> None:
    is_rival = caller is RIVAL
    ids = worlds.ids(is_rival)
    kinds = {foreign.rpartition("_")[0] for foreign in ids}
    assert kinds >= {"conv", "notification", "suggestion", "note", "goal"}, "the world has too little in it"
    sent: dict[str, tuple[str, Request]] = {}
    for foreign in ids:
        for request in requests(name, operation, foreign):
            sent.setdefault(f"{request.path} {json.dumps(request.body)}", (foreign, request))
    answers: dict[str, list[Answer]] = {}
    for world in ("furnished", "empty"):
        worlds.enter(world, is_rival)
        for key, (_, request) in sent.items():
            if operation.method != "GET":
                worlds.enter(world, is_rival)
            answers.setdefault(key, []).append(request.as_user(caller))
    for key, (foreign, request) in sent.items():
        furnished, empty = answers[key]
        assert SECRET not in furnished.text
        if is_rival or operation.id not in OF_THE_TENANT:
            assert comparable(furnished, foreign) == comparable(empty, foreign), request


@EVERY_OPERATION
def test_no_request_can_name_a_tenant_or_a_user(worlds: Worlds, name: str, operation: Operation) -> None:
    forged = {"tenant_id": "demo", "tenantId": "demo", "tenant": "demo", "userId": "alice", "user_id": "alice"}
    path = operation.path.replace("{id}", "conv_01JN0000000000000000000009").replace("{mode}", "brief")
    path = path.replace("{type}", "lead")
    headers = {f"x-{key.replace('_', '-')}": value for key, value in forged.items()} | {"tenant-id": "demo"}
    body = examples_of(operation).get("request")
    plain = Request(name, operation, path, body)
    query = "&".join(f"{key}={value}" for key, value in forged.items())
    named = Request(name, operation, f"{path}?{query}", body, headers)
    in_body = replace(plain, body={**body, **forged}) if isinstance(body, dict) else plain
    answers = []
    for request in (plain, named, in_body):
        worlds.enter("furnished", rival=True)
        answers.append(request.as_user(RIVAL))
    assert comparable(answers[0], "\0")[0] == answers[1].status or answers[1].status == 422
    for answer in answers:
        assert SECRET not in answer.text
        assert "Jack Russel" in json.dumps(body) or "Jack Russel" not in answer.text
    for answer in answers[1:]:
        assert answer.status in (400, 422) or comparable(answer, "\0") == comparable(answers[0], "\0")


# --- tools


def names_in(schema: Any) -> Iterator[str]:
    """Yield the name of every property of a schema, at any depth."""
    if isinstance(schema, dict):
        yield from schema.get("properties", {}) if isinstance(schema.get("properties"), dict) else ()
        for inner in schema.values():
            yield from names_in(inner)
    elif isinstance(schema, list):
        for inner in schema:
            yield from names_in(inner)


@pytest.mark.parametrize("spec", SPECS.values(), ids=SPECS)
def test_no_tool_takes_a_tenant_or_a_caller(spec: ToolSpec) -> None:
    plain = {name.replace("_", "").lower() for name in names_in(spec.parameters)}
    caller = {"tenant", "tenantid", "userid", "principal", "context", "roles", "modules", "door", "organization"}
    assert plain & caller == set()


def filled(schema: dict[str, Any], root: dict[str, Any], foreign: str) -> Any:
    """Return a value that the schema accepts, with the id in place of every free text."""
    if "$ref" in schema:
        return filled(root["$defs"][schema["$ref"].rsplit("/", 1)[-1]], root, foreign)
    if "anyOf" in schema:
        return filled(schema["anyOf"][0], root, foreign)
    if "enum" in schema:
        kind = foreign.rpartition("_")[0]
        return kind if kind in schema["enum"] else schema["enum"][0]
    match schema.get("type"):
        case "object":
            required = schema.get("required", [])
            ids = [name for name in schema.get("properties", {}) if name == "id" or name.endswith(("_id", "_ids"))]
            kinds = [name for name in schema.get("properties", {}) if name == "entity_type"]
            names = dict.fromkeys([*required, *ids, *kinds])
            return {name: filled(schema["properties"][name], root, foreign) for name in names}
        case "array":
            return [filled(schema.get("items", {}), root, foreign)]
        case "integer" | "number":
            return schema.get("minimum", 1)
        case "boolean":
            return False
        case "string" if schema.get("format", "").startswith("date"):
            return "2026-03-05"
    return foreign


def has_id(spec: ToolSpec) -> bool:
    return any(name == "id" or name.endswith(("_id", "_ids")) for name in names_in(spec.parameters))


def actions(spec: ToolSpec) -> list[str | None]:
    """Return the values of a tool's argument `action`; one None where there is no such argument."""
    schema = spec.properties.get("action", {})
    if "$ref" in schema:
        schema = spec.parameters["$defs"][schema["$ref"].rsplit("/", 1)[-1]]
    return list(schema.get("enum", [None]))


@pytest.mark.parametrize("spec", [spec for spec in SPECS.values() if has_id(spec)], ids=lambda spec: spec.name)
@CALLERS
def test_no_tool_finds_what_others_have(worlds: Worlds, spec: ToolSpec, caller: dict[str, str]) -> None:
    """Call every discovered tool, also future ones; tests/unit/tools/test_isolation.py has more for today's."""
    is_rival = caller is RIVAL
    principal = Principal(
        caller["tenant_id"], caller["user"], modules=frozenset([*ALL_MODULES, "email"]), roles=frozenset(["admin"])
    )
    calls = [
        (foreign, filled(spec.parameters, spec.parameters, foreign) | ({"action": action} if action else {}))
        for foreign in worlds.ids(is_rival)
        for action in actions(spec)
    ]
    results: dict[str, list[tuple[int, str]]] = {}
    for world in ("furnished", "empty"):
        worlds.enter(world, is_rival)
        for foreign, arguments in calls:
            if spec.access != "read":
                worlds.enter(world, is_rival)
            ports: ToolPorts = structs.replace(worlds.services.tool_ports, audit=None)
            tool_call = worlds.services.tools.create_call(spec.name, arguments, make_context(principal, ports, "asked"))
            result = tool_call.execute() if tool_call.result.status == "pending" else tool_call.result
            text = json.dumps(result.value if result.ok else result.error, sort_keys=True)
            assert SECRET not in text, (spec.name, arguments)
            results.setdefault(json.dumps(arguments), []).append(comparable(Answer(0, {}, text), foreign))
    for arguments_text, answers in results.items():
        assert len(set(answers)) == 1, (spec.name, arguments_text)


def test_a_reply_reveals_no_private_note_of_another_user(worlds: Worlds) -> None:
    worlds.enter("furnished", rival=False)
    (note,) = [private for private in worlds.ids(rival=False) if private.startswith("note_")]
    answer = chat({"message": f"Delete note {note}"}, BOB)
    assert SECRET not in answer.text
    about = {"message": "Tell me about it", "sessionEntities": [{"type": "note", "id": note, "name": "it"}]}
    answer = chat(about, BOB)
    assert SECRET not in answer.text
    assert any("is not one you can use" in warning for warning in answer.json["warnings"])
