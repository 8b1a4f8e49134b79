"""Tell a record's history and its score, and which records resemble it."""

from functools import partial

from msgspec.structs import replace

from aisha.adapters.llm.planner.acts.asks import as_names
from aisha.adapters.llm.planner.acts.profile.picking import MAX_HISTORY, readable, require_one
from aisha.adapters.llm.planner.acts.search.words import contacted_stems
from aisha.adapters.llm.planner.naming import chosen
from aisha.adapters.llm.planner.plan import ACTS, Answer, Plan, act, at_once
from aisha.adapters.llm.planner.replies import profiles
from aisha.adapters.llm.planner.resolve import ordinals_of
from aisha.adapters.llm.planner.state import Ref, Topic
from aisha.domain.language import lexicon
from aisha.domain.language.ask import Ask, bounds
from aisha.domain.language.lexicon import KINDS, entries
from aisha.domain.language.reader import Span

_STAGES = frozenset(entries("open_values")["opportunity"]) | {"closed_won", "closed_lost", "lost"}

SPEAKING = frozenset(("speak", "talk", "convers", "meet", "contact", "touch"))
"""Stems of words for a contact, beside those of searches."""
_DID = frozenset("did has have had didn't hasn't haven't".split())
_BEFORE_VERBS = frozenset("ever already yet actually really even been not".split())
_HAVING = frozenset("have got get any anything".split())
# Words of a question for a reason that does not say of what.
_BARE_WHY = frozenset("why but and so ok huh tho though".split())


@act("history")
def history(plan: Plan, ask: Ask) -> Answer:
    """Tell what happened with a record, in the time named."""
    ref = require_one(plan, readable(ask), "Whose history would you like?")
    value = plan.call("summarize_record", f"sum up {ref.name}", **ref.entity)
    entries = value["timeline"]
    for span in ask.times[:1]:
        first, last = (end.timestamp() if end else None for end in bounds(span, plan.now))
        if first is not None and first > plan.now.timestamp():
            continue  # "I'm seeing Ann at two, fill me in."
        entries = [one for one in entries if profiles.is_between(one.get("when"), first, last)]
    text = profiles.format_history(value["summary"], entries[-MAX_HISTORY:], len(entries), plan.now)
    return Answer(text, topic=Topic((ref,)))


def asks_what_no_field_tells(ask: Ask) -> bool:
    """Return whether a question is whether somebody did what no field tells: "did he answer our last email?"."""
    tokens = [
        one for one in ask.tokens if one.kind != "mark" and one.word not in lexicon.INTERJECTIONS | lexicon.OPENINGS
    ]
    spans = [one for one in ask.segment.spans if one.tag in ("name", "ref", "owner", "org")]
    subject = next((one for one in spans if len(tokens) > 1 and one.start == tokens[1].start), None)
    if subject is None or tokens[0].word not in _DID:
        return False
    rest = [one for one in tokens if one.start >= subject.end and one.word not in _BEFORE_VERBS]
    placed = [one for table in ("field_questions", "values") for one in lexicon.placed_in(rest, table)]
    told = any(first == 0 for _, first, _ in placed)
    # "Has she opened it" is about no open record, and "did she open it" neither.
    is_verb = tokens[0].word in ("did", "didn't") or (rest[:1] and rest[0].word not in lexicon.ADJECTIVES)
    told = told and not (is_verb and {rest[0].word, rest[0].stem} & lexicon.ADJECTIVES)
    is_contact = bool({one.stem for one in rest} & (contacted_stems() | SPEAKING))
    is_planned = any(lexicon.activity_type_of(one.word) for one in rest[:1])
    return bool(rest) and not (told or is_contact or is_planned or rest[0].word in _HAVING)


def reasons(plan: Plan, ask: Ask) -> Answer:
    """Tell why a lead has its score, or what happened to a record and stands out where else no field has the answer."""
    is_of_event = asks_what_no_field_tells(ask)
    ask = readable(as_names(ask, "owner") if is_of_event else ask)
    kinds = tuple(kind for kind in ask.kinds if kind in KINDS)
    is_of_deal = bool({*ask.values} & _STAGES and (ask.texts("name") or ask.texts("org")))
    kinds = kinds or (("opportunity",) if is_of_deal else ())
    ref = require_one(plan, ask, "Which person, company or deal do you mean?", kinds)
    if ref.type == "lead" and ask.act == "score":
        return score(plan, ask)
    what = f"look up {ref.name}"
    tools = ("summarize_record", *(["suggest_next_actions"] if plan.has("suggest_next_actions") else []))
    told, *advised = at_once([partial(plan.call, tool, what, **ref.entity) for tool in tools])
    timeline = told["timeline"]
    text = profiles.format_history(told["summary"], timeline[-MAX_HISTORY:], len(timeline), plan.now)
    suggestions = [one for value in advised for one in value.get("suggestions") or ()]
    standing_out = [one["reasoning"] for one in suggestions if one["priority"] != "Normal"]
    return Answer(profiles.format_reasons(text, standing_out, is_of_event=is_of_event), topic=Topic((ref,)))


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
    if "why" in ask.words and {one.word for one in ask.tokens if one.kind != "mark"} <= _BARE_WHY:
        if plan.topic.written:
            return Answer(f"Because you asked for it. {ACTS['last_action'](plan, ask).text}", topic=plan.topic)
        if [ref.type for ref in plan.topic.refs] != ["lead"]:
            raise plan.refuse("Why what? I can tell you why a lead has its score, and what I changed last.")
    if plan.topic.refs and plan.topic.refs[0].type == "goal" and not ask.texts("name"):
        goal = chosen(plan.topic.refs, next(iter(ordinals_of(ask)), 1))
        spans = (*ask.segment.spans, Span("name", goal.name, len(ask.text))) if goal else ask.segment.spans
        segment = replace(ask.segment, text=f"{ask.text}{goal.name if goal else ''}", act="goals", spans=spans)
        return ACTS["goals"](plan, Ask(segment, plan.now))  # "What's dragging the first one down?"
    kinds = tuple(kind for kind in ask.kinds if kind in KINDS) or ("lead", "opportunity")
    ref = require_one(plan, readable(ask), "Which lead shall I score?", kinds)
    if ref.type == "lead":
        value = plan.call("score_lead", f"score {ref.name}", lead_id=ref.id)
        return Answer(profiles.format_score(value), topic=Topic((ref,)))
    field = {"opportunity": "probability", "account": "health"}.get(ref.type, "status")
    text = profiles.tell_fields(plan.records((ref,))[0], [field], plan.now)
    return Answer(text if ref.type == "opportunity" else f"Only leads have a score. {text}", topic=Topic((ref,)))
