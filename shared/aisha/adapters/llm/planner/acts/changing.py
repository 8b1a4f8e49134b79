"""Change, convert and delete records, update goals, take changes back, and answer to orders denied or only imagined."""

from collections.abc import Sequence
from itertools import pairwise

from msgspec.structs import replace

from aisha.adapters.llm.planner import custom_fields, policy
from aisha.adapters.llm.planner.acts.creating import (
    Left,
    Values,
    doubting,
    fit,
    free_tokens,
    is_no_name,
    number_of,
    word_before,
    words,
    write_all,
)
from aisha.adapters.llm.planner.acts.planning import activities_meant, as_names
from aisha.adapters.llm.planner.plan import ACTS, Answer, EarlyAnswer, Pending, Plan, act
from aisha.adapters.llm.planner.policy import unexplained
from aisha.adapters.llm.planner.replies import changes, conditional, formats, questions
from aisha.adapters.llm.planner.replies.goals import GOAL_LIMITS, ask_goal, ask_part, ask_result, goal_updated, no_goal
from aisha.adapters.llm.planner.resolve import all_near, chosen, require, require_all, several_of, subject
from aisha.adapters.llm.planner.results import PlannedCall, items_of, ref_of
from aisha.adapters.llm.planner.state import Question, Ref, Topic
from aisha.domain.language import lexicon
from aisha.domain.language.amounts import find_amounts
from aisha.domain.language.ask import Ask
from aisha.domain.language.lexicon import KINDS, PLURALS
from aisha.domain.language.reader import Segment, Span
from aisha.domain.language.tokens import tokenize

_AWAITED = frozenset(("if", "unless", "once", "until", "whenever"))
"""Words before something that an order waits for."""
_LINKING = frozenset(("link", "linked", "linking", "connect", "associate"))

# Fields.


@act("update_record")
def update_record(plan: Plan, ask: Ask) -> Answer:
    """Change the fields that an ask names, of one record or of several."""
    is_of_activity = "priority" in ask.fields and [ref.type for ref in plan.topic.refs[:1]] == ["activity"]
    pointed = [two.word for one, two in pairwise(ask.outside) if one.word in ("that", "this")]
    is_bare = {span.tag for span in ask.segment.spans} <= {"ref", "owner", "when"}
    if is_of_activity or (is_bare and any(map(lexicon.activity_type_of, pointed))):
        # "Reassign that email to Bob."
        return ACTS["change_activity"](plan, ask)
    if ask.words & _LINKING:
        return _link(plan, ask)
    if len(ask.texts("name")) > 1 and len({*ask.texts("value")}) > 1 and not ask.texts("field"):
        raise plan.refuse("You gave me several records with values of their own. Please tell me one after the other.")
    owners = [span for span in ask.segment.spans if span.tag == "owner"]
    is_record = bool(owners) and not {span.tag for span in ask.segment.spans} & {"name", "new", "org", "ref"}
    if (
        is_record
        and "owner" not in ask.fields
        and word_before(ask, owners[0]) not in ("to", "from", "with", "by", "is")
    ):
        ask = as_names(ask, "owner")  # "Set Ann to warm": she is no colleague.
    elif not (ask.words & words("renaming")):
        ask = as_names(ask, *(() if ask.texts("org") else ("new",)))
    ask = _with_roles(ask)
    return _change(plan, ask, _meant(plan, ask, "Which record should I change?", _kinds(plan, ask)))


def _link(plan: Plan, ask: Ask) -> Answer:
    """Make a company that of a person, or the customer of a deal: those named, else the record spoken of."""
    spans = [span for span in ask.segment.spans if span.tag in ("name", "org", "new", "value", "company")]
    asks = [Ask(Segment(one.text, ask.act, spans=(Span("name", one.text, 0),)), plan.now) for one in spans[:2]]
    refs = [require(plan, one, "Which record shall I link?") for one in asks]
    refs += [ref for ref in plan.topic.refs[:1] if len(refs) < 2 and ref.type in KINDS and ref not in refs]
    company = next((ref for ref in refs if ref.type == "account"), None)
    other = next((ref for ref in refs if ref.type != "account"), None)
    if other is None:
        to = f" to **{company.name}**" if company else ""
        raise plan.ask_who(ask, f"Which lead, contact or deal shall I link{to}?")
    if company is None:
        raise plan.ask_who(ask, f"Which account shall I link **{other.name}** to?")
    value = {"company": company.name} if other.type == "lead" else {"account_id": company.id}
    what = f"link {other.name} to {company.name}"
    plan.call(f"update_{other.type}", what, **{f"{other.type}_id": other.id, **value})
    return _done(plan, f"I've linked **{other.name}** to **{company.name}**.", other, company)


