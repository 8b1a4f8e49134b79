"""Judge whether the words of a text in a call are the user's."""

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from functools import cached_property
from typing import Any

from aisha.application.orders.matching.moments import moment_in
from aisha.application.orders.matching.polarity import FUNCTION_WORDS, is_negation, is_polarity_kept, is_statement_kept
from aisha.application.orders.matching.times import TimeCheck
from aisha.application.orders.reading.literals import is_whole_in
from aisha.application.orders.reading.utterance import Utterance
from aisha.application.orders.reading.utterance_segment import UtteranceSegment
from aisha.domain.language import lexicon, vocabulary
from aisha.domain.language.acts import ADDRESS_TAGS
from aisha.domain.language.amounts import find_amounts
from aisha.domain.language.tokens import Token, tokenize

MAX_STRICT_WORDS = 3
"""Words of a text that must all have been said; of longer ones some may be a model's own."""
OFF_WORDS = frozenset("not no never false off".split())
_MAX_ADDED_WORD_SHARE = 0.25
_MIN_CONTENT_WORD = 3
_SCHEME = re.compile(r"\bhttps?://(?:www\.)?|\bwww\.", re.IGNORECASE)
_ADDRESS_MARKS = ".-+_/'?#&=%:~"
"""Marks within an address."""
_SINGLE_LETTERS = frozenset("aims")
"""Words of one letter, and what an apostrophe leaves."""
_FILLER_WORDS = frozenset(
    "regarding re via per about with for the and of in on at to from by an as is are be will has have had was were "
    "he she his her they their it its them this that we our us i my me you your after before during then also".split()
)


def has_content_word(arguments: Mapping[str, Any], stems: Collection[str]) -> bool:
    """Return whether a text of a call has one of the user's words, as `stems`, that is no mere filler."""
    texts = [value for value in arguments.values() if isinstance(value, str)]
    words = {token.stem for text in texts for token in tokenize(text) if token.word not in _FILLER_WORDS}
    return any(len(word) >= _MIN_CONTENT_WORD and word in stems for word in words)


def _fields_of_address(segment: UtteranceSegment, address: str) -> Iterator[str]:
    """Yield the words for a field that an address may have: those before it or after it that have no other value."""
    place = segment.ask.text.find(address)
    values = [one.start for one in segment.spans if one.tag in ("value", "amount", "when", "count", *ADDRESS_TAGS)]
    for span in segment.spans:
        if span.tag == "field" and place >= 0:
            following = min((start for start in values if start >= span.end), default=None)
            is_of_other = following is not None and not place <= following < place + len(address)
            if not is_of_other:
                yield span.text


class TextCheck:
    """A check of the texts of one call. `acts` order it, `name_stems` are the stems of the names of its records."""

    def __init__(self, utterance: Utterance, acts: Sequence[str], name_stems: frozenset[str], times: TimeCheck) -> None:
        self._utterance, self._acts, self._name_stems, self._times = utterance, acts, name_stems, times

    def is_number_stated(self, value: float) -> bool:
        """Return whether the user said a number, and not as one by which another is to change."""
        numbers = self._utterance.numbers - self._utterance.increments
        return any(abs(value - stated) <= 1e-9 * max(1.0, abs(value)) for stated in numbers)

    def is_denial_kept(self, text: str) -> bool:
        """Return whether a text denies nothing that the user did not deny, and drops no denial: "do not pay Bob"."""
        return is_polarity_kept(tokenize(text), self._message_tokens)

    def is_statement_kept(self, text: str) -> bool:
        """Return whether a statement drops no doubt of the user's, and says of nobody what was said of another."""
        return is_statement_kept(tokenize(text), self._message_tokens)

    @cached_property
    def _message_tokens(self) -> Sequence[Token]:
        """The tokens of the user's messages as they were typed, also of what they deny."""
        messages = dict.fromkeys((self._utterance.message, *self._utterance.messages))
        return tokenize("\n.\n".join(messages))

    def are_words_stated(
        self, text: str, *, is_free: bool, may_add: bool = True, title_words: Collection[str] = ()
    ) -> bool:
        """Return whether the words of a text are the user's, but for those that any such order has.

        With `may_add`, a free text may have a few plain words more.
        """
        tokens = [token for token in tokenize(text) if token.kind != "mark"]
        if not tokens:
            return any(text.strip() in stated_text for stated_text in self._utterance.texts)
        if not self.is_denial_kept(text):
            return False
        added_words: list[str] = []
        for token in tokens:
            if token.kind in ADDRESS_TAGS:
                if not self.is_address_stated(token.text):
                    return False
            elif token.kind == "number" or any(one.isdecimal() for one in token.word):
                if not self._is_literal_stated(token):
                    return False
            elif not self._is_word_stated(token, title_words, is_free=is_free):
                added_words.append(token.word)
        if not added_words:
            return True
        if not (is_free and may_add) or len(tokens) <= MAX_STRICT_WORDS or any(len(word) == 1 for word in added_words):
            return False
        # Names and numbers are never a model's to choose.
        is_plain = all(one.text.islower() or place == 0 for place, one in enumerate(tokens) if one.word in added_words)
        return is_plain and len(added_words) <= _MAX_ADDED_WORD_SHARE * len(tokens)

    @cached_property
    def _aside_stems(self) -> frozenset[str]:
        """The stems of what orders no value, and that a text may tell all the same: "he isn't ready"."""
        pieces = (piece for one in self._utterance.segments if not one.denial for piece in one.asides)
        return frozenset(token.stem for piece in pieces for token in tokenize(piece))

    def is_address_stated(self, address: str) -> bool:
        """Return whether an address stands in the user's texts as a whole, with or without its scheme."""
        bare = _SCHEME.sub("", address)
        # "Her assistant is on 555 0123": that number is not hers.
        fields = [text for one in self._utterance.segments for text in _fields_of_address(one, bare)]
        if any(not (lexicon.fields_in(text) or lexicon.kind_of(text.lower())) for text in fields):
            return False
        return any(is_whole_in(bare, _SCHEME.sub("", text), joiners=_ADDRESS_MARKS) for text in self._utterance.texts)

    def _is_literal_stated(self, token: Token) -> bool:
        """Return whether the user said a number or a code of a text, or the time or amount that it stands for."""
        if token.word in self._utterance.stems or any(is_whole_in(token.text, text) for text in self._utterance.texts):
            return True
        moment = moment_in(token.text, self._utterance.now)
        if moment is not None and self._utterance.times:
            return self._times.is_stated(moment)
        amounts = find_amounts(token.text)
        return bool(amounts) and all(self.is_number_stated(amount.value) for amount in amounts)

    def _is_word_stated(self, token: Token, title_words: Collection[str], *, is_free: bool) -> bool:
        """Return whether the user said a word of a text, up to a slip, or any text of its kind may have it."""
        forms = {token.stem, token.word}
        if forms & self._utterance.stems or forms & set(title_words) or token.stem in self._name_stems:
            return True
        if token.word in _SINGLE_LETTERS or token.word in _FILLER_WORDS:
            return True
        if is_free and token.stem in self._aside_stems:
            return True
        if is_free and (token.word in FUNCTION_WORDS or is_negation(token.word)):
            # What they deny is judged by itself: see `is_denial_kept`.
            return True
        if is_free and any(vocabulary.explains(act, token.stem) for act in self._acts):
            return True
        activity_type = lexicon.activity_type_of(token.word) or lexicon.activity_type_of(token.stem)
        return activity_type in self._utterance.values or lexicon.kind_of(token.stem) in self._utterance.kinds
