"""Tell what is known of records."""

from msgspec.structs import replace

from aisha.adapters.llm.planner.acts.profile.picking import picked, readable, with_unexplained_name
from aisha.adapters.llm.planner.acts.profile.related import asks_for_people, owner_of_kind, people_at, surroundings
from aisha.adapters.llm.planner.acts.search.kinds import is_plural_kind
from aisha.adapters.llm.planner.acts.search.listing import others_of_list
from aisha.adapters.llm.planner.acts.search.words import WHO
from aisha.adapters.llm.planner.naming import chosen
from aisha.adapters.llm.planner.plan import ACTS, Answer, EarlyAnswer, Plan, act
from aisha.adapters.llm.planner.replies import profiles
from aisha.adapters.llm.planner.resolve import ordinals_of, pointed_at, require_all
from aisha.adapters.llm.planner.results import items_of, ref_of
from aisha.adapters.llm.planner.state import Ref, Topic
from aisha.domain.language import lexicon
from aisha.domain.language.ask import Ask
from aisha.domain.language.lexicon import KINDS

MAX_PROFILES = 5


@act("about")
def about(plan: Plan, ask: Ask) -> Answer:
    """Tell what is known of the records named or meant; of one also what belongs to it and is next."""
    if (others := others_of_list(plan, ask)) is not None:
        return others
    ask = with_unexplained_name(plan, readable(ask))
    if (ref := picked(plan, ask)) and ask.kinds and ref.type not in ask.kinds:
        return ACTS["ask_field"](replace(plan, bindings={**plan.bindings, "": ref}), ask)
    if "related" in ask.words and plan.topic.refs and not ask.texts("name"):
        return ACTS["history"](plan, ask)
    if ask.kinds == ("account",) and ask.words & lexicon.PERSON_PRONOUNS and not ask.texts("name"):
        person = pointed_at(plan, ask, ("lead", "contact"))  # "What's going on with her company?"
        ref = ref or ((owner_of_kind(plan, person, "account") or person) if person else None)
    if ref is None and _asks_for_several(ask):
        return ACTS["search"](plan, ask)
    refs = ((ref,) if ref else _records_meant(plan, ask))[:MAX_PROFILES]
    if len(refs) == 1 and refs[0].type == "account" and asks_for_people(ask):
        return people_at(plan, ask, refs[0])
    kinds = (*ask.kinds, *(["contact"] if ask.words & WHO else []))
    if len(refs) == 1 and (
        linked := next((one for kind in kinds if (one := owner_of_kind(plan, refs[0], kind))), None)
    ):
        refs = (linked, *refs)  # "the contact of the Acme deal", "her company"
        text = profiles.format_profile(plan.record(linked), plan.now, plan.user)
        return Answer(text, topic=Topic(refs))
    user = plan.user
    # "Show full details" comes after the profile.
    is_full = bool({"full", "details"} & ask.words) and not ask.texts("name") and len(refs) == 1
    form = profiles.format_details if is_full else profiles.format_profile
    texts = [form(record, plan.now, user) for record in plan.records(refs)]
    is_brief = any(lexicon.placed_in(ask.tokens, "briefing"))
    around = surroundings(plan, refs[0], is_brief=is_brief) if len(refs) == 1 and refs[0].type in KINDS else ""
    return Answer("\n\n".join(texts) + around, topic=Topic(refs))


def _asks_for_several(ask: Ask) -> bool:
    """Return whether an ask that names one company or person is for its records: "the two deals with Acme"."""
    is_named = len({*ask.texts("name"), *ask.texts("org")}) == 1
    is_plural = any(is_plural_kind(one) and lexicon.kind_named(one) in KINDS for one in ask.loose)
    return is_named and is_plural and not ask.words & lexicon.BACK_REFERENCES


def _records_meant(plan: Plan, ask: Ask) -> tuple[Ref, ...]:
    """Return the records that an ask is about, also activities by their title. Raises `EarlyAnswer` with a question."""
    activities = [ref for ref in plan.topic.refs if ref.type == "activity"]
    if activities and not ask.texts("name") and (ask.activity_types or "activity" in ask.kinds):
        return tuple(activities[:1])
    # A day's list has activities and records, which are numbered together.
    place = next(iter(ordinals_of(ask)), 0)
    if place and (ref := chosen(plan.topic.refs, place)) is not None and ref in activities:
        return (ref,)
    try:
        return require_all(plan, ask, "Who or what would you like to know about?")
    except EarlyAnswer as early:
        question = early.answer.question
        if question is None or question.kind != "who" or not question.name or not plan.has("list_activities"):
            raise
        if not (items := items_of(plan.need("list_activities", name_contains=question.name, limit=1))):
            raise
        return (ref_of(items[0]),)
