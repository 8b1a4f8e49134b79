"""Evidence from similar cases for steps: a reason, and a change of the score by at most one (A-125). Pure functions."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from aisha.application.next_steps.situation import MAX_SCORE, MIN_SCORE, NextStep
from aisha.domain.crm.records import Activity
from aisha.domain.memory import BAD_OUTCOMES, GOOD_OUTCOMES, NOTE_ACTION, MemoryHit

MIN_OUTCOMES = 2
"""A single outcome changes no score: it may be chance."""
ACTION_PHRASES: Mapping[str, str] = {
    "call": "went for a call",
    "email": "went for an email",
    "meeting": "went for a meeting",
    "demo": "went for a demo",
    "task": "went for a task",
    NOTE_ACTION: "wrote a note",
}
"""Past-tense phrases of the actions that count as evidence.

Changes of a record do not count: an outcome is such a change itself, so they would always have worked. Other text in
memory may come from anybody and never becomes advice."""
_BY_TOOL = ("create_activity", "complete_activity", "get_activity")


class Evidence(Struct, frozen=True):
    """An action in similar cases: in how many it was taken, and in how many of these it ended well or badly."""

    action: str
    cases: int = 0
    worked: int = 0
    failed: int = 0

    @property
    def shift(self) -> int:
        """Return 1 when it mostly worked, -1 when it mostly did not, 0 when too little is known."""
        if self.worked + self.failed < MIN_OUTCOMES or self.worked == self.failed:
            return 0
        return 1 if self.worked > self.failed else -1

    def sentence(self) -> str:
        """Return one sentence without a full stop."""
        if self.cases == 1:
            ended = ", which ended well" if self.worked else ", which did not end well" if self.failed else ""
            return f"In 1 similar case a user {ACTION_PHRASES[self.action]}{ended}"
        endings = [
            f"{count} {outcome}" for count, outcome in ((self.worked, "ended well"), (self.failed, "did not")) if count
        ]
        action = ACTION_PHRASES[self.action]
        return f"In {self.cases} similar cases users {action}{': ' if endings else ''}{', '.join(endings)}"


def collect_evidence(hits: Iterable[MemoryHit], about: str) -> list[Evidence]:
    """Return the actions of these cases, the most frequent first. Each record other than `about` is one case."""
    actions: dict[str, dict[str, None]] = defaultdict(dict)
    endings: dict[str, set[str]] = defaultdict(set)
    for hit in hits:
        record, metadata = hit.chunk.entity_id, hit.chunk.metadata
        # What was done for the record itself is no experience from a similar case.
        if record is None or record == about:
            continue
        endings[record].add(metadata.get("outcome", ""))
        if (action := metadata.get("action", "")) in ACTION_PHRASES:
            actions[record][action] = None
    counted = Counter(action for done in actions.values() for action in done)
    return [_evidence(action, cases, actions, endings) for action, cases in counted.most_common()]


def with_evidence(steps: Sequence[NextStep], evidence: Sequence[Evidence]) -> list[NextStep]:
    """Return the steps about one record with the evidence for their actions.

    If there is none for the first step, it gets the most frequent other action as a reason.
    """
    by_action = {item.action: item for item in evidence}
    actions = [action_of(step) for step in steps]
    rescored = [_rescore(step, by_action.get(action or "")) for step, action in zip(steps, actions, strict=True)]
    other = next((item for item in evidence if item.action not in actions), None)
    if rescored and other is not None and actions[0] not in by_action:
        rescored[0] = _with_reason(rescored[0], other)
    return rescored


def action_of(step: NextStep) -> str | None:
    """Return the step's action by the name that memory uses."""
    if step.tool in _BY_TOOL:
        kind = step.record.activity_type.value if isinstance(step.record, Activity) else None
        return str(step.arguments.get("activity_type") or kind)
    return step.tool


def _evidence(
    action: str, cases: int, actions: Mapping[str, Mapping[str, Any]], endings: Mapping[str, set[str]]
) -> Evidence:
    ends = [endings[record] for record, done in actions.items() if action in done]
    worked = sum(bool(outcomes & GOOD_OUTCOMES) for outcomes in ends)
    # A record with outcomes of both kinds counts as one that ended well.
    failed = sum(bool(outcomes & BAD_OUTCOMES) and not outcomes & GOOD_OUTCOMES for outcomes in ends)
    return Evidence(action, cases, worked, failed)


def _rescore(step: NextStep, evidence: Evidence | None) -> NextStep:
    if evidence is None:
        return step
    return replace(_with_reason(step, evidence), score=min(MAX_SCORE, max(MIN_SCORE, step.score + evidence.shift)))


def _with_reason(step: NextStep, evidence: Evidence) -> NextStep:
    return replace(step, reasoning=f"{step.reasoning}. {evidence.sentence()}")
