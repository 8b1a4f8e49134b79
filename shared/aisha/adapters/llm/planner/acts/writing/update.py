"""Change the fields of records, and link them."""

from collections.abc import Callable, Mapping, Sequence
from datetime import date
from functools import partial
from itertools import pairwise
from typing import Any

from dateutil.relativedelta import relativedelta
from msgspec.structs import replace

from aisha.adapters.llm.planner import custom_fields, policy
from aisha.adapters.llm.planner.acts.asks import (
    as_names,
    free_tokens,
    is_contact,
    says,
    with_described,
    word_before,
    writing_words,
)
from aisha.adapters.llm.planner.acts.execution import Unplaced, answer_done, doubting, write_all
from aisha.adapters.llm.planner.acts.search.fetching import owns_records
from aisha.adapters.llm.planner.acts.writing.conversion import convert_lead
from aisha.adapters.llm.planner.acts.writing.fitting import fit
from aisha.adapters.llm.planner.acts.writing.gleaning import with_free_text
from aisha.adapters.llm.planner.acts.writing.names import BRINGING_IN, is_no_name
from aisha.adapters.llm.planner.acts.writing.pairing import is_mixed
from aisha.adapters.llm.planner.acts.writing.relative import SUMS, difference_in, meant_in_thousands, relative_values
from aisha.adapters.llm.planner.acts.writing.targets import all_described, change_of_all, deal_of, records_meant
from aisha.adapters.llm.planner.acts.writing.values import Values
from aisha.adapters.llm.planner.dialogue.words import BEFORE_VERBS
from aisha.adapters.llm.planner.naming import all_near, is_left_out
from aisha.adapters.llm.planner.plan import ACTS, Answer, EarlyAnswer, Plan, act, at_once
from aisha.adapters.llm.planner.replies import changes, formats, questions
from aisha.adapters.llm.planner.resolve import require
from aisha.adapters.llm.planner.results import PlannedCall, ref_of
from aisha.adapters.llm.planner.state import Question, Ref
from aisha.domain.crm.records import RECORD_TYPES
from aisha.domain.language import lexicon
from aisha.domain.language.acts import NAME_TAGS
from aisha.domain.language.ask import Ask
from aisha.domain.language.lexicon import KINDS
from aisha.domain.language.reader import Segment, Span

_COPULAS = frozenset("'s is are stays remains".split())
# Tags of values that a deal has, or of what points at one.
_LINKING = frozenset("link linked linking connect associate attach".split())
_NAMED = NAME_TAGS | {"value", "company"}
_COMPARED = SUMS | {"company", "stage"}
"""Fields of which a new value is read beside the stored one."""
_SUBJECTS = frozenset("he she it they".split())
_LINKS = {("lead", "account"): "company", ("opportunity", "contact"): "contact_id"}
"""The field that holds a link between two kinds of records; it is `account_id` for others with an account."""


