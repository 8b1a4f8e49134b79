"""Count and sum records."""

from collections import defaultdict
from functools import partial, reduce
from itertools import pairwise

from msgspec.structs import replace

from aisha.adapters.llm.planner import policy
from aisha.adapters.llm.planner.acts.imagined import imagined_sum, supposed
from aisha.adapters.llm.planner.acts.search import fetching, groups
from aisha.adapters.llm.planner.acts.search.filters import Filters, among
from aisha.adapters.llm.planner.acts.search.groups import owners_said
from aisha.adapters.llm.planner.acts.search.kinds import kind_meant, tool_of
from aisha.adapters.llm.planner.acts.search.listing import answer_of_each_kind, others_of_list, scan_offered
from aisha.adapters.llm.planner.acts.search.reading import filters_of
from aisha.adapters.llm.planner.plan import ACTS, Answer, Plan, act, at_once
from aisha.adapters.llm.planner.replies import figures, formats, listings
from aisha.adapters.llm.planner.results import ref_of
from aisha.adapters.llm.planner.slots import repaired
from aisha.adapters.llm.planner.state import Search, Topic, restore
from aisha.domain.crm.records import RECORD_TYPES
from aisha.domain.language import lexicon
from aisha.domain.language.ask import Ask
from aisha.domain.language.lexicon import KINDS
from aisha.domain.language.reader import Span
from aisha.domain.language.tokens import Token

_GROUPS = ("status", "stage", "health", "type")
_COUNTING = frozenset("how many much count counts number numbers total # quantity".split())
_AGAINST = lexicon.VERSUS | {"v", "and"}
_OR = frozenset("or /".split())
_AROUND_AGAINST = frozenset("to with the a an many are there how we i more less fewer from in at".split())
_Totals = tuple[int, dict[str, float], int]
"""The number of records that fit, the sums of their amounts by currency, and `Page.checked`."""
_COMPARING, _BELIEVING, _AROUND = map(partial(lexicon.word_set, "belief_words"), ("comparing", "believing", "around"))
_DURATIONS = frozenset("long time days weeks months age old cycle duration".split())
_DIFFERENCE, _MANY = frozenset(("difference", "gap")), frozenset(("many", "much"))


