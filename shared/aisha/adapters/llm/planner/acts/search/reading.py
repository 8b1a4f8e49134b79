"""Read what an ask says of records into filters."""

from collections.abc import Sequence

from aisha.adapters.llm.planner import custom_fields
from aisha.adapters.llm.planner.acts.search.clauses import said_values, without_clauses
from aisha.adapters.llm.planner.acts.search.filters import FIRST_FIELDS, Condition, Filters, among, mentioning
from aisha.adapters.llm.planner.acts.search.kinds import (
    THOSE,
    identifier,
    is_plural_kind,
    is_there,
    points_back,
    tool_of,
)
from aisha.adapters.llm.planner.acts.search.times import read_times
from aisha.adapters.llm.planner.acts.search.words import LATE, STAFF
from aisha.adapters.llm.planner.plan import Pending, Plan
from aisha.adapters.llm.planner.resolve import Ambiguous, Match, by_name, pointed_at, settled
from aisha.adapters.llm.planner.results import ref_of
from aisha.adapters.llm.planner.slots import joins_self
from aisha.adapters.llm.planner.state import Ref
from aisha.domain.crm.custom_fields import CustomField
from aisha.domain.language import lexicon
from aisha.domain.language.ask import Ask
from aisha.domain.language.lexicon import KINDS, PLURALS, placed_in, word_set
from aisha.domain.language.tokens import Token

_OWN = word_set("condition_words", "own")
_JOINED = word_set("condition_words", "joined_values")
_SINGLE = (lexicon.PERSON | lexicon.THING) - THOSE


def filters_of(plan: Plan, ask: Ask, kind: str) -> Filters:
    """Return what an ask says of records. Raises `Pending` while a company or person that it names is looked up."""
    spec, last = plan.tools[tool_of(kind)], plan.topic.search
    is_one = len(plan.topic.refs) == 1 and (not plan.topic.listed or bool(ask.words & _SINGLE))
    is_same = last is not None and last.tool == spec.name and points_back(ask) and not is_one
    arguments = dict(last.arguments) if last and is_same else {}
    filters = Filters(kind, spec.name, spec.properties, arguments, is_narrowed=is_same)
    if last is not None and is_same and last.within is not None:
        text, ids = filters.within = last.within
        filters.conditions.append(Condition(text, lambda record: record.get("id") in ids))
    filters.custom = {one.name: one.label for one in spec.custom}
    ask = _read_custom(plan, ask, filters, spec.custom)
    filters.unknown += ask.texts("unknown")
    ask = without_clauses(ask, filters)
    _read_values(ask, filters)
    _read_owner(plan, ask, filters)
    read_times(ask, filters)
    _read_amounts(ask, filters)
    if not is_same:
        _read_names(plan, ask, filters)
    return filters


def _read_custom(plan: Plan, ask: Ask, filters: Filters, own: Sequence[CustomField]) -> Ask:
    """Add the values of the tenant's own fields, and return the ask without them."""
    for one in list(custom_fields.conditions(ask, plan.custom_fields)):
        field = next((field for field in own if field.name == one.field.name), None)
        if field is None or (field.values and not {*one.values} <= {*field.values}):
            filters.unknown.append(one.span.text)
        elif len(one.values) == 1 and not one.is_denied:
            filters.arguments[field.name] = one.values[0]
        else:
            filters.conditions.append(Condition(one.text, one.holds))
        ask = ask.without(one.span.start, one.span.end)
    return ask


