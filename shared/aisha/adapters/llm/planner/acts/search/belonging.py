"""Read whose records an ask is about: of a company, of a person, of several, or the record's own name."""

from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any

from msgspec.structs import replace

from aisha.adapters.llm.planner.acts.search.filters import Condition, Filters, one_of
from aisha.adapters.llm.planner.acts.search.kinds import THOSE, is_plural_kind, is_there, points_back, spoken_of
from aisha.adapters.llm.planner.acts.search.words import left_out
from aisha.adapters.llm.planner.companies import company_of, points_at_owner, points_at_them
from aisha.adapters.llm.planner.linking import with_whole_names
from aisha.adapters.llm.planner.naming import Ambiguous, Match, Unknown, all_near, by_name, searches_for
from aisha.adapters.llm.planner.plan import Answer, Pending, Plan, at_once
from aisha.adapters.llm.planner.replies import listings, profiles
from aisha.adapters.llm.planner.resolve import pointed_at, settled
from aisha.adapters.llm.planner.results import ref_of
from aisha.adapters.llm.planner.state import Ref, Topic
from aisha.domain.crm.records import RECORD_TYPES
from aisha.domain.language import lexicon
from aisha.domain.language.ask import Ask
from aisha.domain.language.lexicon import KINDS
from aisha.domain.language.reader import Span
from aisha.domain.wording import join_names

_AROUND_KINDS = frozenset("any open and what about other".split())
"""Words beside a kind of records that say nothing of whose they are."""
_OF_PLACES = frozenset(("city", "state", "industry"))
"""Parameters that may hold a place that was said."""


def read_names(plan: Plan, ask: Ask, filters: Filters) -> None:
    """Add the company or person of the records that the ask names or points at, or the records' own name."""
    names = ask.texts("name") or ask.texts("org") or ask.texts("new") or _unread_company(plan, ask, filters)
    if len(names) > 1 and filters.kind in ("contact", "opportunity") and _add_several(plan, names, filters):
        return
    filters.unknown += names[1:]
    if names and filters.kind in ("lead", "account"):
        filters.arguments["name_contains"] = names[0]
        return
    if not names and (several := _several_meant(plan, ask, filters.kind)):
        kind, ids = several[0].type, {ref.id for ref in several}
        text = f"{listings.preposition(filters.kind)} {join_names([ref.name for ref in several])}"
        is_of = related_id if filters.kind == "activity" else lambda record: record.get(f"{kind}_id")
        filters.conditions.append(Condition(text, lambda record: is_of(record) in ids))
        return
    is_place = not names and is_there(ask) and bool(plan.spoken)
    # "I'm at Acme later. Which deals do we have with them?"
    is_owned = filters.kind not in ("lead", "account") and bool(ask.words & lexicon.PERSON_PRONOUNS)
    is_pointing = points_at_owner(ask) or is_owned or _asks_for_contact(ask, filters)
    is_pointing = is_pointing and not ask.words & lexicon.EVERYBODY  # "Everyone with “director” in their title"
    is_said = bool(plan.spoken) and is_pointing and not (names or is_place or ask.texts("owner"))
    if is_place and filters.kind in ("lead", "account"):
        # "I'm off to Denver, which leads are there?"
        filters.arguments.setdefault("city" if filters.kind == "lead" else "state", plan.spoken[-1])
        return
    match: Match | None
    if is_place or is_said:
        is_company = is_place or bool(ask.words & lexicon.THEY_PRONOUNS)
        kinds = ("account",) if is_company else ("account", "contact")
        match, names = _looked_up(plan, plan.spoken[-1], kinds, None), plan.spoken[-1:]
        if isinstance(match, Unknown) and is_said and plan.topic.search is not None:
            match, names = _pointed(plan, ask, filters), ()  # Who was only told of is nobody on record.
        match = settled(plan, ask, match) if isinstance(match, Ambiguous) else match
    else:
        match = _named(plan, ask, filters, names) if names else _pointed(plan, ask, filters)
    if isinstance(match, Ref):
        _belong_to(plan, ask, filters, match, is_named=bool(names))
    if (
        names
        and not filters.accounts
        and not (filters.names and filters.arguments.keys() & {"entity_id", "account_id", "contact_id"})
    ):
        is_company = bool(ask.texts("org")) and "company" in filters.properties
        filters.arguments["company" if is_company else "name_contains"] = names[0]


def _add_several(plan: Plan, names: Sequence[str], filters: Filters) -> bool:
    """Add that the records belong to one of the companies named, and return whether all of them are companies."""
    matches = at_once(partial(by_name, plan, name, ("account",)) for name in names)
    companies = [one for one in matches if isinstance(one, Ref)]
    ids = {one.id for one in companies}
    if len(companies) == len(names):
        text = f"{listings.preposition(filters.kind)} {join_names([one.name for one in companies], 'or')}"
        filters.conditions.append(Condition(text, lambda record: record.get("account_id") in ids))
    return len(companies) == len(names)


