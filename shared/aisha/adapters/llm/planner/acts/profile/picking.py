"""Pick and read the records that a question is about."""

from collections.abc import Iterator
from itertools import pairwise

from msgspec.structs import replace

from aisha.adapters.llm.planner.acts.search.fetching import sort_key
from aisha.adapters.llm.planner.acts.search.kinds import order_field
from aisha.adapters.llm.planner.acts.search.words import stems_of
from aisha.adapters.llm.planner.plan import Plan
from aisha.adapters.llm.planner.replies import profiles
from aisha.adapters.llm.planner.resolve import ordinals_of, pointed_at, require
from aisha.adapters.llm.planner.slots import plausible, strange
from aisha.adapters.llm.planner.state import Ref
from aisha.domain.language import lexicon
from aisha.domain.language.ask import Ask
from aisha.domain.language.lexicon import KINDS
from aisha.domain.language.reader import Span
from aisha.domain.language.tokens import Token

MAX_HISTORY = 10
_MIN_TELLING = 2
"""Letters of the longest words that tell nothing of a record."""
PAIR = lexicon.BOTH_WORDS


def readable(ask: Ask) -> Ask:
    """Return the ask with the slots that asks about records have: no texts, and names of existing records only."""
    spans = [one for one in ask.segment.spans if one.tag not in ("text", "topic")]
    return plausible(
        ask.with_spans(Span("name" if one.tag == "new" else one.tag, one.text, one.start) for one in spans)
    )


def picked(plan: Plan, ask: Ask) -> Ref | None:
    """Return the record that was chosen, or the one of the last list that comes first in the order said.

    Raises `EarlyAnswer` where several come first.
    """
    if (bound := plan.bindings.get("")) is not None:
        return bound
    group = plan.topic.group or (last_two(plan) if ask.words & PAIR else ())
    kinds = {ref.type for ref in group}
    orders = [order for order, _, _ in ask.orders]
    is_that = any(one.word in ("that", "this") and two.word == "one" for one, two in pairwise(ask.outside))
    if is_that and not orders and len(plan.topic.refs) == 1:
        return plan.topic.refs[0]
    if len(kinds) != 1 or ask.texts("name") or ask.texts("org") or "other" in ask.words:
        return None
    (kind,) = kinds
    if kind not in KINDS:
        return None
    if not (field := next((one for order in orders if (one := order_field(ask, order, kind))), "")):
        is_placed = bool(ordinals_of(ask))
        is_part = bool(ask.texts("ref")) or "which" in ask.words
        return _described(plan, ask, group) if is_part and not is_placed else None
    name, refs = field.lstrip("-"), group[:MAX_HISTORY]
    ranked = [
        (sort_key(record[name]), ref)
        for record, ref in zip(plan.records(refs), refs, strict=True)
        if record.get(name) is not None
    ]
    ranked.sort(key=lambda pair: pair[0], reverse=field.startswith("-"))
    ties = [ref for value, ref in ranked if value == ranked[0][0]]
    if len(ties) > 1 and name != "created_at":  # Many records are made on one day.
        raise plan.refuse(profiles.tell_tie([plan.record(ref) for ref in ties], name, plan.now))
    return ranked[0][1] if ranked else None


def _described(plan: Plan, ask: Ask, group: tuple[Ref, ...]) -> Ref | None:
    """Return the record of a list whose fields have more of the ask's words than any other's: "the fleet director"."""
    stems = stems_of(" ".join(token.word for token in ask.outside if len(token.word) > _MIN_TELLING))
    records = plan.records(group[:MAX_HISTORY]) if stems else []
    record_stems = [stems_of(" ".join(map(str, record.values()))) for record in records]
    shared = [stems & fields - record_stems[0].intersection(*record_stems) for fields in record_stems]
    ranked = sorted(zip(shared, group, strict=False), key=lambda pair: len(pair[0]), reverse=True)
    return ranked[0][1] if len(ranked) > 1 and len(ranked[0][0]) > len(ranked[1][0]) else None


def last_two(plan: Plan) -> tuple[Ref, ...]:
    """Return the record spoken of last and the one of its kind before it, which "the two" are."""
    last = plan.topic.refs[:1]
    spoken_of = [Ref(one.type, one.id, one.name) for one in plan.scene.entities]
    others = [ref for ref in spoken_of if last and ref.type == last[0].type and ref.id != last[0].id]
    return (*last, others[0]) if others else ()


def people_meant(plan: Plan, ask: Ask) -> tuple[Ref, ...]:
    """Return the two spoken of last, or the others of the list, whose fields are asked for: "both their phones"."""
    if ask.act != "ask_field" or plan.bindings or plan.spoken or ask.texts("name") or ask.texts("org"):
        return ()
    is_pair = any(one.word in ("the", "these", "those") and two.word == "two" for one, two in _pairs(ask))
    fields = [one.lower() for one in ask.texts("field")]
    is_plural = any(one.endswith("s") and lexicon.phrase_key(one.removesuffix("s"), "fields") for one in fields)
    is_of_each = "both" in ask.words or is_pair or (is_plural and bool(ask.words & lexicon.THEY_PRONOUNS))
    if not is_of_each or "which" in ask.words:
        return ()
    people = tuple(ref for ref in plan.topic.refs if ref.type in (KINDS if is_pair else ("lead", "contact")))
    if len(people) != 1:
        return people if is_pair else ()
    return last_two(replace(plan, topic=replace(plan.topic, refs=people)))


def _pairs(ask: Ask) -> Iterator[tuple[Token, Token]]:
    """Yield the tokens of an ask with the next one each, the last one with itself."""
    return pairwise([*ask.tokens, *ask.tokens[-1:]])


def with_unexplained_name(plan: Plan, ask: Ask) -> Ask:
    """Return the ask with words that nothing explains as its name, if it has none and points at nothing."""
    unread = strange(ask)
    if (
        not unread
        or ask.words & lexicon.PERSON_PRONOUNS
        or any(ask.texts(tag) for tag in ("name", "org", "ref", "owner"))
    ):
        return ask
    size = next((at for at in range(1, len(unread)) if unread[at].start - unread[at - 1].end != 1), len(unread))
    is_name = unread[0].is_capital or size > 1 or unread[0] == ask.tokens[-1]
    if not is_name or (plan.topic.refs and not unread[0].is_capital):
        return ask
    name = Span("name", ask.text[unread[0].start : unread[size - 1].end], unread[0].start)
    return plausible(ask.with_spans((*ask.segment.spans, name)))


def require_one(plan: Plan, ask: Ask, question: str, kinds: tuple[str, ...] = ()) -> Ref:
    """Return the record that an ask is about. A kind is passed over that only names what belongs to it."""
    if (ref := picked(plan, ask)) is not None:
        return ref
    ask = with_unexplained_name(plan, ask)
    if not ask.texts("name") and not ask.texts("org") and pointed_at(plan, ask, kinds) is None:
        kinds = ()
        if ask.kinds and (match := pointed_at(plan, ask, KINDS)) is not None:
            return match
    return require(plan, ask, question, kinds)
