"""Fill a tool's arguments from a parsed clause according to the tool's schema."""

import re
from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Any

from msgspec.structs import replace

from aisha.adapters.llm.offline.intent import field_of, fields_of
from aisha.adapters.llm.offline.reading.disambiguation import KINDS
from aisha.adapters.llm.offline.reading.lexicon import FIELD_WORDS, STOPWORDS, US_STATES, state_code
from aisha.adapters.llm.offline.reading.parser import Name, Reading
from aisha.adapters.llm.offline.reading.patterns import pattern
from aisha.domain.dates.parsing import TimeSpan
from aisha.domain.tools import ToolSpec

# The last word of many company names.
_COMPANY = pattern(
    r"\b(?:inc|corp|corporation|gmbh|llc|ltd|limited|co|company|ag|sa|plc|group|labs?|systems?|technolog(?:y|ies)"
    r"|solutions?|industries|partners|holdings?|bank|foods?|consulting|logistics|media|software|energy|health|capital"
    r"|studios?|enterprises?|works|motors|airlines|university)\.?$"
)
# "senior sales manager", "head of product", "CTO".
_JOB = pattern(
    r"\b(?:(?:senior|junior|chief|head|vice|regional|sales|marketing|product|general|account|it|hr|finance|operations)"
    r" )*(?:ceo|cto|cfo|coo|cmo|cio|vp(?: (?:of )?\w+)?|president|director(?: of \w+)?|head of \w+|manager|engineer"
    r"|founder|co-founder|owner|buyer|purchasing \w+|officer|analyst|architect|consultant|partner)\b"
)
# "bob has how many", "owned by bob", "is bob working on": the owner of the records.
_OWNER = pattern(
    r"\b(?P<many>[a-z]+) (?:has|have|owns|holds|got) (?:got )?how m(?:any|uch)\b"
    r"|\b(?:owned by|assigned to|belong(?:s|ing)? to|does|do|has|by|for) (?P<a>[a-z]+)\b"
    r"(?= (?:have|own|got|currently|now|at the moment|right now|in total|as of)\b|\s*[?.!]?\s*$)"
    r"|\b(?:is|are) (?:(?:having|owning|holding|handling|working on) (?P<d>[a-z]+)|(?P<e>[a-z]+)"
    r" (?:having|owning|holding|handling|working on|sitting on))\b|\b(?:owned by|assigned to|belong(?:s|ing)? to)"
    r" (?P<b>[a-z]+)\b|\b(?P<c>[a-z]+) (?:owns|holds|has got|has)\s*[?.!]?\s*$"
)
_ABOUT = pattern(
    r"(?:\s*:| (?:about|regarding|re:?|concerning|to (?:discuss|talk about|go over|review|chat about|cover|check|ask"
    r"|see|confirm|send|get|share|present|finali[sz]e|sign|close))) (?P<topic>.+)$"
)
# "assign it to bob", "she is bob's now".
_NEW_OWNER = pattern(
    r"\b(?:assign|reassign|hand|give|transfer|move|pass)\b.*\bto (?P<who>[A-Za-z]+)\s*[.!?]?$"
    r"|\bowner\b.*?\b(?:to|is|:)\s*(?P<o>[A-Za-z]+)|\b(?:should|shall|will|is|to) (?:now )?(?:be )?"
    r"(?P<p>[A-Za-z]+)['’]s\b(?! \w+ (?:to|is))|\b(?P<t>[A-Za-z]+) (?:takes?|is taking|will take|should take) over\b"
    r"|\b(?:should|shall|will) (?:now )?(?:belong|go) to (?P<g>[A-Za-z]+)\b"
)
_ACTION_BEFORE = pattern(r"\b(?:we|i|you|have|has|had|been|was|were|not|never|last|recently|got|n't) (?:\w+ )?$")
_CAME_BY_EMAIL = pattern(
    r"\b(?:came|come|comes|coming|arrived|got|reached us|found us|leads|prospects) (?:\w+ ){0,2}?"
    r"(?:from|via|through|by|over) (?:an? )?e-?mails?\b|\bsource\s*(?:is|was|=|:|of)?\s*e-?mail\b"
)
"""Recognises the source "email", which is also a kind of activity."""
# "bobs" in "bobs leads"; not "ross", which ends with an "s" of its own.
_WITHOUT_APOSTROPHE = re.compile(r"[a-z]{2,}[^s\W]s")
_EMPLOYEES_FOLLOW = pattern(r"\s*(?:or more )?(?:people|employees|staff|heads|workers|persons)\b")
_IN_TOUCH = re.compile(
    r"\b(?:contacted|talked|spoken|spoke|touched|heard|reached)\b"
    r"|\b(?:did|do|to|not|never|n't|have|has|i|we)\s+(?:\w+\s+)?(?:contact|reach|speak|talk|touch|hear)\b"
)
_THIS_MOMENT = pattern(r"\s*(?:right |just |by |until )?now\s*")
"""Recognises "now" as the present state rather than a day: "what is overdue now?"."""
_OPEN = pattern(r"\b(?:open|active|live|ongoing)\b")
_MAX_SHORT_SEARCH_WORDS = 4
"""Words at most of a search in which an unknown word must be a name: "list contacts xyz inc"."""
_NAMES_AFTER = frozenset("in at from of with for by about called named".split())
_INDUSTRY_FOLLOWS = pattern(r"\s*(?:industry|sector|compan|account|business|firm|space|client|customer)")
_DENIED = pattern(
    r"(?:\b(?:not|never|no longer|rather than|instead of|from)|n't|n’t) (?:(?:an?|the|really|being|be|in|at|as) )*$"
)
_NO_SUMS = ("score", "probability", "employee_count")
"""Numeric fields that never hold money: "contacted, 60k, score 55"."""
_NUMERIC = ("score", "probability", "amount", "estimated_value", "employee_count")
_DIGITS = re.compile(r"\+?\d(?:[\s().-]?\d){4,}")
_MAX_WEEK_DAYS = 7
_OPT_OUTS = {
    f"do_not_{kind}": pattern(
        r"\b(?:(?:do not|don't|dont|must not|mustn't|never|shouldn't|should not|stop|not) (?:to )?"
        rf"(?:(?:ever|want to|wants? to|wish to) )?(?:be(?:ing)? )?(?:{verbs})"
        rf"|(?:doesn't|does not|don't) (?:want|wish|like) (?:to be |being |any (?:more )?)?(?:{verbs})"
        rf"|no (?:more|further) (?:{verbs})|do-not-(?:{verbs}))"
    )
    for kind, verbs in (("call", "call|phon|ring"), ("email", "e-?mail|mail"))
}


