"""Tell about records: profile, fields, history, score, similar records, and several side by side."""

from collections.abc import Sequence
from itertools import pairwise
from typing import Any

from msgspec.structs import replace

from aisha.adapters.llm.planner import custom_fields
from aisha.adapters.llm.planner.acts.finding import THOSE, fetch, filters_of, sort_key, stems_of, tool_of
from aisha.adapters.llm.planner.plan import ACTS, Answer, EarlyAnswer, Plan, act
from aisha.adapters.llm.planner.replies import figures, formats, listings, profiles
from aisha.adapters.llm.planner.replies.values import answer_with_result
from aisha.adapters.llm.planner.resolve import chosen, kinds_named, pointed_at, require, require_all
from aisha.adapters.llm.planner.results import items_of, ref_of
from aisha.adapters.llm.planner.slots import KNOWN, plausible, strange
from aisha.adapters.llm.planner.state import Ref, Topic
from aisha.domain.crm.custom_fields import CustomField
from aisha.domain.crm.records import RECORD_TYPES
from aisha.domain.language import lexicon
from aisha.domain.language.ask import Ask, bounds
from aisha.domain.language.lexicon import KINDS
from aisha.domain.language.reader import Span
from aisha.domain.language.tokens import Token, tokenize
from aisha.domain.language.vocabulary import is_known
from aisha.domain.wording import humanise

MAX_PROFILES = 5
MAX_HISTORY = 10
_MIN_TELLING = 2
"""Letters of the longest words that tell nothing of a record."""
_REPORT = "get_status_report"
_PAIR = frozenset(("two", "both"))
_WHEN, _WHO, _OF_COMPANY, _HEADING = (
    lexicon.word_set("condition_words", key) for key in ("when", "who", "of_company", "heading")
)
"""Words that ask for the time of an activity, for people, stand before the people's company, and tell no work."""


@act("about")
def about(plan: Plan, ask: Ask) -> Answer:
    """Tell what is known of the records named or meant; of one also what belongs to it and is next."""
    ask = _named(plan, _readable(ask))
    if (ref := picked(plan, ask)) and ask.kinds and ref.type not in ask.kinds:
        return ACTS["ask_field"](replace(plan, bindings={**plan.bindings, "": ref}), ask)
    if "related" in ask.words and plan.topic.refs and not ask.texts("name"):
        return ACTS["history"](plan, ask)
    if ask.kinds == ("account",) and ask.words & lexicon.PERSON and not ask.texts("name"):
        person = pointed_at(plan, ask, ("lead", "contact"))  # "What's going on with her company?"
        ref = ref or ((_of(plan, person, "account") or person) if person else None)
    refs = ((ref,) if ref else _meant(plan, ask))[:MAX_PROFILES]
    if len(refs) == 1 and refs[0].type == "account" and _asks_for_people(ask):
        return _people(plan, ask, refs[0], [])
    if len(refs) == 1 and (linked := next((one for kind in ask.kinds if (one := _of(plan, refs[0], kind))), None)):
        refs = (linked, *refs)  # "the contact of the Acme deal", "her company"
        text = profiles.format_profile(plan.record(linked), plan.now, plan.scene.principal.user)
        return Answer(text, topic=Topic(refs))
    user = plan.scene.principal.user
    # "Show full details" comes after the profile.
    is_full = bool({"full", "details"} & ask.words) and not ask.texts("name") and len(refs) == 1
    form = profiles.format_details if is_full else profiles.format_profile
    texts = [form(record, plan.now, user) for record in _records(plan, refs)]
    around = _around(plan, refs[0]) if len(refs) == 1 and refs[0].type in KINDS else ""
    return Answer("\n\n".join(texts) + around, topic=Topic(refs))


