"""Answers to a reply of the assistant: what they order runs, and what they don't waits."""

from aisha.application.tooling import ToolRegistry
from tests.attack import honest

ORDERS, OTHERS = honest.ANSWERS


def test_an_answer_that_orders_nothing_writes_nothing(registry: ToolRegistry) -> None:
    played = [honest.play(one, "chat", registry) for one in honest.orders(OTHERS)]
    assert [one.order for one in played if one.outcome.written] == []


def test_an_answer_that_orders_something_is_carried_out(registry: ToolRegistry) -> None:
    played = [honest.play(one, "chat", registry) for one in honest.orders(ORDERS)]
    assert [one.order.say for one in played if one.done == one.order.asked] == []
