"""Answer one ask: choose the act that it is for, ask which record it means, or say that a tool is missing."""

from collections.abc import Sequence
from functools import partial

from msgspec.structs import replace

from aisha.adapters.llm.planner import own_tools, policy
from aisha.adapters.llm.planner.acts.advice import past_cases_asked
from aisha.adapters.llm.planner.acts.asks import asks_for_address, asks_for_field, asks_for_stage, asks_for_state
from aisha.adapters.llm.planner.acts.figures.comparison import compared_again
from aisha.adapters.llm.planner.acts.figures.counting import number_doubted
from aisha.adapters.llm.planner.acts.figures.ranking import of_first_listed
from aisha.adapters.llm.planner.acts.figures.rates import rate_asked
from aisha.adapters.llm.planner.acts.noted import noted
from aisha.adapters.llm.planner.acts.overviews import overview_asked
from aisha.adapters.llm.planner.acts.profile.columns import asked_of_each, listed_with_linked
from aisha.adapters.llm.planner.acts.profile.former import former
from aisha.adapters.llm.planner.acts.profile.history import asks_what_no_field_tells, reasons
from aisha.adapters.llm.planner.acts.profile.picking import people_meant
from aisha.adapters.llm.planner.acts.risks import risks_asked
from aisha.adapters.llm.planner.acts.search.groups import is_of_many, split
from aisha.adapters.llm.planner.acts.search.kinds import asks_for_sales, is_there
from aisha.adapters.llm.planner.acts.search.words import WHO
from aisha.adapters.llm.planner.acts.writing.update import link_records, orders_link
from aisha.adapters.llm.planner.plan import (
    ACTS,
    Answer,
    EarlyAnswer,
    Plan,
    at_once,
    module_of,
)
from aisha.adapters.llm.planner.references import first_of
from aisha.adapters.llm.planner.replies import questions
from aisha.adapters.llm.planner.resolve import names_several, namesakes_meant
from aisha.adapters.llm.planner.state import Question, Ref, Topic
from aisha.domain.crm.records import RECORD_TYPES
from aisha.domain.language import refusals
from aisha.domain.language.acts import FIELD_CHANGE_ACTS, READS, WRITES
from aisha.domain.language.ask import Ask
from aisha.domain.language.lexicon import KINDS

MIN_READ = 0.1
"""A question that is taken for an order is what it may be else with this probability."""
MAX_EACH = 5
"""Records of one name that a question about several of them is answered for."""


_ANSWERED_BY_SUBJECT = (
    listed_with_linked,
    former,
    compared_again,
    of_first_listed,
    risks_asked,
    rate_asked,
    split,
    overview_asked,
    number_doubted,
    noted,
    past_cases_asked,
)
"""Functions that answer an ask by its subject, whatever act it was read as."""
_OF_THE_PAST = frozenset("goals events last_action history".split())
_OF_WORK = frozenset("list_activities history events".split())
_OF_FIELDS = frozenset("ask_field score".split())
# Acts of questions about one record, which may ask for a reason or for what no field tells.
_EXPLAINED = frozenset("ask_field score events about history last_action".split())
_MAILING = frozenset(("draft_email", "send_email"))
_COMPARING = frozenset(("or", "than"))
_OF_ADVICE = frozenset(("next_steps", "my_day"))
_LINKABLE = FIELD_CHANGE_ACTS | {"create_record"}
"""Acts that an order to link two records may be read as."""


def settled_answer(plan: Plan, ask: Ask) -> Answer:
    """Return the answer to an ask. Where it tells itself which of several records is meant, none is asked for."""
    people = people_meant(plan, ask)
    if (answer := _answer_for_each(plan, ask, "", people)) is not None:
        return answer
    try:
        return _act(plan, ask)
    except EarlyAnswer as early:
        asked = early.answer
    question = asked.question
    if question is None or question.kind != "which":
        return asked
    refs: Sequence[Ref] = tuple(filter(None, (first_of(plan, ask, question.candidates),)))
    if not refs and ask.act in READS and names_several(ask):
        refs = namesakes_meant(ask, question.candidates)[:MAX_EACH]
    asked = replace(asked, question=_with_fields(question, ask))
    return _answer_for_each(plan, ask, question.name, refs) or asked


def _with_fields(question: Question, ask: Ask) -> Question:
    """Return a question with the fields that its ask was for, which looking for a record left out of the ask."""
    segment = question.ask
    if segment is None or segment.act != ask.act or len(segment.text) != len(ask.text):
        return question
    fields = [span for span in ask.segment.spans if span.tag == "field" and span not in segment.spans]
    return replace(question, ask=replace(segment, text=ask.text, spans=(*segment.spans, *fields)))