def _meant(plan: Plan, ask: Ask) -> tuple[Ref, ...]:
    """Return the records that an ask is about, also activities by their title. Raises `EarlyAnswer` with a question."""
    activities = [ref for ref in plan.topic.refs if ref.type == "activity"]
    if activities and not ask.texts("name") and (ask.activity_types or "activity" in ask.kinds):
        return tuple(activities[:1])
    # A day's list has activities and records, which are numbered together.
    place = next(iter(lexicon.ordinals_in([token.word for token in ask.outside])), 0)
    if place and (ref := chosen(plan.topic.refs, place)) is not None and ref in activities:
        return (ref,)
    try:
        return require_all(plan, ask, "Who or what would you like to know about?")
    except EarlyAnswer as early:
        question = early.answer.question
        if question is None or question.kind != "who" or not question.name or not plan.has("list_activities"):
            raise
        if not (items := items_of(plan.need("list_activities", name_contains=question.name, limit=1))):
            raise
        return (ref_of(items[0]),)


def _readable(ask: Ask) -> Ask:
    """Return the ask with the slots that asks about records have: no texts, and names of existing records only."""
    spans = [one for one in ask.segment.spans if one.tag not in ("text", "topic")]
    return plausible(
        ask.with_spans(Span("name" if one.tag == "new" else one.tag, one.text, one.start) for one in spans)
    )


def picked(plan: Plan, ask: Ask) -> Ref | None:
    """Return the record of the last list that comes first in the order said: "the largest of them"."""
    group = plan.topic.group or (_last_two(plan) if ask.words & _PAIR else ())
    kinds = {ref.type for ref in group}
    orders = [order for order, _, _ in ask.orders]
    if len(kinds) != 1 or ask.texts("name") or ask.texts("org") or "other" in ask.words:
        return None
    (kind,), fields = kinds, lexicon.entries("order_fields")
    if kind not in KINDS:
        return None
    if not (order := next((one for one in orders if kind in fields[one]), None)):
        is_placed = bool(lexicon.ordinals_in([token.word for token in ask.outside]))
        is_part = bool(ask.texts("ref")) or "which" in ask.words
        return _described(plan, ask, group) if is_part and not is_placed else None
    name, refs = fields[order][kind].lstrip("-"), group[:MAX_HISTORY]
    ranked = [
        (sort_key(record[name]), ref)
        for record, ref in zip(_records(plan, refs), refs, strict=True)
        if record.get(name) is not None
    ]
    ranked.sort(key=lambda pair: pair[0], reverse=fields[order][kind].startswith("-"))
    return ranked[0][1] if ranked else None


def _described(plan: Plan, ask: Ask, group: tuple[Ref, ...]) -> Ref | None:
    """Return the record of a list whose fields have more of the ask's words than any other's: "the fleet director"."""
    said = stems_of(" ".join(token.word for token in ask.outside if len(token.word) > _MIN_TELLING))
    records = _records(plan, group[:MAX_HISTORY]) if said else []
    told = [stems_of(" ".join(map(str, record.values()))) for record in records]
    shared = [said & fields - told[0].intersection(*told) for fields in told]
    ranked = sorted(zip(shared, group, strict=False), key=lambda pair: len(pair[0]), reverse=True)
    return ranked[0][1] if len(ranked) > 1 and len(ranked[0][0]) > len(ranked[1][0]) else None


def _last_two(plan: Plan) -> tuple[Ref, ...]:
    """Return the record spoken of last and the one of its kind before it, which "the two" are."""
    last = plan.topic.refs[:1]
    spoken_of = [Ref(one.type, one.id, one.name) for one in plan.scene.entities]
    others = [ref for ref in spoken_of if last and ref.type == last[0].type and ref.id != last[0].id]
    return (*last, others[0]) if others else ()


def _asks_for_people(ask: Ask) -> bool:
    """Return whether an ask that names a company is about its people: "who heads finance at Acme", "who is there"."""
    if not ask.words & _WHO:
        return False
    said = [one.start for one in ask.segment.spans if one.tag in ("name", "org", "new")]
    before = [one.word for one in ask.tokens if said and one.end <= said[0]][-1:]
    return bool({*before} & _OF_COMPANY) or (not said and bool({"there", "here"} & ask.words or "contact" in ask.kinds))


