"""Find records by what an ask says of them. A condition that fits no parameter is checked here, or named."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import timedelta
from functools import cache, partial, reduce
from itertools import pairwise
from typing import Any

from msgspec import Struct, field
from msgspec.structs import replace

from aisha.adapters.llm.planner import custom_fields
from aisha.adapters.llm.planner.plan import ACTS, Answer, Pending, Plan, act
from aisha.adapters.llm.planner.policy import is_sure
from aisha.adapters.llm.planner.replies import formats, listings, profiles
from aisha.adapters.llm.planner.resolve import Ambiguous, Found, by_name, pointed_at, settled
from aisha.adapters.llm.planner.results import PlannedCall, ref_of
from aisha.adapters.llm.planner.slots import joins_self, repaired, strange
from aisha.adapters.llm.planner.state import Ref, Search, Topic
from aisha.domain.crm.custom_fields import CustomField
from aisha.domain.crm.records import RECORD_TYPES, Stage
from aisha.domain.dates.parsing import TimeSpan, find_times
from aisha.domain.language import lexicon
from aisha.domain.language.amounts import Amount, find_amounts
from aisha.domain.language.ask import Ask, bounds
from aisha.domain.language.lexicon import KINDS, PLURALS, placed_in, word_set
from aisha.domain.language.reader import Span
from aisha.domain.language.tokens import Token, stem, tokenize
from aisha.domain.wording import humanise

MAX_LISTED = 10
MAX_CHECKED = 50
"""Records that conditions are checked on: as many as a search returns."""
_MAX_FILLER = 3
"""Letters of a word that nothing explains up to which it is passed over."""
_A_WHILE = "30 days"
"""The time that "lately" and "in a while" mean. The answer names its first day."""
MAX_GAP = 7
"""Days ahead up to which a day that must be past was last week, not last year."""
_DENIED, _BEGUN, _RELATIVE, _DESCRIBED, _LATE, _OWN, _WON, _STAFF, _JOINED, _DWELLING = (
    word_set("condition_words", key)
    for key in (
        "denied",
        "begun",
        "relative",
        "described",
        "late",
        "own",
        "won",
        "employees",
        "joined_values",
        "dwelling",
    )
)
_LENGTHS, _VAGUE = (word_set("condition_words", key) for key in ("lengths", "vague_times"))
_CONTACTED, _CLOSING, _CREATED = (word_set("time_words", key) for key in ("contacted", "closing", "created"))
_FIRST_FIELDS = {"lead": "city", "account": "industry"}
"""The parameter that a value is tried for first; where it finds nothing, all fields of the records are looked at."""
_IN_ORDER = ("low", "normal", "high", "urgent", *Stage)
"""Values whose order is not that of the alphabet."""
THOSE = frozenset(("those", "these", "them", "they"))
_SINGLE = (lexicon.PERSON | lexicon.THING) - THOSE
_WHO = word_set("condition_words", "who")
_BEING = frozenset(("is", "are", "was", "were", "be", "been"))
AMOUNT_FIELDS = {"lead": "estimated_value", "opportunity": "amount", "account": "annual_revenue"}
_STATUSES = ("status", "stage", "health", "type", "priority")


class Condition(Struct, frozen=True):
    """A condition checked here, since no tool filters by it. `text` tells it: "without phone number"."""

    text: str
    holds: Callable[[Mapping[str, Any]], bool]


class Filters(Struct):
    """The conditions that an ask sets for records of a kind.

    `unknown` are conditions that nothing checks, in the user's words, `names` those of the ids in `arguments`.
    `is_silent`: the records were not contacted in the time named.
    """

    kind: str
    tool: str
    properties: Mapping[str, Any]
    arguments: dict[str, Any]
    conditions: list[Condition] = field(default_factory=list)
    unknown: list[str] = field(default_factory=list)
    names: dict[str, str] = field(default_factory=dict)
    is_silent: bool = False
    within: tuple[str, tuple[str, ...]] | None = None
    is_narrowed: bool = False
    """True for conditions that are added to those of the last list."""
    custom: dict[str, str] = field(default_factory=dict)
    """The words for the tenant's own fields, by their names."""

    @property
    def enums(self) -> dict[str, str]:
        """The parameter of each enumerated value; of those of several, a status."""
        names = sorted(self.properties.keys() - self.custom.keys(), key=lambda name: name in _STATUSES)
        return {str(value): name for name in names for value in self.properties[name].get("enum", ())}

    def described(self, number: int) -> str:
        found = listings.describe(self.kind, self.arguments, number, self.names)
        own = (f"with {label} {self.arguments[name]}" for name, label in self.custom.items() if name in self.arguments)
        return " ".join([found, *own, *(one.text for one in self.conditions)])


