"""When a clause asks for nothing and tells what happened. A rule gives its act, or None for a clause of another kind."""

import re

from aisha.adapters.llm.offline.doing_rules import wants_no_more
from aisha.adapters.llm.offline.intent import Act, is_question
from aisha.adapters.llm.offline.parser import Reading

_I_DID = re.compile(
    r"^\s*(?:(?:so|ok|just|finally|i|we|i've|we've|have|had|also|today|this\s+morning)\s+)*"
    r"(?:had|left|spoke|spoken|talked|met|called|rang|phoned|emailed|mailed|sent|got\s+off|caught\s+up|saw|visited|heard|came\s+(?:out\s+of|from)|bumped|finished|did|tried|chatted|texted)\b",
    re.IGNORECASE,
)
_THEY_DID = re.compile(
    r"^[\s,]*(?:just\s+|also\s+|has\s+|have\s+|'s\s+)*(?:called|rang|phoned|emailed|wrote|replied|answered|asked|wants|wanted|said|says|told|mentioned|confirmed|agreed|loves|loved|liked|likes|prefers|needs|"
    r"hates|complained|cancelled|canceled|signed|promised|didn't|doesn't|won't|can't|will\s+(?:call|get|be|decide)|is\s+(?:away|on\s+(?:holiday|leave|vacation)|off|sick|out|back|moving|leaving|happy|unhappy|keen|interested|worried|busy))\b",
    re.IGNORECASE,
)


_ERRAND = re.compile(
    r"^\s*(?:send|forward|deliver|ship|fax|print|order|pay|sign|prepare|post|hand\s+over|text)\b", re.IGNORECASE
)


def errand(reading: Reading, _kind: str | None) -> Act | None:
    """ "Send Priya the quote": nothing that is done here, but a task somebody may want to have."""
    named = any(name.strong for name in reading.names) or "person" in reading.pronouns
    if not named or not _ERRAND.match(reading.text) or reading.emails or reading.times or reading.activities:
        return None
    return Act.ERRAND


def report(reading: Reading, _kind: str | None) -> Act | None:
    """ "Just had a good call with Ann Lee", "she wants a quote": no request, but something to keep."""
    if (
        is_question(reading.text)
        or wants_no_more(reading)
        or reading.has("show", "about", "create", "update", "delete", "count")
    ):
        return None
    whom = [name for name in reading.names if name.strong]
    if not whom and "person" not in reading.pronouns:
        return None
    if _I_DID.match(reading.text):
        return Act.REPORT
    first = min([name.end for name in whom] + [end for _, end in reading.pronouns.get("person", ())])
    starts = min([name.start for name in whom] + [start for start, _ in reading.pronouns.get("person", ())])
    ahead = reading.text[:starts].strip()
    return Act.REPORT if not ahead and _THEY_DID.match(reading.text[first:]) else None
