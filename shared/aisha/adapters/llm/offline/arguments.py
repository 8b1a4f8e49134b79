"""From a reading to a tool's arguments, by the tool's own schema: its enumerations, formats and parameter names."""

import re
from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Any

from msgspec.structs import replace

from aisha.adapters.llm.offline.disambiguation import KINDS
from aisha.adapters.llm.offline.fields import field_of, fields_of
from aisha.adapters.llm.offline.lexicon import FIELD_WORDS, STOPWORDS
from aisha.adapters.llm.offline.parser import Name, Reading
from aisha.adapters.llm.offline.us_states import STATES, state_code
from aisha.domain.dates.parsing import TimeSpan
from aisha.domain.tools import ToolSpec

_COMPANY = re.compile(
    r"\b(?:inc|corp|corporation|gmbh|llc|ltd|limited|co|company|ag|sa|plc|group|labs?|systems?|technolog(?:y|ies)|solutions?|industries|partners|holdings?|bank|foods?|consulting|logistics|media|software|energy|health|capital|studios?|enterprises?|works|motors|airlines|university)\.?$",
    re.IGNORECASE,
)
_JOB = re.compile(
    r"\b(?:(?:senior|junior|chief|head|vice|regional|sales|marketing|product|general|account|it|hr|finance|operations)\s+)*"
    r"(?:ceo|cto|cfo|coo|cmo|cio|vp(?:\s+(?:of\s+)?\w+)?|president|director(?:\s+of\s+\w+)?|head\s+of\s+\w+|manager|engineer|founder|co-founder|owner|buyer|purchasing\s+\w+|officer|analyst|architect|consultant|partner)\b",
    re.IGNORECASE,
)
_OWNER = re.compile(
    r"\b(?P<many>[a-z]+)\s+(?:has|have|owns|holds|got)\s+(?:got\s+)?how\s+m(?:any|uch)\b|\b(?:owned\s+by|assigned\s+to|belong(?:s|ing)?\s+to|does|do|has|by|for)\s+(?P<a>[a-z]+)\b(?=\s+(?:have|own|got|currently|now|at\s+the\s+moment|right\s+now|in\s+total|as\s+of)\b|\s*[?.!]?\s*$)|\b(?:is|are)\s+(?:(?:having|owning|holding|handling|working\s+on)\s+(?P<d>[a-z]+)|(?P<e>[a-z]+)\s+(?:having|owning|holding|handling|working\s+on|sitting\s+on))\b|\b(?:owned\s+by|assigned\s+to|belong(?:s|ing)?\s+to)\s+(?P<b>[a-z]+)\b|\b(?P<c>[a-z]+)\s+(?:owns|holds|has\s+got|has)\s*[?.!]?\s*$",
    re.IGNORECASE,
)
_ABOUT = re.compile(
    r"(?:\s*:|\s+(?:about|regarding|re:?|concerning|to\s+(?:discuss|talk\s+about|go\s+over|review|chat\s+about|cover|check|ask|see|confirm|send|get|share|present|finali[sz]e|sign|close)))\s+(?P<topic>.+)$",
    re.IGNORECASE,
)


_NEW_OWNER = re.compile(
    r"\b(?:assign|reassign|hand|give|transfer|move|pass)\b.*\bto\s+(?P<who>[A-Za-z]+)\s*[.!?]?$|\bowner\b.*?\b(?:to|is|:)\s*(?P<o>[A-Za-z]+)"
    r"|\b(?:should|shall|will|is|to)\s+(?:now\s+)?(?:be\s+)?(?P<p>[A-Za-z]+)['’]s\b(?!\s+\w+\s+(?:to|is))|\b(?P<t>[A-Za-z]+)\s+(?:takes?|is\s+taking|will\s+take|should\s+take)\s+over\b"
    r"|\b(?:should|shall|will)\s+(?:now\s+)?(?:belong|go)\s+to\s+(?P<g>[A-Za-z]+)\b",
    re.IGNORECASE,
)


def enums_of(spec: ToolSpec) -> dict[str, list[str]]:
    """The parameters with enumerated values, at the top level or as items of a list."""
    found = {}
    for name, schema in spec.properties.items():
        values = schema.get("enum") or (schema.get("items") or {}).get("enum")
        if values:
            found[name] = [str(value) for value in values]
    return found