def enum_parameters(spec: ToolSpec) -> dict[str, list[str]]:
    """Return the parameters with enumerated values, at the top level or as items of a list."""
    enums = {}
    for name, schema in spec.properties.items():
        values = schema.get("enum") or (schema.get("items") or {}).get("enum")
        if values:
            enums[name] = [str(value) for value in values]
    return enums


def enum_arguments(reading: Reading, spec: ToolSpec, skip: frozenset[str] = frozenset()) -> dict[str, Any]:
    """Return the enumerated values of the clause, each for the parameter that has it."""
    arguments: dict[str, Any] = {}
    taken: set[tuple[int, int]] = set()
    # A word may be a value of several parameters: status and stage take it first.
    for name, values in sorted(enum_parameters(spec).items(), key=lambda item: item[0] not in ("status", "stage")):
        if name in skip:
            continue
        mentions = [
            (spans[0], value) for value, spans in reading.values.items() if value in values and spans[0] not in taken
        ]
        mentions = [item for item in mentions if not _is_creating_word(reading, item[1], item[0])]
        if len(mentions) > 1:  # "warm leads that we contacted": what was done, and no status.
            mentions = [
                one for one in mentions if one[1] != "contacted" or not _ACTION_BEFORE.search(reading.text[: one[0][0]])
            ]
        if mentions:
            # The longest mention, the first of equally long ones.
            span, value = max(mentions, key=lambda item: (item[0][1] - item[0][0], -item[0][0]))
            taken.add(span)
            is_list = spec.properties[name].get("type") == "array"
            arguments[name] = [value] if is_list else value
    if (
        "source" not in {*arguments, *skip}
        and "email" in enum_parameters(spec).get("source", ())
        and _CAME_BY_EMAIL.search(reading.text)
    ):
        arguments["source"] = "email"
    return arguments


