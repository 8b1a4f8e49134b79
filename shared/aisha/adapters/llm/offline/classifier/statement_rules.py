"""Rules for clauses that report something and ask for nothing. Each returns its act, or None for any other clause."""

from aisha.adapters.llm.offline.classifier.command_rules import wants_no_more
from aisha.adapters.llm.offline.intent import Act, is_question
from aisha.adapters.llm.offline.reading.parser import Reading
from aisha.adapters.llm.offline.reading.patterns import pattern

# "I had", "just spoke", "left": the user reports an own action.
_USER_DID = pattern(
    r"^\s*(?:(?:so|ok|just|finally|i|we|i've|we've|have|had|also|today|this morning) )*"
    r"(?:had|left|spoke|spoken|talked|met|called|rang|phoned|emailed|mailed|sent|got off|caught up|saw|visited|heard"
    r"|came (?:out of|from)|bumped|finished|did|tried|chatted|texted)\b"
)
# "called", "wants", "is on holiday": the words after a person's name.
_PERSON_DID = pattern(
    r"^[\s,]*(?:just |also |has |have |'s )*(?:called|rang|phoned|emailed|wrote|replied|answered|asked|wants|wanted"
    r"|said|says|told|mentioned|confirmed|agreed|loves|loved|liked|likes|prefers|needs|hates|complained|cancelled"
    r"|canceled|signed|promised|didn't|doesn't|won't|can't|will (?:call|get|be|decide)|is (?:away"
    r"|on (?:holiday|leave|vacation)|off|sick|out|back|moving|leaving|happy|unhappy|keen|interested|worried|busy))\b"
)
_ERRAND = pattern(r"^\s*(?:send|forward|deliver|ship|fax|print|order|pay|sign|prepare|post|hand over|text)\b")


def errand(reading: Reading, _kind: str | None) -> Act | None:
    """Match "send Priya the quote": impossible here, but worth offering a task."""
    has_person = any(name.strong for name in reading.names) or "person" in reading.pronouns
    if not has_person or not _ERRAND.match(reading.text) or reading.emails or reading.times or reading.activities:
        return None
    return Act.ERRAND


def report(reading: Reading, _kind: str | None) -> Act | None:
    """Match "just had a good call with Ann Lee", "she wants a quote": no request, but worth a note."""
    if (
        is_question(reading.text)
        or wants_no_more(reading)
        or reading.has("show", "about", "create", "update", "delete", "count")
    ):
        return None
    people = [name for name in reading.names if name.strong]
    if not people and "person" not in reading.pronouns:
        return None
    if _USER_DID.match(reading.text):
        return Act.REPORT
    first = min([name.end for name in people] + [end for _, end in reading.pronouns.get("person", ())])
    starts = min([name.start for name in people] + [start for start, _ in reading.pronouns.get("person", ())])
    ahead = reading.text[:starts].strip()
    return Act.REPORT if not ahead and _PERSON_DID.match(reading.text[first:]) else None