@act("update_record")
def update_record(plan: Plan, ask: Ask) -> Answer:
    """Change the fields that an ask names, of one record or of several."""
    ask = policy.without_told(ask)
    # Of what was just planned or changed only an activity has a priority.
    has_activity = any(ref.type == "activity" for ref in plan.topic.refs) and not (
        ask.first("name") or ask.first("org")
    )
    is_of_activity = has_activity and "priority" in lexicon.fields_in(ask.text)
    pointed = [two.word for one, two in pairwise(ask.outside) if one.word in ("that", "this")]
    is_bare = {span.tag for span in ask.segment.spans} <= {"ref", "owner", "when"}
    if is_of_activity or (is_bare and any(map(lexicon.activity_type_of, pointed))):
        # "Reassign that email to Bob."
        return ACTS["change_activity"](plan, ask)
    for kind in (one for one in ("opportunity", "lead") if plan.has(f"update_{one}")):
        ask = with_free_text(ask, plan.tools[f"update_{kind}"])  # A name in a next step is not whom it is about.
    if ask.words & _LINKING or any(is_contact(ask.text, one) for one in ask.segment.spans):
        return link_records(plan, ask)
    ask = _without_bystander(ask)
    if (parts := change_of_all(ask)) is not None:
        return change_all(plan, ask, *parts)
    if is_mixed(ask.segment):
        raise plan.refuse("Each of those records gets a value of its own. Please give them to me one at a time.")
    owners = [span for span in ask.segment.spans if span.tag == "owner"]
    if owners and word_before(ask, owners[0]) == "between":
        raise plan.refuse(changes.ONE_OWNER)
    is_record = bool(owners) and not {span.tag for span in ask.segment.spans} & {"name", "new", "org", "ref"}
    if (
        is_record
        and "owner" not in ask.fields
        and word_before(ask, owners[0]) not in ("to", "from", "with", "by", "is")
    ):
        ask = as_names(ask, "owner")  # "Set Ann to warm": she is no colleague.
    elif not (ask.words & writing_words("renaming")):
        ask = as_names(ask, *(() if ask.texts("org") else ("new",)))
    ask = with_described(plan, with_value_roles(ask))
    meant = partial(records_meant, plan, ask, "Which record should I change?", _kinds(plan, ask))
    # In one round, since a turn has three.
    checks: list[Callable[[], Any]] = [meant, partial(_is_colleague, plan, ask)]
    records, is_known = at_once(checks)
    plan = plan if is_known else replace(plan, doubt=changes.unknown_owner(str(ask.first("owner"))))
    return change_records(plan, ask, records)


def _is_colleague(plan: Plan, ask: Ask) -> bool:
    """Return whether to whom an order gives something is a colleague as far as one can see: somebody who owns a record.

    Raises `Pending` while that is looked for.
    """
    owner = (ask.first("owner") or plan.user).lower()
    # After the yes to one of several changes the order is read again.
    is_again = plan.topic.asked is not None and plan.topic.asked.text == ask.text
    is_self = is_again or owner in {plan.user, *lexicon.SELF_WORDS} or all_near(owner, plan.scene.principal.name or "")
    return is_self or not plan.has("get_pipeline_summary") or owns_records(plan, owner)


def _without_bystander(ask: Ask) -> Ask:
    """Return a statement on "he" or "it" without the name of whom only a preposition brings in: "he came via Ann"."""
    names = [span for span in ask.segment.spans if span.tag in ("name", "owner")]
    first = next((one.word for one in ask.tokens if one.word not in BEFORE_VERBS | lexicon.INTERJECTIONS), "")
    is_beside = len(names) == 1 and word_before(ask, names[0]) in BRINGING_IN
    if first in _SUBJECTS and is_beside:
        return ask.without(names[0].start, names[0].end)
    # "Alice asked me to have Ann marked as warm": who asks is not whom it is about.
    after = next((one for one in ask.tokens if names and one.start >= names[0].end), None)
    is_asking = len(names) > 1 and after is not None and after.word in lexicon.REPORTING_VERBS
    return ask.with_spans(one for one in ask.segment.spans if one != names[0]) if is_asking else ask


def orders_link(plan: Plan, ask: Ask) -> bool:
    """Return whether an ask orders to link two records, whatever act it was read as: "connect it to Ann Lee"."""
    verb = next((one.word for one in ask.tokens if one.kind != "mark" and one.word not in BEFORE_VERBS), "")
    names = [span for span in ask.segment.spans if span.tag in _NAMED]
    is_pointing = bool(ask.words & (lexicon.THING_PRONOUNS | lexicon.PERSON_PRONOUNS))
    # "Ann is the contact for the Acme deal", and "put Ann down as the contact" after it was spoken of.
    is_contacts = any(is_contact(ask.text, one) for one in names) and not any(
        one.word in ("a", "new") and two.word == "contact" for one, two in pairwise(ask.tokens)
    )
    if (
        is_contacts
        and "the" in ask.words
        and len(names) == 1
        and [ref.type for ref in plan.topic.refs[:1]] == ["opportunity"]
    ):
        return True
    is_told = is_contacts and "opportunity" in ask.kinds and verb not in lexicon.ORDER_VERBS
    return (verb in _LINKING or is_told) and len(names) + is_pointing > 1


