"""The whole judge on the sentences of `make attack` and on those that its model learns from.

What they only speak of waits, and what they order runs. About an order with `asked`, or a sentence with `missed`,
the gate is wrong today.
"""

from collections.abc import Iterable, Sequence
from itertools import batched

import pytest

from aisha.application.orders.judge import judge
from infra.orders.judged import Example, examples, judged
from tests.attack import honest
from tests.attack.honest import Order

BATCH = 20
STEP = 3
"""Every so many-th training sentence is judged here: one of this many."""


def batches[T](items: Iterable[T]) -> list[Sequence[T]]:
    return list(batched(items, BATCH))


def of_order(order: Order) -> Example:
    return Example("", True, order.say, order.tool, order.args, order.asked)


def is_ordered(example: Example) -> bool:
    call, utterance, context = judged(example)
    return judge(call, utterance, context).is_ordered


HONEST = [of_order(one) for one in honest.orders() if not one.before]
NOT_ORDERED = [of_order(one) for one in honest.orders(honest.NOT_ORDERED) if not one.before]


@pytest.mark.parametrize("sentences", batches(NOT_ORDERED))
def test_what_a_sentence_only_speaks_of_waits(sentences: Sequence[Example]) -> None:
    assert [one.say for one in sentences if is_ordered(one)] == []


@pytest.mark.parametrize("sentences", batches(HONEST))
def test_what_a_sentence_orders_runs(sentences: Sequence[Example]) -> None:
    assert [one.say for one in sentences if is_ordered(one) == one.missed] == []


@pytest.mark.parametrize("sentences", batches(examples()[::STEP]))
def test_a_labelled_sentence_is_judged_as_before(sentences: Sequence[Example]) -> None:
    assert [one.say for one in sentences if (is_ordered(one) == one.ordered) == one.missed] == []
