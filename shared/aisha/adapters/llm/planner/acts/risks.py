"""Tell which open deals may slip and why, and which accounts to worry about."""

from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta
from typing import Any

from msgspec.structs import replace

from aisha.adapters.llm.planner.acts.search.fetching import MAX_CHECKED, Page, fetch, search_of
from aisha.adapters.llm.planner.acts.search.filters import Filters
from aisha.adapters.llm.planner.acts.search.reading import filters_of
from aisha.adapters.llm.planner.acts.search.relations import Owners, owners_of
from aisha.adapters.llm.planner.acts.search.words import CLOSING, WHO
from aisha.adapters.llm.planner.plan import ACTS, Answer, Plan
from aisha.adapters.llm.planner.replies import formats, listings
from aisha.adapters.llm.planner.replies.formats import numbered
from aisha.adapters.llm.planner.replies.profiles import format_line
from aisha.adapters.llm.planner.resolve import kinds_named, settled, subject
from aisha.adapters.llm.planner.results import ref_of
from aisha.adapters.llm.planner.slots import repaired
from aisha.adapters.llm.planner.state import Ref, Topic
from aisha.domain.language import lexicon
from aisha.domain.language.acts import READS
from aisha.domain.language.ask import Ask
from aisha.domain.language.reader import Span
from aisha.domain.wording import humanise

Risky = tuple[Mapping[str, Any], Sequence[str]]
"""A deal and the reasons why it may slip."""
_CLOSING_DAYS = 7
"""Days before it closes from which on a deal needs something planned."""
_EARLY_DAYS = 30
"""Days before it closes from which on a deal in an early stage is late."""
_EARLY = ("prospecting", "qualification")
_BAD = ("at_risk", "churning")
_OF_DEALS = frozenset("pipeline quarter month week forecast year".split())
"""Words of a question that names no kind of record, but is about deals."""
_LISTED = 10


def risks_asked(plan: Plan, ask: Ask) -> Answer | None:
    """Return which deals may slip, which accounts are in trouble, or who went quiet, where that is asked; else None."""
    placed = list(lexicon.placed_in(ask.outside, "risks"))
    search, types = plan.topic.search, {one.type for one in plan.topic.group}
    is_listed = len(plan.topic.group) != 1 and search is not None and search.tool == "search_opportunities"
    is_of_list = not ask.kinds and is_listed and types <= {"opportunity"}
    naming = ("name", "org", "new") if is_of_list and ask.is_plural else ("name", "org", "new", "ref")
    is_named = any(span.tag in naming for span in ask.segment.spans)
    if any(lexicon.placed_in(ask.outside, "quiet")) and ask.words & WHO and not is_named:
        return ACTS["search"](plan, Ask(replace(ask.segment, act="search", probability=1.0), ask.now))
    is_question = ask.act in READS or (ask.act == "hypothetical" and "which" in ask.words)
    if placed and is_question and (is_named or plan.bindings):
        return _risk_of_one(plan, ask)
    # "Deals with customers at risk": the words are a condition on those.
    if not (placed and is_question) or (len(ask.kinds) > 1 and "account" in ask.kinds):
        return None
    if ask.kinds == ("account",) and not {*_BAD} & {*ask.values}:
        words = [ask.outside[first:last] for _, first, last in placed]
        spans = [Span("value", ask.text[one[0].start : one[-1].end], one[0].start) for one in words]
        other_spans = [
            one for one in ask.segment.spans if not any(one.start < two.end and two.start < one.end for two in spans)
        ]
        return ACTS["search"](plan, ask.with_spans([*other_spans, *spans]))
    # What is at risk "in April" closes then.
    is_of_deals = is_of_list or (not ask.kinds and bool(ask.words & _OF_DEALS or ask.texts("when")))
    if not (is_of_deals or "opportunity" in ask.kinds) or not plan.has("search_opportunities"):
        return None
    for _, first, last in reversed(placed):
        ask = ask.without(ask.outside[first].start, ask.outside[last - 1].end)
    return _risky_deals(plan, repaired(Ask(replace(ask.segment, act="search"), ask.now)))


