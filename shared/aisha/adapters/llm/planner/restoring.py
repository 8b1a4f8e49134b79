"""Take back a part of the last change: what one of several records had before, or one of its fields."""

from collections.abc import Mapping
from typing import Any

from msgspec.structs import replace

from aisha.adapters.llm.planner.plan import Answer, Plan
from aisha.adapters.llm.planner.replies import changes
from aisha.adapters.llm.planner.state import Ref
from aisha.domain.language import lexicon
from aisha.domain.language.ask import Ask
from aisha.domain.language.tokens import tokenize

ONLY_A_PART = "That is only a part of what I changed last"
"""The doubt about an order whose words hardly say it: "undo jacks"."""
_MIN_NAME = 3
"""Letters of a word from which it may name a record without a capital: "undo jacks"."""


def with_part_restored(plan: Plan, ask: Ask) -> Answer | None:
    """Give records the values back that the last change replaced, where the ask is for a part of it; else None."""
    replaced, topic = plan.topic.replaced, plan.topic
    session = [Ref(one.type, one.id, one.name) for one in plan.scene.entities]
    spoken_of = (*topic.changed, *topic.refs, *topic.listed, *session)
    changed = {ref.id: ref for ref in reversed(spoken_of) if ref.id in replaced}
    named = [ref for ref in changed.values() if _is_named(ask, ref)]
    fields = {*(ask.fields or lexicon.fields_in(plan.scene.user_text.lower()))}
    values = {ref.id: _values_of(ref, replaced[ref.id], fields) for ref in named or changed.values()}
    is_part = 0 < len(named) < len(changed) or any(0 < len(values[one]) < len(replaced[one]) for one in values)
    is_known = all(one and all(old not in (None, "", []) for old in one.values()) for one in values.values())
    if not (is_part and is_known):
        return None
    plan, refs = replace(plan, doubt=ONLY_A_PART), [changed[one] for one in values]
    calls = [plan.planned(f"update_{ref.type}", **{f"{ref.type}_id": ref.id}, **values[ref.id]) for ref in refs]
    outcomes = plan.need_all(calls)
    if failed := next((one for one in outcomes if one.error), None):
        return plan.failure(failed, "put that back")
    texts = [changes.changed([ref], values[ref.id], plan.now) for ref in refs]
    written = " ".join(text.replace("I've", "You just", 1) for text in texts)
    return Answer("\n\n".join(texts), topic=plan.topic_of(*refs, written=written))


def _is_named(ask: Ask, ref: Ref) -> bool:
    """Return whether an ask has a word of a record's name, also without the apostrophe of "jacks"."""
    words = {word for one in ask.outside for word in (one.word, one.word.removesuffix("s")) if len(word) >= _MIN_NAME}
    words |= {one.word for tag in ("name", "org", "owner") for name in ask.texts(tag) for one in tokenize(name)}
    return bool(words & {one.word for one in tokenize(ref.name) if len(one.word) >= _MIN_NAME})


def _values_of(ref: Ref, replaced: Mapping[str, Any], fields: set[str]) -> Mapping[str, Any]:
    """Return the replaced values of the fields named; all of them if none of those is."""
    names = {lexicon.field_name(one, ref.type) for one in fields}
    return {name: value for name, value in replaced.items() if name in names} or replaced
