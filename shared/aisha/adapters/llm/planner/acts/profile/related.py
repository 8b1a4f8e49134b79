"""Tell what belongs to a record: its company, its people, its deals, what is planned."""

from collections.abc import Collection, Sequence
from typing import Any

from aisha.adapters.llm.planner.acts.search.belonging import linked_record
from aisha.adapters.llm.planner.acts.search.kinds import tool_of
from aisha.adapters.llm.planner.acts.search.words import stems_of
from aisha.adapters.llm.planner.plan import Answer, Plan
from aisha.adapters.llm.planner.replies import listings, profiles
from aisha.adapters.llm.planner.results import items_of, ref_of
from aisha.adapters.llm.planner.state import Ref, Topic
from aisha.domain.crm.enumerations import Stage
from aisha.domain.crm.records import RECORD_TYPES
from aisha.domain.language import lexicon
from aisha.domain.language.ask import Ask

_WHO = lexicon.word_set("condition_words", "who")
_OF_COMPANY = lexicon.word_set("condition_words", "of_company")
"""Words before the company of the people asked for."""
_HEADING = lexicon.word_set("condition_words", "heading")
"""Words that tell no work: "who heads", "who runs"."""


def asks_for_people(ask: Ask) -> bool:
    """Return whether an ask that names a company is about its people: "who heads finance at Acme", "who is there"."""
    if not ask.words & _WHO:
        return False
    starts = [one.start for one in ask.segment.spans if one.tag in ("name", "org", "new")]
    before = [one.word for one in ask.tokens if starts and one.end <= starts[0]][-1:]
    return bool({*before} & _OF_COMPANY) or (
        not starts and bool({"there", "here"} & ask.words or "contact" in ask.kinds)
    )


def people_at(plan: Plan, ask: Ask, ref: Ref) -> Answer:
    """Tell who is known at a company: those whose work the ask names, else all."""
    ref = ref if ref.name else ref_of(plan.record(ref))
    items = plan.call("search_contacts", "look that up", account_id=ref.id)["items"]
    stems = stems_of(
        " ".join(token.word for token in ask.outside if len(token.word) > 1 and token.word not in _HEADING)
    )
    work = [stems_of(f"{one.get('job_title') or ''} {one.get('department') or ''}") for one in items]
    fits = [len(stems & own) for own in work]
    chosen_items = [item for item, fit in zip(items, fits, strict=True) if fit and fit == max(fits)] or items
    title = next(iter(ask.texts("value")), "")
    if items and title and not any(stems_of(title) <= own for own in work):
        head = f"Nobody at **{ref.name}** is on record as {title}. These are the contacts there"
        topic = Topic((*map(ref_of, items), ref))
        return Answer(listings.format_list(head, items, len(items), plan.now), topic=topic)
    topic = Topic((*map(ref_of, chosen_items), ref) if len(chosen_items) != 1 else (ref_of(chosen_items[0]),))
    if len(chosen_items) == 1:
        return Answer(profiles.format_profile(chosen_items[0], plan.now, plan.user), topic=topic)
    if not items:
        return Answer(profiles.nothing_belongs(ref.name, "contact"), topic=Topic((ref,)))
    head = listings.format_total(None, len(items), f"contacts at {ref.name}")
    return Answer(listings.format_list(head, chosen_items, len(items), plan.now), topic=topic)


def surroundings(plan: Plan, ref: Ref, *, is_brief: bool = False) -> str:
    """Return what belongs to a record: people, open deals, the next activities, and for a briefing its last note."""
    arguments: dict[str, dict[str, Any]] = {
        "list_activities": {**ref.entity, "status": "scheduled", "limit": 3},
        "get_account": {"account_id": ref.id} if ref.type == "account" else {},
        "search_opportunities": {"contact_id": ref.id, "open_only": True} if ref.type == "contact" else {},
        "list_notes": {**ref.entity, "limit": 1} if is_brief else {},
    }
    tools = [tool for tool, given in arguments.items() if given and plan.has(tool)]
    outcomes = dict(zip(tools, plan.need_all([plan.planned(tool, **arguments[tool]) for tool in tools]), strict=True))
    account = (outcomes["get_account"].value or {}) if "get_account" in outcomes else {}
    deals = account.get("opportunities") or items_of(outcomes.get("search_opportunities"))
    planned = items_of(outcomes.get("list_activities"))
    notes = items_of(outcomes.get("list_notes"))
    return profiles.format_around(account.get("contacts") or (), deals, planned, notes, plan.now)


def owner_of_kind(plan: Plan, ref: Ref, kind: str) -> Ref | None:
    """Return the company or person that a record of another kind belongs to."""
    is_other = ref.type in ("contact", "opportunity") and kind in ("contact", "account") and ref.type != kind
    return linked_record(plan, plan.record(ref), kind) if is_other else None


def fields_of_related(plan: Plan, ask: Ask, ref: Ref, record: dict[str, Any], fields: list[str]) -> Answer | None:
    """Answer with records that have the field in place of a company, person or deal: deals, people, a company.

    Of several, those are meant of whose names the ask has words: "their renewal".
    """
    if ref.type == "opportunity" and "company" in fields and record.get("account_id"):
        account = plan.record(Ref("account", str(record["account_id"]), ""))
        return Answer(profiles.format_profile(account, plan.now, plan.user), topic=Topic((ref_of(account), ref)))
    kinds = [kind for kind in ("opportunity", "contact") if {*fields} & {*RECORD_TYPES[kind].model_fields}]
    items = _items_of_related(plan, ask, ref, record, kinds[0], open_only=True) if kinds else None
    if items is None:
        return None
    names, user = [lexicon.field_name(field, kinds[0]) for field in fields], plan.user
    names = [name for name in names if name in RECORD_TYPES[kinds[0]].model_fields]
    text = "\n".join(profiles.tell_fields(item, names, plan.now, user) for item in items)
    return Answer(text or profiles.nothing_belongs(ref.name, kinds[0]), topic=Topic((ref, *map(ref_of, items))))


def deals_in_state(plan: Plan, ask: Ask, ref: Ref, record: dict[str, Any], values: Collection[str]) -> Answer | None:
    """Answer for the deals of a company or person whether they are in a stage: "did we win Redwood?"."""
    same = lexicon.entries("same_values")["opportunity"]
    stages = {same.get(one, one) for one in values} & {*Stage}
    items = _items_of_related(plan, ask, ref, record, "opportunity") if stages else None
    if items is None:
        return None
    text = "\n".join(profiles.confirm_state(item, stages) for item in items)
    return Answer(text or profiles.nothing_belongs(ref.name, "opportunity"), topic=Topic((ref, *map(ref_of, items))))


def _items_of_related(
    plan: Plan, ask: Ask, ref: Ref, record: dict[str, Any], kind: str, *, open_only: bool = False
) -> Sequence[dict[str, Any]] | None:
    """Return the deals or people of a company, or a person's deals; None where that is not clear."""
    is_person = ref.type == "contact" and kind == "opportunity"
    account_id = ref.id if ref.type == "account" else record.get("account_id") if is_person else None
    if not account_id or not plan.has(tool_of(kind)):
        return None
    filters = {"open_only": True} if open_only and kind == "opportunity" else {}
    items = plan.call(tool_of(kind), "look that up", account_id=account_id, **filters)["items"]
    asked_stems = stems_of(ask.text) - stems_of(ref.name) - stems_of(str(record.get("company") or ""))
    shared = [len(asked_stems & stems_of(str(item.get("display_name")))) for item in items]
    if not any(shared) and is_person:
        return None
    return [item for item, number in zip(items, shared, strict=True) if number == max(shared)]