def tool_of(kind: str) -> str:
    return "list_activities" if kind == "activity" else f"search_{PLURALS[kind]}"


def kind_meant(plan: Plan, ask: Ask) -> str | None:
    """Return the kind of records that an ask names, else one that has what it says; None without a hint."""
    if kinds := [kind for kind in ask.kinds if kind in (*KINDS, "activity")]:
        # Only people have a last contact: customers not contacted are contacts.
        is_silent = kinds[0] == "account" and ask.words & _DENIED and ask.words & _CONTACTED
        is_money = kinds[0] == "account" and "much" in ask.words  # "how much business"
        return "contact" if is_silent else "opportunity" if is_money else kinds[0]
    last = plan.topic.search.tool if plan.topic.search and _points_back(ask) else ""
    if _types_outside_of_values(ask) or last == "list_activities":
        return "activity"
    if "pipeline" in ask.words:
        return "opportunity"
    if "won" in ask.words:
        return "opportunity"
    said = {*ask.values, *map(_identifier, ask.texts("value"))} - {"lost", "scheduled", "active"}
    for kind in KINDS:
        properties = plan.tools[tool_of(kind)].properties if plan.has(tool_of(kind)) else {}
        is_meant = any(said & {*properties.get(name, {}).get("enum", ())} for name in (*_STATUSES, "source"))
        if is_meant or tool_of(kind) == last:
            return kind
    meant = [one.field for one in custom_fields.conditions(ask, plan.custom_fields)]
    for kind in KINDS if meant else ():
        if plan.has(tool_of(kind)) and meant[0] in plan.tools[tool_of(kind)].custom:
            return kind
    if ask.words & _DENIED and ask.stems & _contacted_stems():
        return "lead"  # "who haven't I talked to"
    is_deal = any(one.is_money for one in ask.amounts) or ask.words & _CLOSING or {*ask.values} & {"lost", "scheduled"}
    is_person = bool(ask.texts("org") or (_is_there(ask) and ask.words & _WHO))  # "who do we know there"
    return "opportunity" if is_deal else "contact" if is_person else None


def _types_outside_of_values(ask: Ask) -> bool:
    """Return whether a type of activity is said: not in the source "cold calling"."""
    values = [span for span in ask.segment.spans if span.tag == "value"]
    bare = ask
    for span in values:
        bare = bare.without(span.start, span.end)
    return bool(bare.activity_types)


def _points_back(ask: Ask) -> bool:
    words = [token.word for token in ask.outside]
    parts = (("of", "that"), ("of", "it"), ("of", "this"), ("is", "that"), ("which", "one"))
    is_part = any(pair in parts for pair in pairwise(words))
    # "in this company"
    is_this = any(
        one.word in ("this", "that", "same") and lexicon.kind_named(other) for one, other in pairwise(ask.outside)
    )
    # "and how many?", "which is the smallest?", "who has the best score?"
    spans = [one for one in ask.segment.spans if one.tag != "field"]
    is_bare = (ask.act in ("rank", "count") or bool(ask.orders)) and not (
        spans or ask.kinds or ask.words & lexicon.SELF
    )
    return bool(ask.texts("ref") or ask.words & (THOSE | {"ones"}) or is_part or is_this or is_bare)


def _is_there(ask: Ask) -> bool:
    """Return whether "there" or "here" is a place: not in "are there any" and "how many are there"."""
    words = [token.word for token in ask.outside if token.kind != "mark"]
    if "there" not in words[1:]:
        return "here" in words
    is_last = words[-1] == "there" and not {"many", "much"} & {*words}
    return is_last or words[words.index("there", 1) - 1] not in _BEING


def _identifier(text: str) -> str:
    return "_".join(token.word for token in tokenize(text) if token.kind != "mark")


