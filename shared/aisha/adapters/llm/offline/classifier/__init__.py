"""Classify a clause: its act and the kind of record it is about."""

from aisha.adapters.llm.offline.classifier import command_rules as doing
from aisha.adapters.llm.offline.classifier import question_rules as asking
from aisha.adapters.llm.offline.classifier import statement_rules as telling
from aisha.adapters.llm.offline.intent import Act, Intent, kind_of
from aisha.adapters.llm.offline.reading.parser import Reading

_RULES = (
    asking.scan, asking.silent, asking.recall, doing.draft, doing.convert, doing.reschedule, doing.note, doing.delete,
    asking.people, asking.advise, doing.complete, asking.overdue, asking.agenda, doing.literal, asking.count,
    doing.create, telling.report, telling.errand, doing.activity_noun, doing.activity_verb, doing.update,
    asking.field, asking.listing, asking.activities, asking.summary, asking.inquire,
)  # fmt: skip
_WRITE_ACTS = frozenset(
    (
        Act.CONVERT, Act.RESCHEDULE, Act.DELETE, Act.COMPLETE, Act.CREATE_NOTE, Act.CREATE_ACTIVITY, Act.CREATE,
        Act.UPDATE, Act.ADVANCE,
    )
)  # fmt: skip
"""Acts that a mere question never performs."""


def classify(reading: Reading) -> Intent:
    """Return the act of a clause. Rules run from the most specific words to the least."""
    kind = kind_of(reading)
    for rule in _RULES:
        if (act := rule(reading, kind)) is not None and not (reading.asks and act in _WRITE_ACTS):
            return Intent(act, kind)
    return Intent(Act.NOTHING, kind)
