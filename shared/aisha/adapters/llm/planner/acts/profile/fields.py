"""Answer with fields of a record, or with an activity of it."""

from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import Any

from msgspec.structs import replace

from aisha.adapters.llm.planner import custom_fields
from aisha.adapters.llm.planner.acts.asks import as_names, asks_whose
from aisha.adapters.llm.planner.acts.profile import related
from aisha.adapters.llm.planner.acts.profile.history import SPEAKING
from aisha.adapters.llm.planner.acts.profile.picking import readable, require_one
from aisha.adapters.llm.planner.acts.search.belonging import ids_of_account, linked_record, related_id
from aisha.adapters.llm.planner.acts.search.fetching import MAX_CHECKED, owns_records
from aisha.adapters.llm.planner.acts.search.filters import Filters
from aisha.adapters.llm.planner.acts.search.kinds import (
    THOSE,
    asks_for_sales,
    is_plural_kind,
    tool_of,
    without_denied,
)
from aisha.adapters.llm.planner.acts.search.words import WHO, contacted_stems
from aisha.adapters.llm.planner.plan import ACTS, Answer, Plan, act
from aisha.adapters.llm.planner.replies import formats, profiles
from aisha.adapters.llm.planner.replies.values import answer_with_result
from aisha.adapters.llm.planner.resolve import kinds_named, pointed_at
from aisha.adapters.llm.planner.results import items_in, ref_of
from aisha.adapters.llm.planner.slots import KNOWN, strange
from aisha.adapters.llm.planner.state import Ref, Topic
from aisha.domain.crm.custom_fields import CustomField
from aisha.domain.crm.records import RECORD_TYPES
from aisha.domain.language import lexicon
from aisha.domain.language.ask import Ask
from aisha.domain.language.lexicon import KINDS
from aisha.domain.language.reader import Segment, Span
from aisha.domain.language.tokens import Token, tokenize
from aisha.domain.language.vocabulary import is_known
from aisha.domain.wording import humanise

_REPORT = "get_status_report"
_MONEY = lexicon.word_set("condition_words", "money")
_ASKING = frozenset("what which when".split())
_SINCE = frozenset("when since when's".split())
_OTHERS = frozenset("other another second".split())
_STATES = frozenset("status stage type health".split())
# Words of questions to which "yes" and "no" are no answers.
_OPEN_QUESTIONS = frozenset("who whom whose where".split())
_AROUND_JOINTS = lexicon.INTERJECTIONS | lexicon.DETERMINERS
_WHEN = lexicon.word_set("condition_words", "when")
_CLOSED = frozenset("closed_won closed_lost".split())
# Kinds of entries of a history that are or tell of a contact.
_CONTACTS = frozenset("done contact note".split())
# Fields whose names are parts of phrases that ask for others: "in whose name is it".
_UNNAMED = frozenset("name due_date".split())


def _is_about_any(plan: Plan, ask: Ask) -> bool:
    """Return whether a question is about a kind of record as such: "when is a lead qualified?"."""
    tokens = tokenize(ask.text)
    is_any = any(one.word in ("a", "an") and lexicon.kind_named(other) in KINDS for one, other in pairwise(tokens))
    is_one = ask.texts("name") or ask.texts("org") or ask.texts("ref") or plan.bindings
    return is_any and not is_one and plan.has("search_documents")


