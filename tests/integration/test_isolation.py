"""Nobody reaches what is another tenant's, or another user's own: every operation, every tool, every id.

Each request is made twice: in a world where Alice has things of her own, and in one where she has none. Whoever is not Alice
gets the same answer in both, so nothing of hers can be in one, and her ids are ids of nothing.
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
from aisha.application.tooling import discover
from aisha.application.tooling.context import ToolPorts, make_context
from aisha.bootstrap import Services
from aisha.domain.principal import Principal
from aisha.domain.records import RECORD_TYPES, Record
from aisha.domain.tools import ToolSpec
from tests.fakes.api_gateway import (
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

SECRET = "zebra"
"""Stands in everything that is Alice's own, in nothing else."""
_ULID = "[0-9A-HJKMNP-TV-Z]{26}"
ANY_ID = re.compile(rf"\b(?:[a-z]+_)+{_ULID}(?:\.{_ULID})?|\b{_ULID}\b|\b[0-9a-f]{{24,64}}\b")
_TIMES = re.compile(r'"(\w*(?:[mM]s|[sS]econds|created|_time))":\s*[\d.]+')
_KEYS = re.compile(r"whsec_[\w+/=]+")
SHARED: list[tuple[str, dict[str, Any]]] = [
    ("lead", {"first_name": "Jack", "last_name": "Russel", "company": "ABC Corp", "status": "warm", "owner": "alice"}),
    ("account", {"name": "ABC Corp", "industry": "Software", "owner": "bob"}),
]


OPERATIONS = [(name, operation) for name, operation in declared() if not operation.public]
EVERY = pytest.mark.parametrize(("name", "operation"), OPERATIONS, ids=[operation.id for _, operation in OPERATIONS])
SPECS = {spec.name: spec for spec in discover("aisha.tools").specs()}


@dataclass
class Ask:
    """One request, whatever kind of function answers it."""

    name: str
    operation: Operation
    path: str
    body: Any = None
    headers: dict[str, str] = field(default_factory=dict)

    def as_user(self, caller: Mapping[str, str]) -> Answer:
        method = self.operation.method
        text = json.dumps(self.body) if self.body is not None else None
        if not hasattr(function(self.name), "OPERATIONS"):
            made = event(self.name, method, self.path, caller, text)
            made["headers"] |= self.headers
            made["multiValueHeaders"] |= {key: [value] for key, value in self.headers.items()}
            return answer_of(function(self.name), made)
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
    """An example's body with this id wherever it names something."""
    if isinstance(value, list):
        return [with_ids(item, foreign) for item in value]
    if isinstance(value, dict):
        return {
            name: foreign if re.search(r"(^i|I)d$", name) and isinstance(item, str) else with_ids(item, foreign)
            for name, item in value.items()
        }
    return value


def requests(name: str, operation: Operation, foreign: str) -> Iterator[Ask]:
    """What can be asked of the operation with an id of somebody else's."""
    kind = foreign.rpartition("_")[0]
    path = operation.path.replace("{id}", foreign).replace("{mode}", "brief")
    paths = [path.replace("{type}", one) for one in ([kind] if kind in RECORD_TYPES else ["lead"])]
    example = operation.body_example
    if operation.path == "/api/crm/{type}":
        paths.append(f"{paths[0]}?related_id={foreign}")
    if operation.path in ("/api/ai/audit", "/api/ai/realtime"):
        paths.append(f"{paths[0]}?{'entity' if 'audit' in operation.path else 'conversationId'}={foreign}")
    for one in paths:
        yield Ask(name, operation, one, with_ids(example, foreign) if example is not None else None)
    if not isinstance(example, dict):
        return
    about = {"sessionEntities": [{"type": kind, "id": foreign, "name": "it"}]}
    page = {"context": {"page": "record", "recordType": kind, "recordId": foreign}}
    if "message" in example and kind in RECORD_TYPES:
        yield Ask(name, operation, path, {"message": "Tell me about it", **about, **page})
        yield Ask(name, operation, path, {"message": f"Delete {kind} {foreign}"})
    elif "message" in example:
        yield Ask(name, operation, path, {"message": "And now?", "conversationId": foreign})
    elif operation.path == "/api/ai/suggest" and kind in RECORD_TYPES:
        yield Ask(name, operation, path, {**example, **about, **page})


_SEEDS: dict[bool, tuple[dict[str, Any], list[str]]] = {}
"""What the stores have in a furnished world, and the ids that are Alice's own: for another tenant, and for another user."""


