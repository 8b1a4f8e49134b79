"""Show the first records of an order, and tell what is asked of them."""

from collections.abc import Sequence
from functools import reduce
from itertools import pairwise
from typing import Any

from msgspec.structs import replace

from aisha.adapters.llm.planner.acts.figures.counting import is_weighted
from aisha.adapters.llm.planner.acts.figures.forecasts import expected_amount
from aisha.adapters.llm.planner.acts.profile.history import SPEAKING
from aisha.adapters.llm.planner.acts.profile.picking import picked
from aisha.adapters.llm.planner.acts.search import fetching
from aisha.adapters.llm.planner.acts.search.kinds import is_bare_which, is_plural_kind, kind_meant, order_field, tool_of
from aisha.adapters.llm.planner.acts.search.listing import at_place
from aisha.adapters.llm.planner.acts.search.orders import field_places, is_sorted, order_meant, unranked
from aisha.adapters.llm.planner.acts.search.reading import filters_of
from aisha.adapters.llm.planner.acts.search.relations import OF_OWNERS
from aisha.adapters.llm.planner.acts.search.words import DENIED, contacted_stems, denials
from aisha.adapters.llm.planner.plan import ACTS, Answer, Plan, act
from aisha.adapters.llm.planner.replies import figures, formats, listings, profiles
from aisha.adapters.llm.planner.results import ref_of
from aisha.adapters.llm.planner.slots import repaired
from aisha.adapters.llm.planner.state import Ref, Topic
from aisha.domain.language import lexicon
from aisha.domain.language.acts import READS
from aisha.domain.language.ask import Ask
from aisha.domain.language.lexicon import KINDS
from aisha.domain.language.reader import Span
from aisha.domain.language.tokens import Token, tokenize

MAX_RANKED = 5
"""Records of a ranking for which no number was said."""
_BEHIND = frozenset("behind worst lowest least slowest weakest".split())
# Words before a field by which records are ranked or chosen.
_CONDITIONAL = frozenset("by with without no missing lacking per sorted ordered".split())
# Words that ask for the first of a ranking alone.
_ONE = frozenset("is has does was closes what's who's which's one".split())
# Superlatives of any field.
_ENDS = frozenset("best worst highest lowest most least".split())


def of_first_listed(plan: Plan, ask: Ask) -> Answer | None:
    """Return what belongs to the first of the companies listed: "what's open with the biggest?"; else None."""
    for _, first, last in ask.orders if ask.act in READS else ():
        before = [one for one in ask.outside[:first] if one.word not in lexicon.DETERMINERS]
        rest = [one for one in ask.outside[last:] if one.kind != "mark" and one.word not in ("one", "of", "them")]
        if not before or before[-1].word not in OF_OWNERS - {"of"} or rest or len(plan.topic.group) < 2:
            continue
        start, end = ask.outside[first].start, ask.outside[last - 1].end
        if (ref := picked(plan, ask.with_spans(()).without(0, before[-1].end))) is not None and ref.type == "account":
            segment = ask.segment.with_words(start, end, ref.name)
            spans = [one for one in segment.spans if one.tag != "ref"]
            named = replace(segment, act="search", spans=(*spans, Span("org", ref.name, start)))
            return ACTS["search"](plan, Ask(named, ask.now))
    return None


@act("rank")
def rank(plan: Plan, ask: Ask) -> Answer:
    """Show the first records of an order, each with the value that gives it its place."""
    ask = _with_field_before(plan, ask)
    if is_weighted(ask):
        return ACTS["forecast"](plan, ask)
    if plan.topic.refs and plan.topic.refs[0].type == "goal" and not ask.kinds:
        return _rank_goals(plan, ask)
    if len(ask.texts("name")) > 1:
        return ACTS["compare"](plan, ask)
    if (ref := _picked_of_list(plan, ask)) is not None:
        # "the contact of the largest of them", "the smaller one closes when"
        return _told_with_order(replace(plan, bindings={**plan.bindings, "": ref}), ask, ref)
    if (placed := at_place(plan, ask)) is not None:
        return ACTS["about"](replace(plan, bindings={**plan.bindings, "": placed}), ask)
    if words := unranked(ask):
        return Answer(figures.no_order(kind_meant(plan, ask) or "opportunity", words), topic=plan.topic)
    return _with_fields_asked(plan, repaired(ask))


def _with_field_before(plan: Plan, ask: Ask) -> Ask:
    """Return a ranking that names no field and no records as one by the field of the ranking before.

    Example: "Who has the best score?" - "And who has the lowest?".
    """
    asked = plan.topic.asked
    is_bare = bool(ask.words & _ENDS) and not (ask.segment.spans or ask.kinds or ask.fields)
    if not is_bare or asked is None or asked.act != "rank":
        return ask
    field = next((span.text for span in asked.spans if span.tag == "field"), "")
    place = next(one.end for one in ask.tokens if one.word in _ENDS)
    text = f"{ask.text[:place]} {field}{ask.text[place:]}"
    spans = (Span("field", field, place + 1),)
    return Ask(replace(ask.segment, text=text, spans=spans), ask.now) if field else ask


