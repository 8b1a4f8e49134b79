"""Count, sum, rank and forecast records."""

from collections import defaultdict
from collections.abc import Sequence
from functools import partial, reduce
from itertools import pairwise
from typing import Any

from msgspec.structs import replace

from aisha.adapters.llm.planner import policy
from aisha.adapters.llm.planner.acts.imagined import supposed
from aisha.adapters.llm.planner.acts.profile.picking import picked
from aisha.adapters.llm.planner.acts.search import groups
from aisha.adapters.llm.planner.acts.search.fetching import (
    MAX_CHECKED,
    MAX_LISTED,
    fetch,
    other_readings,
    read_otherwise,
    search_of,
    sort_key,
    sums_of,
    unknown_owner,
)
from aisha.adapters.llm.planner.acts.search.filters import Filters, listed_within
from aisha.adapters.llm.planner.acts.search.kinds import is_bare_which, is_plural_kind, kind_meant, order_field, tool_of
from aisha.adapters.llm.planner.acts.search.listing import at_place, scan_offered
from aisha.adapters.llm.planner.acts.search.orders import field_places, is_sorted, order_meant, unranked
from aisha.adapters.llm.planner.acts.search.reading import filters_of
from aisha.adapters.llm.planner.plan import ACTS, Answer, Plan, act, at_once
from aisha.adapters.llm.planner.replies import figures, formats, listings, profiles
from aisha.adapters.llm.planner.results import ref_of
from aisha.adapters.llm.planner.slots import repaired
from aisha.adapters.llm.planner.state import Ref, Search, Topic, restore
from aisha.domain.crm.records import RECORD_TYPES
from aisha.domain.dates.day_words import period_days
from aisha.domain.language import lexicon
from aisha.domain.language.ask import Ask
from aisha.domain.language.lexicon import KINDS
from aisha.domain.language.reader import Span
from aisha.domain.language.tokens import Token

MAX_RANKED = 5
"""Records of a ranking for which no number was said."""
_GROUPS = ("status", "stage", "health", "type")
_BEHIND = frozenset("behind worst lowest least slowest weakest".split())
_COUNTING = frozenset("how many much count counts number numbers total # quantity".split())
_LISTING = frozenset(("what", "what's", "whats", "which"))
"""Words that ask for records, where no number is asked for."""
_Totals = tuple[int, dict[str, float], int]
"""The number of records that fit, the sums of their amounts by currency, and `Page.checked`."""
_BOTH = frozenset(("two", "both"))
_AGAINST = frozenset("vs versus against compared v and".split())
_AROUND_AGAINST = frozenset("to with the many are there how".split())
_CONDITIONAL = frozenset("by with without no missing lacking per sorted ordered".split())
"""Words before a field by which records are ranked or chosen."""
_ONE = frozenset("is has does was closes what's who's which's one".split())
"""Words that ask for the first of a ranking alone."""


