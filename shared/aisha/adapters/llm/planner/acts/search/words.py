"""Words that conditions of searches are made of, and the stems of texts."""

from functools import cache

from aisha.domain.language import lexicon
from aisha.domain.language.lexicon import word_set
from aisha.domain.language.tokens import stem, tokenize

DENIED = word_set("condition_words", "denied")
LATE = word_set("condition_words", "late")
STAFF = word_set("condition_words", "employees")
LENGTHS = word_set("condition_words", "lengths")
CONTACTED = word_set("time_words", "contacted")
CLOSING = word_set("time_words", "closing")


@cache
def contacted_stems() -> frozenset[str]:
    """Return the stems of the words for a contact, but those of fields: "without email"."""
    return frozenset(one for word in CONTACTED if not lexicon.fields_in(one := stem(word)))


def stems_of(text: str) -> set[str]:
    """Return the stems of a text's words, without a plural "s"."""
    return {token.stem.removesuffix("s") for token in tokenize(text)}  # The stem of "CTOs" keeps its "s".