def _unread_company(plan: Plan, ask: Ask, filters: Filters) -> list[str]:
    """Return the company that words without capitals name which were taken for no name: "at quantum leap labs"."""
    for text in filters.unknown:
        before = ask.text[: max(ask.text.find(text), 0)].lower().split()[-1:]
        if before in (["at"], ["with"], ["from"]) and isinstance(by_name(plan, text, ("account",)), Ref):
            filters.unknown.remove(text)
            return [text]
    return []


def _named(plan: Plan, ask: Ask, filters: Filters, names: Sequence[str]) -> Match:
    kinds = () if filters.kind == "activity" else ("account", "contact")
    match = _looked_up(plan, names[0], kinds, next((org for org in ask.texts("org") if org != names[0]), None))
    if isinstance(match, Ambiguous) and {one.type for one in match.candidates} == {"account"}:
        # The company of the ask before is no qualifier of another.
        match = match.candidates[0] if len(match.candidates) == 1 else match
    return settled(plan, ask, match) if filters.kind != "contact" and isinstance(match, Ambiguous) else match


def _pointed(plan: Plan, ask: Ask, filters: Filters) -> Ref | None:
    """Return the company or person that an ask without a name points at."""
    if _asks_for_contact(ask, filters) and "account_id" in filters.properties:
        company = company_of(plan, plan.topic.refs)
        if company is not None:
            return company
    spoken = spoken_of(plan, ask)
    if len(plan.topic.refs) == 1 and plan.topic.search is None and _names_kind_alone(ask):
        return company_of(plan, plan.topic.refs) or plan.topic.refs[0]  # "Who is Ann?" - "Any deals?"
    if not (spoken or points_back(ask) or is_there(ask)):
        return None
    same = [ref for ref in plan.topic.refs if ref.type == filters.kind]
    if len(same) > 1 and not spoken and ask.words & (THOSE | {"ones"}):
        filters.conditions.append(one_of(same))  # "Which ones are overdue?": of those just shown.
        return None
    kinds = tuple(kind for kind in KINDS if kind != filters.kind)
    is_person = bool(ask.words & lexicon.PERSON_PRONOUNS - lexicon.THEY_PRONOUNS)
    people = tuple(kind for kind in kinds if kind in ("lead", "contact"))
    # "Her" is the person spoken of last, not the deal.
    match = spoken or (pointed_at(plan, ask, people) if is_person else None) or pointed_at(plan, ask, kinds)
    match = match or (pointed_at(plan, ask, KINDS) if is_there(ask) else None)
    match = match or (company_of(plan, plan.topic.refs) if points_at_them(ask) else None)  # of the deal in mind
    if match is None and is_there(ask) and "here" not in ask.words and not filters.arguments.keys() & _OF_PLACES:
        by_place = filters.kind in ("lead", "account")
        raise plan.ask_slot(ask, "value" if by_place else "name", "Which company or place do you mean?")
    if match is None:
        refs = [one for one in ask.segment.spans if one.tag == "ref" and not _describes_noun(ask, one)]
        filters.unknown += [one.text for one in refs if one.text.lower() not in lexicon.PERSON_PRONOUNS]
    return match


def _describes_noun(ask: Ask, ref: Span) -> bool:
    """Return whether "those" stands for a noun of its own question: "deals of April and those of May"."""
    after = [one for one in ask.tokens if one.start >= ref.end][:1]
    return bool(ask.kinds) and ref.text.lower() in THOSE and any(one.kind == "word" for one in after)


def _asks_for_contact(ask: Ask, filters: Filters) -> bool:
    """Return whether an ask is for the one contact of a company: "who's our contact"."""
    return filters.kind == "contact" and not any(map(is_plural_kind, ask.outside))


def _names_kind_alone(ask: Ask) -> bool:
    words = [one for one in ask.tokens if one.kind != "mark" and not lexicon.kind_named(one)]
    return {one.word for one in words} <= _AROUND_KINDS and not lexicon.SELF_WORDS & ask.words


def limit_to_company(plan: Plan, filters: Filters, company: Ref) -> None:
    """Add that activities are with a company: with itself, its people or its deals."""
    ids = ids_of_account(plan, company)
    filters.accounts = (company,)
    filters.conditions.append(Condition(f"with **{company.name}**", lambda one: related_id(one) in ids))