def _with_roles(ask: Ask) -> Ask:
    """Return the ask with names that are values marked as such: "his title is Plant Director", "give it to Bob"."""
    spans: list[Span] = []
    for span in ask.segment.spans:
        before = [one.word for one in free_tokens(ask) if one.end <= span.start]
        before += [one.text for one in spans if one.tag == "field"]
        fields = {name for text in before for name in lexicon.fields_in(text)}
        is_known = bool(ask.words & lexicon.PERSON) or any(one.tag in ("name", "ref") for one in spans)
        word, tag = word_before(ask, span), span.tag
        if tag in ("name", "org", "value", "new") and is_known and word != "from":
            is_given = word in words("given")
            roles = {"renaming": "new", "handing" if tag == "value" else "handed_over": "owner"} if is_given else {}
            role = next((role for group, role in roles.items() if tag != "org" and ask.words & words(group)), "")
            is_company = tag != "value" and (
                "company" in fields
                or (tag == "org" and (word in words("joined") or any(one.tag == "value" for one in spans)))
                or _is_joined(spans, span, word)
            )
            tag = "company" if is_company else role or ("value" if is_given and fields else tag)
        spans.append(replace(span, tag=tag))
    return Ask(replace(ask.segment, spans=tuple(spans)), ask.now)


def _is_joined(before: Sequence[Span], span: Span, word: str) -> bool:
    """Return whether a second name is the company that the first has joined."""
    return span.tag == "name" and word in words("joined") - {"to"} and any(one.tag == "name" for one in before)


def _kinds(plan: Plan, ask: Ask) -> tuple[str, ...]:
    """Return the kinds of records that a change can be about: those named, else those that have its fields."""
    loose = {lexicon.kind_of(token.word) or lexicon.kind_of(token.stem) for token in ask.loose}
    # "His company" is a field.
    loose -= {"account"} if ask.words & lexicon.PERSON else set()
    if named := tuple(kind for kind in KINDS if kind in loose):
        return named
    if not ask.texts("name"):
        # A pronoun means the record mentioned last, whatever its fields; "they" are a person's company, too.
        return ("lead", "contact") if ask.words & lexicon.PERSON - lexicon.OF_EITHER else KINDS
    fits = {kind: fit(ask, plan.tools[f"update_{kind}"], kind) for kind in KINDS if plan.has(f"update_{kind}")}
    able = tuple(kind for kind, (values, left) in fits.items() if values and not left)
    return able if len(able) < len(fits) else ()


def _meant(plan: Plan, ask: Ask, question: str, kinds: Sequence[str] = ()) -> tuple[Ref, ...]:
    """Return the records that an ask is about. Raises `EarlyAnswer`, also for a whole kind of records."""
    many = any(token.word.endswith("s") and lexicon.kind_of(token.word[:-1]) in KINDS for token in ask.loose)
    if (many or ask.words & words("every")) and not ask.texts("name") and not several_of(plan, ask, kinds):
        raise plan.refuse(changes.LIST_FIRST)
    return tuple({ref.id: ref for ref in require_all(plan, ask, question, kinds)}.values())


def _change(plan: Plan, ask: Ask, refs: Sequence[Ref]) -> Answer:
    calls: list[PlannedCall] = []
    values: Values = {}
    left: Left = []
    for ref in refs:
        values, left = _changes(plan, ask, ref)
        if ref.type == "lead" and values.get("status") == "converted":
            return _convert(plan, ask, ref)
        if not values:
            raise _nothing_to_change(plan, ask, ref, left)
        known = plan.results.record(ref.id) or {}
        known = {**(known.get("custom") or {}), **known}
        if len(refs) == 1 and all(known.get(name) == value for name, value in values.items()):
            raise plan.refuse(changes.unchanged(ref, values, plan.now))
        if any(name.startswith("do_not_") for name in values):
            # "She must not be called": the denial is the order.
            plain = ask
            for token in (one for one in ask.loose if one.word in words("opting_out")):
                plain = plain.without(token.start, token.end)
            plan = replace(plan, doubt=policy.doubt_after(plan.doubt, ask, plain))
        plan = doubting(plan, left) if len(refs) == 1 else plan
        # A closed deal can't be advanced: changing its stage reopens it.
        is_closed = str(known.get("stage", "")).startswith("closed")
        is_move = values.keys() == {"stage"} and not is_closed
        tool = "advance_opportunity_stage" if is_move else f"update_{ref.type}"
        calls.append(plan.planned(tool, **{f"{ref.type}_id": ref.id}, **values))
    write_all(plan, calls, f"change {formats.bold(refs)}")
    return _done(plan, changes.changed(refs, values, plan.now), *refs, more=changes.left_out(refs[0].type, left))


