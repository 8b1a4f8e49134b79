"""Judge from its grammar whether a message orders a call, apart from the acts that the reader finds in it.

The reader's acts go by what is spoken of: "his score used to be 80" has all words of an order. This model sees the
message with its content words replaced by their endings, and the call's record and values, and those of others, by
marks, so that what is left is who acts, when, in which mood, and on what.
"""

from collections.abc import Collection, Iterator, Sequence
from itertools import groupby

from aisha.domain.language import vocabulary
from aisha.domain.language.models import linear
from aisha.domain.language.tokens import Token

ORDER, OTHER = "order", "other"
"""The labels."""
VALUE, TARGET = "<value>", "<target>"
"""Marks of the words that say a value of the call, and that name its record."""
OTHER_VALUE, OTHER_NAME, FIELD, TIME = "<other>", "<name>", "<field>", "<when>"
_ENDINGS = ("ing", "ed", "ly", "n't", "'s", "s")
_SENTENCE_ENDS = frozenset((".", "!", "?", ";", "\n"))
_CLAUSE_MARKS = frozenset((",", "-", "–", ":", "(", ")", "..."))
_MAX_RUN, _MAX_CLAUSE_RUN = 4, 3
"""Symbols of the longest run of a sentence or a clause that is a feature."""
_MAX_OPENING, _MAX_CLAUSE_OPENING = 5, 4
_MAX_NEAR = 3
"""Symbols of the sentences before and after."""
_REACH_BACK, _REACH_ON = 10, 8
"""Symbols before and after the value that count together with it."""

type Symbols = list[tuple[str, str]]
"""Symbols, each with its word; without one for marks."""


def score(tokens: Sequence[Token], marks: Sequence[str]) -> float:
    """Return how likely a message orders the call whose words are marked: the logarithm of the odds.

    `marks` has a mark for each token, empty for most. Of several sentences with a value of the call the best counts.
    """
    model = linear.load("orders")
    order = model.labels.index(ORDER)
    rows = features_of(tokens, marks, vocabulary.load().neutral)
    return max((scores[order] - scores[1 - order] for scores in map(model.scores, rows)), default=0.0)


def features_of(tokens: Sequence[Token], marks: Sequence[str], function_words: Collection[str]) -> Iterator[list[str]]:
    """Yield the features of each sentence that has a value of the call, or else its record, or else of all.

    `small` are the stems of words that stay as they are.
    """
    sentences = list(_sentences(_symbols(tokens, marks, function_words)))
    forms = [[symbol for symbol, _ in sentence] for sentence in sentences]
    valued = [place for place, form in enumerate(forms) if VALUE in form]
    targeted = [place for place, form in enumerate(forms) if TARGET in form]
    for place in valued or targeted or range(len(forms)):
        row = _sentence_features(sentences[place]) | _neighbour_features(sentences, place)
        row.add("value" if valued else "no value")
        if TARGET in forms[place]:
            row.add("target here")
        elif targeted:
            row.add("target before" if targeted[0] < place else "target after")
        yield sorted(row)


def _sentence_features(sentence: Symbols) -> set[str]:
    """Return the features of a sentence: its runs of symbols, its opening, and the clause around its value."""
    form = [symbol for symbol, _ in sentence]
    centre = next((form.index(mark) for mark in (VALUE, TARGET) if mark in form), 0)
    first = max((at + 1 for at in range(centre) if form[at] in _CLAUSE_MARKS), default=0)
    last = next((at for at in range(centre + 1, len(form)) if form[at] in _CLAUSE_MARKS - {":"}), len(form))
    clause = form[first:last]
    row = {"bias", f"end={form[-1] if form[-1] in _SENTENCE_ENDS else ''}"}
    row |= {f"has={mark}" for mark in (OTHER_NAME, OTHER_VALUE) if mark in form}
    row |= set(_runs(form, _MAX_RUN, "s")) | set(_runs(clause, _MAX_CLAUSE_RUN, "c"))
    row |= {f"start={' '.join(form[:size])}" for size in range(1, _MAX_OPENING + 1)}
    row |= {f"clause={' '.join(clause[:size])}" for size in range(1, _MAX_CLAUSE_OPENING + 1)}
    row |= {f"{symbol}..value" for symbol in form[max(0, centre - _REACH_BACK) : centre]}
    row |= {f"value..{symbol}" for symbol in form[centre + 1 : centre + 1 + _REACH_ON]}
    row |= {f"w={word}" for _, word in sentence if word} | {f"cw={word}" for _, word in sentence[first:last] if word}
    return row


def _neighbour_features(sentences: Sequence[Symbols], place: int) -> set[str]:
    """Return the features of the sentences before and after one."""
    row = set[str]()
    for sign, at in (("-", place - 1), ("+", place + 1)):
        near = sentences[at] if 0 <= at < len(sentences) else []
        opening = [symbol for symbol, _ in near[:_MAX_NEAR]]
        row |= {f"{sign}{' '.join(opening[:size])}" for size in range(1, _MAX_NEAR + 1)}
        row |= {f"{sign}w={word}" for _, word in near if word} | {f"{sign}end={near[-1][0] if near else ''}"}
    return row


def _runs(form: Sequence[str], longest: int, name: str) -> Iterator[str]:
    padded = ["^", *form, "$"]
    for size in range(1, longest + 1):
        yield from (f"{name}={' '.join(padded[at : at + size])}" for at in range(len(padded) - size + 1))


def _symbols(
    tokens: Sequence[Token], marks: Sequence[str], function_words: Collection[str]
) -> Iterator[tuple[str, str]]:
    """Yield a symbol for each token, and one for all words in a row that have the same mark."""
    for mark, group in groupby(zip(tokens, marks, strict=True), key=lambda pair: pair[1]):
        if mark:
            yield mark, ""
        else:
            yield from (
                (_symbol(token, function_words), token.word if token.kind == "word" else "") for token, _ in group
            )


def _symbol(token: Token, function_words: Collection[str]) -> str:
    if token.kind != "word":
        return token.text if token.kind == "mark" else f"<{token.kind}>"
    if token.stem in function_words:
        return token.word
    return "*" + next((ending for ending in _ENDINGS if token.word.endswith(ending)), "")


def _sentences(symbols: Iterator[tuple[str, str]]) -> Iterator[Symbols]:
    sentence: Symbols = []
    for one in symbols:
        sentence.append(one)
        if one[0] in _SENTENCE_ENDS:
            yield sentence
            sentence = []
    if sentence:
        yield sentence