def _people(plan: Plan, ask: Ask, ref: Ref, fields: list[str]) -> Answer:
    """Tell who is known at a company: those whose work the ask names, else all."""
    items = plan.call("search_contacts", "look that up", account_id=ref.id)["items"]
    said = stems_of(" ".join(token.word for token in ask.outside if len(token.word) > 1 and token.word not in _HEADING))
    fits = [len(said & stems_of(f"{one.get('job_title') or ''} {one.get('department') or ''}")) for one in items]
    chosen_items = [item for item, fit in zip(items, fits, strict=True) if fit and fit == max(fits)] or items
    topic = Topic((*map(ref_of, chosen_items), ref) if len(chosen_items) != 1 else (ref_of(chosen_items[0]),))
    if len(chosen_items) == 1:
        return Answer(profiles.format_profile(chosen_items[0], plan.now, plan.scene.principal.user), topic=topic)
    if not items:
        return Answer(profiles.nothing_belongs(ref.name, "contact"), topic=Topic((ref,)))
    head = listings.format_total(None, len(items), f"contacts at {ref.name}")
    return Answer(listings.format_list(head, chosen_items, len(items), plan.now), topic=topic)


def _named(plan: Plan, ask: Ask) -> Ask:
    """Return the ask with words that nothing explains as its name, if it has none and points at nothing."""
    unread = strange(ask)
    if not unread or ask.words & lexicon.PERSON or any(ask.texts(tag) for tag in ("name", "org", "ref", "owner")):
        return ask
    size = next((at for at in range(1, len(unread)) if unread[at].start - unread[at - 1].end != 1), len(unread))
    is_name = unread[0].is_capital or size > 1 or unread[0] == ask.tokens[-1]
    if not is_name or (plan.topic.refs and not unread[0].is_capital):
        return ask
    name = Span("name", ask.text[unread[0].start : unread[size - 1].end], unread[0].start)
    return plausible(ask.with_spans((*ask.segment.spans, name)))


def _records(plan: Plan, refs: tuple[Ref, ...]) -> list[dict[str, Any]]:
    """Return the records, read in one round. Raises `EarlyAnswer` when one can't be read."""
    absent = [ref for ref in refs if plan.results.record(ref.id) is None]
    plan.need_all([plan.planned(f"get_{ref.type}", **{f"{ref.type}_id": ref.id}) for ref in absent])
    if gone := next((ref for ref in refs if not plan.record(ref)), None):
        raise plan.refuse(f"I couldn't read **{gone.name}**. It may have been deleted.")
    return [(plan.results.changed(ref.id) if plan.is_after_change else None) or plan.record(ref) for ref in refs]


def _around(plan: Plan, ref: Ref) -> str:
    """Return what belongs to a record: people, open deals, and the next activities."""
    arguments: dict[str, dict[str, Any]] = {
        "list_activities": {"entity_type": ref.type, "entity_id": ref.id, "status": "scheduled", "limit": 3},
        "get_account": {"account_id": ref.id} if ref.type == "account" else {},
        "search_opportunities": {"contact_id": ref.id, "open_only": True} if ref.type == "contact" else {},
    }
    tools = [tool for tool, given in arguments.items() if given and plan.has(tool)]
    found = dict(zip(tools, plan.need_all([plan.planned(tool, **arguments[tool]) for tool in tools]), strict=True))
    account = (found["get_account"].value or {}) if "get_account" in found else {}
    deals = account.get("opportunities") or items_of(found.get("search_opportunities"))
    planned = items_of(found.get("list_activities"))
    return profiles.format_around(account.get("contacts") or (), deals, planned, plan.now)


def _is_about_any(plan: Plan, ask: Ask) -> bool:
    """Return whether a question is about a kind of record as such: "when is a lead qualified?"."""
    tokens = tokenize(ask.text)
    is_any = any(one.word in ("a", "an") and lexicon.kind_named(other) in KINDS for one, other in pairwise(tokens))
    is_one = ask.texts("name") or ask.texts("org") or ask.texts("ref") or plan.bindings
    return is_any and not is_one and plan.has("search_documents")