def _done(plan: Plan, text: str, *refs: Ref, more: str = "") -> Answer:
    """Return the answer after a write: "I've changed ...", and `more` that is no part of what was done."""
    return Answer(text + more, topic=plan.topic_of(*refs, written=text.replace("I've", "You just", 1)))


def _changes(plan: Plan, ask: Ask, ref: Ref) -> tuple[Values, Left]:
    """Return the new values of a record by parameter, and what fits none: see `fit`."""
    spec = plan.tools[f"update_{ref.type}"]
    values, left = fit(ask, spec, ref.type)
    # The tagger misses names of colleagues in small letters: "assign him to bob".
    after = [two for one, two in pairwise(ask.loose) if one.word in ("to", "make") and two.kind == "word"]
    is_handed = ask.words & words("handing") and not (values or ask.texts("owner"))
    who = [two.word for two in after if two.word == "me" or (is_handed and not is_no_name(two.word))]
    values |= {"owner": who[-1]} if who and ask.words & words("handed_over") else {}
    if not values:
        same = lexicon.entries("same_values").get(ref.type, {})
        options = {key: name for name, schema in spec.general_properties.items() for key in schema.get("enum", ())}
        flags = opt_outs(ask)
        said = [same.get(key, key) for key in ask.values if not flags]
        values = {flag: True for flag in flags if flag in spec.properties} | {
            options[key]: key for key in said if key in options
        }
        left = [] if values else left
    options = {key: name for name, schema in spec.general_properties.items() for key in schema.get("enum", ())}
    ordered = next(iter(lexicon.values_in(next((one.word for one in ask.outside if one.kind != "mark"), ""))), "")
    if ordered in options and options[ordered] not in values:
        values[options[ordered]] = ordered  # "Qualify Ann, she has 60k": the verb is a value.
    if "tags" in values:
        old, new = list(plan.record(ref).get("tags") or ()), values["tags"]
        kept = [tag for tag in old if tag not in new]
        values["tags"] = kept if ask.words & words("untagging") else [*kept, *new]
    if "address" in values:
        values["address"] = {**(plan.record(ref).get("address") or {}), **values["address"]}
    return values, left


def opt_outs(ask: Ask) -> list[str]:
    """Return the flags of the channels that an ask denies: "she doesn't want any more calls"."""
    tokens = ask.outside
    denied = next((place for place, token in enumerate(tokens) if token.word in words("opting_out")), len(tokens))
    stems = [
        lexicon.activity_type_of(one.word) or lexicon.activity_type_of(one.stem) or one.stem
        for before, one in pairwise(tokens[denied:])
        if before.word not in lexicon.DETERMINERS
    ]
    return [f"do_not_{one}" for one in ("call", "email") if one in stems or "contact" in stems]


def _nothing_to_change(plan: Plan, ask: Ask, ref: Ref, left: Left) -> EarlyAnswer:
    """Return the question for the field or the value that a change lacks."""
    spec = plan.tools[f"update_{ref.type}"]
    properties = spec.properties
    field, value = left[0] if left else ("", "")
    own = custom_fields.named(spec.custom, field) if field else None
    name = own.name if own else lexicon.field_name(next(iter(lexicon.fields_in(field)), ""), ref.type)
    if own and name not in properties:
        return plan.refuse(changes.read_only_field(field))
    if opt_outs(ask):
        return plan.refuse(f"I can't block calls or emails for {formats.LABELS[ref.type][1]}, only for leads.")
    if field and name not in properties:
        return plan.refuse(changes.no_field(ref.type, field))
    question = changes.ask_change(ref, field, value, properties.get(name, {}).get("enum", ()))
    return plan.ask_slot(ask, "field" if value and not field else "value", question)


# Stages and conversions.