@act("count")
def count(plan: Plan, ask: Ask) -> Answer:
    """Count records exactly, with the sum, mean or share that is asked for; or sum up the pipeline by stage."""
    if ask.kinds[:1] == ("note",) and "notes" in ACTS:
        return ACTS["notes"](plan, ask)
    if (offered := scan_offered(plan, ask)) is not None:
        return offered
    if (of_each := answer_of_each_kind(plan, ask, count)) is not None:
        return of_each
    if (others := others_of_list(plan, ask)) is not None:
        return others
    if asks_difference(ask):
        return _difference(plan, ask) or ACTS["compare"](plan, ask)
    if "mean_value" in summing(ask) and ask.words & _DURATIONS and not ask.fields:
        raise plan.refuse(figures.NO_DURATIONS)
    is_ranked = ask.orders and not ask.words & {"many", "much", "than"}
    if is_ranked and not is_weighted(ask):
        return ACTS["rank"](plan, ask)
    ask = repaired(ask)
    kind, asked = kind_meant(plan, ask), summing(ask)
    if len(parts := parts_compared(ask)) > 1 and {kind_meant(plan, one) for one in parts} == {kind}:
        answers = at_once(partial(count, plan, one) for one in parts)
        # "This week compared to last week": what is asked next is about the first.
        is_first = bool(ask.words & (_AGAINST - {"and"})) or ask.act == "compare"
        return Answer("\n\n".join(one.text for one in answers), topic=answers[0 if is_first else -1].topic)
    if kind is None and "many" in ask.words and ask.texts("name") and not asked:
        return ACTS["about"](plan, Ask(replace(ask.segment, act="about"), ask.now))  # "How many Johns do we have?"
    if _is_of_record(plan, ask):
        return ACTS["ask_field"](plan, ask)
    is_list = plan.imagined is None and not asked and not ask.words & _COUNTING
    if kind and is_list and (ask.words & lexicon.ASKING_WHAT or not policy.is_sure(ask)):
        return ACTS["search"](plan, ask)  # "What am I closing this month?"
    if ask.words & lexicon.BOTH_WORDS and asked & {"together", "money_total"} and (added := _added(plan)):
        return added
    is_loss = "much" in ask.words and "lose" in ask.words  # "How much do we lose if Acme walks away?"
    if (ask.words & lexicon.BOTH_WORDS or "together" in asked or is_loss) and (
        text := imagined_sum(plan, 1 if is_loss else 2)
    ):
        return Answer(text, topic=plan.topic)
    if "expected" in asked:
        return ACTS["forecast"](plan, ask)
    parted = [text for text in ask.texts("field") if ask.text.partition(text)[0].lower().endswith(("by ", "per "))]
    filters = filters_of(plan, ask, kind or "opportunity")
    is_grouped = "grouping" in asked or any(lexicon.phrase_key(text, "fields") in _GROUPS for text in parted)
    unsplit = figures.unsplit([] if is_grouped else parted)
    owner = filters.arguments.get("owner")
    topic = topic_of(plan, filters)
    if plan.imagined is not None and ("overview" in asked or kind is None) and "stage" not in filters.arguments:
        filters.arguments.setdefault("open_only", True)  # "If Acme signs, what is my pipeline worth?"
    is_narrow = (
        plan.imagined is not None or bool(filters.conditions) or not filters.arguments.keys() <= {"owner", "open_only"}
    )
    if not is_narrow and (is_grouped or kind is None or ("overview" in asked and "many" not in ask.words)):
        types = filters.kind if kind or asked else None
        value = plan.call("get_pipeline_summary", "sum up the pipeline", entity_type=types, owner=owner)
        text = figures.format_overview(value, owner, lexicon.entries("open_values"))
        if filters.kind == "opportunity":
            topic = replace(topic, search=Search(filters.tool, filters.arguments | {"open_only": True}))
        return Answer(listings.with_limits(text, filters.unknown) + unsplit, topic=topic)
    if asked & {"mean_value", "money_total", "together"} and (field := groups.measured_again(plan, ask, filters.kind)):
        return groups.total_of(plan, filters, field, is_mean="mean_value" in asked)
    filters, (number, sums, checked) = _counted(plan, ask, filters)
    owner = filters.arguments.get("owner")
    if not number and (stranger := fetching.unknown_owner(plan, filters)):
        return Answer(listings.no_colleague(stranger), topic=plan.topic)
    topic = topic_of(plan, filters)
    text = listings.format_total(owner, number, filters.described(number))
    if sums and (filters.kind == "opportunity" or asked & {"money_total", "together", "mean_value"}):
        text += figures.worth(text, sums)
    if sums and "mean_value" in asked:
        text += f", {formats.format_sums({one: total / number for one, total in sums.items()})} on average"
    if "part_of_all" in asked:
        text += _share(plan, ask, filters, number, sums)
    text = f"{text}.{supposed(plan, filters, number, sums)}"
    return Answer(listings.with_limits(text, filters.unknown, checked) + unsplit, topic=topic)


def _last_totals(plan: Plan) -> list[Filters]:
    """Return the filters of the last two totals of one kind, the newer one first; empty without two."""
    answers = [message for message in reversed(plan.scene.history) if message.role == "assistant"]
    searches = [one for message in answers if (one := restore((message,)).topic.search) is not None][:2]
    is_same = len(searches) == 2 and (searches[0].arguments, searches[0].within) == (
        searches[1].arguments,
        searches[1].within,
    )
    if len(searches) < 2 or is_same or len(plan.topic.refs) == 2 or len({one.tool for one in searches}) > 1:
        return []
    kind = next(kind for kind in (*KINDS, "activity") if tool_of(kind) == searches[0].tool)
    return [fetching.filters_again(plan, kind, one) for one in searches]


def _added(plan: Plan) -> Answer | None:
    """Return the sum of the last two totals: "my proposals?" - "and in negotiation?" - "add the two together"."""
    if not (parts := _last_totals(plan)):
        return None
    kind = parts[0].kind
    totals = at_once([partial(_totals, plan, one) for one in parts])
    sums = defaultdict[str, float](float)
    for currency, amount in (pair for _, each, _ in totals for pair in each.items()):
        sums[currency] += amount
    described = [(one.described(number), number, each) for one, (number, each, _) in zip(parts, totals, strict=True)]
    number = sum(one for one, *_ in totals)
    text = figures.format_added(described, formats.format_count(number, kind), sums)
    return Answer(listings.with_limits(text, (), max(checked for *_, checked in totals)), topic=plan.topic)


