"""The reasons that the rules alone give for the sentences of `make attack` and of training, as they are recorded.

After a change of the rules that gives other sentences other reasons, `python -m tests.unit.application.orders.reasons`
records them anew; the difference of `reasons.json` shows what users will read.
"""

import json
from collections import defaultdict
from collections.abc import Iterable, Mapping
from functools import cache
from pathlib import Path

from aisha.application.orders.judge import judge_by_rules
from infra.orders.judged import Example, examples, judged
from tests.attack import honest
from tests.attack.honest import Order

FILE = Path(__file__).with_name("reasons.json")
STEP = 3
"""Every so many-th training sentence is judged in tests: one of this many."""


def of_order(order: Order) -> Example:
    return Example("", True, order.say, order.tool, order.args, order.asked)


HONEST = [of_order(one) for one in honest.orders() if not one.before]
NOT_ORDERED = [of_order(one) for one in honest.orders(honest.NOT_ORDERED) if not one.before]
LABELLED = examples()[::STEP]


@cache
def recorded() -> Mapping[str, frozenset[str]]:
    """Return the reasons of each sentence, which may come with several calls; an order that runs has an empty one."""
    sentences: dict[str, set[str]] = defaultdict(set)
    for reason, group in json.loads(FILE.read_text(encoding="utf-8")).items():
        for say in group:
            sentences[say].add(reason)
    return {say: frozenset(reasons) for say, reasons in sentences.items()}


def record(sentences: Iterable[Example]) -> None:
    """Write the reasons of these sentences: by reason, a sentence a line."""
    groups: dict[str, set[str]] = defaultdict(set)
    for example in sentences:
        groups[judge_by_rules(*judged(example)).reason].add(example.say)
    by_reason = {reason: sorted(groups[reason]) for reason in sorted(groups)}
    FILE.write_text(json.dumps(by_reason, ensure_ascii=False, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    record([*HONEST, *NOT_ORDERED, *LABELLED])