@act("advance_stage")
def advance_stage(plan: Plan, ask: Ask) -> Answer:
    """Move deals to the stage that an ask names, or to the next one. A lead is marked as lost, or converted."""
    ask = _with_roles(as_names(ask, "new", "org"))
    refs = _deals(plan, ask)
    if "close_date" not in ask.fields:
        # When they signed is no closing date.
        spans = tuple(span for span in ask.segment.spans if span.tag != "when")
        ask = Ask(replace(ask.segment, spans=spans), ask.now)
    if any(_changes(plan, ask, ref)[0] for ref in refs):
        return _change(plan, ask, refs)
    names = formats.bold(refs)
    if any(ref.type != "opportunity" for ref in refs):
        raise EarlyAnswer(_no_deal(plan, ask, refs))
    if value := ask.first("value"):
        schema = plan.tools["advance_opportunity_stage"].properties["stage"]
        stages = schema.get("examples") or schema["enum"]
        raise plan.ask_slot(ask, "value", changes.no_such_value("stage", value, stages))
    if not ask.words & words("onwards"):
        raise plan.ask_slot(ask, "value", f"Which stage should {names} move to?")
    calls = [plan.planned("advance_opportunity_stage", opportunity_id=ref.id) for ref in refs]
    stage = write_all(plan, calls, f"move {names}")[0]["record"]["stage"]
    return _done(plan, changes.changed(refs, {"stage": stage}, plan.now), *refs)


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
        refs = _meant(plan, ask, "Which deal do you mean?", ("opportunity",) if ask.texts("name") else ())
    except EarlyAnswer:
        if not plan.has("search_opportunities"):
            _ = plan.tools["search_opportunities"]  # The user may not see deals: this says so.
        raise
    except Pending as pending:
        # A customer's deals are searched for in the next round: all kinds of records in this one.
        names = dict.fromkeys(call.arguments["name_contains"] for call in pending.calls)
        tools = [tool for plural in PLURALS.values() if plan.has(tool := f"search_{plural}")]
        raise Pending([plan.planned(tool, name_contains=name) for name in names for tool in tools]) from None
    return tuple(_deal_of(plan, ask, ref) if ref.type in ("account", "contact") else ref for ref in refs)


def _deal_of(plan: Plan, ask: Ask, ref: Ref) -> Ref:
    search = {f"{ref.type}_id": ref.id, "open_only": True}
    refs = [ref_of(item) for item in items_of(plan.need("search_opportunities", **search))]
    if not refs:
        raise plan.refuse(f"There is no open deal with **{ref.name}**.")
    return _one_of(plan, ask, refs, next(iter(ask.texts("name")), ""), ref.name)


def _one_of(plan: Plan, ask: Ask, refs: Sequence[Ref], said: str, name: str) -> Ref:
    """Return the only one of records. Raises `EarlyAnswer` with the question for one of several."""
    if len(refs) > 1:
        question = Question("which", ask.segment, said, tuple(refs))
        raise EarlyAnswer(Answer(questions.ask_which(name, refs), question, plan.topic))
    return refs[0]


@act("convert")
def convert(plan: Plan, ask: Ask) -> Answer:
    """Convert a lead into a contact at its company's account, with a deal where the ask has one."""
    refs = _meant(plan, as_names(ask, "new"), "Which lead should I convert?", ("lead",))
    return _convert(plan, ask, _single(plan, refs, "convert"))


def _single(plan: Plan, refs: Sequence[Ref], verb: str) -> Ref:
    """Return the only record: the gate asks about each of what can't be undone for long."""
    if len(refs) > 1:
        raise plan.refuse(f"I {verb} one record at a time and ask before each. Which one shall be the first?")
    return refs[0]


def _convert(plan: Plan, ask: Ask, ref: Ref) -> Answer:
    if ref.type != "lead":
        raise plan.refuse(f"**{ref.name}** is not a lead, so there is nothing to convert.")
    company = next(iter(ask.texts("org")), "") or str(plan.record(ref).get("company") or "")
    has_accounts = bool(company) and plan.has("search_accounts")
    items = items_of(plan.need("search_accounts", name_contains=company)) if has_accounts else []
    accounts = [item["id"] for item in items if item["display_name"].lower() == company.lower()]
    values, _ = fit(ask, plan.tools["convert_lead"], "opportunity")
    values |= {"opportunity_name": values.pop("name", None), "account_id": accounts[0] if len(accounts) == 1 else None}
    has_deal = "opportunity" in ask.kinds or None
    done = plan.call("convert_lead", f"convert {ref.name}", lead_id=ref.id, create_opportunity=has_deal, **values)
    contact = Ref("contact", done["contact"]["id"], done["contact"]["name"])
    return _done(plan, changes.converted(ref.name, done), contact)


# Delete and undo.


