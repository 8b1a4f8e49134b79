"""What worked in cases like this one: added to a step's reasons, and moving its priority by one at most (A-125). Pure."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from aisha.application.memory.chunks import BAD, GOOD, NOTE_ACTION
from aisha.application.next_steps.situation import NextStep
from aisha.domain.memory import MemoryHit
from aisha.domain.records import Activity

FEWEST_ENDINGS = 2
"""One ending moves nothing: it may be chance."""
LOWEST, HIGHEST = 1, 10
WORDS: Mapping[str, str] = {
    "call": "went for a call",
    "email": "went for an email",
    "meeting": "went for a meeting",
    "demo": "went for a demo",
    "task": "went for a task",
    NOTE_ACTION: "wrote a note",
}
"""How deeds are told. Changes of a record are none: an ending is such a change itself, so they would always have worked.
What else stands in memory was written by anybody, and never becomes advice."""
_BY_TOOL = ("create_activity", "complete_activity", "get_activity")


class Deed(Struct, frozen=True):
    """What users did in like cases, how often, and in how many of these it is known to have ended well or badly."""

    action: str
    cases: int = 0
    worked: int = 0
    failed: int = 0

    @property
    def shift(self) -> int:
        """1 when it mostly worked, -1 when it mostly did not, 0 when too little is known."""
        if self.worked + self.failed < FEWEST_ENDINGS or self.worked == self.failed:
            return 0
        return 1 if self.worked > self.failed else -1

    def told(self) -> str:
        """One sentence without a full stop."""
        if self.cases == 1:
            ended = ", which ended well" if self.worked else ", which did not end well" if self.failed else ""
            return f"In 1 similar case a user {WORDS[self.action]}{ended}"
        endings = [f"{count} {how}" for count, how in ((self.worked, "ended well"), (self.failed, "did not")) if count]
        return f"In {self.cases} similar cases users {WORDS[self.action]}{': ' if endings else ''}{', '.join(endings)}"


def deeds(hits: Iterable[MemoryHit], about: str) -> list[Deed]:
    """What was done in these cases, the most frequent first. A case is another record than `about`, counted once."""
    actions: dict[str, dict[str, None]] = defaultdict(dict)
    endings: dict[str, set[str]] = defaultdict(set)
    for hit in hits:
        record, metadata = hit.chunk.entity_id, hit.chunk.metadata
        if record is None or record == about:
            continue
        endings[record].add(metadata.get("outcome", ""))
        if (action := metadata.get("action", "")) in WORDS:
            actions[record][action] = None
    counted = Counter(action for done in actions.values() for action in done)
    return [_deed(action, cases, actions, endings) for action, cases in counted.most_common()]


def with_evidence(steps: Sequence[NextStep], known: Sequence[Deed]) -> list[NextStep]:
    """The steps about one record with what is known of their deeds.

    When that is nothing for the first one, it tells what users mostly did otherwise.
    """
    by_action = {deed.action: deed for deed in known}
    actions = [deed_of(step) for step in steps]
    judged = [_judged(step, by_action.get(action or "")) for step, action in zip(steps, actions, strict=True)]
    other = next((deed for deed in known if deed.action not in actions), None)
    if judged and other is not None and actions[0] not in by_action:
        judged[0] = _with_reason(judged[0], other)
    return judged


def deed_of(step: NextStep) -> str | None:
    """What doing the step would be, as memory calls it."""
    if step.tool in _BY_TOOL:
        kind = step.record.activity_type.value if isinstance(step.record, Activity) else None
        return str(step.arguments.get("activity_type") or kind)
    return step.tool


def _deed(action: str, cases: int, actions: Mapping[str, Mapping[str, Any]], endings: Mapping[str, set[str]]) -> Deed:
    ends = [endings[record] for record, done in actions.items() if action in done]
    worked = sum(bool(one & GOOD) for one in ends)
    return Deed(action, cases, worked, sum(bool(one & BAD) and not one & GOOD for one in ends))


def _judged(step: NextStep, deed: Deed | None) -> NextStep:
    if deed is None:
        return step
    return replace(_with_reason(step, deed), score=min(HIGHEST, max(LOWEST, step.score + deed.shift)))


def _with_reason(step: NextStep, deed: Deed) -> NextStep:
    return replace(step, reasoning=f"{step.reasoning}. {deed.told()}")