def _is_creating_word(reading: Reading, value: str, span: tuple[int, int]) -> bool:
    """Return whether "new" asks to create a record rather than for the status "new"."""
    if value != "new" or pattern(r"\b(?:leads|ones)\b").search(reading.text[span[1] :]):
        return False
    before = reading.text[: span[0]].rstrip().lower()
    return before in ("a", "") or before.endswith((" a", "the"))


def owner_in(reading: Reading) -> str | None:
    """Return "me" for the user's own records, or the name of another owner."""
    if match := _OWNER.search(reading.text):
        word = next(one for one in match.groups() if one).lower()
        if word in ("i", "we", "me", "myself", "us"):
            return "me" if word in ("i", "me", "myself") else None
        if any(name.text.lower().split()[0] == word for name in reading.names):
            return word
    for name in reading.names:
        if name.possessive and " " not in name.text:
            return name.text.lower()
        if _WITHOUT_APOSTROPHE.fullmatch(name.text) and _records_follow(reading, name.end):
            return name.text.lower()[:-1]
    return "me" if pattern(r"\b(?:my|mine|(?:do|have|did) i|i have|i've|i own|i got)\b").search(reading.text) else None


def _records_follow(reading: Reading, end: int) -> bool:
    """Return whether a kind of record or a status follows: "bobs contacted leads"."""
    spans = [*reading.values.values(), *(reading.concepts.get(kind, []) for kind in KINDS)]
    return any(0 <= start - end <= 1 for group in spans for start, _ in group)


def date_value(spec: ToolSpec, name: str, day: datetime) -> str:
    """Return a day in ISO 8601, as a date or an instant according to the parameter's format."""
    schema = spec.properties.get(name, {})
    wants_date = schema.get("format") == "date" or any(
        option.get("format") == "date" for option in schema.get("anyOf", ())
    )
    return day.date().isoformat() if wants_date else day.isoformat()


def time_bounds(span: TimeSpan, now: datetime) -> tuple[datetime | None, datetime | None]:
    """Return the first and last instant of a time filter, whole days in the user's zone."""
    midnight = now.replace(hour=0, minute=0, second=0, microsecond=0)
    moment = span.moment(now)
    first = midnight.replace(year=span.first.year, month=span.first.month, day=span.first.day) if span.first else moment
    last = midnight.replace(year=span.last.year, month=span.last.month, day=span.last.day) if span.last else moment
    end = last + timedelta(days=1) - timedelta(seconds=1)
    if span.relation == "before":
        return None, end if span.first else moment
    if span.relation == "after":
        return first, None
    return first, end


def merge_times(spans: Sequence[TimeSpan]) -> TimeSpan:
    """Merge several times into one: "Friday... let's say 11:15" is a day and a clock time."""
    last = spans[-1]
    day = next((span for span in reversed(spans) if span.first is not None), None)
    clock = next((span for span in reversed(spans) if span.clock is not None), None)
    # "in two hours" is exact by itself, and a day or a clock time alone needs no merging.
    if last.exact is not None or day is None or clock is None or day is clock:
        return last
    return replace(day, clock=clock.clock, end=max(day.end, clock.end))


def search_filters(reading: Reading, spec: ToolSpec, now: datetime) -> dict[str, Any]:
    """Return the filters of a search tool that the clause asks for, by parameter name."""
    properties = spec.properties
    arguments = enum_arguments(reading, spec)
    _number_filters(reading, properties, arguments)
    _time_filters(reading, spec, now, arguments)
    owner = owner_in(reading) if "owner" in properties else None
    if owner:
        arguments["owner"] = owner
    _name_filters(reading, properties, arguments, owner)
    if "open_only" in properties and "stage" not in arguments and _OPEN.search(reading.text):
        arguments["open_only"] = True
    if reading.top and "limit" in properties:
        arguments["limit"] = reading.top
    return arguments


def _number_filters(reading: Reading, properties: dict[str, Any], arguments: dict[str, Any]) -> None:
    for amount in (*reading.amounts, *reading.numbers):
        is_score = "scor" in reading.text.lower() and not amount.money
        stems = ("score",) if is_score else ("value", "amount", "revenue", "employees")
        stems = ("employees",) if _EMPLOYEES_FOLLOW.match(reading.text[amount.end :]) else stems
        prefix = "max" if amount.relation == "less" else "min"
        # A bare number is rather a count or a part of a name than a bound.
        if amount.relation is None and not amount.money and not is_score:
            continue
        for stem in stems:
            if (name := f"{prefix}_{stem}") in properties and name not in arguments:
                arguments[name] = int(amount.value) if amount.value.is_integer() else amount.value
                break


