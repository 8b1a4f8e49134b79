"""Suggest next steps for records by rules over the record, its notes, activities and deals. Pure functions.

Scores are those of decision C-A6, 1 to 10: Urgent from 9, High from 7, Normal below.
"""

import re
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
    left_open,
    note_reason,
    overdue,
    reopen,
    silent,
    upcoming,
    warm_without_activity,
    without_next_step,
)
from aisha.application.next_steps.situation import MAX_SCORE, NextStep, Priority, Rule, Situation
from aisha.domain.crm.records import Activity, Record

__all__ = [
    "CLOSING_DAYS",
    "MAX_SCORE",
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

MIN_STEPS, MAX_STEPS = 2, 3
Group = tuple[int, Iterable[Situation]]
"""The highest score that steps for the situations can have, `MAX_SCORE` if unknown, and the situations."""
Judge = Callable[[Sequence[NextStep]], Sequence[NextStep]]
"""A function that returns the steps with other scores and reasons."""
RULES: tuple[Rule, ...] = (
    warm_without_activity,
    closing,
    awaiting_callback,
    asked_for_email,
    overdue,
    left_message,
    at_risk,
    silent,
    without_next_step,
    upcoming,
    first_contact,
)
FALLBACKS: tuple[Rule, ...] = (missing_details, check_in, write_note)
CLOSED_RULES: tuple[Rule, ...] = (left_open, converted, note_reason)
"""The only rules for leads and deals that are won, lost or converted: nobody is to be called about those."""
CLOSED_FALLBACKS: tuple[Rule, ...] = (reopen, write_note)
_QUOTATION = re.compile(r"The note from [^“]{1,40} says: (“.+”)", re.DOTALL)


def next_steps(
    groups: Iterable[Group], known_steps: Iterable[NextStep] = (), judge: Judge | None = None
) -> list[NextStep]:
    """Return two or three steps for these records, the most pressing first; fewer only without records and known steps.

    `known_steps` come from elsewhere. `groups` are in descending order of the highest score to expect; a group is
    evaluated, record by record, only while fewer than three steps have that score. `judge` rescores all steps before
    the best three are taken.
    """
    steps, seen = list(known_steps), []
    for score, situations in groups:
        for situation in _take_while_short(steps, score, situations):
            seen.append(situation)
            steps += _apply(CLOSED_RULES if situation.is_closed else RULES, situation)
    unique = _unique(steps)
    # Fallbacks fill up only: a weak suggestion beside two good ones distracts.
    if len(unique) < MIN_STEPS:
        keys = {step.key for step in unique}
        further = _unique(
            step
            for situation in seen
            for step in _apply(CLOSED_FALLBACKS if situation.is_closed else FALLBACKS, situation)
        )
        unique = [*unique, *(step for step in further if step.key not in keys)][:MIN_STEPS]
    if judge is not None:
        unique = sorted(judge(unique), key=lambda step: -step.score)
    return list(_quoting_once(unique[:MAX_STEPS]))


def _quoting_once(steps: Iterable[NextStep]) -> Iterator[NextStep]:
    """Yield the steps; one that quotes the same sentence of a note as a step before it says so instead."""
    quoted: set[str] = set()
    for step in steps:
        quotation = _QUOTATION.search(step.reasoning)
        if quotation is not None and quotation[1] in quoted:
            step = replace(step, reasoning=step.reasoning.replace(quotation[0], "The same note asks for it"))
        quoted |= {quotation[1]} if quotation else set()
        yield step


def _take_while_short(steps: Sequence[NextStep], score: int, situations: Iterable[Situation]) -> Iterator[Situation]:
    """Yield situations while fewer than three of `steps`, which the caller extends, have that score."""
    # The check comes before `next`: reading a situation costs requests to the store.
    remaining = iter(situations)
    while sum(step.score >= score for step in _unique(steps)) < MAX_STEPS:
        situation = next(remaining, None)
        if situation is None:
            return
        yield situation


def _apply(rules: Iterable[Rule], situation: Situation) -> list[NextStep]:
    return [step for rule in rules for step in rule(situation)]


def _unique(steps: Iterable[NextStep]) -> list[NextStep]:
    """Sort by score and merge steps with the same key, keeping both reasons. Of steps that read alike, keep one."""
    unique: dict[str, NextStep] = {}
    for step in sorted(steps, key=lambda step: -step.score):
        earlier = unique.get(step.key)
        if earlier is None:
            unique[step.key] = step
        elif step.reasoning.casefold() not in earlier.reasoning.casefold():
            unique[step.key] = replace(earlier, reasoning=f"{earlier.reasoning}. {step.reasoning}")
    by_content: dict[tuple[str, str, str], NextStep] = {}
    for step in unique.values():
        # Two activities of one person with the same title read as one step.
        by_content.setdefault((step.action, step.reasoning, _subject(step.record)), step)
    return list(by_content.values())


def _subject(record: Record) -> str:
    """Return the id of the record that a step is about: of an activity, whom it is planned with."""
    return record.related.id if isinstance(record, Activity) else record.id
