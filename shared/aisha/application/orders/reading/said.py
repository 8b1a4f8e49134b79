"""The user's own words of a turn as the reader understands them: what they order, deny, ask about and quote."""

import re
from collections.abc import Iterable, Iterator, Sequence
from datetime import datetime
from functools import cached_property

from aisha.application.orders.reading.clauses import ends_in_question, is_verb
from aisha.application.orders.reading.denials import (
    CONTENT_ACTS,
    COPULAS,
    named_in,
)
from aisha.application.orders.reading.literals import as_typed, flat
from aisha.application.orders.reading.part import CONTINUING, MIN_ORDER, Part, read_parts
from aisha.application.orders.reading.quotations import unforwarded
from aisha.domain.dates.durations import find_durations
from aisha.domain.dates.parsing import TimeSpan, find_times
from aisha.domain.language import languages, lexicon
from aisha.domain.language.amounts import find_amounts
from aisha.domain.language.marks import plain_text
from aisha.domain.language.reader import Span
from aisha.domain.language.tokens import Token, tokenize

MAX_CONTINUED = 3
"""Earlier messages of the user to which an answer may belong."""
_MAX_FRAGMENT_WORDS = 8
"""A longer message is no mere answer to a question."""
_MIN_ORDERING_NAME = 3
"""Words of a record's name from which on it may read as an order."""
_CONTENT_MARKS = (": ", ":\n", " saying ", " that says ", " telling ", " reading ", " to say ")
_CONTENT_ENDS = ("\n\n", ". Also ", ". Then ", ". And ", ". Please ", "; also ", "; then ")
_EXCEPTING = frozenset(
    "except,excepting,excluding,unlike,like,than,as,but,not,without,besides,except for,instead of,apart from,"
    "aside from".split(",")
)
_BETWEEN_EXCEPTED = frozenset("the one ones of for that those from with lead contact account deal score".split())
"""Words between "not" and a name: "not the one of Ann"."""
_FOREIGN_DENIALS = frozenset(
    "kein keine keinen keiner nicht nie niemals ne pas jamais aucun aucune rien no nunca jamás ningún não nenhum non "
    "mai niet geen nooit inte aldrig ikke aldri ingen nie żaden nem ne není yok değil не нет ни нельзя".split()
)
_ENGLISH_WORDS = frozenset("no non mai pas rien aucun".split())
"""Denials of other languages that are words or names in English."""
_DENYING_SIGNS = (
    "不",
    "别",
    "別",
    "没",
    "沒",
    "勿",
    "ない",
    "ません",
    "지 마",
    "하지",
    "않",
    "안 ",
    "لا ",
    "לא ",
    "नहीं",
    "मत ",
)
_CLOSING = frozenset("thanks goodbye greeting smalltalk no".split())
"""Acts that go on with nothing."""
_MIN_LESS = 0.45
"""A wish for less only restricts, so that it may be less sure than other orders."""
_WISHES = frozenset("update_record instruct negated".split())
_WORD = re.compile(r"[^\W_]+")