def filters_of(plan: Plan, ask: Ask, kind: str) -> Filters:
    """Return what an ask says of records. Raises `Pending` while a company or person that it names is looked up."""
    spec, last = plan.tools[tool_of(kind)], plan.topic.search
    is_one = len(plan.topic.refs) == 1 and (not plan.topic.listed or bool(ask.words & _SINGLE))
    is_same = last is not None and last.tool == spec.name and _points_back(ask) and not is_one
    arguments = dict(last.arguments) if last and is_same else {}
    filters = Filters(kind, spec.name, spec.properties, arguments, is_narrowed=is_same)
    if last is not None and is_same and last.within is not None:
        text, ids = filters.within = last.within
        filters.conditions.append(Condition(text, lambda record: record.get("id") in ids))
    filters.custom = {one.name: one.label for one in spec.custom}
    ask = _read_custom(plan, ask, filters, spec.custom)
    filters.unknown += ask.texts("unknown")
    ask = _without_clauses(ask, filters)
    _read_values(ask, filters)
    _read_owner(plan, ask, filters)
    _read_times(ask, filters)
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


def _without_clauses(ask: Ask, filters: Filters) -> Ask:
    """Return the ask without the conditions that no parameter says; add those to the filters."""
    for tokens in list(_clauses(ask, filters)):
        start = tokens[0].start
        spans = [span for span in ask.segment.spans if start <= span.start < tokens[-1].end]
        end = max([tokens[-1].end, *(span.end for span in spans)])
        if (conditions := _conditions(ask, tokens, spans, filters)) is not None:
            filters.conditions += conditions
            filters.unknown += [] if conditions else [ask.text[start:end]]
            ask = ask.without(start, end)
    nouns = [token.start for token in ask.outside if lexicon.kind_named(token)]
    # Before the noun stand the words of the question, unless they were not understood.
    first = nouns[0] if nouns and is_sure(ask) else 0
    left = [one.text for one in strange(ask) if nouns and one.start > first and len(one.word) > _MAX_FILLER]
    filters.unknown += [" ".join(left)] if left else []
    return ask


def _clauses(ask: Ask, filters: Filters) -> Iterator[list[Token]]:
    """Yield the parts that begin with a denial, a relative word or related records: "companies with deals"."""
    part: list[Token] = []
    for place, token in enumerate(ask.outside):
        begins = token.word in _DENIED or (place > 0 and token.word in _BEGUN and _describes(ask, place))
        begins = begins or (not part and place > 0 and _is_related(ask, token, filters))
        if part and (begins or token.text in ",;.?!"):
            yield part
            part = []
        part += [token] if begins or part else []
    if part:
        yield part


def _describes(ask: Ask, place: int) -> bool:
    """Return whether a relative word follows what it describes: "leads who left", not "a deal, which would it be"."""
    token, before = ask.outside[place], ask.outside[place - 1]
    if token.word not in _RELATIVE:
        return True
    is_slot = any(span.start <= before.start < span.end for span in ask.segment.spans)
    return bool(is_slot or lexicon.kind_named(before) or before.word in _DESCRIBED)


def _is_related(ask: Ask, token: Token, filters: Filters) -> bool:
    """Return whether a token names another kind of records than is asked for, and no role: "the customer Acme"."""
    named, kind = lexicon.kind_named(token), filters.kind
    if token.stem in filters.enums:
        return False  # "accounts that are prospects"
    before = next((one.word for one in reversed(ask.tokens) if one.end <= token.start), "")
    if named == "account" and before in lexicon.PERSON | {"this", "that", "same"}:
        return False  # "with her company"
    is_number = token.word in _STAFF and bool(ask.amounts)  # "with more than 500 people"
    if is_number or named in (None, kind, *ask.kinds[:1]) or (kind, named) == ("contact", "account"):
        return False
    return not any(one.start <= token.start < one.end or 1 <= one.start - token.end <= 2 for one in ask.segment.spans)


