"""Find the words of an ask that choose one of several records: "the smaller one of those", "the other deal"."""

from collections.abc import Sequence
from datetime import datetime
from itertools import pairwise, takewhile

from msgspec import Struct
from msgspec.structs import replace

from aisha.domain.language import lexicon
from aisha.domain.language.acts import NAME_TAGS, WRITES
from aisha.domain.language.ask import Ask
from aisha.domain.language.lexicon import KINDS, placed_in, word_set
from aisha.domain.language.marks import time_tokens
from aisha.domain.language.reader import Segment, Span
from aisha.domain.language.tokens import Token, tokenize

MAX_WORDS = 5
"""Words of a noun phrase, and of what follows "the one"."""
_VERBS = frozenset("can could may might must should will would stay stays remain remains wait waits goes".split())
_POSSESSIVES = frozenset("their its".split())
_BEFORE_NOUNS = frozenset("and so then what about how".split())
_SAME = frozenset("same said".split())
# Orders that are more often of a time or of news: "what's the latest", "at the earliest".
_OF_TIMES = frozenset("latest earliest soonest".split())
_DENIALS = frozenset("not except than without besides".split())
_OPENINGS, _OTHER, _QUANTIFIERS, _CLAUSE_OPENINGS, _GROUPS, _BEFORE_GROUPS = (
    word_set("choosing", key) for key in ("openings", "other", "quantifiers", "clauses", "groups", "before_groups")
)
_SMALL = lexicon.LINK_WORDS | lexicon.PERSON_PRONOUNS | lexicon.THING_PRONOUNS | lexicon.QUESTION_STARTS
_ENDS = (_SMALL | _VERBS | lexicon.STATING_VERBS | {"and", "or", "but", "not", "who", "which"}) - {
    "best",
    "good",
    "number",
}
"""Words that end a noun phrase."""
_NUMBER_SIGNS = frozenset("# number nr".split())
_BEFORE_PLACES = frozenset("on about with of does is did has".split())
_BEFORE_ORDINALS = frozenset("of and about with is does has".split())
_AFTER_PLACES = lexicon.LINK_WORDS | frozenset("by do does please then also is".split())
_MAX_DIGITS = 2
_ORDINAL_WORDS = {place: word for word, place in reversed(tuple(lexicon.ORDINALS.items()))}
_PERSONS = frozenset("guy lady man woman dude chap fellow gal bloke".split())
_VALUES = frozenset(("value",))
_WORDED = NAME_TAGS | {"value", "ref"}
VERBATIM = frozenset("text topic email phone url custom".split())


class Choice(Struct, frozen=True):
    """The description of the one record that an ask means among others. `start` and `end` are those of its words.

    `words` describe the record, `orders` tell by what it comes first, `place` is its number in the list. `noun` is the
    kind of record or the type of activity named; `is_named` is True if a slot for a name is among the words.
    """

    start: int
    end: int
    words: tuple[str, ...] = ()
    orders: tuple[str, ...] = ()
    place: int = 0
    is_other: bool = False
    noun: str = ""
    is_named: bool = False
    is_of_account: bool = False
    """True for one of what belongs to the account spoken of: "the rollout of the same client"."""


def choice_in(ask: Ask) -> Choice | None:
    """Return the first choice that an ask makes, or None: "that one" and "the client" choose nothing."""
    verbatim = [span for span in ask.segment.spans if span.tag in VERBATIM]
    tokens = [one for one in ask.tokens if not any(span.start <= one.start < span.end for span in verbatim)]
    is_time = time_tokens(tokens, ask.now)
    for at, token in enumerate(tokens):
        if token.word == "whichever" and (orders := list(placed_in(tokens[at + 1 : at + MAX_WORDS], "orders"))):
            key, _, end = orders[0]
            return Choice(token.start, tokens[at + end].end, orders=(key,))
        is_owned = token.word in _POSSESSIVES
        has_article = token.word in lexicon.POINTING or is_owned
        is_opening = at == 0 or tokens[at - 1].kind == "mark" or tokens[at - 1].word in _OPENINGS
        rest = tokens[at + has_article :]
        is_possible = bool(rest) and not is_time[at + has_article] and rest[0].word not in _QUANTIFIERS
        is_possible = is_possible and not (at and tokens[at - 1].word in _DENIALS)
        if is_possible and (has_article or is_opening):
            choice = _choice(ask, token.start, rest, has_article=has_article)
            is_contact = choice is not None and choice.noun == "contact" and choice.place > 0
            if choice is not None and (choice.is_other or is_contact or not is_owned):
                return replace(choice, is_of_account=is_owned or choice.is_of_account)
    return None