class Said:
    """The user's words of a conversation, as read.

    `message` is that of this turn; `earlier` are the user's messages before it, the latest first, as far as the
    message may continue them; `is_answer` is True when the assistant's last reply ended with a question; `shown` is a
    text of the product's own, such as an offer, that the message takes up. `known_names` are those of the records
    that were spoken of. `own` are the segments of this message, `sequence` all of them also where only some are judged;
    `before` are those of the earlier messages, of which there are `reach`.
    """

    def __init__(
        self,
        message: str,
        now: datetime,
        *,
        earlier: Sequence[str] = (),
        is_answer: bool = False,
        shown: str = "",
        known_names: Iterable[str] = (),
    ) -> None:
        names = tuple(known_names)
        # A name is data, also one that reads as an order: a button may have put it into the message.
        ordering = [name for name in names if len(name.split()) >= _MIN_ORDERING_NAME and _has_verb(name)]
        message, shown = blanked(message, ordering), blanked(shown, ordering)
        earlier = [blanked(text, ordering) for text in earlier]
        self.message, self.now = message, now
        self._names = names
        self.is_foreign = languages.detect(message).code != languages.ENGLISH.code
        self.own = list(read_parts(message, now, names))
        self.sequence = tuple(self.own)
        self.continues = self._continues(is_answer)
        self.before: list[Part] = []
        self.reach = 0
        self._texts = [unforwarded(message)]
        if self.continues:
            for text in earlier[:MAX_CONTINUED]:
                parts = list(read_parts(text, now, names))
                self.before += parts
                self.reach += 1
                self._texts.append(unforwarded(text))
                if any(part.is_order for part in parts):
                    break
            if shown:
                self.before += read_parts(shown, now, names)
                self._texts.append(shown)

    def _continues(self, is_answer: bool) -> bool:
        if any(part.is_order for part in self.own if part.ask.act not in CONTINUING):
            first = self.own[0].ask.segment.act
            return first in CONTINUING
        acts = {part.ask.act for part in self.own}
        words = [token for part in self.own for token in part.ask.tokens if token.kind != "mark"]
        if acts <= _CLOSING:
            return False
        is_fragment = is_answer and len(words) <= _MAX_FRAGMENT_WORDS and not any(one.is_question for one in self.own)
        return bool(acts & CONTINUING) or is_fragment

    def without(self, parts: Sequence[Part]) -> "Said":
        """Return what was said but for some of the segments."""
        rest = Said.__new__(Said)
        kept = ("message", "now", "is_foreign", "continues", "sequence", "reach", "_names")
        rest.__dict__.update({name: self.__dict__[name] for name in kept})
        rest.own = [part for part in self.own if part not in parts]
        rest.before = [part for part in self.before if part not in parts]
        rest._texts = [blanked(text, [as_typed(part.ask.text, text) for part in parts]) for text in self._texts]
        return rest

    @cached_property
    def outer(self) -> "Said":
        """The words without the text that a note, a task or an email is to have: it orders nothing else."""
        place = self._content_start()
        if place is None:
            return self
        end = next((at for mark in _CONTENT_ENDS if (at := self.message.find(mark, place)) >= 0), len(self.message))
        text = self.message[:place] + " " * (end - place) + self.message[end:]
        rest = self.without([])
        rest.message, rest._texts = text, [text, *self._texts[1:]]
        rest.own = list(read_parts(text, self.now, self._names))
        rest.sequence = tuple(rest.own)
        return rest

    def _content_start(self) -> int | None:
        opening = next((part for part in self.own if part.is_order), None)
        if opening is None or not opening.orders(CONTENT_ACTS):
            return None
        if opening.verb_acts and not opening.verb_acts & CONTENT_ACTS:
            # "Change the call with Ann: outcome wants a boat" changes a field, whatever else it may be read as.
            return None
        begin = max(0, self.message.find(opening.ask.text))
        lowered = self.message.lower()
        places = [at + len(mark) for mark in _CONTENT_MARKS if (at := lowered.find(mark, begin)) >= 0]
        return min(places, default=None)

    @cached_property
    def excluded(self) -> tuple[str, ...]:
        """The names of those whom the user excepts or compares with: "all but Ann", "the same as Ann"."""
        found = []
        for part in self.parts:
            for span in part.ask.segment.spans:
                at = part.ask.text.find(span.text) if span.tag in ("name", "new", "org") else -1
                before = [token.word for token in tokenize(part.ask.text[: max(at, 0)]) if token.kind != "mark"]
                while before and before[-1] in _BETWEEN_EXCEPTED and before[-1] not in _EXCEPTING:
                    before.pop()
                is_owner = part.ask.text[span.end : span.end + 2] in ("'s", "’s")
                if before and _excepts(before, is_owner=is_owner):
                    found.append(span.text)
        return tuple(found)

    @property
    def messages(self) -> tuple[str, ...]:
        """The user's messages, the earliest first."""
        return tuple(reversed(self._texts))

    @property
    def parts(self) -> list[Part]:
        return [*self.own, *self.before]

    def ordering(self, acts: Iterable[str], least: float = MIN_ORDER) -> list[Part]:
        """Return the segments that order one of the acts, with a probability of at least `least`."""
        wanted = frozenset(acts)
        return [part for part in self.parts if part.orders(wanted, least)]

    @cached_property
    def denial(self) -> str:
        """The reason why the message orders nothing though it names an act, if one of its segments does so."""
        return next((part.denial for part in self.own if part.denial), "")

    @cached_property
    def kinds(self) -> frozenset[str]:
        """The kinds of records said."""
        return frozenset(kind for token in self.tokens if (kind := lexicon.kind_named(token)))

    @property
    def may_deny(self) -> bool:
        """True if the message has a word of denial of another language."""
        words = {token.word for token in tokenize(self.message) if token.text != "NE"}
        denials = _FOREIGN_DENIALS if self.is_foreign else _FOREIGN_DENIALS - _ENGLISH_WORDS
        return bool(words & denials) or any(sign in self.message for sign in _DENYING_SIGNS)

    @cached_property
    def is_plural(self) -> bool:
        """True if it speaks of several: "each of them", "the first two", "all my warm leads"."""
        own = [token for part in self.parts for token in part.ask.tokens]
        is_counted = any((part.ask.count or 0) > 1 for part in self.parts)
        names_several = any(lexicon.kind_named(token) and token.word.endswith("s") for token in own)
        return is_counted or names_several or any(token.word in lexicon.PLURAL for token in own)

    @property
    def is_correction(self) -> bool:
        """True if it corrects what was ordered before: "make that 4pm"."""
        return self.continues and any(part.ask.act == "correct" for part in self.own)

    @property
    def wishes_less(self) -> bool:
        """True if it asks for something not to be done from now on: "no more emails to her", "never call Jack"."""
        shares = [sum(part.shares.get(act, 0.0) for act in _WISHES) for part in self.own]
        return not self.ends_as_question and any(share >= _MIN_LESS for share in shares)

    @property
    def ends_as_question(self) -> bool:
        """True if it ends as a question."""
        return ends_in_question(self.message)

    @property
    def is_question(self) -> bool:
        """True if the message was understood, and orders no change."""
        return bool(self.own) and not self.is_foreign and all(part.is_question for part in self.own)

    @cached_property
    def texts(self) -> tuple[str, ...]:
        """The user's messages, without what they deny or imagine."""
        dropped = [part.ask.text for part in self.parts if part.denial]
        dropped += [piece for part in self.parts if not part.denial for piece in part.asides]
        kept = []
        for text in self._texts:
            kept.append(blanked(text, (as_typed(one, text) for one in dropped)))
        return tuple(kept)

    @cached_property
    def tokens(self) -> tuple[Token, ...]:
        return tuple(token for text in self.texts for token in tokenize(text))

    @cached_property
    def stems(self) -> frozenset[str]:
        """The stems and normal forms of all words said."""
        forms = {form for token in self.tokens for form in (token.stem, token.word, *_pieces(token.word))}
        return frozenset(forms)

    @cached_property
    def flat(self) -> str:
        """The texts in lower case without blanks and punctuation: addresses and numbers in any spelling."""
        return "\n".join(flat(text) for text in self.texts)

    @cached_property
    def times(self) -> tuple[TimeSpan, ...]:
        """The times said: those of each segment as it corrects itself, and those of the whole texts."""
        spans = [span for part in self.parts if not part.denial for span in part.ask.times]
        for text in self.texts:
            plain, _ = plain_text(tokenize(text))
            found = find_times(plain, self.now)
            spans += [span for span in found if span not in spans]
        return tuple(spans)

    @cached_property
    def numbers(self) -> frozenset[float]:
        """The amounts, counts, lengths in minutes and plain numbers said."""
        found: set[float] = set()
        for text in self.texts:
            plain, _ = plain_text(tokenize(text))
            found |= {amount.value for amount in find_amounts(plain)}
            found |= {float(minutes) for _, _, minutes in find_durations(plain)}
        found |= {float(span.minutes) for span in self.times if span.minutes}
        exact = (span.exact for span in self.times if span.exact is not None)
        found |= {round((moment - self.now).total_seconds() / 60, 2) for moment in exact}
        for token in self.tokens:
            if (
                token.kind == "number"
                and (digits := token.word.strip("$€£%").replace(",", "")).replace(".", "", 1).isdigit()
            ):
                found.add(float(digits))
            elif token.word in lexicon.NUMBERS:
                found.add(float(lexicon.NUMBERS[token.word]))
        return frozenset(found)

    @cached_property
    def steps(self) -> frozenset[float]:
        """The numbers by which something is to change, and that are no value themselves: "raise it by 5"."""
        by = [_after_by(text) for text in self.texts]
        return frozenset(number for numbers in by for number in numbers)

    @cached_property
    def values(self) -> frozenset[str]:
        """The enumerated values and types of activities said."""
        said = " ".join(token.word for token in self.tokens)
        types = {
            kind
            for token in self.tokens
            for form in (token.word, token.stem)
            if (kind := lexicon.activity_type_of(form))
        }
        return frozenset((*lexicon.values_in(said), *types))

    @cached_property
    def names(self) -> tuple[str, ...]:
        """The names said, of the segments that deny nothing: those of main clauses, or the others if there are none."""
        parts = [part for part in self.parts if not part.denial]
        # "Calls for Jack and Lars": a first name in an order that hands nothing over may be any record's.
        named = [(part, span) for part in parts for span in (*part.names, *_owners(part))]
        main = tuple(span.text for part, span in named if span.start not in part.subordinate)
        return main or tuple(span.text for _, span in named)

    @cached_property
    def passing(self) -> tuple[str, ...]:
        """The names said in passing: "Ann, who works with Bo", "because Bo has left"."""
        parts = [part for part in self.parts if not part.denial]
        named = [span.text for part in parts for span in part.names if span.start in part.subordinate]
        return tuple(text for text in named if text not in self.names)