def _conditions(ask: Ask, tokens: Sequence[Token], spans: Sequence[Span], filters: Filters) -> list[Condition] | None:
    """Return what a clause says, to be checked here; empty: it is unknown, None: it is left to the parameters."""
    words, text = {token.word for token in tokens}, " ".join(token.word for token in tokens)
    fields = RECORD_TYPES[filters.kind].model_fields
    if any(_is_related(ask, token, filters) for token in tokens):
        return []
    if not words & _DENIED:
        return None if spans or any(_said_values(tokens, filters)) or not {*tokens} & {*strange(ask)} else []
    if _contacted_stems() & {token.stem for token in tokens} and "last_contacted_at" in fields:
        filters.is_silent = bool(find_times(text, ask.now) or _lasting(ask))
        is_timed = any(span.tag == "when" for span in spans) or bool(words & _LENGTHS)
        never = Condition("never contacted so far", _lacks("last_contacted_at"))
        return None if filters.is_silent else [] if is_timed else [never]
    if values := [value for value, _ in _said_values(tokens, filters) if value in filters.enums]:
        return [_among(filters.enums[value], (value,), is_denied=True) for value in values]
    if owners := [span.text.lower() for span in spans if span.tag == "owner"]:
        return [Condition(f"not of {owner.capitalize()}", _differs("owner", owner)) for owner in owners]
    if filters.kind == "activity" and (
        types := [
            one
            for token in tokens
            if (one := lexicon.activity_type_of(token.word) or lexicon.activity_type_of(token.stem))
        ]
    ):
        return [Condition(f"without {one}s", _differs("activity_type", one)) for one in types]
    if amounts := [one for one in find_amounts(text) if one.relation in ("more", "less")]:
        return [_beyond(one, filters.kind) for one in amounts]
    names = [lexicon.field_name(name, filters.kind) for name in lexicon.fields_in(text)]
    if names and all(name in fields for name in names):
        return [Condition(f"without {formats.field_noun(name)}", _lacks(name)) for name in names]
    return None if len(tokens) == 1 or "than" in words else []


@cache
def _contacted_stems() -> frozenset[str]:
    """Return the stems of the words for a contact, but those of fields: "without email"."""
    return frozenset(one for word in _CONTACTED if not lexicon.fields_in(one := stem(word)))


def _lacks(name: str) -> Callable[[Mapping[str, Any]], bool]:
    return lambda record: record.get(name) in (None, "", [], {})


def _differs(name: str, value: str) -> Callable[[Mapping[str, Any]], bool]:
    return lambda record: record.get(name) != value


def _beyond(amount: Amount, kind: str) -> Condition:
    """Return the condition that an amount is on the other side of a limit: "leave out anything below 50k"."""
    name, limit, is_less = AMOUNT_FIELDS.get(kind, ""), amount.value, amount.relation == "less"
    text = f"of {'at least' if is_less else 'at most'} {limit:,.0f}"
    return Condition(text, lambda record: record.get(name) is not None and (float(record[name]) >= limit) == is_less)


def _among(name: str, values: Sequence[str], *, is_denied: bool = False) -> Condition:
    text = f"that are {'not ' if is_denied else ''}{' or '.join(map(humanise, values))}"
    return Condition(text, lambda record: (record.get(name) in values) != is_denied)


def _mentioning(text: str) -> Condition:
    """Return the condition that a record has all words of a value somewhere in its fields."""
    wanted = stems_of(text)
    return Condition(
        f"with “{text}” on record",
        lambda record: wanted <= stems_of(" ".join(str(record[name]) for name in record if name != "id")),
    )


def stems_of(text: str) -> set[str]:
    return {token.stem.removesuffix("s") for token in tokenize(text)}  # The stem of "CTOs" keeps its "s".


def _said_values(tokens: Sequence[Token], filters: Filters) -> Iterator[tuple[str, Sequence[Token]]]:
    """Yield the enumerated values, as the kind of record has them, each with its tokens."""
    enums, same = filters.enums, lexicon.entries("same_values")[filters.kind]
    for key, first, last in placed_in(tokens, "values"):
        if tokens[first].word not in _DWELLING:
            yield key if key in enums else same.get(key, key), tokens[first:last]
    if filters.kind == "opportunity" and (won := [token for token in tokens if token.word in _WON]):
        yield "closed_won", won


def _read_values(ask: Ask, filters: Filters) -> None:
    """Add enumerated values and states; other values are looked for in the records' fields."""
    enums, chosen, read, ends = filters.enums, dict[str, list[str]](), list[Token](), dict[str, Token]()
    hidden = [one for one in ask.segment.spans if one.tag in ("owner", "when", "count", "amount")]
    hidden += [one for one in ask.segment.spans if one.tag == "field" and lexicon.phrase_key(one.text, "fields")]
    hidden += [one for one in ask.segment.spans if one.text.lower() in lexicon.US_STATES]  # "New York" is not new.
    tokens = [one for one in ask.outside if not any(span.start <= one.start < span.end for span in hidden)]
    is_any = {"open", "closed"} <= ask.words  # "open and closed": all of them
    for value, said in _said_values(tokens, filters):
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
            literal, state = _identifier(span.text), lexicon.US_STATES.get(span.text.lower())
            if literal in enums:
                chosen.setdefault(enums[literal], []).append(literal)
            elif state and "state" in filters.properties:
                filters.arguments["state"] = state
            elif _FIRST_FIELDS.get(filters.kind, "state") not in {"state", *filters.arguments}:
                filters.arguments[_FIRST_FIELDS[filters.kind]] = span.text
            else:
                filters.conditions.append(_mentioning(span.text))
    if filters.kind == "activity":
        # "Tasks" may mean all that there is to do.
        chosen |= {"activity_type": [] if "task" in ask.activity_types else [*ask.activity_types]}
        chosen |= {"status": ["overdue"]} if ask.words & _LATE else {}
        if not chosen.get("status") and not ask.times and "status" not in filters.arguments:
            chosen["status"] = ["scheduled"]
    for name, values in chosen.items():
        if len({*values}) > 1:
            filters.conditions.append(_among(name, values))
        elif values:
            filters.arguments[name] = values[0]


