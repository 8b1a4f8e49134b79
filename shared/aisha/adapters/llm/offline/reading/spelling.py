"""Correct chat spelling and typos, and remove courtesies."""

import re
from collections.abc import Container, Iterable
from functools import lru_cache
from importlib.resources import files

from rapidfuzz import process
from rapidfuzz.distance import OSA

from aisha.adapters.llm.offline.reading.lexicon import ACTIVITY_WORDS, CONCEPTS, ENUM_WORDS, FILLERS, SLANG, STOPWORDS
from aisha.adapters.llm.offline.reading.patterns import pattern
from aisha.adapters.llm.offline.reading.tokens import stem

_VOCABULARY = sorted(
    {
        word
        for phrases in (*CONCEPTS.values(), *ACTIVITY_WORDS.values(), *ENUM_WORDS.values())
        for phrase in phrases
        for word in phrase.lower().split()
        if len(word) >= 5
    }
)
_REQUEST_TAG = pattern(
    r"[\s,;.]+(?:can|could|would|will) you (?:please )?(?:set|put|book|sort|arrange|schedule|do|make|add|organi[sz]e)"
    r" (?:that|it|this)(?: (?:up|in|out|for me))*(?: please)?[\s?!.]*$"
)
# "could you please", "is it possible to", "I need you to".
_POLITE_REQUEST = pattern(
    r"^(?:can|could|will|would) (?:you|we)"
    r" (?:(?:be so kind (?:as to|and)|be able to|kindly|please|just|quickly|maybe|possibly|like)[\s,]+)*"
    r"|^why (?:don't|dont|do not) (?:you|we) |^(?:is|would|might) it (?:be )?possible (?:for you )?(?:to|that you) "
    r"|^(?:is there )?any (?:chance|way) (?:that )?(?:you|we) (?:can|could|would) |^do you think you (?:can|could) "
    r"|^would you be able to |^(?:would|do) you mind (?=\w+ing\b)|^(?:i'd|i would) like you to "
    r"|^i (?:need|want) you to "
)
# Candidates for `_with_vowels`: three consonants, or four to nine letters; no parts of addresses, handles or hyphens.
_NO_VOWELS = re.compile(r"(?<![\w'’@./-])(?:[bcdfghjklmnpqrstvwxz]{3}|[a-z]{4,9})(?![\w'’@/-]|\.\w)")
# "hiii", "pleaseee": a last letter that is repeated.
_LENGTHENED = pattern(r"(?<!\w)(?P<word>[a-z]+?(?P<last>[a-z]))(?P=last)+(?!\w)")
_OFTEN_LENGTHENED = frozenset("hi hey hello heya yo bye yes yeah no please thanks so ok".split())
_FOUR_AS_FOR = pattern(
    r"(?P<before>\s)4(?= (?:top|the|my|our|her|him|them|these|those|each|all|me|us|every|both)\b)(?<!\btop\s4)"
    r"(?<!\bfirst\s4)(?<!\bbest\s4)(?<!\bat\s4)(?<!\bby\s4)(?<!\bto\s4)"
    r"|(?P<noun>\b(?:call|mtg|meeting|task|note|nte|demo|email|appt|follow-up|f/u)\s)4(?= [a-z]{3})"
    r"(?! (?:tom|tod|tmr|mon|tue|wed|thu|fri|days|wee))"
)
"""Recognises a 4 that stands for "for": "f/u call 4 top 3"."""
_OFTEN_SHORTENED = (
    "contact contacts account accounts activity activities deals leads tasks task notes schedule create update "
    "remind reminder convert cancel complete change delete remove mark meeting meetings details prospect prospects "
    "pipeline priority prioritize status score stage show list find call calls search email phone number demos "
    "overdue pending today tomorrow monday tuesday wednesday thursday friday should would could what when where "
    "which about from with this that them have want wants need some many more next week month morning speak send "
    "time good please thanks warm qualified contacted company customer customers opportunity opportunities"
).split()
"""Words people write without vowels; of two with the same consonants the first is meant."""
_VOWELS = re.compile("[aeiouy]")
_MIN_CORRECTED_LENGTH = 4
_BY_SORTED_LETTERS = {
    "".join(sorted(word)): word
    for word in (
        "with from about what when show call lead leads note notes deal deals next week today meet meeting "
        "task tasks find give tell make mark list schedule create"
    ).split()
}
"""Frequent words by their sorted letters, to correct two swapped letters."""


def strip_fillers(text: str) -> str:
    """Return the sentence without courtesies at its ends and polite request forms."""
    fillers = _filler_pattern()
    stripped = _REQUEST_TAG.sub("", text).strip().strip("!.").strip()
    # Courtesies are nested: "hi, so could you please just show me ...".
    for _ in range(6):
        plain = _POLITE_REQUEST.sub("", stripped, count=1)
        candidate = stripped.rstrip(" ?") if plain != stripped else stripped
        shorter = fillers.sub("", _POLITE_REQUEST.sub("", candidate, count=1), count=1).strip(" ,")
        if shorter == stripped or not shorter:
            break
        stripped = shorter
    return (
        pattern(
            r"[\s,]+(?:please|pls|plz|thanks|thank you|cheers|for me|mate|ok|okay|will you|would you|could you"
            r"|right now|asap|then|though)[\s!.?]*$"
        ).sub("", stripped)
        or text
    )


