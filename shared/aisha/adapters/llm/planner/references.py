"""Bind a description to a record of the last list: "move the smaller one", "cancel the workshop".

Questions about a record of a list are resolved by their acts (`acts.profile.picking`), but for those with a day.
"""

from collections.abc import Iterable, Iterator, Sequence
from datetime import date

from msgspec.structs import replace

from aisha.adapters.llm.planner.acts.profile.picking import picked, read_records
from aisha.adapters.llm.planner.acts.search.words import stems_of
from aisha.adapters.llm.planner.plan import Plan
from aisha.adapters.llm.planner.resolve import all_near, chosen, ordinals_of
from aisha.adapters.llm.planner.results import items_of, ref_of
from aisha.adapters.llm.planner.state import Ref
from aisha.domain.dates.parsing import TimeSpan, find_times
from aisha.domain.language import lexicon
from aisha.domain.language.acts import WRITES
from aisha.domain.language.ask import Ask
from aisha.domain.language.lexicon import KINDS
from aisha.domain.language.reader import Span
from aisha.domain.language.tokens import Token, tokenize

MAX_DESCRIBED = 10
"""Records of a list that are read for a description."""
MAX_PHRASE_WORDS = 4
MIN_WORD_LENGTH = 3
_ACTS_ON_ACTIVITIES = frozenset(("complete_activity", "change_activity", "delete"))
_ACTS_ON_RECORDS = WRITES - {"complete_activity", "create_record", "remember", "forget", "instruct", "undo"}
_QUESTIONS = frozenset(("ask_field", "about"))
_DETERMINERS = frozenset(("the", "that", "this"))
_BEFORE_DAYS = frozenset("on for from at due closing".split())
_VALUE_TAGS = frozenset(("value", "amount", "text", "field", "when"))
_DATE_FIELDS = {"activity": "due_at", "opportunity": "close_date"}


def with_reference(plan: Plan, ask: Ask) -> tuple[Plan, Ask]:
    """Return the plan with the record of the last list that an ask without a name describes, and the ask.

    A day that belongs to the description is no slot of the ask any more. Raises `Pending` with the reads of records.
    """
    if not plan.bindings and ask.act in _ACTS_ON_RECORDS | _ACTS_ON_ACTIVITIES and (named := _named_one(plan, ask)):
        return replace(plan, bindings=named), ask
    if not plan.bindings and ask.act in _ACTS_ON_RECORDS | _QUESTIONS and (other := _other_deal(plan, ask)) is not None:
        return replace(plan, bindings={"": other}), ask
    is_named = any(span.tag in ("new", "org") or _is_name(ask, span) for span in ask.segment.spans)
    is_several = ask.is_plural or (ask.count or 1) > 1
    if plan.bindings or is_named or is_several or ask.act not in _ACTS_ON_RECORDS | _ACTS_ON_ACTIVITIES | _QUESTIONS:
        return plan, ask
    group = _listed(plan, ask)
    if len(group) < 2:
        return plan, ask
    if (dated := _dated(plan, ask, group)) is not None:
        dated_ref, span = dated
        return replace(plan, bindings={"": dated_ref}), ask.without(span.start, span.end)
    if ask.act in _QUESTIONS:
        # "Email of the geologist", read as a name.
        ref = _described(plan, ask, group) if ask.texts("name") else None
        return (replace(plan, bindings={"": ref}), ask) if ref is not None else (plan, ask)
    if ask.words & lexicon.PERSON_PRONOUNS and group[0].type != "activity":
        return plan, ask
    ref = _placed(plan, ask, group) or _first_in_order(plan, ask, group) or _described(plan, ask, group)
    return (replace(plan, bindings={"": ref}), ask) if ref is not None else (plan, ask)


def _named_one(plan: Plan, ask: Ask) -> dict[str, Ref]:
    """Return the record of the last list that "the Globex one" means, by that name and as the ask's own."""
    for span in ask.segment.spans:
        after = next((token.word for token in ask.tokens if token.start >= span.end), "")
        if span.tag in ("name", "org") and after == "one":
            fitting = [ref for ref in _listed(plan, ask) if all_near(span.text, f"{ref.name} {ref.about}")]
            return {"": fitting[0], span.text.lower(): fitting[0]} if len(fitting) == 1 else {}
    return {}


def _other_deal(plan: Plan, ask: Ask) -> Ref | None:
    """Return the one other open deal of the account whose deal was spoken of last: "and their other deal?"."""
    refs = plan.topic.refs
    is_asked = "other" in ask.words and ask.kinds[:1] == ("opportunity",) and not ask.texts("name")
    if not is_asked or [ref.type for ref in refs] != ["opportunity"] or len(plan.topic.listed) > 1:
        return None
    account = plan.record(refs[0]).get("account_id")
    found = plan.need("search_opportunities", account_id=account, open_only=True) if account else None
    others = [ref_of(item) for item in items_of(found) if item.get("id") != refs[0].id]
    return others[0] if len(others) == 1 else None