def _time_filters(reading: Reading, spec: ToolSpec, now: datetime, arguments: dict[str, Any]) -> None:
    spans = [one for one in reading.times if not _THIS_MOMENT.fullmatch(reading.text[one.start : one.end])]
    if not spans:
        return
    start, end = time_bounds(spans[0], now)
    lowered = reading.text.lower()
    contacted = _IN_TOUCH.search(lowered)
    # The first of these parameters that the tool has.
    stems = ("contacted", "last_contacted") if contacted else ("closing", "due", "created")
    for stem in stems:
        after, before = f"{stem}_after", f"{stem}_before"
        if after in spec.properties or before in spec.properties:
            if start is not None and after in spec.properties:
                arguments[after] = date_value(spec, after, start)
            if end is not None and before in spec.properties:
                arguments[before] = date_value(spec, before, end)
            return


def _name_filters(reading: Reading, properties: dict[str, Any], arguments: dict[str, Any], owner: str | None) -> None:
    for name in reading.names:
        if owner and name.text.lower().split()[0] in (owner, f"{owner}s"):
            continue
        is_named = (
            name.capital
            or name.before in _NAMES_AFTER
            or name.text.lower() in US_STATES
            or _INDUSTRY_FOLLOWS.match(reading.text[name.end :])
        )
        if not is_named and not (name.strong and len(reading.text.split()) <= _MAX_SHORT_SEARCH_WORDS):
            continue
        target = _name_target(name, reading, properties)
        if target and target not in arguments:
            arguments[target] = state_code(name.text) if target == "state" else name.text


def _name_target(name: Name, reading: Reading, properties: dict[str, Any]) -> str | None:
    after = reading.text[name.end :].lstrip().lower()
    if "industry" in properties and (
        after.startswith(("industry", "sector", "compan", "account", "business", "firm", "space", "client", "customer"))
        or name.before in ("in", "industry", "sector")
    ):
        return "industry"
    if "state" in properties and name.text.lower() in US_STATES and name.before in ("from", "of", "around", "across"):
        return "state"
    at_company = name.before in ("at", "from", "of", "for", "with") or is_company(name.text)
    if at_company and "company" in properties and "account_id" in properties:
        return "company"
    if "state" in properties and len(name.text) == 2 and name.text.isupper():
        return "state"
    if "state" in properties and after.startswith("state"):
        return "state"
    if name.before == "in" and ("state" in properties or "city" in properties):
        # "in New York" usually means the city.
        is_state = name.text.lower() in US_STATES and name.text.lower() != "new york"
        return "state" if "state" in properties and (is_state or "city" not in properties) else "city"
    if "job_title" in properties and _JOB.fullmatch(name.text):
        return "job_title"
    return "name_contains"


def new_owner(reading: Reading) -> str | None:
    """Return the new owner: "hand it to bob", "it is bob's now". A status or an ordinary word is none."""
    match = _NEW_OWNER.search(reading.text)
    if match is None:
        return None
    who = next(word for word in match.groups() if word).lower()
    at = reading.text.lower().find(who, match.start())
    is_value = any(start <= at < end for spans in reading.values.values() for start, end in spans)
    is_plain = who in STOPWORDS or any(start <= at < end for spans in reading.concepts.values() for start, end in spans)
    if who in ("me", "myself"):
        return "me"
    return None if is_value or is_plain else who


def _without_denied(reading: Reading) -> Reading:
    """Remove denied values: "not churning any more, healthy"."""
    remaining = {
        value: [span for span in spans if not _DENIED.search(reading.text[: span[0]])]
        for value, spans in reading.values.items()
    }
    return replace(reading, values={value: spans for value, spans in remaining.items() if spans})


