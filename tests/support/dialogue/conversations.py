"""Play written conversations with the assistant in this process, and report differences from the expected answers.

A conversation is a JSON object on one line: `id`, `user` (default alice), `turns[]`. A turn has `say`, optionally
`request` (further fields) and `expect`: `tools` (called), `not_tools`, `args` {tool: {argument: value or "re:..."}},
`says` and `not_says` (patterns for the reply), `status`, `writes` {type: number of new records}, `followups` [minimum,
maximum]. `@type:Name` stands for a record's id.
"""

import json
import re
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from datetime import UTC, datetime
from functools import cache
from pathlib import Path
from typing import Any

from aisha.adapters.embeddings.message_encoder import MessageEncoder
from aisha.adapters.llm.planner.planner import OfflinePlanner
from aisha.application.requests.chat_request import parse_chat_request
from aisha.application.tooling import ToolRegistry
from aisha.application.turn.brainlets.registry import discover_brainlets
from aisha.application.turn.run import run_turn
from aisha.application.turn.state import TurnDependencies, TurnLimits
from aisha.domain.crm.queries import RecordQuery
from aisha.domain.crm.records import RECORD_TYPES, Record
from aisha.domain.ports import ChatModel, RecordRepository
from aisha.domain.principal import Principal
from aisha.renderers.json_response import render
from infra.local.demo.data import seed
from infra.local.demo.users import USERS
from tests.fakes.stores.in_memory import (
    FixedClock,
    InMemoryConversationRepository,
    InMemoryRecordRepository,
    in_memory_ports,
)

BRAINLETS = discover_brainlets("aisha.brainlets")
WORKERS = ThreadPoolExecutor(4)
PLANNER = OfflinePlanner(MessageEncoder())
"""The planner as `make run` has it, with the local sentence model."""
ANY_ID = re.compile(r"(?:lead|contact|account|opportunity|activity|note|conv|conf|msg)_[0-9A-Z]{26}")
COUNTED = ("lead", "contact", "account", "opportunity", "activity", "note")

NOW = datetime(2026, 3, 4, 15, 0, tzinfo=UTC)
"""A Wednesday, 10:00 in the demo users' zone."""
FILES = sorted((Path(__file__).parents[2] / "conversations").glob("*.jsonl"))


def conversations(path: Path) -> list[dict[str, Any]]:
    """Return the conversations of a file."""
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines() if line.strip()]


CONVERSATIONS = {f"{file.stem}-{entry['id']}": entry for file in FILES for entry in conversations(file)}
"""All conversations by file and id."""


class DemoRecords(InMemoryRecordRepository):
    """New demo data of an instant. Their records are made once and shared: a write replaces, never changes, one."""

    def __init__(self, clock: FixedClock) -> None:
        super().__init__(clock)
        self._records = {tenant: dict(records) for tenant, records in _demo_records(clock.now()).items()}

    def snapshot(self, tenant: str) -> dict[str, Record]:
        """Return the tenant's records of the counted types by id."""
        return {record.id: record for record in self._all(tenant) if record.TYPE in COUNTED}


@cache
def _demo_records(now: datetime) -> dict[str, dict[str, Record]]:
    repository = InMemoryRecordRepository(FixedClock(now))
    seed(repository, now)
    return repository._records


class Stage:
    """New demo data, or other `records`, and the assistant with its offline planner, or another model.

    `ports` are further ports of its tools.
    """

    def __init__(
        self,
        registry: ToolRegistry,
        now: datetime,
        user: str = "alice",
        tenant: str = "demo",
        model: ChatModel = PLANNER,
        records: Any = None,
        **ports: Any,
    ) -> None:
        clock = FixedClock(now)
        self.records: DemoRecords = records or DemoRecords(clock)
        profile = USERS[tenant, user]
        self.principal = Principal(
            tenant=tenant,
            user=user,
            roles=frozenset(profile["roles"]),
            modules=frozenset(profile["modules"]),
            name=profile["name"],
            email=profile["email"],
            zone=profile["zoneinfo"],
        )
        self.deps = TurnDependencies(
            model=model,
            registry=registry,
            ports=in_memory_ports(clock, self.records, **ports),
            conversations=InMemoryConversationRepository(),
            limits=TurnLimits(),
            workers=WORKERS,
            brainlets=BRAINLETS,
        )

    def say(self, text: str, conversation_id: str | None = None, **fields: Any) -> dict[str, Any]:
        """Run one turn and return the chat response."""
        body = {"message": text, "conversationId": conversation_id, **fields}
        request = parse_chat_request(json.dumps(body).encode(), 8000)
        return render(run_turn(request, self.principal, self.deps), "test", as_speech=request.format == "voice")

    def converse(self, *messages: str) -> list[dict[str, Any]]:
        """Say these messages in one conversation and return the chat responses."""
        answers = list[dict[str, Any]]()
        for message in messages:
            answers.append(self.say(message, answers[-1]["conversationId"] if answers else None))
        return answers

    def counts(self) -> dict[str, int]:
        stored = self.records
        return {kind: sum(row.count for row in stored.counts(self.principal.tenant, kind)) for kind in COUNTED}

    def id_of(self, reference: str) -> str:
        kind, _, name = reference.removeprefix("@").partition(":")
        records = self.records.search(self.principal.tenant, RecordQuery(kind, name_contains=name, limit=50)).items
        exact = [record for record in records if name in (record.display_name, getattr(record, "company", None))]
        assert exact, f"{name} is not in the demo data"
        return exact[0].id

    def ids_in(self, expected: Any) -> dict[str, str]:
        """Return the ids of the references whose records exist before a turn, which may delete them."""
        ids = {}
        for reference in set(re.findall(r'"(@[a-z]+:[^"]+)"', json.dumps(expected, ensure_ascii=False))):
            with suppress(AssertionError):
                ids[reference] = self.id_of(reference)
        return ids

    def resolve(self, value: Any, ids: dict[str, str] | None = None) -> Any:
        """Return the value with ids in place of references."""
        if isinstance(value, dict):
            return {key: self.resolve(item, ids) for key, item in value.items()}
        if isinstance(value, list):
            return [self.resolve(item, ids) for item in value]
        is_reference = isinstance(value, str) and value.startswith("@") and value[1:].split(":")[0] in RECORD_TYPES
        return (ids or {}).get(value) or self.id_of(value) if is_reference else value