def link_records(plan: Plan, ask: Ask) -> Answer:
    """Link a person or a deal to a company, or a deal to a contact: those named, else the record spoken of."""
    if _LINKING.issuperset(word.lower() for word in policy.unexplained(ask)) and not ask.words & policy.DENIALS:
        plan = replace(plan, doubt="")  # The verb may be strange to the act that the ask was read as.
    spans = [span for span in ask.segment.spans if span.tag in _NAMED]
    asks = [Ask(Segment(one.text, ask.act, spans=(Span("name", one.text, 0),)), plan.now) for one in spans[:2]]
    kinds = [_kind_beside(ask, one) for one in spans]
    each = zip(asks, kinds, strict=False)
    refs = at_once(partial(require, plan, one, "Which record shall I link?", of) for one, of in each)
    refs += [ref for ref in plan.topic.refs[:1] if len(refs) < 2 and ref.type in KINDS and ref not in refs]
    if len(refs) > 1 and refs[0] == refs[1]:
        raise plan.refuse(questions.not_found(spans[1].text, "account"))  # A company that only a lead has.
    target = next((ref for kind in ("account", "contact") for ref in refs if ref.type == kind), None)
    other = next((ref for ref in refs if ref != target), None)
    if other is None:
        to = f" to **{target.name}**" if target else ""
        raise plan.ask_who(ask, f"Which lead, contact or deal shall I link{to}?")
    if target is None or (target.type == "contact" and other.type != "opportunity"):
        raise plan.ask_who(ask, f"Which account shall I link **{other.name}** to?")
    field = _LINKS.get((other.type, target.type), "account_id")
    value = {field: target.name if field == "company" else target.id}
    what = f"link {other.name} to {target.name}"
    plan.call(f"update_{other.type}", what, **{f"{other.type}_id": other.id, **value})
    return answer_done(plan, f"I've linked **{other.name}** to **{target.name}**.", other, target)


def _kind_beside(ask: Ask, span: Span) -> tuple[str, ...]:
    """Return the kind of record that the word after a name says, "the Acme deal", else that of its slot; else none."""
    noun = next((one for one in ask.tokens if one.start >= span.end), None)
    kind = lexicon.kind_named(noun) if noun is not None else None
    return (kind,) if kind in ("opportunity", "lead") else ("account",) if span.tag == "org" else ()


def with_value_roles(ask: Ask) -> Ask:
    """Return the ask with names that are values marked as such: "his title is Plant Director", "give it to Bob"."""
    spans: list[Span] = []
    for span in ask.segment.spans:
        before = [one.word for one in free_tokens(ask) if one.end <= span.start]
        before += [one.text for one in spans if one.tag == "field"]
        fields = {name for text in before for name in lexicon.fields_in(text)}
        is_known = bool(ask.words & lexicon.PERSON_PRONOUNS) or any(one.tag in ("name", "ref") for one in spans)
        word, tag = word_before(ask, span), span.tag
        # "Industry should read Aerospace": after a field and "to" stands its value.
        is_known |= any(one.tag == "field" for one in spans) and word in writing_words("given")
        if tag in ("name", "org", "value", "new") and is_known and word != "from":
            # "Ann is contacted now, give her to Bob": a status is no colleague.
            is_state = tag == "value" and bool(lexicon.values_in(span.text))
            is_given = word in writing_words("given") and not is_state
            roles = {"renaming": "new", "handing" if tag == "value" else "handed_over": "owner"} if is_given else {}
            role = next(
                (role for group, role in roles.items() if tag != "org" and ask.words & writing_words(group)), ""
            )
            is_company = tag != "value" and (
                "company" in fields
                or (tag == "org" and (word in writing_words("joined") or any(one.tag == "value" for one in spans)))
                or _is_joined(spans, span, word)
            )
            tag = "company" if is_company else role or ("value" if is_given and fields else tag)
        spans.append(replace(span, tag=tag))
    return Ask(replace(ask.segment, spans=tuple(spans)), ask.now)


def _is_joined(before: Sequence[Span], span: Span, word: str) -> bool:
    """Return whether a second name is the company that the first has joined."""
    return span.tag == "name" and word in writing_words("joined") - {"to"} and any(one.tag == "name" for one in before)


