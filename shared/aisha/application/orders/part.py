"""A segment of the user's words as the reader understands it: what it orders, denies or asks about."""

from collections.abc import Iterable, Iterator, Sequence
from datetime import datetime
from itertools import pairwise

from msgspec import Struct

from aisha.application.orders.denials import (
    JOINING,
    SURE_READ,
    asides_of,
    clause_verbs,
    denial_of,
    first_word,
    is_request,
    is_verb,
    taken_back,
    verbs_of_pronouns,
)
from aisha.application.orders.quotations import unquoted
from aisha.domain.language import lexicon
from aisha.domain.language.acts import READS, WRITES
from aisha.domain.language.ask import Ask
from aisha.domain.language.reader import Span, read
from aisha.domain.language.tokens import Token, tokenize

MIN_ORDER = 0.2
"""A segment is an order of an act from this probability on, if no reading that orders nothing is as probable."""
CONTINUING = frozenset("yes choose more take_up correct again wait".split())
"""Acts that go on with what was ordered before."""
_KEEPING = frozenset("save enter record store put update set add note log".split())
_NO_ORDER = frozenset("negated hypothetical report context".split())


class Part(Struct, frozen=True):
    """A segment of the user's words. `denial` says why it orders nothing though it names an act; empty for none."""

    ask: Ask
    denial: str = ""

    @property
    def shares(self) -> dict[str, float]:
        """The probabilities of the acts that the segment may be."""
        segment = self.ask.segment
        return dict(((segment.act, segment.probability), *segment.others))

    def orders(self, acts: Iterable[str], least: float = MIN_ORDER) -> bool:
        """Return whether the segment orders one of the acts, with a probability of at least `least`."""
        shares = self.shares
        nothing = sum(share for act, share in shares.items() if act in _NO_ORDER)
        wanted = sum(shares.get(act, 0.0) for act in acts)
        asked = sum(share for act, share in shares.items() if act in READS)
        return not self.denial and wanted >= least and wanted > nothing and wanted > asked

    @property
    def asides(self) -> tuple[str, ...]:
        """The pieces that tell what was, what others want, or which record is meant: they hold no new values."""
        return asides_of(self.ask.text, is_new=self.ask.act == "create_record")

    def is_aside(self, span: Span) -> bool:
        """Return whether a slot stands in an aside."""
        text = self.ask.text
        places = ((at, at + len(piece)) for piece in self.asides if (at := text.find(piece)) >= 0)
        return any(start <= span.start and span.end <= end for start, end in places)

    def is_aside_token(self, token: Token) -> bool:
        """Return whether a token of the segment stands in an aside."""
        return self.is_aside(Span("", token.text, token.start))

    @property
    def verb_acts(self) -> frozenset[str]:
        """The acts that the verbs at the beginnings of its clauses order: "…, mark it", "could you set …"."""
        if self.denial:
            return frozenset()
        is_asked = self.is_question and not is_request(self.ask.tokens)
        verbs = verbs_of_pronouns(self.ask.tokens) if is_asked else clause_verbs(self.ask.tokens)
        return frozenset(act for verb in verbs for act in lexicon.acts_of_verb(verb))

    @property
    def keeps_it(self) -> bool:
        """True if a verb of keeping has what was said as its object: "…, save it", "…, put that in"."""
        pairs = pairwise(self.ask.tokens)
        return not self.denial and any(one.word in _KEEPING and other.word in lexicon.THING for one, other in pairs)

    @property
    def is_imperative(self) -> bool:
        """True if the reader is not sure of a segment that begins with a verb of orders: "Qualify Jack"."""
        is_sure = self.ask.segment.probability >= SURE_READ and self.ask.act not in CONTINUING
        if self.denial or is_sure or self.ask.text.rstrip().endswith("?"):
            return False
        first = first_word(self.ask)
        return is_verb(first) or (bool(lexicon.values_in(first)) and first not in lexicon.ADJECTIVES)

    @property
    def is_order(self) -> bool:
        return self.orders(WRITES) or self.is_imperative or bool(self.verb_acts)

    @property
    def is_question(self) -> bool:
        """True if it asks for information, or imagines, denies or reports something."""
        shares = self.shares
        return sum(share for act, share in shares.items() if act in READS | _NO_ORDER) >= SURE_READ


def read_parts(message: str, now: datetime, names: Sequence[str]) -> list[Part]:
    text = unquoted(message)
    parts = _parts_of(text, now, names)
    if any(part.is_order or part.denial for part in parts):
        return parts
    # "Read me the notes and add the lead Lee" is sometimes read as one question.
    pieces = list(_pieces_at_verbs(text))
    return [part for piece in pieces for part in _parts_of(piece, now, names)] if len(pieces) > 1 else parts


def _parts_of(text: str, now: datetime, names: Sequence[str]) -> list[Part]:
    asks = [Ask(segment, now) for segment in read(text, names).segments]
    return [Part(ask, denial_of(ask) or taken_back(ask, asks[place + 1 :])) for place, ask in enumerate(asks)]


def _pieces_at_verbs(text: str) -> Iterator[str]:
    """Yield the text in pieces, each but the first beginning with a verb of orders: "… and add …"."""
    tokens, start = tokenize(text), 0
    for before, token in pairwise(tokens):
        if before.word in JOINING and is_verb(token.word):
            yield text[start : before.start]
            start = token.start
    yield text[start:]
