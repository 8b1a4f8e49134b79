"""Compare two people of the team, and find records that resemble one."""

from collections.abc import Mapping
from typing import Any

from aisha.adapters.llm.offline.plan import Answer, Plan
from aisha.adapters.llm.offline.reading.lexicon import STOPWORDS
from aisha.adapters.llm.offline.reading.patterns import pattern
from aisha.adapters.llm.offline.replies import phrasing
from aisha.adapters.llm.offline.results import PlannedCall

_BESIDE = r"(?:compared\s+(?:to|with)|vs\.?|versus|against|next\s+to|in\s+comparison\s+(?:to|with)|relative\s+to)"
_ONE = (
    r"(?P<{0}>me|myself|i|my\s+(?:numbers|pipeline)|mine|[a-z]+?)(?:'s|’s)?(?:\s+(?:numbers|pipeline|results|figures))?"
)
# "how is bob doing compared to me", "compare me with bob", "who has more, bob or me".
_COMPARE = (
    pattern(
        rf"(?:so )?how(?:'s|s| is| are| am| do| does| did) {_ONE.format('a')}"
        r" (?:doing|do|going|performing|perform|looking|look|stand|stack up|compare|fare|did)?\s*"
        rf"(?:(?P<early>this|last) (?P<early_unit>week|month|quarter|year) )?{_BESIDE} {_ONE.format('b')}"
        r"(?: (?P<which>this|last) (?P<unit>week|month|quarter|year))?[?.!\s]*"
    ),
    pattern(
        rf"(?:compare )?{_ONE.format('a')} (?:and|with|to|vs\.?|versus|against) {_ONE.format('b')}"
        r"(?: (?P<which>this|last) (?P<unit>week|month|quarter|year))?[?.!\s]*"
    ),
    pattern(
        rf"who(?:'s| is| has| does)\b.*[,:]\s*{_ONE.format('a')} or {_ONE.format('b')}"
        r"(?: (?P<which>this|last) (?P<unit>week|month|quarter|year))?[?.!\s]*"
    ),
)
_SELF = pattern(r"me|myself|i|mine|my\s.*")
_SECTIONS = ("lead", "opportunity", "activity")
# "who is similar to X", "find more like X", "who reminds you of X".
_LIKE = pattern(
    r"(?:who|which|what|any|are there|do we have|find|show|list|search|get|give|more|other)\b.*?\b"
    r"(?:similar(?: \w+)? to|resembl\w+|comparable (?:to|with)"
    r"|(?:is|are|else|more|others?|leads|deals|contacts|accounts|companies|customers|people|ones|anyone|anybody|looks?"
    r"|looking|sounds?|someone|somebody) (?:else )?(?:just |much |a (?:lot|bit) )?like|reminds? (?:you|me|us) of"
    r"|(?:same kind|type|sort) (?:of \w+ )?as) (?P<name>.+?)[?.!\s]*"
)


def compare(plan: Plan, text: str) -> Answer | None:
    """Answer "How's Bob doing compared to me this quarter?". One of the two has to be the user."""
    match = next((compared for pattern in _COMPARE if (compared := pattern.fullmatch(text))), None)
    if match is None or "get_pipeline_summary" not in plan.tools:
        return None
    people = [match["a"], match["b"]]
    if any(person.lower() in STOPWORDS and not _SELF.fullmatch(person) for person in people):
        return None
    if sum(bool(_SELF.fullmatch(person)) for person in people) != 1:
        return None
    owners = ["me" if _SELF.fullmatch(person) else person.lower() for person in people]
    groups = match.groupdict()
    which, unit = groups.get("which") or groups.get("early"), groups.get("unit") or groups.get("early_unit")
    period = {"period": f"{which}_{unit}".lower()} if which and unit else {}
    calls = [PlannedCall("get_pipeline_summary", {"owner": owner, **period}) for owner in owners]
    outcomes = plan.need_all(calls)
    lines = []
    for call, owner, outcome in zip(calls, owners, outcomes, strict=True):
        if outcome.error:
            return plan.failure(outcome, call, "compare you two")
        lines.append(f"- **{'You' if owner == 'me' else owner.capitalize()}**: {_sums(outcome.value)}")
    when = f", {which} {unit}".lower() if which and unit else ""
    return Answer(f"Side by side{when}:\n\n" + "\n".join(lines))


def _sums(value: Any) -> str:
    """Format the counts and sums of one person."""
    sections = {part.get("entity_type"): part for part in value.get("sections", ())}
    parts = []
    for kind in _SECTIONS:
        section = sections.get(kind)
        if section is None:
            continue
        text = phrasing.format_count(int(section.get("count", 0)), kind)
        rows = {row.get("status"): row for row in section.get("by_status", ())}
        if kind == "opportunity" and float(section.get("amount") or 0):
            text += f" worth {phrasing.format_money(section['amount'])}"
            won = rows.get("closed_won", {})
            text += f" ({won.get('count', 0)} won)"
        parts.append(text)
    return phrasing.join_names(parts) or "nothing"


def find_similar(plan: Plan, text: str) -> Answer | None:
    """Answer "who else is like Ann Lee?", "find similar deals to X"."""
    match = _LIKE.fullmatch(text)
    if match is None or "find_similar" not in plan.tools or not plan.mentions_record(f"show me {match['name']}"):
        return None
    record = plan.record_named(f"show me {match['name']}", "Which record shall they resemble?")

    def format_similar(value: Mapping[str, Any]) -> str:
        lines = [f"{at}. **{one['name']}**: {one['reasons']}" for at, one in enumerate(value.get("items", ()), 1)]
        return f"Most like {record.name}:\n\n" + "\n".join(lines) if lines else f"Nothing resembles {record.name}."

    about = {"entity_type": record.type, "entity_id": record.id}
    return plan.run("find_similar", f"find what resembles {record.name}", format_similar, refs=(record,), **about)
