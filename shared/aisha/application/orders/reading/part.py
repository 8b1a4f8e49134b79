"""A segment of the user's words as the reader understands it: what it orders, denies or asks about."""

from collections.abc import Iterable, Iterator, Sequence
from datetime import datetime
from functools import cached_property
from itertools import pairwise

from msgspec import Struct
from msgspec.structs import replace

from aisha.application.orders.reading.asides import asides_of
from aisha.application.orders.reading.clauses import (
    JOINING,
    acts_of,
    base_of,
    clause_verbs,
    ends_in_question,
    first_word,
    is_request,
    is_verb,
    verbs_of_pronouns,
)
from aisha.application.orders.reading.denials import SURE_READ, TOLD, denial_of, taken_back
from aisha.application.orders.reading.quotations import unquoted
from aisha.application.orders.reading.reasons import reasons_of
from aisha.domain.language import lexicon
from aisha.domain.language.acts import READS, WRITES
from aisha.domain.language.ask import CORRECTIONS, Ask
from aisha.domain.language.order_form import order_probabilities
from aisha.domain.language.reader import Segment, Span, read
from aisha.domain.language.tokens import Token, tokenize

MIN_ORDER = 0.2
"""A segment is an order of an act from this probability on, if no reading that orders nothing is as probable."""
CONTINUING = frozenset("yes choose more take_up correct again wait".split())
"""Acts that go on with what was ordered before."""
_KEEPING = frozenset("save enter record store put update set add note log".split())
_ASSIGNING = frozenset(verb for verb in lexicon.ORDER_VERBS if "update_record" in acts_of(verb)) | {"drop", "cut"}
_TAKING_UP = frozenset("use take do".split())
_NAMING = frozenset(("name", "new", "org"))
_RELATIVE = frozenset("which who whom whose where unlike".split())
_NO_ORDER = frozenset("negated hypothetical report context".split())


class Part(Struct, frozen=True, dict=True):
    """A segment of the user's words. `denial` says why it orders nothing though it names an act; empty for none.

    `is_taken_up`: the next one orders to keep what it tells. `form` is the probability that its grammar is that of an
    order.
    """

    ask: Ask
    denial: str = ""
    is_taken_up: bool = False
    form: float = 1.0

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

    @property
    def names(self) -> list[Span]:
        """The slots of names, without those of asides."""
        return [span for span in self.ask.segment.spans if span.tag in _NAMING and not self.is_aside(span)]

    def is_aside(self, span: Span) -> bool:
        """Return whether a slot stands in an aside."""
        text = self.ask.text
        places = ((at, at + len(piece)) for piece in self.asides if (at := text.find(piece)) >= 0)
        return any(start <= span.start and span.end <= end for start, end in places)

    def is_aside_token(self, token: Token) -> bool:
        """Return whether a token of the segment stands in an aside."""
        return self.is_aside(Span("", token.text, token.start))

    @cached_property
    def subordinate(self) -> frozenset[int]:
        """The places of the words in clauses that only give a reason or say more of somebody: "…, who sits at Acme"."""
        tokens = self.ask.tokens
        found = {token.start for token in reasons_of(tokens)}
        for place, (mark, token) in enumerate(pairwise(tokens)):
            if mark.word == "," and token.word in _RELATIVE:
                rest = tokens[place + 1 :]
                end = next((at for at, one in enumerate(rest) if one.word in (".", ";", "!", "?")), len(rest))
                found.update(one.start for one in rest[:end])
        return frozenset(found)

    @property
    def verb_acts(self) -> frozenset[str]:
        """The acts that the verbs at the beginnings of its clauses order: "…, mark it", "could you set …"."""
        if self.denial:
            return frozenset()
        is_asked = self.is_question and not is_request(self.ask.tokens) and not self._is_assignment
        verbs = verbs_of_pronouns(self.ask.tokens) if is_asked else clause_verbs(self.ask.tokens)
        assigned = ("update_record",) if self._is_assignment else ()
        return frozenset((*assigned, *(act for verb in verbs for act in acts_of(verb))))

    @property
    def _is_assignment(self) -> bool:
        """True if a verb of changes begins it, and a field and "to" stand before its value: "drop the score to 5"."""
        starts = {span.start for span in self.ask.segment.spans if span.tag in ("value", "amount", "when")}
        pairs = pairwise(self.ask.tokens)
        is_to = any(one.word in ("to", "by") and other.start in starts for one, other in pairs)
        is_changing = first_word(self.ask) in _ASSIGNING and not ends_in_question(self.ask.text)
        loose = " ".join(token.word for token in self.ask.loose)
        return is_changing and is_to and bool(self.ask.texts("field") or lexicon.fields_in(loose))

    @property
    def keeps_it(self) -> bool:
        """True if a verb of keeping has what was said as its object: "…, save it", "…, put that in"."""
        pairs = pairwise(self.ask.tokens)
        return not self.denial and any(one.word in _KEEPING and other.word in lexicon.THING for one, other in pairs)

    @property
    def corrects(self) -> bool:
        """True if its value takes the place of one that was said before: "sorry, 78", "make it 86"."""
        if self.shares.get("correct", 0.0) >= SURE_READ or first_word(self.ask) in CORRECTIONS:
            return True
        pairs = pairwise(self.ask.tokens)
        verbs = (one.word for one, other in pairs if other.word in lexicon.THING)
        return any("update_record" in acts_of(verb) for verb in verbs)

    @property
    def takes_it_up(self) -> bool:
        """True if a verb of orders has what was said as its object: "update it", "use that", "overwrite this"."""
        pairs = pairwise(self.ask.tokens)
        verbs = (one.word for one, other in pairs if other.word in lexicon.THING)
        return not self.denial and any(verb in _TAKING_UP or is_verb(verb) for verb in verbs)

    @property
    def is_imperative(self) -> bool:
        """True if the reader is not sure of a segment that begins with a verb of orders: "Qualify Jack"."""
        is_sure = self.ask.segment.probability >= SURE_READ and self.ask.act not in CONTINUING
        if self.denial or is_sure or ends_in_question(self.ask.text):
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
    """Return the parts of a message that order, deny or tell something; what is quoted is left out."""
    text = unquoted(message)
    parts = _parts_of(text, now, names)
    if any(part.is_order or part.denial for part in parts):
        return parts
    # "Read me the notes and add the lead Lee" is sometimes read as one question.
    pieces = list(_pieces_at_verbs(text))
    return [part for piece in pieces for part in _parts_of(piece, now, names)] if len(pieces) > 1 else parts