@act("ask_field")
def ask_field(plan: Plan, ask: Ask) -> Answer:
    """Answer with fields of one record, or with an activity of it: "when is my call with Jack?"."""
    ask = _readable(ask)
    if ask.words & _WHEN and any(lexicon.activity_type_of(token.word) for token in tokenize(ask.first("topic") or "")):
        ask = ask.with_spans(span for span in ask.segment.spans if span.tag != "topic")  # "When's Ann's product demo?"
    fields, unknown = _fields_asked(ask, plan.custom_fields)
    bare = ask
    for span in ask.segment.spans:
        bare = bare.without(span.start, span.end) if span.tag == "field" else bare
    is_one_of_many = (
        len(plan.topic.group) > 1
        and not fields
        and not unknown
        and ask.words & (THOSE | {"which"})
        and ask.texts("value")
    )
    if is_one_of_many:
        return ACTS["search"](plan, ask)  # "and who of those is in Austin?"
    is_person = any(lexicon.kind_of(word) == "contact" for words in unknown for word in words.split())
    if is_person and [ref.type for ref in plan.topic.refs] == ["opportunity"] and not ask.texts("org"):
        bare, unknown = ask.with_spans(one for one in ask.segment.spans if one.tag != "field"), []
    elif is_person and not fields:
        return ACTS["search"](plan, ask)  # "our main contact at Acme"
    if _is_about_any(plan, ask):
        return ACTS["documents"](plan, ask)
    if ask.words & _WHEN and {*fields} <= {"due_date"} and not unknown and (planned := _planned(plan, ask)) is not None:
        return planned
    kinds, said = tuple(kind for kind in bare.kinds if kind in KINDS), _states_said(ask)
    if is_person and fields:
        kinds, unknown = ("contact",), []  # "Who is the contact on that deal, and what stage is it in?"
    if fields == ["status"] and not unknown and _is_about_nobody(plan, bare) and plan.has(_REPORT):
        return answer_with_result(plan, _REPORT, plan.call(_REPORT, "look at the work as a whole"))
    ref = _one(plan, bare, "Which person, company or deal do you mean?", () if is_person else kinds)
    if bare.activity_types and bare.words & _WHEN and {*ask.fields} <= {"due_date"}:
        return _activity_asked(plan, bare, ref)
    if ref.type == "account" and _asks_for_people(bare) and {*fields} <= {"phone", "email", "job_title"}:
        return _people(plan, bare, ref, fields)
    (record,) = _records(plan, (ref,))
    is_of_deal = ref.type == "opportunity" and kinds[:1] in (("contact",), ("account",))
    if kinds and (ref.type not in kinds or is_of_deal) and (other := _linked(plan, record, kinds[0])) is not None:
        # "Is her company a customer?", "the contact of that deal"
        fields = [field for field in fields if field != "company"]
        if not said and all(name in record for name in (lexicon.field_name(field, ref.type) for field in fields)):
            # "Who is the contact of that deal, and what stage is it in?"
            names, user = [lexicon.field_name(field, ref.type) for field in fields], plan.scene.principal.user
            texts = [profiles.tell_fields(record, names, plan.now, user)] if names else []
            texts.append(profiles.format_profile(plan.record(other), plan.now, user))
            return Answer("\n\n".join(texts), topic=Topic((ref, other) if names else (other, ref)))
        ref, record = other, plan.record(other)
    own = record | {str(key).lower().replace(" ", "_"): value for key, value in (record.get("custom") or {}).items()}
    names = [lexicon.field_name(field, ref.type) for field in fields] + ["_".join(words.split()) for words in unknown]
    declared = {one.name for one in plan.tools[tool_of(ref.type)].custom} if plan.has(tool_of(ref.type)) else set()
    has = own.keys() | RECORD_TYPES[ref.type].model_fields.keys() | declared
    known = [name for name in dict.fromkeys(names) if name in has]
    texts = [profiles.tell_fields(own, known, plan.now, plan.scene.principal.user)] if known else []
    if not fields and not unknown and said:
        same = lexicon.entries("same_values")[ref.type]
        texts = [profiles.confirm_state(record, {value for one in said for value in (one, same.get(one, one))})]
    if texts:
        return Answer(" ".join(texts), topic=Topic((ref,)))
    if fields and (belonging := _of_belonging(plan, ref, record, fields)) is not None:
        return belonging
    lacking = profiles.lacks_field(ref.name, [*unknown, *map(humanise, fields if ask.texts("field") else ())])
    return Answer(
        f"{lacking}{profiles.format_profile(record, plan.now, plan.scene.principal.user)}", topic=Topic((ref,))
    )