def is_polite_request(text: str) -> bool:
    """Return whether the sentence is a polite order such as "could you show me ..."."""
    return _POLITE_REQUEST.match(text.strip()) is not None


@lru_cache(maxsize=1)
def _filler_pattern() -> re.Pattern[str]:
    words = "|".join(re.escape(word) for word in sorted(FILLERS, key=len, reverse=True))
    return pattern(rf"^(?:{words})(?![\w'])[\s,!.:-]*")


def correct_spelling(text: str, known_stems_too: Container[str] = ()) -> str:
    """Expand chat spelling and correct one typo in long lower-case words ("shedule").

    `known_stems_too` are stems of further correct words.
    """

    def mend(match: re.Match[str]) -> str:
        word = match.group(0)
        # A word with a capital letter may be a name, and a short one is one edit away from too many others.
        if not word.islower() or len(word) < _MIN_CORRECTED_LENGTH:
            return word
        if (
            (swapped := _BY_SORTED_LETTERS.get("".join(sorted(word))))
            and OSA.distance(word, swapped) == 1
            and not is_word(word)
        ):
            return swapped
        if len(word) < 5 or is_word(word) or stem(word) in known_stems_too:
            return word
        nearest = process.extractOne(word, _VOCABULARY, scorer=OSA.distance, score_cutoff=1 if len(word) < 8 else 2)
        return str(nearest[0]) if nearest else word

    # Abbreviations first: "mtg" would not be recognised as a typo.
    expanded = _slang_pattern().sub(_expand_unless_name, text)
    return re.sub(r"[^\W\d_]+", mend, expanded)


def _undo_repetition(match: re.Match[str]) -> str:
    return match["word"] if match["word"].lower() in _OFTEN_LENGTHENED else match[0]


def expand_texting(text: str, known_stems_too: Container[str] = (), names: Iterable[str] = ()) -> str:
    """Expand phone spelling: words without vowels ("shw"), "4" for "for", drawn-out greetings.

    Words of the `names` stay as they are.
    """
    named = {word.lower() for name in names for word in name.split()}

    def spell(match: re.Match[str]) -> str:
        word = match.group(0)
        return word if word in named or stem(word) in known_stems_too or is_word(word) else _with_vowels(word)

    expanded = _FOUR_AS_FOR.sub(
        lambda match: f"{match['before'] or match['noun']}for", _LENGTHENED.sub(_undo_repetition, text)
    )
    return _NO_VOWELS.sub(spell, _slang_pattern().sub(_expand_slang, expanded))


def _expand_slang(match: re.Match[str]) -> str:
    return (SLANG[match[0]] or match[0]) if match[0].islower() or match[0] in SLANG else match[0]


@lru_cache(maxsize=1)
def _by_consonants() -> dict[str, list[str]]:
    words_by_consonants: dict[str, list[str]] = {}
    for word in _OFTEN_SHORTENED:
        words_by_consonants.setdefault(_VOWELS.sub("", word), []).append(word)
    return words_by_consonants


def _with_vowels(word: str) -> str:
    """Return the word that has all consonants of this one and at least its vowels: "updt" is "update"."""

    def holds(whole: str) -> bool:
        letters = iter(whole)
        return whole[0] == word[0] and len(whole) > len(word) and all(letter in letters for letter in word)

    return next((whole for whole in _by_consonants().get(_VOWELS.sub("", word), ()) if holds(whole)), word)


def _expand_unless_name(match: re.Match[str]) -> str:
    """Expand "mo" to "month", but keep a capitalised "Mo" inside the sentence, which is a name."""
    word = match.group(0)
    is_name = match.start() > 0 and word[0].isupper() and not word.isupper()
    return word if is_name else SLANG[word.lower()]


def is_word(word: str) -> bool:
    return word in _common_words() or stem(word) in _common_words() or stem(word) in known_stems()


@lru_cache(maxsize=1)
def _slang_pattern() -> re.Pattern[str]:
    words = "|".join(re.escape(word) for word in sorted(SLANG, key=len, reverse=True))
    return pattern(rf"(?<![\w'@./-])(?:{words})(?![\w'@/])")


@lru_cache(maxsize=1)
def known_stems() -> frozenset[str]:
    return frozenset(stem(word) for word in _VOCABULARY) | frozenset(stem(word) for word in STOPWORDS)


@lru_cache(maxsize=1)
def _common_words() -> frozenset[str]:
    text = files("aisha").joinpath("assets", "common_words.txt").read_text(encoding="utf-8")
    return frozenset(line for line in text.splitlines() if not line.startswith("#"))
