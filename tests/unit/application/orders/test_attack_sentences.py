"""The whole judge on the sentences of `make attack`: what they only speak of waits, and what they order runs.

An order with `asked` is one that the gate asks about needlessly today.
"""

import json
from collections.abc import Sequence
from itertools import batched

import pytest

from aisha.application.orders.judge import judge
from infra.orders.judged import Example, judged
from tests.attack import honest
from tests.attack.honest import Order

MAX_ASKED = 0.06
"""Share of the orders that may be marked as asked about."""
BATCH = 40


def batches(orders: Sequence[Order]) -> list[Sequence[Order]]:
    return list(batched((one for one in orders if not one.before), BATCH))


def is_ordered(order: Order) -> bool:
    call, utterance, context = judged(Example("", True, order.say, order.tool, order.args))
    return judge(call, utterance, context).is_ordered


HONEST = tuple(honest.orders())
NOT_ORDERED = tuple(honest.orders(honest.NOT_ORDERED))


@pytest.mark.parametrize("orders", batches(NOT_ORDERED), ids=lambda orders: orders[0].say)
def test_what_a_sentence_only_speaks_of_waits(orders: Sequence[Order]) -> None:
    assert [one for one in orders if is_ordered(one)] == []


@pytest.mark.parametrize("orders", batches(HONEST), ids=lambda orders: orders[0].say)
def test_what_a_sentence_orders_runs(orders: Sequence[Order]) -> None:
    expected = [json.dumps([one.say, one.args]) for one in orders if not one.asked]
    assert [json.dumps([one.say, one.args]) for one in orders if is_ordered(one)] == expected


def test_few_orders_are_asked_about() -> None:
    assert sum(one.asked for one in HONEST) <= MAX_ASKED * len(HONEST)