@act("count")
def count(plan: Plan, ask: Ask) -> Answer:
    """Count records exactly, with the sum, mean or share that is asked for; or sum up the pipeline by stage."""
    if ask.kinds[:1] == ("note",) and "notes" in ACTS:
        return ACTS["notes"](plan, ask)
    if (offered := scan_offered(plan, ask)) is not None:
        return offered
    is_ranked = ask.orders and not ask.words & {"many", "much", "than"}
    if (by_field := groups.split(plan, ask)) is not None:
        return by_field
    if is_ranked and not _is_weighted(ask):
        return rank(plan, ask)
    ask = repaired(ask)
    kind, asked = kind_meant(plan, ask), _summing(ask)
    if len(parts := _by_period(ask)) > 1 and {kind_meant(plan, one) for one in parts} == {kind}:
        answers = at_once(partial(count, plan, one) for one in parts)
        return Answer("\n\n".join(one.text for one in answers), topic=answers[-1].topic)
    if _is_of_record(plan, ask):
        return ACTS["ask_field"](plan, ask)
    is_list = plan.imagined is None and not asked and not ask.words & _COUNTING
    if kind and is_list and (ask.words & _LISTING or not policy.is_sure(ask)):
        return ACTS["search"](plan, ask)  # "What am I closing this month?"
    if ask.words & _BOTH and asked & {"together", "money_total"} and (added := _added(plan)):
        return added
    if "expected" in asked:
        return forecast(plan, ask)
    parted = [text for text in ask.texts("field") if ask.text.partition(text)[0].lower().endswith(("by ", "per "))]
    filters = filters_of(plan, ask, kind or "opportunity")
    is_grouped = "grouping" in asked or any(lexicon.phrase_key(text, "fields") in _GROUPS for text in parted)
    unsplit = figures.unsplit([] if is_grouped else parted)
    owner = filters.arguments.get("owner")
    topic = _topic_of(plan, filters)
    if plan.imagined is not None and "overview" in asked and filters.kind == "opportunity":
        filters.arguments.setdefault("open_only", True)  # "If Acme signs, what is my pipeline worth?"
    is_narrow = (
        plan.imagined is not None or bool(filters.conditions) or not filters.arguments.keys() <= {"owner", "open_only"}
    )
    if not is_narrow and (is_grouped or kind is None or ("overview" in asked and "many" not in ask.words)):
        types = filters.kind if kind or asked else None
        value = plan.call("get_pipeline_summary", "sum up the pipeline", entity_type=types, owner=owner)
        text = figures.format_overview(value, owner, lexicon.entries("open_values"))
        return Answer(listings.with_limits(text, filters.unknown) + unsplit, topic=topic)
    if asked & {"mean_value", "money_total", "together"} and (field := groups.measured(ask, filters.kind)):
        return groups.total_of(plan, filters, field, is_mean="mean_value" in asked)
    filters, (number, sums, checked) = _counted(plan, ask, filters)
    owner = filters.arguments.get("owner")
    if not number and (stranger := unknown_owner(plan, filters)):
        return Answer(listings.no_colleague(stranger), topic=plan.topic)
    topic = _topic_of(plan, filters)
    text = listings.format_total(owner, number, filters.described(number))
    if sums and (filters.kind == "opportunity" or asked & {"money_total", "together", "mean_value"}):
        text += figures.worth(text, sums)
    if sums and "mean_value" in asked:
        text += f", {formats.format_sums({one: total / number for one, total in sums.items()})} on average"
    if "part_of_all" in asked:
        text += _share(plan, ask, filters, number)
    text = f"{text}.{supposed(plan, filters, number, sums)}"
    return Answer(listings.with_limits(text, filters.unknown, checked) + unsplit, topic=topic)


def _added(plan: Plan) -> Answer | None:
    """Return the sum of the last two totals: "my proposals?" - "and in negotiation?" - "add the two together"."""
    answers = [message for message in reversed(plan.scene.history) if message.role == "assistant"]
    searches = [one for message in answers if (one := restore((message,)).topic.search) is not None][:2]
    if len(searches) < 2 or len(plan.topic.refs) == 2 or len({one.tool for one in searches}) > 1:
        return None
    kind = next(kind for kind in (*KINDS, "activity") if tool_of(kind) == searches[0].tool)
    parts = [_filters_again(plan, kind, one) for one in searches]
    totals = at_once([partial(_totals, plan, one) for one in parts])
    sums = defaultdict[str, float](float)
    for currency, amount in (pair for _, each, _ in totals for pair in each.items()):
        sums[currency] += amount
    described = [(one.described(number), number, each) for one, (number, each, _) in zip(parts, totals, strict=True)]
    number = sum(one for one, *_ in totals)
    text = figures.format_added(described, formats.format_count(number, kind), sums)
    return Answer(listings.with_limits(text, (), max(checked for *_, checked in totals)), topic=plan.topic)


def _filters_again(plan: Plan, kind: str, search: Search) -> Filters:
    """Return the filters of a search that was made before."""
    filters = Filters(kind, search.tool, plan.tools[search.tool].properties, dict(search.arguments))
    if search.within is not None:
        filters.conditions.append(listed_within(search.within))
    return filters


def _topic_of(plan: Plan, filters: Filters) -> Topic:
    """Return the records counted as the topic: the list shown if they are its, with those that met the conditions."""
    last = plan.topic.search
    is_same = last is not None and (last.tool, last.arguments) == (filters.tool, filters.arguments)
    if is_same and plan.topic.refs and len(filters.conditions) == bool(filters.within):
        return plan.topic
    if filters.conditions:
        return Topic(search=search_of(filters, fetch(plan, filters, MAX_CHECKED), None))
    return Topic(search=Search(filters.tool, filters.arguments, within=filters.within))