@act("ask_field")
def ask_field(plan: Plan, ask: Ask) -> Answer:
    """Answer with fields of one record, or with an activity of it: "when is my call with Jack?"."""
    if ask.texts("field") and not (ask.texts("ref") or ask.texts("org")):
        ask = as_names(ask, "new", "owner", "topic")  # "the amount on the fleet tracking"
    ask = without_denied(readable(ask), lambda one: lexicon.fields_in(one.word))
    if ask.words & _WHEN and any(lexicon.activity_type_of(token.word) for token in tokenize(ask.first("topic") or "")):
        ask = ask.with_spans(span for span in ask.segment.spans if span.tag != "topic")  # "When's Ann's product demo?"
    if asks_whose(ask) and plan.topic.refs:
        spans = (Span("field", "owns", 4), Span("ref", "it", 9))
        ask = Ask(Segment("who owns it", "ask_field", spans=spans), ask.now)
    if (of_colleague := _work_of_colleague(plan, ask)) is not None:
        return of_colleague
    fields, unknown = fields_asked(ask, plan.custom_fields)
    bare = ask
    for span in ask.segment.spans:
        bare = bare.without(span.start, span.end) if span.tag == "field" and not ask.is_order(span) else bare
    is_person = any(lexicon.kind_of(word) == "contact" for words in unknown for word in words.split())
    is_on_deal = [ref.type for ref in plan.topic.refs] == ["opportunity"] and not ask.texts("org")
    if is_person and is_on_deal:
        bare, unknown = ask.with_spans(one for one in ask.segment.spans if one.tag != "field"), []
    if act_meant := _other_act(plan, ask, fields, unknown):
        return ACTS[act_meant](plan, bare if act_meant == "about" else ask)
    if not unknown and (planned := _planned(plan, ask, fields)) is not None:
        return planned
    kinds = kinds_named(bare)
    if is_person and (fields or is_on_deal):
        kinds, unknown = ("contact",), []  # "Who is the contact on that deal, and what stage is it in?"
    if fields == ["status"] and not unknown and _is_about_nobody(plan, bare) and plan.has(_REPORT):
        return answer_with_result(plan, _REPORT, plan.call(_REPORT, "look at the work as a whole"))
    first = _first_contact_asked(bare)
    bare = bare.without(first.start, first.end) if first else bare
    ref = require_one(plan, bare, "Which person, company or deal do you mean?", () if is_person else kinds)
    if first:
        return _first_contact(plan, ref)
    if unknown == ["last"] and not fields:
        return _last_activity(plan, ref)  # "When did we last do something on the Acme deal?"
    if bare.activity_types and bare.words & _WHEN and {*ask.fields} <= {"due_date"}:
        return _activity_asked(plan, bare, ref)
    is_title_said = any(not lexicon.values_in(text) for text in ask.texts("value"))
    is_of_people = {*fields} <= {"phone", "email", "job_title"} or is_title_said
    if ref.type == "account" and is_of_people and (related.asks_for_people(bare) or is_title_said):
        return related.people_at(plan, bare, ref)
    (record,) = plan.records((ref,))
    is_of_deal = ref.type == "opportunity" and kinds[:1] in (("contact",), ("account",))
    if kinds and (ref.type not in kinds or is_of_deal) and (other := linked_record(plan, record, kinds[0])) is not None:
        # "Is her company a customer?", "the contact of that deal"
        fields = [field for field in fields if field != "company"]
        names = [lexicon.field_name(field, ref.type) for field in fields]
        if not _states_said(ask) and all(name in record for name in names):
            # "Who is the contact of that deal, and what stage is it in?"
            texts = [profiles.tell_fields(record, names, plan.now, plan.user)] if names else []
            texts.append(profiles.format_profile(plan.record(other), plan.now, plan.user))
            return Answer("\n\n".join(texts), topic=Topic((ref, other) if names else (other, ref)))
        ref, record = other, plan.record(other)
    elif is_of_deal and not fields and not record.get(f"{kinds[0]}_id"):
        return Answer(profiles.nothing_belongs(ref.name, kinds[0]), topic=Topic((ref,)))
    return _tell_fields(plan, ask, ref, record, fields, unknown)


def _work_of_colleague(plan: Plan, ask: Ask) -> Answer | None:
    """Return the figures of a colleague, for an ask that says nothing else: "what's Bob working on?"."""
    is_bare = {span.tag for span in ask.segment.spans} == {"owner"} and not (ask.kinds or ask.values or ask.fields)
    if not is_bare or plan.bindings or not owns_records(plan, ask.texts("owner")[0].split()[0].lower()):
        return None
    return ACTS["count"](plan, Ask(replace(ask.segment, act="count"), ask.now))


