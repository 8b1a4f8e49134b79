"""Records that lack something: "deals without a next step", "leads that have no phone number"."""

import re
from typing import Any

from aisha.adapters.llm.offline import phrasing
from aisha.adapters.llm.offline.arguments import filters
from aisha.adapters.llm.offline.entity_resolution import PLURALS
from aisha.adapters.llm.offline.lexicon import FIELD_WORDS
from aisha.adapters.llm.offline.plan import Answer, Plan
from aisha.adapters.llm.offline.results import Wanted, items_of, ref_of
from aisha.adapters.llm.offline.state import Topic

_MOST = 50
"""Records that are looked through; a search gives no more at once."""
_SHOWN = 10
_WITHOUT = re.compile(
    r"(?P<of>.*\b(?:leads|prospects|deals|opportunities|opps|accounts|companies|contacts|customers|people)\b.*?)\b"
    r"(?:(?:with\s+no|without|lacking|missing|(?:that\s+|which\s+|who\s+)?(?:still\s+)?(?:have|has|got|having|with)\s+no|(?:that\s+|which\s+|who\s+)?(?:lack|miss|need|don't\s+have|do\s+not\s+have|doesn't\s+have|haven't\s+got|hasn't\s+got))\s+"
    r"(?:(?:an?|any|the|their|its|set|defined|planned)\s+)*)(?P<what>[a-z -]+?)(?:\s+(?P<more>(?:at|in|from|of|for)\s+[^?.!]+?))?(?:\s+(?:set|yet|on\s+(?:file|record)|defined|recorded|planned|at\s+all))*[?.!\s]*",
    re.IGNORECASE,
)
_STOP = re.compile(r"\b(?:create|add|call|email|schedule|note|delete|update|how\s+many\s+times)\b|:", re.IGNORECASE)
_TABLE = {
    "lead": "email phone job_title company source score estimated_value next_action address owner last_contacted_at",
    "contact": "email phone job_title company department owner last_contacted_at",
    "account": "email phone industry website annual_revenue employee_count owner",
    "opportunity": "next_step amount close_date probability owner description",
}


def lacking(plan: Plan, text: str) -> Answer | None:
    """The records of the kind said, with the filters said, whose field is empty."""
    match = _WITHOUT.fullmatch(text)
    if match is None or _STOP.search(match["of"]):
        return None
    reading = plan.read(f"{match['of'].strip()} {match['more'] or ''}".strip())
    kind = next((one for one in PLURALS if reading.has(one)), None)
    field = _field(match["what"], kind or "")
    if kind is None or field is None or f"search_{PLURALS[kind]}" not in plan.tools:
        return None
    tool = f"search_{PLURALS[kind]}"
    wanted: dict[str, Any] = {**filters(reading, plan.tools[tool], plan.now), "limit": _MOST}
    if kind == "opportunity" and "stage" not in wanted:
        wanted["open_only"] = True
    outcome = plan.need(tool, **wanted)
    if outcome.error:
        return plan.failure(outcome, Wanted(tool, wanted), "list those")
    found = [record for record in items_of(outcome) if record.get(field) in (None, "", [])]
    label, name = phrasing.count_of(len(found), kind), phrasing.words(field).removesuffix(" at")
    if not found:
        return Answer(f"None: all of them have a {name} on record.", topic=Topic((), tool, wanted, 0))
    looked = outcome.value.get("total") or len(items_of(outcome))
    of_first = f" (of the first {_MOST} that I looked through)" if looked > _MOST else ""
    lines = [f"{place}. {phrasing.one_line(one, plan.now)}" for place, one in enumerate(found[:_SHOWN], 1)]
    more = f"\n\nand {len(found) - _SHOWN} more." if len(found) > _SHOWN else ""
    refs = tuple(ref_of(record) for record in found[:_SHOWN])
    return Answer(f"{label} without a {name}{of_first}:\n\n" + "\n".join(lines) + more, topic=Topic(refs))


def _field(said: str, kind: str) -> str | None:
    """The field that the words mean, of those that records of this kind have."""
    bare = re.sub(r"s$", "", said.strip().lower())
    known = _TABLE.get(kind, "").split()
    return next(
        (
            name
            for name in known
            for word in (*FIELD_WORDS.get(name, ()), name.replace("_", " "))
            if word in (bare, said)
        ),
        None,
    )
