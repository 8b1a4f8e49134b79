"""Bind what an ask says of one record among others to that record: "move the smaller one", "cancel the workshop".

Others are those of the last list, which may lie some answers back, or the deals beside the one spoken of.
"""

from collections.abc import Iterable, Iterator, Sequence
from datetime import date
from functools import partial
from itertools import pairwise, takewhile
from typing import Any

from msgspec.structs import replace

from aisha.adapters.llm.planner.acts.search.fetching import sort_key
from aisha.adapters.llm.planner.acts.search.kinds import order_field, tool_of
from aisha.adapters.llm.planner.acts.search.words import stems_of
from aisha.adapters.llm.planner.choices import Choice, choice_in, group_after
from aisha.adapters.llm.planner.companies import company_of
from aisha.adapters.llm.planner.conditions import POLITE
from aisha.adapters.llm.planner.naming import all_near, by_name, chosen
from aisha.adapters.llm.planner.plan import Answer, EarlyAnswer, Plan, at_once
from aisha.adapters.llm.planner.replies import questions
from aisha.adapters.llm.planner.resolve import is_named_before
from aisha.adapters.llm.planner.results import items_of, ref_of
from aisha.adapters.llm.planner.several import PAIRED, last_pair, with_first, with_others
from aisha.adapters.llm.planner.state import Question, Ref
from aisha.domain.crm.records import RECORD_TYPES
from aisha.domain.dates.parsing import TimeSpan, find_times
from aisha.domain.language import lexicon
from aisha.domain.language.acts import ACTS_ABOUT_ONE, FIELD_CHANGE_ACTS, WRITES
from aisha.domain.language.ask import Ask
from aisha.domain.language.lexicon import KINDS
from aisha.domain.language.marks import time_tokens
from aisha.domain.language.reader import Span
from aisha.domain.language.tokens import Token, tokenize

MAX_DESCRIBED = 10
"""Records of a list that are read for a description."""
EMPTY_LIST = "Nothing was listed last, so there is none at that place. Tell me which record you mean."
MAX_PHRASE_WORDS = 4
MIN_WORD_LENGTH = 3
_ACTS_ON_ACTIVITIES = frozenset("complete_activity change_activity delete".split())
_VALUE_TAGS = frozenset("value amount text field when".split())
_ACTS_ON_OWN_ENTRIES = frozenset("take_up close_reminder".split())
# Tags of slots whose words describe no record.
_HOLDING = frozenset("text topic when amount count email phone url custom".split())
_ACTS_ON_RECORDS = WRITES - {"complete_activity", "create_record", "remember", "forget", "instruct", "undo"}
_BEFORE_DAYS = frozenset("on for from at due closing".split())
_SINGULAR = lexicon.POINTERS | {"that one", "this one"}
# "Call the first one" is "call him": "call it" would give something a name.
_THING, _PERSON = "it", "him"
_SMALL = (
    lexicon.LINK_WORDS | lexicon.STATING_VERBS | lexicon.ORDER_VERBS | lexicon.ORDINALS.keys() | lexicon.QUESTION_STARTS
)
_OPEN = "open"
_SMALL |= frozenset(("said", "same", "other", "one", "ones"))
_DATE_FIELDS = {"activity": "due_at", "opportunity": "close_date"}


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
    if plan.bindings or ask.act not in _ACTS_ON_RECORDS | _ACTS_ON_ACTIVITIES | ACTS_ABOUT_ONE:
        return plan, ask
    if (with_company := _with_field_of_company(plan, ask)) is not None:
        return with_company, ask
    if ask.act in WRITES and (of_other := _with_company(plan, ask) or _with_own_deal(plan, ask)) is not None:
        return of_other
    # "Dismiss the first suggestion": its list is not one of records.
    choice = None if ask.act in _ACTS_ON_OWN_ENTRIES and not ask.kinds else choice_in(ask)
    names = [one for one in ask.segment.spans if one.tag == "name" and _is_name(ask, one)]
    if choice is not None and all(_is_within(one, choice) for one in names):
        return _chosen(plan, ask, choice)
    if (titled := _titled(plan, ask)) is not None:
        person, span = titled
        return replace(plan, bindings={"": person, span.text.lower(): person}), ask
    is_named = any(span.tag == "new" or _is_name(ask, span) for span in ask.segment.spans)
    if is_named or ask.is_plural or (ask.count or 1) > 1:
        return plan, ask
    if ask.act != "convert" and (bound := _with_deal(plan, ask)) is not None:
        return bound
    people = [Ref(one.type, one.id, one.name) for one in plan.scene.entities if one.type == "contact"]
    is_person = ask.act in ACTS_ABOUT_ONE and ask.kinds == ("contact",) and not plan.topic.listed
    if len(group := people if is_person else _listed(plan, ask)) < 2:
        return plan, ask
    if (dated := _dated(plan, ask, group)) is not None:
        dated_ref, span = dated
        return replace(plan, bindings={"": dated_ref}), ask.without(span.start, span.end)
    if ask.act in ACTS_ABOUT_ONE:
        # "Email of the geologist", read as a name.
        ref = _described(plan, ask, group) if ask.texts("name") or is_person else None
        return (replace(plan, bindings={"": ref}), ask) if ref is not None else (plan, ask)
    if ask.words & lexicon.PERSON_PRONOUNS and group[0].type != "activity":
        return plan, ask
    ref = _described(plan, ask, group)
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
    listed = _listed(plan, ask) or [ref for ref in plan.topic.earlier if _may_be_chosen(ask, ref)]
    kinds = (choice.noun,) if choice.noun in KINDS else KINDS
    group = [ref for ref in listed if ref.type in ("activity", "note", *kinds)][:MAX_DESCRIBED]
    is_planned = ask.act in _ACTS_ON_ACTIVITIES or ask.act == "ask_field"
    if len(group) > 1 and (group[0].type not in ("activity", "note") or is_planned):
        yield group
        if choice.place > len(group):
            yield plan.topic.whole[:MAX_DESCRIBED]  # "Phones of the first three?" - "And the 4th?"
    is_told = choice.is_other or choice.words or choice.orders or choice.noun == "contact"
    if len(group) < 2 and kinds[-1] in ("opportunity", "contact") and is_told:
        yield _siblings(plan, choice)
    planned = [Ref(one.type, one.id, one.name) for one in plan.scene.entities if one.type == "activity"]
    if not group and len(planned) > 1 and ask.act in ("change_activity", "complete_activity"):
        yield planned[::-1]  # Those planned one by one, the first first: "make the first one 9:30".


