"""Find out whether a message asks for a call.

There is no end to the sentences that only speak of a change. Those that order one have few forms, and a call of a
message without any of them waits, whatever else speaks for it.
"""

from collections.abc import Iterator, Sequence
from itertools import pairwise, takewhile

from msgspec import Struct
from msgspec.structs import replace

from aisha.application.orders.asking.changes import states_change_alone
from aisha.application.orders.asking.commands import (
    JOINING_WORDS,
    OPENING_WORDS,
    begins_order,
    has_order_within,
    may_be_bare_verb,
)
from aisha.application.orders.asking.headings import is_introduced_as_text
from aisha.application.orders.asking.marks import Marks
from aisha.application.orders.likelihood import MarkedMessage
from aisha.application.orders.reading.clauses import is_request
from aisha.application.orders.reading.quotations import without_quotations
from aisha.domain.language.sentences import Clause, sentences_in
from aisha.domain.language.tokens import Token
from aisha.domain.tools import ToolCall

_LOOKING_VERBS = frozenset("find check look search show".split())
_MAX_LATER = 2
"""Sentences after the one with the value in which it may be ordered: "She is 45 now. I checked. Fix it."."""
_MAX_ORDER_ALONE = 12
"""Words of such an order."""


class _Sentence(Struct, frozen=True):
    """A sentence: the `clauses` that are the user's own, cut at conjunctions, and whether one of them is an order.

    `has_focus` is True if it says a value of the call, or its record where it has no value. `size` counts its words,
    `marks` are those after it.
    """

    clauses: Sequence[Sequence[Token]]
    is_order: bool
    has_focus: bool
    size: int
    marks: str

    @property
    def is_heading(self) -> bool:
        """True if the lines below it belong to it: "Calls to schedule:"."""
        return ":" in self.marks and "\n" in self.marks

    @property
    def ends_paragraph(self) -> bool:
        """True if a blank line follows."""
        return self.marks.count("\n") > 1

    @property
    def is_order_alone(self) -> bool:
        """True for an order whose value stands in another sentence."""
        return self.is_order and not self.has_focus


def asks_for_call(marked: MarkedMessage, message: str, call: ToolCall, user: str = "") -> bool:
    """Return whether a message of the user asks for the call whose words are marked in it."""
    field_words = frozenset(word for name in call.arguments for word in name.lower().split("_"))
    marks = {token.start: mark for token, mark in zip(marked.tokens, marked.marks, strict=True) if mark}
    focus = marked.focus_starts
    sentences = [_read(one, marks, focus, call.name, user) for one in sentences_in(without_quotations(message))]
    return any(
        sentence.is_order
        or any(one.is_order_alone for one in sentences[max(0, place - 1) : place])
        or _is_listed_below_order(sentences[:place])
        or any(one.is_order_alone and one.size <= _MAX_ORDER_ALONE for one in sentences[place + 1 :][:_MAX_LATER])
        or states_change_alone(sentence.clauses, marks, field_words)
        for place, sentence in enumerate(sentences)
        if sentence.has_focus or not focus
    )


def _is_listed_below_order(before: Sequence[_Sentence]) -> bool:
    """Return whether a line belongs to the list below a heading that is an order, by the sentences before it."""
    above = takewhile(lambda one: one.is_heading or not one.ends_paragraph, reversed(before))
    return next((one.is_order for one in above if one.is_heading), False)


def _read(sentence: Sequence[Clause], marks: Marks, focus: Sequence[int], tool: str, user: str) -> _Sentence:
    own = [one for place, one in enumerate(sentence) if not is_introduced_as_text(sentence, place, marks)]
    spoken = [[*_as_speaker(one.words, user)] for one in own]
    clauses = [words for one in spoken for words in _split(one)]
    is_order = any(map(is_request, spoken)) or any(
        begins_order(words, marks) or has_order_within(words, marks) or _orders_tool(words, tool) for words in clauses
    )
    start, end = sentence[0].words[0].start - len(sentence[0].before), sentence[-1].end
    has_focus = any(start <= one < end for one in focus)
    return _Sentence(clauses, is_order, has_focus, sum(len(one.words) for one in sentence), sentence[-1].marks)


def _as_speaker(words: Sequence[Token], user: str) -> Iterator[Token]:
    """Yield words with the user's own name as "I" before "would": "Alice would like to push it", from Alice.

    Elsewhere a name may be a verb: "mark him as lost", from Mark.
    """
    for token, following in pairwise([*words, words[-1]]):
        yield replace(token, word="i") if token.word == user and following.word == "would" else token


def _orders_tool(words: Sequence[Token], tool: str) -> bool:
    """Return whether words begin with a tool's own verb, or look for something by a scan: "find duplicates, a scan"."""
    verb, _, noun = tool.partition("_")
    first = next((one for one in words if one.word not in OPENING_WORDS), None)
    if first is None:
        return False
    is_own = first.word == verb and may_be_bare_verb(first)
    return is_own or (noun == "scan" and first.word in _LOOKING_VERBS and noun in (one.word for one in words))


def _split(words: Sequence[Token]) -> Iterator[Sequence[Token]]:
    """Yield the pieces of a clause that conjunctions begin: "she is keen | so mark her | and call me"."""
    start = 0
    for place in range(1, len(words)):
        if words[place].word in JOINING_WORDS and words[place - 1].word not in JOINING_WORDS:
            yield words[start:place]
            start = place
    yield words[start:]
