"""Bind what an ask says of one record among others to that record: "move the smaller one", "cancel the workshop".

Others are those of the last list, which may lie some answers back, or the deals beside the one spoken of.
"""

from collections.abc import Iterator, Sequence
from functools import partial
from itertools import pairwise
from typing import Any

from msgspec.structs import replace

from aisha.adapters.llm.planner.acts.search.fetching import sort_key
from aisha.adapters.llm.planner.acts.search.kinds import order_field, tool_of
from aisha.adapters.llm.planner.acts.search.words import stems_of
from aisha.adapters.llm.planner.choices import Choice, choice_in, group_after
from aisha.adapters.llm.planner.companies import company_of
from aisha.adapters.llm.planner.descriptions import (
    ACTS_ON_ACTIVITIES,
    MAX_DESCRIBED,
    described_record,
    description_at,
    ends_phrase,
    is_name,
    last_counted,
    last_listed,
    may_be_chosen,
    person_titled,
    record_at_day,
)
from aisha.adapters.llm.planner.naming import all_near, by_name, chosen
from aisha.adapters.llm.planner.plan import Answer, EarlyAnswer, Plan, at_once
from aisha.adapters.llm.planner.replies import questions
from aisha.adapters.llm.planner.resolve import is_named_before, last_named
from aisha.adapters.llm.planner.results import items_of, ref_of
from aisha.adapters.llm.planner.several import PAIRED, last_pair, with_first, with_others
from aisha.adapters.llm.planner.state import Question, Ref
from aisha.domain.crm.records import RECORD_TYPES
from aisha.domain.language import lexicon
from aisha.domain.language.acts import ACTS_ABOUT_ONE, FIELD_CHANGE_ACTS, WRITES
from aisha.domain.language.ask import Ask
from aisha.domain.language.lexicon import KINDS
from aisha.domain.language.reader import Span

EMPTY_LIST = "Nothing was listed last, so there is none at that place. Which record do you mean?"
_ACTS_ON_OWN_ENTRIES = frozenset("take_up close_reminder".split())
_ACTS_ON_RECORDS = WRITES - {"complete_activity", "create_record", "remember", "forget", "instruct", "undo"}
_SINGULAR = lexicon.POINTERS | {"that one", "this one"}
# "Call the first one" is "call him": "call it" would give something a name.
_THING, _PERSON = "it", "him"
_OPEN = "open"


def with_reference(plan: Plan, ask: Ask) -> tuple[Plan, Ask]:
    """Return the plan with the record that an ask without a name describes, and the ask without that description.

    Raises `Pending` with the reads of records, and `EarlyAnswer` with a question where several fit an order.
    """
    if (of_several := with_others(plan, ask) or with_first(plan, ask)) is not None:
        return of_several
    if (pair := last_pair(plan, ask)) is not None:
        plan = replace(plan, topic=pair)
    if pair is not None and ask.act in PAIRED:
        return plan, ask
    if not plan.bindings and (ask.act == "goals" or (ask.act == "search" and ask.kinds == ("contact",))):
        return _with_deal(plan, ask) or (plan, ask)  # "How's their rollout doing?", "who's the contact on the pilot?"
    if plan.bindings or ask.act not in _ACTS_ON_RECORDS | ACTS_ON_ACTIVITIES | ACTS_ABOUT_ONE:
        return plan, ask
    if (with_owner := _with_record_of_field(plan, ask)) is not None:
        return with_owner, ask
    if ask.act in WRITES and (of_other := _with_company(plan, ask) or _with_own_deal(plan, ask)) is not None:
        return of_other
    # "Dismiss the first suggestion": its list is not one of records.
    choice = None if ask.act in _ACTS_ON_OWN_ENTRIES and not ask.kinds else choice_in(ask)
    names = [one for one in ask.segment.spans if one.tag == "name" and is_name(ask, one)]
    if choice is not None and all(_is_within(one, choice) for one in names):
        return _chosen(plan, ask, choice)
    if (titled := person_titled(plan, ask)) is not None:
        person, span = titled
        return replace(plan, bindings={"": person, span.text.lower(): person}), ask
    is_named = any(span.tag == "new" or is_name(ask, span) for span in ask.segment.spans)
    if is_named or ask.is_plural or (ask.count or 1) > 1:
        return plan, ask
    if ask.act != "convert" and (bound := _with_deal(plan, ask)) is not None:
        return bound
    people = [Ref(one.type, one.id, one.name) for one in plan.scene.entities if one.type == "contact"]
    is_person = ask.act in ACTS_ABOUT_ONE and ask.kinds == ("contact",) and not plan.topic.listed
    if len(group := people if is_person else last_listed(plan, ask)) < 2:
        return plan, ask
    if (dated := record_at_day(plan, ask, group)) is not None:
        dated_ref, span = dated
        return replace(plan, bindings={"": dated_ref}), ask.without(span.start, span.end)
    if ask.act in ACTS_ABOUT_ONE:
        # "Email of the geologist", read as a name.
        ref = described_record(plan, ask, group) if ask.texts("name") or is_person else None
        return (replace(plan, bindings={"": ref}), ask) if ref is not None else (plan, ask)
    if ask.words & lexicon.PERSON_PRONOUNS and group[0].type != "activity":
        return plan, ask
    ref = described_record(plan, ask, group)
    activities = [one for one in plan.topic.refs if one.type == "activity"]
    is_pointing = bool(ask.words & lexicon.POINTERS) and not ask.activity_types
    if ref is None and len(activities) == 1 and is_pointing and ask.act in ("change_activity", "complete_activity"):
        ref = activities[0]  # Of a list, one was spoken of since: "do that at 2".
    refs = {text.lower() for text in ask.texts("ref")}
    if ref is None and group[0].type == "activity" and refs and refs <= _SINGULAR and not ask.activity_types:
        raise _which(plan, ask, group)  # "Cancel it", of several
    return (replace(plan, bindings={"": ref}), ask) if ref is not None else (plan, ask)