def _siblings(plan: Plan, choice: Choice) -> Sequence[Ref]:
    """Return the deals, or the contacts, of the account spoken of last: "and the bigger one?", "its second contact".

    To rank them there are the open ones.
    """
    named = by_name(plan, plan.spoken[-1], ("opportunity",)) if plan.spoken else None
    focus = named if isinstance(named, Ref) else _first_of(plan, "opportunity", "account")
    if focus is None or focus.type not in ("opportunity", "account"):
        return ()
    account = focus.id if focus.type == "account" else plan.record(focus).get("account_id")
    kind = "contact" if choice.noun == "contact" else "opportunity"
    found = plan.need(tool_of(kind), account_id=account) if account else None
    # A name said before is what was spoken of last, and the topic may not tell it yet.
    items = [item for item in items_of(found) if item.get("id") != (focus.id if named else "")]
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
        if (
            not is_owned
            or lexicon.kind_named(noun) != "account"
            or any(_is_name(ask, one) for one in ask.segment.spans)
        ):
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


def _with_field_of_company(plan: Plan, ask: Ask) -> Plan | None:
    """Return the plan with the company of the record in mind where the ask is for a field that only companies have."""
    focus = _first_of(plan, "contact", "opportunity")
    is_bare = not (plan.spoken or ask.kinds or ask.texts("name") or ask.texts("org") or ask.texts("new"))
    if focus is None or not ask.fields or not is_bare or ask.act not in FIELD_CHANGE_ACTS | {"ask_field"}:
        return None
    own, of_company = (
        [lexicon.field_name(one, kind) in RECORD_TYPES[kind].model_fields for one in ask.fields]
        for kind in (focus.type, "account")
    )
    company = company_of(plan, (focus,)) if all(of_company) and not any(own) else None
    return replace(plan, bindings={"": company}) if company is not None else None


