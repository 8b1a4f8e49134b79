"""Tell a record's history and its score, and which records resemble it."""

from aisha.adapters.llm.planner.acts.profile.picking import MAX_HISTORY, read_records, readable, require_one
from aisha.adapters.llm.planner.plan import Answer, Plan, act
from aisha.adapters.llm.planner.replies import profiles
from aisha.adapters.llm.planner.state import Ref, Topic
from aisha.domain.language.ask import Ask, bounds
from aisha.domain.language.lexicon import KINDS


@act("history")
def history(plan: Plan, ask: Ask) -> Answer:
    """Tell what happened with a record, in the time named."""
    ref = require_one(plan, readable(ask), "Whose history would you like?")
    value = plan.call("summarize_record", f"sum up {ref.name}", **ref.entity)
    entries = value["timeline"]
    for span in ask.times[:1]:
        first, last = (end.timestamp() if end else None for end in bounds(span, plan.now))
        entries = [one for one in entries if profiles.is_between(one.get("when"), first, last)]
    text = profiles.format_history(value["summary"], entries[-MAX_HISTORY:], len(entries), plan.now)
    return Answer(text, topic=Topic((ref,)))


@act("similar")
def similar(plan: Plan, ask: Ask) -> Answer:
    """List the records that resemble one."""
    ref = require_one(plan, readable(ask), "Which record shall they resemble?")
    about = {**ref.entity, "limit": min(ask.count or 5, 20)}
    items = plan.call("find_similar", f"find what resembles {ref.name}", **about)["items"]
    refs = tuple(Ref(one["type"], one["id"], one["name"]) for one in items)
    return Answer(profiles.format_similar(ref.name, items), topic=Topic(refs or (ref,)))


@act("score")
def score(plan: Plan, ask: Ask) -> Answer:
    """Tell how promising a lead is, with reasons; of other records what comes near to a score."""
    kinds = tuple(kind for kind in ask.kinds if kind in KINDS) or ("lead", "opportunity")
    ref = require_one(plan, readable(ask), "Which lead shall I score?", kinds)
    if ref.type == "lead":
        value = plan.call("score_lead", f"score {ref.name}", lead_id=ref.id)
        return Answer(profiles.format_score(value), topic=Topic((ref,)))
    field = {"opportunity": "probability", "account": "health"}.get(ref.type, "status")
    text = profiles.tell_fields(read_records(plan, (ref,))[0], [field], plan.now)
    return Answer(text if ref.type == "opportunity" else f"Only leads have a score. {text}", topic=Topic((ref,)))