def _kinds(plan: Plan, ask: Ask) -> tuple[str, ...]:
    """Return the kinds of records that a change can be about: those named, else those that have its fields."""
    counted = {two.start for one, two in pairwise(ask.tokens) if one.kind == "number"}  # "220 people"
    nouns = [token for token in ask.loose if token.start not in counted]
    loose = {lexicon.kind_of(token.word) or lexicon.kind_of(token.stem) for token in nouns}
    # "His company" is a field.
    loose -= {"account"} if ask.words & lexicon.PERSON_PRONOUNS else set()
    if named := tuple(kind for kind in KINDS if kind in loose):
        return named
    is_pointing = bool(ask.texts("ref") or ask.words & (lexicon.PERSON_PRONOUNS | lexicon.THING_PRONOUNS))
    is_of_thing = is_pointing and bool(plan.spoken) and not ask.words & lexicon.PERSON_PRONOUNS
    if not ask.texts("name") and (is_pointing or not plan.spoken) and not is_of_thing:
        # A pronoun means the record mentioned last, whatever its fields; "they" are a person's company, too.
        return ("lead", "contact") if ask.words & lexicon.PERSON_PRONOUNS - lexicon.THEY_PRONOUNS else KINDS
    fits = {kind: fit(ask, plan.tools[f"update_{kind}"], kind) for kind in KINDS if plan.has(f"update_{kind}")}
    able = tuple(kind for kind, (values, left) in fits.items() if values and not left)
    if ask.fields and not able:
        # "Push the Acme close date by two weeks": of the kinds only deals have one.
        able = tuple(kind for kind in fits if all(map(partial(_has_field, kind), ask.fields)))
    if not ask.texts("name") and not able:
        return KINDS
    return able if len(able) < len(fits) else ()


def _has_field(kind: str, field: str) -> bool:
    return lexicon.field_name(field, kind) in RECORD_TYPES[kind].model_fields


def change_records(plan: Plan, ask: Ask, refs: Sequence[Ref]) -> Answer:
    """Write the new values that an ask says to each of the records. Raises `EarlyAnswer` when there are none."""
    is_agreed = policy.is_confirmed(ask)
    plan = replace(plan, doubt="") if is_agreed else plan
    calls: list[PlannedCall] = []
    values: Values = {}
    left: Unplaced = []
    for ref in refs:
        values, left = new_values(plan, _without_rest_of_name(ask, ref), ref)
        if ref.type == "lead" and values.get("status") == "converted":
            return convert_lead(plan, ask, ref)
        is_shift = values.keys() == {"close_date"} and (says(ask, "later") or says(ask, "sooner"))
        if (is_shift or not values) and ref.type == "opportunity" and ask.lengths:
            # "The renewal back two weeks", "a month later": from the day on record on.
            moved = Ask(replace(ask.segment, act="change_activity"), ask.now)
            return ACTS["change_activity"](replace(plan, bindings={"": ref}), moved)
        if not values and _is_of_deal(plan, ask, ref):
            return change_records(plan, ask, (deal_of(plan, ask, ref),))
        if not values:
            raise _nothing_to_change(plan, ask, ref, left)
        is_compared = difference_in(ask.text) is not None or bool(_COMPARED & values.keys())
        record = plan.record(ref) if is_compared else plan.results.record(ref.id) or {}
        if len(values) > 1 and all_near(str(values.get("company", "")), str(record.get("company"))):
            del values["company"]  # "Ann is now Head of Sales at Acme", where she works: at Acme Corp.
        record = {**(record.get("custom") or {}), **record}
        values = _with_past_day(plan, ask, relative_values(ask, values, record), record)
        if field := meant_in_thousands(ask, values, record):
            plan = replace(plan, doubt=changes.in_thousands(ref, field, record, values, plan.now))
            values = {**values, field: round(float(values[field]) * 1000)}
        if len(refs) == 1 and all(record.get(name) == value for name, value in values.items()):
            text = changes.unchanged(ref, _as_kept(values, record), plan.now) + changes.left_out(ref.type, left)
            raise EarlyAnswer(Answer(text, topic=plan.topic_of(ref)))
        if any(name.startswith("do_not_") for name in values):
            # "She must not be called": the denial is the order.
            plain = ask
            for token in (one for one in ask.loose if one.word in writing_words("opting_out")):
                plain = plain.without(token.start, token.end)
            plan = replace(plan, doubt=policy.doubt_after(plan.doubt, ask, plain))
        plan = doubting(plan, left) if len(refs) == 1 else plan
        # A closed deal can't be advanced: changing its stage reopens it.
        is_closed = str(record.get("stage", "")).startswith("closed")
        is_move = values.keys() == {"stage"} and not is_closed
        tool = "advance_opportunity_stage" if is_move else f"update_{ref.type}"
        calls.append(plan.planned(tool, **{f"{ref.type}_id": ref.id}, **values))
    is_same = all(call.arguments.items() >= values.items() for call in calls)
    is_asked = any(plan.results.of(call) is None and plan.must_ask(call) for call in calls)
    if len(calls) > 1 and is_same and is_asked and not (is_agreed or ask.texts("name")):
        # One question for all of a list, rather than one for each.
        text = changes.ask_all(refs, values, plan.now) + changes.left_out(refs[0].type, left)
        raise EarlyAnswer(Answer(text, Question("slot", ask.segment, tag="confirmed"), plan.topic_of(*refs)))
    written = write_all(plan, calls, f"change {formats.bold(refs)}")[0]["record"]
    text = changes.changed(refs, _as_kept(values, written), plan.now)
    return answer_done(plan, text, *refs, more=changes.left_out(refs[0].type, left))


