"""Questions about how things are done here, which the documents answer: of a lead as such, not of any one."""

import re

from aisha.adapters.llm.offline.document_text import passages
from aisha.adapters.llm.offline.external_json import worded
from aisha.adapters.llm.offline.pattern_intents.calls import called
from aisha.adapters.llm.offline.plan import Answer, Plan

_AS_SUCH = re.compile(
    r"(?:so\s+|and\s+)?(?:when|why|what\s+happens\s+(?:when|if|to|after)|what\s+does\s+it\s+(?:mean|take)|what\s+makes|how\s+(?:do|can)\s+(?:i|we|you)\s+(?:know|tell)|at\s+(?:what|which)\s+point)\b"
    r"[^:]*\ba\s+(?:\w+\s+)?(?:lead|deal|prospect|opportunity|customer)\b[^:]*"
    r"|what(?:'s|s|\s+is|\s+are)\s+(?:our|the|your)\s+(?:\w+[\s-]+){0,3}(?:cadence|polic(?:y|ies)|process|procedure|rules?|playbook|guidelines?|methodology|criteria)\b[^:]*"
    r"|what\s+(?:do|should|can|would)\s+(?:we|i|you)\s+(?:say|tell|answer|reply)\b[^:]*\b(?:when|if)\b[^:]*"
    r"|how\s+(?:reliable|accurate|(?:do|should|can)\s+(?:i|we)|does)\b[^:]*\bforecast(?:s|ing)?\b[^:]*",
    re.IGNORECASE,
)
_ADVICE = re.compile(
    r"how\s+(?:do|should|can|could|would)\s+(?:i|we|you)\s+(?:best\s+)?(?:answer|react\s+to|respond\s+to|counter|deal\s+with|handle)\s+(?:an?\s+|the\s+)?(?P<query>(?:\w+[\s-]+)?(?:objections?|pushback|complaints?)\b[^:]*?)[?.!\s]*",
    re.IGNORECASE,
)


_IN_DOCUMENTS = re.compile(r"search\s+our\s+documents\s+for\s+(?P<query>.+)", re.IGNORECASE)


def ask_documents(plan: Plan, text: str) -> Answer | None:
    """ "When is a lead qualified?", "how do I answer a price objection?"."""
    advice = _ADVICE.fullmatch(text) or _IN_DOCUMENTS.fullmatch(text)
    if "search_documents" not in plan.tools or not (advice or _AS_SUCH.fullmatch(text)):
        return None
    reading = plan.read(text)
    if any(name.capital for name in reading.names) or "person" in reading.pronouns or reading.times:
        return None
    query = advice["query"] if advice else text

    def told(value: object) -> str:
        return passages(value) or worded(value)

    return called(plan, "search_documents", "search the documents", told, query=query)