class Worlds:
    """The same deployment with and without what is Alice's own; `enter` says which one the functions see."""

    def __init__(self, world: World) -> None:
        self._world = world

    def ids(self, rival: bool) -> list[str]:
        """Those that are nobody else's business: for a `rival` all of Alice's tenant, else what she has for herself."""
        if rival not in _SEEDS:
            fresh = self._fresh()
            self._share(fresh)
            self._furnish(fresh)
            _SEEDS[rival] = _kept(fresh), sorted(self._found(fresh, rival))
        return _SEEDS[rival][1]

    @property
    def services(self) -> Services:
        return self._world.services

    def enter(self, which: str, rival: bool) -> None:
        """A new world."""
        self.ids(rival)
        fresh = self._fresh()
        if which == "furnished":
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
        """What the tenant has together, with what Alice did to it for all to see."""
        for place, (kind, values) in enumerate(SHARED):
            made: Record = RECORD_TYPES[kind].model_validate(
                {"id": f"{kind}_01JN{place:022d}", **values, **(changed if kind == "lead" else {})}
            )
            world.add("demo", made)

    def _furnish(self, world: World) -> None:
        """As Alice would: by what she says and asks for."""
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
        for said in (f"Remember that {SECRET} is my password", f"Remind me tomorrow to feed the {SECRET}",
                     "Change the status of lead Jack Russel to qualified"):  # fmt: skip
            assert chat({"message": said}, ALICE).status == 200
        assert chat({"message": "Delete lead Jack Russel"}, ALICE).json["status"] == "needs_confirmation"
        notification = {"title": f"{SECRET} call", "body": SECRET}
        assert call("notifications", "POST", "/api/ai/notifications", ALICE, json.dumps(notification)).status < 300
        assert call("mode", "POST", "/api/ai/mode/coach", ALICE).status == 200
        suggestion = {
            "status": "pending", "tool": "create_note", "arguments": {"content": SECRET}, "modules": [], "reason": SECRET,
            "title": SECRET, "priority": 50, "kind": "next_step", "entity": related, "first_sweep": "s1",
            "opened_at": world.clock.now().isoformat(), "key": "k",
        }  # fmt: skip
        world.entries.put("demo", "alice", "suggestion", f"suggestion_01JN{7:022d}", suggestion)
        world.entries.put("demo", "alice", "realtime_session", f"realtime_session_01JN{8:022d}", {"ends_at": SECRET})

    def _found(self, world: World, rival: bool) -> set[str]:
        """One id of each kind of thing that Alice has."""
        ids = [entry.id for (_, owner, _), kept in world.entries._entries.items() if owner for entry in kept.values()]
        records = world.records._records["demo"].values()
        ids += [
            one.id for one in records
            if rival or one.TYPE in ("note", "goal")
        ]  # fmt: skip
        heads = world.conversations._heads.values()
        ids += [head.id for head in heads] + [head.pending.id for head in heads if head.pending]
        return set({one.rpartition("_")[0]: one for one in ids if "_" in one}.values())


def _kept(world: World) -> dict[str, Any]:
    places = ("records._records", "entries._entries", "conversations._heads", "conversations._messages")
    return {place: deepcopy(getattr(getattr(world, place.split(".")[0]), place.split(".")[1])) for place in places}


def told(answer: Answer, asked: str) -> tuple[int, str]:
    """What an answer says, new ids and times aside; an id that was asked for is called the same."""
    text = _KEYS.sub("whsec", _TIMES.sub(r'"\1":0', answer.text.replace(asked, "the id")))
    return answer.status, ANY_ID.sub(lambda found: found[0] if found[0].find("_01JN0") > 0 else "new", text)


@pytest.fixture
def worlds(world: World) -> Worlds:
    return Worlds(world)


CALLERS = pytest.mark.parametrize("caller", [RIVAL, BOB], ids=["another tenant", "another user"])


@EVERY
@CALLERS
def test_the_ids_of_others_are_ids_of_nothing(
    worlds: Worlds, name: str, operation: Operation, caller: dict[str, str]
) -> None:
    is_rival = caller is RIVAL
    ids = worlds.ids(is_rival)
    kinds = {one.rpartition("_")[0] for one in ids}
    assert kinds >= {"conv", "notification", "suggestion", "note", "goal"}, "the world has too little in it"
    asked: dict[str, tuple[str, Ask]] = {}
    for foreign in ids:
        for one in requests(name, operation, foreign):
            asked.setdefault(f"{one.path} {json.dumps(one.body)}", (foreign, one))
    answers: dict[str, list[Answer]] = {}
    for which in ("furnished", "empty"):
        worlds.enter(which, is_rival)
        for said, (_, one) in asked.items():
            if operation.method != "GET":
                worlds.enter(which, is_rival)
            answers.setdefault(said, []).append(one.as_user(caller))
    for said, (foreign, one) in asked.items():
        among, alone = answers[said]
        assert told(among, foreign) == told(alone, foreign), one
        assert SECRET not in among.text


