"""Complete names that the tagger found in part, and tell names from common words."""

from collections.abc import Sequence

from aisha.domain.language import lexicon, vocabulary, words
from aisha.domain.language.acts import PROPER_NAME_TAGS
from aisha.domain.language.marks import time_tokens
from aisha.domain.language.tokens import Token

# Acts whose unusual words are no names of records.
_ACTS_WITHOUT_NAMES = frozenset(
    "smalltalk greeting thanks goodbye impossible context help identity yes no wait documents".split()
)
# Words that end a name.
_LINK_WORDS = frozenset("the a an of at from in for with and or to on about by as is are among amongst".split())
_MIN_NAME_LENGTH = 3


def with_whole_names(tokens: Sequence[Token], labels: Sequence[str], act: str) -> list[str]:
    """Return the labels with names completed: by neighbours that no order has, and by words that are no English ones.

    The tagger misses names that are typed without capitals: "call jak russel tmrw".
    """
    times = time_tokens(tokens)
    joined = list(labels)

    def is_open(place: int) -> bool:
        """Return whether a token may be a part of a name: outside of slots, and unusual in orders of the act."""
        token = tokens[place]
        is_small = token.word in _LINK_WORDS | lexicon.INTERJECTIONS
        free = joined[place] == "O" and token.kind == "word" and not times[place] and not is_small
        return free and not vocabulary.explains(act, token.stem)

    is_typed_lower = not any(token.is_capital for token in tokens[1:])
    for place, token in enumerate(tokens):
        before = joined[place - 1][2:] if place else ""
        if not is_open(place) or not (token.is_capital or (is_typed_lower and _is_unusual(token))):
            continue
        if before in PROPER_NAME_TAGS:
            joined[place] = f"I-{before}"
        elif place and _is_unusual(token) and act not in _ACTS_WITHOUT_NAMES:
            joined[place] = "B-name"
    for place in range(len(tokens) - 2, -1, -1):
        follows_name = joined[place + 1][:2] == "B-" and joined[place + 1][2:] in PROPER_NAME_TAGS
        if follows_name and is_open(place) and (tokens[place].word in words.first_names() or tokens[place].is_capital):
            joined[place], joined[place + 1] = joined[place + 1], f"I-{joined[place + 1][2:]}"
    return joined


def _is_unusual(token: Token) -> bool:
    """Return whether a word outside of slots is a name rather than a word that no order has: "russel", "Acme"."""
    if token.word in words.first_names() and not vocabulary.is_known(token.stem):
        return True
    is_word = all(words.is_common(part) for part in token.word.replace("/", "-").split("-"))
    is_word = is_word or words.is_inflected(token.word)
    return not is_word and not vocabulary.is_known(token.stem) and len(token.word) >= _MIN_NAME_LENGTH


def common_noun_starts(tokens: Sequence[Token]) -> set[int]:
    """Return where words in lower case stand that are a verb or a noun by their place: "they caved", "an actuary".

    "An acme deal" has a name: that of the deal's company.
    """
    before = ["", *(token.word for token in tokens)]
    after = [*tokens[1:], None]
    return {
        token.start
        for word, token, following in zip(before, tokens, after, strict=False)
        if token.text.islower()
        and token.word not in words.first_names()
        and (
            word in lexicon.SUBJECT_PRONOUNS
            or (word in ("a", "an") and (following is None or following.word != "'s") and not _is_noun(following))
        )
    }


def _is_noun(token: Token | None) -> bool:
    """Return whether a token is a word, which may be the noun that the word before it tells more of."""
    return token is not None and token.kind == "word" and token.word not in _LINK_WORDS


def is_ordinary(token: Token, start: int) -> bool:
    """Return whether a token can't be a name: a common word in lower case, or one that begins the segment."""
    if token.kind != "word":
        return True
    is_field = token.text.islower() and bool(lexicon.fields_in(token.word))
    is_small = is_field or token.word in _LINK_WORDS | lexicon.INTERJECTIONS
    is_word = is_small or words.is_common(token.word) or words.is_inflected(token.word)
    is_word = is_word and token.word not in words.first_names()
    return is_word and (not token.is_capital or token.start == start)