def _as_kept(values: Values, record: Mapping[str, Any]) -> Values:
    """Return values for people: amounts in the record's currency, stages and the like in the team's own words."""
    own, currency = record.get("custom") or {}, record.get("currency")
    words = {name: own.get(name, value) for name, value in values.items()}
    return {"currency": currency, **words} if currency else words


def _with_past_day(plan: Plan, ask: Ask, values: Values, record: Mapping[str, Any]) -> Values:
    """Return the values with the day on which a closed deal closed in the past: "it was signed on 20 February"."""
    day, is_closed = str(values.get("close_date", "")), str(record.get("stage", "")).startswith("closed")
    if not day or not is_closed or day <= plan.now.date().isoformat() or day[:4] in ask.text:
        return values
    return {**values, "close_date": (date.fromisoformat(day) - relativedelta(years=1)).isoformat()}


def _is_of_deal(plan: Plan, ask: Ask, ref: Ref) -> bool:
    """Return whether what a company or its contact shall get is a value of deals: "Divya has signed, put it at 90%"."""
    if ref.type not in ("account", "contact") or not plan.has("update_opportunity"):
        return False
    values, left = fit(ask, plan.tools["update_opportunity"], "opportunity")
    return bool(values) and not left


def _without_rest_of_name(ask: Ask, ref: Ref) -> Ask:
    """Return the ask without the slots that go on with the record's name: the "legal" of "Stonebridge Legal"."""
    spans = list(ask.segment.spans)
    for one, two in pairwise(sorted(ask.segment.spans, key=lambda span: span.start)):
        whole = " ".join(ask.text[one.start : two.end].lower().split())
        is_beside = not ask.text[one.end : two.start].strip()
        if one.tag in ("name", "org") and two.tag == "value" and is_beside and whole in ref.shown.lower():
            spans.remove(two)
    return ask.with_spans(spans)


def change_all(plan: Plan, ask: Ask, change: Ask, described: Ask) -> Answer:
    """Change all records that an order describes, after the user has seen which and agreed."""
    if policy.is_confirmed(ask):
        return change_records(plan, change, plan.topic.refs)
    records = all_described(plan, described)
    values, left = new_values(plan, change, ref_of(records[0]))
    if not values:
        raise _nothing_to_change(plan, change, ref_of(records[0]), left)
    refs = [ref_of(one) for one in records if any(one.get(name) != value for name, value in values.items())]
    refs = [ref for ref in refs if not is_left_out(plan.left_out, ref.name)]
    if not refs:
        raise plan.refuse(changes.unchanged(ref_of(records[0]), values, plan.now))
    text = changes.ask_all(refs, values, plan.now) + changes.left_out(refs[0].type, left)
    return Answer(text, Question("slot", ask.segment, tag="confirmed"), plan.topic_of(*refs))


