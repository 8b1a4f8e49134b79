"""Evidence from similar cases for steps: a reason, and a change of the score by at most one (A-125). Pure functions."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from aisha.application.next_steps.situation import MAX_SCORE, MIN_SCORE, NextStep
from aisha.domain.crm.records import Activity
from aisha.domain.memory import BAD_OUTCOMES, GOOD_OUTCOMES, NOTE_ACTION, MemoryHit

MAX_NAMED = 3
"""Actions that the sentence about similar cases names."""
MIN_OUTCOMES = 2
"""A single outcome changes no score: it may be chance."""
ACTION_PHRASES: Mapping[str, str] = {
    "call": "call",
    "email": "send an email",
    "meeting": "meet",
    "demo": "give a demo",
    "task": "plan a task",
    NOTE_ACTION: "write a note",
}
"""Phrases of the actions that count as evidence.

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

    def phrase(self) -> str:
        """Return the action with its endings: `call (2 ended well, 1 did not)`."""
        badly = "did not" if self.worked else "did not end well"
        endings = [
            f"{count} {outcome}" for count, outcome in ((self.worked, "ended well"), (self.failed, badly)) if count
        ]
        return f"{ACTION_PHRASES[self.action]} ({', '.join(endings)})" if endings else ACTION_PHRASES[self.action]


class SimilarCases(Struct, frozen=True):
    """Cases like the one at hand: how many there are, and what users did in them, the most frequent action first."""

    matches: int = 0
    evidence: tuple[Evidence, ...] = ()

    def sentence(self) -> str:
        """Return one sentence: `In similar scenarios (3 matches), users typically: call, send an email.`"""
        noun = "match" if self.matches == 1 else "matches"
        actions = ", ".join(item.phrase() for item in self.evidence[:MAX_NAMED])
        return f"In similar scenarios ({self.matches} {noun}), users typically: {actions}."


def collect_evidence(hits: Iterable[MemoryHit], about: str) -> SimilarCases:
    """Return what was done in these cases. Each record other than `about` is one case."""
    actions: dict[str, dict[str, None]] = defaultdict(dict)
    endings: dict[str, set[str]] = defaultdict(set)
    for hit in hits:
        record, metadata = hit.chunk.entity_id, hit.chunk.metadata
        # Only other records count as similar cases.
        if record is None or record == about:
            continue
        endings[record].add(metadata.get("outcome", ""))
        if (action := metadata.get("action", "")) in ACTION_PHRASES:
            actions[record][action] = None
    counted = Counter(action for done in actions.values() for action in done)
    evidence = (_evidence(action, cases, actions, endings) for action, cases in counted.most_common())
    return SimilarCases(len(actions), tuple(evidence))


def with_evidence(steps: Sequence[NextStep], evidence: Sequence[Evidence]) -> list[NextStep]:
    """Return the steps about one record, those moved whose action mostly worked, or mostly did not."""
    by_action = {item.action: item for item in evidence}
    return [_rescore(step, by_action.get(action_of(step) or "")) for step in steps]


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
    if evidence is None or not evidence.shift:
        return step
    ending = "well" if evidence.shift > 0 else "badly"
    reasoning = f"{step.reasoning}. In similar cases this mostly ended {ending}"
    return replace(step, reasoning=reasoning, score=min(MAX_SCORE, max(MIN_SCORE, step.score + evidence.shift)))