def _read_values(ask: Ask, filters: Filters) -> None:
    """Add enumerated values and states; other values are looked for in the records' fields."""
    enums, chosen, read, ends = filters.enums, dict[str, list[str]](), list[Token](), dict[str, Token]()
    hidden = [one for one in ask.segment.spans if one.tag in ("owner", "when", "count", "amount")]
    hidden += [one for one in ask.segment.spans if one.tag == "field" and lexicon.phrase_key(one.text, "fields")]
    hidden += [one for one in ask.segment.spans if one.text.lower() in lexicon.US_STATES]  # "New York" is not new.
    tokens = [one for one in ask.outside if not any(span.start <= one.start < span.end for span in hidden)]
    is_any = {"open", "closed"} <= ask.words  # "open and closed": all of them
    for value, said in said_values(tokens, filters):
        read += said
        if is_any and said[0].word in ("open", "closed"):
            continue
        if value in ("new", "contacted") and (ask.times or filters.is_silent):
            continue  # The time says it.
        if value == "open" and "open_only" in filters.properties:
            filters.arguments["open_only"] = True
        elif value in enums or value == "open":
            values = lexicon.entries("open_values")[filters.kind] if value == "open" else [value]
            name = enums.get(value, "status")
            if name in chosen and not _is_joined(ask, ends[name], said[0]):
                chosen[name] = []  # The later one corrects the first.
            chosen.setdefault(name, []).extend(values)
            ends[name] = said[-1]
        elif not lexicon.kind_of(said[0].stem) and "how" not in ask.words:  # "how healthy is the pipeline"
            filters.unknown.append(ask.text[said[0].start : said[-1].end])
    for token in tokens:
        if token.stem in enums and lexicon.kind_named(token) not in (None, filters.kind):
            chosen.setdefault(enums[token.stem], []).append(token.stem)
            read.append(token)
    for span in ask.segment.spans:
        if span.tag == "value" and not any(span.start <= one.start < span.end for one in read):
            _read_value(span.text, filters, chosen)
    if filters.kind == "activity":
        # "Tasks" may mean all that there is to do.
        chosen |= {"activity_type": [] if "task" in ask.activity_types else [*ask.activity_types]}
        chosen |= {"status": ["overdue"]} if ask.words & LATE else {}
        if not chosen.get("status") and not ask.times and "status" not in filters.arguments:
            chosen["status"] = ["scheduled"]
    for name, values in chosen.items():
        if len({*values}) > 1:
            filters.conditions.append(among(name, values))
        elif values:
            filters.arguments[name] = values[0]


def _read_value(text: str, filters: Filters, chosen: dict[str, list[str]]) -> None:
    """Add the value of a slot: to those chosen of enumerated ones, else as a state, a city, an industry or any word."""
    literal, state = identifier(text), lexicon.US_STATES.get(text.lower())
    if literal in filters.enums:
        chosen.setdefault(filters.enums[literal], []).append(literal)
    elif state and "state" in filters.properties:
        filters.arguments["state"] = state
    elif FIRST_FIELDS.get(filters.kind, "state") not in {"state", *filters.arguments}:
        filters.arguments[FIRST_FIELDS[filters.kind]] = text
    else:
        filters.conditions.append(mentioning(text))


def _is_joined(ask: Ask, one: Token, other: Token) -> bool:
    """Return whether only "and", "or" and the like stand between two values."""
    between = {token.word for token in ask.outside if one.end <= token.start < other.start}
    return between <= _JOINED and (bool(between) or one == other)


def _read_owner(plan: Plan, ask: Ask, filters: Filters) -> None:
    tokens, others, user = ask.outside, word_set("own_others", "own_people"), plan.user
    following = [*(token.word for token in tokens[1:]), ""]
    is_own = any(one.word in _OWN and after not in others for one, after in zip(tokens, following, strict=False))
    names = [text.split()[0].lower() for text in ask.texts("owner")]
    starts = [span.start for span in ask.segment.spans if span.tag == "owner"]
    if len(names) == 1 and joins_self([token.word for token in tokens if token.end <= starts[0]][-3:]):
        names.append(user)
    if len(names) > 1:
        owned = " or ".join("you" if name == user else name.capitalize() for name in names)
        filters.conditions.append(Condition(f"of {owned}", lambda record: record.get("owner") in names))
    elif names or is_own or any(placed_in(tokens, "ownership")):
        filters.arguments["owner"] = names[0] if names else "me"
    elif colleague := _colleague_meant(plan, ask, filters.kind):
        filters.arguments["owner"] = colleague


def _colleague_meant(plan: Plan, ask: Ask, kind: str) -> str | None:
    """Return the colleague whose records were listed last, if "he" can only be that one: "how many leads has he"."""
    owner = plan.topic.search.arguments.get("owner") if plan.topic.search else None
    is_person = bool(ask.words & (lexicon.PERSON - lexicon.OF_EITHER)) and not ask.texts("name")
    is_record = kind in ("opportunity", "activity") and len(plan.topic.refs) == 1
    return owner if owner != "me" and is_person and not is_record else None