def _with_fields_asked(plan: Plan, ask: Ask) -> Answer:
    """Rank records, and tell what is asked of the first: "who owns our biggest deal", "which account is it with"."""
    by = field_places(ask, kind_meant(plan, ask) or "opportunity")
    places, ranked = ask.order_places, next((one for one in _ranked_nouns(ask) if not _is_within(one, by)), None)
    fields = [span for span in ask.segment.spans if span.tag == "field" and _is_asked(ask, span)]
    fields = [span for span in fields if not _says_outcome(span)]  # "Our biggest loss" is a deal.
    fields = [span for span in fields if not _is_within(span, by)]
    nouns = [one for one in ask.outside if lexicon.kind_named(one) in KINDS and ranked and one.end < ranked.start]
    pairs = pairwise(ask.outside)
    named = [noun for article, noun in pairs if ranked and article.word == "the" and lexicon.fields_in(noun.word)]
    nouns += [one for one in named if places and one.end <= places[0][0] and _is_asked(ask, one)]
    refs = [span for span in ask.segment.spans if span.tag == "ref" and places and span.start >= places[0][1]]
    beside = [(one.start, one.end) for one in (*fields, *nouns, *(refs if fields else ()))]
    answer = _rank_kind(plan, reduce(lambda part, place: part.without(*place), beside, ask))
    if not beside or answer.topic is None or len(answer.topic.refs) != 1:
        return answer
    described = [*places, *((one.start, one.end) for one in (ranked,) if one)]
    described += [(span.start, span.end) for span in ask.segment.spans if span.tag == "value"]
    bound = replace(plan, bindings={**plan.bindings, "": answer.topic.refs[0]})
    asked = ACTS["ask_field"](bound, reduce(lambda part, place: part.without(*place), described, ask))
    return replace(answer, text=f"{answer.text}\n\n{asked.text}")


def _says_outcome(span: Span) -> bool:
    return any(lexicon.placed_in(tokenize(span.text), "asked_values"))


def _is_within(one: Span | Token, places: Sequence[tuple[int, int]]) -> bool:
    return any(start <= one.start < end for start, end in places)


def _is_asked(ask: Ask, field: Span | Token) -> bool:
    """Return whether a field is asked for: before the order or last, and no condition, as in "without a phone"."""
    before = [token.word for token in ask.tokens if token.end <= field.start][-2:]
    is_last = not ask.text[field.end :].strip(" ?.!")
    is_first = all(field.end <= start for start, _ in ask.order_places)
    is_unit = bool(before) and lexicon.number_in(before[-1]) is not None  # "of more than 100 employees"
    return (is_first or is_last) and not ({*before} & _CONDITIONAL or ask.is_order(field) or is_unit)


def _ranked_nouns(ask: Ask) -> list[Token]:
    """Return the kinds of records that orders stand before: "deal" of "our biggest deal"."""
    after = (ask.outside[end : end + 1] for _, _, end in ask.orders)
    return [one for tokens in after for one in tokens if lexicon.kind_named(one) in KINDS]


def _told_with_order(plan: Plan, ask: Ask, ref: Ref) -> Answer:
    """Tell the fields asked for of the first record in an order, or the value that makes it the first, and all else."""
    answer = ACTS["ask_field"](plan, ask)
    fields = [one for order, _, _ in ask.orders if (one := order_field(ask, order, ref.type))]
    record = plan.record(ref)
    name = fields[0].lstrip("-") if fields else ""
    if not name or ask.fields or record.get(name) is None or len((answer.topic or plan.topic).refs) != 1:
        return answer
    value_text = profiles.tell_fields(record, [name], plan.now, plan.user)
    return answer if value_text in answer.text else replace(answer, text=f"{value_text}\n\n{answer.text}")


def _picked_of_list(plan: Plan, ask: Ask) -> Ref | None:
    """Return the record of the list shown, if the ask is about the first of it in an order, and not for a new list."""
    is_other = not ask.kinds or (bool(plan.topic.refs) and plan.topic.refs[0].type not in ask.kinds)
    last = plan.topic.search
    is_whole = last is None or last.total is None or last.total <= len(plan.topic.group)
    is_pointing = bool(ask.texts("ref") or "one" in ask.words or "which of" in ask.text.lower())
    is_pointing = is_pointing or (last is None and is_bare_which(ask))
    # "The biggest open one" is the first of a part of the list.
    is_of_part = any(map(lexicon.values_in, ask.texts("value")))
    is_of_part = is_of_part or any(lexicon.placed_in(ask.outside, "asked_values"))  # "The biggest we're working on."
    is_of_all = is_other and is_whole and not (is_of_part or is_sorted(ask))
    return picked(plan, ask) if is_of_all and is_pointing else None


