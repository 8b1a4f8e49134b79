"""Tell which words of a text are a name, and whose."""

from collections.abc import Iterable

from rapidfuzz.distance import OSA

from aisha.domain.language import lexicon, words
from aisha.domain.language.tokens import Token, tokenize

FORMS_OF_ADDRESS = frozenset("the a an my our his her their new old mr mrs ms dr inc ltd gmbh corp llc co ag".split())
_MIN_FUZZY_WORD = 5
_WORDS_BESIDE_NAMES = lexicon.LINK_WORDS | lexicon.KIND_NAMES | FORMS_OF_ADDRESS


def is_product_word(token: Token) -> bool:
    """Return whether a word is one of the product's own: "Status", "Lost", "Please"."""
    is_verb = token.word in lexicon.ORDER_VERBS or token.word in lexicon.INTERJECTIONS
    is_kind = lexicon.kind_named(token) is not None or token.word in lexicon.LINK_WORDS
    return is_verb or is_kind or bool(lexicon.fields_in(token.word) or lexicon.values_in(token.word))


def is_likely_name(token: Token) -> bool:
    """Return whether a word of a text is likely to be of a name: a capital within a sentence, or no common word."""
    is_name = token.is_capital and token.start > 0
    return is_name or token.word in words.first_names() or not words.is_common(token.word)


def matches_name(record_words: Iterable[str], span: Iterable[str]) -> bool:
    """Return whether all words of a name that was said are words of a record, up to one slip each."""
    record_words = tuple(record_words)
    return bool(span) and all(
        word in record_words
        or (len(word) >= _MIN_FUZZY_WORD and any(OSA.distance(word, one, score_cutoff=1) <= 1 for one in record_words))
        for word in span
    )


def name_words(text: str) -> frozenset[str]:
    """Return the words of a name in lower case, without kinds of records and links."""
    all_words = [token.word for token in tokenize(text) if token.kind != "mark"]
    without_kinds = [word for word in all_words if word not in _WORDS_BESIDE_NAMES]
    # "Qualify Jack" is sometimes taken for a name as a whole.
    has_verb = len(without_kinds) > 1 and without_kinds[0] in lexicon.ORDER_VERBS
    return frozenset(without_kinds[1:] if has_verb else without_kinds)


def words_of(name: str) -> frozenset[str]:
    """Return the words of a name in lower case."""
    return frozenset(token.word for token in tokenize(name) if token.kind != "mark")
