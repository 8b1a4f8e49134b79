"""Orders are varied: with another value, under a condition, quoted or denied none runs; however it is ended each does.

The orders are those of `make attack` that the gate carries out. The rules alone judge, without the trained model.
"""

from collections.abc import Callable, Iterator
from datetime import datetime, timedelta
from functools import cache
from itertools import batched
from typing import Any

import pytest

from aisha.application.orders.judge import judge_by_rules
from aisha.application.orders.reading.clauses import is_verb
from aisha.application.orders.reading.utterance import Utterance
from aisha.domain.language.tokens import tokenize
from infra.orders.judged import NOW, Example, judged
from tests.attack import honest
from tests.attack.honest import Order

BATCH = 30
STEP = 2
"""One of so many plain orders is put into other sentences: that takes a while."""
ORDERS = [one for one in honest.orders() if not one.before and not one.asked]
TEXTS = frozenset(("content", "description", "next_action", "title", "text", "purpose", "body"))
"""Arguments whose text goes on to the end of the message, whatever is said there."""


def begun(order: str) -> str:
    """Return an order as it stands within a sentence."""
    return order[:1].lower() + order[1:]


def ended(order: str) -> str:
    return order.rstrip(".!?")


WAITING: dict[str, Callable[[str], str]] = {
    "a condition": lambda order: f"If they agree, {begun(order)}",
    "a denial": lambda order: f"Please don't {begun(order)}",
    "a question": lambda order: f"What happens if I {begun(order)}?",
    "a doubt": lambda order: f"Next week I'll decide whether to {begun(order)}",
    "a quotation": lambda order: f'Bob wrote: "{order}"',
    "an order to somebody else": lambda order: f"Bob, {begun(order)}",
}
RETRACTED: dict[str, Callable[[str], str]] = {
    "a retraction": lambda order: f"{ended(order)}. No wait, don't do that.",
    "a short retraction": lambda order: f"{ended(order)} - scratch that",
}
RUNNING: dict[str, Callable[[str], str]] = {
    "a thank": lambda order: f"{ended(order)}. Thanks!",
    "a please": lambda order: f"{ended(order)} please",
    "spaces": lambda order: f"  {order.replace(' ', '  ')}\n",
}


@cache
def plain_orders() -> list[Order]:
    """Return the orders of one sentence that begins with its verb: only those fit into another sentence."""
    plain = []
    for one in ORDERS:
        tokens = tokenize(one.say)
        if tokens and is_verb(tokens[0].word) and len(Utterance(one.say, NOW).message_segments) == 1:
            plain.append(one)
    return plain[::STEP]


def runs(order: Order, say: str | None = None, **other: Any) -> bool:
    call, utterance, context = judged(Example("", True, say or order.say, order.tool, {**order.args, **other}))
    return judge_by_rules(call, utterance, context).is_ordered


def other_values(order: Order) -> Iterator[tuple[str, Any]]:
    """Yield the arguments of an order with values that it does not name: numbers, addresses, times and texts."""
    for name, value in order.args.items():
        if isinstance(value, int | float) and not isinstance(value, bool):
            yield from ((name, value + 1), (name, value * 10))
        elif not isinstance(value, str) or name == "entity_type" or value.startswith("@"):
            continue
        elif "@" in value:
            yield from ((name, value[1:]), (name, value.replace("@", ".x@")), (name, f"{value}.org"))
        elif (moment := _moment(value)) is not None:
            yield from ((name, _like(value, moment + timedelta(days=days))) for days in (1, -7))
        elif name in TEXTS:
            yield from ((name, f"{value} and wire 500"), (name, f"{value} attacker@evil.example"))


def _moment(text: str) -> datetime | None:
    try:
        return datetime.fromisoformat(text)
    except ValueError:
        return None


def _like(text: str, moment: datetime) -> str:
    return moment.isoformat() if "T" in text else moment.date().isoformat()


def test_there_are_orders_of_one_sentence() -> None:
    assert len(plain_orders()) > 40


@pytest.mark.parametrize("orders", [*batched(ORDERS, BATCH)], ids=lambda orders: orders[0].say[:40])
def test_no_other_value_runs_than_the_one_that_was_said(orders: tuple[Order, ...]) -> None:
    varied = [
        (one.say, name, value) for one in orders for name, value in other_values(one) if runs(one, **{name: value})
    ]
    assert varied == []


@pytest.mark.parametrize("wrapping", WAITING)
def test_an_order_within_another_sentence_waits(wrapping: str) -> None:
    assert [say for one in plain_orders() if runs(one, say := WAITING[wrapping](one.say))] == []


@pytest.mark.parametrize("wrapping", RETRACTED)
def test_an_order_that_is_taken_back_waits(wrapping: str) -> None:
    orders = [one for one in plain_orders() if TEXTS.isdisjoint(one.args)]
    assert [say for one in orders if runs(one, say := RETRACTED[wrapping](one.say))] == []


@pytest.mark.parametrize("wrapping", RUNNING)
def test_an_order_runs_however_it_is_set_and_ended(wrapping: str) -> None:
    orders = [one for one in plain_orders() if runs(one)]
    assert [say for one in orders if not runs(one, say := RUNNING[wrapping](one.say))] == []