def _summing(ask: Ask) -> set[str]:
    """Return the keys of words that ask for a sum: not of fields, such as the expected close."""
    fields = [one for one in ask.segment.spans if one.tag == "field" and "close_date" in lexicon.fields_in(one.text)]
    tokens = [one for one in ask.outside if not any(span.start <= one.start < span.end for span in fields)]
    return {key for key, _, _ in lexicon.placed_in(tokens, "summing")}


def _by_period(ask: Ask) -> list[Ask]:
    """Return an ask that sets periods or values against each other as one for each: "April total against May"."""
    whens = [span for span in ask.segment.spans if span.tag == "when"]
    values = [one for one in _values_said(ask) if _is_against(ask, one)]
    spans = whens if len(whens) > 1 and len(ask.times) == len(whens) and ask.words & _AGAINST else values
    if len(spans) < 2:
        return []
    return [reduce(lambda part, other: part.without(other.start, other.end), _but(spans, one), ask) for one in spans]


def _is_against(ask: Ask, value: Span) -> bool:
    """Return whether "versus" stands before or after a value: "website vs referrals"."""
    # "customer accounts vs prospect accounts", "customers compared to prospects"
    tokens = [one for one in ask.tokens if one.word not in _AROUND_AGAINST and not _is_noun_of(one, value)]
    beside = [token.word for token in tokens if token.end <= value.start][-1:]
    beside += [token.word for token in tokens if token.start >= value.end][:1]
    return bool({*beside} & (_AGAINST - {"and"}))


def _is_noun_of(token: Token, value: Span) -> bool:
    return lexicon.kind_named(token) is not None and not value.start <= token.start < value.end


def _values_said(ask: Ask) -> list[Span]:
    """Return the values of an ask as slots, also where none was tagged: the types of accounts are nouns, too."""
    spans = [span for span in ask.segment.spans if span.tag == "value"]
    taken = [(span.start, span.end) for span in spans]
    for _, first, last in lexicon.placed_in(ask.outside, "values"):
        start, end = ask.outside[first].start, ask.outside[last - 1].end
        if not any(start < until and at < end for at, until in taken):
            spans.append(Span("value", ask.text[start:end], start))
    return sorted(spans, key=lambda span: span.start)


def _but(spans: Sequence[Span], one: Span) -> list[Span]:
    return [span for span in spans if span is not one]


def _is_of_record(plan: Plan, ask: Ask) -> bool:
    """Return whether an ask of no sure act names only fields of the record spoken of: "headcount and revenue"."""
    refs = [ref for ref in plan.topic.refs if ref.type in RECORD_TYPES]
    fields = lexicon.fields_in(" ".join(token.word for token in ask.outside))
    is_other = bool(ask.kinds or policy.is_sure(ask) or {span.tag for span in ask.segment.spans} - {"field", "ref"})
    if is_other or len(refs) != 1 or not fields:
        return False
    return {lexicon.field_name(one, refs[0].type) for one in fields} <= RECORD_TYPES[refs[0].type].model_fields.keys()


def _counted(plan: Plan, ask: Ask, filters: Filters) -> tuple[Filters, _Totals]:
    """Return the filters with their totals; where nothing fits, those of another reading of the ask that has any."""
    totals = _totals(plan, filters)
    if totals[0] or not (others := other_readings(plan, ask, filters)):
        return filters, totals
    tried = read_otherwise(plan, filters, [partial(_tried, plan, one, filters.kind) for one in others])
    return next((one for one in tried if one[1][0]), (filters, totals))


def _tried(plan: Plan, ask: Ask, kind: str) -> tuple[Filters, _Totals]:
    filters = filters_of(plan, ask, kind)
    return filters, _totals(plan, filters)


