"""Change an amount by a sum ("add 10k to the Blue Harbor deal") or a record's owner ("keep him with me")."""

from decimal import Decimal

from aisha.adapters.llm.offline.plan import Answer, Plan
from aisha.adapters.llm.offline.reading.lexicon import STOPWORDS
from aisha.adapters.llm.offline.reading.patterns import pattern
from aisha.adapters.llm.offline.replies import phrasing
from aisha.adapters.llm.offline.state import Topic

_SUM = r"(?P<{0}>[$€£]?\s?\d[\d.,]*\s?(?:k|m|thousand|grand|million)?)\s*(?:dollars|bucks|usd|euros?|eur)?"
# "add 10k to X", "raise X by 5,000".
_ADDITIONS = (
    pattern(
        rf"(?:please )?(?:add|put) (?:another )?{_SUM.format('sum')} (?:more )?(?:to|on top of)"
        r" (?P<what>.+?)[.!\s]*"
    ),
    pattern(
        r"(?:please )?(?P<verb>raise|increase|bump|lower|reduce|cut|decrease) (?P<what>.+?) (?:up |down )?by"
        rf" {_SUM.format('sum')}[.!\s]*"
    ),
)  # fmt: skip
_SUBTRACTING_VERBS = ("lower", "reduce", "cut", "decrease")
_FIELDS = {"opportunity": "amount", "lead": "estimated_value"}
# "keep him with me", "she stays with bob", "it remains mine".
_KEEPS_OWNER = pattern(
    r"(?:please |no |then |ok )*(?:(?:keep|leave) (?P<what>(?!it\b|this\b|that\b).+?) with (?P<who>me|myself|[a-z]+)"
    r"|(?P<what2>(?!it\b|this\b|that\b).+?) (?:stays?|remains?|should (?:stay|remain)|can stay)"
    r" (?:with (?P<who2>me|[a-z]+)|(?P<mine>mine)))[.!\s]*"
)


def add_to_amount(plan: Plan, text: str) -> Answer | None:
    """Add to or subtract from the amount on record; without one, ask for it."""
    match = next((one for pattern in _ADDITIONS if (one := pattern.fullmatch(text))), None)
    if match is None or "%" in text or not plan.mentions_record(f"show me {match['what']}"):
        return None
    sums = [*(reading := plan.read(f"it is {match['sum']}")).amounts, *reading.numbers]
    if not sums or plan.read(match["what"]).has("note", "activity"):
        return None
    target = f"show me {match['what']}"
    kind = next((name for name in _FIELDS if plan.read(target).has(name)), None)
    if kind == "opportunity" and not plan.scene.principal.may_use("opportunities"):
        return Answer(phrasing.no_access("opportunities"))
    record = plan.record_named(target, "Which deal do you mean?", kind)
    field = _FIELDS.get(record.type)
    if field is None or f"update_{record.type}" not in plan.tools:
        return Answer(f"{record.name} has no amount that I could change. Which deal do you mean?")
    current = (plan.record(record) or {}).get(field)
    if current in (None, ""):
        return Answer(f"There is no amount on record for {record.name}. What shall it be?", topic=Topic((record,)))
    change = Decimal(str(sums[-1].value)) * (
        -1 if (match.groupdict().get("verb") or "").lower() in _SUBTRACTING_VERBS else 1
    )
    new = Decimal(str(current)) + change
    if new < 0:
        return Answer(f"{record.name} is at {phrasing.format_money(current)}, so I can't take that much off it.")
    amount = int(new) if new == int(new) else float(new)
    new_text, old_text = phrasing.format_money(amount), phrasing.format_money(current)
    reply = f"I've updated {record.name}: {phrasing.humanise(field)} is now **{new_text}**, it was {old_text}."
    return plan.run(
        f"update_{record.type}", f"update {record.name}", lambda _: reply, refs=(record,),
        **{f"{record.type}_id": record.id, field: amount},
    )  # fmt: skip


def keep_owner(plan: Plan, text: str) -> Answer | None:
    """Make the record the named user's, or reply that it is theirs already."""
    match = _KEEPS_OWNER.fullmatch(text)
    if match is None:
        return None
    what, who = match["what"] or match["what2"], (match["who"] or match["who2"] or "me").lower()
    if who not in ("me", "myself") and who in STOPWORDS:
        return None
    if not plan.mentions_record(f"show me {what}") or plan.read(text).activities or plan.read(text).times:
        return None
    record = plan.record_named(f"show me {what}", "Whom do you mean?")
    if f"update_{record.type}" not in plan.tools:
        return None
    owner = plan.scene.principal.user if who in ("me", "myself") else who
    current_owner = str((plan.record(record) or {}).get("owner") or "")
    if current_owner.lower() == owner.lower():
        whose = "yours" if who in ("me", "myself") else f"{owner.capitalize()}'s"
        return Answer(f"{record.name} is {whose} already, so nothing had to change.", topic=Topic((record,)))
    reply = f"I've updated {record.name}: owner is now **{owner}**."
    return plan.run(
        f"update_{record.type}", f"hand {record.name} over", lambda _: reply, refs=(record,),
        **{f"{record.type}_id": record.id, "owner": owner},
    )  # fmt: skip