@act("delete")
def delete(plan: Plan, ask: Ask) -> Answer:
    """Delete records, or the one note or activity meant. The gate asks first."""
    if ask.texts("field"):
        raise plan.refuse("I can't empty a field. Tell me its new value and I'll change it.")
    forms = [form for token in ask.loose for form in (token.word, token.stem)]
    kinds = {kind for form in forms if (kind := lexicon.kind_of(form))}
    last = [ref.type for ref in (*plan.topic.listed[:1], *plan.topic.refs[:1]) if not (kinds or ask.texts("name"))]
    if "note" in kinds or "note" in last:
        ref = _note(plan, ask)
    elif "activity" in (*kinds, *last) or any(lexicon.activity_type_of(form) for form in forms):
        records = activities_meant(plan, ask, ask.times, "Which activity should I delete?")
        ref = _one_of(plan, ask, [ref_of(one) for one in records], "", "that")
    else:
        ref = _single(plan, _meant(plan, as_names(ask, "new", "org"), "Which record should I delete?"), "delete")
    plan.call(f"delete_{ref.type}", f"delete {ref.name}", **{f"{ref.type}_id": ref.id})
    return _done(plan, f"I've deleted {formats.bold([ref])}.")


def _note(plan: Plan, ask: Ask) -> Ref:
    """Return the one note that an ask means: the one just written, one with its topic, or the last one on a record."""
    if (bound := plan.bindings.get("")) is not None and bound.type == "note":
        return bound
    topic = " ".join(
        word for word in (ask.first("topic") or ask.first("text") or "").split() if word not in words("no_names")
    )
    known = [ref for ref in (*plan.topic.refs, *plan.topic.listed) if ref.type == "note"]
    if len(known) == 1 and not (topic or ask.first("name")):
        return known[0]
    if topic and not ask.first("name"):
        items = items_of(plan.need("search_notes", query=topic))
    else:
        about = require_all(plan, ask, "Which note do you mean? Tell me whom it is about.", KINDS)[0]
        items = items_of(plan.need("list_notes", entity_type=about.type, entity_id=about.id))
    refs = [ref_of(item) for item in items if not topic or all_near(topic, str(item.get("content")))]
    if not refs:
        raise plan.refuse("I found no such note.")
    place = next(iter(lexicon.ordinals_in([token.word for token in ask.outside])), 0)
    # The newest note comes first.
    return chosen(refs, abs(place)) or _one_of(plan, ask, refs, "", "that")


@act("undo")
def undo(plan: Plan, ask: Ask) -> Answer:
    """Take the last change back. When another record than the one changed last is named, ask first."""
    name, written = ask.first("name"), plan.topic.written
    if name and written and not all_near(name, written):
        return plan.offer(changes.only_the_last(written), "undo that", topic=plan.topic)
    if name and not written:
        plan = replace(plan, doubt=plan.doubt or "I can only take back the last change")
    receipts = plan.call("undo_last", "take that back")["receipts"]
    refs = [Ref(one["entity"]["type"], one["entity"]["id"], one["entity"]["name"]) for one in receipts]
    return _done(plan, changes.undone(receipts, plan.now), *(ref for ref in refs if ref.type in KINDS))


# Goals.


@act("update_goal")
def update_goal(plan: Plan, ask: Ask) -> Answer:
    """Set a goal's status, its progress in percent, or the value of a key result."""
    if ask.words & words("target"):
        raise plan.refuse(GOAL_LIMITS)
    goal = _goal(plan, ask)
    said = next((span.text for span in ask.segment.spans if span.tag in ("value", "amount", "count")), "")
    number = number_of(said, {}) if said else None
    status = next((key for key, _, _ in lexicon.placed_in(ask.outside, "goal_statuses")), None)
    values: Values = {"status": status} if status else {}
    if number is not None and any(one.is_percent for one in find_amounts(said.lower())):
        values["progress"] = number
    elif number is not None:
        result = _key_result(plan, ask, goal)
        is_relative = ask.words & words("relative") and "at" not in ask.words
        if is_relative or number > 2 * result["target"]:
            raise plan.ask_slot(ask, "value", ask_result(result))
        values["key_results"] = [{"title": result["title"], "current": number}]
    if not values:
        raise plan.ask_slot(ask, "value", f"What is **{goal['title']}** at now? A percentage or a status will do.")
    record = plan.call("update_goal", "update the goal", goal_id=goal["id"], **values)["record"]
    return _done(plan, goal_updated(record), Ref("goal", goal["id"], goal["title"]))