def _totals(plan: Plan, filters: Filters) -> _Totals:
    """Return how many records fit, the sums of their amounts by currency if all were read, and `Page.checked`."""
    arguments, sums = filters.arguments, defaultdict[str, float](float)
    statuses = [arguments[name] for name in _GROUPS if name in arguments]
    is_usual = len(statuses) < 2 and "overdue" not in statuses and not filters.conditions
    if is_usual and arguments.keys() <= {*_GROUPS, "owner", "open_only"}:
        about = {
            "entity_type": filters.kind,
            "owner": arguments.get("owner"),
            "status": statuses[0] if statuses else None,
        }
        parts = plan.call("get_pipeline_summary", "count those", **about)["sections"]
        if "open_only" in arguments:
            opened = lexicon.entries("open_values")[filters.kind]
            parts = [row for part in parts for row in part["by_status"] if row["status"] in opened]
        for row in (row for part in parts for row in part.get("by_currency") or [part]):
            sums[str(row.get("currency") or "USD")] += float(row.get("amount") or 0)
        return sum(int(part["count"]) for part in parts), {one: total for one, total in sums.items() if total}, 0
    page = fetch(plan, filters, MAX_CHECKED)
    is_whole = page.cursor is None and not page.checked
    return page.total or 0, sums_of(filters.kind, page.items) if is_whole else {}, page.checked


def _is_weighted(ask: Ask) -> bool:
    """Return whether an ask is for expected amounts: "weighted by probability" is no order."""
    return "expected" in {key for key, _, _ in lexicon.placed_in(ask.outside, "summing")}


def _share(plan: Plan, ask: Ask, filters: Filters, number: int) -> str:
    """Return which part a number is of the records named before the condition: "what share of my leads is warm"."""
    nouns = [token.end for token in ask.outside if lexicon.kind_named(token) == filters.kind]
    end = nouns[0] if nouns and ask.text[nouns[0] :].strip(" ?.") else 0
    whole = filters_of(plan, ask.without(end, len(ask.text)), filters.kind) if end else filters
    arguments = {name: one for name, one in whole.arguments.items() if end or name == "owner"}
    if arguments == filters.arguments:
        arguments = {}  # "What share of the leads is mine?"
    whole = Filters(filters.kind, filters.tool, filters.properties, arguments, whole.conditions if end else [])
    everything, *_ = _totals(plan, whole)
    owned = {name: one for name, one in arguments.items() if name != "owner"}
    noun = Filters(filters.kind, filters.tool, filters.properties, owned, whole.conditions).described(everything)
    holder = formats.whose(arguments["owner"]) if arguments.get("owner") else "all"
    return f", {number / max(everything, 1):.0%} of {holder} {everything} {noun}"


@act("rank")
def rank(plan: Plan, ask: Ask) -> Answer:
    """Show the first records of an order, each with the value that gives it its place."""
    if _is_weighted(ask):
        return forecast(plan, ask)
    if (parted := groups.split(plan, ask)) is not None:
        return parted
    if plan.topic.refs and plan.topic.refs[0].type == "goal" and not ask.kinds:
        return _rank_goals(plan, ask)
    if len(ask.texts("name")) > 1:
        return ACTS["compare"](plan, ask)
    if (ref := _picked_of_list(plan, ask)) is not None:
        # "the contact of the largest of them", "the smaller one closes when"
        return _told_with_order(replace(plan, bindings={**plan.bindings, "": ref}), ask, ref)
    if (placed := at_place(plan, ask)) is not None:
        return ACTS["about"](replace(plan, bindings={**plan.bindings, "": placed}), ask)
    is_ordered = ask.count or "top" in ask.words or ask.orders
    if ask.texts("ref") and ask.kinds and not is_ordered:
        return ACTS["search"](plan, ask)  # "which deal is running with them"
    if words := unranked(ask):
        return Answer(figures.no_order(kind_meant(plan, ask) or "opportunity", words), topic=plan.topic)
    return _with_fields_asked(plan, repaired(ask))


def _with_fields_asked(plan: Plan, ask: Ask) -> Answer:
    """Rank records, and tell what is asked of the first: "who owns our biggest deal", "which account is it with"."""
    by = field_places(ask, kind_meant(plan, ask) or "opportunity")
    places, ranked = ask.order_places, next((one for one in _ranked_nouns(ask) if not _is_within(one, by)), None)
    fields = [span for span in ask.segment.spans if span.tag == "field" and _is_asked(ask, span)]
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


def _is_within(one: Span | Token, places: Sequence[tuple[int, int]]) -> bool:
    return any(start <= one.start < end for start, end in places)