def bare_description(ask: Ask) -> Segment | None:
    """Return the noun phrase that is all that is said: "and the field service?"; None for a kind, or where more is."""
    tokens = [one for one in ask.tokens if one.kind != "mark" and one.word not in _BEFORE_NOUNS]
    is_bare = len(tokens) > 1 and tokens[0].word in lexicon.POINTING | _POSSESSIVES and not ask.segment.spans
    rest = tokens[1:] if is_bare and all(one.kind == "word" for one in tokens) else []
    if not rest or any(lexicon.kind_named(one) or lexicon.values_in(one.word) for one in rest):
        return None
    text = ask.text[tokens[0].start : rest[-1].end]
    return Segment(text, ask.act, spans=(Span("ref", text, 0),))


def with_places(message: str, size: int, now: datetime, *, has_days: bool = False) -> str:
    """Return a message with the bare numbers of items of a list as "the second one": "note on 2", "phone of the 4th".

    `size` is the number of items. "Call 2 leads", "at 2" and "set it to 2" number none, nor does "the 4th" where the
    ask before `has_days`.
    """
    tokens = tokenize(message)
    is_time = time_tokens(tokens, now)
    cuts = list[tuple[int, int, str]]()
    for at, token in enumerate(tokens):
        place = int(token.text) if token.text.isdecimal() and len(token.text) <= _MAX_DIGITS else 0
        if not has_days and _is_place(tokens, at):
            cuts.append((token.start, token.end, f"{_ORDINAL_WORDS[lexicon.ORDINALS[token.word]]} one"))
        if not (0 < place <= min(size, lexicon.MAX_PLACE) and place in _ORDINAL_WORDS) or is_time[at]:
            continue
        before, after = tokens[at - 1] if at else None, tokens[at + 1] if at + 1 < len(tokens) else None
        is_marked = before is not None and before.word in _NUMBER_SIGNS
        is_object = before is not None and (
            before.word in _BEFORE_PLACES or (at == 1 and before.word in lexicon.ORDER_VERBS)
        )
        is_free = after is None or is_time[at + 1] or after.word in _AFTER_PLACES or after.kind == "mark"
        if is_free and (is_marked or is_object):
            start = before.start if is_marked and before else token.start
            cuts.append((start, token.end, f"the {_ORDINAL_WORDS[place]} one"))
    for start, end, words in reversed(cuts):
        message = message[:start] + words + message[end:].removeprefix(")")
    return message


def _is_place(tokens: Sequence[Token], at: int) -> bool:
    """Return whether a number such as "4th" can be a place of a list, and is no day: "phone of the 4th"."""
    is_number = tokens[at].word[0].isdigit() and tokens[at].word in lexicon.ORDINALS
    before = [one.word for one in tokens[max(at - 2, 0) : at]]
    is_last = all(one.kind == "mark" for one in tokens[at + 1 :])
    return is_number and is_last and before[-1:] == ["the"] and ({*before[:-1]} <= _BEFORE_ORDINALS)