def _planned(plan: Plan, ask: Ask) -> Answer | None:
    """Return when the activity is that was just planned or moved: "when is it now?"."""
    activity = next((ref for ref in plan.topic.refs if ref.type == "activity"), None)
    is_named = any(ask.texts(tag) for tag in ("name", "org", "value")) or bool(ask.words & lexicon.PERSON)
    if activity is None or is_named or not ask.words & lexicon.THING:
        return None
    record = plan.record(activity)
    when = formats.format_instant(str(record["due_at"]), plan.now)
    return Answer(f"**{activity.name}** is planned for {when}.", topic=plan.topic)


def _states_said(ask: Ask) -> set[str]:
    """Return the values said; "our contact" says none, though the stem of "contacted" is the same."""
    placed = [(key, ask.outside[first]) for key, first, _ in lexicon.placed_in(ask.outside, "values")]
    values = {key for key, token in placed if lexicon.kind_of(token.word) in (None, "account")}
    return values | {text.lower() for text in ask.texts("value")}


def _is_about_nobody(plan: Plan, ask: Ask) -> bool:
    """Return whether an ask neither names nor points at a record, and none is in mind."""
    is_pointing = bool(ask.kinds or ask.segment.spans or plan.spoken or ask.words & (lexicon.PERSON | lexicon.THING))
    return not is_pointing and not plan.topic.refs and pointed_at(plan, ask) is None


def _one(plan: Plan, ask: Ask, question: str, kinds: tuple[str, ...] = ()) -> Ref:
    """Return the record that an ask is about. A kind is passed over that only names what belongs to it."""
    if (ref := picked(plan, ask)) is not None:
        return ref
    ask = _named(plan, ask)
    if not ask.texts("name") and not ask.texts("org") and pointed_at(plan, ask, kinds) is None:
        kinds = ()
        if ask.kinds and (found := pointed_at(plan, ask, KINDS)) is not None:
            return found
    return require(plan, ask, question, kinds)


def _of(plan: Plan, ref: Ref, kind: str) -> Ref | None:
    """Return the company or person that a record of another kind belongs to."""
    is_other = ref.type in ("contact", "opportunity") and kind in ("contact", "account") and ref.type != kind
    return _linked(plan, plan.record(ref), kind) if is_other else None


def _linked(plan: Plan, record: dict[str, Any], kind: str) -> Ref | None:
    """Return the company or person that a record belongs to."""
    if kind not in ("account", "contact") or not record.get(f"{kind}_id"):
        return None
    linked = plan.record(Ref(kind, str(record[f"{kind}_id"]), ""))
    return ref_of(linked) if linked else None


def _fields_asked(ask: Ask, custom: Sequence[CustomField]) -> tuple[list[str], list[str]]:
    """Return the general names of the fields asked for, and the words that name none, or one of the team's own."""
    fillers, known, unknown = lexicon.word_set("field_fillers", "around"), list[str](), list[str]()
    for text in ask.texts("field"):
        for part in lexicon.parts_of(text):
            if (own := custom_fields.named(custom, part)) is not None:
                unknown.append(own.label)
                continue
            field = lexicon.phrase_key(part, "fields")
            field = field or lexicon.phrase_key(" ".join(one for one in part.split() if one not in fillers), "fields")
            if field is None and (inside := _fields_inside(part)):
                known += inside
            else:
                (known if field else unknown).append(field or (part if part in text else text))
    if {*known} == {"due_date"} and not ask.activity_types and not unknown:
        known = []  # "when did we last speak": "when" alone says nothing.
    if not known and not unknown:
        # A word that nothing explains makes another field of the next: "VAT number".
        strange_ends = {token.end + 1 for token in strange(ask)}
        pairs = [one for one in ask.loose if one.start in strange_ends and lexicon.fields_in(one.word)]
        unknown = [ask.text[: one.end].split()[-2] + f" {one.text}" for one in pairs]
        read = [] if unknown else lexicon.fields_in(" ".join(token.word for token in ask.outside))
        known = [field for field in read if field != "due_date"] or read
    return known, unknown


