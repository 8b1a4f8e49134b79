"""Read what is said while an order to make something waits for a yes: more of it, its kind, or an order on it."""

from msgspec.structs import replace

from aisha.adapters.llm.planner.acts.asks import says
from aisha.adapters.llm.planner.dialogue.corrections import amended_by
from aisha.adapters.llm.planner.dialogue.segments.details import with_details
from aisha.adapters.llm.planner.dialogue.segments.slots import names_in
from aisha.adapters.llm.planner.dialogue.step import Step
from aisha.adapters.llm.planner.plan import Plan
from aisha.adapters.llm.planner.state import DialogueState
from aisha.domain.language import lexicon
from aisha.domain.language.acts import FIELD_CHANGE_ACTS, WRITES
from aisha.domain.language.ask import Ask
from aisha.domain.language.reader import Segment, Span

UNANSWERED = "You have not said yes to this yet"
"""The doubt about an order that another one takes for granted."""
_MAKING = frozenset("create_record create_activity".split())
# Tags of slots of which an order has one.
_REPLACED = frozenset("amount when owner".split())
_PEOPLE = frozenset("lead contact".split())
_CHANGING = FIELD_CHANGE_ACTS | {"score", "change_activity"}


def steps_for_waiting(plan: Plan, state: DialogueState, segment: Segment) -> list[Step]:
    """Return the order that waits, as a message completes it, with the order that it begins with; often none.

    Examples: "as a contact", "her number is …", "assign it to Bob", "call her tomorrow".
    """
    order = state.topic.asked_about
    if order is None or order.act not in _MAKING or state.question is not None or "?" in segment.text:
        return []
    ask, said = Ask(order, plan.now), Ask(segment, plan.now)
    if (with_contact := _with_contact(ask, said)) is not None:
        return [Step(Ask(with_contact, plan.now), doubt=UNANSWERED)]
    if names_in(segment):
        return []
    kinds = [one.text for one in said.tokens if lexicon.kind_named(one) in ("lead", "contact", "account")]
    is_kind = segment.act in ("create_record", "correct", "again") and len(kinds) == 1
    if is_kind and order.act == "create_record":
        return [Step(Ask(_as_kind(ask, kinds[0]), plan.now))]
    is_pointing = _points_at(ask, said)
    if is_pointing and segment.act == "change_activity" and says(said, "cancelling"):
        return [Step(Ask(replace(segment, act="negated"), plan.now), denied=order)]
    tags = {span.tag for span in segment.spans} - {"ref"}
    if segment.act in _CHANGING and tags and (is_pointing or "field" in tags):
        replaced = tags & _REPLACED & {span.tag for span in order.spans}
        changed = amended_by(order, segment) if replaced else order.followed_by(replace(segment, act=order.act))
        return [Step(Ask(changed, plan.now), doubt=UNANSWERED)]
    if (completed := with_details(plan, ask, segment)) is not None:
        return [Step(Ask(completed, plan.now), doubt=UNANSWERED)]
    if segment.act in WRITES and is_pointing and order.act == "create_record":
        named = tuple(names_in(order)[:1])
        return [Step(ask, doubt=UNANSWERED), Step(said, spoken=named)]
    return []


def _points_at(order: Ask, said: Ask) -> bool:
    """Return whether words mean what an order makes: "her" a person, "it" anything else, "the call" a call."""
    is_person = order.act == "create_record" and not {*order.kinds} - _PEOPLE
    pronouns = lexicon.PERSON_PRONOUNS if is_person else lexicon.THING_PRONOUNS - {"there"}
    types = order.activity_types or ("task",)
    return bool(said.words & pronouns) or (order.act == "create_activity" and bool({*types} & {*said.activity_types}))


def _with_contact(order: Ask, said: Ask) -> Segment | None:
    """Return the order of a deal with the contact that a message adds to it: "add Ann Lee as its contact"."""
    names = names_in(said.segment)
    is_of_deal = "opportunity" in order.kinds and bool(said.words & (lexicon.THING_PRONOUNS | {"its"}))
    if not (is_of_deal and said.segment.act == "create_record" and said.kinds == ("contact",) and len(names) == 1):
        return None
    opening = "the contact is "
    contact = Segment(opening + names[0], "create_record", spans=(Span("name", names[0], len(opening)),))
    return order.segment.followed_by(contact)


def _as_kind(ask: Ask, kind: str) -> Segment:
    """Return the order for a record of another kind."""
    named = next((one for one in ask.loose if lexicon.kind_named(one) in lexicon.KINDS), None)
    if named is not None:
        return ask.segment.with_words(named.start, named.start + len(named.text), kind)
    return ask.segment.followed_by(Segment(f"as a {kind}", ask.act))
