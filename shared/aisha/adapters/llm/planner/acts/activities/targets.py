"""Choose the records that activities are planned for."""

from collections.abc import Sequence

from aisha.adapters.llm.planner import resolve
from aisha.adapters.llm.planner.acts.activities.selection import MAX_CHECKED, MAX_PAGE, activities_of
from aisha.adapters.llm.planner.acts.activities.times import type_of
from aisha.adapters.llm.planner.acts.asks import plan_words, says, word_before
from aisha.adapters.llm.planner.acts.search.fetching import fetch
from aisha.adapters.llm.planner.acts.search.reading import filters_of
from aisha.adapters.llm.planner.plan import Answer, EarlyAnswer, Plan
from aisha.adapters.llm.planner.replies import formats
from aisha.adapters.llm.planner.results import items_of, ref_of
from aisha.adapters.llm.planner.state import Ref, Search
from aisha.domain.language import lexicon
from aisha.domain.language.ask import Ask
from aisha.domain.language.lexicon import KINDS
from aisha.domain.language.marks import time_tokens
from aisha.domain.wording import join_names


def priority_said(plan: Plan, ask: Ask) -> str | None:
    """Return the priority that an ask names, as the tool calls it."""
    enum = plan.tools["create_activity"].properties["priority"]["enum"]
    return next((value for value in ask.values if value in enum), None)


def targets_of(plan: Plan, ask: Ask) -> tuple[Sequence[Ref], str]:
    """Return the records to plan for, and a sentence on those skipped."""
    kinds, question = resolve.kinds_named(ask), "Who or what is it for? Tell me the lead, contact, account or deal."
    if not ask.first("name"):
        if says(ask, "rest"):
            return _without_activity(plan)
        is_listed = resolve.several_of(plan, ask, kinds) and not ask.texts("value")
        if kinds and not is_listed and (ask.is_plural or ask.count or resolve.names_several(ask)):
            return described_records(plan, ask, kinds[0]), ""
    if _is_own_task(plan, ask):
        raise EarlyAnswer(_as_reminder(plan, ask))
    records = tuple(dict.fromkeys(resolve.require_all(plan, ask, question)))
    is_meant = ask.first("name") or ask.texts("ref") or plan.bindings or plan.spoken or records[0] in plan.topic.refs
    if not is_meant and type_of(ask) in ("task", None) and ask.first("topic"):
        raise plan.ask_who(ask, question)  # A task of one's own is not about whoever was mentioned long ago.
    return records, ""


def _is_own_task(plan: Plan, ask: Ask) -> bool:
    """Return whether an ask is for a task of the user's own: "a task for me tomorrow: load the truck"."""
    is_about = plan.bindings or plan.spoken or any(one.word in lexicon.BACK_REFERENCES for one in ask.tokens)
    is_about = is_about or any(span.tag in ("name", "org", "ref") for span in ask.segment.spans)
    return (
        not is_about and "me" in ask.words and type_of(ask) == "task" and bool(ask.first("topic") or ask.first("text"))
    )


def _as_reminder(plan: Plan, ask: Ask) -> Answer:
    """Return the offer of a reminder in place of a task about no record, which nothing stores."""
    what, when = (ask.first("topic") or ask.first("text") or "").removeprefix("to "), " ".join(ask.texts("when"))
    due = f" for {when}" if when else ""
    text = f"A task needs a lead, contact, account or deal. Shall I set a reminder{due} instead: “{what}”?"
    return plan.offer(text, " ".join(filter(None, ("remind me", when, "to", what))), topic=plan.topic)


def _is_unfiltered(search: Search) -> bool:
    """Return whether a search is of some records alone, which its arguments don't find again."""
    return search.within is not None and not search.arguments


def _without_activity(plan: Plan) -> tuple[Sequence[Ref], str]:
    """Return the records of the last list that have no open activity, and who was skipped."""
    listed, search = [ref for ref in plan.topic.refs if ref.type in KINDS], plan.topic.search
    # After "a call for Ann and Bo", the remaining ones are the others of the list.
    whole = [ref for ref in plan.topic.whole if ref.type in KINDS]
    is_part = len(listed) < 2 or bool(plan.topic.written)
    if is_part and search is not None and search.tool.startswith("search_") and not _is_unfiltered(search):
        listed = [ref_of(item) for item in items_of(plan.need(search.tool, **search.arguments))]
    elif is_part and whole:
        listed = whole
    if not 0 < len(listed) <= MAX_CHECKED:
        raise plan.refuse(f"Tell me which records you mean, at most {MAX_CHECKED} at a time.")
    outcomes = plan.need_all([activities_of(plan, ref) for ref in listed])
    busy = [ref for ref, outcome in zip(listed, outcomes, strict=True) if items_of(outcome)]
    names = join_names([f"**{ref.name}**" for ref in busy])
    if len(busy) == len(listed):
        raise plan.refuse(f"There is already something planned with {names}, so I added nothing.")
    skipped = f"I skipped {names}, who already {'has' if len(busy) == 1 else 'have'} something planned."
    return [ref for ref in listed if ref not in busy], skipped if busy else ""


def described_records(plan: Plan, ask: Ask, kind: str) -> Sequence[Ref]:
    """Return the records that the ask describes: "all my warm leads". Raises `EarlyAnswer` for what nothing finds."""
    described, slots = ask, [span for span in ask.segment.spans if span.tag in ("value", "amount", "owner")]
    for token, is_time in zip(ask.tokens, time_tokens(ask.tokens), strict=True):
        # The verb, the type and the times of the order say nothing of the records.
        is_slot = any(span.start <= token.start < span.end for span in slots)
        is_order = token.word in plan_words("planning") or lexicon.activity_type_of(token.stem) or is_time
        described = described.without(token.start, token.end) if is_order and not is_slot else described
    filters = filters_of(plan, described, kind).strict
    texts = [span for span in ask.segment.spans if span.tag == "text"]
    clauses = [one.text for one in texts if word_before(ask, one) in plan_words("whose")]
    if unknown := clauses + [
        text for text in filters.unknown if priority_said(plan, ask) not in lexicon.values_in(text)
    ]:
        raise plan.refuse(f"I don't know how to look for {formats.quote_all(unknown)}, so I planned nothing.")
    page = fetch(plan, filters, MAX_PAGE)
    if not page.items or page.checked or (page.cursor and not ask.count):
        number = f"more than {MAX_PAGE}" if page.items else "no"
        raise plan.refuse(f"There are {number} {filters.described(2)}, so I did nothing. Tell me who you mean.")
    return [ref_of(item) for item in page.items[: ask.count]]
