"""Convert leads to contacts."""

from msgspec.structs import replace

from aisha.adapters.llm.planner.acts.asks import as_names
from aisha.adapters.llm.planner.acts.execution import answer_done
from aisha.adapters.llm.planner.acts.writing.fitting import fit
from aisha.adapters.llm.planner.acts.writing.targets import records_meant, single
from aisha.adapters.llm.planner.plan import ACTS, Answer, Plan, act
from aisha.adapters.llm.planner.replies import changes, questions
from aisha.adapters.llm.planner.results import items_of, ref_of
from aisha.adapters.llm.planner.state import Question, Ref, Topic
from aisha.domain.language.ask import Ask
from aisha.domain.language.reader import Segment, Span


@act("convert")
def convert(plan: Plan, ask: Ask) -> Answer:
    """Convert a lead into a contact at its company's account, with a deal where the ask has one."""
    refs = records_meant(plan, as_names(ask, "new"), "Which lead should I convert?", ("lead",))
    ref = single(plan, refs, "convert")
    if ref.type != "lead" and {*ask.values} - {"converted"}:
        # "Make the account a customer": its type.
        return ACTS["update_record"](
            replace(plan, bindings={"": ref}), Ask(replace(ask.segment, act="update_record"), plan.now)
        )
    return convert_lead(plan, ask, ref)


def convert_lead(plan: Plan, ask: Ask, ref: Ref) -> Answer:
    """Convert a lead with the account of its company. Asks which one where there are several of that name."""
    if ref.type != "lead":
        raise plan.refuse(f"**{ref.name}** is not a lead, so there is nothing to convert.")
    company = next(iter(ask.texts("org")), "") or str(plan.record(ref).get("company") or "")
    has_accounts = bool(company) and plan.has("search_accounts")
    items = items_of(plan.need("search_accounts", name_contains=company)) if has_accounts else []
    same = [item for item in items if item["display_name"].lower() == company.lower()]
    accounts = tuple(replace(ref_of(item), about=str(item.get("industry") or "")) for item in same)
    account = plan.bindings.get(company.lower()) or next(iter(accounts), None)
    if len(accounts) > 1 and company.lower() not in plan.bindings:
        asked = ask.segment.followed_by(Segment(f"at {company}", ask.act, spans=(Span("org", company, len("at ")),)))
        question = Question("which", asked, company, accounts)
        return Answer(questions.ask_which(company, accounts), question, Topic((ref,)))
    values, _ = fit(ask, plan.tools["convert_lead"], "opportunity")
    values |= {"opportunity_name": values.pop("name", None), "account_id": account.id if account else None}
    has_deal = "opportunity" in ask.kinds or None
    values["close_date"] = values.get("close_date") if has_deal else None
    done = plan.call("convert_lead", f"convert {ref.name}", lead_id=ref.id, create_opportunity=has_deal, **values)
    contact = Ref("contact", done["contact"]["id"], done["contact"]["name"])
    return answer_done(plan, changes.converted(ref.name, done), contact)