def _listed(plan: Plan, ask: Ask) -> Sequence[Ref]:
    """Return the records of one kind that were listed last and that the ask can be about."""
    for refs in (plan.topic.refs, plan.topic.listed):
        activities = [ref for ref in refs if ref.type == "activity"]
        records = [ref for ref in refs if ref.type in KINDS]
        if len(activities) > 1:
            return activities[:MAX_DESCRIBED] if ask.act in _ACTS_ON_ACTIVITIES else ()
        if len(records) > 1 and len({ref.type for ref in records}) == 1 and not activities:
            is_possible = ask.act != "change_activity" or records[0].type == "opportunity"
            return records[:MAX_DESCRIBED] if is_possible else ()
    search = plan.topic.search
    if plan.topic.refs or search is None or search.within or not ask.texts("ref") or not _is_descriptive(ask):
        return ()
    # "We have 2 open deals." - "Move the smaller one to negotiation."
    items = items_of(plan.need(search.tool, **search.arguments))
    return [ref_of(item) for item in items] if len(items) <= MAX_DESCRIBED else ()


def _is_descriptive(ask: Ask) -> bool:
    return bool(ask.orders or ordinals_of(ask) or ask.texts("when"))


def _is_name(ask: Ask, span: Span) -> bool:
    """Return whether a slot is a name, and no description such as "the actuary"."""
    before = [token.word for token in tokenize(ask.text[: span.start])][-1:]
    is_description = span.text.islower() and bool(before) and before[0] in _DETERMINERS
    return span.tag == "name" and not is_description


def _placed(plan: Plan, ask: Ask, group: Sequence[Ref]) -> Ref | None:
    """Return the record at a place of the list, or the one of two that the last answer was not about."""
    if places := ordinals_of(ask):
        return chosen(group, places[0])
    current = {ref.id for ref in plan.topic.refs}
    rest = [ref for ref in group if ref.id not in current]
    return rest[0] if "other" in ask.words and len(group) == 2 and len(rest) == 1 else None


def first_of(plan: Plan, ask: Ask, candidates: Sequence[Ref]) -> Ref | None:
    """Return the one of several records of a kind that an ask's order tells, as in "the smaller one"."""
    return _first_in_order(plan, ask, candidates) if len({ref.type for ref in candidates}) == 1 else None


def _first_in_order(plan: Plan, ask: Ask, group: Sequence[Ref]) -> Ref | None:
    """Return the record that is first in an order, as in "the smaller one" or "the biggest deal"."""
    nouns = (ask.outside[end] for _, _, end in ask.orders if end < len(ask.outside))
    is_part = any(noun.word in ("one", "of") or lexicon.kind_named(noun) for noun in nouns)
    is_part = is_part or "one with the" in ask.text.lower()  # "the one with the best score"
    here = replace(plan, topic=replace(plan.topic, refs=tuple(group)))
    return picked(here, ask) if is_part else None


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
    if after and _is_noun(after[0]) and before and before[-1].word in _DETERMINERS:
        return True
    return bool(before) and before[-1].word == "one" and len(before) > 1 and before[-2].word in _DETERMINERS


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

    What is done may have been told before: "the case study has gone out, so tick that off".
    """
    is_told_before = ask.act == "complete_activity" and bool(ask.texts("ref"))
    tags = _VALUE_TAGS if ask.act in _ACTS_ON_ACTIVITIES else _VALUE_TAGS | {"topic"}
    values = [span for span in ask.segment.spans if span.tag in tags]
    tokens: Iterable[Token] = (
        one for one in ask.tokens if not any(span.start <= one.start < span.end for span in values)
    )
    tokens = tokenize(plan.scene.user_text) if is_told_before else list(tokens)
    for place, token in enumerate(tokens):
        if token.word not in _DETERMINERS:
            continue
        phrase = list[str]()
        for word in tokens[place + 1 : place + 1 + MAX_PHRASE_WORDS]:
            if word.kind != "word" or word.word in lexicon.LINK_WORDS | lexicon.STATING_VERBS | lexicon.PERSON_PRONOUNS:
                break
            phrase.append(word.word)
        yield [word for word in phrase if len(word) >= MIN_WORD_LENGTH]


def _read(plan: Plan, group: Sequence[Ref]) -> list[dict[str, object]]:
    return read_records(plan, tuple(group))