def _read_amounts(ask: Ask, filters: Filters) -> None:
    for amount in ask.amounts:
        if not amount.is_money and amount.relation is None:
            continue  # A count, or a part of a name.
        stem = "revenue" if filters.kind == "account" else "value"
        if not amount.is_money:
            stem = "score" if "score" in ask.stems else "employees" if ask.words & STAFF else stem
        ends = {"more": ("min",), "less": ("max",)}.get(amount.relation or "", ("min", "max"))
        if all(f"{end}_{stem}" in filters.properties for end in ends):
            value = int(amount.value) if amount.value.is_integer() else amount.value
            filters.arguments |= {f"{end}_{stem}": value for end in ends}
        else:
            filters.unknown += ask.texts("amount") or [f"{amount.value:,.0f}"]


def _read_names(plan: Plan, ask: Ask, filters: Filters) -> None:
    """Add the company or person of the records that the ask names or points at, or the records' own name."""
    names = ask.texts("name") or ask.texts("org") or ask.texts("new")
    filters.unknown += names[1:]
    if names and filters.kind in ("lead", "account"):
        filters.arguments["name_contains"] = names[0]
        return
    match: Match | None = None
    if not names and filters.kind == "contact" and not any(map(is_plural_kind, ask.outside)):
        companies = [ref for ref in plan.topic.refs if ref.type == "account"]  # "who's our contact"
        match = companies[0] if len(companies) == 1 and "account_id" in filters.properties else None
    if names:
        kinds = () if filters.kind == "activity" else ("account", "contact")
        match = _looked_up(plan, names[0], kinds, next((org for org in ask.texts("org") if org != names[0]), None))
        if isinstance(match, Ambiguous) and {one.type for one in match.candidates} == {"account"}:
            # The company of the ask before is no qualifier of another.
            match = match.candidates[0] if len(match.candidates) == 1 else match
        if filters.kind != "contact" and isinstance(match, Ambiguous):
            match = settled(plan, ask, match)
    elif match is None and is_there(ask) and plan.spoken:
        # "I'm off to Denver, which leads are there?"
        if filters.kind in ("lead", "account"):
            filters.arguments.setdefault("city" if filters.kind == "lead" else "state", plan.spoken[-1])
            return
        match = _looked_up(plan, plan.spoken[-1], ("account",), None)
        match = settled(plan, ask, match) if isinstance(match, Ambiguous) else match
        names = plan.spoken[-1:]
    elif match is None and (points_back(ask) or is_there(ask)):
        match = pointed_at(plan, ask, tuple(kind for kind in KINDS if kind != filters.kind))
        match = match or (pointed_at(plan, ask, KINDS) if is_there(ask) else None)
        if match is None:
            filters.unknown += [text for text in ask.texts("ref") if text.lower() not in lexicon.PERSON]
            filters.unknown += ["there"] * (is_there(ask) and filters.kind == "contact")
    if isinstance(match, Ref):
        if match.type != "account" and "account" in ask.kinds and (account := plan.record(match).get("account_id")):
            company = plan.record(Ref("account", str(account), ""))  # "her company"
            match = ref_of(company) if company else match
        filters.names[match.id] = match.name
        about = {**match.entity, f"{match.type}_id": match.id}
        about = {name: value for name, value in about.items() if name in filters.properties}
        has_company = "account_id" in filters.properties
        if not about and not names and has_company and (account := plan.record(match).get("account_id")):
            about = {"account_id": account}
        filters.arguments |= about
    if names and not (filters.names and filters.arguments.keys() & {"entity_id", "account_id", "contact_id"}):
        is_company = bool(ask.texts("org")) and "company" in filters.properties
        filters.arguments["company" if is_company else "name_contains"] = names[0]


def _looked_up(plan: Plan, name: str, kinds: Sequence[str], qualifier: str | None) -> Match:
    """Return the record of a name. One word may be no name: all kinds are searched at once, to have a round left."""
    try:
        return by_name(plan, name, kinds, qualifier)
    except Pending:
        if " " in name:
            raise
        searches = [f"search_{PLURALS[kind]}" for kind in KINDS if plan.has(f"search_{PLURALS[kind]}")]
        plan.need_all([plan.planned(tool, name_contains=name) for tool in searches])
        raise