def _fields_inside(part: str) -> list[str]:
    """Return the fields named among words that say nothing else: "hey when" asks for one, "vat number" for another."""
    tokens, read = tokenize(part), set[int]()
    found = list(lexicon.placed_in(tokens, "fields"))
    for _, first, last in found:
        read |= {*range(first, last)}
    rest = [one for place, one in enumerate(tokens) if place not in read and one.kind != "mark"]
    return [field for field, _, _ in found] if all(map(_says_nothing, rest)) else []


def _says_nothing(token: Token) -> bool:
    """Return whether a word beside a field's name makes no other field of it, as the "vat" of "vat number" does."""
    return token.word in KNOWN or token.word in lexicon.INTERJECTIONS or (is_known(token.stem) and len(token.word) > 3)


def _of_belonging(plan: Plan, ref: Ref, record: dict[str, Any], fields: list[str]) -> Answer | None:
    """Answer with records that have the field in place of a company or deal: its deals, its people, its company."""
    if ref.type == "opportunity" and "company" in fields and record.get("account_id"):
        account = Ref("account", str(record["account_id"]), "")
        text = profiles.format_profile(plan.record(account), plan.now, plan.scene.principal.user)
        return Answer(text, topic=Topic((account, ref)))
    kinds = [kind for kind in ("opportunity", "contact") if {*fields} & {*RECORD_TYPES[kind].model_fields}]
    if ref.type != "account" or not kinds or not plan.has(tool_of(kinds[0])):
        return None
    open_only = {"open_only": True} if kinds[0] == "opportunity" else {}
    items = plan.call(tool_of(kinds[0]), "look that up", account_id=ref.id, **open_only)["items"]
    names, user = [lexicon.field_name(field, kinds[0]) for field in fields], plan.scene.principal.user
    names = [name for name in names if name in RECORD_TYPES[kinds[0]].model_fields]
    text = "\n".join(profiles.tell_fields(item, names, plan.now, user) for item in items)
    return Answer(text or profiles.nothing_belongs(ref.name, kinds[0]), topic=Topic((ref, *map(ref_of, items))))


def _activity_asked(plan: Plan, ask: Ask, ref: Ref) -> Answer:
    """Answer when an activity with somebody is, or was."""
    is_past = bool(ask.words & lexicon.word_set("condition_words", "past"))
    about = {"entity_type": ref.type, "entity_id": ref.id, "activity_type": ask.activity_types[0], "limit": 50}
    status = "completed" if is_past else "scheduled"
    items = plan.call("list_activities", "look that up", **about, status=status)["items"]
    shown = items[-1:] if is_past else items[:3]
    text = profiles.tell_activities(ref.name, ask.activity_types[0], shown, plan.now, is_past=is_past)
    return Answer(text, topic=Topic((ref, *map(ref_of, shown))))


@act("history")
def history(plan: Plan, ask: Ask) -> Answer:
    """Tell what happened with a record, in the time named."""
    ref = _one(plan, _readable(ask), "Whose history would you like?")
    value = plan.call("summarize_record", f"sum up {ref.name}", entity_type=ref.type, entity_id=ref.id)
    entries = value["timeline"]
    for span in ask.times[:1]:
        first, last = (end.timestamp() if end else None for end in bounds(span, plan.now))
        entries = [one for one in entries if profiles.is_between(one.get("when"), first, last)]
    text = profiles.format_history(value["summary"], entries[-MAX_HISTORY:], len(entries), plan.now)
    return Answer(text, topic=Topic((ref,)))


@act("similar")
def similar(plan: Plan, ask: Ask) -> Answer:
    ref = _one(plan, _readable(ask), "Which record shall they resemble?")
    about = {"entity_type": ref.type, "entity_id": ref.id, "limit": min(ask.count or 5, 20)}
    items = plan.call("find_similar", f"find what resembles {ref.name}", **about)["items"]
    refs = tuple(Ref(one["type"], one["id"], one["name"]) for one in items)
    return Answer(profiles.format_similar(ref.name, items), topic=Topic(refs or (ref,)))