def number_doubted(plan: Plan, ask: Ask) -> Answer | None:
    """Return the answer to a belief about the number of what was counted or listed: "I think I only have 1"."""
    numbers = [number for token in ask.tokens if (number := lexicon.number_in(token.word)) is not None]
    words = {one.word for one in ask.tokens if one.kind != "mark" and lexicon.number_in(one.word) is None}
    is_belief = words & _BELIEVING and (numbers or words & _COMPARING) and words <= _BELIEVING | _COMPARING | _AROUND
    if (search := plan.topic.search) is None or not is_belief:
        return None
    filters = fetching.filters_again(
        plan, next(kind for kind in (*KINDS, "activity") if tool_of(kind) == search.tool), search
    )
    number, owner = _totals(plan, filters)[0], filters.arguments.get("owner")
    text = listings.format_total(owner, number, filters.described(number))
    text = f"{text[0].lower()}{text[1:]}" if owner in (None, "me") else text
    is_right = numbers[-1:] == [number] and not words & _COMPARING
    text = f"Yes, {text}" if is_right else f"{'Not quite' if numbers else 'As far as I can see'}, {text}"
    if number != 1:
        return Answer(f"{text}.", topic=plan.topic)
    ref = ref_of(fetching.fetch(plan, filters, 1).items[0])
    text = f"{text}: **{ref.name}**. Would you like to see the details?"
    return plan.offer(text, f"tell me about {ref.name}", topic=Topic((ref,), search))


def asks_difference(ask: Ask) -> bool:
    """Return whether an ask is for the difference between the totals of two owners: "how many more is that?"."""
    words = {one.word for one in ask.tokens}
    is_by = any((one.word, two.word) == ("by", "how") for one, two in pairwise(ask.tokens))
    is_said = bool(words & _DIFFERENCE or is_by or (words & _MANY and words & _COMPARING)) and "than" not in words
    return is_said and not (ask.kinds or {span.tag for span in ask.segment.spans} - {"ref", "owner", "field"})


def _difference(plan: Plan, ask: Ask) -> Answer | None:
    """Return by how much two totals differ: those of two owners that were asked about, else the last two."""
    parts, asked = _last_totals(plan), plan.topic.asked
    said = [*owners_said(plan, ask), *(owners_said(plan, Ask(asked, plan.now)) if asked is not None else ())]
    owners, search = list(dict.fromkeys(said)), plan.topic.search
    kind = next((one for one in KINDS if search is not None and tool_of(one) == search.tool), "")
    if len(owners) == 2 and search is not None and kind:
        parts = [fetching.filters_again(plan, kind, replace(search, within=None)) for _ in owners]
        for part, owner in zip(parts, owners, strict=True):
            part.arguments["owner"] = "me" if owner == plan.user else owner
    limit = next((one.value for one in Ask(asked, plan.now).amounts), None) if asked is not None else None
    if limit is not None and search is not None and kind:  # "Is it over 250k?" - "By how much does it fall short?"
        parts = [fetching.filters_again(plan, kind, search)]
    if not parts:
        return None
    totals = at_once([partial(_totals, plan, one) for one in parts])
    is_money = parts[0].kind == "opportunity"
    lines = [
        listings.format_total(part.arguments.get("owner"), number, part.described(number))
        + figures.worth("", sums) * is_money
        for part, (number, sums, _) in zip(parts, totals, strict=True)
    ]
    (number, sums, _), (other, other_sums, _) = (*totals, (0, dict.fromkeys(totals[0][1], limit or 0), 0))[:2]
    gap = {one: abs(sums.get(one, 0) - other_sums.get(one, 0)) for one in sums | other_sums} if is_money else {}
    return Answer(figures.format_difference(lines, abs(number - other), gap), topic=plan.topic)


def topic_of(plan: Plan, filters: Filters) -> Topic:
    """Return the records counted as the topic: the list shown if they are its, with those that met the conditions."""
    last = plan.topic.search
    is_same = last is not None and (last.tool, last.arguments) == (filters.tool, filters.arguments)
    if is_same and plan.topic.refs and len(filters.conditions) == bool(filters.within):
        return plan.topic
    if filters.conditions:
        return Topic(search=fetching.search_of(filters, fetching.fetch(plan, filters, fetching.MAX_CHECKED), None))
    return Topic(search=Search(filters.tool, filters.arguments, within=filters.within, names=filters.names))


def summing(ask: Ask) -> set[str]:
    """Return the keys of words that ask for a sum: not of fields, such as the expected close."""
    fields = [one for one in ask.segment.spans if one.tag == "field" and "close_date" in lexicon.fields_in(one.text)]
    tokens = [one for one in ask.outside if not any(span.start <= one.start < span.end for span in fields)]
    return {key for key, _, _ in lexicon.placed_in(tokens, "summing")}


