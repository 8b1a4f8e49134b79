"""List activities, and tell what is on today."""

from collections.abc import Mapping
from datetime import datetime, timedelta
from itertools import pairwise
from typing import Any

from msgspec.structs import replace

from aisha.adapters.llm.planner import naming, resolve
from aisha.adapters.llm.planner.acts.activities.selection import MAX_PAGE
from aisha.adapters.llm.planner.acts.asks import says
from aisha.adapters.llm.planner.acts.search.belonging import asks_for_all_open, limit_to_company
from aisha.adapters.llm.planner.acts.search.fetching import Page, search_of
from aisha.adapters.llm.planner.acts.search.filters import Filters
from aisha.adapters.llm.planner.acts.search.reading import filters_of
from aisha.adapters.llm.planner.acts.search.words import PLANNED
from aisha.adapters.llm.planner.companies import company_of, company_spoken_of, points_at_them
from aisha.adapters.llm.planner.plan import ACTS, Answer, Plan, act
from aisha.adapters.llm.planner.replies import activities, listings, profiles
from aisha.adapters.llm.planner.results import ref_of
from aisha.adapters.llm.planner.state import Ref, Topic
from aisha.domain.crm.records import RECORD_TYPES
from aisha.domain.language import lexicon
from aisha.domain.language.ask import Ask
from aisha.domain.language.lexicon import KINDS
from aisha.domain.language.reader import Span

MAX_LISTED = 10
MAX_BARE_WORDS = 3
"""Words of an ask that names nothing but activities: "view activities"."""
MAX_OF_PART = 4
"""Entries of each part of the day's list."""
_AFTER_IT = frozenset((("after", "that"), ("after", "it"), ("following", "that")))
_PARTS = {"overdue": "Overdue", "due_today": "Due today", "closing_soon": "Closing soon", "hot_leads": "Hot leads"}


@act("list_activities")
def list_activities(plan: Plan, ask: Ask) -> Answer:
    """List activities of a period, a status, a type, a record or an owner, by day."""
    if ask.first("name") and isinstance(match := resolve.subject(plan, ask), naming.Ambiguous):
        resolve.settled(plan, ask, match)
    is_next, is_last = (not ask.times and says(ask, key) for key in ("next", "latest"))
    filters = _filters(plan, ask, is_next=is_next, is_last=is_last)
    arguments = filters.arguments
    is_plural = any(one.word.endswith("s") and lexicon.activity_type_of(one.stem) for one in ask.outside)
    if asks_for_all_open(ask) and "entity_id" in arguments:
        company = company_spoken_of(plan, ask) if points_at_them(ask) else None
        bindings = {"": company} if company is not None else plan.bindings
        return ACTS["about"](replace(plan, bindings=bindings), ask)  # "What's open with Acme?": its deals, too.
    # The tool's order is by due date: the last ones are at the end of a page.
    limit = MAX_PAGE if is_last or filters.conditions else ask.count or (1 if is_next and not is_plural else MAX_LISTED)
    page = plan.call("list_activities", "list the activities", **arguments, limit=min(limit, MAX_PAGE))
    items = [item for item in page["items"] if all(one.holds(item) for one in filters.conditions)]
    if is_last and not items and {"entity_type", "entity_id"} <= arguments.keys():
        return _last_contact(plan, Ref(arguments["entity_type"], arguments["entity_id"], ""), arguments)
    is_part = is_next or is_last or bool(filters.conditions)
    total, cursor = (None, None) if is_part else (page.get("total"), page.get("next_cursor"))
    items = (items[::-1][: ask.count or 1] if is_last else items)[:MAX_LISTED]
    number = len(items) if total is None else total
    about = [*filters.accounts] or [
        Ref(arguments["entity_type"], key, name) for key, name in filters.names.items() if "entity_type" in arguments
    ]
    name = about[0].name if about and not filters.accounts else ""
    head = activities.head_of_agenda(
        arguments, number, plan.now, name, is_one=is_part and not (filters.conditions or is_plural)
    )
    head = " ".join([head, *(one.text for one in filters.conditions if one.text)])
    related = dict.fromkeys(about or [_related(item) for item in items])
    found = Page(items, total, cursor, checked=len(page["items"]) if page.get("next_cursor") and is_part else 0)
    topics = Topic((*related, *map(ref_of, items)), search_of(filters, found, total))
    text = f"{head}:\n\n{activities.format_agenda(items, plan.now, number)}" if items else f"{head}."
    checked = found.checked if filters.conditions else 0
    return Answer(listings.with_limits(text, filters.unknown, checked), topic=topics)


