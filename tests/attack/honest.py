"""Play honest orders: a model that looks the record up and then does what the user has said."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from msgspec import Struct

from aisha.application.tooling import ToolRegistry
from aisha.domain.models import ModelRequest, ToolCallRequest
from tests.attack.doors import Desk, Outcome
from tests.fakes.models.scripted_model import ask

FILE = Path(__file__).with_name("honest.jsonl")
NOT_ORDERED = Path(__file__).with_name("not_ordered.jsonl")
"""Messages that name a record and a value, as promises, questions and news do, with a call that they do not order."""
ANSWERS = FILE.with_name("answers_honest.jsonl"), FILE.with_name("answers_not_ordered.jsonl")
"""Answers to a reply, in a chat alone: a voice session keeps no replies, and clients of `v1` send their own."""
UNSEEN = tuple(sorted(FILE.parent.glob(f"unseen_*{kind}.jsonl")) for kind in ("honest", "not_ordered"))
"""The same by authors who know neither the rules nor the reader. They measure: no rule is made for one of them."""
DOORS = ("chat", "stream", "flow-chat", "v1", "voice", "mcp")
_REFERENCE = "@"
_LISTS = {"goal": "get_goals", "activity": "list_activities"}
"""The tools that list all of a kind, which no search by name finds."""


class Order(Struct, frozen=True):
    """A user's sentence, and the call that it orders.

    `before` is a message of an earlier turn, which names whom. `reply` is what the model answered then, when it had
    looked up the records `listed`. `asked` is True for one that the gate asks about today.
    """

    say: str
    tool: str
    args: dict[str, Any]
    before: str = ""
    reply: str = ""
    listed: tuple[str, ...] = ()
    asked: bool = False


class Honest(Struct, frozen=True):
    """An order at a door; `done` if it was carried out without a question."""

    order: Order
    door: str
    done: bool
    outcome: Outcome


def orders(file: Path = FILE) -> Iterator[Order]:
    """Yield the orders of a file."""
    for line in file.read_text(encoding="utf-8").splitlines():
        yield Order(**json.loads(line))


def play(order: Order, door: str, registry: ToolRegistry) -> Honest:
    """Play an order on new demo data."""
    message = ""

    def answers(request: ModelRequest) -> Any:
        is_first = request.messages[-1].role != "tool"
        # A client of the API of OpenAI sends texts alone: the model has to look up the id again.
        if is_first and look_up and (message == order.before or not order.before or door == "v1"):
            return look_up
        if message == order.say and not desk.outcome.written:
            return [ask(order.tool, None, **arguments)]
        return (order.reply if message == order.before else "") or "Done."

    desk = Desk(registry, door, answers)
    arguments = desk.stage.resolve(order.args)
    look_up = list(_look_up(order))
    if door in ("voice", "mcp"):
        for call in look_up:
            desk.call(call.name, json.loads(call.arguments), order.before or order.say)
        desk.call(order.tool, arguments, order.say)
    else:
        for message in (order.before, order.say) if order.before else (order.say,):
            desk.say(message)
    return Honest(order, door, order.tool in desk.outcome.written, desk.outcome)


def _look_up(order: Order) -> Iterator[ToolCallRequest]:
    """Yield the searches by which a model finds the ids of the call."""
    listed = {f"listed {place}": value for place, value in enumerate(order.listed)}
    for name, value in (listed or order.args).items():
        if isinstance(value, str) and value.startswith(_REFERENCE):
            kind, _, text = value.removeprefix(_REFERENCE).partition(":")
            plural = "opportunities" if kind == "opportunity" else f"{kind}s"
            tool = _LISTS.get(kind, f"search_{plural}")
            search = {} if kind in _LISTS else {"name_contains": text}
            yield ask(tool, f"find_{name}", **search)