def _other_act(plan: Plan, ask: Ask, fields: Sequence[str], unknown: Sequence[str]) -> str:
    """Return the act that a question about fields is for: of a list, of people, of records as such; empty for none."""
    is_chosen = "" in plan.bindings  # "Which of them is the biggest open one?" has its answer.
    has_list = (len(plan.topic.group) > 1 or plan.topic.search is not None) and not is_chosen
    is_said = bool(ask.texts("value") or ask.texts("owner"))
    if has_list and is_said and ask.words & (THOSE | {"which"}) and not (fields or unknown):
        return "search"  # "and who of those is in Austin?", "do any of them belong to Bob?"
    is_sum = any(key == "together" for key, _, _ in lexicon.placed_in(ask.outside, "summing"))
    if has_list and is_sum and ask.texts("ref"):
        return "count"  # "What's the value of that lot put together?"
    is_part = has_list and is_said and "their" in ask.words  # "The ones at risk with their phones."
    if fields and not (unknown or plan.bindings) and (asks_of_several(ask) or is_part):
        return "search"  # "the emails of the contacts at Acme"
    if ask.orders and ask.kinds and not (plan.bindings or _names_before(ask, ask.orders[0][1])):
        return "rank"  # "What's the email of our best lead?", "which deal closes first, and what is its amount?"
    is_of_deals = ask.kinds == ("opportunity",) and not (fields or unknown or plan.bindings or ask.values)
    if is_of_deals and ask.words & _ASKING and ask.words & lexicon.PERSON_PRONOUNS and not ask.texts("name"):
        return "search"  # "What deal is he on?"
    is_person = any(lexicon.kind_of(word) == "contact" for words in unknown for word in words.split())
    if (is_person and not fields) or asks_for_sales(ask):
        return "search"  # "our main contact at Acme", "what has Acme bought from us?"
    if unknown and not fields and all(any(map(lexicon.activity_type_of, words.split())) for words in unknown):
        return "list_activities"  # "When is Ann's product demo booked for?"
    if not fields and ask.words & WHO and "contact" in ask.kinds and (ask.texts("name") or ask.texts("org")):
        return "search"  # "Who's the client side contact for the Acme deal?"
    return "documents" if _is_about_any(plan, ask) else ""


def asks_of_several(ask: Ask) -> bool:
    """Return whether fields are asked for of each record of a kind, and not of records spoken of: "of those leads"."""
    after = [one.end for one in ask.segment.spans if one.tag == "field"][:1]
    nouns = [one for one in ask.outside if after and one.start > after[0] and is_plural_kind(one)]
    return bool(nouns) and not (ask.texts("ref") or ask.texts("name") or ask.orders)


def _names_before(ask: Ask, place: int) -> bool:
    """Return whether an ask names a record, or points at one before a token of `outside`."""
    spans = [one for one in ask.segment.spans if one.tag in ("name", "org", "ref")]
    return any(one.tag != "ref" or one.start < ask.outside[place].start for one in spans)


