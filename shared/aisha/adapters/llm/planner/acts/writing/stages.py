"""Move deals to other stages."""

from collections.abc import Sequence

from msgspec.structs import replace

from aisha.adapters.llm.planner.acts.asks import as_names, with_described, writing_words
from aisha.adapters.llm.planner.acts.execution import answer_done, write_all
from aisha.adapters.llm.planner.acts.writing.targets import change_of_all, deal_of, records_meant
from aisha.adapters.llm.planner.acts.writing.update import change_all, change_records, new_values, with_value_roles
from aisha.adapters.llm.planner.plan import ACTS, Answer, EarlyAnswer, Plan, act
from aisha.adapters.llm.planner.replies import changes, formats
from aisha.adapters.llm.planner.state import Ref
from aisha.domain.language.ask import Ask

_WHICH = "You did not say which deal"


@act("advance_stage")
def advance_stage(plan: Plan, ask: Ask) -> Answer:
    """Move deals to the stage that an ask names, or to the next one. A lead is marked as lost, or converted."""
    if _is_state_of_account(plan, ask):
        return ACTS["update_record"](plan, ask)  # "Put it back to at risk."
    if (parts := change_of_all(ask)) is not None:
        return change_all(plan, ask, *parts)
    ask = with_described(plan, with_value_roles(as_names(ask, "new", "org", "text", "topic")))
    refs = _deals(plan, ask)
    if "close_date" not in ask.fields:
        # When they signed is no closing date.
        spans = tuple(span for span in ask.segment.spans if span.tag != "when")
        ask = Ask(replace(ask.segment, spans=spans), ask.now)
    if any(new_values(plan, ask, ref)[0] for ref in refs):
        return change_records(plan, ask, refs)
    names = formats.bold(refs)
    if any(ref.type != "opportunity" for ref in refs):
        raise EarlyAnswer(_no_deal(plan, ask, refs))
    if value := ask.first("value"):
        schema = plan.tools["advance_opportunity_stage"].properties["stage"]
        stages = schema.get("examples") or schema["enum"]
        raise plan.ask_slot(ask, "value", changes.no_such_value("stage", value, stages))
    if not ask.words & writing_words("onwards"):
        raise plan.ask_slot(ask, "value", f"Which stage should {names} move to?")
    calls = [plan.planned("advance_opportunity_stage", opportunity_id=ref.id) for ref in refs]
    stage = write_all(plan, calls, f"move {names}")[0]["record"]["stage"]
    return answer_done(plan, changes.changed(refs, {"stage": stage}, plan.now), *refs)


def _is_state_of_account(plan: Plan, ask: Ask) -> bool:
    """Return whether what is said is a state of accounts, and no deal is meant: of no other kind, or of that spoken of.

    Examples: "put it back to at risk", "Globex goes back to unknown".
    """
    value_texts = {*ask.values, *ask.texts("value")}
    of_account, of_others = (_states(plan, kinds) & value_texts for kinds in (("account",), ("opportunity", "lead")))
    is_of_account = [ref.type for ref in plan.topic.refs[:1]] == ["account"] and not ask.texts("name")
    return bool(of_account) and not ask.kinds and (is_of_account or not of_others)


def _states(plan: Plan, kinds: Sequence[str]) -> set[str]:
    """Return the enumerated values of kinds of records."""
    specs = [spec for kind in kinds if (spec := plan.tools.get(f"update_{kind}")) is not None]
    return {value for spec in specs for one in spec.properties.values() for value in one.get("enum", ())}


def _no_deal(plan: Plan, ask: Ask, refs: Sequence[Ref]) -> Answer:
    """Say that what was found has no stage; offer to mark a lead as lost where no stage was said: "close her out"."""
    names = formats.bold(refs)
    if len(refs) == 1 and refs[0].type == "lead" and not ask.texts("value"):
        text = f"{names} is a lead, and only deals have stages. Shall I set the status of {refs[0].name} to lost?"
        return plan.offer(text, f"set the status of {refs[0].name} to lost", topic=plan.topic)
    return Answer(f"I found {names}, but no deal of that name. Only deals have stages.", topic=plan.topic)


def _deals(plan: Plan, ask: Ask) -> tuple[Ref, ...]:
    """Return the deals that an ask is about, for a customer's name its only open one. Leads stay as they are."""
    try:
        refs = records_meant(plan, ask, "Which deal do you mean?", ("opportunity",) if ask.texts("name") else ())
    except EarlyAnswer:
        if not plan.has("search_opportunities"):
            _ = plan.tools["search_opportunities"]  # The user may not see deals: this says so.
        raise
    is_said = ask.texts("name") or ask.texts("org") or plan.spoken or plan.bindings or "opportunity" in ask.kinds
    if not is_said and any(ref.type == "contact" for ref in refs):
        plan.doubt = plan.doubt or _WHICH  # "Move it to proposal", after a call with somebody.
    return tuple(deal_of(plan, ask, ref) if ref.type in ("account", "contact") else ref for ref in refs)