def _is_joined(ask: Ask, one: Token, other: Token) -> bool:
    """Return whether only "and", "or" and the like stand between two values."""
    between = {token.word for token in ask.outside if one.end <= token.start < other.start}
    return between <= _JOINED and (bool(between) or one == other)


def _read_owner(plan: Plan, ask: Ask, filters: Filters) -> None:
    tokens, others, user = ask.outside, word_set("own_others", "own_people"), plan.scene.principal.user
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


def _read_times(ask: Ask, filters: Filters) -> None:
    """Add the times, of what the words beside them say happened then."""
    today, is_deal = ask.now.date(), "closing_before" in filters.properties
    times = ask.times or (_lasting(ask) if filters.is_silent else ())
    filters.unknown += [text for text in ask.texts("when") if not times and not find_times(text, ask.now)]
    if is_deal and ask.words & _LATE and not ask.times:
        filters.arguments |= {"closing_before": (today - timedelta(days=1)).isoformat(), "open_only": True}
    moment = "contacted" if filters.is_silent or ask.words & _CONTACTED or _tells_of_contact(ask) else "created"
    if moment == "created" and is_deal and (ask.act == "forecast" or ask.words & _CLOSING or not ask.words & _CREATED):
        moment = "closing"
    moment = "due" if "due_after" in filters.properties else moment
    for span in times:
        if f"{moment}_after" not in filters.properties:
            filters.unknown += ask.texts("when") or [formats.format_period(span.first, span.last)]
            return
        if moment == "created" and span.first and span.first > today and _is_before_noun(ask):
            continue  # No condition: "I'm in Denver tomorrow, which leads are there?"
        if span.relation == "before" and span.first and ask.words & {"before", "prior"}:
            span = replace(span, first=span.first - timedelta(days=1), last=span.first - timedelta(days=1))
        if span.first and span.last and span.first > today and moment in ("created", "contacted"):
            days = timedelta(days=7 if (span.first - today).days <= MAX_GAP else 365)
            span = replace(span, first=span.first - days, last=span.last - days)
        first, last = bounds(span, ask.now)
        first, last = (None, first or last) if filters.is_silent else (first, last)
        for name, end in ((f"{moment}_after", first), (f"{moment}_before", last)):
            if end is not None and not (span.first == span.last == today and "now" in ask.words):
                is_day = filters.properties[name].get("format") == "date"
                filters.arguments[name] = end.date().isoformat() if is_day else end.isoformat()


def _tells_of_contact(ask: Ask) -> bool:
    """Return whether "contact" is a verb: "which leads did we contact in January"."""
    return any(one.word in lexicon.SELF and two.word == "contact" for one, two in pairwise(ask.outside))


def _lasting(ask: Ask) -> tuple[TimeSpan, ...]:
    """Return the time up to now that a length says: "not contacted for three weeks"."""
    lengths = [text.lower().removeprefix("for ").removeprefix("in ") for text in ask.texts("when")]
    for number, unit in pairwise(token.word for token in ask.outside):
        if unit in _LENGTHS:
            lengths.append(unit if number in ("a", "an") else f"{number} {unit}")
    lengths += [_A_WHILE] if ask.words & _VAGUE else []
    return tuple(span for text in lengths for span in find_times(f"in the last {text}", ask.now))[:1]


def _is_before_noun(ask: Ask) -> bool:
    """Return whether the times come before what is looked for."""
    nouns = [token.start for token in ask.outside if lexicon.kind_named(token)]
    times = [span.start for span in ask.segment.spans if span.tag == "when"]
    return bool(nouns and times) and max(times) < nouns[0]