class _Phrase(Struct, frozen=True):
    """A noun phrase: the words before its noun, those after "the one", and the number of words that say the group."""

    modifiers: Sequence[Token]
    noun: str
    clause: Sequence[Token]
    tail: Sequence[Token]
    last: Token
    """The noun, or the last modifier."""

    @property
    def told(self) -> Sequence[Token]:
        return [*self.modifiers, *self.clause]

    @property
    def orders(self) -> list[tuple[str, int, int]]:
        return [found for table in ("orders", "sizes") for found in placed_in(self.told, table)]

    @property
    def end(self) -> int:
        return [self.last, *self.clause, *self.tail][-1].end


def _phrase_of(tokens: Sequence[Token]) -> _Phrase | None:
    """Return the noun phrase at the beginning of tokens; its noun is "one", a kind of record, or none."""
    phrase = list(takewhile(_goes_on, tokens[:MAX_WORDS]))
    nouns = _PERSONS | {"one"}  # "The other chap", "the IT guy"
    ones = [at for at, one in enumerate(phrase) if one.word in nouns or _lacks_apostrophe(one, tokens[at + 1 : at + 2])]
    ones = [at for at in ones if at == 0 or phrase[at - 1].word != "number"]
    phrase = phrase[: ones[0] + 1] if ones else phrase
    if not phrase:
        return None
    noun = "one" if ones else _noun(phrase[-1])
    modifiers, after = phrase[:-1] if noun else phrase, tokens[len(phrase) :]
    clause = _clause_after(after) if noun == "one" and not modifiers else []
    return _Phrase(modifiers, noun, clause, after[: group_after(after)], phrase[-1])


def _goes_on(token: Token) -> bool:
    """Return whether a token may be a part of a noun phrase."""
    return token.kind in ("word", "number") and (token.word not in _ENDS or _is_acronym(token))


def _is_acronym(token: Token) -> bool:
    """Return whether a word is no small one, since it is in capitals: "the IT one"."""
    return token.text.isupper() and len(token.text) > 1


def _choice(ask: Ask, start: int, tokens: Sequence[Token], *, has_article: bool) -> Choice | None:
    """Return the choice that the noun phrase at the beginning of tokens makes."""
    phrase = _phrase_of(tokens)
    if phrase is not None and ask.act in WRITES and any(_is_in(ask, one, _VALUES) for one in phrase.clause):
        # "Put this one on qualified": the words are its new value.
        phrase = replace(phrase, clause=()) if ask.text[start:].lower().startswith("this") else phrase
    if phrase is None or _is_of_several(phrase) or _is_sorting(phrase, tokens):
        return None
    orders, places, told = phrase.orders, _places(phrase.modifiers), phrase.told
    is_other = any(one.word in _OTHER for one in phrase.modifiers)
    special = {one.start for _, first, last in orders for one in told[first:last]} | {
        one.start
        for before, one in pairwise((None, *phrase.modifiers))
        if one and (one.word in _OTHER | {"number", "top"} or _place_of(one) or (before and before.word == "number"))
    }
    words = [] if phrase.clause and orders else [one for one in told if one.start not in special]
    named = [one for one in words if _is_in(ask, one, _WORDED)]
    is_told = bool(is_other or places or orders)
    if phrase.last.word in _PERSONS and named:
        return None  # "The Emeka guy" is a name.
    if phrase.noun == "one":
        is_choice = bool(words or is_told) and (has_article or is_told)
    elif phrase.tail and has_article:
        is_choice = bool(words or is_told or phrase.noun)
        words += [phrase.last] if phrase.noun and not phrase.modifiers else []
    else:
        is_complete = bool(phrase.noun or is_other or places or _is_comparative(ask, phrase))
        is_choice = is_told and (has_article or _is_number(phrase)) and is_complete and words == named
    if not is_choice:
        return None
    return Choice(
        start,
        phrase.end,
        tuple(one.word for one in words if one.word not in _SMALL or _is_acronym(one)),
        tuple(key for key, _, _ in orders),
        next(iter(places), 0),
        is_other,
        "" if phrase.noun == "one" else phrase.noun,
        any(_is_in(ask, one, NAME_TAGS) for one in words),
        bool(phrase.tail) and lexicon.kind_named(phrase.tail[-1]) == "account",
    )


