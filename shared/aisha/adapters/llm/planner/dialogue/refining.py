"""Read what only sorts or narrows the list or total before it: "biggest first", "without Bob's", "cut out the lost"."""

from itertools import pairwise

from msgspec.structs import replace

from aisha.adapters.llm.planner.acts.search.words import DENIED, colleagues_in, exclusions
from aisha.adapters.llm.planner.conditions import is_condition
from aisha.adapters.llm.planner.dialogue.segments.slots import names_in
from aisha.adapters.llm.planner.dialogue.words import BACKGROUND, BEFORE_VERBS, LISTS, SOCIAL, SURE_ORDER
from aisha.adapters.llm.planner.state import Topic
from aisha.domain.language import lexicon
from aisha.domain.language.acts import WRITES
from aisha.domain.language.amounts import find_amounts
from aisha.domain.language.marks import plain_text
from aisha.domain.language.reader import Segment
from aisha.domain.language.tokens import Token, tokenize

_SORTING = frozenset("sort sorted order ordered ranked descending ascending".split())
_ASKING = lexicon.ASKING_WHAT | {"who"}
# Verbs of `narrowing` that change no record.
_LISTING = frozenset("narrow filter restrict limit".split())
_WHICH = frozenset("ones mine ours my our".split())
_LEAVING = frozenset("not without w/o".split())
_NARROWING = lexicon.word_set("condition_words", "narrowing")
_OPENING = BEFORE_VERBS | lexicon.INTERJECTIONS | frozenset("but and now right well let's maybe k".split())
_OPENING -= _NARROWING
"""Words before what sorts or narrows."""
_CLOSING = frozenset(",;:.!?()-–—…")
"""Marks that end what says which records are meant: not those of "w/ score 80+"."""
_SAYING = frozenset("value owner amount when field org".split())
"""Tags of slots that may say which records are meant."""


def refined(topic: Topic, segment: Segment) -> Segment | None:
    """Return what sorts or narrows the last list or total as a search in it, else None."""
    asked, search = topic.asked, topic.search
    if asked is None or search is None or asked.act not in LISTS | {"again", "more", "forecast"}:
        return None
    if segment.act == "hypothetical" and is_condition(segment.text):
        return None  # "Move the second one to won, but only if Bob agrees."
    sorts, narrows = is_sorting(segment), narrowing(segment)
    if not (sorts or narrows):
        return None
    if asked.act == "forecast":  # "And without the ones in prospecting?"
        return asked.followed_by(replace(narrows, act=asked.act)) if narrows and not sorts else None
    act = "rank" if sorts else asked.act if asked.act in ("count", "list_activities") else "search"
    act = "list_activities" if search.tool == "list_activities" and act == "search" else act
    is_sum = any(key == "money_total" for key, _, _ in lexicon.placed_in(tokenize(asked.text), "summing"))
    opening = Segment(
        "sorted of those" if sorts else "total of those" if is_sum and act == "count" else "of those", act
    )
    return opening.followed_by(replace(narrows or segment, act=act))


def is_sorting(segment: Segment) -> bool:
    """Return whether a segment only says in which order records are listed: "biggest first"."""
    words = [one.word for one in tokenize(segment.text) if one.kind != "mark"]
    is_asked = not lexicon.QUESTION_STARTS.isdisjoint(words[:1]) or not _ASKING.isdisjoint(words)
    is_place = words[-2:-1] == ["the"]  # "The first" is one of the list.
    is_order = not _SORTING.isdisjoint(words) or (words[-1:] == ["first"] and not (is_asked or is_place))
    return is_order and segment.act not in WRITES and {one.tag for one in segment.spans} <= {"field", "ref"}