def play(
    conversation: dict[str, Any],
    registry: ToolRegistry,
    now: datetime,
    model: ChatModel = PLANNER,
    records: RecordRepository | None = None,
) -> Iterator[str]:
    """Play a conversation and yield each difference from its expectations, with the reply and the calls."""
    user, tenant = conversation.get("user", "alice"), conversation.get("tenant", "demo")
    stage = Stage(registry, now, user, tenant, model, records)
    conversation_id = None
    for number, turn in enumerate(conversation["turns"], 1):
        before = stage.counts()
        request = stage.resolve(turn.get("request", {}))
        ids = stage.ids_in(turn.get("expect", {}))
        answer = stage.say(turn["say"], conversation_id, **request)
        expected = stage.resolve(turn.get("expect", {}), ids)
        conversation_id = answer["conversationId"]
        for problem in problems(answer, expected, before, stage.counts()):
            called = [(call["name"], call["arguments"]) for call in answer["toolCalls"]]
            yield f"turn {number} {turn['say']!r}: {problem}\n    reply: {answer['response']!r}\n    calls: {called}"


def flaws(answer: dict[str, Any]) -> Iterator[str]:
    """Yield what no answer may have: an empty reply, or a record's id in a text."""
    if not answer["response"].strip():
        yield "the reply is empty"
    if ANY_ID.search(answer["response"]) or any(ANY_ID.search(step["text"]) for step in answer["followUps"]):
        yield "a record's id is shown"


def problems(
    answer: dict[str, Any], expected: dict[str, Any], before: dict[str, int], after: dict[str, int]
) -> Iterator[str]:
    """Yield the differences between an answer and its expectations."""
    reply, calls = answer["response"], answer["toolCalls"]
    ran = [call for call in calls if call["status"] in ("executed", "failed")]
    names = {call["name"] for call in ran}
    yield from flaws(answer)
    if re.search("not sure what action", reply, re.IGNORECASE):
        yield "the assistant is not sure what to do"
    minimum, maximum = expected["followups"] if isinstance(expected.get("followups"), list) else (2, 4)
    if not minimum <= len(answer["followUps"]) <= maximum:
        yield f"{len(answer['followUps'])} follow-ups"
    if missing := set(expected.get("tools", ())) - names:
        yield f"not called: {sorted(missing)}"
    forbidden = set(expected.get("not_tools", ()))
    if wrong := (names if "*" in forbidden else names & forbidden):
        yield f"called: {sorted(wrong)}"
    for tool, arguments in expected.get("args", {}).items():
        if not any(call["name"] == tool and _fits(call["arguments"], arguments) for call in ran):
            yield f"{tool} was not called with {arguments}"
    yield from (f"does not say {pattern!r}" for pattern in expected.get("says", ()) if not matches(pattern, reply))
    yield from (f"says {pattern!r}" for pattern in expected.get("not_says", ()) if matches(pattern, reply))
    if expected.get("status", answer["status"]) != answer["status"]:
        yield f"status {answer['status']}"
    if "writes" in expected:
        written = {kind: after[kind] - before[kind] for kind in COUNTED if after[kind] != before[kind]}
        if written != {kind: count for kind, count in expected["writes"].items() if count}:
            yield f"wrote {written}"


def _fits(arguments: dict[str, Any], expected: dict[str, Any]) -> bool:
    fields = arguments.get("fields") or {}
    return all(value_fits(arguments.get(name, fields.get(name)), target) for name, target in expected.items())


def value_fits(value: Any, target: Any) -> bool:
    """Return whether a value is the expected one, or has the pattern after `re:`. Case is ignored."""
    if isinstance(target, str) and target.startswith("re:"):
        return value is not None and matches(target[3:], str(value))
    return value == target or str(value).lower() == str(target).lower()


def matches(pattern: str, text: str) -> bool:
    return re.search(pattern, text, re.IGNORECASE) is not None