def _read_amounts(ask: Ask, filters: Filters) -> None:
    for amount in ask.amounts:
        if not amount.is_money and amount.relation is None:
            continue  # A count, or a part of a name.
        stem = "revenue" if filters.kind == "account" else "value"
        if not amount.is_money:
            stem = "score" if "score" in ask.stems else "employees" if ask.words & _STAFF else stem
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
    found: Found | None = None
    if not names and filters.kind == "contact" and not any(map(is_plural_kind, ask.outside)):
        companies = [ref for ref in plan.topic.refs if ref.type == "account"]  # "who's our contact"
        found = companies[0] if len(companies) == 1 and "account_id" in filters.properties else None
    if names:
        kinds = () if filters.kind == "activity" else ("account", "contact")
        found = _looked_up(plan, names[0], kinds, next((org for org in ask.texts("org") if org != names[0]), None))
        if isinstance(found, Ambiguous) and {one.type for one in found.candidates} == {"account"}:
            # The company of the ask before is no qualifier of another.
            found = found.candidates[0] if len(found.candidates) == 1 else found
        if filters.kind != "contact" and isinstance(found, Ambiguous):
            found = settled(plan, ask, found)
    elif found is None and _is_there(ask) and plan.spoken:
        # "I'm off to Denver, which leads are there?"
        if filters.kind in ("lead", "account"):
            filters.arguments.setdefault("city" if filters.kind == "lead" else "state", plan.spoken[-1])
            return
        found = _looked_up(plan, plan.spoken[-1], ("account",), None)
        found = settled(plan, ask, found) if isinstance(found, Ambiguous) else found
        names = plan.spoken[-1:]
    elif found is None and (_points_back(ask) or _is_there(ask)):
        found = pointed_at(plan, ask, tuple(kind for kind in KINDS if kind != filters.kind))
        found = found or (pointed_at(plan, ask, KINDS) if _is_there(ask) else None)
        if found is None:
            filters.unknown += [text for text in ask.texts("ref") if text.lower() not in lexicon.PERSON]
            filters.unknown += ["there"] * (_is_there(ask) and filters.kind == "contact")
    if isinstance(found, Ref):
        if found.type != "account" and "account" in ask.kinds and (account := plan.record(found).get("account_id")):
            company = plan.record(Ref("account", str(account), ""))  # "her company"
            found = ref_of(company) if company else found
        filters.names[found.id] = found.name
        about = {"entity_type": found.type, "entity_id": found.id, f"{found.type}_id": found.id}
        about = {name: value for name, value in about.items() if name in filters.properties}
        has_company = "account_id" in filters.properties
        if not about and not names and has_company and (account := plan.record(found).get("account_id")):
            about = {"account_id": account}
        filters.arguments |= about
    if names and not (filters.names and filters.arguments.keys() & {"entity_id", "account_id", "contact_id"}):
        is_company = bool(ask.texts("org")) and "company" in filters.properties
        filters.arguments["company" if is_company else "name_contains"] = names[0]


def _looked_up(plan: Plan, name: str, kinds: Sequence[str], qualifier: str | None) -> Found:
    """Return the record of a name. One word may be no name: all kinds are searched at once, to have a round left."""
    try:
        return by_name(plan, name, kinds, qualifier)
    except Pending:
        if " " in name:
            raise
        searches = [f"search_{PLURALS[kind]}" for kind in KINDS if plan.has(f"search_{PLURALS[kind]}")]
        plan.need_all([plan.planned(tool, name_contains=name) for tool in searches])
        raise


class Page(Struct):
    """The records found. `total` is None when unknown. `checked` is set when more were there than were checked."""

    items: list[dict[str, Any]]
    total: int | None
    cursor: str | None = None
    checked: int = 0


def fetch(plan: Plan, filters: Filters, limit: int) -> Page:
    """Return the records found. Conditions are checked on the first 50."""
    size = MAX_CHECKED if filters.conditions else limit
    # The usual number is not said, so that a search that `by_name` made isn't made again.
    page = plan.call(filters.tool, "list those", **filters.arguments, limit=size if size != MAX_LISTED else None)
    items, total, cursor = page["items"], page.get("total"), page.get("next_cursor")
    first = _FIRST_FIELDS.get(filters.kind, "")
    if not items and first in filters.arguments and not filters.is_narrowed:
        filters.conditions.append(_mentioning(filters.arguments.pop(first)))
        return fetch(plan, filters, limit)
    if not filters.conditions:
        return Page(items, len(items) if total is None and not cursor else total, cursor)
    fitting = [item for item in items if all(condition.holds(item) for condition in filters.conditions)]
    return Page(fitting, len(fitting), checked=len(items) if cursor else 0)