def _belong_to(plan: Plan, ask: Ask, filters: Filters, match: Ref, *, is_named: bool) -> None:
    """Add that the records belong to a company or a person, or to the company of that: "with her company"."""
    # Deals "with them" are those with the company, not with its one person spoken of.
    points_at_company = points_at_owner(ask) and bool(ask.words & lexicon.THEY_PRONOUNS)
    is_of_company = "account" in ask.kinds or points_at_company or (match.type == "contact" and _means_company(ask))
    if match.type != "account" and is_of_company:
        match = company_of(plan, (match,)) or match
    if filters.kind == "activity" and match.type == "account" and not asks_for_all_open(ask):
        limit_to_company(plan, filters, match)
        return
    filters.names[match.id] = match.name
    about = {**match.entity, f"{match.type}_id": match.id}
    about = {name: value for name, value in about.items() if name in filters.properties}
    is_linked = not about and "account_id" in filters.properties and (not is_named or match.type == "opportunity")
    if is_linked and (account := plan.record(match).get("account_id")):
        about = {"account_id": account}
        filters.names[account] = str(plan.record(match).get("company") or match.name)
    filters.arguments |= about
    field = f"{match.type}_id"
    if not about and field in RECORD_TYPES[filters.kind].model_fields:
        text = f"{listings.preposition(filters.kind)} {match.name}"
        filters.conditions.append(Condition(text, lambda record: record.get(field) == match.id))


def asks_for_all_open(ask: Ask) -> bool:
    """Return whether an ask is for whatever is open, its deals, too: "what's open with Acme?"."""
    return "open" in ask.words and not (ask.activity_types or ask.times or "activity" in ask.kinds)


def ids_of_account(plan: Plan, account: Ref) -> set[str]:
    """Return the ids of a company, its people and its deals, with all of which something is planned or done."""
    tools = [tool for tool in ("search_contacts", "search_opportunities") if plan.has(tool)]
    found = plan.need_all([plan.planned(tool, account_id=account.id, limit=50) for tool in tools])
    return {account.id, *(str(one["id"]) for page in found for one in (page.value or {}).get("items", ()))}


def related_id(activity: Mapping[str, Any]) -> str:
    return str((activity.get("related") or {}).get("id") or "")


def _means_company(ask: Ask) -> bool:
    """Return whether an ask without a name points at several people: "how many deals do we have with them"."""
    pronouns = ask.words & lexicon.PERSON_PRONOUNS
    return bool(pronouns) and pronouns <= lexicon.THEY_PRONOUNS and not (ask.texts("name") or ask.texts("org"))


def _several_meant(plan: Plan, ask: Ask, kind: str) -> list[Ref]:
    """Return the companies or people of the last list whose records are meant: "those three", "do they have deals?"."""
    is_pointing = bool(ask.words & (lexicon.PLURAL_WORDS - {"all", "each", "every"})) and bool(ask.texts("ref"))
    is_pointing = is_pointing or points_at_them(ask) or is_there(ask)
    types = KINDS if kind == "activity" else ("account", "contact")
    refs = [ref for ref in plan.topic.refs if ref.type != kind and ref.type in types]
    is_possible = kind in ("opportunity", "activity") or (kind, {ref.type for ref in refs}) == ("contact", {"account"})
    is_possible = is_possible and (kind != "activity" or len(refs) == len(plan.topic.refs))
    is_spoken = bool(plan.spoken or plan.bindings)
    one_kind = len(refs) > 1 and len({ref.type for ref in refs}) == 1
    return refs if is_pointing and is_possible and one_kind and not is_spoken else []


def _looked_up(plan: Plan, name: str, kinds: Sequence[str], qualifier: str | None) -> Match:
    """Return the record of a name. One word may be no name: all kinds are searched at once, to have a round left."""
    try:
        return by_name(plan, name, kinds, qualifier)
    except Pending:
        if " " not in name:
            plan.need_all(searches_for(plan, name, KINDS))
        raise


def contact_of_deal(plan: Plan, ask: Ask) -> Answer | None:
    """Tell who the contact of the deal is that an ask names: "who's our contact on the Acme renewal?"."""
    names = ask.texts("name") or ask.texts("org")
    if names and names[0] in left_out(ask):
        return None
    match: Match | None
    if not names and (bound := plan.bindings.get("")) is not None:
        match = bound
    elif names:
        whole, _ = with_whole_names(plan, Ask(replace(ask.segment, act="about"), ask.now))
        match = next(iter(whole.bindings.values()), None) or _looked_up(plan, names[0], ("account", "contact"), None)
    else:
        is_pointing = (points_back(ask) or is_there(ask)) and "else" not in ask.words
        is_meant = len(plan.topic.refs) == 1 and all(all_near(one, plan.topic.refs[0].name) for one in plan.spoken[-1:])
        match = plan.topic.refs[0] if is_pointing and is_meant else None
    if not isinstance(match, Ref) or match.type != "opportunity":
        return None
    person = linked_record(plan, plan.record(match), "contact")
    if person is None:
        return Answer(profiles.nothing_belongs(match.name, "contact"), topic=Topic((match,)))
    return Answer(profiles.format_profile(plan.record(person), plan.now, plan.user), topic=Topic((person, match)))


def linked_record(plan: Plan, record: dict[str, Any], kind: str) -> Ref | None:
    """Return the company or person that a record belongs to."""
    if kind not in ("account", "contact") or not record.get(f"{kind}_id"):
        return None
    linked = plan.record(Ref(kind, str(record[f"{kind}_id"]), ""))
    return ref_of(linked) if linked else None
