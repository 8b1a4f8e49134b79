"""Tell what a total would be after a change that is only imagined."""

from collections.abc import Mapping
from functools import partial
from typing import Any

from msgspec.structs import replace

from aisha.adapters.llm.planner import resolve
from aisha.adapters.llm.planner.acts.search.filters import Filters
from aisha.adapters.llm.planner.plan import Answer, EarlyAnswer, Plan, at_once
from aisha.adapters.llm.planner.replies import conditional, formats
from aisha.adapters.llm.planner.state import Ref
from aisha.domain.language import lexicon
from aisha.domain.language.ask import Ask

_SUPPOSED = "it would be"
_PERIOD = frozenset(("closing_after", "closing_before"))
_THOUSAND = 1_000
_OTHER_NUMBERS = frozenset(("probability", "score"))
_FACTORS = {"doubled": 2, "doubles": 2, "double": 2, "twice": 2, "tripled": 3, "halved": 0.5, "half": 0.5}
_LESS = frozenset("discount discounted cut cuts reduce reduced lower lowered drop dropped shrank off less down".split())
_MORE = frozenset("raise raised increase increased grow grew rose up more add added".split())
_CLOSED = ("closed_won", "closed_lost")


def imagined_stage(ask: Ask) -> str | None:
    """Return the stage that an imagined order moves a deal to; None if it is about something else."""
    return next((f"closed_{one.removeprefix('closed_')}" for one in ask.values if one.endswith(("won", "lost"))), None)


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
    """Return the one deal that an imagined order is about. Raises `Pending` while it is looked for.

    "If Ann signs, that's the pilot won" names a person, too: the deal is that of its own words.
    """
    names = [span for span in ask.segment.spans if span.tag in ("name", "new", "org")]
    others = [tuple(span for span in ask.segment.spans if span not in names or span == one) for one in names]
    found = at_once([partial(_deal_named, plan, ask.with_spans(spans)) for spans in others or [ask.segment.spans]])
    return next((ref for ref in found if ref is not None), None)


def _deal_named(plan: Plan, ask: Ask) -> Ref | None:
    try:
        match = resolve.subject(plan, ask, ("opportunity",))
        ref = resolve.settled(plan, ask, match) if match is not None else None
    except EarlyAnswer:
        return None
    return ref if ref is not None and ref.type == "opportunity" else None


def as_it_is(plan: Plan, answer: Answer) -> Answer:
    """Return the answer to what was asked on a condition, which says that nothing was changed."""
    topic = answer.topic or plan.topic
    if plan.imagined is not None and (deal := imagined_deal(plan, Ask(plan.imagined, plan.now))) is not None:
        topic = replace(topic, refs=(deal,))
    text = conditional.UNCHANGED if _SUPPOSED in answer.text else conditional.AS_IT_IS
    return replace(answer, text=f"{answer.text}\n\n{text}", topic=topic)


def supposed(plan: Plan, filters: Filters, number: int, sums: Mapping[str, float]) -> str:
    """Return the sentence that tells a total of deals as an imagined order would leave it; often empty."""
    if plan.imagined is None or filters.kind != "opportunity":
        return ""
    ask = Ask(plan.imagined, plan.now)
    stage, deal = imagined_stage(ask), imagined_deal(plan, ask)
    if deal is None:
        return ""
    record = plan.record(deal)
    owner = plan.user if filters.arguments.get("owner") == "me" else filters.arguments.get("owner")
    was, is_then = _fits(filters, str(record.get("stage"))), _fits(filters, stage or str(record.get("stage")))
    is_other = owner not in (None, record.get("owner")) or not _is_in_period(plan, ask, filters)
    if stage is None and was and not (filters.conditions or is_other):
        return _with_amount(ask, filters, record, number, sums)
    if was is None or is_then is None or was == is_then or filters.conditions or is_other:
        return ""
    sign, currency = int(is_then) - int(was), str(record.get("currency") or "USD")
    amount = float(record.get("amount") or 0)
    total = {**sums, currency: sums.get(currency, 0) + sign * amount}
    noun = filters.described(number + sign)
    return (
        f" {'With' if sign > 0 else 'Without'} **{deal.name}** ({formats.format_sums({currency: amount})}) {_SUPPOSED} "
        f"{number + sign} {noun} worth **{formats.format_sums(total)}**."
    )


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


def _is_in_period(plan: Plan, ask: Ask, filters: Filters) -> bool:
    """Return whether what is imagined, now or at its time, is in the period of the total: only won deals have one."""
    said = next((one for one in ask.times if one.first and one.last), None)
    days = (said.first, said.last) if said is not None else (plan.now.date(), plan.now.date())
    first, last = (day.isoformat() if day else "" for day in days)
    arguments = filters.arguments
    is_inside = arguments.get("closing_after", first) <= first and last <= arguments.get("closing_before", last)
    return is_inside and not (arguments.keys() & _PERIOD and "open_only" in arguments)