@act("search")
def search(plan: Plan, ask: Ask) -> Answer:
    """List the records that fit what the ask says; one that is only named is shown."""
    if other := next((kind for kind in ask.kinds[:1] if kind in ("note", "goal") and f"{kind}s" in ACTS), None):
        return ACTS[f"{other}s"](plan, ask)
    if any(key == "grouping" for key, _, _ in placed_in(ask.outside, "summing")):
        return ACTS["count"](plan, ask)
    if ask.orders and "than" not in ask.words:
        return ACTS["rank"](plan, ask)
    if len(nouns := _joined_kinds(ask)) > 1:
        rest = [[other for other in nouns if other != noun] for noun in nouns]
        answers = [
            search(plan, reduce(lambda part, one: part.without(one.start, one.end), others, ask)) for others in rest
        ]
        return Answer("\n\n".join(answer.text for answer in answers), topic=answers[0].topic)
    if _is_of_one(ask):
        bare = reduce(lambda part, one: part.without(one.start, one.end), filter(lexicon.kind_named, ask.outside), ask)
        return ACTS["about"](plan, bare)  # "Is she still a lead?"
    ask = repaired(ask)
    kind = kind_meant(plan, ask)
    is_one = bool(ask.texts("org")) and not any(is_plural_kind(token) for token in ask.outside)
    if ask.texts("name") and (is_one or (not ask.kinds and kind is None)):
        return ACTS["about"](plan, ask)
    if (
        kind == "contact"
        and not ask.kinds
        and _is_there(ask)
        and ask.words & _WHO
        and pointed_at(plan, ask, ("account",))
    ):
        return ACTS["about"](plan, ask)  # "who runs purchasing there": by their work
    limit, filters = min(ask.count or MAX_LISTED, MAX_CHECKED), filters_of(plan, ask, kind or "lead")
    if kind is None and not filters.arguments and not filters.conditions:
        if ask.words & lexicon.PERSON - lexicon.OF_EITHER:
            return ACTS["about"](plan, ask)  # "is he still there"
        raise plan.refuse("What shall I look for: leads, contacts, companies or deals?")
    found, others = fetch(plan, filters, limit), other_readings(ask)
    if not found.items and (others or kind is None):
        tried = at_once([partial(_tried, plan, one, kind or "contact", limit) for one in others or [ask]])
        found, filters = next((one for one in tried if one[0].items), (found, filters))
    elif not found.items and {*filters.arguments} == {"name_contains"} and not filters.conditions:
        return ACTS["about"](plan, ask)
    if (
        not found.items
        and kind == "contact"
        and "org" in {span.tag for span in ask.segment.spans}
        and not _says_contacts(ask)
    ):
        leads, of_leads = _tried(plan, ask, "lead", limit)  # "Who is our guy at Acme?"
        found, filters = (leads, of_leads) if leads.items else (found, filters)
    shown, total = found.items[:limit], found.total
    head = f"Here are the first {len(shown)} {filters.described(2)}"
    if total is not None:
        head = listings.format_total(filters.arguments.get("owner"), total, filters.described(total))
    text = listings.format_list(head, shown, total, plan.now, has_more=found.cursor is not None)
    topic = Topic(tuple(map(ref_of, shown)), search_of(filters, found, total))
    return Answer(listings.with_limits(text, filters.unknown, found.checked), topic=topic)


def search_of(filters: Filters, found: Page, total: int | None) -> Search:
    """Return the list as the next asks continue it, with all that met the conditions that no argument says."""
    within = filters.within
    if filters.conditions and not found.checked:
        text = " ".join(one.text for one in filters.conditions)
        within = (text, tuple(str(one["id"]) for one in found.items))
    return Search(filters.tool, filters.arguments, total, found.cursor, within)


def is_plural_kind(token: Token) -> bool:
    """Return whether a token names several records of a kind: "deals", "people"."""
    return token.word.endswith(("s", "people")) and lexicon.kind_of(token.stem) is not None


