"""Decide what a word means in its sentence: "contacted" is no contact, "new leads" creates none."""

from aisha.adapters.llm.offline.reading.imperatives import imperative_spans
from aisha.adapters.llm.offline.reading.lexicon import CONCEPTS
from aisha.adapters.llm.offline.reading.patterns import pattern
from aisha.domain.crm.records import SUBJECT_TYPES

Spans = list[tuple[int, int]]
KINDS = SUBJECT_TYPES
_WRITE_CONCEPTS = frozenset(("create", "schedule", "log", "delete", "remind"))
_NEW_FIELD = pattern(
    r" (?:(?:job|phone|mobile|e-?mail|cell) )?"
    r"(?:number|phone|mobile|cell|e-?mail|address|title|job|role|position|owner|website|employer|name|date|amount)\b"
)
"""Recognises a new field rather than the status "new"."""
_RECORDS_FOLLOW = pattern(
    r" (?:\w+ )?(?:ones?|leads|prospects|contacts|accounts|companies|customers|clients|deals|opportunities|opps)\b"
)
_PERSON_PRONOUN = pattern(r" (?:him|her|them)\b")
_CONTACT_AS_VERB = pattern(r"\b(?:we|i|you|last|ever|never) $")
# "I want to know", "I'd like to see": verbs of knowing and seeing, which are no errands.
_TO_KNOW = pattern(
    r" (?:(?:really|just|also|quickly|only) )*(?:(?P<polite>be(?! (?:sure|certain|clear|honest)\b)|like|have)\b"
    r"|(?:know|see|hear|receive|learn|read|understand|find out|get (?:an? idea|the)|admit|confess|mention|say|point out"
    r"|think|decide|look (?:at|up)|ask you|tell you|be (?:sure|certain|clear|honest))\b"
    r"|(?:check|get|find|verify|confirm) (?!in\b|back\b|with\b)[^,;.]*\b"
    r"(?:status|score|number|details|notes?|record|stage|amount|value|address|info\w*)\b)"
)
_HEDGE = pattern(r"\b(?:might|may|don['’]?t|do not|didn['’]?t|doesn['’]?t) $")


def resolve_values(text: str, values: dict[str, Spans]) -> dict[str, Spans]:
    """Return the values without those that mean something else here: "his new number" is not a status."""
    resolved = {
        key: [span for span in spans if key != "new" or not _NEW_FIELD.match(text[span[1] :])]
        for key, spans in values.items()
    }
    return {key: spans for key, spans in resolved.items() if spans}


def resolve_concepts(text: str, concepts: dict[str, Spans], values: dict[str, Spans]) -> dict[str, Spans]:
    """Return the concepts without those that mean something else here.

    The concept "told" holds verbs of doing that only report.
    """
    value_spans = {span for spans in values.values() for span in spans}
    resolved = {
        key: [one for one in spans if _is_meant(text, key, one, value_spans)] for key, spans in concepts.items()
    }
    for key in _WRITE_CONCEPTS & resolved.keys():
        imperative = [
            one for one in imperative_spans(text, resolved[key]) if key != "remind" or not _asks_to_know(text, *one)
        ]
        resolved.setdefault("told", []).extend(one for one in resolved[key] if one not in imperative)
        resolved[key] = imperative
    return {key: spans for key, spans in resolved.items() if spans}


def _is_meant(text: str, key: str, span: tuple[int, int], value_spans: set[tuple[int, int]]) -> bool:
    word = text[span[0] : span[1]].lower()
    if key == "create" and word == "new":  # "The new leads", "only new ones": says which are meant.
        return not _RECORDS_FOLLOW.match(text[span[1] :])
    if key == "show":  # of a trade show
        return not any(start < span[0] < end for start, end in value_spans)
    if key == "contact" and word == "contact" and _is_getting_in_touch(text, span):
        return False
    own_phrases = {phrase.lower() for phrase in CONCEPTS[key]} if key in KINDS else set()
    return key not in KINDS or span not in value_spans or word.removesuffix("s") in own_phrases


def _is_getting_in_touch(text: str, span: tuple[int, int]) -> bool:
    """Recognise "contact" as a verb: "When did we last contact him?"."""
    return _PERSON_PRONOUN.match(text[span[1] :]) is not None or _CONTACT_AS_VERB.search(text[: span[0]]) is not None


def _asks_to_know(text: str, start: int, end: int) -> bool:
    """Return whether "I should", "I want to" begins a wish to know rather than an errand."""
    if _HEDGE.search(text[:start]):
        return True
    match = _TO_KNOW.match(text[end:])
    return match is not None and (match["polite"] is None or text[start:end].lower().endswith("should"))
