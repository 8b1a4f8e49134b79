"""Tell what a total would be after a change that is only imagined."""

from collections import defaultdict
from collections.abc import Mapping
from functools import partial
from typing import Any

from msgspec.structs import replace

from aisha.adapters.llm.planner import naming, resolve
from aisha.adapters.llm.planner.acts.search.fetching import sums_of
from aisha.adapters.llm.planner.acts.search.filters import Filters
from aisha.adapters.llm.planner.plan import Answer, EarlyAnswer, Plan, at_once
from aisha.adapters.llm.planner.replies import conditional, formats
from aisha.adapters.llm.planner.state import Ref
from aisha.domain.language import lexicon
from aisha.domain.language.ask import Ask
from aisha.domain.language.tokens import stem

_SUPPOSED = "it would be"
_PERIOD = frozenset(("closing_after", "closing_before"))
_TWO = 2
_THOUSAND = 1_000
_OTHER_NUMBERS = frozenset("probability score".split())
_LESS = frozenset("discount discounted cut cuts reduce reduced lower lowered drop dropped shrank off less down".split())
_MORE = frozenset("raise raised increase increased grow grew rose up more add added".split())
_FACTORS = {"doubled": 2, "doubles": 2, "double": 2, "twice": 2, "tripled": 3, "halved": 0.5, "half": 0.5}
_LEAVING = frozenset(
    map(stem, "vanish disappear evaporate collapse cancel leave gone walk drop pull slip bail die".split())
)
_WINNING = frozenset(map(stem, "sign close land renew buy".split()))
_ARRIVING = _WINNING | set(map(stem, "come happen work materialise materialize".split()))
"""Stems of verbs by which a deal is lost, won, or lost where they are denied."""
_DENIED = lexicon.word_set("condition_words", "denied") | {"won't", "can't"}
_CLOSED = ("closed_won", "closed_lost")


def imagined_stage(ask: Ask) -> str | None:
    """Return the stage that an imagined order moves a deal to; None if it is about something else.

    A deal is lost that vanishes, whose company walks away, or that does not come through.
    """
    said = next((f"closed_{one.removeprefix('closed_')}" for one in ask.values if one.endswith(("won", "lost"))), None)
    is_denied = not ask.words.isdisjoint(_DENIED)
    is_gone = not ask.amounts and not ask.stems.isdisjoint(_ARRIVING if is_denied else _LEAVING)
    if is_gone or (said == "closed_won" and is_denied):
        return "closed_lost"
    return said or ("closed_won" if not (is_denied or ask.amounts or ask.stems.isdisjoint(_WINNING)) else None)


def imagined_amount(ask: Ask, stored: float) -> float | None:
    """Return the amount that an imagined order gives a deal, from the one it has; None if it is about something else.

    "A hundred and fifty" of a deal of 117,000 is in thousands.
    """
    if _OTHER_NUMBERS & {*lexicon.fields_in(" ".join(one.word for one in ask.outside))}:
        return None
    factor = next((_FACTORS[one] for one in ask.words & _FACTORS.keys()), None)
    if factor is not None:
        return stored * factor
    if len(ask.amounts) != 1:
        return None
    (amount,), is_less = ask.amounts, not ask.words.isdisjoint(_LESS)
    is_by = is_less or not ask.words.isdisjoint(_MORE)
    if amount.is_percent:
        return stored * (1 + (-1 if is_less else 1) * amount.value / 100) if is_by else None
    is_short = amount.value < _THOUSAND and stored / 10 <= amount.value * _THOUSAND <= stored * 10
    if not (amount.is_money or is_short or amount.value >= _THOUSAND):
        return None
    value = amount.value * (_THOUSAND if is_short and not amount.is_money else 1)
    return stored + (-value if is_less else value) if is_by and "by" in ask.words else value


def imagined_deal(plan: Plan, ask: Ask) -> Ref | None:
    """Return the one deal that an imagined order is about. Raises `Pending` while it is looked for."""
    return next(iter(imagined_deals(plan, ask)[:1]), None)


def imagined_deals(plan: Plan, ask: Ask, filters: Filters | None = None) -> list[Ref]:
    """Return the deals that an imagined order is about: one for each name, or both of a name.

    Of several deals of a name, the one in the stage of the total that is asked for is meant.

    "If Ann signs, that's the pilot won" names a person, too: the deal is that of its own words.
    """
    names = [span for span in ask.segment.spans if span.tag in ("name", "new", "org")]
    others = [tuple(span for span in ask.segment.spans if span not in names or span == one) for one in names]
    searches = at_once(
        [partial(_deals_named, plan, ask.with_spans(spans), filters) for spans in others or [ask.segment.spans]]
    )
    return list({ref.id: ref for refs in searches for ref in refs}.values())


def _deals_named(plan: Plan, ask: Ask, filters: Filters | None) -> tuple[Ref, ...]:
    match = resolve.subject(plan, ask, ("opportunity",))
    if isinstance(match, naming.Ambiguous) and filters is not None and "both" not in ask.words:
        inside = tuple(one for one in match.candidates if _fits(filters, str(plan.record(one).get("stage"))))
        match = inside[0] if len(inside) == 1 else match
    try:
        ref = resolve.settled(plan, ask, match) if match is not None else None
    except EarlyAnswer:
        is_both = "both" in ask.words
        is_company = imagined_stage(ask) == "closed_lost" and "opportunity" not in ask.kinds
        if not isinstance(match, naming.Ambiguous) or not (is_both or is_company):
            return ()
        # "If Acme walks away" is about all of its open deals.
        alive = tuple(one for one in match.candidates if plan.record(one).get("stage") not in _CLOSED)
        return alive if not is_both or len(alive) == _TWO else ()
    return (ref,) if ref is not None and ref.type == "opportunity" else ()


