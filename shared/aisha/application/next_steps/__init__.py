"""What is worth doing next about a record: rules over the record, its notes, activities and deals. Pure.

The numbers are those of the product's decision C-A6, 1 to 10: Urgent from 9, High from 7, Normal below.
"""

from collections.abc import Iterable
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
HIGHEST = 10
RULES: tuple[Rule, ...] = (
    warm_without_activity, closing, awaiting_callback, asked_for_email, overdue, left_message, at_risk, silent,
    without_next_step, upcoming, first_contact, converted,
)  # fmt: skip
FALLBACKS: tuple[Rule, ...] = (missing_details, check_in, write_note)


def next_steps(situations: Iterable[Situation], known: Iterable[NextStep] = ()) -> list[NextStep]:
    """Two or three steps, the most pressing first, for these records; `known` are steps found otherwise.

    Fewer only where there are neither records nor known steps. Takes no more of `situations` than needed: nothing
    presses more than three steps of the highest score.
    """
    found, seen = list(known), []
    for situation in situations:
        seen.append(situation)
        found += _asked(RULES, situation)
        if sum(step.score >= HIGHEST for step in _unique(found)) >= MOST:
            break
    unique = _unique(found)
    if len(unique) < LEAST:
        keys = {step.key for step in unique}
        more = _unique(step for situation in seen for step in _asked(FALLBACKS, situation))
        return [*unique, *(step for step in more if step.key not in keys)][:LEAST]
    return unique[:MOST]


def _asked(rules: Iterable[Rule], situation: Situation) -> list[NextStep]:
    return [step for rule in rules for step in rule(situation)]


def _unique(found: Iterable[NextStep]) -> list[NextStep]:
    """By score. Steps that would be the same deed become one, with both reasons."""
    unique: dict[str, NextStep] = {}
    for step in sorted(found, key=lambda step: -step.score):
        known = unique.get(step.key)
        if known is None:
            unique[step.key] = step
        elif step.reasoning.casefold() not in known.reasoning.casefold():
            unique[step.key] = replace(known, reasoning=f"{known.reasoning}. {step.reasoning}")
    return list(unique.values())