def new_values(plan: Plan, ask: Ask, ref: Ref) -> tuple[Values, Unplaced]:
    """Return the new values of a record by parameter, and what fits none: see `fit`."""
    spec = plan.tools[f"update_{ref.type}"]
    is_known = ref in plan.topic.changed and not ask.texts("name")
    values, left = fit(ask, spec, ref.type, is_known=is_known)
    # The tagger misses names of colleagues in small letters: "assign him to bob".
    # "Stop giving her to me, hand her to Bob": the last one to whom something is handed is meant.
    handed = [span for span in ask.segment.spans if span.tag == "owner" and word_before(ask, span) == "to"]
    owner_start = max((span.start for span in handed), default=0)
    loose = [one for one in ask.loose if one.start >= owner_start]
    after = [two for one, two in pairwise(loose) if one.word in ("to", "make") and two.kind == "word"]
    is_handed = ask.words & writing_words("handing") and not (values or ask.texts("owner"))
    who = [two.word for two in after if two.word == "me" or (is_handed and not is_no_name(two.word))]
    values |= {"owner": who[-1]} if who and ask.words & writing_words("handed_over") else {}
    if values and "do_not_call" in spec.properties:
        values |= dict.fromkeys(opt_outs(ask, is_beside=True), True)
    if not values:
        same = lexicon.entries("same_values").get(ref.type, {})
        options = {key: name for name, schema in spec.general_properties.items() for key in schema.get("enum", ())}
        flags = opt_outs(ask)
        keys = [same.get(key, key) for key in ask.values if not flags]
        values = {flag: True for flag in flags if flag in spec.properties} | {
            options[key]: key for key in keys if key in options
        }
        left = [] if values else left
    options = {key: name for name, schema in spec.general_properties.items() for key in schema.get("enum", ())}
    verb = next((one for one in ask.tokens if one.kind != "mark"), None)
    ordered = next(iter(lexicon.values_in(verb.word if verb in ask.outside else "")), "") if verb else ""
    if ordered in options and options[ordered] not in values:
        values[options[ordered]] = ordered  # "Qualify Ann, she has 60k": the verb is a value.
    if "tags" in values:
        old, new = list(plan.record(ref).get("tags") or ()), values["tags"]
        other_tags = [tag for tag in old if tag not in new]
        values["tags"] = other_tags if ask.words & writing_words("untagging") else [*other_tags, *new]
    if "address" in values:
        values["address"] = {**(plan.record(ref).get("address") or {}), **values["address"]}
    return values, left


def opt_outs(ask: Ask, *, is_beside: bool = False) -> list[str]:
    """Return the flags of the channels that an ask denies: "she doesn't want any more calls".

    Beside another change, `is_beside`, the words of its slots deny nothing: "not cold call".
    """
    tokens = ask.loose if is_beside else ask.outside
    denied = next(
        (place for place, token in enumerate(tokens) if token.word in writing_words("opting_out")), len(tokens)
    )
    # "Don't call her, she wants emails" denies calls alone.
    pairs, also = enumerate(pairwise(tokens[denied:])), writing_words("opting_out") | {"do", "or", "and"}
    ends = (at for at, (one, two) in pairs if one.kind == "mark" and two.word not in also)
    clause = tokens[denied:][: next(ends, None)]
    after = [*clause, None]
    stems = [
        lexicon.activity_type_of(one.word) or lexicon.activity_type_of(one.stem) or one.stem
        for before, one, next_one in zip(after, after[1:], after[2:], strict=False)
        # "Email's still fine": what something is told of is not denied.
        if before and one and before.word not in lexicon.DETERMINERS and not (next_one and next_one.word in _COPULAS)
    ]
    return [f"do_not_{one}" for one in ("call", "email") if one in stems or "contact" in stems]


def _nothing_to_change(plan: Plan, ask: Ask, ref: Ref, left: Unplaced) -> EarlyAnswer:
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