def _rank_kind(plan: Plan, ask: Ask) -> Answer:
    """Show the first records of a kind, in the order that an ask names or the usual one of the kind."""
    kind, bare = kind_meant(plan, ask), ask
    orders = [order for order, _, _ in ask.orders]
    names = lexicon.entries("order_names")
    kind = kind or _kind_listed(plan) or next((names[one].get("kind", "") for one in orders), "") or "opportunity"
    # Cut out: "most urgent" is no priority to filter by.
    for place in (*ask.order_places, *field_places(ask, kind)):
        bare = bare.without(*place)
    order = order_meant(ask, kind)
    if _is_of_silence(ask, order.field):
        contact_words = [one for one in bare.outside if one.word in DENIED or one.stem in contacted_stems() | SPEAKING]
        bare = reduce(lambda part, one: part.without(one.start, one.end), contact_words, bare)
        order = replace(order, is_descending=False, shown=names["longest_silent"]["shown"])
    filters = filters_of(plan, bare, kind)
    if kind == "opportunity" and "stage" not in filters.arguments and not filters.conditions:
        filters.arguments["open_only"] = True
    described = filters.described(1), filters.described(2)
    if order.shown == names["closing_first"]["shown"]:
        filters.arguments.setdefault("closing_after", plan.now.date().isoformat())
    page, field = fetching.fetch(plan, filters, fetching.MAX_CHECKED), order.field
    if filters.is_silent:  # Where nobody was contacted so long ago, those who never were are meant.
        described = filters.described(1), filters.described(2)
    ranked = [one | {"expected": expected_amount(one)} for one in page.items]
    ranked = [one for one in ranked if one.get(field) is not None]
    ranked.sort(key=lambda one: fetching.sort_key(one[field]), reverse=order.is_descending)
    top = ranked[: _number_ranked(ask)]
    owner, noun = filters.arguments.get("owner"), described[len(top) != 1]
    if not page.items:
        none = listings.format_total(owner, 0, described[1])
        return Answer(listings.with_limits(f"{none}.", filters.unknown, page.checked))
    text = "" if order.is_meant else figures.cant_rank(kind, field)
    described_by = " ".join(filter(None, (order.shown, noun, order.tail)))
    text += figures.format_ranked(owner, described_by, top, field, page.total, plan.now)
    text += _reason(plan, top[0], field) if len(top) == 1 and "why" in ask.words else ""
    checked = len(page.items) if page.cursor else page.checked
    # "And who's second?" goes on in the order.
    listed = tuple(map(ref_of, ranked[: fetching.MAX_LISTED])) if len(ranked) > 1 else ()
    search = fetching.search_of(filters, page, page.total)
    if 1 < len(top) < len(ranked):  # "Which of these are in proposal?" is about those that were shown.
        search = replace(search, within=("", tuple(str(one["id"]) for one in top)))
    topic = Topic(tuple(map(ref_of, top)), search, listed=listed)
    return Answer(listings.with_limits(text, filters.unknown, checked), topic=topic)


def _is_of_silence(ask: Ask, field: str) -> bool:
    """Return whether an ask is for those without contact for longest: "which lead have we not called for longest?"."""
    return field == "last_contacted_at" and denials(ask.outside) % 2 == 1 and not ask.times


def _kind_listed(plan: Plan) -> str | None:
    """Return the kind of the records of the last list, which a ranking without a noun goes on with."""
    last = plan.topic.search.tool if plan.topic.search and plan.topic.refs else ""
    return next((kind for kind in KINDS if tool_of(kind) == last), None)


def _reason(plan: Plan, first: dict[str, Any], field: str) -> str:
    """Return why a record is the first: the points of a lead's score, else the field that they are ranked by."""
    if field != "score" or not plan.has("score_lead"):
        return f" I go by the {formats.field_noun(field)}."
    value = plan.call("score_lead", "look up the score", lead_id=first["id"])
    return f"\n\n{profiles.format_score(value)}"


def _number_ranked(ask: Ask) -> int:
    """Return how many records of an order an ask is for: "top 3", "the largest deals", "the largest one"."""
    if ask.count:
        return ask.count
    if is_sorted(ask):
        return fetching.MAX_LISTED
    is_plural = any(map(is_plural_kind, ask.outside)) or "ones" in ask.words
    words = ask.text.lower()
    if (not is_plural and "which of" in words) or words.startswith("which ones "):
        return 1  # "Which of them closes first?", "which ones bigger"
    return MAX_RANKED if "top" in ask.words or (is_plural and not ask.words & _ONE) else 1


def _rank_goals(plan: Plan, ask: Ask) -> Answer:
    """Tell which goal is furthest, or furthest behind."""
    goals = plan.call("get_goals", "look up the goals")["items"]
    is_low = bool(ask.words & _BEHIND)
    first = sorted(goals, key=lambda goal: goal.get("progress") or 0, reverse=not is_low)[0]
    order = "furthest behind" if is_low else "furthest along"
    text = f"**{first['title']}** is {order}: {first.get('progress') or 0}% done."
    return Answer(text, topic=Topic((Ref("goal", first["id"], first["title"]),)))
