"""Name what a question for records says and its answer does not tell, so that no condition is dropped unsaid."""

from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise

from msgspec.structs import replace

from aisha.adapters.llm.planner.acts.asks import word_before
from aisha.adapters.llm.planner.acts.search.kinds import is_plural_kind, tool_of
from aisha.adapters.llm.planner.acts.search.words import DENIED, LATE, exclusions, stems_of
from aisha.adapters.llm.planner.dialogue.words import COMPUTED, LISTS
from aisha.adapters.llm.planner.plan import Answer
from aisha.adapters.llm.planner.replies import listings
from aisha.adapters.llm.planner.state import Search
from aisha.domain.language import lexicon
from aisha.domain.language.acts import NAME_TAGS
from aisha.domain.language.amounts import find_amounts
from aisha.domain.language.ask import CORRECTIONS, Ask
from aisha.domain.language.lexicon import KINDS
from aisha.domain.language.tokens import Token, tokenize
from aisha.domain.wording import humanise

_TOLD_BY_NAME = NAME_TAGS | {"value", "owner"}
"""Tags of slots whose words, or the values that they mean, an answer has."""
_DENYING = lexicon.word_set("condition_words", "denied") | frozenset("other outside overdue least silent".split())
"""Words by which an answer tells a denial: "not below 60k" is "of at least $60,000"."""
_BOUNDS = ("_after", "_before")
_OF_SUBJECTS = frozenset("company city state name_contains".split())
_SPOKEN_OF = lexicon.PERSON_PRONOUNS - lexicon.SELF_WORDS | {"there"}
_PARTED = frozenset("that thats that's those these them it".split())
_RELATING = frozenset("with at from of for".split())
_MEASURES: Mapping[str, Sequence[str]] = {"mean_value": ("average",), "part_of_all": ("%", "rate")}
"""Marks and words of an answer that tells a mean or a share."""


def with_unread(ask: Ask, answer: Answer, before: Search | None = None) -> Answer:
    """Return the answer to a question for records, which names the words of the question that it does not tell.

    `before` is the list or total that "of those" means.
    """
    search = answer.topic.search if answer.topic is not None else None
    if ask.act not in LISTS | COMPUTED or answer.question is not None or search is None:
        return answer
    unread = [one for one in _unread(ask, answer.text, search) if one not in answer.text]
    unread += _part_unread(ask, search, before)
    text = listings.with_limits(answer.text, unread)
    text = listings.without_measures(text, list(_measures_unread(ask, answer.text)))
    if "why" in ask.words and not any(one in text for one in ("because", "reason", "I go by")):
        text = f"{text}\n\n{listings.NO_REASONS}"  # "What did we lose, and why?"
    return answer if text == answer.text else replace(answer, text=text)


def _unread(ask: Ask, text: str, search: Search) -> Iterator[str]:
    stems = stems_of(text) | stems_of(" ".join(humanise(str(one)) for one in search.arguments.values()))
    corrected = max((one.start for one in ask.outside if one.word in CORRECTIONS), default=0)
    is_of_all = any(lexicon.placed_in(ask.outside, "everybody"))
    for span in ask.segment.spans:
        is_read = span.tag not in _TOLD_BY_NAME or (span.tag == "owner" and is_of_all) or span.start < corrected
        is_read = is_read or word_before(ask, span) in ("past", "beyond") or {"open", "closed"} <= ask.words
        is_read = is_read or ask.is_order(span) or span.text.lower() in LATE or bool(find_amounts(span.text))
        # "Gone cold" is told as the time without contact.
        is_read = is_read or ("last contacted" in text and any(lexicon.placed_in(ask.tokens, "quiet")))
        if not is_read and not any(stems_of(one) & stems for one in _meanings(span.text)):
            yield span.text
    yield from _kinds_unread(ask, stems, search.tool)
    yield from () if _is_limited(search) else _references_unread(ask)
    if ask.times and not (_is_limited(search) or any(one.endswith(_BOUNDS) for one in search.arguments)):
        yield from (one for one in ask.texts("when") if not stems_of(one) <= stems)
    is_denied = bool(_DENYING & {token.word for token in tokenize(text)}) or "last contacted on or before" in text
    if not is_denied and (denial := _denial(ask)) is not None:
        yield ask.text[denial.start :].strip(" ?.!")


