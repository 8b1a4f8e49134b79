"""Answer questions that no record answers: how things are done here, and what a change would lead to."""

import re

from aisha.adapters.llm.offline.plan import Answer, Plan
from aisha.adapters.llm.offline.reading.patterns import pattern
from aisha.adapters.llm.offline.replies.result_text import format_documents, format_json
from aisha.application.tooling.policy import UNDONE_FOR_A_DAY

# About leads in general, our policies, or forecasts: of no record.
_GENERAL_QUESTION = pattern(
    r"(?:so |and )?(?:when|why|what happens (?:when|if|to|after)|what does it (?:mean|take)|what makes"
    r"|how (?:do|can) (?:i|we|you) (?:know|tell)|at (?:what|which) point)\b[^:]*\ba (?:\w+ )?"
    r"(?:lead|deal|prospect|opportunity|customer)\b[^:]*|what(?:'s|s| is| are) (?:our|the|your) (?:\w+[\s-]+){0,3}"
    r"(?:cadence|polic(?:y|ies)|process|procedure|rules?|playbook|guidelines?|methodology|criteria)\b[^:]*"
    r"|what (?:do|should|can|would) (?:we|i|you) (?:say|tell|answer|reply)\b[^:]*\b(?:when|if)\b[^:]*"
    r"|how (?:reliable|accurate|(?:do|should|can) (?:i|we)|does)\b[^:]*\bforecast(?:s|ing)?\b[^:]*"
)
_ADVICE = pattern(
    r"how (?:do|should|can|could|would) (?:i|we|you) (?:best )?(?:answer|react to|respond to|counter|deal with|handle)"
    r" (?:an? |the )?(?P<query>(?:\w+[\s-]+)?(?:objections?|pushback|complaints?)\b[^:]*?)[?.!\s]*"
)
_IN_DOCUMENTS = pattern(r"search our documents for (?P<query>.+)")
# "what happens if I delete ...", "suppose we convert ...".
_IF = re.compile(
    r"(?:and\s+|so\s+|but\s+)?"
    r"(?:what\s+(?:would\s+happen|happens|will\s+happen|if)\b(?:\s+(?:to\s+\S+\s+)?(?:if|when))?"
    r"|(?:suppose|supposing|imagine|say)\s+|if)\s+(?:i|we|you)\s+(?:were\s+to\s+|would\s+|accidentally\s+)?"
    r"(?P<verb>delet\w*|remov\w*|convert\w*|mark\w*|chang\w*|mov\w*|clos\w*|cancel\w*|assign\w*|merg\w*)\b.*",
    re.IGNORECASE | re.DOTALL,
)
_ASKS = pattern(
    r"\?\s*$|\b(?:could|can|would|will|do|does|is|are) (?:i|we|you|it|he|she|they|there)\b|what (?:would|happens|will)"
)
_DELETING_VERBS = "delet", "remov"


def ask_documents(plan: Plan, text: str) -> Answer | None:
    """Answer "when is a lead qualified?", "how do I answer a price objection?" from the documents."""
    advice = _ADVICE.fullmatch(text) or _IN_DOCUMENTS.fullmatch(text)
    if "search_documents" not in plan.tools or not (advice or _GENERAL_QUESTION.fullmatch(text)):
        return None
    reading = plan.read(text)
    if any(name.capital for name in reading.names) or "person" in reading.pronouns or reading.times:
        return None
    query = advice["query"] if advice else text

    def format_hits(value: object) -> str:
        return format_documents(value) or format_json(value)

    return plan.run("search_documents", "search the documents", format_hits, query=query)


def answer_hypothetical(_plan: Plan, text: str) -> Answer | None:
    """Explain how a change would be taken back, without making it: "what happens if I delete Ann Lee?"."""
    match = _IF.fullmatch(text)
    if match is None or not _ASKS.search(text):
        return None
    if match["verb"].lower().startswith(_DELETING_VERBS):
        return Answer(
            "Nothing was deleted. When you ask me to delete something I first wait for your confirmation, because "
            f'{UNDONE_FOR_A_DAY}: just say "undo that".'
        )
    return Answer('Nothing was changed. What I change for you can be taken back right after: just say "undo that".')
