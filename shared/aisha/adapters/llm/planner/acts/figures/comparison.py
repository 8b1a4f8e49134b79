"""Put records side by side, or the figures of colleagues."""

import re
from collections.abc import Sequence
from decimal import Decimal
from functools import partial

from msgspec.structs import replace

from aisha.adapters.llm.planner import naming, resolve
from aisha.adapters.llm.planner.acts.figures.counting import parts_compared
from aisha.adapters.llm.planner.acts.profile.picking import MAX_HISTORY, PAIR, last_two, picked, readable
from aisha.adapters.llm.planner.acts.search.fetching import fetch
from aisha.adapters.llm.planner.acts.search.reading import filters_of
from aisha.adapters.llm.planner.acts.search.words import STAFF
from aisha.adapters.llm.planner.plan import ACTS, Answer, Plan, act, at_once
from aisha.adapters.llm.planner.replies import figures, formats, profiles
from aisha.adapters.llm.planner.results import ref_of
from aisha.adapters.llm.planner.state import Ref, Topic
from aisha.domain.language import lexicon
from aisha.domain.language.acts import READS
from aisha.domain.language.ask import Ask
from aisha.domain.language.reader import Span

_NUMBER = re.compile(r"\d+(?:\.\d+)?")
_MORE, _LESS = frozenset("more most higher larger bigger".split()), frozenset("less fewer lower smaller".split())


@act("compare")
def compare(plan: Plan, ask: Ask) -> Answer:
    """Put records side by side, or the figures of colleagues."""
    ask = readable(ask)
    owners, names = [text.split()[0].lower() for text in ask.texts("owner")], ask.texts("name")
    if len(owners) == 1 and not names and len(plan.topic.refs) > 1 and not ask.words & lexicon.SELF_WORDS:
        # "Which of the two is Bob's?"
        held = [one for one in plan.records(plan.topic.refs[:MAX_HISTORY]) if one.get("owner") == owners[0]]
        return Answer(profiles.held_by(owners[0], held), topic=Topic(tuple(map(ref_of, held))) if held else plan.topic)
    if owners and not names:
        return _compare_people(plan, ask, owners)
    if not names and (ask.kinds or ask.times) and len(parts_compared(ask)) > 1:
        return ACTS["count"](plan, ask)  # "Compare won and lost deals this quarter"
    before = plan.topic.asked
    if not names and "difference" in ask.words and before is not None and before.act == "ask_field":
        fields_before = tuple(one for one in before.spans if one.tag == "field")
        ask = Ask(ask.segment.followed_by(replace(before, spans=fields_before)), ask.now)  # Of what was asked last.
    refs = _records_to_compare(plan, ask, names)
    if len(refs) == 1:
        raise plan.ask_who(ask, f"With what shall I compare {refs[0].name}?")
    fields = [lexicon.field_name(one, refs[0].type) for one in ask.fields]
    text = profiles.compare(plan.records(refs), plan.now, plan.user, fields)
    if len(fields) == 1 and (first_by := _first_by(plan, ask, refs, fields[0])) is not None:
        text, refs = f"{first_by[0]}\n\n{text}", (first_by[1],)
    compared = refs
    orders = {order for order, _, _ in ask.orders} if not fields else set[str]()
    if orders and (first := picked(replace(plan, topic=Topic(refs)), ask.with_spans(()))) is not None:
        field = lexicon.entries("order_fields")[next(iter(orders))][first.type].lstrip("-")
        sentence = profiles.tell_fields(plan.record(first), [field], plan.now)
        refs = (first,)  # "him" is the one that was asked for.
        text = f"It's **{first.name}**: {sentence[:1].lower()}{sentence[1:]}\n\n{text}"
    return Answer(text, topic=Topic(refs, listed=compared))


def compared_again(plan: Plan, ask: Ask) -> Answer | None:
    """Return the comparison of the last two records by another field: "and by number of people?"; else None."""
    asked, refs = plan.topic.asked, plan.topic.listed
    is_bare = "by" in ask.words and not (ask.texts("name") or ask.texts("owner") or ask.texts("value"))
    if asked is None or asked.act != "compare" or len(refs) != len(PAIR) or ask.act not in READS | {"again"}:
        return None
    is_of_staff = bool(ask.words & STAFF) and refs[0].type == "account"
    fields = ["employees"] if is_of_staff else lexicon.fields_in(ask.text)
    if not is_bare or not fields:
        return None
    again = replace(asked, spans=(Span("field", fields[0].replace("_", " "), 0),))
    return compare(replace(plan, topic=replace(plan.topic, refs=refs)), Ask(again, ask.now))


