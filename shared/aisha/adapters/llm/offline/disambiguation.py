"""Which of the concepts and values that stand in a sentence are meant: "contacted" is no contact, "new leads" makes none."""

import re

from aisha.adapters.llm.offline.imperatives import ordered
from aisha.adapters.llm.offline.lexicon import CONCEPTS
from aisha.domain.records import SUBJECT_TYPES

Spans = list[tuple[int, int]]
KINDS = SUBJECT_TYPES


def values_meant(text: str, values: dict[str, Spans]) -> dict[str, Spans]:
    """The values without those that are something else here: "his new number" is no status."""
    kept = {
        key: [one for one in spans if key != "new" or not _NEW_ONE.match(text[one[1] :])]
        for key, spans in values.items()
    }
    return {key: spans for key, spans in kept.items() if spans}


def concepts_meant(text: str, concepts: dict[str, Spans], values: dict[str, Spans]) -> dict[str, Spans]:
    """The concepts without those that are something else here; "told" are verbs of doing that only tell of it."""
    said = {span for spans in values.values() for span in spans}
    kept = {key: [one for one in spans if _is_meant(text, key, one, said)] for key, spans in concepts.items()}
    for key in _DOING & kept.keys():
        done = [one for one in ordered(text, kept[key]) if key != "remind" or not _is_curious(text, *one)]
        kept.setdefault("told", []).extend(one for one in kept[key] if one not in done)
        kept[key] = done
    return {key: spans for key, spans in kept.items() if spans}


_DOING = frozenset(("create", "schedule", "log", "delete", "remind"))
_NEW_ONE = re.compile(
    r"\s+(?:(?:job|phone|mobile|e-?mail|cell)\s+)?(?:number|phone|mobile|cell|e-?mail|address|title|job|role|position|owner|website|employer|name|date|amount)\b",
    re.IGNORECASE,
)
"""After "new": what is new is a field, and no status."""
_MANY = re.compile(
    r"\s+(?:\w+\s+)?(?:ones?|leads|prospects|contacts|accounts|companies|customers|clients|deals|opportunities|opps)\b",
    re.IGNORECASE,
)
_SOMEBODY = re.compile(r"\s+(?:him|her|them)\b", re.IGNORECASE)
_SOMEBODY_DOES = re.compile(r"\b(?:we|i|you|last|ever|never)\s+$", re.IGNORECASE)


def _is_meant(text: str, key: str, span: tuple[int, int], said: set[tuple[int, int]]) -> bool:
    word = text[span[0] : span[1]].lower()
    if key == "create" and word == "new":  # "The new leads", "only new ones": says which are meant.
        return not _MANY.match(text[span[1] :])
    if key == "show":  # of a trade show
        return not any(start < span[0] < end for start, end in said)
    if key == "contact" and word == "contact" and _is_getting_in_touch(text, span):
        return False
    own = {phrase.lower() for phrase in CONCEPTS[key]} if key in KINDS else set()
    return key not in KINDS or span not in said or word.removesuffix("s") in own


def _is_getting_in_touch(text: str, span: tuple[int, int]) -> bool:
    """ "When did we last contact him?": what is done, and no kind of record."""
    return _SOMEBODY.match(text[span[1] :]) is not None or _SOMEBODY_DOES.search(text[: span[0]]) is not None


_TO_KNOW = re.compile(
    r"\s+(?:(?:really|just|also|quickly|only)\s+)*(?:(?P<polite>be(?!\s+(?:sure|certain|clear|honest)\b)|like|have)\b|(?:know|see|hear|receive|learn|read|understand|find\s+out|get\s+(?:an?\s+idea|the)|admit|confess|mention|say|point\s+out|think|decide|"
    r"look\s+(?:at|up)|ask\s+you|tell\s+you|be\s+(?:sure|certain|clear|honest))\b|(?:check|get|find|verify|confirm)\s+(?!in\b|back\b|with\b)[^,;.]*\b(?:status|score|number|details|notes?|record|stage|amount|value|address|info\w*)\b)",
    re.IGNORECASE,
)


_PERHAPS = re.compile(r"\b(?:might|may|don['’]?t|do\s+not|didn['’]?t|doesn['’]?t)\s+$", re.IGNORECASE)


def _is_curious(text: str, start: int, end: int) -> bool:
    """Whether "I should", "I want to" begins a wish to be told something, and no errand: "I should be glad to hear of her"."""
    if _PERHAPS.search(text[:start]):
        return True
    match = _TO_KNOW.match(text[end:])
    return match is not None and (match["polite"] is None or text[start:end].lower().endswith("should"))
