"""Words that conditions of searches are made of, and the stems of texts."""

from collections.abc import Iterator, Sequence
from functools import cache

from aisha.domain.language import lexicon
from aisha.domain.language.ask import Ask
from aisha.domain.language.lexicon import placed_in, word_set
from aisha.domain.language.tokens import Token, stem, tokenize
from aisha.domain.language.words import first_names, is_common

DENIED = word_set("condition_words", "denied")
LATE = word_set("condition_words", "late")
WHO = word_set("condition_words", "who")
EMPTY = word_set("condition_words", "empty")
RELATIVE = word_set("condition_words", "relative")
_BEFORE_OWNERS = frozenset("are is minus without except excluding besides".split())
SOLD = frozenset("bought purchased sold".split())
"""Verbs of deals that were won."""
STAFF = word_set("condition_words", "employees")
PLANNED = word_set("condition_words", "planned")
LENGTHS = word_set("condition_words", "lengths")
CONTACTED = word_set("time_words", "contacted")
CLOSING = word_set("time_words", "closing")


@cache
def contacted_stems() -> frozenset[str]:
    """Return the stems of the words for a contact, but those of fields: "without email"."""
    return frozenset(one for word in CONTACTED if not lexicon.fields_in(one := stem(word)))


def is_late(ask: Ask) -> bool:
    """Return whether an ask is about what is overdue: "late", "past its due date"."""
    return bool(ask.words & LATE) or any(placed_in(ask.outside, "lateness"))


def stems_of(text: str) -> set[str]:
    """Return the stems of a text's words, without a plural "s"."""
    return {token.stem.removesuffix("s") for token in tokenize(text)}  # The stem of "CTOs" keeps its "s".


def exclusions(tokens: Sequence[Token]) -> Iterator[tuple[int, int]]:
    """Yield the first and last (exclusive) place of each phrase that leaves out what follows: "other than".

    A verb may be parted from its "out": "leave the lost ones out".
    """
    for key, first, last in placed_in(tokens, "exclusions"):
        if key == "left_out":
            if last - first > 1 or tokens[first].word in DENIED | {"outside"}:  # "Dropped" leaves nothing out.
                yield first, last
            continue
        rest = (token for token in tokens[last:] if token.kind == "mark" or token.word in ("out", "off", "aside"))
        if (end := next(rest, None)) is not None and end.kind != "mark":
            yield first, last


def denials(tokens: Sequence[Token]) -> int:
    """Return how many times a clause denies what it says."""
    excluded = {place for first, last in exclusions(tokens) for place in range(first, last)}
    denied = any(token.word in DENIED for place, token in enumerate(tokens) if place not in excluded)
    return bool(excluded) + denied


def left_out(ask: Ask) -> list[str]:
    """Return the names that an ask leaves out: "besides Ann"."""
    found = list[str]()
    for span in ask.segment.spans:
        before = [token for token in ask.outside if token.end <= span.start]
        # "Leaving Ann aside" has a part of its phrase after the name.
        denied = [before[min(last, len(before)) - 1].end for first, last in exclusions(ask.outside) if before[first:]]
        denied += [token.end for token in before if token.word in DENIED]
        is_denied = any(all(one.word in EMPTY for one in before if one.start >= end) for end in denied)
        found += [span.text] if span.tag in ("name", "org") and is_denied else []
    return found


def colleagues_in(tokens: Sequence[Token]) -> Iterator[tuple[str, Token]]:
    """Yield the first names whose possessives lack the apostrophe, each with its token: "which of them are bobs".

    A word that is common, too, is one only after a word that a noun does not follow so, or before what is owned.
    """
    for before, token, after in zip((None, *tokens), tokens, (*tokens[1:], None), strict=False):
        name = token.word.removesuffix("s")
        is_name = token.word.endswith("s") and len(name) > 2 and name in first_names() - {token.word}
        is_cued = before is not None and before.word in _BEFORE_OWNERS
        is_owner = after is not None and (bool(lexicon.values_in(after.word)) or lexicon.kind_named(after) is not None)
        if is_name and token.word not in first_names() and (is_cued or is_owner or not is_common(token.word)):
            yield name, token
