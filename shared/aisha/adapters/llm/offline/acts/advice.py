"""The act that suggests what to do next."""

from typing import Any

from aisha.adapters.llm.offline.entity_resolution import Ambiguous, Unknown
from aisha.adapters.llm.offline.intent import Intent
from aisha.adapters.llm.offline.plan import Answer, Plan
from aisha.adapters.llm.offline.reading.parser import Reading
from aisha.adapters.llm.offline.reading.patterns import pattern
from aisha.adapters.llm.offline.replies import phrasing
from aisha.adapters.llm.offline.state import Ref, Topic


def advise(plan: Plan, intent: Intent, reading: Reading) -> Answer:
    subject = plan.finder().subject(reading, intent.kind) if reading.names else plan.finder().mentioned(reading)
    if isinstance(subject, Ambiguous):
        return plan.unresolved(subject, reading.text, "") or Answer("")
    if isinstance(subject, Unknown) and any(name.strong for name in reading.names):
        return Answer(phrasing.not_found(subject.name, subject.kind))
    mine = pattern(r"\bmy (?:pipeline|leads|deals|day|week)\b|\btoday\b").search(reading.text)
    target = subject if isinstance(subject, Ref) and not mine else None
    arguments = {"entity_type": target.type, "entity_id": target.id} if target else {}
    outcome = plan.call("suggest_next_actions", "work out the next steps", **arguments)
    return Answer(
        advice_text(outcome.value, target.name if target else None), topic=Topic(refs=(target,)) if target else None
    )


def advice_text(value: Any, name: str | None) -> str:
    suggestions = value.get("suggestions") or value.get("items") or [] if isinstance(value, dict) else value
    if not suggestions:
        return f"Nothing presses for {name or 'your pipeline'} right now. A friendly check-in call is never wrong."
    lines = [
        f"{place}. **{item.get('action')}** (**{item.get('priority')}**): {item.get('reasoning')}"
        for place, item in enumerate(suggestions, 1)
    ]
    note = value.get("note") if isinstance(value, dict) else None
    return (
        f"Here is what I'd do next{f' for {name}' if name else ''}:\n\n"
        + "\n".join(lines)
        + (f"\n\n{note}" if note else "")
    )