@EVERY
def test_no_request_can_name_a_tenant_or_a_user(worlds: Worlds, name: str, operation: Operation) -> None:
    said = {"tenant_id": "demo", "tenantId": "demo", "tenant": "demo", "userId": "alice", "user_id": "alice"}
    path = operation.path.replace("{id}", "conv_01JN0000000000000000000009").replace("{mode}", "brief")
    path = path.replace("{type}", "lead")
    headers = {f"x-{key.replace('_', '-')}": value for key, value in said.items()} | {"tenant-id": "demo"}
    body = operation.body_example
    plain = Ask(name, operation, path, body)
    named = Ask(name, operation, path + "?" + "&".join(f"{key}={value}" for key, value in said.items()), body, headers)
    in_body = replace(plain, body={**body, **said}) if isinstance(body, dict) else plain
    answers = []
    for one in (plain, named, in_body):
        worlds.enter("furnished", rival=True)
        answers.append(one.as_user(RIVAL))
    assert told(answers[0], "\0")[0] == answers[1].status or answers[1].status == 422
    for answer in answers:
        assert SECRET not in answer.text
        assert "Jack Russel" in json.dumps(body) or "Jack Russel" not in answer.text
    for answer in answers[1:]:
        assert answer.status in (400, 422) or told(answer, "\0") == told(answers[0], "\0")


# --- tools


def names_in(schema: Any) -> Iterator[str]:
    """Every property of a schema, at any depth."""
    if isinstance(schema, dict):
        yield from schema.get("properties", {}) if isinstance(schema.get("properties"), dict) else ()
        for inner in schema.values():
            yield from names_in(inner)
    elif isinstance(schema, list):
        for inner in schema:
            yield from names_in(inner)


@pytest.mark.parametrize("spec", SPECS.values(), ids=SPECS)
def test_no_tool_takes_a_tenant_or_a_caller(spec: ToolSpec) -> None:
    plain = {re.sub("_", "", name).lower() for name in names_in(spec.parameters)}
    assert (
        plain & {"tenant", "tenantid", "userid", "principal", "context", "roles", "modules", "door", "organization"}
        == set()
    )


def filled(schema: dict[str, Any], root: dict[str, Any], foreign: str) -> Any:
    """A value that the schema takes, with the id wherever a text may stand."""
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
            wanted = dict.fromkeys([*required, *ids, *kinds])
            return {name: filled(schema["properties"][name], root, foreign) for name in wanted}
        case "array":
            return [filled(schema.get("items", {}), root, foreign)]
        case "integer" | "number":
            return schema.get("minimum", 1)
        case "boolean":
            return False
        case "string" if schema.get("format", "").startswith("date"):
            return "2026-03-05"
    return foreign


def id_leaves(spec: ToolSpec) -> bool:
    return any(name == "id" or name.endswith(("_id", "_ids")) for name in names_in(spec.parameters))


def actions(spec: ToolSpec) -> list[str | None]:
    """The values of the argument that says what is to be done, if there is one."""
    said = spec.properties.get("action", {})
    if "$ref" in said:
        said = spec.parameters["$defs"][said["$ref"].rsplit("/", 1)[-1]]
    return list(said.get("enum", [None]))


@pytest.mark.parametrize("spec", [one for one in SPECS.values() if id_leaves(one)], ids=lambda one: one.name)
@CALLERS
def test_no_tool_finds_what_others_have(worlds: Worlds, spec: ToolSpec, caller: dict[str, str]) -> None:
    """By discovery: a tool of tomorrow is asked, too. Those of today meet more in tests/unit/tools/test_isolation.py."""
    is_rival = caller is RIVAL
    who = Principal(
        caller["tenant_id"], caller["user"], modules=frozenset([*ALL_MODULES, "email"]), roles=frozenset(["admin"])
    )
    asked = [
        (foreign, filled(spec.parameters, spec.parameters, foreign) | ({"action": action} if action else {}))
        for foreign in worlds.ids(is_rival)
        for action in actions(spec)
    ]
    said: dict[str, list[tuple[int, str]]] = {}
    for which in ("furnished", "empty"):
        worlds.enter(which, is_rival)
        for foreign, arguments in asked:
            if spec.access != "read":
                worlds.enter(which, is_rival)
            ports: ToolPorts = structs.replace(worlds.services.tool_ports, audit=None)
            made = worlds.services.tools.create_call(spec.name, arguments, make_context(who, ports, "asked"))
            result = made.execute() if made.result.status == "pending" else made.result
            text = json.dumps(result.value if result.ok else result.error, sort_keys=True)
            assert SECRET not in text, (spec.name, arguments)
            said.setdefault(json.dumps(arguments), []).append(told(Answer(0, {}, text), foreign))
    for arguments_text, answers in said.items():
        assert len(set(answers)) == 1, (spec.name, arguments_text)


def test_a_question_does_not_tell_what_another_user_keeps_private(worlds: Worlds) -> None:
    worlds.enter("furnished", rival=False)
    (note,) = [one for one in worlds.ids(rival=False) if one.startswith("note_")]
    answer = chat({"message": f"Delete note {note}"}, BOB)
    assert SECRET not in answer.text
    about = {"message": "Tell me about it", "sessionEntities": [{"type": "note", "id": note, "name": "it"}]}
    told_of = chat(about, BOB)
    assert SECRET not in told_of.text
    assert any("is not one you can use" in one for one in told_of.json["warnings"])
