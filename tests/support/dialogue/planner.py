"""Asks written by hand, and acts played on the demo data: no model and no reading stands between."""

import json
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from aisha.adapters.llm.planner import acts
from aisha.adapters.llm.planner.acts.mail_words import with_message
from aisha.adapters.llm.planner.plan import ACTS, Answer, EarlyAnswer, Pending, Plan, Toolbox
from aisha.adapters.llm.planner.results import PlannedCall, Results
from aisha.adapters.llm.planner.scene import Scene
from aisha.adapters.llm.planner.state import Question, Ref, Topic
from aisha.domain.conversations.conversation import SessionEntity
from aisha.domain.language.acts import ADDRESS_TAGS
from aisha.domain.language.ask import Ask
from aisha.domain.language.reader import Segment, Span
from aisha.domain.models import ModelMessage, ToolCallRequest
from infra.planner.labelled import parse
from tests.fakes.stores.in_memory import FixedClock
from tests.support.dialogue.conversations import NOW, DemoRecords, Stage
from tests.support.tenants.desk import REGISTRY, Desk

acts.load()
MAX_ROUNDS = 3
"""Rounds of calls that a turn has."""

DEAL = "Redwood Media Expansion"
"""A deal of the demo data."""


class Played(Struct, frozen=True):
    """The answer to an ask, and the calls made for it."""

    answer: Answer
    calls: tuple[PlannedCall, ...]

    @property
    def text(self) -> str:
        return self.answer.text

    @property
    def topic(self) -> Topic:
        return self.answer.topic or Topic()

    @property
    def tools(self) -> list[str]:
        return [call.tool for call in self.calls]

    def arguments(self, tool: str) -> dict[str, Any]:
        """Return the arguments of the last call of a tool."""
        return next(call.arguments for call in reversed(self.calls) if call.tool == tool)


def segment(line: str) -> Segment:
    """Return the one segment of a labelled line, as read without a doubt."""
    message = parse(line)
    (part,) = message.segments
    tokens, tags = message.tokens[part.first : part.last], message.tags[part.first : part.last]
    start, groups = tokens[0].start, list[tuple[str, int, int]]()
    for token, tag in zip(tokens, tags, strict=True):
        if tag.startswith("I-"):
            groups[-1] = (*groups[-1][:2], token.end)
        elif tag != "O" or token.kind in ADDRESS_TAGS:
            groups.append((token.kind if tag == "O" else tag[2:], token.start, token.end))
    spans = [Span(tag, message.text[first:last], first - start) for tag, first, last in groups]
    return Segment(message.text[start:], part.act, spans=tuple(spans))


def replies(*messages: str) -> list[str]:
    """Return the replies to the messages of one conversation over new demo data."""
    return [str(answer["response"]) for answer in Stage(REGISTRY, NOW).converse(*messages)]


def demo_desk(user: str = "alice") -> Desk:
    """Return a demo user who runs tools on new demo data."""
    clock = FixedClock(NOW)
    return Desk(Stage(REGISTRY, NOW, user).principal, clock, DemoRecords(clock))


def local_now(desk: Desk) -> Any:
    """Return the desk's time in its user's zone."""
    return desk.clock.now().astimezone(desk.principal.tzinfo)


def ask(line: str, desk: Desk | None = None) -> Ask:
    """Return the ask of a labelled line: `search: my {value:warm} leads`."""
    return Ask(segment(line), local_now(desk or demo_desk()))


def ref(desk: Desk, kind: str, name: str) -> Ref:
    """Return the demo record with this name."""
    plural = {"opportunity": "opportunities"}.get(kind, f"{kind}s")
    tool = "list_activities" if kind == "activity" else f"search_{plural}"
    record = desk.do(tool, name_contains=name)["items"][0]
    return Ref(kind, record["id"], record["display_name"])


def run(line: str, desk: Desk | None = None, topic: Topic | None = None, **more: Any) -> Played:
    """Play the act of a labelled line.

    `more` are the plan's other fields, the scene's `entities` and `history`, and `slots` that an answer added, by tag.
    """
    desk = desk or demo_desk()
    entities: tuple[SessionEntity, ...] = more.pop("entities", ())
    now, history = local_now(desk), more.pop("history", ())
    more_slots: dict[str, str] = more.pop("slots", {})
    scene = Scene(desk.principal, now, line.partition(": ")[2], entities, history, final=False)
    tools = Toolbox((spec.name, spec) for spec in REGISTRY.permitted(desk.principal))
    plan = Plan(tools, scene, Results(()), topic or Topic(), **more)
    messages: list[ModelMessage] = [ModelMessage("user", scene.user_text)]
    calls: list[PlannedCall] = []
    answered = tuple(Span(tag, text, 0) for tag, text in more_slots.items())
    asked = Ask(with_message(segment(line)).amended(Segment("", "", spans=answered)), now)
    for _ in range(MAX_ROUNDS + 1):
        try:
            return Played(ACTS[asked.act](replace(plan, results=Results(messages)), asked), tuple(calls))
        except EarlyAnswer as early:
            return Played(early.answer, tuple(calls))
        except Pending as pending:
            calls += pending.calls
            messages += _ran(desk, pending.calls, len(messages))
    raise AssertionError(f"more than {MAX_ROUNDS} rounds: {calls}")


def _ran(desk: Desk, calls: tuple[PlannedCall, ...], place: int) -> list[ModelMessage]:
    """Return the messages of calls and their results."""
    requests, answers = [], []
    for at, call in enumerate(calls):
        requests.append(ToolCallRequest(f"{place}_{at}", call.tool, json.dumps(call.arguments, default=str)))
        result = desk.run(call.tool, **call.arguments)
        content = json.dumps(result.value if result.ok else _failure(result.error), default=str)
        answers.append(ModelMessage("tool", content, tool_call_id=requests[-1].id))
    return [ModelMessage("assistant", "", tool_calls=tuple(requests)), *answers]


def _failure(error: Any) -> dict[str, Any]:
    """Return an error as a model sees it: see `application.redaction.summaries.shown_to_model`."""
    return {"error": "Tool execution failed", "reason": (error or {}).get("message")}


def changed_values(line: str, tool: str, **more: Any) -> dict[str, Any]:
    """Return the arguments of the change that a line orders, without the record's id."""
    played = run(line, **more)
    assert tool in played.tools, played.text
    return {name: value for name, value in played.arguments(tool).items() if name != f"{tool.partition('_')[2]}_id"}


def topic_of(desk: Desk, kind: str, name: str, written: str = "") -> Topic:
    return Topic((ref(desk, kind, name),), written=written)


def question_of(played: Played) -> Question:
    assert played.answer.question is not None, played.text
    return played.answer.question
