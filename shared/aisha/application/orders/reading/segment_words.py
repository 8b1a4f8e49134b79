"""The words of a segment that may order something, without reasons, frames of requests and names of flags."""

from collections.abc import Iterator, Sequence

from aisha.application.orders.reading.clauses import is_verb, request_frame
from aisha.application.orders.reading.reasons import reasons_of
from aisha.domain.language import lexicon
from aisha.domain.language.acts import FIELD_CHANGE_ACTS
from aisha.domain.language.ask import Ask
from aisha.domain.language.tokens import Token

CONTACT_VERBS = frozenset("email mail call phone ring text message contact notify invite".split())
_WORDS_BEFORE_FLAG = frozenset("as to on the a check flag under off is".split())


class SegmentWords:
    """The words of a segment, without clauses that give reasons, the frame of a request, and the names of flags.

    `content_tokens` are its tokens but for marks, `loose_tokens` those outside of slots, `loose` their words. `first`
    is the first word that is no interjection, `frame` the words of a request such as "could you".
    """

    def __init__(self, ask: Ask) -> None:
        self.ask = ask
        self.frame = request_frame(ask.tokens)
        apart = {token.start for token in (*self.frame, *reasons_of(ask.tokens), *_flag_words(ask.tokens))}
        self.content_tokens_with_marks = [token for token in ask.tokens if token.start not in apart]
        self.content_tokens = [token for token in self.content_tokens_with_marks if token.kind != "mark"]
        self.loose_tokens = [token for token in ask.loose if token.kind != "mark" and token.start not in apart]
        self.loose = [token.word for token in self.loose_tokens]
        self.first = next((token.word for token in self.content_tokens if token.word not in lexicon.INTERJECTIONS), "")
        self.changes_field = ask.act in FIELD_CHANGE_ACTS

    @property
    def asks_speaker(self) -> bool:
        """True if it begins as a question to the user's own knowledge: "remind me what happens", "tell me how"."""
        content = [token.word for token in self.content_tokens if token.word not in lexicon.INTERJECTIONS]
        return content[1:2] in (["me"], ["us"]) and bool(lexicon.QUESTION_STARTS.intersection(content[2:3]))

    @property
    def second(self) -> str:
        """The word outside of slots after the first one; empty if there is none."""
        place = self.loose.index(self.first) + 1 if self.first in self.loose else len(self.loose)
        return next(iter(self.loose[place:]), "")


def _flag_words(tokens: Sequence[Token]) -> Iterator[Token]:
    """Yield the words of flags that are named, as in "flag her as do not call": they deny nothing."""
    for place in range(1, len(tokens) - 2):
        flag = tokens[place : place + 3]
        is_flag = flag[0].word == "do" and flag[1].word in ("not", "-") and flag[2].word in CONTACT_VERBS
        if is_flag and (tokens[place - 1].word in _WORDS_BEFORE_FLAG or is_verb(tokens[place - 1].word)):
            yield from flag