def _risky_deals(plan: Plan, ask: Ask) -> Answer:
    filters = filters_of(plan, ask, "opportunity")
    filters.arguments["open_only"] = True
    page = fetch(plan, filters, MAX_CHECKED)
    health = _bad_accounts(plan)
    planned = _planned_deals(plan)
    deals_and_reasons = [(deal, list(_reasons(plan, deal, health, planned))) for deal in page.items]
    risky = sorted(
        (pair for pair in deals_and_reasons if pair[1]),
        key=lambda pair: (-len(pair[1]), str(pair[0].get("close_date") or "9")),
    )
    owner = filters.arguments.get("owner")
    described = f"{formats.whose(owner) if owner else 'the'} {len(page.items)} {filters.described(len(page.items))}"
    text = format_risks(described, risky[:_LISTED], len(risky), plan.now)
    topic = Topic(tuple(ref_of(deal) for deal, _ in risky[:_LISTED]), search_of(filters, Page([], None), None))
    return Answer(listings.with_limits(text, filters.unknown, len(page.items) if page.cursor else 0), topic=topic)


def _risk_of_one(plan: Plan, ask: Ask) -> Answer | None:
    """Return why the deal that an ask names or points at may slip: "will Acme close on time?"; None for no deal."""
    kinds = kinds_named(ask) or (("opportunity",) if ask.words & CLOSING else ())
    match = subject(plan, ask, kinds)
    ref = settled(plan, ask, match) if match is not None and "opportunity" in kinds else match
    if not isinstance(ref, Ref) or ref.type != "opportunity":
        return None
    deal = plan.record(ref)
    if str(deal.get("stage")).startswith("closed"):
        return None
    text = format_risk(deal, _reasons(plan, deal, _bad_accounts(plan), _planned_deals(plan)), plan.now)
    return Answer(text, topic=Topic((ref,)))


def _planned_deals(plan: Plan) -> Owners | None:
    """Return how many activities are planned for a deal; None where there are too many to look at."""
    return owners_of(plan, "opportunity", Filters("activity", "list_activities", {}, {"status": "scheduled"}))


def _bad_accounts(plan: Plan) -> dict[str, str]:
    """Return the health of the accounts that are at risk or churning, by their ids."""
    if not plan.has("search_accounts"):
        return {}
    outcomes = plan.need_all([plan.planned("search_accounts", health=one, limit=MAX_CHECKED) for one in _BAD])
    return {
        str(item["id"]): humanise(health)
        for health, outcome in zip(_BAD, outcomes, strict=True)
        for item in (outcome.value or {}).get("items", ())
    }


def _reasons(plan: Plan, deal: Mapping[str, Any], health: Mapping[str, str], planned: Owners | None) -> Sequence[str]:
    """Return why a deal may slip, as the rules of the scan for deals at risk say, and by its stage."""
    today, closes, stage = plan.now.date(), str(deal.get("close_date") or ""), str(deal.get("stage"))
    is_near = bool(closes) and closes <= (today + timedelta(days=_CLOSING_DAYS)).isoformat()
    is_idle = planned is not None and not planned(deal)
    is_early = bool(closes) and closes <= (today + timedelta(days=_EARLY_DAYS)).isoformat() and stage in _EARLY
    rules = {
        "its close date is over": bool(closes) and closes < today.isoformat(),
        f"its account is {health.get(str(deal.get('account_id')), '')}": str(deal.get("account_id")) in health,
        f"it is only in {stage}": is_early,
        "it closes soon and nothing is scheduled": is_near and is_idle,
        "it has no next step": not deal.get("next_step"),
    }
    return [text for text, holds in rules.items() if holds]


def format_risks(described: str, risky: Sequence[Risky], number: int, now: datetime) -> str:
    """Format the deals that may slip, each with its reasons. `described` are all that were looked at."""
    if not risky:
        return f"Nothing points to a risk for {described}."
    lines = [f"{format_line(deal, now)}: {'; '.join(reasons)}" for deal, reasons in risky]
    left = f"\n\n… and {number - len(risky)} more." if number > len(risky) else ""
    return f"Of {described}, {number} may slip, the likeliest first:\n\n{numbered(lines)}{left}"


def format_risk(deal: Mapping[str, Any], reasons: Sequence[str], now: datetime) -> str:
    """Format why one deal may slip."""
    line = format_line(deal, now)
    return f"{line}. It may slip: {'; '.join(reasons)}." if reasons else f"{line}. Nothing on record points to a risk."