def _chosen(plan: Plan, ask: Ask, choice: Choice) -> tuple[Plan, Ask]:
    """Return the plan with the record that a choice means, and the ask without its words.

    An order on one of several that fit, or on none of those listed, is asked about. Raises `EarlyAnswer` with that.
    """
    bare = _with_pronoun(ask, choice)
    group: Sequence[Ref] = ()
    for group in _groups(plan, ask, choice):
        fitting = narrowed(plan, ask, choice, group)
        if fitting and ask.act in WRITES and choice_in(bare) is not None:
            raise _which(plan, bare, group)  # "The first one to 30k and the second one to 40k."
        if len(fitting) == 1:
            is_person = fitting[0].type in ("lead", "contact")
            pointing = _with_pronoun(ask, choice, _PERSON if is_person else _THING)
            return replace(plan, bindings={"": fitting[0]}), pointing
        if fitting:
            raise _which(plan, bare, fitting)
    search, is_beyond = plan.topic.search, choice.place > len(group)
    if is_beyond and not group and search is not None and search.total == 0:
        raise plan.refuse(EMPTY_LIST)
    if len(group) > 1 and not choice.is_named and (choice.words or is_beyond or ask.act in WRITES):
        raise _which(plan, bare, group)
    return plan, ask


def _with_pronoun(ask: Ask, choice: Choice, pronoun: str = _THING) -> Ask:
    """Return the ask with a pronoun in place of a choice, so that its words are taken for nothing else."""
    bare, end = ask.without(choice.start, choice.end), choice.start + len(pronoun)
    text = bare.text[: choice.start] + pronoun + bare.text[end:]
    pointing = Span("ref", pronoun, choice.start)
    return Ask(replace(bare.segment, text=text), ask.now).with_spans((*bare.segment.spans, pointing))


def _which(plan: Plan, ask: Ask, candidates: Sequence[Ref]) -> EarlyAnswer:
    question = Question("which", ask.segment, "", tuple(candidates))
    return EarlyAnswer(Answer(questions.ask_which("", candidates), question, plan.topic))


def narrowed(plan: Plan, ask: Ask, choice: Choice, group: Sequence[Ref]) -> Sequence[Ref]:
    """Return those of a group that fit a choice: several where it does not tell them apart, none where none fits."""
    rest = list(group)
    if is_open := _OPEN in choice.words:
        rest = [ref for ref in rest if not ref.about.startswith("closed")]
    if words := [word for word in choice.words if not (is_open and word == _OPEN)]:
        rest = _with_words(plan, words, rest)
    if choice.is_other:
        current = {ref.id for ref in plan.topic.refs}
        others = [ref for ref in rest if ref.id not in current]
        rest = [ref for ref in others if ref.id not in plan.topic.passed] or others
        rest = [ref for ref in rest if not ref.about.startswith("closed")] or rest
    for order in choice.orders if len(rest) > 1 else ():
        rest = _first_by(plan, ask, order, rest)
    if choice.place:
        placed = chosen(rest, choice.place)
        rest = [placed] if placed else []
    return rest