def enum_arguments(reading: Reading, spec: ToolSpec, skip: frozenset[str] = frozenset()) -> dict[str, Any]:
    """Values said in the clause, each given to the parameter that knows it."""
    arguments: dict[str, Any] = {}
    taken: set[tuple[int, int]] = set()
    for name, values in sorted(enums_of(spec).items(), key=lambda item: item[0] not in ("status", "stage")):
        if name in skip:
            continue
        said = [
            (spans[0], value) for value, spans in reading.values.items() if value in values and spans[0] not in taken
        ]
        said = [item for item in said if not _is_creating_word(reading, item[1], item[0])]
        if len(said) > 1:  # "warm leads that we contacted": what was done, and no status.
            said = [one for one in said if one[1] != "contacted" or not _DOING.search(reading.text[: one[0][0]])]
        if said:
            span, value = max(said, key=lambda item: (item[0][1] - item[0][0], -item[0][0]))
            taken.add(span)
            is_list = spec.properties[name].get("type") == "array"
            arguments[name] = [value] if is_list else value
    if (
        "source" not in {*arguments, *skip}
        and "email" in enums_of(spec).get("source", ())
        and _CAME_BY.search(reading.text)
    ):
        arguments["source"] = "email"
    return arguments


_DOING = re.compile(
    r"\b(?:we|i|you|have|has|had|been|was|were|not|never|last|recently|got|n't)\s+(?:\w+\s+)?$", re.IGNORECASE
)
_CAME_BY = re.compile(
    r"\b(?:came|come|comes|coming|arrived|got|reached\s+us|found\s+us|leads|prospects)\s+(?:\w+\s+){0,2}?(?:from|via|through|by|over)\s+(?:an?\s+)?e-?mails?\b"
    r"|\bsource\s*(?:is|was|=|:|of)?\s*e-?mail\b",
    re.IGNORECASE,
)
"""The one source that is a kind of activity as well."""


def _is_creating_word(reading: Reading, value: str, span: tuple[int, int]) -> bool:
    """ "a new lead" asks to make one; "new leads" asks for those with that status. "open" is no deal stage."""
    if value != "new" or re.search(r"\b(?:leads|ones)\b", reading.text[span[1] :], re.IGNORECASE):
        return False
    ahead = reading.text[: span[0]].rstrip().lower()
    return ahead in ("a", "") or ahead.endswith((" a", "the"))


def owner_in(reading: Reading) -> str | None:
    """ "me" for my records, or the user whose records are asked for."""
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
    return (
        "me"
        if re.search(r"\b(?:my|mine|(?:do|have|did) i|i have|i've|i own|i got)\b", reading.text, re.IGNORECASE)
        else None
    )


_WITHOUT_APOSTROPHE = re.compile(r"[a-z]{2,}[^s\W]s")


def _records_follow(reading: Reading, end: int) -> bool:
    """Whether a kind of record, or a status of one, comes next: "bobs contacted leads"."""
    spans = [*reading.values.values(), *(reading.concepts.get(kind, []) for kind in KINDS)]
    return any(0 <= start - end <= 1 for group in spans for start, _ in group)


def date_value(spec: ToolSpec, name: str, day: datetime) -> str:
    """ISO 8601 as the parameter's format wants it."""
    schema = spec.properties.get(name, {})
    wants_date = schema.get("format") == "date" or any(
        option.get("format") == "date" for option in schema.get("anyOf", ())
    )
    return day.date().isoformat() if wants_date else day.isoformat()


def time_bounds(span: TimeSpan, now: datetime) -> tuple[datetime | None, datetime | None]:
    """From and to, as a filter: whole days in the user's zone."""
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


def together(spans: Sequence[TimeSpan]) -> TimeSpan:
    """One time of several said: "Friday... let's say 11:15" is a day and a clock time."""
    last = spans[-1]
    day = next((span for span in reversed(spans) if span.first is not None), None)
    clock = next((span for span in reversed(spans) if span.clock is not None), None)
    if last.exact is not None or day is None or clock is None or day is clock:
        return last
    return replace(day, clock=clock.clock, end=max(day.end, clock.end))


def filters(reading: Reading, spec: ToolSpec, now: datetime) -> dict[str, Any]:
    """The filters of a search tool that the clause asks for, by the names of its parameters."""
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


_HEADS = re.compile(r"\s*(?:or\s+more\s+)?(?:people|employees|staff|heads|workers|persons)\b", re.IGNORECASE)


