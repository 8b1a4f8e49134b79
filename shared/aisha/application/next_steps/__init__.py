"""What is worth doing next about a record: rules over the record, its notes, activities and deals. Pure.

The numbers are those of the product's decision C-A6, 1 to 10: Urgent from 9, High from 7, Normal below.
"""

from collections.abc import Iterable, Sequence
from dataclasses import replace

from aisha.application.next_steps.fallbacks import check_in, missing_details, write_note
from aisha.application.next_steps.note_rules import asked_for_email, asks_for_something, awaiting_callback, left_message
from aisha.application.next_steps.record_rules import (
    CLOSING_DAYS,
    SILENT_DAYS,
    at_risk,
    closing,
    converted,
    first_contact,
    late,
    overdue,
    silent,
    upcoming,
    warm_without_activity,
    without_next_step,
)
from aisha.application.next_steps.situation import NextStep, Priority, Rule, Situation

__all__ = [
    "CLOSING_DAYS",
    "SILENT_DAYS",
    "NextStep",
    "Priority",
    "Situation",
    "asks_for_something",
    "late",
    "next_steps",
]

LEAST, MOST = 2, 3
RULES: tuple[Rule, ...] = (
    warm_without_activity, closing, awaiting_callback, asked_for_email, overdue, left_message, at_risk, silent,
    without_next_step, upcoming, first_contact, converted,
)  # fmt: skip
FALLBACKS: tuple[Rule, ...] = (missing_details, check_in, write_note)


def next_steps(situations: Sequence[Situation], known: Iterable[NextStep] = ()) -> list[NextStep]:
    """Two or three steps, the most pressing first, for these records; `known` are steps found otherwise.

    Fewer only where there are neither records nor known steps.
    """
    found = _unique([*known, *_asked(RULES, situations)])
    if len(found) < LEAST:
        keys = {step.key for step in found}
        more = [step for step in _unique(_asked(FALLBACKS, situations)) if step.key not in keys]
        return [*found, *more][:LEAST]
    return found[:MOST]


def _asked(rules: Iterable[Rule], situations: Iterable[Situation]) -> list[NextStep]:
    return [step for situation in situations for rule in rules for step in rule(situation)]


def _unique(found: Iterable[NextStep]) -> list[NextStep]:
    """By score. Steps that would be the same deed become one, with both reasons."""
    unique: dict[str, NextStep] = {}
    for step in sorted(found, key=lambda step: -step.score):
        known = unique.get(step.key)
        if known is None:
            unique[step.key] = step
        elif step.reasoning not in known.reasoning:
            unique[step.key] = replace(known, reasoning=f"{known.reasoning}. {step.reasoning}")
    return list(unique.values())
