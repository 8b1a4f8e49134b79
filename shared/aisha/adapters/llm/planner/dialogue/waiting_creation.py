"""Read what is said while the creation of a record waits for a yes: more of it, its kind, or an order on it."""

from msgspec.structs import replace

from aisha.adapters.llm.planner.dialogue.segments.details import with_details
from aisha.adapters.llm.planner.dialogue.segments.slots import names_in
from aisha.adapters.llm.planner.dialogue.step import Step
from aisha.adapters.llm.planner.plan import Plan
from aisha.adapters.llm.planner.state import DialogueState
from aisha.domain.language import lexicon
from aisha.domain.language.acts import FIELD_CHANGE_ACTS, WRITES
from aisha.domain.language.ask import Ask
from aisha.domain.language.reader import Segment
from aisha.domain.language.tokens import tokenize

UNANSWERED = "You have not said yes to this yet"
"""The doubt about a creation that another order takes for granted."""
_STATING = FIELD_CHANGE_ACTS | {"score"}


def steps_for_waiting(plan: Plan, state: DialogueState, segment: Segment) -> list[Step]:
    """Return the creation that waits, as a message completes it, with the order that it begins with; often none.

    Examples: "as a contact", "her number is …", "call her tomorrow".
    """
    order = state.topic.asked_about
    if order is None or order.act != "create_record" or state.question is not None or names_in(segment):
        return []
    ask, words = Ask(order, plan.now), {one.word for one in tokenize(segment.text)}
    is_of_person = bool(words & lexicon.PERSON_PRONOUNS - lexicon.THEY_PRONOUNS)
    kinds = [one.text for one in tokenize(segment.text) if lexicon.kind_named(one) in ("lead", "contact", "account")]
    if segment.act in ("create_record", "correct", "again") and len(kinds) == 1 and not segment.text.endswith("?"):
        return [Step(Ask(_as_kind(ask, kinds[0]), plan.now))]
    if segment.act in _STATING and is_of_person and {one.tag for one in segment.spans} - {"ref"}:
        return [Step(Ask(order.followed_by(replace(segment, act=order.act)), plan.now), doubt=UNANSWERED)]
    if (completed := with_details(plan, ask, segment)) is not None:
        return [Step(Ask(completed, plan.now), doubt=UNANSWERED)]
    if segment.act in WRITES and is_of_person:
        named = tuple(names_in(order)[:1])
        return [Step(ask, doubt=UNANSWERED), Step(Ask(segment, plan.now), spoken=named)]
    return []


def _as_kind(ask: Ask, kind: str) -> Segment:
    """Return the order for a record of another kind."""
    named = next((one for one in ask.loose if lexicon.kind_named(one) in lexicon.KINDS), None)
    if named is not None:
        return ask.segment.amended_word(named.start, named.text, kind)
    return ask.segment.followed_by(Segment(f"as a {kind}", ask.act))
