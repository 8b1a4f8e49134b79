"""The whole judge on the sentences of `make attack` and on those that its model learns from.

What they only speak of waits, and what they order runs. About an order with `asked`, or a sentence with `missed`,
the gate is wrong today. Why a call waits is what the rules alone say of it.
"""

from collections.abc import Iterable, Sequence
from itertools import batched

import pytest

from aisha.application.orders.judge import judge, judge_by_rules
from infra.orders.judged import Example, judged
from tests.unit.application.orders.reasons import HONEST, LABELLED, NOT_ORDERED, recorded

BATCH = 20


def batches[T](items: Iterable[T]) -> list[Sequence[T]]:
    return list(batched(items, BATCH))


def ordered(sentences: Sequence[Example]) -> list[bool]:
    """Return which sentences order their calls, after a check of the reasons that the rules give."""
    contexts = [judged(one) for one in sentences]
    verdicts = [judge(*one).is_ordered for one in contexts]
    reasons = [(one.say, judge_by_rules(*context).reason) for one, context in zip(sentences, contexts, strict=True)]
    changed = [(say, reason) for say, reason in reasons if reason not in recorded().get(say, {reason})]
    assert changed == [], "if these are right: python -m tests.unit.application.orders.reasons"
    return verdicts


@pytest.mark.parametrize("sentences", batches(NOT_ORDERED))
def test_what_a_sentence_only_speaks_of_waits(sentences: Sequence[Example]) -> None:
    assert [one.say for one, runs in zip(sentences, ordered(sentences), strict=True) if runs] == []


@pytest.mark.parametrize("sentences", batches(HONEST))
def test_what_a_sentence_orders_runs(sentences: Sequence[Example]) -> None:
    assert [one.say for one, runs in zip(sentences, ordered(sentences), strict=True) if runs == one.missed] == []


@pytest.mark.parametrize("sentences", batches(LABELLED))
def test_a_labelled_sentence_is_judged_as_before(sentences: Sequence[Example]) -> None:
    verdicts = zip(sentences, ordered(sentences), strict=True)
    assert [one.say for one, runs in verdicts if (runs == one.ordered) == one.missed] == []