def _is_asked(ask: Ask, field: Span | Token) -> bool:
    """Return whether a field is asked for: before the order or last, and no condition, as in "without a phone"."""
    before = [token.word for token in ask.tokens if token.end <= field.start][-2:]
    is_last = not ask.text[field.end :].strip(" ?.!")
    is_first = all(field.end <= start for start, _ in ask.order_places)
    return (is_first or is_last) and not ({*before} & _CONDITIONAL or ask.is_order(field))


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
    filters = filters_of(plan, bare, kind)
    if kind == "opportunity" and "stage" not in filters.arguments and not filters.conditions:
        filters.arguments["open_only"] = True
    described = filters.described(1), filters.described(2)
    if order.shown == names["closing_first"]["shown"]:
        filters.arguments.setdefault("closing_after", plan.now.date().isoformat())
    page, field = fetch(plan, filters, MAX_CHECKED), order.field
    ranked = [one | {"expected": _expected(one)} for one in page.items]
    ranked = [one for one in ranked if one.get(field) is not None]
    ranked.sort(key=lambda one: sort_key(one[field]), reverse=order.is_descending)
    top = ranked[: _number_ranked(ask)]
    owner, noun = filters.arguments.get("owner"), described[len(top) != 1]
    if not page.items:
        none = listings.format_total(owner, 0, described[1])
        return Answer(listings.with_limits(f"{none}.", filters.unknown, page.checked))
    text = "" if order.is_meant else figures.cant_rank(kind)
    described_by = " ".join(filter(None, (order.shown, noun, order.tail)))
    text += figures.format_ranked(owner, described_by, top, field, page.total, plan.now)
    text += _reason(plan, top[0], field) if len(top) == 1 and "why" in ask.words else ""
    checked = len(page.items) if page.cursor else page.checked
    # "And who's second?" goes on in the order.
    listed = tuple(map(ref_of, ranked[:MAX_LISTED])) if len(ranked) > 1 else ()
    topic = Topic(tuple(map(ref_of, top)), search_of(filters, page, page.total), listed=listed)
    return Answer(listings.with_limits(text, filters.unknown, checked), topic=topic)


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
        return MAX_LISTED
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


def _expected(record: dict[str, Any]) -> float | None:
    return float(record["amount"]) * float(record.get("probability") or 0) / 100 if record.get("amount") else None


@act("forecast")
def forecast(plan: Plan, ask: Ask) -> Answer:
    """Forecast the open deals: those of a period by the tool, others by the deals that fit what the ask says."""
    filters = filters_of(plan, repaired(ask), "opportunity")
    arguments = filters.arguments
    if str(arguments.get("stage", "")).startswith("closed"):
        del arguments["stage"]  # "What will we win?"
    days = (arguments.get("closing_after"), arguments.get("closing_before"))
    periods = plan.tools["forecast_pipeline"].properties["period"]["enum"]
    period = next((one for one in periods if _days(plan, one) == days), None)
    arguments["open_only"] = True
    is_usual = arguments.keys() <= {"owner", "open_only", "closing_after", "closing_before"} and not filters.conditions
    if is_usual and (period or not any(days)):
        value = plan.call("forecast_pipeline", "forecast the pipeline", period=period, owner=arguments.get("owner"))
        checked = 0
    else:
        page = fetch(plan, filters, MAX_CHECKED)
        value, checked = _forecast_of(page.items), len(page.items) if page.cursor else page.checked
    text = figures.format_forecast(value, filters.described(int(value["count"])))
    return Answer(listings.with_limits(text, filters.unknown, checked), topic=_topic_of(plan, filters))


def _days(plan: Plan, period: str) -> tuple[str, str]:
    """Return the first and last day of `this_month` or `next_quarter`."""
    which, _, unit = period.partition("_")
    first, last = period_days(unit, plan.now.date(), 1 if which == "next" else 0)
    return first.isoformat(), last.isoformat()


def _forecast_of(deals: list[dict[str, Any]]) -> dict[str, Any]:
    """Return the totals of deals as the tool does."""
    rows: dict[str, dict[str, Any]] = {}
    for deal in deals:
        currency = str(deal.get("currency") or "USD")
        row = rows.setdefault(currency, {"currency": currency, "count": 0, "amount": 0.0, "weighted": 0.0})
        row["count"] += 1
        row["amount"] += float(deal.get("amount") or 0)
        row["weighted"] += _expected(deal) or 0
    return {"count": len(deals), "by_currency": list(rows.values())}