def _with_own_deal(plan: Plan, ask: Ask) -> tuple[Plan, Ask] | None:
    """Return the plan with the only open deal of the company in mind that "its deal" is.

    Raises `EarlyAnswer` with a question where it has several.
    """
    for owner, noun in pairwise(ask.tokens):
        is_owned = owner.word in lexicon.POSSESSIVES and lexicon.kind_named(noun) == "opportunity"
        deals = _siblings(plan, Choice(owner.start, noun.end, orders=("open",))) if is_owned else ()
        bare = _with_pronoun(ask, Choice(owner.start, noun.end))
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
    if ask.act in _ACTS_ON_ACTIVITIES and is_of_activity:
        return None
    tokens = ask.tokens
    for at, token in enumerate(tokens[:-1]):
        is_object = token.word == "her" and tokens[at + 1].word.endswith("ing")  # "a note on her saying …"
        run = (
            _description_at(ask, at + 1)
            if token.word in lexicon.POINTING | lexicon.POSSESSIVES and not is_object
            else []
        )
        deals = _deals_in_mind(plan, ask, run[0].word) if run else ()
        for size in range(len(run), 0, -1):
            fitting = [ref for ref in deals if all_near(" ".join(one.word for one in run[:size]), ref.name)]
            after = next(iter(tokens[at + 1 + size : at + 2 + size]), None)
            if not fitting or (size == 1 and after and not _ends_phrase(after)):
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
    if len(listed := _listed(plan, ask) or _counted(plan)) > 1:
        return [ref for ref in listed if ref.type == "opportunity"]
    # A name said before is not meant where the ask has one: "thanks to Diego. How's the Acme renewal doing?".
    names = () if any(_is_name(ask, span) for span in ask.segment.spans) else plan.spoken[-1:]
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
    found, account = at_once((partial(_deals_with, plan, word), partial(_account_of, plan, focus)))
    return [ref_of(one) for one in found if account and one.get("account_id") == account[0]["id"]]


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


def _description_at(ask: Ask, at: int) -> list[Token]:
    """Return the words at a place that may describe a record; none where the first is a field, a value or a time."""
    tokens, first = ask.tokens, ask.tokens[at]
    slot = next((one for one in ask.segment.spans if one.start <= first.start < one.end), None)
    is_held = slot is not None and (slot.tag in _HOLDING or _is_name(ask, slot) or _is_known(slot.text))
    is_time = time_tokens(tokens, ask.now)
    # "The training package" may be a deal, "the call tomorrow" is none.
    has_more = at + 1 < len(tokens) and not (is_time[at + 1] or _ends_phrase(tokens[at + 1]))
    if is_held or (_is_noun(first) and not has_more) or _is_known(first.word) or is_time[at]:
        return []
    return list(takewhile(lambda one: one.kind == "word", tokens[at : at + MAX_PHRASE_WORDS]))


def _is_known(text: str) -> bool:
    """Return whether words are the name of a field or a value, or small."""
    return bool(text in _SMALL | POLITE or lexicon.fields_in(text) or lexicon.values_in(text))


def _ends_phrase(token: Token) -> bool:
    """Return whether a token is no part of a description before it."""
    is_verb = token.word.endswith("ing")  # "How's the pilot going?"
    return token.kind != "word" or is_verb or _is_noun(token) or _is_known(token.word)


def _listed(plan: Plan, ask: Ask) -> Sequence[Ref]:
    """Return the records of one kind that were listed last and that the ask can be about."""
    for refs in (plan.topic.refs, plan.topic.listed):
        activities = [ref for ref in refs if ref.type == "activity"]
        records = [ref for ref in refs if ref.type in KINDS]
        # The people of a company are listed beside it.
        people = [ref for ref in records if ref.type == "contact"]
        records = people if len(people) == len(records) - 1 > 1 else records
        if len(activities) > 1:
            is_about_one = ask.act in _ACTS_ON_ACTIVITIES or (ask.act == "ask_field" and choice_in(ask) is not None)
            return activities[:MAX_DESCRIBED] if is_about_one else ()
        if len(records) > 1 and len({ref.type for ref in records}) == 1 and not activities:
            return records[:MAX_DESCRIBED] if _may_be_chosen(ask, records[0]) else ()
    return _counted(plan) if choice_in(ask) is not None else ()


def _counted(plan: Plan) -> Sequence[Ref]:
    """Return the few records that the last answer counted: "We have 2 open deals." - "Move the smaller one to won."."""
    search = plan.topic.search
    kind = next((one for one in KINDS if search is not None and tool_of(one) == search.tool), None)
    if plan.topic.refs or search is None or kind is None:
        return ()
    if search.within is not None:
        ids = search.within[1]
        return [*map(ref_of, plan.records([Ref(kind, one, "") for one in ids]))] if len(ids) <= MAX_DESCRIBED else ()
    items = items_of(plan.need(search.tool, **search.arguments))
    return [ref_of(item) for item in items] if len(items) <= MAX_DESCRIBED else ()


def _may_be_chosen(ask: Ask, ref: Ref) -> bool:
    """Return whether an ask can be about one of a list with this record: people are not put off, deals are."""
    return ask.act != "change_activity" or ref.type in ("activity", "opportunity")


def _is_name(ask: Ask, span: Span) -> bool:
    """Return whether a slot is a name, and no description such as "the actuary"."""
    before = [token.word for token in tokenize(ask.text[: span.start])][-1:]
    is_description = span.text.islower() and bool(before) and before[0] in lexicon.POINTING | lexicon.POSSESSIVES
    return span.tag in ("name", "org") and not is_description