def _goal(plan: Plan, ask: Ask) -> Values:
    """Return the goal that an ask names, also by a key result, or points at. Raises `EarlyAnswer` to ask for it."""
    goals = {goal["id"]: goal for goal in plan.call("get_goals", "look up the goals")["items"]}
    # Goals have names of common words, which the reader does not take for names.
    names = [text for tag in ("name", "topic", "org") for text in ask.texts(tag)] or [" ".join(unexplained(ask))]
    names = [name for name in names if name]
    found: list[Values] = [goal for goal in goals.values() if any(all_near(name, goal["title"]) for name in names)]
    if not found and names:
        results = [(one["title"], goal) for goal in goals.values() for one in goal["key_results"]]
        found = [goal for title, goal in results if any(all_near(name, title) for name in names)]
    if not names:
        listed = [ref for ref in plan.topic.refs if ref.id in goals]
        place = next(iter(lexicon.ordinals_in([token.word for token in ask.outside])), int(len(listed) == 1))
        ref = chosen(listed, place)
        found = [goals[ref.id]] if ref is not None else []
    titles = [goal["title"] for goal in found or goals.values()]
    if names and not found:
        raise plan.refuse(no_goal(names[0], titles))
    if len(found) != 1:
        raise plan.ask_who(ask, ask_goal(titles))
    return found[0]


def _key_result(plan: Plan, ask: Ask, goal: Values) -> Values:
    names = [text for tag in ("field", "name", "topic") for text in ask.texts(tag)]
    results: list[Values] = goal["key_results"]
    named = [one for one in results if len(results) == 1 or any(all_near(name, one["title"]) for name in names)]
    if len(named) != 1:
        raise plan.ask_slot(ask, "field", ask_part(goal["title"], [one["title"] for one in results]))
    return named[0]


# Orders denied or imagined.


@act("negated")
def negated(plan: Plan, ask: Ask) -> Answer:
    """Do nothing. When the ask is about the change just made, offer to take that back."""
    text, written = "All right, I won't do that.", plan.topic.written
    shared = ask.stems & {token.stem for token in tokenize(written) if token.word not in words("no_names")}
    if written and (shared or ask.words & words("withdrawing")):
        return plan.offer(f"{text} {written} Shall I take that back?", "undo that", topic=plan.topic)
    return Answer(text, topic=plan.topic)


@act("hypothetical")
def hypothetical(plan: Plan, ask: Ask) -> Answer:
    """Say what an imagined order would do, and offer it; advise when asked whether to. Nothing is written."""
    is_pointing = ask.texts("name") or ask.texts("org") or ask.words & (lexicon.PERSON | lexicon.THING)
    ref = subject(plan, ask) if is_pointing else None
    # "If I moved it, …" imagines something, "if she signs, …" waits for it.
    is_awaited = any(one.word in _AWAITED and two.word not in ("i", "we") for one, two in pairwise(ask.tokens))
    if not isinstance(ref, Ref):
        return Answer(conditional.awaited(ask.text) if is_awaited else conditional.NOTHING_CHANGED, topic=plan.topic)
    if ask.words & words("advice"):
        advice = ACTS["next_steps"](plan, ask)
        return replace(advice, text=f"{advice.text}\n\nI haven't changed anything.")
    imagined = next((act_name for act_name, _, _ in lexicon.placed_in(ask.outside, "imagined_acts")), "")
    slots = {tag: text for tag in ("value", "owner") if (text := ask.first(tag))}
    text, order = conditional.imagined(imagined, ref, slots)
    topic = plan.topic_of(ref)
    if is_awaited:
        return (
            _reminding(plan, ask, text, order, topic) if order else Answer(conditional.awaited(ask.text), topic=topic)
        )
    return plan.offer(f"{text} Shall I do it?", order, topic=topic) if order else Answer(text, topic=topic)


def _reminding(plan: Plan, ask: Ask, text: str, order: str, topic: Topic) -> Answer:
    """Answer to an order on a condition, which nothing here can wait for, with the offer of a reminder."""
    text = f"{text} I can't wait for something to happen first."
    times = ask.times
    if not times or times[0].moment(plan.now) <= plan.now:
        return Answer(f"{text} Tell me when it has, and I'll do it.", topic=topic)
    due = f"on {times[0].moment(plan.now):%B %-d, %Y}"
    return plan.offer(f"{text} Shall I remind you {due} to {order}?", f"remind me {due} to {order}", topic=topic)
