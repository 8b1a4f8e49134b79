"""Tell what a total would be after a change that is only imagined."""

from collections.abc import Mapping

from msgspec.structs import replace

from aisha.adapters.llm.planner import resolve
from aisha.adapters.llm.planner.acts.search.filters import Filters
from aisha.adapters.llm.planner.plan import Answer, EarlyAnswer, Plan
from aisha.adapters.llm.planner.replies import conditional, formats
from aisha.adapters.llm.planner.state import Ref
from aisha.domain.language import lexicon
from aisha.domain.language.ask import Ask

_SUPPOSED = "it would be"
_CLOSED = ("closed_won", "closed_lost")


def imagined_stage(ask: Ask) -> str | None:
    """Return the stage that an imagined order moves a deal to; None if it is about something else."""
    return next((f"closed_{one.removeprefix('closed_')}" for one in ask.values if one.endswith(("won", "lost"))), None)


def imagined_deal(plan: Plan, ask: Ask) -> Ref | None:
    """Return the one deal that an imagined order is about. Raises `Pending` while it is looked for."""
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
    stage = imagined_stage(ask)
    if stage is None or (deal := imagined_deal(plan, ask)) is None:
        return ""
    record = plan.record(deal)
    was, is_then = _fits(filters, str(record.get("stage"))), _fits(filters, stage)
    if was is None or is_then is None or was == is_then or filters.conditions:
        return ""
    sign, currency = int(is_then) - int(was), str(record.get("currency") or "USD")
    amount = float(record.get("amount") or 0)
    total = {**sums, currency: sums.get(currency, 0) + sign * amount}
    noun = filters.described(number + sign)
    return (
        f" {'With' if sign > 0 else 'Without'} **{deal.name}** ({formats.format_sums({currency: amount})}) {_SUPPOSED} "
        f"{number + sign} {noun} worth **{formats.format_sums(total)}**."
    )


def _fits(filters: Filters, stage: str) -> bool | None:
    """Return whether a deal in a stage is among those counted; None if that depends on more than its stage."""
    if filters.arguments.keys() <= {"owner", "open_only"} and filters.arguments.get("open_only"):
        return stage not in _CLOSED
    is_by_stage = filters.arguments.keys() <= {"owner", "stage"} and "stage" in filters.arguments
    return lexicon.values_in(stage)[:1] == [filters.arguments["stage"]] if is_by_stage else None