def _with_words(plan: Plan, words: Sequence[str], group: Sequence[Ref]) -> list[Ref]:
    """Return those of a group that have all of some words in their names, else in any of their fields."""
    named = [ref for ref in group if all_near(" ".join(words), f"{ref.name} {ref.about}")]
    if named:
        return named
    stems, records = stems_of(" ".join(words)), plan.records(tuple(group))
    texts = [f"{ref.name} {' '.join(map(str, one.values()))}" for ref, one in zip(group, records, strict=True)]
    return [ref for ref, text in zip(group, texts, strict=True) if stems <= stems_of(text)]


def _first_by(plan: Plan, ask: Ask, order: str, group: Sequence[Ref]) -> list[Ref]:
    """Return the record of a group that is first in an order; all where they have no such field."""
    kind = group[0].type
    field = order_field(ask, order, kind)
    if not field or len({ref.type for ref in group}) > 1:
        return list(group)
    records = zip(group, plan.records(tuple(group)), strict=True)
    values = [(sort_key(record[name]), ref) for ref, record in records if record.get(name := field.lstrip("-"))]
    values.sort(key=lambda pair: pair[0], reverse=field.startswith("-"))
    return [ref for value, ref in values if value == values[0][0]]


def _groups(plan: Plan, ask: Ask, choice: Choice) -> Iterator[Sequence[Ref]]:
    """Yield the groups of records that a choice can be among, the nearest first."""
    if choice.is_of_account:
        yield _siblings(plan, choice)
        return
    listed = last_listed(plan, ask) or [ref for ref in plan.topic.earlier if may_be_chosen(ask, ref)]
    kinds = (choice.noun,) if choice.noun in KINDS else KINDS
    group = [ref for ref in listed if ref.type in ("activity", "note", *kinds)][:MAX_DESCRIBED]
    is_planned = ask.act in ACTS_ON_ACTIVITIES or ask.act == "ask_field"
    if len(group) > 1 and (group[0].type not in ("activity", "note") or is_planned):
        yield group
        if choice.place > len(group):
            yield plan.topic.whole[:MAX_DESCRIBED]  # "Phones of the first three?" - "And the 4th?"
    if not choice.noun and _has_all("contact", ask.fields) and not _has_all("opportunity", ask.fields):
        choice = replace(choice, noun="contact")  # "What's Acme's email?" - "No, the buyer's one."
    is_told = choice.is_other or choice.words or choice.orders or choice.noun == "contact"
    if len(group) < 2 and kinds[-1] in ("opportunity", "contact") and is_told:
        yield _siblings(plan, choice)
    planned = [Ref(one.type, one.id, one.name) for one in plan.scene.entities if one.type == "activity"]
    if not group and len(planned) > 1 and ask.act in ("change_activity", "complete_activity"):
        yield planned[::-1]  # Those planned one by one, the first first: "make the first one 9:30".


def _siblings(plan: Plan, choice: Choice, kinds: Sequence[str] = ("opportunity", "account")) -> Sequence[Ref]:
    """Return the deals, or the contacts, of the account spoken of last: "and the bigger one?", "its second contact".

    To rank them there are the open ones. `kinds` are those of the records whose account it may be.
    """
    named = by_name(plan, plan.spoken[-1], ("opportunity",)) if plan.spoken else None
    focus = named if isinstance(named, Ref) else _first_of(plan, *kinds)
    if focus is None or focus.type not in kinds:
        return ()
    account = focus.id if focus.type == "account" else plan.record(focus).get("account_id")
    kind = "contact" if choice.noun == "contact" else "opportunity"
    outcome = plan.need(tool_of(kind), account_id=account) if account else None
    # A name said before is what was spoken of last, and the topic may not tell it yet.
    items = [item for item in items_of(outcome) if item.get("id") != (focus.id if named else "")]
    alive = [item for item in items if choice.orders and not str(item.get("stage")).startswith("closed")]
    return list(map(ref_of, alive or items))


