"""Chat spelling, typos and courtesies: a sentence as it was meant."""

import re
from collections.abc import Container, Iterable
from functools import lru_cache
from importlib.resources import files

from rapidfuzz import process
from rapidfuzz.distance import OSA

from aisha.adapters.llm.offline.lexicon import ACTIVITY_WORDS, CONCEPTS, ENUM_WORDS, FILLERS, SLANG, STOPWORDS
from aisha.adapters.llm.offline.tokens import stem

_SPELLED = sorted(
    {
        word
        for phrases in (*CONCEPTS.values(), *ACTIVITY_WORDS.values(), *ENUM_WORDS.values())
        for phrase in phrases
        for word in phrase.lower().split()
        if len(word) >= 5
    }
)


def without_fillers(text: str) -> str:
    """The sentence without its courtesies at the ends and "can you", "please" anywhere."""
    pattern = _filler_pattern()
    stripped = _SET_THAT_UP.sub("", text).strip().strip("!.").strip()
    for _ in range(6):
        polite = _POLITE.sub("", stripped, count=1)
        asked = stripped.rstrip(" ?") if polite != stripped else stripped
        shorter = pattern.sub("", _POLITE.sub("", asked, count=1), count=1).strip(" ,")
        if shorter == stripped or not shorter:
            break
        stripped = shorter
    return (
        re.sub(
            r"[\s,]+(?:please|pls|plz|thanks|thank you|cheers|for me|mate|ok|okay|will you|would you|could you|right now|asap|then|though)[\s!.?]*$",
            "",
            stripped,
            flags=re.IGNORECASE,
        )
        or text
    )


def is_polite(text: str) -> bool:
    """ "Could you show me ..?" asks for it to be done, not whether it can be."""
    return _POLITE.match(text.strip()) is not None


_SET_THAT_UP = re.compile(
    r"[\s,;.]+(?:can|could|would|will)\s+you\s+(?:please\s+)?(?:set|put|book|sort|arrange|schedule|do|make|add|organi[sz]e)\s+(?:that|it|this)(?:\s+(?:up|in|out|for\s+me))*(?:\s+please)?[\s?!.]*$",
    re.IGNORECASE,
)


_POLITE = re.compile(
    r"^(?:can|could|will|would)\s+(?:you|we)\s+(?:(?:be\s+so\s+kind\s+(?:as\s+to|and)|be\s+able\s+to|kindly|please|just|quickly|maybe|possibly|like)[\s,]+)*"
    r"|^why\s+(?:don't|dont|do\s+not)\s+(?:you|we)\s+|^(?:is|would|might)\s+it\s+(?:be\s+)?possible\s+(?:for\s+you\s+)?(?:to|that\s+you)\s+|^(?:is\s+there\s+)?any\s+(?:chance|way)\s+(?:that\s+)?(?:you|we)\s+(?:can|could|would)\s+"
    r"|^do\s+you\s+think\s+you\s+(?:can|could)\s+|^would\s+you\s+be\s+able\s+to\s+"
    r"|^(?:would|do)\s+you\s+mind\s+(?=\w+ing\b)|^(?:i'd|i\s+would)\s+like\s+you\s+to\s+|^i\s+(?:need|want)\s+you\s+to\s+",
    re.IGNORECASE,
)


@lru_cache(maxsize=1)
def _filler_pattern() -> re.Pattern[str]:
    words = "|".join(re.escape(word) for word in sorted(FILLERS, key=len, reverse=True))
    return re.compile(rf"^(?:{words})(?![\w'])[\s,!.:-]*", re.IGNORECASE)


def corrected(text: str, known: Container[str] = ()) -> str:
    """Writes chat spelling out, and mends one typo in long lower-case words of the planner's vocabulary ("shedule").

    `known` are stems of further words that are right as they are.
    """

    def mend(match: re.Match[str]) -> str:
        word = match.group(0)
        if not word.islower() or len(word) < _SHORTEST_MENDED:
            return word
        if (turned := _UNTURNED.get("".join(sorted(word)))) and OSA.distance(word, turned) == 1 and not is_word(word):
            return turned
        if len(word) < 5 or is_word(word) or stem(word) in known:
            return word
        found = process.extractOne(word, _SPELLED, scorer=OSA.distance, score_cutoff=1 if len(word) < 8 else 2)
        return str(found[0]) if found else word

    written_out = _slang_pattern().sub(_written_out, text)
    return re.sub(r"[^\W\d_]+", mend, written_out)


def _as_short(match: re.Match[str]) -> str:
    return match["word"] if match["word"].lower() in _OFTEN_DRAWN_OUT else match[0]