def _number_filters(reading: Reading, properties: dict[str, Any], arguments: dict[str, Any]) -> None:
    for amount in (*reading.amounts, *reading.numbers):
        is_score = "scor" in reading.text.lower() and not amount.money
        stems = ("score",) if is_score else ("value", "amount", "revenue", "employees")
        stems = ("employees",) if _HEADS.match(reading.text[amount.end :]) else stems
        prefix = "max" if amount.relation == "less" else "min"
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
    stems = ("contacted", "last_contacted") if contacted else ("closing", "due", "created")
    for stem in stems:
        after, before = f"{stem}_after", f"{stem}_before"
        if after in spec.properties or before in spec.properties:
            if start is not None and after in spec.properties:
                arguments[after] = date_value(spec, after, start)
            if end is not None and before in spec.properties:
                arguments[before] = date_value(spec, before, end)
            return


_IN_TOUCH = re.compile(
    r"\b(?:contacted|talked|spoken|spoke|touched|heard|reached)\b"
    r"|\b(?:did|do|to|not|never|n't|have|has|i|we)\s+(?:\w+\s+)?(?:contact|reach|speak|talk|touch|hear)\b"
)
_THIS_MOMENT = re.compile(r"\s*(?:right\s+|just\s+|by\s+|until\s+)?now\s*", re.IGNORECASE)
"""Says how things stand, and no day: "what is overdue now?"."""
_OPEN = re.compile(r"\b(?:open|active|live|ongoing)\b", re.IGNORECASE)
_FEW_WORDS = 4
"""Words of a search so short that what is no word of English must be a name: "list contacts xyz inc"."""
_NAMES_AFTER = frozenset("in at from of with for by about called named".split())
_TRADE = re.compile(r"\s*(?:industry|sector|compan|account|business|firm|space|client|customer)", re.IGNORECASE)


def _name_filters(reading: Reading, properties: dict[str, Any], arguments: dict[str, Any], owner: str | None) -> None:
    for name in reading.names:
        if owner and name.text.lower().split()[0] in (owner, f"{owner}s"):
            continue
        is_named = (
            name.capital
            or name.before in _NAMES_AFTER
            or name.text.lower() in STATES
            or _TRADE.match(reading.text[name.end :])
        )
        if not is_named and not (name.strong and len(reading.text.split()) <= _FEW_WORDS):
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
    if "state" in properties and name.text.lower() in STATES and name.before in ("from", "of", "around", "across"):
        return "state"
    at_company = name.before in ("at", "from", "of", "for", "with") or is_company(name.text)
    if at_company and "company" in properties and "account_id" in properties:
        return "company"
    if "state" in properties and len(name.text) == 2 and name.text.isupper():
        return "state"
    if "state" in properties and after.startswith("state"):
        return "state"
    if name.before == "in" and ("state" in properties or "city" in properties):
        is_state = name.text.lower() in STATES and name.text.lower() != "new york"
        return "state" if "state" in properties and (is_state or "city" not in properties) else "city"
    if "job_title" in properties and _JOB.fullmatch(name.text):
        return "job_title"
    return "name_contains"


def new_owner(reading: Reading) -> str | None:
    """Whose a record shall be: "hand it to bob", "it is bob's now". A status or an ordinary word is nobody."""
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
    """ "Not churning any more, healthy": what something is no longer is no value that it gets."""
    kept = {
        value: [span for span in spans if not _DENIED.search(reading.text[: span[0]])]
        for value, spans in reading.values.items()
    }
    return replace(reading, values={value: spans for value, spans in kept.items() if spans})


_DENIED = re.compile(
    r"(?:\b(?:not|never|no\s+longer|rather\s+than|instead\s+of|from)|n't|n’t)\s+(?:(?:an?|the|really|being|be|in|at|as)\s+)*$",
    re.IGNORECASE,
)