def _parts_of(text: str, now: datetime, names: Sequence[str]) -> list[Part]:
    asks = [Ask(segment, now) for segment in _with_end_marks(read(text, names).segments)]
    forms = order_probabilities([ask.segment for ask in asks])
    parts = [
        Part(ask, denial_of(ask) or taken_back(ask, asks[place + 1 :]), form=form)
        for place, (ask, form) in enumerate(zip(asks, forms, strict=True))
    ]
    for place, (part, after) in enumerate(pairwise(parts)):
        if _is_cut(part.ask, after.ask) and not after.denial and (part.denial or not part.is_order):
            # "Hold off on setting | Ann to lost" is one clause, whatever the reader made of it.
            parts[place + 1] = replace(after, denial=part.denial or TOLD[0])
        if part.denial in ("", *TOLD) and (after.keeps_it or after.takes_it_up) and _names_field(after, part):
            # "He wrote from x@acme.example. Save it as his email."
            parts[place] = replace(part, denial="", is_taken_up=True)
    return parts


def _is_cut(ask: Ask, after: Ask) -> bool:
    """Return whether a clause goes on in the next segment: the first ends with a verb without its object, or "who"."""
    last = ask.tokens[-1:]
    return bool(after.tokens) and any(
        one.word in _OPEN_ENDS or (one.word.endswith("ing") and is_verb(base_of(one.word))) for one in last
    )


_OPEN_ENDS = frozenset("who which what why when where how whether that to of on with about by than from into".split())


def _names_field(part: Part, told: Part) -> bool:
    """Return whether a segment that takes up what was told says the field, or the state that it is to be in."""
    is_change = bool({"update_record", "advance_stage"} & part.verb_acts)
    is_state = told.denial == TOLD[0] and bool(told.ask.texts("value")) and is_change
    return bool(lexicon.fields_in(" ".join(token.word for token in part.ask.tokens))) or is_state


def _with_end_marks(segments: Sequence[Segment]) -> list[Segment]:
    """Return segments, the marks at the end of each with it: "Ann lost!" and "? Who says so?"."""
    found: list[Segment] = []
    for segment in segments:
        bare = segment.text.lstrip("?!")
        if found and bare.strip() and bare != segment.text:
            cut = len(segment.text) - len(bare)
            found[-1] = replace(found[-1], text=found[-1].text + segment.text[:cut])
            cut += len(bare) - len(bare.lstrip())
            spans = tuple(replace(span, start=span.start - cut) for span in segment.spans if span.start >= cut)
            segment = replace(segment, text=bare.lstrip(), spans=spans)
        found.append(segment)
    return found


def _pieces_at_verbs(text: str) -> Iterator[str]:
    """Yield the text in pieces, each but the first beginning with a verb of orders: "… and add …"."""
    tokens, start = tokenize(text), 0
    for before, token in pairwise(tokens):
        if before.word in JOINING and is_verb(token.word):
            yield text[start : before.start]
            start = token.start
    yield text[start:]
