"""List records that lack a field: "deals without a next step", "leads that have no phone number"."""

import re
from typing import Any

from aisha.adapters.llm.offline.arguments import search_filters
from aisha.adapters.llm.offline.entity_resolution import PLURALS
from aisha.adapters.llm.offline.plan import Answer, Plan
from aisha.adapters.llm.offline.reading.lexicon import FIELD_WORDS
from aisha.adapters.llm.offline.reading.patterns import pattern
from aisha.adapters.llm.offline.replies import phrasing
from aisha.adapters.llm.offline.results import items_of, ref_of
from aisha.adapters.llm.offline.state import Topic

_MAX_EXAMINED = 50
"""Records examined; a search returns no more at once."""
_MAX_LISTED = 10
# "deals without a next step", "leads that have no phone", "contacts missing an email".
_WITHOUT = pattern(
    r"(?P<of>.*\b(?:leads|prospects|deals|opportunities|opps|accounts|companies|contacts|customers|people)\b.*?)\b"
    r"(?:(?:with no|without|lacking|missing|(?:that |which |who )?(?:still )?(?:have|has|got|having|with) no"
    r"|(?:that |which |who )?(?:lack|miss|need|don't have|do not have|doesn't have|haven't got|hasn't got))"
    r" (?:(?:an?|any|the|their|its|set|defined|planned) )*)(?P<what>[a-z\x20-]+?)"
    r"(?: (?P<more>(?:at|in|from|of|for) [^?.!]+?))?"
    r"(?: (?:set|yet|on (?:file|record)|defined|recorded|planned|at all))*[?.!\s]*"
)
_OTHER_REQUEST = pattern(r"\b(?:create|add|call|email|schedule|note|delete|update|how many times)\b|:")
_TABLE = {
    "lead": "email phone job_title company source score estimated_value next_action address owner last_contacted_at",
    "contact": "email phone job_title company department owner last_contacted_at",
    "account": "email phone industry website annual_revenue employee_count owner",
    "opportunity": "next_step amount close_date probability owner description",
}


def list_without_field(plan: Plan, text: str) -> Answer | None:
    """List the records of the kind and with the filters named whose field is empty."""
    match = _WITHOUT.fullmatch(text)
    if match is None or _OTHER_REQUEST.search(match["of"]):
        return None
    reading = plan.read(f"{match['of'].strip()} {match['more'] or ''}".strip())
    kind = next((one for one in PLURALS if reading.has(one)), None)
    field = _field(match["what"], kind or "")
    if kind is None or field is None or f"search_{PLURALS[kind]}" not in plan.tools:
        return None
    tool = f"search_{PLURALS[kind]}"
    search_arguments: dict[str, Any] = {**search_filters(reading, plan.tools[tool], plan.now), "limit": _MAX_EXAMINED}
    if kind == "opportunity" and "stage" not in search_arguments:
        search_arguments["open_only"] = True
    outcome = plan.call(tool, "list those", **search_arguments)
    lacking_records = [record for record in items_of(outcome) if record.get(field) in (None, "", [])]
    label, name = phrasing.format_count(len(lacking_records), kind), phrasing.humanise(field).removesuffix(" at")
    if not lacking_records:
        return Answer(f"None: all of them have a {name} on record.", topic=Topic((), tool, search_arguments, 0))
    examined = outcome.value.get("total") or len(items_of(outcome))
    of_first = f" (of the first {_MAX_EXAMINED} that I looked through)" if examined > _MAX_EXAMINED else ""
    lines = [
        f"{place}. {phrasing.format_line(one, plan.now)}" for place, one in enumerate(lacking_records[:_MAX_LISTED], 1)
    ]
    more = f"\n\nand {len(lacking_records) - _MAX_LISTED} more." if len(lacking_records) > _MAX_LISTED else ""
    refs = tuple(ref_of(record) for record in lacking_records[:_MAX_LISTED])
    return Answer(f"{label} without a {name}{of_first}:\n\n" + "\n".join(lines) + more, topic=Topic(refs))


def _field(words: str, kind: str) -> str | None:
    """Return the field that the words mean, of those that records of this kind have."""
    singular = re.sub(r"s$", "", words.strip().lower())
    fields = _TABLE.get(kind, "").split()
    return next(
        (
            name
            for name in fields
            for word in (*FIELD_WORDS.get(name, ()), name.replace("_", " "))
            if word in (singular, words)
        ),
        None,
    )