@act("score")
def score(plan: Plan, ask: Ask) -> Answer:
    """Tell how promising a lead is, with reasons; of other records what comes near to a score."""
    kinds = tuple(kind for kind in ask.kinds if kind in KINDS) or ("lead", "opportunity")
    ref = _one(plan, _readable(ask), "Which lead shall I score?", kinds)
    if ref.type == "lead":
        value = plan.call("score_lead", f"score {ref.name}", lead_id=ref.id)
        return Answer(profiles.format_score(value), topic=Topic((ref,)))
    field = {"opportunity": "probability", "account": "health"}.get(ref.type, "status")
    text = profiles.tell_fields(_records(plan, (ref,))[0], [field], plan.now)
    return Answer(text if ref.type == "opportunity" else f"Only leads have a score. {text}", topic=Topic((ref,)))


@act("compare")
def compare(plan: Plan, ask: Ask) -> Answer:
    """Put records side by side, or the figures of colleagues."""
    ask = _readable(ask)
    owners, names = [text.split()[0].lower() for text in ask.texts("owner")], ask.texts("name")
    if not owners and len(names) == 1 and " " not in names[0] and ask.words & lexicon.SELF and not ask.texts("ref"):
        owners, names = [names[0].lower()], ()  # "bob against me"
    if len(owners) == 1 and not names and len(plan.topic.refs) > 1 and not ask.words & lexicon.SELF:
        # "Which of the two is Bob's?"
        held = [one for one in _records(plan, plan.topic.refs[:MAX_HISTORY]) if one.get("owner") == owners[0]]
        return Answer(profiles.held_by(owners[0], held), topic=Topic(tuple(map(ref_of, held))) if held else plan.topic)
    if owners and not names:
        owners += ["me"] * (len(owners) == 1)
        outcomes = plan.need_all([plan.planned("get_pipeline_summary", owner=owner) for owner in owners])
        parts = [(one.value or {}).get("sections") or () for one in outcomes]
        if any(sum(int(part["count"]) for part in own) == 0 for own in parts) and not ask.words & lexicon.SELF:
            # Who owns nothing is no colleague.
            named = ask.with_spans(replace(one, tag="name") for one in ask.segment.spans if one.tag == "owner")
            return compare(plan, named)
        return Answer(figures.compare_people(owners, [one.value or {} for one in outcomes]), topic=plan.topic)
    places = lexicon.ordinals_in([token.word for token in ask.outside])
    refs = tuple(ref for place in places if (ref := chosen(plan.topic.refs, place))) if len(places) > 1 else ()
    if not names:
        refs = refs or (plan.topic.refs if len(plan.topic.refs) == 2 else _last_two(plan) if ask.words & _PAIR else ())
    if not (refs or names or ask.texts("ref")) and (kind := next(iter(kinds_named(ask)), "")):
        # "compare the two Acme deals": the open ones, where there are more
        items = fetch(plan, filters_of(plan, ask, kind), MAX_HISTORY).items
        alive = [one for one in items if not str(one.get("stage")).startswith("closed")]
        refs = next((tuple(map(ref_of, few)) for few in (items, alive) if len(few) == (ask.count or 2)), ())
    refs = refs or require_all(plan, ask, "Which two records shall I compare?")
    if len(refs) == 1 and ask.texts("ref") and (other := pointed_at(plan, ask)) is not None:
        refs = tuple(dict.fromkeys((other, *refs)))
    if len(refs) == 1:
        raise plan.ask_who(ask, f"With what shall I compare {refs[0].name}?")
    text = profiles.compare(_records(plan, refs), plan.now, plan.scene.principal.user)
    orders = {order for order, _, _ in ask.orders}
    if orders and (first := picked(replace(plan, topic=Topic(refs)), ask.with_spans(()))) is not None:
        field = lexicon.entries("order_fields")[next(iter(orders))][first.type].lstrip("-")
        told = profiles.tell_fields(plan.record(first), [field], plan.now)
        refs = (first,)  # "him" is the one that was asked for.
        text = f"It's **{first.name}**: {told[:1].lower()}{told[1:]}\n\n{text}"
    return Answer(text, topic=Topic(refs))