def changes(reading: Reading, spec: ToolSpec, now: datetime) -> dict[str, Any]:
    """The new values that an update asks for, by the names of the tool's parameters."""
    properties = spec.properties
    arguments = enum_arguments(_without_denied(reading), spec)
    field = field_of(reading)
    for name, found in (("email", reading.emails), ("phone", reading.phones), ("website", reading.urls)):
        if found and name in properties:
            arguments[name] = found[-1]
    if reading.amounts or (
        reading.numbers
        and field in ("amount", "estimated_value", "score", "probability", "employee_count", "annual_revenue")
    ):
        amount = (reading.amounts or reading.numbers)[-1].value
        is_sum = bool(reading.amounts) and reading.amounts[-1].money
        wanted = [None if is_sum and field in _NO_SUMS else field, "amount", "estimated_value", "annual_revenue"]
        target = next((item for item in wanted if item in properties), None)
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
    for flag, pattern in _DO_NOT.items():
        if flag in properties and pattern.search(reading.text):
            arguments[flag] = True
    if "owner" in properties and not arguments and (owner := new_owner(reading)) is not None:
        arguments["owner"] = owner
    if field in properties and field not in arguments and not reading.emails:
        value = said_value(reading.text, field)
        if value and field == "phone":
            value = digits[0] if (digits := _DIGITS.search(value)) else None
        if value:
            arguments[field] = value
    return arguments


_NO_SUMS = ("score", "probability", "employee_count")
"""Numbers that no sum of money is for: "contacted, 60k, score 55"."""
_NUMERIC = ("score", "probability", "amount", "estimated_value", "employee_count")


_DIGITS = re.compile(r"\+?\d(?:[\s().-]?\d){4,}")


def _number_after(reading: Reading, field: str) -> int | None:
    """The number that stands behind a field's words: "warm, score 80"."""
    words = "|".join(re.escape(word) for word in sorted(FIELD_WORDS[field], key=len, reverse=True))
    match = re.search(rf"\b(?:{words})\D{{0,12}}?(?P<n>\d[\d,]*)(?![\w.%-]*\w)", reading.text, re.IGNORECASE)
    return int(match["n"].replace(",", "")) if match else None


def _day_meant(span: TimeSpan, name: str, now: datetime) -> datetime:
    """A deal closes on the last day of a month or quarter that is said, whatever else has to be done on its first."""
    if name == "close_date" and span.is_range and span.last and span.first and (span.last - span.first).days > _A_WEEK:
        return span.moment(now).replace(year=span.last.year, month=span.last.month, day=span.last.day)
    return span.moment(now)


_A_WEEK = 7
_DO_NOT = {
    f"do_not_{kind}": re.compile(
        rf"\b(?:(?:do\s+not|don't|dont|must\s+not|mustn't|never|shouldn't|should\s+not|stop|not)\s+(?:to\s+)?(?:(?:ever|want\s+to|wants?\s+to|wish\s+to)\s+)?(?:be(?:ing)?\s+)?"
        rf"(?:{verbs})|(?:doesn't|does\s+not|don't)\s+(?:want|wish|like)\s+(?:to\s+be\s+|being\s+|any\s+(?:more\s+)?)?(?:{verbs})|no\s+(?:more|further)\s+(?:{verbs})|do-not-(?:{verbs}))",
        re.IGNORECASE,
    )
    for kind, verbs in (("call", "call|phon|ring"), ("email", "e-?mail|mail"))
}


def wants_no(text: str) -> list[str]:
    """What somebody does not want: "calls", "emails"."""
    return [f"{flag.removeprefix('do_not_')}s" for flag, pattern in _DO_NOT.items() if pattern.search(text)]


def said_value(text: str, field: str) -> str | None:
    """The free text given for a field: "set his job title to Head of Sales" gives "Head of Sales"."""
    words = "|".join(re.escape(word) for word in sorted(FIELD_WORDS.get(field, (field,)), key=len, reverse=True))
    patterns = (
        rf"(?:{words})\b.*?(?:\b(?:should|must) (?:now )?be\b|\bto be\b|\bto\b|\bis now\b|\bis\b|\bas\b|=|:)\s*(?P<v>.+)$",
        *([rf"(?:{words})\s+(?P<v>[a-z].+)$"] if field in ("next_action", "next_step") else []),
        rf"(?:as|to|is|became)\s+(?P<v>.+?)\s+(?:for\s+)?(?:{words})\b",
    )
    for pattern in patterns:
        if match := re.search(pattern, text, re.IGNORECASE):
            return str(match["v"]).strip().strip("\"'“”.!")
    return None


def is_company(name: str) -> bool:
    return bool(_COMPANY.search(name.strip()))


def job_title_in(text: str) -> str | None:
    match = _JOB.search(text)
    return match.group(0) if match else None


def split_topic(text: str) -> tuple[str, str | None]:
    """ "call Jack about the contract" is a call with Jack, on "the contract"."""
    match = _ABOUT.search(text)
    return (text[: match.start()], match["topic"].strip(" .!?")) if match else (text, None)