def field_changes(reading: Reading, spec: ToolSpec, now: datetime) -> dict[str, Any]:
    """Return the new values that an update asks for, by parameter name."""
    properties = spec.properties
    arguments = enum_arguments(_without_denied(reading), spec)
    field = field_of(reading)
    for name, literals in (("email", reading.emails), ("phone", reading.phones), ("website", reading.urls)):
        if literals and name in properties:
            arguments[name] = literals[-1]
    if reading.amounts or (
        reading.numbers
        and field in ("amount", "estimated_value", "score", "probability", "employee_count", "annual_revenue")
    ):
        amount = (reading.amounts or reading.numbers)[-1].value
        is_sum = bool(reading.amounts) and reading.amounts[-1].money
        candidates = [None if is_sum and field in _NO_SUMS else field, "amount", "estimated_value", "annual_revenue"]
        target = next((item for item in candidates if item in properties), None)
        if target:
            arguments[target] = int(amount) if float(amount).is_integer() else amount
    times = [span for span in reading.times if reading.text[span.start : span.end].lower() not in ("now", "right now")]
    for name in ("close_date", "due_date", "due_at"):
        if times and name in properties:
            arguments[name] = date_value(spec, name, _day_meant(times[-1], name, now))
    for name in fields_of(reading):
        if (
            name in _NUMERIC
            and name in properties
            and name not in arguments
            and (number := _number_after(reading, name)) is not None
        ):
            arguments[name] = number
    for flag, opt_out in _OPT_OUTS.items():
        if flag in properties and opt_out.search(reading.text):
            arguments[flag] = True
    # Last, since "move it to proposal" looks like a new owner; a recognised value excludes that.
    if "owner" in properties and not arguments and (owner := new_owner(reading)) is not None:
        arguments["owner"] = owner
    if field in properties and field not in arguments and not reading.emails:
        value = value_after_field(reading.text, field)
        if value and field == "phone":
            value = digits[0] if (digits := _DIGITS.search(value)) else None
        if value:
            arguments[field] = value
    return arguments


def _number_after(reading: Reading, field: str) -> int | None:
    """Return the number after a field's name: "warm, score 80"."""
    words = "|".join(re.escape(word) for word in sorted(FIELD_WORDS[field], key=len, reverse=True))
    # Up to twelve characters in between: "score is now 80"; "80%" passes, "80k" does not.
    match = re.search(rf"\b(?:{words})\D{{0,12}}?(?P<n>\d[\d,]*)(?![\w.%-]*\w)", reading.text, re.IGNORECASE)
    return int(match["n"].replace(",", "")) if match else None


def _day_meant(span: TimeSpan, name: str, now: datetime) -> datetime:
    """Return the instant meant: for a closing date the last day of a month or quarter, else the first."""
    if (
        name == "close_date"
        and span.is_range
        and span.last
        and span.first
        and (span.last - span.first).days > _MAX_WEEK_DAYS
    ):
        return span.moment(now).replace(year=span.last.year, month=span.last.month, day=span.last.day)
    return span.moment(now)


def unwanted_channels(text: str) -> list[str]:
    """Return the channels somebody opts out of: "calls", "emails"."""
    return [f"{flag.removeprefix('do_not_')}s" for flag, opt_out in _OPT_OUTS.items() if opt_out.search(text)]


def value_after_field(text: str, field: str) -> str | None:
    """Return the free text for a field: "set his job title to Head of Sales" gives "Head of Sales"."""
    words = "|".join(re.escape(word) for word in sorted(FIELD_WORDS.get(field, (field,)), key=len, reverse=True))
    patterns = (
        rf"(?:{words})\b.*?(?:\b(?:should|must) (?:now )?be\b|\bto be\b|\bto\b|\bis now\b|\bis\b|\bas\b|=|:)"
        r"\s*(?P<v>.+)$",
        *([rf"(?:{words})\s+(?P<v>[a-z].+)$"] if field in ("next_action", "next_step") else []),
        rf"(?:as|to|is|became)\s+(?P<v>.+?)\s+(?:for\s+)?(?:{words})\b",
    )
    for expression in patterns:
        if match := re.search(expression, text, re.IGNORECASE):
            return str(match["v"]).strip().strip("\"'“”.!")
    return None


def is_company(name: str) -> bool:
    return bool(_COMPANY.search(name.strip()))


def job_title_in(text: str) -> str | None:
    match = _JOB.search(text)
    return match.group(0) if match else None


def split_topic(text: str) -> tuple[str, str | None]:
    """Split off the topic: "call Jack about the contract" is a call with Jack, on "the contract"."""
    match = _ABOUT.search(text)
    return (text[: match.start()], match["topic"].strip(" .!?")) if match else (text, None)