def _is_limited(search: Search) -> bool:
    """Return whether a search is of records that were listed, or of those of a company, person or place."""
    names = search.arguments.keys()
    return bool(search.within or search.names or any(one.endswith("_id") for one in names) or names & _OF_SUBJECTS)


def _references_unread(ask: Ask) -> Iterator[str]:
    """Yield the words for somebody spoken of: "deals with them", where nobody was found that they may mean."""
    for before, one, after in zip(ask.outside, ask.outside[1:], (*ask.outside[2:], None), strict=False):
        is_owner = (
            after is not None and one.word in lexicon.POSSESSIVES and after.kind == "word"
        )  # "With their contacts"
        if before.word in _RELATING - {"of"} and one.word in _SPOKEN_OF and not is_owner:
            yield ask.text[before.start : one.end]


def _part_unread(ask: Ask, search: Search, before: Search | None) -> list[str]:
    """Return "of those" where the answer is about all records and not about a part of the last list."""
    is_part = before is None or before.tool != search.tool or bool(search.within)
    if before is not None and before.within and not is_part:
        before = replace(before, arguments={"": ""})
    kept = before.arguments.items() if before is not None else ()
    is_part = is_part or all(search.arguments.get(one) == value or one.endswith(_BOUNDS) for one, value in kept)
    pairs = [(one, two) for one, two in pairwise(ask.outside) if one.word == "of" and two.word in _PARTED]
    return [] if is_part else [ask.text[one.start : two.end] for one, two in pairs]


def _kinds_unread(ask: Ask, stems: set[str], tool: str) -> Iterator[str]:
    """Yield the nouns for other records than those of the answer: "meetings with customers"."""
    for before, noun in pairwise(ask.outside):
        kind = lexicon.kind_named(noun) or ""
        is_other = kind in KINDS and tool_of(kind) != tool and before.word in _RELATING
        if is_other and is_plural_kind(noun) and not stems_of(f"{kind} {noun.word}") & stems:
            yield f"{before.word} {noun.text}"


def _measures_unread(ask: Ask, text: str) -> Iterator[str]:
    """Yield the words for a mean or a share that an answer has none of; "I mean" asks for none."""
    for key, first, last in lexicon.placed_in(ask.outside, "summing"):
        is_verb = first > 0 and ask.outside[first - 1].word in lexicon.SELF_WORDS
        if key in _MEASURES and not any(one in text for one in _MEASURES[key]) and not is_verb:
            yield ask.text[ask.outside[first].start : ask.outside[last - 1].end]


def _meanings(text: str) -> Iterator[str]:
    """Yield how an answer may tell a value or a name: in its own words, or as records of a kind have it."""
    yield from (text, lexicon.US_STATES.get(text.lower(), text))
    if any(lexicon.placed_in(tokenize(text), "risks")):
        yield "at risk"  # "Unhealthy accounts" are those at risk or churning.
    yield from (humanise(key) for key, _, _ in lexicon.placed_in(tokenize(text), "asked_values"))
    for value in lexicon.values_in(text.lower()):
        yield humanise(value)
        if value == "open":  # Of leads, these are several states.
            yield from (one for values in lexicon.entries("open_values").values() for one in values)
        yield from (humanise(same[value]) for same in lexicon.entries("same_values").values() if value in same)


def _denial(ask: Ask) -> Token | None:
    """Return the first word that leaves something out: not in "no wait", "no matter whose" or "not the leads"."""
    excluded = {first for first, _ in exclusions(ask.outside)}
    following = (*ask.outside[1:], None)
    for place, (token, after) in enumerate(zip(ask.outside, following, strict=True)):
        is_correction = after is None or after.word in CORRECTIONS | {"matter"} or after.kind == "mark"
        is_correction = is_correction or (token.word, after.word if after else "") == ("not", "the")
        if place in excluded or (token.word in DENIED and not is_correction):
            return token
    return None