def first_of(plan: Plan, ask: Ask, candidates: Sequence[Ref]) -> Ref | None:
    """Return the one of several records that an ask chooses, as in "the smaller Globex deal"."""
    choice = choice_in(ask)
    fitting = narrowed(plan, ask, choice, candidates) if choice is not None and choice.orders else ()
    return fitting[0] if len(fitting) == 1 else None


def _with_company(plan: Plan, ask: Ask) -> tuple[Plan, Ask] | None:
    """Return the plan with the account of the person or deal in mind: "a note on her company", "his account's phone".

    In "change her company to Globex" the word is a field.
    """
    tokens = ask.tokens
    for at, (before, noun) in enumerate(pairwise(tokens)):
        is_owned = before.word in lexicon.POSSESSIVES or (before.word == "the" and noun.word == "account")
        if not is_owned or lexicon.kind_named(noun) != "account" or any(is_name(ask, one) for one in ask.segment.spans):
            continue
        after = tokens[at + 2].word if at + 2 < len(tokens) else ""
        is_target = bool(at) and tokens[at - 1].word in lexicon.BEFORE_TARGETS
        if not (is_target or after == "'s" or noun.word == "account"):
            continue
        named = by_name(plan, plan.spoken[-1], ("contact", "lead")) if plan.spoken else None
        focus = named if plan.spoken else next(iter(plan.topic.refs), None)
        if not isinstance(focus, Ref) or focus.type not in ("contact", "opportunity"):
            continue
        if (ref := company_of(plan, (focus,))) is not None:
            return replace(plan, bindings={"": ref}), _with_pronoun(ask, Choice(before.start, noun.end))
    return None


def _with_record_of_field(plan: Plan, ask: Ask) -> Plan | None:
    """Return the plan with the record beside the one in mind that alone has the field which an ask is about.

    After a deal, "what's her email?" is of its contact and "the industry" of its company; after a person, "push the
    close date" is of the deal spoken of last.
    """
    focus = _first_of(plan, "contact", "opportunity", "account")
    is_bare = not (plan.spoken or ask.kinds or ask.texts("name") or ask.texts("org") or ask.texts("new"))
    if focus is None or not ask.fields or not is_bare or ask.act not in FIELD_CHANGE_ACTS | {"ask_field"}:
        return None
    kinds = [kind for kind in ("contact", "account", "opportunity") if _has_all(kind, ask.fields)]
    if any(lexicon.field_name(one, focus.type) in RECORD_TYPES[focus.type].model_fields for one in ask.fields):
        return None
    is_person = bool(ask.words & lexicon.PERSON_PRONOUNS - lexicon.THEY_PRONOUNS)
    beside: Ref | None = None
    if is_person and focus.type == "opportunity" and "contact" in kinds:
        contact = plan.record(focus).get("contact_id")
        beside = ref_of(plan.record(Ref("contact", str(contact), ""))) if contact else None
    elif "account" in kinds and not is_person:
        beside = company_of(plan, (focus,)) if focus.type in ("contact", "opportunity") else None
    elif kinds == ["opportunity"]:
        beside = last_named(plan, [Ref(one.type, one.id, one.name) for one in plan.scene.entities if one.type in kinds])
    return replace(plan, bindings={"": beside}) if beside is not None else None


def _has_all(kind: str, fields: Sequence[str]) -> bool:
    """Return whether records of a kind have all of some fields; False for none."""
    names = [lexicon.field_name(one, kind) for one in fields]
    return bool(names) and all(one in RECORD_TYPES[kind].model_fields for one in names)


def _with_own_deal(plan: Plan, ask: Ask) -> tuple[Plan, Ask] | None:
    """Return the plan with the only open deal of the company or person in mind that "its deal" or "the deal" is.

    Raises `EarlyAnswer` with a question where it has several.
    """
    in_mind = {ref.type for ref in plan.topic.refs if ref.type != "activity"}
    owners = lexicon.POSSESSIVES | (lexicon.POINTING if in_mind <= {"contact", "account"} else set())
    is_named = any(is_name(ask, span) for span in ask.segment.spans)
    for owner, noun in pairwise(ask.tokens if not is_named else ()):
        is_one = lexicon.kind_named(noun) == "opportunity" and not noun.word.endswith("s")
        is_owned = owner.word in owners and is_one
        choice = Choice(owner.start, noun.end, orders=("open",))
        deals = _siblings(plan, choice, ("opportunity", "account", "contact")) if is_owned else ()
        bare = _with_pronoun(ask, Choice(owner.start, noun.end))
        if len(deals) > 1 and (spoken_of := last_named(plan, deals)) is not None:
            deals = (spoken_of,)
        if len(deals) > 1:
            raise _which(plan, bare, deals)
        if deals:
            return replace(plan, bindings={"": deals[0]}), bare
    return None