def narrowing(segment: Segment) -> Segment | None:
    """Return the part of a segment that says which records of a list to keep or leave out, or None.

    What follows after a mark is a reason: "not the lost ones, no point in those".
    """
    tokens = _without_opening(tokenize(segment.text))
    if tokens and tokens[0].word == "without" and names_in(segment):
        return narrowing(segment.with_words(tokens[0].start, tokens[0].end, "except"))
    is_order = segment.act in WRITES and segment.probability >= SURE_ORDER
    is_part = [one.word for one in tokenize(segment.text)[:2]] == ["the", "ones"]
    says_part = is_part or (bool(tokens) and (_leaves_out(tokens) or _keeps(tokens) or _limits(tokens)))
    # "Take the lost one out", not "take 5k off the big one"
    is_leaving = any(first == 0 for first, _ in exclusions(tokens)) and any(one.word == "out" for one in tokens)
    if not says_part or (is_order and tokens[0].word not in _LISTING and not is_leaving):
        return None
    limits = _limit_ends(tokens)
    values = [one.end for one in tokens if _is_condition(one)] + [one.end for _, one in colleagues_in(tokens)]
    tags = _SAYING | {"name", "org"} if _leaves_out(tokens) else _SAYING
    ends = values + limits + [one.end for one in segment.spans if one.tag in tags]
    if not ends or (segment.act in SOCIAL | BACKGROUND and not values):
        return None
    least = max([min(ends), *limits])  # A limit is never a reason.
    end = next((one.start for one in tokens if one.word in _CLOSING and one.start >= least), len(segment.text))
    part = segment.part(0, end)
    is_person = any(one.word in lexicon.PERSON_PRONOUNS - lexicon.THEY_PRONOUNS for one in tokenize(part.text))
    return None if (names_in(part) and tokens[0].word != "except") or is_person else part


def is_relative(segment: Segment) -> bool:
    """Return whether a segment is a clause on the records before it, and no question: "that are planned for March"."""
    words = [one.word for one in tokenize(segment.text)[:2]]
    return (
        words[:1] == ["that"] and words[1:] != ["'s"] and not (segment.text.rstrip().endswith("?") or names_in(segment))
    )


def _without_opening(tokens: list[Token]) -> list[Token]:
    while tokens and (tokens[0].word in _OPENING or tokens[0].kind == "mark"):
        tokens = tokens[1:]
    return tokens


def _leaves_out(tokens: list[Token]) -> bool:
    """Return whether words leave out what follows; "don't call Bob's" denies an order."""
    if not tokens:
        return False
    if tokens[0].word == "without" or any(first == 0 for first, _ in exclusions(tokens)):
        return True
    says_what = len(tokens) > 1 and bool(lexicon.values_in(tokens[1].word))
    is_order = len(tokens) > 1 and tokens[1].word in lexicon.ORDER_VERBS
    return tokens[0].word in DENIED and (says_what or tokens[0].word in _LEAVING) and not is_order


def _keeps(tokens: list[Token]) -> bool:
    """Return whether words keep a part of a list: "only the warm ones", "cut that down to those in Texas"."""
    words = [one.word for one in tokens]
    before = tokens[: words.index("only")] if "only" in words else []
    is_only = bool(before) and all(_is_condition(one) or one.word in ("ones", "the") for one in before)
    return words[0] in _NARROWING or is_only or ("down", "to") in pairwise(words)


def _limits(tokens: list[Token]) -> bool:
    """Return whether words only set a limit: "score over 80", "above 50k"."""
    is_field = tokens[0].word not in lexicon.ORDER_VERBS and bool(lexicon.fields_in(tokens[0].word))
    ends = _limit_ends(tokens)
    return bool(ends) and (is_field or find_amounts(plain_text(tokens)[0])[0].reach[0] == 0)


def _limit_ends(tokens: list[Token]) -> list[int]:
    """Return where the words of each limit end."""
    text, starts = plain_text(tokens)
    bounds = [one.reach for one in find_amounts(text) if one.relation in ("more", "less")]
    return [max(one.end for one, at in zip(tokens, starts, strict=True) if at < last) for _, last in bounds]


def _is_condition(token: Token) -> bool:
    """Return whether a word may say which records are meant: a value, a type of activity, whose they are."""
    is_type = lexicon.activity_type_of(token.word) or lexicon.activity_type_of(token.stem)
    return bool(lexicon.says_value(token) or is_type or token.word in _WHICH)