def texted(text: str, known: Container[str] = (), names: Iterable[str] = ()) -> str:
    """Writes out what is typed on a phone: words without their vowels ("shw"), "4" for "for", drawn-out greetings.

    Words of the `names` stay as they are.
    """
    named = {word.lower() for name in names for word in name.split()}

    def spell(match: re.Match[str]) -> str:
        word = match.group(0)
        return word if word in named or stem(word) in known or is_word(word) else _with_vowels(word)

    said = _FOR.sub(lambda match: f"{match['before'] or match['noun']}for", _DRAWN_OUT.sub(_as_short, text))
    return _NO_VOWELS.sub(spell, _slang_pattern().sub(_said_in_full, said))


def _said_in_full(match: re.Match[str]) -> str:
    return (SLANG[match[0]] or match[0]) if match[0].islower() or match[0] in SLANG else match[0]


_NO_VOWELS = re.compile(r"(?<![\w'’@./-])(?:[bcdfghjklmnpqrstvwxz]{3}|[a-z]{4,9})(?![\w'’@/-]|\.\w)")
_DRAWN_OUT = re.compile(r"(?<!\w)(?P<word>[a-z]+?(?P<last>[a-z]))(?P=last)+(?!\w)", re.IGNORECASE)
_OFTEN_DRAWN_OUT = frozenset("hi hey hello heya yo bye yes yeah no please thanks so ok".split())
_FOR = re.compile(
    r"(?P<before>\s)4(?=\s+(?:top|the|my|our|her|him|them|these|those|each|all|me|us|every|both)\b)(?<!\btop\s4)(?<!\bfirst\s4)(?<!\bbest\s4)(?<!\bat\s4)(?<!\bby\s4)(?<!\bto\s4)"
    r"|(?P<noun>\b(?:call|mtg|meeting|task|note|nte|demo|email|appt|follow-up|f/u)\s)4(?=\s+[a-z]{3})(?!\s+(?:tom|tod|tmr|mon|tue|wed|thu|fri|days|wee))",
    re.IGNORECASE,
)
"""A 4 that is no number: "f/u call 4 top 3"."""
_OFTEN_SHORTENED = (
    "contact contacts account accounts activity activities deals leads tasks task notes schedule create update remind reminder convert cancel complete "
    "change delete remove mark meeting meetings details prospect prospects pipeline priority prioritize status score stage show list find call calls "
    "search email phone number demos overdue pending today tomorrow monday tuesday wednesday thursday friday should would could what when where which "
    "about from with this that them have want wants need some many more next week month "
    "morning speak send time good please thanks warm qualified contacted company customer customers opportunity opportunities"
).split()
"""Of two with the same consonants the first one is meant."""
_VOWELS = re.compile("[aeiouy]")


@lru_cache(maxsize=1)
def _by_consonants() -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    for word in _OFTEN_SHORTENED:
        found.setdefault(_VOWELS.sub("", word), []).append(word)
    return found


def _with_vowels(word: str) -> str:
    """The word of which this one has all consonants and at most some of the vowels: "updt" is "update"."""

    def holds(whole: str) -> bool:
        letters = iter(whole)
        return whole[0] == word[0] and len(whole) > len(word) and all(letter in letters for letter in word)

    return next((whole for whole in _by_consonants().get(_VOWELS.sub("", word), ()) if holds(whole)), word)


def _written_out(match: re.Match[str]) -> str:
    """ "Mo" in the sentence is somebody, "mo" is a month."""
    word = match.group(0)
    is_name = match.start() > 0 and word[0].isupper() and not word.isupper()
    return word if is_name else SLANG[word.lower()]


_SHORTEST_MENDED = 4


_UNTURNED = {
    "".join(sorted(word)): word
    for word in [
        "with",
        "from",
        "about",
        "what",
        "when",
        "show",
        "call",
        "lead",
        "leads",
        "note",
        "notes",
        "deal",
        "deals",
        "next",
        "week",
        "today",
        "meet",
        "meeting",
        "task",
        "tasks",
        "find",
        "give",
        "tell",
        "make",
        "mark",
        "list",
        "schedule",
        "create",
    ]
}
"""Frequent words by their letters: two of these swapped are a slip of the fingers."""


def is_word(word: str) -> bool:
    return word in _common_words() or stem(word) in _common_words() or stem(word) in known_stems()


@lru_cache(maxsize=1)
def _slang_pattern() -> re.Pattern[str]:
    words = "|".join(re.escape(word) for word in sorted(SLANG, key=len, reverse=True))
    return re.compile(rf"(?<![\w'@./-])(?:{words})(?![\w'@/])", re.IGNORECASE)


@lru_cache(maxsize=1)
def known_stems() -> frozenset[str]:
    return frozenset(stem(word) for word in _SPELLED) | frozenset(stem(word) for word in STOPWORDS)


@lru_cache(maxsize=1)
def _common_words() -> frozenset[str]:
    text = files("aisha").joinpath("assets", "common_words.txt").read_text(encoding="utf-8")
    return frozenset(line for line in text.splitlines() if not line.startswith("#"))