def as_it_is(plan: Plan, answer: Answer) -> Answer:
    """Return the answer to what was asked on a condition, which says that nothing was changed."""
    topic = answer.topic or plan.topic
    if plan.imagined is not None and (deal := imagined_deal(plan, Ask(plan.imagined, plan.now))) is not None:
        topic = replace(topic, refs=(deal,))
    text = conditional.UNCHANGED if "would be" in answer.text else conditional.AS_IT_IS
    return replace(answer, text=f"{answer.text}\n\n{text}", topic=topic)


def supposed(plan: Plan, filters: Filters, number: int, sums: Mapping[str, float]) -> str:
    """Return the sentence that tells a total of deals as an imagined order would leave it; often empty."""
    if plan.imagined is None or filters.kind != "opportunity" or filters.conditions:
        return ""
    ask = Ask(plan.imagined, plan.now)
    stage, deals = imagined_stage(ask), imagined_deals(plan, ask, filters)
    records = [record for record in map(plan.record, deals) if _is_counted(plan, ask, filters, record)]
    if not records or (stage != "closed_lost" and len(records) != len(deals)):
        return ""
    if stage is None:
        is_one = len(records) == 1 and _fits(filters, str(records[0].get("stage")))
        return _with_amount(ask, filters, records[0], number, sums) if is_one else ""
    is_then = _fits(filters, stage)
    moved = [one for one in records if _fits(filters, str(one.get("stage"))) not in (None, is_then)]
    if is_then is None or not moved:
        return ""
    total, added, sign = defaultdict[str, float](float, sums), sums_of("opportunity", moved), 1 if is_then else -1
    for currency, amount in added.items():
        total[currency] += sign * amount
    number += sign * len(moved)
    names = " and ".join(f"**{one['display_name']}**" for one in moved)
    return (
        f" {'With' if is_then else 'Without'} {names} ({formats.format_sums(added)}) {_SUPPOSED} "
        f"{number} {filters.described(number)} worth **{formats.format_sums(total)}**."
    )


def _is_counted(plan: Plan, ask: Ask, filters: Filters, record: Mapping[str, Any]) -> bool:
    """Return whether a total is about the owner of a deal and the time of what is imagined."""
    owner = plan.user if filters.arguments.get("owner") == "me" else filters.arguments.get("owner")
    return owner in (None, record.get("owner")) and _is_in_period(plan, ask, filters, record)


def imagined_sum(plan: Plan, least: int = _TWO) -> str:
    """Return the sentence that adds up the deals of an imagined order; empty where it is about fewer than `least`."""
    if plan.imagined is None or len(deals := imagined_deals(plan, Ask(plan.imagined, plan.now))) < least:
        return ""
    records = [plan.record(deal) for deal in deals]
    records = [one for one in records if one.get("stage") not in _CLOSED] or records
    parts = [f"**{one['display_name']}** ({formats.format_sums(sums_of('opportunity', [one]))})" for one in records]
    opening = "Together it" if len(records) > 1 else "That"
    return f"{opening} would be **{formats.format_sums(sums_of('opportunity', records))}**: {' and '.join(parts)}."


def _with_amount(ask: Ask, filters: Filters, record: Mapping[str, Any], number: int, sums: Mapping[str, float]) -> str:
    """Return the sentence that tells a total of deals with another amount of one of them; empty without an amount."""
    currency, stored = str(record.get("currency") or "USD"), float(record.get("amount") or 0)
    if (amount := imagined_amount(ask, stored)) is None:
        return ""
    total = {**sums, currency: sums.get(currency, 0) - stored + amount}
    return (
        f" With **{record['display_name']}** at {formats.format_sums({currency: amount})} instead of "
        f"{formats.format_sums({currency: stored})} {_SUPPOSED} {number} {filters.described(number)} "
        f"worth **{formats.format_sums(total)}**."
    )


def _fits(filters: Filters, stage: str) -> bool | None:
    """Return whether a deal in a stage is among those counted; None if that depends on more than its stage."""
    names = filters.arguments.keys() - _PERIOD
    if names <= {"owner", "open_only"} and filters.arguments.get("open_only"):
        return stage not in _CLOSED
    is_by_stage = names <= {"owner", "stage"} and "stage" in names
    return lexicon.values_in(stage)[:1] == [filters.arguments["stage"]] if is_by_stage else None


def _is_in_period(plan: Plan, ask: Ask, filters: Filters, record: Mapping[str, Any]) -> bool:
    """Return whether a deal is in the period of a total: an open one by its close date, else by when it would close."""
    time = next((one for one in ask.times if one.first and one.last), None)
    days = (time.first, time.last) if time is not None else (plan.now.date(), plan.now.date())
    first, last = (day.isoformat() if day else "" for day in days)
    arguments = filters.arguments
    if "open_only" in arguments:
        first = last = str(record.get("close_date") or "")[:10]
    is_after = bool(arguments.get("closing_after", first) <= first)
    return is_after and bool(last <= arguments.get("closing_before", last))
