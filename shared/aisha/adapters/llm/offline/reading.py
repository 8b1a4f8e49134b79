"""Reads a sentence: which concepts, values, times, amounts, pronouns and names stand in it, and where.

Every token belongs to at most one mention. What is left over, and is no ordinary word, is a name.
"""

import re
from collections.abc import Container, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from functools import lru_cache
from importlib.resources import files
from threading import Lock

import snowballstemmer
from rapidfuzz import process
from rapidfuzz.distance import OSA

from aisha.adapters.llm.offline.lexicon import (
    ACTIVITY_WORDS,
    CONCEPTS,
    ENUM_WORDS,
    FILLERS,
    PRONOUNS,
    SELF_WORDS,
    SLANG,
    STOPWORDS,
)
from aisha.domain.dates import TimeSpan, find_times

KINDS = ("lead", "contact", "account", "opportunity")
_STEMMER = snowballstemmer.stemmer("english")
_STEMMING = Lock()
"""The stemmer keeps state while it works; turns run side by side."""
_WORD = re.compile(r"[^\W_]+(?:['’&.+/-][^\W_]+)*", re.UNICODE)
_EMAIL = re.compile(r"[\w.+-]+@[\w-]+(?:\.[\w-]+)+")
_PHONE = re.compile(r"(?<![\w-])\+?\d[\d\s().-]{6,}\d(?![\w-])")
_URL = re.compile(r"https?://\S+|www\.\S+")
_QUOTED = re.compile(r"[\"“”]([^\"“”]{1,400})[\"“”]|(?<!\w)'([^']{2,400})'(?!\w)")
_AMOUNT = re.compile(
    r"(?:[$€£]\s?(?P<a>\d[\d,]*(?:\.\d+)?)\s?(?P<ak>k|m|mm|million|thousand)?(?!\w))"
    r"|(?:(?<![\w.])(?P<b>\d[\d,]*(?:\.\d+)?)\s?(?P<bk>k|mm|m|million|thousand|grand)(?!\w))"
    r"|(?:(?<![\w.])(?P<c>\d[\d,]*(?:\.\d+)?)\s?(?:dollars?|usd|eur|euros?|bucks)(?!\w))",
    re.IGNORECASE,
)
_WORTH = re.compile(
    r"(?:worth|valued\s+at|value(?:\s+of|\s+is|\s+to)?|amount(?:\s+of|\s+is|\s+to)?|budget(?:\s+of|\s+is)?|price[d]?(?:\s+at)?)\s*:?\s*(?:about\s+|around\s+|over\s+|roughly\s+)?$",
    re.IGNORECASE,
)
_NUMBER = re.compile(r"(?<![\w.$€£])(\d[\d,]*(?:\.\d+)?)(?![\w@]|\.\d)")
_CONTENT = re.compile(
    r"(?:\b(?:note|notes|comment|memo|remark|remember|body|text|description|outcome|reason|jot down|log|write down|record)\b[^:]*?)"
    r"(?P<lead>:\s*|\s[-–—]+\s|\s(?:saying|that\s+says|says|stating|to\s+say|reading|mentioning|noting|that)\s+(?:that\s+)?)(?P<body>\S.*)$",
    re.IGNORECASE | re.DOTALL,
)
_NOTE_SHE = re.compile(r"\bnote(?P<lead>\s+)(?P<body>(?:he|she|they)(?:'s|'re|'ve)?\s.+)$", re.IGNORECASE | re.DOTALL)
_NOTE_THAT = re.compile(
    r"^(?P<body>.+?)[\s,.;-]+(?:please\s+|so\s+|can\s+you\s+)*(?:note|log|record|write|jot|remember)\s+(?:that|this|it)(?:\s+down)?[\s.!]*$",
    re.IGNORECASE | re.DOTALL,
)
"""What is to be noted, said first: "she is away until June, please note that"."""
_NUMBER_WORDS = {
    "one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7, "eight": 8, "nine": 9, "ten": 10,
    "couple": 2, "both": 2, "dozen": 12,
}  # fmt: skip
ORDINALS = {
    "first": 1, "1st": 1, "second": 2, "2nd": 2, "third": 3, "3rd": 3, "fourth": 4, "4th": 4, "fifth": 5, "5th": 5, "last": -1,
}  # fmt: skip
_TOP = re.compile(
    r"\b(?:top|first|best|hottest|highest|leading|next|last|latest|newest|biggest|largest)\s+(?P<n>\d{1,2}|one|two|three|four|five|six|seven|eight|nine|ten|couple)\b(?!\s*(?:days?|weeks?|months?|hours?|quarters?|years?))"
    r"|\b(?P<m>\d{1,2}|two|three|four|five|six|seven|eight|nine|ten)\s+(?:best|hottest|top|highest|latest|newest|most\s+recent|biggest|largest)\b",
    re.IGNORECASE,
)
_THINGS = r"leads?|prospects?|contacts?|accounts?|compan(?:y|ies)|customers?|deals?|opportunit(?:y|ies)|opps?|activities|tasks|calls|meetings"
_SOME = re.compile(
    rf"\b(?P<n>[1-9]\d?|two|three|four|five|six|seven|eight|nine|ten|couple)\s+(?:of\s+)?(?=(?:[\w-]+\s+){{0,2}}(?:{_THINGS})\b)",
    re.IGNORECASE,
)
_SUPERLATIVE = re.compile(
    r"\b(?:biggest|largest|top|best|hottest|highest|newest|latest|most\s+\w+)\s+(?=(?:[\w-]+\s+)?(?:lead|prospect|contact|account|company|customer|deal|opportunity|opp)\b)",
    re.IGNORECASE,
)
_ASKS_WHAT_NOW = re.compile(r"\bwhat\s+(?:\w+\s+){0,3}now$|^\s*now\b(?!\s+\w+ing)", re.IGNORECASE)
_BOUND_MORE = re.compile(
    r"(?:over|above|more than|greater than|bigger than|larger than|at least|minimum(?: of)?|min|exceeding|north of|upwards of|from|>=?|higher than|worth more than)\s*$",
    re.IGNORECASE,
)
_BETWEEN = re.compile(r"\bbetween\s*(?P<and>[^a-z]*\s+(?:and|to)\s*)?[$€£]?$", re.IGNORECASE)
_OR_MORE = re.compile(
    r"\S+\s*(?:\+|plus\b|(?:or|and)\s+(?:more|better|higher|above|over|up|greater|bigger)\b)", re.IGNORECASE
)
_OR_LESS = re.compile(r"\S+\s*(?:or|and)\s+(?:less|lower|below|under|smaller|fewer)\b", re.IGNORECASE)
_BOUND_LESS = re.compile(
    r"(?:under|below|less than|smaller than|at most|maximum(?: of)?|max|up to|south of|<=?|lower than|cheaper than)\s*$",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Token:
    text: str
    word: str
    stem: str
    start: int
    end: int
    possessive: bool = False

    @property
    def capital(self) -> bool:
        return self.text[:1].isupper()


@dataclass(frozen=True, slots=True)
class Amount:
    """A sum of money or a plain number with a bound. `relation`: more, less or None."""

    value: float
    relation: str | None
    start: int
    end: int
    money: bool


@dataclass(frozen=True, slots=True)
class Name:
    """Words that may be somebody's or something's name. `before` is the word in front of it.

    `strong`: it can be nothing else, because of a capital letter, a word such as "called" before it, or a word that is not
    English. `capital`: it is written like a name.
    """

    text: str
    start: int
    end: int
    before: str
    possessive: bool
    strong: bool
    capital: bool = False


@dataclass(slots=True)
class Reading:
    """One clause, read. Spans are character offsets into `text`."""

    text: str
    tokens: list[Token]
    concepts: dict[str, list[tuple[int, int]]] = field(default_factory=dict)
    values: dict[str, list[tuple[int, int]]] = field(default_factory=dict)
    activities: dict[str, list[tuple[int, int]]] = field(default_factory=dict)
    pronouns: dict[str, list[tuple[int, int]]] = field(default_factory=dict)
    times: list[TimeSpan] = field(default_factory=list)
    amounts: list[Amount] = field(default_factory=list)
    numbers: list[Amount] = field(default_factory=list)
    names: list[Name] = field(default_factory=list)
    emails: list[str] = field(default_factory=list)
    phones: list[str] = field(default_factory=list)
    urls: list[str] = field(default_factory=list)
    quoted: list[str] = field(default_factory=list)
    content: str | None = None
    outside: str = ""
    top: int | None = None
    mine: bool = False

    def has(self, *concepts: str) -> bool:
        return any(concept in self.concepts for concept in concepts)

    def first(self, *concepts: str) -> int:
        """Where the first of these concepts stands, or a place behind the end."""
        places = [start for concept in concepts for start, _ in self.concepts.get(concept, ())]
        return min(places, default=len(self.text) + 1)


@lru_cache(maxsize=20_000)
def stem(word: str) -> str:
    """The stem of a lower-cased English word."""
    with _STEMMING:
        return str(_STEMMER.stemWord(word))


def tokenize(text: str) -> list[Token]:
    """Words with their stems; a possessive 's is cut off and remembered."""
    tokens = []
    for match in _WORD.finditer(text):
        raw = match.group(0)
        lowered = raw.lower().replace("’", "'")
        possessive = lowered.endswith("'s") and lowered not in _CONTRACTIONS
        shown = raw[:-2] if possessive else raw
        word = lowered[:-2] if possessive else lowered
        possessive = possessive or text[match.end() : match.end() + 2] in ("' ", "’ ")
        tokens.append(Token(shown, word, stem(word), match.start(), match.start() + len(shown), possessive))
    return tokens


_CONTRACTIONS = frozenset("it's that's what's who's where's how's there's here's let's he's she's when's why's".split())


class Phrases:
    """Finds phrases by the stems of their words (or, `exact`, by the words), longest first."""

    def __init__(self, entries: Iterable[tuple[str, str]], exact: bool = False) -> None:
        self._exact = exact
        self._by_first: dict[str, list[tuple[tuple[str, ...], str]]] = {}
        for key, phrase in entries:
            stems = tuple(token.word if exact else token.stem for token in tokenize(phrase))
            if stems:
                self._by_first.setdefault(stems[0], []).append((stems, key))
        for options in self._by_first.values():
            options.sort(key=lambda option: -len(option[0]))

    def words(self) -> Iterator[str]:
        return iter(self._by_first)

    def find(self, tokens: Sequence[Token]) -> Iterator[tuple[str, int, int]]:
        """`(key, first token, token after)` for every longest phrase at each place; places may overlap."""
        stems = [token.word if self._exact else token.stem for token in tokens]
        for index, first in enumerate(stems):
            longest = 0
            for wanted, key in self._by_first.get(first, ()):
                if len(wanted) >= longest and tuple(stems[index : index + len(wanted)]) == wanted:
                    longest = len(wanted)
                    yield key, index, index + longest


_CONCEPT_PHRASES = Phrases((key, phrase) for key, phrases in CONCEPTS.items() for phrase in phrases)
_ACTIVITY_PHRASES = Phrases((key, phrase) for key, phrases in ACTIVITY_WORDS.items() for phrase in phrases)
_PRONOUN_PHRASES = Phrases((key, phrase) for key, phrases in PRONOUNS.items() for phrase in phrases)
_SPELLED = sorted(
    {
        word
        for phrases in (*CONCEPTS.values(), *ACTIVITY_WORDS.values(), *ENUM_WORDS.values())
        for phrase in phrases
        for word in phrase.lower().split()
        if len(word) >= 5
    }
)


def value_phrases(values: Iterable[str]) -> Phrases:
    """Phrases that mean one of these enumerated values."""
    entries = [(value, value.replace("_", " ")) for value in values]
    entries += [(value, phrase) for value in values for phrase in ENUM_WORDS.get(value, ())]
    return Phrases(entries, exact=True)


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
            r"[\s,]+(?:please|pls|plz|thanks|thank you|cheers|for me|mate|ok|okay|will you|would you|could you|right now|asap)[\s!.?]*$",
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
        if (turned := _UNTURNED.get("".join(sorted(word)))) and OSA.distance(word, turned) == 1 and not _is_word(word):
            return turned
        if len(word) < 5 or _is_word(word) or stem(word) in known:
            return word
        found = process.extractOne(word, _SPELLED, scorer=OSA.distance, score_cutoff=1 if len(word) < 8 else 2)
        return str(found[0]) if found else word

    written_out = _slang_pattern().sub(lambda match: SLANG[match.group(0).lower()], text)
    return re.sub(r"[^\W\d_]+", mend, written_out)


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


def _is_word(word: str) -> bool:
    return word in _common_words() or stem(word) in _common_words() or stem(word) in _known_stems()


@lru_cache(maxsize=1)
def _slang_pattern() -> re.Pattern[str]:
    words = "|".join(re.escape(word) for word in sorted(SLANG, key=len, reverse=True))
    return re.compile(rf"(?<![\w'@./-])(?:{words})(?![\w'@/])", re.IGNORECASE)


@lru_cache(maxsize=1)
def _known_stems() -> frozenset[str]:
    return frozenset(stem(word) for word in _SPELLED) | frozenset(stem(word) for word in STOPWORDS)


def read(text: str, now: datetime, values: Phrases, known_names: Iterable[str] = ()) -> Reading:
    """Reads one clause. `values` are the tools' enumerated values, `known_names` names of records in the session."""
    reading = Reading(text=text, tokens=[])
    masked = _take_content(reading, text)
    masked = _take_literals(reading, masked)
    masked = _take_known(reading, masked, known_names)
    timed = tokenize(masked)
    reading.times = [span for span in find_times(masked, now) if not _ASKS_WHAT_NOW.search(masked[: span.end])]
    for span in reading.times:
        masked = _mask(masked, span.start, span.end)
    if match := _TOP.search(masked) or _SOME.search(masked) or _SUPERLATIVE.search(masked):
        word = next((word for word in match.groups() if word), "one").lower()
        reading.top = int(word) if word.isdigit() else _NUMBER_WORDS[word]
        masked = _mask(masked, match.start(), match.end())
    masked = _take_amounts(reading, masked)
    reading.tokens = tokenize(masked)
    _take_phrases(reading, values)
    for key, first, after in _CONCEPT_PHRASES.find(timed):
        # "focus on today", "what now": a time that is part of what is asked
        if key in ("agenda", "advise"):
            reading.concepts.setdefault(key, []).append((timed[first].start, timed[after - 1].end))
    _take_names(reading)
    return reading


def _mask(text: str, start: int, end: int) -> str:
    return text[:start] + " " * (end - start) + text[end:]


def _take_content(reading: Reading, text: str) -> str:
    if match := _NOTE_THAT.match(text):
        reading.content = match["body"].strip(" ,.;")
        reading.outside = "note" + text[match.end("body") :]
        return " " * len(match["body"]) + text[match.end("body") :]
    if match := _CONTENT.search(text) or _NOTE_SHE.search(text):
        end = len(text)
        if quoted := re.match(r"[\"“”]([^\"“”]+)[\"“”]|'(.+?)'(?!\w)", match["body"]):
            end = match.start("body") + quoted.end()
        reading.outside = text[: match.start("lead")] + " " + text[end:]
        reading.content = text[match.start("body") : end].strip().strip("\"“”'").rstrip(".").strip()
        return _mask(text, match.start("lead"), end)
    return text


def _take_literals(reading: Reading, text: str) -> str:
    for pattern, found in ((_QUOTED, reading.quoted), (_EMAIL, reading.emails), (_URL, reading.urls)):
        for match in pattern.finditer(text):
            found.append((next((group for group in match.groups() if group), None) or match.group(0)).rstrip("."))
            text = _mask(text, *match.span())
    for match in _PHONE.finditer(text):
        if not re.fullmatch(r"\d{4}-\d\d-\d\d.*|[\d.]+", match.group(0)) and sum(map(str.isdigit, match.group(0))) >= 7:
            reading.phones.append(match.group(0).strip())
            text = _mask(text, *match.span())
    return text


def _take_known(reading: Reading, text: str, known_names: Iterable[str]) -> str:
    for name in sorted(set(known_names), key=len, reverse=True):
        if " " not in name:
            continue
        for match in re.finditer(rf"(?<!\w){re.escape(name)}(?P<s>['’]s)?(?!\w)", text, re.IGNORECASE):
            end = match.start() + len(name)
            before = re.findall(r"\w+", text[: match.start()])
            reading.names.append(
                Name(
                    text[match.start() : end],
                    match.start(),
                    end,
                    before[-1].lower() if before else "",
                    bool(match["s"]),
                    True,
                    True,
                )
            )
            text = _mask(text, *match.span())
    return text


def _take_amounts(reading: Reading, text: str) -> str:
    for match in _AMOUNT.finditer(text):
        digits = float((match["a"] or match["b"] or match["c"]).replace(",", ""))
        unit = (match["ak"] or match["bk"] or "").lower()
        value = digits * (1_000_000 if unit.startswith("m") else 1_000 if unit else 1)
        reading.amounts.append(Amount(value, _bound(text, match.start()), match.start(), match.end(), True))
        text = _mask(text, *match.span())
    for match in _NUMBER.finditer(text):
        number = float(match.group(1).replace(",", ""))
        is_sum = _WORTH.search(text[: match.start()]) is not None
        found = reading.amounts if is_sum else reading.numbers
        found.append(Amount(number, _bound(text, match.start()), match.start(), match.end(), is_sum))
        text = _mask(text, *match.span())
    return text


def _bound(text: str, start: int) -> str | None:
    ahead = text[:start].rstrip()
    behind = text[start:]
    if _BOUND_MORE.search(ahead) or _OR_MORE.match(behind):
        return "more"
    if match := _BETWEEN.search(ahead):
        return "more" if match["and"] is None else "less"
    return "less" if _BOUND_LESS.search(ahead) or _OR_LESS.match(behind) else None


def _take_phrases(reading: Reading, values: Phrases) -> None:
    tokens = reading.tokens
    for phrases, found in (
        (_CONCEPT_PHRASES, reading.concepts),
        (_ACTIVITY_PHRASES, reading.activities),
        (_PRONOUN_PHRASES, reading.pronouns),
        (values, reading.values),
    ):
        for key, first, after in phrases.find(tokens):
            if after - first == 1 and (_is_a_name_here(tokens, first) or _introduces_a_name(tokens, first)):
                continue
            found.setdefault(key, []).append((tokens[first].start, tokens[after - 1].end))
    _drop_shadowed(reading)
    reading.mine = any(token.word in ("my", "mine", "i", "i've", "me", "i'm") for token in tokens)


def _drop_shadowed(reading: Reading) -> None:
    """ "contacted" and "prospecting" are values, though they have the stem of a kind of record."""
    said = {span for spans in reading.values.values() for span in spans}
    for kind in KINDS:
        own = {phrase.lower() for phrase in CONCEPTS[kind]}
        spans = [span for span in reading.concepts.get(kind, ()) if span not in said or _plain(reading, span) in own]
        if spans:
            reading.concepts[kind] = spans
        else:
            reading.concepts.pop(kind, None)


def _plain(reading: Reading, span: tuple[int, int]) -> str:
    return reading.text[span[0] : span[1]].lower().removesuffix("s")


def _introduces_a_name(tokens: Sequence[Token], index: int) -> bool:
    """ "a deal called Big One", "a chap named Rupert"."""
    after = tokens[index + 1] if index + 1 < len(tokens) else None
    return tokens[index].word in ("called", "named") and after is not None and after.capital


def _is_a_name_here(tokens: Sequence[Token], index: int) -> bool:
    """ "Mark Webb" and "Grace Call" are people: a capital inside the sentence beside another capital that is no word."""
    token = tokens[index]
    if not token.capital or token.text.isupper():
        return False
    after = tokens[index + 1] if index + 1 < len(tokens) else None
    before = tokens[index - 1] if index else None
    if after and after.capital and after.start - token.end == 1 and not _ordinary(after):
        return index > 0
    return bool(
        before and before.capital and token.start - before.end == 1 and not _ordinary(before) and not before.possessive
    )


def _ordinary(token: Token) -> bool:
    return token.word in STOPWORDS or token.word in SELF_WORDS or token.stem in _known_stems()


def _take_names(reading: Reading) -> None:
    taken = [
        span
        for group in (reading.concepts, reading.values, reading.activities, reading.pronouns)
        for spans in group.values()
        for span in spans
    ]
    run: list[Token] = []
    for index, token in enumerate(reading.tokens):
        covered = any(start <= token.start < end for start, end in taken)
        named = (
            not covered
            and (token.word not in STOPWORDS or _is_a_name_here(reading.tokens, index))
            and token.word not in SELF_WORDS
            and token.word not in ORDINALS
            and len(token.word) > 1
        )
        joint = bool(run) and (
            run[-1].possessive
            or "," in reading.text[run[-1].end : token.start]
            or reading.text[run[-1].end : token.start].strip(" &'’") != ""
            or (token.capital and not any(one.capital for one in run))
            or (any(one.capital for one in run) and not token.capital and _is_word(token.word))
        )
        if run and (not named or joint):
            _add_name(reading, run)
            run = []
        if named:
            run.append(token)
    if run:
        _add_name(reading, run)
    reading.names.sort(key=lambda name: name.start)


_NAMING = frozenset("called named name mr mrs ms miss dr sir".split())


def _add_name(reading: Reading, run: Sequence[Token]) -> None:
    start, end = run[0].start, run[-1].end
    before = [token.word for token in reading.tokens if token.end <= start]
    word = before[-1] if before else ""
    capital = any(token.capital for token in run) and (start > 0 or len(run) > 1)
    strong = capital or word in _NAMING or not all(_is_word(token.word) for token in run)
    reading.names.append(Name(reading.text[start:end], start, end, word, run[-1].possessive, strong, capital))


@lru_cache(maxsize=1)
def _common_words() -> frozenset[str]:
    text = files("aisha").joinpath("assets", "common_words.txt").read_text(encoding="utf-8")
    return frozenset(line for line in text.splitlines() if not line.startswith("#"))
