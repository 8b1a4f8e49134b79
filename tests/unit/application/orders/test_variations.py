"""Orders are varied: with another value, under a condition, quoted or denied none runs; with a courtesy each does.

The orders are those of `make attack` that the gate carries out. `make attack` puts all of them into other sentences.
"""

from collections.abc import Iterator
from datetime import datetime, timedelta
from itertools import batched
from typing import Any

import pytest

from aisha.application.orders.judge import judge_by_rules
from infra.orders.judged import Example, judged
from tests.attack import honest, variations
from tests.attack.honest import Order

BATCH = 30
STEP = 9
"""One of so many orders is put into other sentences: that takes a while."""
MAX_ASKED = 0.05
"""Share of orders with a courtesy that may be asked about."""
ORDERS = [one for one in honest.orders() if not one.before and not one.asked]
TEXTS = frozenset(("content", "description", "next_action", "title", "text", "purpose", "body"))
"""Arguments whose text goes on to the end of the message, whatever is said there."""


def runs(order: Order, **other: Any) -> bool:
    call, utterance, context = judged(Example("", True, order.say, order.tool, {**order.args, **other}))
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


@pytest.mark.parametrize("orders", [*batched(ORDERS, BATCH)], ids=lambda orders: orders[0].say[:40])
def test_no_other_value_runs_than_the_one_that_was_said(orders: tuple[Order, ...]) -> None:
    varied = [
        (one.say, name, value) for one in orders for name, value in other_values(one) if runs(one, **{name: value})
    ]
    assert varied == []


def test_orders_are_put_into_other_sentences() -> None:
    assert len(variations.orders_beginning_with_verb()) > 100


@pytest.mark.parametrize("name", [*variations.PHRASES, *variations.WAITING])
def test_an_order_within_another_sentence_waits(name: str) -> None:
    said = variations.wrapped(name, STEP)
    assert [message for order, message in said if variations.runs(order, message)] == []


@pytest.mark.parametrize("name", variations.RETRACTED)
def test_an_order_that_is_taken_back_waits(name: str) -> None:
    said = variations.wrapped(name, STEP)
    assert [message for order, message in said if variations.runs(order, message)] == []


def test_an_order_with_a_courtesy_runs() -> None:
    said = [one for name in variations.RUNNING for one in variations.wrapped(name, STEP)]
    asked = [message for order, message in said if not variations.runs(order, message)]
    assert len(asked) <= MAX_ASKED * len(said), asked