def _first_by(plan: Plan, ask: Ask, refs: tuple[Ref, ...], field: str) -> tuple[str, Ref] | None:
    """Return which record has more, or less, of a field with numbers; None where nothing asks for that."""
    read = plan.records(refs)
    records = [one | {field: Decimal(one[field])} for one in read if _NUMBER.fullmatch(str(one.get(field)))]
    if not records or ask.words.isdisjoint(_MORE | _LESS | {"difference"}):
        return None
    ranked = sorted(records, key=lambda one: one[field], reverse=ask.words.isdisjoint(_LESS))
    gap = ranked[0] | {field: abs(ranked[0][field] - ranked[-1][field])}
    value = formats.format_value(gap, field, plan.now)
    return f"It's **{ranked[0]['display_name']}**, by {value}.", ref_of(ranked[0])


def _compare_people(plan: Plan, ask: Ask, owners: list[str]) -> Answer:
    """Put the figures of colleagues side by side, of one beside the user's own."""
    owners += ["me"] * (len(owners) == 1)
    outcomes = plan.need_all([plan.planned("get_pipeline_summary", owner=owner) for owner in owners])
    parts = [(one.value or {}).get("sections") or () for one in outcomes]
    if any(sum(int(part["count"]) for part in own) == 0 for own in parts) and not ask.words & lexicon.SELF_WORDS:
        # Who owns nothing is no colleague.
        named = ask.with_spans(replace(one, tag="name") for one in ask.segment.spans if one.tag == "owner")
        return compare(plan, named)
    return Answer(figures.compare_people(owners, [one.value or {} for one in outcomes]), topic=plan.topic)


def _of_one_kind(plan: Plan, ask: Ask, refs: tuple[Ref, ...]) -> tuple[Ref, ...]:
    """Return records named beside a deal as deals, too, where they have one: "compare Acme with the Globex pilot"."""
    names = ask.texts("name")
    if len(names) != len(refs) or {ref.type for ref in refs} != {"account", "opportunity"}:
        return refs
    matches = at_once(partial(naming.by_name, plan, name, ("opportunity",)) for name in names)
    pairs = zip(refs, matches, strict=True)
    return tuple(
        ref if isinstance(match, naming.Unknown) else resolve.settled(plan, ask, match) for ref, match in pairs
    )


def _records_to_compare(plan: Plan, ask: Ask, names: Sequence[str]) -> tuple[Ref, ...]:
    """Return the records named, at places of the last list, spoken of last, or described: one if there is no other."""
    places = resolve.ordinals_of(ask)
    refs = tuple(ref for place in places if (ref := naming.chosen(plan.topic.refs, place))) if len(places) > 1 else ()
    if not names and not refs and len(plan.topic.refs) == 2:
        refs = plan.topic.refs
    elif not names and not refs and ask.words & (PAIR | {"difference"}):
        refs = last_two(plan)
    if not (refs or names or ask.texts("ref")) and (kind := next(iter(resolve.kinds_named(ask)), "")):
        # "compare the two Acme deals": the open ones, where there are more
        items = fetch(plan, filters_of(plan, ask, kind), MAX_HISTORY).items
        alive = [one for one in items if not str(one.get("stage")).startswith("closed")]
        refs = next((tuple(map(ref_of, few)) for few in (items, alive) if len(few) == (ask.count or 2)), ())
    refs = refs or _of_one_kind(plan, ask, resolve.require_all(plan, ask, "Which two records shall I compare?"))
    # The name that is said tells nothing of whom "him" means.
    unnamed = ask
    for span in ask.segment.spans:
        unnamed = unnamed.without(span.start, span.end) if span.tag == "name" else unnamed
    if len(refs) == 1 and ask.texts("ref") and (other := resolve.pointed_at(plan, unnamed)) is not None:
        return tuple(dict.fromkeys((other, *refs)))
    return refs