def parts_compared(ask: Ask) -> list[Ask]:
    """Return an ask that sets periods or values against each other as one for each: "April total against May"."""
    whens = [span for span in ask.segment.spans if span.tag == "when"]
    choices = _choices(ask)
    values = [group for group in choices if ask.act == "compare" or any(_is_against(ask, one) for one in group)]
    # "Compare won and lost deals": "and" sets them against each other.
    is_against = bool(ask.words & _AGAINST) or ask.act == "compare"
    is_of_times = len(whens) > 1 and len(ask.times) == len(whens) and is_against
    groups_said = [[one] for one in whens] if is_of_times else values
    if len(groups_said) < 2:
        return []
    spans = [span for group in groups_said for span in group]
    others = ([span for span in spans if span not in group] for group in groups_said)
    return [reduce(lambda part, other: part.without(other.start, other.end), out, ask) for out in others]


def _choices(ask: Ask) -> list[list[Span]]:
    """Return the values of an ask, those together that are a choice: "healthy vs at risk or churning"."""
    values, groups_said = _values_said(ask), list[list[Span]]()
    for before, one in zip([None, *values], values, strict=False):
        between = {token.word for token in ask.tokens if before and before.end <= token.start < one.start}
        if before is not None and between <= _OR:
            groups_said[-1].append(one)  # Nothing is between "healthy customers".
        else:
            groups_said.append([one])
    return groups_said


def _is_against(ask: Ask, value: Span) -> bool:
    """Return whether "versus" stands before or after a value: "website vs referrals"."""
    # "customer accounts vs prospect accounts", "customers compared to prospects"
    tokens = [one for one in ask.tokens if one.word not in _AROUND_AGAINST and not _is_noun_of(one, value)]
    against = _AGAINST - {"and"} | ({"than"} if ask.words & {"more", "less", "fewer"} else set())
    beside = [token.word for token in tokens if token.end <= value.start][-1:]
    beside += [token.word for token in tokens if token.start >= value.end][:1]
    return bool({*beside} & against)


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
    if totals[0] or not (others := fetching.other_readings(plan, ask, filters)):
        return filters, totals
    tried = fetching.read_otherwise(plan, filters, [partial(_tried, plan, one, filters.kind) for one in others])
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
    page = fetching.fetch(plan, filters, fetching.MAX_CHECKED)
    is_whole = page.cursor is None and not page.checked
    return page.total or 0, fetching.sums_of(filters.kind, page.items) if is_whole else {}, page.checked


def is_weighted(ask: Ask) -> bool:
    """Return whether an ask is for expected amounts: "weighted by probability" is no order."""
    tokens = (*ask.outside, None)
    placed = [last for key, _, last in lexicon.placed_in(ask.outside, "summing") if key == "expected"]
    return any(getattr(tokens[last], "word", "") != "to" for last in placed)  # Not "expected to close last".


def _share(plan: Plan, ask: Ask, filters: Filters, number: int, sums: dict[str, float]) -> str:
    """Return which part a number is of the records named before the condition: "what share of my leads is warm"."""
    nouns = [token.end for token in ask.outside if lexicon.kind_named(token) == filters.kind]
    end = nouns[0] if nouns and ask.text[nouns[0] :].strip(" ?.") else 0
    whole = filters_of(plan, ask.without(end, len(ask.text)), filters.kind) if end else filters
    arguments = {name: one for name, one in whole.arguments.items() if end or name == "owner"}
    if arguments == filters.arguments:
        arguments = {}  # "What share of the leads is mine?"
    if "overview" in summing(ask) and filters.arguments.get("stage") in lexicon.entries("open_values")["opportunity"]:
        arguments = arguments | {"open_only": True}  # The pipeline has no closed deals.
    conditions = whole.conditions if end else []
    if "closed" in ask.words and str(filters.arguments.get("stage", "")).startswith("closed"):
        # "What share of the closed deals did we lose?" is of those won and lost.
        arguments = {name: one for name, one in arguments.items() if name not in ("stage", "open_only")}
        conditions = [among("stage", ("closed_won", "closed_lost"))]
    whole = Filters(filters.kind, filters.tool, filters.properties, arguments, conditions)
    everything, all_sums, _ = _totals(plan, whole)
    owned = {name: one for name, one in arguments.items() if name != "owner"}
    noun = Filters(filters.kind, filters.tool, filters.properties, owned, whole.conditions).described(everything)
    holder = formats.whose(arguments["owner"]) if arguments.get("owner") else "all"
    (currency, amount), *others = sums.items() or [("", 0.0)]
    is_money = filters.kind == "opportunity" and not others and len(all_sums) == 1 and all_sums.get(currency)
    of_value = f" and {amount / all_sums[currency]:.0%} of their value" if is_money else ""
    return f", {number / max(everything, 1):.0%} of {holder} {everything} {noun}{of_value}"