def _titled(plan: Plan, ask: Ask) -> tuple[Ref, Span] | None:
    """Return the only person of the last list with the job that is named, as in "the Actuary", and its slot."""
    named = [span for span in ask.segment.spans if span.tag in ("name", "new", "org")]
    before = [token.word for token in tokenize(ask.text[: named[0].start])][-1:] if named else []
    text = named[0].text.partition(" ") if named else ("", "", "")
    title = text[2] if text[0].lower() == "the" else named[0].text if before == ["the"] else ""
    group = _listed(plan, ask) if title and len(named) == 1 else ()
    if (
        len(group) < 2
        or group[0].type not in ("lead", "contact")
        or any(stems_of(title) & stems_of(f"{ref.name} {ref.about}") for ref in group)
    ):
        return None
    records = zip(group, _read(plan, group), strict=True)
    fitting = [ref for ref, one in records if stems_of(title) == stems_of(str(one.get("job_title") or ""))]
    return (fitting[0], named[0]) if len(fitting) == 1 else None


def _is_within(span: Span, choice: Choice) -> bool:
    return choice.start <= span.start < choice.end


def _dated(plan: Plan, ask: Ask, group: Sequence[Ref]) -> tuple[Ref, Span] | None:
    """Return the only record of a list at a day that is a part of its description, and the slot of the day."""
    if (field := _DATE_FIELDS.get(group[0].type)) is None:
        return None
    for span in ask.segment.spans:
        times = find_times(span.text.lower(), plan.now) if span.tag == "when" and _is_part_of_noun(ask, span) else []
        if not times:
            continue
        records = zip(group, _read(plan, group), strict=True)
        matches = [ref for ref, record in records if _is_on(times[0], str(record.get(field) or ""))]
        if len(matches) == 1:
            return matches[0], span
    return None


def _is_part_of_noun(ask: Ask, span: Span) -> bool:
    """Return whether a time stands in a description: "the one on the 16th", "the Friday call"."""
    before = [token for token in ask.tokens if token.end <= span.start]
    after = [token for token in ask.tokens if token.start >= span.end][:1]
    while before and before[-1].word in _BEFORE_DAYS:
        before.pop()
    if after and _is_noun(after[0]) and before and before[-1].word in lexicon.POINTING:
        return True
    return bool(before) and before[-1].word == "one" and len(before) > 1 and before[-2].word in lexicon.POINTING


def _is_noun(token: Token) -> bool:
    return bool(token.word == "one" or lexicon.kind_named(token) or lexicon.activity_type_of(token.word))


def _is_on(span: TimeSpan, value: str) -> bool:
    day = date.fromisoformat(value[:10]) if value else None
    return day is not None and span.first is not None and span.last is not None and span.first <= day <= span.last


def _described(plan: Plan, ask: Ask, group: Sequence[Ref]) -> Ref | None:
    """Return the record of a list that alone has the words of a description: "cancel the workshop"."""
    stems = stems_of(" ".join(word for phrase in _phrases(plan, ask) for word in phrase))
    if not stems:
        return None
    for texts in ([ref.name for ref in group], [" ".join(map(str, one.values())) for one in _read(plan, group)]):
        scores = [len(stems & stems_of(text)) for text in texts]
        best = max(scores)
        if best and scores.count(best) == 1:
            return group[scores.index(best)]
    return None


def _phrases(plan: Plan, ask: Ask) -> Iterator[list[str]]:
    """Yield the words of each noun phrase that begins with "the" or "that", up to the next small word.

    What is done or moved may have been told before: "the case study has gone out, so tick that off".
    """
    is_told_before = ask.act in ("complete_activity", "change_activity") and bool(ask.texts("ref"))
    tags = _VALUE_TAGS if ask.act in _ACTS_ON_ACTIVITIES else _VALUE_TAGS | {"topic"}
    values = [span for span in ask.segment.spans if span.tag in tags]
    tokens: Iterable[Token] = (
        one for one in ask.tokens if not any(span.start <= one.start < span.end for span in values)
    )
    tokens = tokenize(plan.scene.user_text) if is_told_before else list(tokens)
    for place, token in enumerate(tokens):
        if token.word not in lexicon.POINTING:
            continue
        phrase = list[str]()
        for word in tokens[place + 1 : place + 1 + MAX_PHRASE_WORDS]:
            if word.kind != "word" or word.word in lexicon.LINK_WORDS | lexicon.STATING_VERBS | lexicon.PERSON_PRONOUNS:
                break
            phrase += word.word.split("-")  # "The check-in" is "Check in on the rollout".
        yield [word for word in phrase if len(word) >= MIN_WORD_LENGTH]


def _read(plan: Plan, group: Sequence[Ref]) -> list[dict[str, object]]:
    return plan.records(tuple(group))