def _with_deal(plan: Plan, ask: Ask) -> tuple[Plan, Ask] | None:
    """Return the plan with the deal of the company in mind that "their support renewal" or "the pilot" is.

    Raises `Pending` with the search for the deals, and `EarlyAnswer` with a question where several have the words.
    """
    is_of_activity = bool(ask.activity_types) or any(ref.type == "activity" for ref in plan.topic.refs)
    if ask.act in ACTS_ON_ACTIVITIES and is_of_activity:
        return None
    tokens = ask.tokens
    for at, token in enumerate(tokens[:-1]):
        is_object = token.word == "her" and tokens[at + 1].word.endswith("ing")  # "a note on her saying …"
        run = (
            description_at(ask, at + 1)
            if token.word in lexicon.POINTING | lexicon.POSSESSIVES and not is_object
            else []
        )
        deals = _deals_in_mind(plan, ask, run[0].word) if run else ()
        for size in range(len(run), 0, -1):
            fitting = [ref for ref in deals if all_near(" ".join(one.word for one in run[:size]), ref.name)]
            after = next(iter(tokens[at + 1 + size : at + 2 + size]), None)
            if not fitting or (size == 1 and after and not ends_phrase(after)):
                continue
            at_end = at + 1 + size + (after is not None and lexicon.kind_named(after) == "opportunity")
            at_end += group_after(tokens[at_end:])  # "The pilot of the same client"
            bare = _with_pronoun(ask, Choice(token.start, tokens[at_end - 1].end))
            if len(fitting) > 1:
                raise _which(plan, bare, fitting)
            return replace(plan, bindings={"": fitting[0]}), bare
    return None


def _deals_in_mind(plan: Plan, ask: Ask, word: str) -> Sequence[Ref]:
    """Return the deals of the last list, else those of the company in mind with a word in their names."""
    if len(listed := last_listed(plan, ask) or last_counted(plan)) > 1:
        return [ref for ref in listed if ref.type == "opportunity"]
    # A name said before is not meant where the ask has one: "thanks to Diego. How's the Acme renewal doing?".
    names = () if any(is_name(ask, span) for span in ask.segment.spans) else plan.spoken[-1:]
    named = by_name(plan, names[0], ("account", "opportunity", "contact")) if names else None
    entities = [Ref(one.type, one.id, one.name) for one in plan.scene.entities if one.type == "opportunity"]
    spoken_of = [ref for ref in entities if all_near(word, ref.name) and is_named_before(plan, ref)]
    if named is None and len(spoken_of) == 1:
        return spoken_of  # A deal that was spoken of comes before those of the company in mind.
    focus = named if isinstance(named, Ref) else _first_of(plan, "opportunity", "account", "contact")
    if focus is None or focus.type not in ("opportunity", "account", "contact"):
        return ()
    if focus.type == "account" and all_near(word, focus.name):
        return ()
    # Both in one round, since a turn has three.
    deals, account = at_once((partial(_deals_with, plan, word), partial(_account_of, plan, focus)))
    return [ref_of(one) for one in deals if account and one.get("account_id") == account[0]["id"]]


def _first_of(plan: Plan, *kinds: str) -> Ref | None:
    """Return the record spoken of last; of an activity and whom it is about, the latter."""
    refs = [ref for ref in plan.topic.refs if ref.type != "activity"]
    return refs[0] if refs and refs[0].type in kinds else None


def _deals_with(plan: Plan, word: str) -> list[dict[str, Any]]:
    return items_of(plan.need("search_opportunities", name_contains=word))


def _account_of(plan: Plan, ref: Ref) -> list[dict[str, Any]]:
    """Return the account that a record is or belongs to, by its id; empty for none."""
    account = ref.id if ref.type == "account" else plan.record(ref).get("account_id")
    return [{"id": account}] if account else []


def _is_within(span: Span, choice: Choice) -> bool:
    return choice.start <= span.start < choice.end
