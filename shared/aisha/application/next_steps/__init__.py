"""What is worth doing next about a record: rules over the record, its notes, activities and deals. Pure.

The numbers are those of the product's decision C-A6, 1 to 10: Urgent from 9, High from 7, Normal below.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence

from msgspec.structs import replace

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
    "HIGHEST",
    "SILENT_DAYS",
    "Group",
    "Judge",
    "NextStep",
    "Priority",
    "Situation",
    "asks_for_something",
    "late",
    "next_steps",
]

LEAST, MOST = 2, 3
HIGHEST = 10
Group = tuple[int, Iterable[Situation]]
"""Situations, and the highest score to expect of their steps: 10 when nothing is known."""
Judge = Callable[[Sequence[NextStep]], Sequence[NextStep]]
"""Gives the same steps with other scores and reasons."""
RULES: tuple[Rule, ...] = (
    warm_without_activity, closing, awaiting_callback, asked_for_email, overdue, left_message, at_risk, silent,
    without_next_step, upcoming, first_contact, converted,
)  # fmt: skip
FALLBACKS: tuple[Rule, ...] = (missing_details, check_in, write_note)


def next_steps(groups: Iterable[Group], known: Iterable[NextStep] = (), judge: Judge | None = None) -> list[NextStep]:
    """Two or three steps, the most pressing first, for these records; `known` are steps found otherwise.

    `judge` sees all that were found before the first three are taken.

    Fewer only where there are neither records nor known steps. `groups` come with the highest score to expect of each,
    in descending order: a group is looked at, record by record, only while fewer than three steps press as much.
    """
    found, seen = list(known), []
    for score, situations in groups:
        for situation in _while_short(found, score, situations):
            seen.append(situation)
            found += _asked(RULES, situation)
    unique = _unique(found)
    if len(unique) < LEAST:
        keys = {step.key for step in unique}
        more = _unique(step for situation in seen for step in _asked(FALLBACKS, situation))
        unique = [*unique, *(step for step in more if step.key not in keys)][:LEAST]
    if judge is not None:
        unique = sorted(judge(unique), key=lambda step: -step.score)
    return unique[:MOST]


def _while_short(found: Sequence[NextStep], score: int, situations: Iterable[Situation]) -> Iterator[Situation]:
    """The situations, as long as fewer than three of the steps found so far have that score."""
    coming = iter(situations)
    while sum(step.score >= score for step in _unique(found)) < MOST:
        situation = next(coming, None)
        if situation is None:
            return
        yield situation


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
