"""The reasons why a call waits, in words for the user: each ends "I ask because …"."""

from collections.abc import Iterable

from aisha.domain.wording import humanise

MAY_BE_DENIED = "you may have said not to"
UNREADABLE = "I could not read your message as an order"
REFUSED = "I understood that you don't want it"
RETRACTED = "I understood that you took it back"
ASKED = "I understood it as a question"
ASKED_ABOUT_TEXT = "I understood it as a question about a text"
PAST = "I understood that it was so before"
FUTURE = "I understood that it will be so later"
DONE_BY_OTHER = "I understood that somebody else does it"
FOR_OTHER = "I understood that somebody else is to do it"
OPTION = "I understood that it is only possible"
PLAN = "I understood that it is a plan"
OTHER_ORDER = "I understood that you want something else"
QUOTED = "I understood that you tell what was said before"
RECORD_UNCLEAR = "I'm not sure which record you mean"

SPOKEN_OF = "I understood that you speak of it without asking for it"
ONLY_MENTIONED = "I understood that you only spoke of it"
REPORTED = "I understood that somebody else said it"
REPORTED_BY_SOMEBODY = "I understood that somebody else wants it"
NO_CHANGE = "I understood that you want no change"
UNSURE = "I'm not sure that your message asks for it"
UNCERTAIN = {
    ONLY_MENTIONED: "only mentioned",
    REPORTED: "reported",
    REPORTED_BY_SOMEBODY: "reported by somebody",
    NO_CHANGE: "no change",
    UNSURE: "unsure",
}
"""The reasons of sentences that the rules can't tell from a statement, with their names for the trained model."""

_NOUNS = {
    "activity_type": "kind of activity", "note_type": "kind of note", "type": "kind", "due_date": "date",
    "due_at": "date",
    "duration_minutes": "duration", "employee_count": "number of employees", "text": "text",
    "close_date": "closing date", "content": "text", "body": "text", "key_results": "key results", "name": "name",
    "last_contacted_at": "day of the last contact",
}  # fmt: skip
"""Names of fields in plain English, by their names in the tools."""
_TEXTS = frozenset("content body text outcome description comment".split())
"""Fields that have what the user said, in more than a few words."""


def said(words: str) -> str:
    """Return the reason for words that put an order off or make it conditional: "after"."""
    return f"you said “{words}”"


def speaks_to(name: str) -> str:
    """Return the reason for a message that speaks to a colleague."""
    return f"your message seems to speak to {name}"


def too_many(count: int) -> str:
    """Return the reason for a message with more orders than are compared with a call."""
    return f"your message has more than {count} orders, and I could not match it with one"


def not_found(field: str, *, is_mentioned: bool = False) -> str:
    """Return the reason for a value that the user did not say, or mentioned for something else.

    The value is left out, as the question shows it.
    """
    if "not" in field.split("_"):
        return f"I'm not sure that you want to change “{humanise(field)}”"
    noun = _NOUNS.get(field, humanise(field))
    if field in _TEXTS:
        return f"the {noun} is not quite what you said"
    return (
        f"I'm not sure that you mean this as the {noun}"
        if is_mentioned
        else f"I did not find the {noun} in your message"
    )


def not_meant(name: str, *, is_mentioned: bool) -> str:
    """Return the reason for a record that the message does not mean, or mentions without an order for it."""
    if not name:
        return RECORD_UNCLEAR
    return (
        f"you mentioned “{name}”, but I'm not sure that you want this there"
        if is_mentioned
        else f"I'm not sure that you mean “{name}”"
    )


def after_reading(reason: str, sources: Iterable[str]) -> str:
    """Return a reason with the kinds of texts by others that count against the call, each once."""
    unique = list(dict.fromkeys(sources))
    joined = f"{', '.join(unique[:-1])} and {unique[-1]}" if len(unique) > 1 else "".join(unique)
    return f"{reason}, and I have just read {joined}"


def without_sources(reason: str) -> str:
    """Return a reason of `after_reading` without what was read."""
    return reason.partition(", and I have just read ")[0]