def _is_of_one(ask: Ask) -> bool:
    """Return whether a question is whether one record is something: "is he still there", "is Ann a customer"."""
    said = [token for token in ask.tokens if token.word not in lexicon.INTERJECTIONS][:2]
    if not said[1:] or said[0].word not in _BEING:
        return False
    is_named = any(span.tag == "name" and span.start == said[1].start for span in ask.segment.spans)
    is_one = is_named or said[1].word in lexicon.PERSON - lexicon.OF_EITHER
    return is_one and not any(map(is_plural_kind, ask.outside))


def _says_contacts(ask: Ask) -> bool:
    return any(token.stem == "contact" for token in ask.outside)


def _joined_kinds(ask: Ask) -> list[Token]:
    """Return the nouns of "leads and contacts"."""
    places = [place for place, token in enumerate(ask.outside) if lexicon.kind_named(token) in KINDS]
    joints = {token.word for token in ask.outside[min(places, default=0) : max(places, default=0)]}
    nouns = [ask.outside[place] for place in places]
    if len({lexicon.kind_named(noun) for noun in nouns}) < len(nouns):
        return []  # "customer accounts"
    return nouns if joints <= {*(noun.word for noun in nouns), *word_set("condition_words", "joined")} else []


def _tried(plan: Plan, ask: Ask, kind: str, limit: int) -> tuple[Page, Filters]:
    filters = filters_of(plan, ask, kind)
    return fetch(plan, filters, limit), filters


def sort_key(value: Any) -> tuple[float, str]:
    """Return what orders the values of a field: numbers, priorities, stages, cities of addresses, dates, words."""
    if isinstance(value, dict):
        value = value.get("city") or ""
    if value in _IN_ORDER:
        return float(_IN_ORDER.index(value)), ""
    try:
        return float(value), ""
    except ValueError:
        return 0.0, str(value).casefold()


def other_readings(ask: Ask) -> list[Ask]:
    """Return how else an ask that finds nothing can be read: its owner as a name, its name as an owner or as neither.

    The tags get confused, but only one word can be a colleague, and only a small one no name at all.
    """
    said = [one for one in ask.segment.spans if one.tag in ("name", "new", "org", "owner")]
    if len(said) != 1 or len(tokenize(said[0].text)) > 1:
        return []
    (one,), others = said, [span for span in ask.segment.spans if span not in said]
    swapped = ask.with_spans([*others, Span("name" if one.tag == "owner" else "owner", one.text, one.start)])
    if one.tag == "owner":
        return [swapped]
    # Of neither, so that the answer names it.
    return (
        [swapped, ask.with_spans([*others, Span("unknown", one.text, one.start)])] if one.text.islower() else [swapped]
    )


def at_once[T](functions: Sequence[Callable[[], T]]) -> list[T]:
    """Return the results of functions, the calls of which run in one round. Raises `Pending` with all of them."""
    results, calls = list[T](), list[PlannedCall]()
    for function in functions:
        try:
            results.append(function())
        except Pending as pending:
            calls += pending.calls
    if calls:
        raise Pending(list({call.key: call for call in calls}.values()))
    return results


@act("more")
def more(plan: Plan, ask: Ask) -> Answer:
    """Show the next page of the last list, or all fields of the one record that was spoken of."""
    last, refs = plan.topic.search, plan.topic.refs
    if ask.texts("name") or (ask.texts("ref") and len(refs) > 1 and pointed_at(plan, ask) is not None):
        return ACTS["about"](plan, ask)
    if last is not None and (last.cursor is not None or not refs):
        limit, which = min(ask.count or MAX_LISTED, MAX_CHECKED), "next" if last.cursor else "first"
        page = plan.call(last.tool, "show more", **last.arguments, limit=limit, cursor=last.cursor)
        items, cursor = page["items"], page.get("next_cursor")
        text = listings.format_list(f"Here are the {which} {len(items)}", items, None, plan.now, has_more=bool(cursor))
        return Answer(text, topic=Topic(tuple(map(ref_of, items)), replace(last, total=None, cursor=cursor)))
    ref = refs[0] if len(refs) == 1 else None if refs else pointed_at(plan, ask)
    if ref is not None and ref.type in RECORD_TYPES and (record := plan.record(ref)):
        return Answer(profiles.format_details(record, plan.now, plan.scene.principal.user), topic=Topic((ref,)))
    if last is not None and (last.total or 0) > len(refs):
        return Answer("Tell me how many you want to see.", topic=plan.topic)
    return Answer("That's all of them." if refs else "There is nothing more to show. What would you like to see?")
