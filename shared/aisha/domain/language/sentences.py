"""Split a text into its clauses and sentences."""

from collections.abc import Iterator, Sequence
from itertools import pairwise, takewhile

from msgspec import Struct

from aisha.domain.language.tokens import Token, tokenize

SENTENCE_MARKS = frozenset(".!?;…")


class Clause(Struct, frozen=True):
    """The words between two marks: `before` and `marks` stand around them, and the next clause begins at `end`."""

    words: Sequence[Token]
    end: int
    before: str
    marks: str

    @property
    def ends_sentence(self) -> bool:
        """True if the mark of a sentence or a line break ends it."""
        return "\n" in self.marks or bool(SENTENCE_MARKS.intersection(self.marks))


def clauses_in(text: str) -> Iterator[Clause]:
    """Yield the clauses of a text; marks before the first word belong to none."""
    tokens = tokenize(text)
    place = before = 0
    while place < len(tokens):
        words = list(takewhile(lambda one: one.kind != "mark", tokens[place:]))
        for size, (one, other) in enumerate(pairwise(words), 1):
            if "\n" in text[one.end : other.start]:
                words = words[:size]
                break
        if not words:
            place += 1
            continue
        place += len(words)
        after = next((one for one in tokens[place:] if one.kind != "mark"), None)
        end = after.start if after is not None else len(text)
        start = words[0].start
        yield Clause(words, end, text[before:start], text[words[-1].end : end])
        before = words[-1].end


def sentences_in(text: str) -> Iterator[Sequence[Clause]]:
    """Yield the sentences of a text, each as its clauses. A semicolon ends none."""
    sentence: list[Clause] = []
    for clause in clauses_in(text):
        sentence.append(clause)
        if clause.ends_sentence and clause.marks.strip() != ";":
            yield sentence
            sentence = []
    if sentence:
        yield sentence