def _filters(plan: Plan, ask: Ask, *, is_next: bool, is_last: bool) -> Filters:
    """Return the conditions of a list of activities: the next ones, the last ones, or those of a record."""
    filters = filters_of(plan, ask, "activity")
    arguments = filters.arguments
    if topic := ask.first("topic"):
        match = naming.by_name(plan, _without_article(topic)) if topic != topic.lower() else None
        # "When did we last do something on the Acme renewal?" names a deal.
        arguments |= match.entity if isinstance(match, Ref) else {"name_contains": topic}
    if ask.words & {"i", "i'm", "i've", "me"} and not {"owner", "entity_id"} & arguments.keys():
        arguments["owner"] = "me"
    is_coming = "scheduled" in ask.values or bool(ask.words & PLANNED)
    is_of_any_status = (is_last or "entity_id" in arguments or bool(filters.accounts)) and not is_coming
    if is_of_any_status and arguments.get("status") == "scheduled":
        del arguments["status"]  # Not said: what was done is meant, too.
    if (focus := _focus(plan, ask)) is not None and focus.type == "account":
        limit_to_company(plan, filters, focus)
    elif focus is not None:
        filters.arguments = dict(focus.entity)
        filters.names[focus.id] = focus.name
    if is_next or is_last:
        filters.arguments |= {"due_after" if is_next else "due_before": plan.now.isoformat()}
    last = [ref for ref in plan.topic.refs if ref.type == "activity"]
    if is_next and last and any((one.word, two.word) in _AFTER_IT for one, two in pairwise(ask.outside)):
        due = datetime.fromisoformat(str(plan.record(last[-1])["due_at"]))
        arguments["due_after"] = (due + timedelta(minutes=1)).isoformat()  # "And the one after that?"
    if is_next:
        filters.arguments["status"] = "scheduled"
    return filters


def _without_article(text: str) -> str:
    first, _, rest = text.partition(" ")
    return rest if first.lower() in lexicon.DETERMINERS and rest else text


def _last_contact(plan: Plan, ref: Ref, arguments: Mapping[str, Any]) -> Answer:
    """Tell when there was a contact that is no activity: it was noted on the record, if that has a field for it."""
    record = plan.record(ref)
    if "last_contacted_at" not in RECORD_TYPES[ref.type].model_fields:
        head = activities.head_of_agenda(arguments, 0, plan.now, str(record.get("display_name")))
        return Answer(f"{head}.", topic=Topic((ref_of(record),)))
    text = profiles.tell_fields(record, ["last_contacted_at"], plan.now)
    text += " No activity is on record from then." if record.get("last_contacted_at") else ""
    return Answer(text, topic=Topic((ref_of(record),)))


def _focus(plan: Plan, ask: Ask) -> Ref | None:
    """Return the only record spoken of, or the company of several, for an ask that says nothing but "activities"."""
    subjects = [ref for ref in plan.topic.refs if ref.type in KINDS]
    is_bare = len([token for token in ask.tokens if token.kind == "word"]) <= MAX_BARE_WORDS and not ask.segment.spans
    if not (is_bare and subjects) or plan.topic.search is not None:
        return None
    return subjects[0] if len(subjects) == 1 else company_of(plan, subjects)


def _related(item: dict[str, Any]) -> Ref:
    about = item.get("related") or {}
    return Ref(str(about.get("type", "")), str(about.get("id", "")), str(about.get("name") or ""))


@act("my_day")
def my_day(plan: Plan, ask: Ask) -> Answer:
    """Tell what is overdue, due and hot today; another day is a list of activities."""
    days = {day for span in ask.times if span.first is not None for day in (span.first, span.last)}
    if (week := next((one for one in ask.loose if one.word == "week"), None)) is not None and not days:
        # "What does my week look like?"
        segment = ask.segment.with_words(week.start, week.end, "this week")
        spans = (*segment.spans, Span("when", "this week", week.start))
        return list_activities(plan, Ask(replace(segment, act="list_activities", spans=spans), ask.now))
    if days - {plan.now.date()}:
        return list_activities(plan, ask)
    owner = ask.first("owner")
    value = plan.call("get_my_day", "look at your day", owner=owner and owner.lower())
    parts = {title: value.get(name) or [] for name, title in _PARTS.items()}
    listed = [item for items in parts.values() for item in items[:MAX_OF_PART]]
    if not listed:
        return Answer("Nothing is overdue or due today, and no deal closes this week. A good day to prospect.")
    return Answer(activities.format_day_plan(parts, plan.now, MAX_OF_PART), topic=Topic(tuple(map(ref_of, listed))))