def _answer_for_each(plan: Plan, ask: Ask, name: str, refs: Sequence[Ref]) -> Answer | None:
    """Return the answer to an ask about each of the records that a name may mean; None without any."""
    plans = [replace(plan, bindings={**plan.bindings, name.lower(): ref, "": ref}) for ref in refs]
    try:
        answers = at_once(partial(_act, one, ask) for one in plans)
    except EarlyAnswer as early:
        return early.answer
    if len(answers) < 2:
        return next(iter(answers), None)
    texts = dict.fromkeys(one.text for one in answers)
    return Answer(("\n\n" if any("\n" in text for text in texts) else "\n").join(texts), topic=Topic(tuple(refs)))


def _act(plan: Plan, ask: Ask) -> Answer:
    if ask.act in FIELD_CHANGE_ACTS | {"advance_stage"} and policy.names_field_alone(ask):
        ask = Ask(replace(ask.segment, act="ask_field", others=()), ask.now)
    if not plan.tools and ask.act in READS | WRITES:
        return Answer(questions.NO_TOOLS)
    if (of_each := asked_of_each(plan, ask)) is not None:
        return of_each
    if (own := own_tools.own_tool(plan, ask)) is not None:
        return own_tools.run_own_tool(plan, ask, own)
    if ask.act not in WRITES - _LINKABLE and orders_link(plan, ask):
        return link_records(plan, ask)
    if (ask.act == "score" and asks_for_state(ask)) or (ask.act in _MAILING and asks_for_address(ask)):
        ask = Ask(replace(ask.segment, act="ask_field"), ask.now)
    if ask.act in _OF_FIELDS and is_of_many(ask):
        return ACTS["count"](plan, Ask(replace(ask.segment, act="count"), ask.now))
    if ask.act in _EXPLAINED and (policy.asks_why(ask) or asks_what_no_field_tells(ask)):
        return reasons(plan, ask)
    if (answer := next(filter(None, (tell(plan, ask) for tell in _ANSWERED_BY_SUBJECT)), None)) is not None:
        return answer
    may_be_of_stage = ask.act in _OF_THE_PAST or not policy.is_understood(ask)
    if asks_for_field(ask) or (may_be_of_stage and asks_for_stage(ask)):
        return ACTS["ask_field"](plan, Ask(replace(ask.segment, act="ask_field"), ask.now))
    is_sure = policy.is_sure(ask)
    is_order = is_sure and ask.act in WRITES
    if not is_order and (refusal := refusals.refusal_for(ask.text, is_certain=is_sure)) is not None:
        return Answer(refusal, topic=plan.topic)
    if (not policy.is_understood(ask) or ask.act in _OF_WORK) and not ask.activity_types and asks_for_sales(ask):
        return ACTS["search"](plan, ask)  # "Did we ever sell anything to Acme?"
    if not policy.is_understood(ask) or ask.act not in ACTS:
        return Answer(questions.not_understood(ask.text), topic=plan.topic)
    for kind in ask.kinds:
        if kind in RECORD_TYPES and not plan.scene.principal.may_use(module_of(kind)):
            return Answer(questions.no_access(module_of(kind)))
    if ask.act in FIELD_CHANGE_ACTS and policy.is_asked_back(ask):
        return ACTS["ask_field"](plan, ask)
    if ask.act in WRITES and policy.is_question(ask):
        asked = next((other for other, share in ask.segment.others if other in READS and share >= MIN_READ), None)
        return ACTS[asked](plan, ask) if asked else Answer(questions.not_understood(ask.text), topic=plan.topic)
    if ask.act == "list_activities" and not (is_sure or ask.activity_types) and {*ask.kinds[:1]} & {*KINDS}:
        return ACTS["search"](plan, ask)
    if ask.act == "goals" and not is_sure and "goal" not in ask.kinds and len(plan.topic.refs) == 1:
        return ACTS["about"](plan, ask)  # "How's the relationship going?"
    is_ranking = ask.act in READS and not is_sure and "which" in ask.words and ask.orders
    if ask.act in READS and ask.orders and ask.words & _COMPARING and len(ask.texts("name")) > 1:
        return ACTS["compare"](plan, ask)  # "What's bigger, the Acme deal or the Globex one?"
    if ask.act in _OF_ADVICE and ask.activity_types and dict(ask.segment.others).get("list_activities", 0) >= MIN_READ:
        return ACTS["list_activities"](plan, ask)  # "What's my next call?"
    if ask.act in _OF_ADVICE and ask.words & WHO and is_there(ask):
        return ACTS["search"](plan, ask)  # "Who could I call there?"
    return ACTS["rank" if is_ranking else ask.act](plan, ask)


def missing_tool(plan: Plan, tool: str) -> str:
    """Explain that the plan needs a missing tool, usually because the user may not use its module."""
    noun = tool.partition("_")[2].removesuffix("ies").removesuffix("s").removesuffix("y")
    modules = dict.fromkeys(kind.MODULE for kind in RECORD_TYPES.values())
    module = next((module for module in modules if noun and module.startswith(noun)), None)
    if module is not None and not plan.scene.principal.may_use(module):
        return questions.no_access(module)
    return questions.no_tool()
