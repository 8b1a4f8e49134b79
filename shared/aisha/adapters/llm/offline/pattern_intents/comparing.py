"""How two people of the team do beside one another: their leads, deals and activities, counted alike."""

import re
from typing import Any

from aisha.adapters.llm.offline import phrasing
from aisha.adapters.llm.offline.lexicon import STOPWORDS
from aisha.adapters.llm.offline.plan import Answer, Plan
from aisha.adapters.llm.offline.results import Wanted

_BESIDE = r"(?:compared\s+(?:to|with)|vs\.?|versus|against|next\s+to|in\s+comparison\s+(?:to|with)|relative\s+to)"
_ONE = (
    r"(?P<{0}>me|myself|i|my\s+(?:numbers|pipeline)|mine|[a-z]+?)(?:'s|’s)?(?:\s+(?:numbers|pipeline|results|figures))?"
)
_COMPARE = (
    re.compile(
        rf"(?:so\s+)?how(?:'s|s|\s+is|\s+are|\s+am|\s+do|\s+does|\s+did)\s+{_ONE.format('a')}\s+(?:doing|do|going|performing|perform|looking|look|stand|stack\s+up|compare|fare|did)?\s*(?:(?P<early>this|last)\s+(?P<early_unit>week|month|quarter|year)\s+)?{_BESIDE}\s+{_ONE.format('b')}(?:\s+(?P<which>this|last)\s+(?P<unit>week|month|quarter|year))?[?.!\s]*",
        re.IGNORECASE,
    ),
    re.compile(
        rf"(?:compare\s+)?{_ONE.format('a')}\s+(?:and|with|to|vs\.?|versus|against)\s+{_ONE.format('b')}(?:\s+(?P<which>this|last)\s+(?P<unit>week|month|quarter|year))?[?.!\s]*",
        re.IGNORECASE,
    ),
    re.compile(
        rf"who(?:'s|\s+is|\s+has|\s+does)\b.*[,:]\s*{_ONE.format('a')}\s+or\s+{_ONE.format('b')}(?:\s+(?P<which>this|last)\s+(?P<unit>week|month|quarter|year))?[?.!\s]*",
        re.IGNORECASE,
    ),
)
_SELF = re.compile(r"me|myself|i|mine|my\s.*", re.IGNORECASE)
_SECTIONS = ("lead", "opportunity", "activity")


def compare(plan: Plan, text: str) -> Answer | None:
    """ "How's Bob doing compared to me this quarter?": one of the two has to be the user, or nobody knows they are users."""
    match = next((found for pattern in _COMPARE if (found := pattern.fullmatch(text))), None)
    if match is None or "get_pipeline_summary" not in plan.tools:
        return None
    said = [match["a"], match["b"]]
    if any(one.lower() in STOPWORDS and not _SELF.fullmatch(one) for one in said):
        return None
    if sum(bool(_SELF.fullmatch(one)) for one in said) != 1:
        return None
    owners = ["me" if _SELF.fullmatch(one) else one.lower() for one in said]
    groups = match.groupdict()
    which, unit = groups.get("which") or groups.get("early"), groups.get("unit") or groups.get("early_unit")
    period = {"period": f"{which}_{unit}".lower()} if which and unit else {}
    calls = [Wanted("get_pipeline_summary", {"owner": owner, **period}) for owner in owners]
    outcomes = plan.need_all(calls)
    lines = []
    for call, owner, outcome in zip(calls, owners, outcomes, strict=True):
        if outcome.error:
            return plan.failure(outcome, call, "compare you two")
        lines.append(f"- **{'You' if owner == 'me' else owner.capitalize()}**: {_sums(outcome.value)}")
    when = f", {which} {unit}".lower() if which and unit else ""
    return Answer(f"Side by side{when}:\n\n" + "\n".join(lines))


def _sums(value: Any) -> str:
    sections = {part.get("entity_type"): part for part in value.get("sections", ())}
    told = []
    for kind in _SECTIONS:
        section = sections.get(kind)
        if section is None:
            continue
        said = phrasing.count_of(int(section.get("count", 0)), kind)
        rows = {row.get("status"): row for row in section.get("by_status", ())}
        if kind == "opportunity" and float(section.get("amount") or 0):
            said += f" worth {phrasing.money(section['amount'])}"
            won = rows.get("closed_won", {})
            said += f" ({won.get('count', 0)} won)"
        told.append(said)
    return phrasing.listed(told) or "nothing"
