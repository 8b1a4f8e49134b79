"""Who keeps a record: "keep him with me", "she stays with bob"."""

import re

from aisha.adapters.llm.offline.lexicon import STOPWORDS
from aisha.adapters.llm.offline.pattern_intents.calls import called, names_somebody, record_in
from aisha.adapters.llm.offline.plan import Answer, Plan
from aisha.adapters.llm.offline.state import Topic

_STAYS = re.compile(
    r"(?:please\s+|no\s+|then\s+|ok\s+)*(?:(?:keep|leave)\s+(?P<what>(?!it\b|this\b|that\b).+?)\s+with\s+(?P<who>me|myself|[a-z]+)"
    r"|(?P<what2>(?!it\b|this\b|that\b).+?)\s+(?:stays?|remains?|should\s+(?:stay|remain)|can\s+stay)\s+(?:with\s+(?P<who2>me|[a-z]+)|(?P<mine>mine)))[.!\s]*",
    re.IGNORECASE,
)


def keep_owner(plan: Plan, text: str) -> Answer | None:
    """Says that nothing has to change when the record is that user's already, and else makes it theirs."""
    match = _STAYS.fullmatch(text)
    if match is None:
        return None
    what, who = match["what"] or match["what2"], (match["who"] or match["who2"] or "me").lower()
    if who not in ("me", "myself") and who in STOPWORDS:
        return None
    if not names_somebody(plan, f"show me {what}") or plan.read(text).activities or plan.read(text).times:
        return None
    found = record_in(plan, f"show me {what}", "Whom do you mean?")
    if isinstance(found, Answer) or f"update_{found.type}" not in plan.tools:
        return found if isinstance(found, Answer) else None
    owner = plan.scene.principal.user if who in ("me", "myself") else who
    now = str((plan.record(found) or {}).get("owner") or "")
    if now.lower() == owner.lower():
        whose = "yours" if who in ("me", "myself") else f"{owner.capitalize()}'s"
        return Answer(f"{found.name} is {whose} already, so nothing had to change.", topic=Topic((found,)))
    done = f"I've updated {found.name}: owner is now **{owner}**."
    return called(
        plan, f"update_{found.type}", f"hand {found.name} over", lambda _: done, refs=(found,),
        **{f"{found.type}_id": found.id, "owner": owner},
    )  # fmt: skip
