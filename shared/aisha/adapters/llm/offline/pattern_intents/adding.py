"""Sums that are added to a deal's amount or a lead's value: "add 10k to the Blue Harbor deal", "raise it by 5,000"."""

import re
from decimal import Decimal

from aisha.adapters.llm.offline import phrasing
from aisha.adapters.llm.offline.pattern_intents.calls import called, names_somebody, record_in
from aisha.adapters.llm.offline.plan import Answer, Plan
from aisha.adapters.llm.offline.state import Topic

_SUM = r"(?P<{0}>[$€£]?\s?\d[\d.,]*\s?(?:k|m|thousand|grand|million)?)\s*(?:dollars|bucks|usd|euros?|eur)?"
_MORE = (
    re.compile(rf"(?:please\s+)?(?:add|put)\s+(?:another\s+)?{_SUM.format('sum')}\s+(?:more\s+)?(?:to|on\s+top\s+of)\s+(?P<what>.+?)[.!\s]*", re.IGNORECASE),
    re.compile(rf"(?:please\s+)?(?P<verb>raise|increase|bump|lower|reduce|cut|decrease)\s+(?P<what>.+?)\s+(?:up\s+|down\s+)?by\s+{_SUM.format('sum')}[.!\s]*", re.IGNORECASE),
)  # fmt: skip
_LESS = ("lower", "reduce", "cut", "decrease")
_FIELDS = {"opportunity": "amount", "lead": "estimated_value"}


def add_to_amount(plan: Plan, text: str) -> Answer | None:
    """The amount on record plus or minus the sum said; nothing is guessed where there is none."""
    match = next((one for pattern in _MORE if (one := pattern.fullmatch(text))), None)
    if match is None or "%" in text or not names_somebody(plan, f"show me {match['what']}"):
        return None
    sums = [*(reading := plan.read(f"it is {match['sum']}")).amounts, *reading.numbers]
    if not sums or plan.read(match["what"]).has("note", "activity"):
        return None
    said = f"show me {match['what']}"
    kind = next((name for name in _FIELDS if plan.read(said).has(name)), None)
    if kind == "opportunity" and not plan.scene.principal.may_use("opportunities"):
        return Answer(phrasing.no_access("opportunities"))
    found = record_in(plan, said, "Which deal do you mean?", kind)
    if isinstance(found, Answer):
        return found
    field = _FIELDS.get(found.type)
    if field is None or f"update_{found.type}" not in plan.tools:
        return Answer(f"{found.name} has no amount that I could change. Which deal do you mean?")
    now = (plan.record(found) or {}).get(field)
    if now in (None, ""):
        return Answer(f"There is no amount on record for {found.name}. What shall it be?", topic=Topic((found,)))
    change = Decimal(str(sums[-1].value)) * (-1 if (match.groupdict().get("verb") or "").lower() in _LESS else 1)
    new = Decimal(str(now)) + change
    if new < 0:
        return Answer(f"{found.name} is at {phrasing.money(now)}, so I can't take that much off it.")
    amount = int(new) if new == int(new) else float(new)
    done = f"I've updated {found.name}: {phrasing.words(field)} is now **{phrasing.money(amount)}**, it was {phrasing.money(now)}."
    return called(
        plan, f"update_{found.type}", f"update {found.name}", lambda _: done, refs=(found,),
        **{f"{found.type}_id": found.id, field: amount},
    )  # fmt: skip