def _tell_fields(
    plan: Plan, ask: Ask, ref: Ref, record: dict[str, Any], fields: list[str], unknown: list[str]
) -> Answer:
    """Tell fields of a record, or whether it is in the state asked about; its profile where it has no such field.

    `unknown` are the names of fields that only this record, or the team, may have.
    """
    values = _states_said(ask)
    is_since = (ask.words & _SINCE or {"how", "long"} <= ask.words) and "last" not in ask.words
    if values and is_since and {*fields} <= {"created_at"} and all(map(lexicon.values_in, unknown)):
        return Answer(_state_since(plan, ref, record, values), topic=Topic((ref,)))
    own = record | {str(key).lower().replace(" ", "_"): value for key, value in (record.get("custom") or {}).items()}
    names = [lexicon.field_name(field, ref.type) for field in fields] + ["_".join(words.split()) for words in unknown]
    declared = {one.name for one in plan.tools[tool_of(ref.type)].custom} if plan.has(tool_of(ref.type)) else set()
    has = own.keys() | RECORD_TYPES[ref.type].model_fields.keys() | declared
    if existing := [name for name in dict.fromkeys(names) if name in has]:
        own_words = {one.word for one in tokenize(str(record.get("display_name")))}
        unknown = [words for words in unknown if not {*words.split()} <= own_words]  # "their renewal's close date"
        left_out = profiles.lacks_fields([words for words in unknown if "_".join(words.split()) not in has])
        pairs = pairwise(ask.tokens)
        is_other = any(
            one.word in _OTHERS and bool(lexicon.fields_in(two.word)) for one, two in pairs
        )  # "Has he another number?"
        only = profiles.ONLY_ONE if is_other and len(existing) == 1 else ""
        return Answer(profiles.tell_fields(own, existing, plan.now, plan.user) + only + left_out, topic=Topic((ref,)))
    enums = (
        Filters(ref.type, "", plan.tools[tool_of(ref.type)].properties, {}).enums if plan.has(tool_of(ref.type)) else {}
    )
    told = dict.fromkeys(enums[one] for one in values if one in enums and enums[one] not in _STATES)
    if not fields and not unknown and told:
        # "Was that a referral or the web?"
        return Answer(profiles.tell_fields(record, [*told], plan.now, plan.user), topic=Topic((ref,)))
    if not fields and not unknown and values and not ask.words & _OPEN_QUESTIONS:
        if (of_deals := related.deals_in_state(plan, ask, ref, record, values)) is not None:
            return of_deals
        same = lexicon.entries("same_values")[ref.type]
        states = {value for one in values for value in (one, same.get(one, one))}
        return Answer(profiles.confirm_state(record, states), topic=Topic((ref,)))
    if fields and (belonging := related.fields_of_related(plan, ask, ref, record, fields)) is not None:
        return belonging
    if {*fields} == {"due_date"} and not (
        unknown or ask.orders
    ):  # "When was it due?", of what is planned with somebody.
        return ACTS["list_activities"](replace(plan, bindings={**plan.bindings, "": ref}), ask)
    lacking = profiles.lacks_field(ref.name, [*unknown, *map(humanise, fields if ask.texts("field") else ())])
    return Answer(f"{lacking}{profiles.format_profile(record, plan.now, plan.user)}", topic=Topic((ref,)))


def _state_since(plan: Plan, ref: Ref, record: dict[str, Any], states: set[str]) -> str:
    """Return since when a record is in a state, as the audit trail has it: "how long has it been in proposal"."""
    same = lexicon.entries("same_values")[ref.type]
    states = {value for one in states for value in (one, same.get(one, one))}
    is_open = not str(record.get("stage")).startswith("closed")
    if _CLOSED & states and (is_open or record.get("stage") in states) and record.get("close_date"):
        return profiles.tell_fields(record, ["stage", "close_date"], plan.now, plan.user)
    page = plan.call("get_audit_trail", "look for that change", entity=ref.id) if plan.has("get_audit_trail") else {}
    changes = (one for one in items_in(page) if one["changes"])
    entry = next((one for one in changes if states & {*map(str, one["arguments"].values())}), None)
    return profiles.tell_since(record, states, str(entry["at"]) if entry else None, plan.now)


def _planned(plan: Plan, ask: Ask, fields: Sequence[str]) -> Answer | None:
    """Return when the activity is that was just planned, moved or listed, or its priority: "when is it now?"."""
    in_mind = (*filter(None, [plan.bindings.get("")]), *plan.topic.refs)
    activity = next((ref for ref in in_mind if ref.type == "activity"), None)
    is_named = bool(ask.texts("name") or ask.texts("org") or ask.words & lexicon.PERSON_PRONOUNS)
    is_when = bool(ask.words & _WHEN) and {*fields} <= {"due_date"} and not ask.texts("value")
    if (
        activity is None
        or is_named
        or not ask.words & lexicon.THING_PRONOUNS
        or not (is_when or fields == ["priority"])
    ):
        return None
    record = plan.record(activity)
    if not is_when:
        return Answer(profiles.tell_fields(record, fields, plan.now), topic=plan.topic)
    when = formats.format_instant(str(record["due_at"]), plan.now)
    state = {"cancelled": "was set for {}, but has been cancelled", "completed": "was on {}, and is done"}
    text = state.get(str(record.get("status")), "is planned for {}").format(when)
    topic = plan.topic_of(activity) if "" in plan.bindings else plan.topic  # "And the other one, when is it?"
    return Answer(f"**{activity.name}** {text}.", topic=topic)


def _states_said(ask: Ask) -> set[str]:
    """Return the values said; "our contact" says none, though the stem of "contacted" is the same."""
    placed = [(key, ask.outside[first]) for key, first, _ in lexicon.placed_in(ask.outside, "values")]
    values = {key for key, token in placed if lexicon.kind_of(token.word) in (None, "account")}
    return values | {text.lower() for text in ask.texts("value")}


