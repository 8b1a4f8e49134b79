"""Chat spelling, typos and courtesies: a sentence as it was meant."""

import re
from collections.abc import Container
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
