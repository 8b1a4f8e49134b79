"""Find the records that a description can mean: those of the last list, and the words of an ask for one of them."""

from collections.abc import Iterable, Iterator, Sequence
from datetime import date
from itertools import takewhile

from aisha.adapters.llm.planner.acts.search.kinds import tool_of
from aisha.adapters.llm.planner.acts.search.words import stems_of
from aisha.adapters.llm.planner.choices import choice_in
from aisha.adapters.llm.planner.conditions import POLITE
from aisha.adapters.llm.planner.plan import Plan
from aisha.adapters.llm.planner.results import items_of, ref_of
from aisha.adapters.llm.planner.state import Ref
from aisha.domain.dates.parsing import TimeSpan, find_times
from aisha.domain.language import lexicon
from aisha.domain.language.ask import Ask
from aisha.domain.language.lexicon import KINDS
from aisha.domain.language.marks import time_tokens
from aisha.domain.language.reader import Span
from aisha.domain.language.tokens import Token, tokenize

MAX_DESCRIBED = 10
"""Records of a list that are read for a description."""
MAX_PHRASE_WORDS = 4
MIN_WORD_LENGTH = 3
ACTS_ON_ACTIVITIES = frozenset("complete_activity change_activity delete".split())
_VALUE_TAGS = frozenset("value amount text field when".split())
# Tags of slots whose words describe no record.
_HOLDING = frozenset("text topic when amount count email phone url custom".split())
_BEFORE_DAYS = frozenset("on for from at due closing".split())
_SMALL = (
    lexicon.LINK_WORDS | lexicon.STATING_VERBS | lexicon.ORDER_VERBS | lexicon.ORDINALS.keys() | lexicon.QUESTION_STARTS
)
_SMALL |= frozenset(("said", "same", "other", "one", "ones"))
_DATE_FIELDS = {"activity": "due_at", "opportunity": "close_date"}


def description_at(ask: Ask, at: int) -> list[Token]:
    """Return the words at a place that may describe a record; none where the first is a field, a value or a time."""
    tokens, first = ask.tokens, ask.tokens[at]
    slot = next((one for one in ask.segment.spans if one.start <= first.start < one.end), None)
    is_held = slot is not None and (slot.tag in _HOLDING or is_name(ask, slot) or _is_known(slot.text))
    is_time = time_tokens(tokens, ask.now)
    # "The training package" may be a deal, "the call tomorrow" is none.
    has_more = at + 1 < len(tokens) and not (is_time[at + 1] or ends_phrase(tokens[at + 1]))
    if is_held or (_is_noun(first) and not has_more) or _is_known(first.word) or is_time[at]:
        return []
    return list(takewhile(lambda one: one.kind == "word", tokens[at : at + MAX_PHRASE_WORDS]))


def _is_known(text: str) -> bool:
    """Return whether words are the name of a field or a value, or small."""
    return bool(text in _SMALL | POLITE or lexicon.fields_in(text) or lexicon.values_in(text))


def ends_phrase(token: Token) -> bool:
    """Return whether a token is no part of a description before it."""
    is_verb = token.word.endswith("ing")  # "How's the pilot going?"
    return token.kind != "word" or is_verb or _is_noun(token) or _is_known(token.word)


def last_listed(plan: Plan, ask: Ask) -> Sequence[Ref]:
    """Return the records of one kind that were listed last and that the ask can be about."""
    for refs in (plan.topic.refs, plan.topic.listed):
        activities = [ref for ref in refs if ref.type == "activity"]
        records = [ref for ref in refs if ref.type in KINDS]
        # The people of a company are listed beside it.
        people = [ref for ref in records if ref.type == "contact"]
        records = people if len(people) == len(records) - 1 > 1 else records
        if len(activities) > 1:
            is_about_one = ask.act in ACTS_ON_ACTIVITIES or (ask.act == "ask_field" and choice_in(ask) is not None)
            return activities[:MAX_DESCRIBED] if is_about_one else ()
        if len(records) > 1 and len({ref.type for ref in records}) == 1 and not activities:
            return records[:MAX_DESCRIBED] if may_be_chosen(ask, records[0]) else ()
    return last_counted(plan) if choice_in(ask) is not None else ()


def last_counted(plan: Plan) -> Sequence[Ref]:
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


def may_be_chosen(ask: Ask, ref: Ref) -> bool:
    """Return whether an ask can be about one of a list with this record: people are not put off, deals are."""
    return ask.act != "change_activity" or ref.type in ("activity", "opportunity")


def is_name(ask: Ask, span: Span) -> bool:
    """Return whether a slot is a name, and no description such as "the actuary"."""
    before = [token.word for token in tokenize(ask.text[: span.start])][-1:]
    is_description = span.text.islower() and bool(before) and before[0] in lexicon.POINTING | lexicon.POSSESSIVES
    return span.tag in ("name", "org") and not is_description


def person_titled(plan: Plan, ask: Ask) -> tuple[Ref, Span] | None:
    """Return the only person of the last list with the job that is named, as in "the Actuary", and its slot."""
    named = [span for span in ask.segment.spans if span.tag in ("name", "new", "org")]
    before = [token.word for token in tokenize(ask.text[: named[0].start])][-1:] if named else []
    text = named[0].text.partition(" ") if named else ("", "", "")
    title = text[2] if text[0].lower() == "the" else named[0].text if before == ["the"] else ""
    group = last_listed(plan, ask) if title and len(named) == 1 else ()
    if (
        len(group) < 2
        or group[0].type not in ("lead", "contact")
        or any(stems_of(title) & stems_of(f"{ref.name} {ref.about}") for ref in group)
    ):
        return None
    records = zip(group, _read(plan, group), strict=True)
    fitting = [ref for ref, one in records if stems_of(title) == stems_of(str(one.get("job_title") or ""))]
    return (fitting[0], named[0]) if len(fitting) == 1 else None


def record_at_day(plan: Plan, ask: Ask, group: Sequence[Ref]) -> tuple[Ref, Span] | None:
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


def described_record(plan: Plan, ask: Ask, group: Sequence[Ref]) -> Ref | None:
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
    tags = _VALUE_TAGS if ask.act in ACTS_ON_ACTIVITIES else _VALUE_TAGS | {"topic"}
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