def _is_about_nobody(plan: Plan, ask: Ask) -> bool:
    """Return whether an ask neither names nor points at a record, and none is in mind."""
    is_pointing = bool(
        ask.kinds or ask.segment.spans or plan.spoken or ask.words & (lexicon.PERSON_PRONOUNS | lexicon.THING_PRONOUNS)
    )
    return not is_pointing and not plan.topic.refs and pointed_at(plan, ask) is None


def fields_asked(ask: Ask, custom: Sequence[CustomField]) -> tuple[list[str], list[str]]:
    """Return the general names of the fields asked for, and the words that name none, or one of the team's own."""
    fillers, known, unknown = lexicon.word_set("field_fillers", "around"), list[str](), list[str]()
    for text in ask.texts("field"):
        for part in lexicon.parts_of(text):
            if (own := custom_fields.named(custom, part)) is not None:
                unknown.append(own.label)
                continue
            field = lexicon.phrase_key(part, "fields")
            if field is None and "last" in ask.words and lexicon.kind_of(part) is None:
                # "Ann last contacted when?", "when were we last in touch with Ann?"
                is_contact = part == "last" and bool(ask.stems & (SPEAKING | contacted_stems()))
                field = "last_contacted_at" if is_contact else lexicon.phrase_key(f"last {part}", "fields")
            field = field or lexicon.phrase_key(part, "field_questions")
            field = field or lexicon.phrase_key(" ".join(one for one in part.split() if one not in fillers), "fields")
            if field is None and (inside := _fields_inside(part)):
                known += inside
            else:
                (known if field else unknown).append(field or (part if part in text else text))
    known += [field for field in _joined_fields(ask) if field not in known]
    questions = [one for one in lexicon.placed_in(ask.outside, "field_questions") if one[0] not in known]
    # "Since when did we not speak?" is about the last contact.
    is_of_contact = bool(ask.stems & (SPEAKING | contacted_stems())) and "since" in ask.words
    asked_for = ["last_contacted_at" if key == "created_at" and is_of_contact else key for key, _, _ in questions]
    read_words = {token.word for _, first, last in questions for token in ask.outside[first:last]}
    read_words |= {
        word for word in unknown if asked_for == ["created_at"] and lexicon.kind_of(word)
    }  # "become a customer"
    unknown = [words for words in unknown if not {*words.lower().split()} <= read_words]
    known = [*asked_for, *(field for field in known if not asked_for or field not in _UNNAMED)]
    if not known and bool(ask.stems & (SPEAKING | contacted_stems())) and "since" in ask.words:
        known = ["last_contacted_at"]  # "How long since we talked?"
    if {*known} == {"due_date"} and not ask.activity_types and not unknown:
        known = []  # "when did we last speak": "when" alone says nothing.
    if not known and not unknown:
        # A word that nothing explains makes another field of the next: "VAT number".
        strange_ends = {token.end + 1 for token in strange(ask)}
        pairs = [one for one in ask.loose if one.start in strange_ends and lexicon.fields_in(one.word)]
        unknown = [ask.text[: one.end].split()[-2] + f" {one.text}" for one in pairs]
        read = [] if unknown else lexicon.fields_in(" ".join(token.word for token in ask.outside))
        # "How long has it been sitting there?" asks for no place.
        read = [field for field in read if field != "address"] if {"how", "long"} <= ask.words else read
        known = [field for field in read if field != "due_date"] or read
    if "whose" in ask.words and not ask.texts("field"):
        return ["owner"], []
    if not known and not unknown and ask.words & _MONEY:
        known = ["amount"]  # "What do we have him at in dollars?"
    if known or unknown:
        # "How much, closes when, recorded next step": fields of an enumeration that were not tagged.
        phrases = [key for key, first, last in lexicon.placed_in(ask.loose, "fields") if last - first > 1]
        is_sum = any((one.word, two.word) == ("how", "much") for one, two in pairwise(ask.loose))
        more = [*phrases, *["amount"] * (is_sum and not {"probability", "amount"} & {*known})]
        known += [field for field in more if field not in known]
    return known, unknown