def _owners(part: Part) -> list[Span]:
    return [one for one in part.ask.segment.spans if one.tag == "owner" and part.ask.act in CONTENT_ACTS]


def _after_by(text: str) -> Iterator[float]:
    plain, _ = plain_text(tokenize(text))
    for amount in find_amounts(plain):
        before = plain[: amount.start].split()
        if before and before[-1] == "by" and len(find_amounts(plain)) == 1:
            yield amount.value


def scopes(said: Said, acts: Iterable[str]) -> list[Said]:
    """Return the orders of some acts one by one, each without what is said of others.

    "Set Ann to lost and show me Bo" orders nothing of Bo, "Ann to lost, Bo to warm" not that Bo is lost.
    """
    wanted = frozenset(acts)
    found: dict[frozenset[int], Said] = {}
    for part in said.parts:
        if not (part.orders(wanted) or part.is_imperative or wanted & part.verb_acts):
            continue
        own = named_in(part.ask)
        others = [
            other
            for other in said.parts
            if own and (named := named_in(other.ask)) and not named & own and _stands_alone(other)
        ]
        key = frozenset(map(id, others))
        if key not in found:
            found[key] = said.without(others) if others else said
    return list(found.values()) or [said]


def _stands_alone(part: Part) -> bool:
    """Return whether a segment is an order or a question of its own; "company is Lotus Tea" goes with another."""
    words = [token.word for token in part.ask.tokens]
    is_field = len(words) > 1 and bool(lexicon.fields_in(words[0])) and (words[1] in COPULAS or words[1] in ":=")
    return (part.is_order or part.is_question) and not is_field


def _excepts(before: Sequence[str], *, is_owner: bool) -> bool:
    """Return whether words before a name except or compare: "all but", "the same as", and not "I'd like"."""
    if before[-1] == "like" and set(before[-2:-1]) & {"i'd", "we'd", "would", "i", "we", "you'd"}:
        return False
    if before[-1] == "as" and is_owner and not {"same", "such", "as", "just"} & set(before[-5:-1]):
        # "I want 71 as Ann's score."
        return False
    return before[-1] in _EXCEPTING or " ".join(before[-2:]) in _EXCEPTING


def blanked(text: str, pieces: Iterable[str]) -> str:
    """Return a text with blanks in place of some pieces of it."""
    for piece in pieces:
        at = text.lower().find(piece.lower()) if piece.strip() else -1
        while at >= 0:
            text = text[:at] + " " * len(piece) + text[at + len(piece) :]
            at = text.lower().find(piece.lower())
    return text


def _has_verb(name: str) -> bool:
    return any(is_verb(token.word) for token in tokenize(name))


def _pieces(word: str) -> Iterator[str]:
    if "-" in word or "/" in word or "'" in word:
        yield from (piece for piece in _WORD.findall(word))