def _is_comparative(ask: Ask, phrase: _Phrase) -> bool:
    """Return whether a phrase ends with the form of an order: "the smaller", "the biggest", not "the best number"."""
    ordering = {one.start for _, first, last in phrase.orders for one in phrase.told[first:last]}
    # "And the smallest?" ranks again.
    endings = ("er", "est") if ask.act in WRITES | {"choose"} else ("er",)
    last = phrase.last
    return last.start in ordering and last.word.endswith(endings) and last.word not in _OF_TIMES


def _is_sorting(phrase: _Phrase, tokens: Sequence[Token]) -> bool:
    """Return whether a phrase only says in which order a list is wanted: "the larger one first"."""
    after = [one for one in tokens if one.start >= phrase.end][:2]
    return bool(after) and after[0].word == "first" and all(one.kind == "mark" for one in after[1:])


def _is_of_several(phrase: _Phrase) -> bool:
    """Return whether a phrase means several records: "the first two", "the biggest deals"."""
    numbers = [lexicon.number_in(one.word) for one in (*phrase.modifiers, phrase.last) if one.word != "one"]
    is_plural = phrase.noun not in ("", "one") and phrase.last.word.endswith("s")
    return is_plural or (any(one for one in numbers) and not _is_number(phrase))


def _is_number(phrase: _Phrase) -> bool:
    """Return whether a phrase is a mere number: "number two"."""
    return bool(phrase.modifiers) and phrase.modifiers[0].word == "number"


def _lacks_apostrophe(token: Token, after: Sequence[Token]) -> bool:
    """Return whether a word is "one's": "second ones number"."""
    return token.word == "ones" and any(lexicon.fields_in(one.word) for one in after)


def _noun(token: Token) -> str:
    """Return the kind of record or the type of activity that a word names; empty for any other word."""
    kind = lexicon.kind_named(token)
    return kind if kind in (*KINDS, "activity") else lexicon.activity_type_of(token.word) or ""


def _places(tokens: Sequence[Token]) -> list[int]:
    """Return the places in a list that words say: "second", "number two", "top"."""
    numbers = [
        number
        for one, two in pairwise(tokens)
        if one.word == "number" and (number := lexicon.number_in(two.word)) is not None
    ]
    return numbers or [place for one in tokens if (place := 1 if one.word == "top" else _place_of(one))]


def _place_of(token: Token) -> int:
    return lexicon.ORDINALS.get(token.word, 0)


def group_after(tokens: Sequence[Token]) -> int:
    """Return the number of words that say among which records: "of those", "in that bunch", "of the two"."""
    words = [one.word for one in tokens[:4]]
    if not words or words[0] not in _BEFORE_GROUPS:
        return 0
    at = 1
    while at < len(words) and words[at] in lexicon.POINTING | _SAME | {"my", "your"}:
        at += 1
    if at == len(words):
        return 0
    is_account = words[at - 1] in _SAME | {"that", "this"} and lexicon.kind_of(words[at]) == "account"
    # "The close date on that one" is of one record.
    is_number = words[at] in lexicon.NUMBERS and words[at] != "one"
    return at + 1 if is_account or words[at] in _GROUPS or is_number else 0


def _clause_after(tokens: Sequence[Token]) -> list[Token]:
    """Return the words after "the one" that describe it: "in Boston", "at Globex"."""
    if not tokens or tokens[0].word not in _CLAUSE_OPENINGS:
        return []
    ends = _ENDS - lexicon.POINTING
    rest = takewhile(lambda one: one.kind in ("word", "number") and one.word not in ends, tokens[1:MAX_WORDS])
    return [tokens[0], *rest]


def _is_in(ask: Ask, token: Token, tags: frozenset[str]) -> bool:
    return any(span.tag in tags and span.start <= token.start < span.end for span in ask.segment.spans)