def _joined_fields(ask: Ask) -> list[str]:
    """Return the fields that words without a slot add to those named: "stage and dollars"."""
    tagged = [span for span in ask.segment.spans if span.tag == "field"]
    found = list[str]()
    joined = next(
        (two.start for one, two in _two_apart(ask.tokens) if one.word in lexicon.JOINTS and two.word in _ASKING), None
    )
    for field, first, _ in lexicon.placed_in(ask.loose, "fields"):
        if tagged and joined is not None and ask.loose[first].start > joined:
            found.append(field)  # "… and by which date will it close"
            continue
        before = [one for one in ask.tokens if one.end <= ask.loose[first].start and one.word not in _AROUND_JOINTS]
        is_joined = len(before) > 1 and before[-1].word in lexicon.JOINTS
        if is_joined and any(span.start <= before[-2].start < span.end for span in tagged):
            found.append(field)
    return found


def _two_apart(tokens: Sequence[Token]) -> Iterator[tuple[Token, Token]]:
    """Yield each token with the next one, and with the one after that."""
    yield from pairwise(tokens)
    yield from zip(tokens, tokens[2:], strict=False)


def _fields_inside(part: str) -> list[str]:
    """Return the fields named among words that say nothing else: "hey when" asks for one, "vat number" for another."""
    tokens, read = tokenize(part), set[int]()
    fields = list(lexicon.placed_in(tokens, "fields"))
    for _, first, last in fields:
        read |= {*range(first, last)}
    rest = [one for place, one in enumerate(tokens) if place not in read and one.kind != "mark"]
    return [field for field, _, _ in fields] if all(map(_says_nothing, rest)) else []


def _says_nothing(token: Token) -> bool:
    """Return whether a word beside a field's name makes no other field of it, as the "vat" of "vat number" does."""
    return token.word in KNOWN or token.word in lexicon.INTERJECTIONS or (is_known(token.stem) and len(token.word) > 3)


def _first_contact_asked(ask: Ask) -> Token | None:
    """Return the "first" of "when did we first speak with Ann", which is no place in a list."""
    is_asked = bool(ask.words & _WHEN and ask.stems & (contacted_stems() | SPEAKING))
    return next((one for one in ask.outside if one.word == "first"), None) if is_asked else None


def _last_activity(plan: Plan, ref: Ref) -> Answer:
    """Return what was done last with a record, or for it."""
    about = {**ref.entity, "status": "completed", "limit": MAX_CHECKED}
    items = plan.call("list_activities", f"look up what was done with {ref.name}", **about)["items"]
    lines = [
        f"The last that was done with **{ref.name}**: {profiles.format_line(one, plan.now)}." for one in items[-1:]
    ]
    text = "".join(lines) or f"No finished activity is on record for **{ref.name}**."
    return Answer(text, topic=Topic((ref,)))


def _first_contact(plan: Plan, ref: Ref) -> Answer:
    """Answer when the first contact with somebody was that is on record."""
    timeline = plan.call("summarize_record", f"look up the history of {ref.name}", **ref.entity)["timeline"]
    contacts = [one for one in timeline if one.get("kind") in _CONTACTS and one.get("when")]
    return Answer(profiles.first_contact(ref.name, contacts[:1], plan.now), topic=Topic((ref,)))


def _activity_asked(plan: Plan, ask: Ask, ref: Ref) -> Answer:
    """Answer when an activity with somebody is, or was."""
    is_past = bool(ask.words & lexicon.word_set("condition_words", "past"))
    kind, status = {"activity_type": ask.activity_types[0]}, "completed" if is_past else "scheduled"
    about = kind if ref.type == "account" else {**ref.entity, **kind}
    items = plan.call("list_activities", "look that up", **about, limit=50, status=status)["items"]
    if ref.type == "account":
        ids = ids_of_account(plan, ref)
        items = [one for one in items if related_id(one) in ids]
    listed = items[-1:] if is_past else items[:3]
    text = profiles.tell_activities(ref.name, ask.activity_types[0], listed, plan.now, is_past=is_past)
    return Answer(text, topic=Topic((ref, *map(ref_of, listed))))
