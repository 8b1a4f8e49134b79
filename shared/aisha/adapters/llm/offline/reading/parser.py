"""Parse a clause: find its concepts, values, times, amounts, pronouns and names with their offsets.

Every token belongs to at most one mention. A remaining run of words that are not ordinary English is a name.
"""

import re
from collections.abc import Iterable, Sequence
from datetime import datetime

from msgspec import Struct, field

from aisha.adapters.llm.offline.reading.amounts import Amount, find_amounts
from aisha.adapters.llm.offline.reading.disambiguation import resolve_concepts, resolve_values
from aisha.adapters.llm.offline.reading.imperatives import is_only_question, mentions_existing_note
from aisha.adapters.llm.offline.reading.lexicon import (
    ACTIVITY_WORDS,
    CONCEPTS,
    ENUM_WORDS,
    PRONOUNS,
    SELF_WORDS,
    STOPWORDS,
)
from aisha.adapters.llm.offline.reading.patterns import pattern
from aisha.adapters.llm.offline.reading.spelling import is_word, known_stems
from aisha.adapters.llm.offline.reading.times import find_times
from aisha.adapters.llm.offline.reading.tokens import Phrases, Token, tokenize
from aisha.adapters.llm.offline.reading.tokens import blank_out as _mask
from aisha.domain.dates.parsing import TimeSpan

_EMAIL = re.compile(r"[\w.+-]+@[\w-]+(?:\.[\w-]+)+")
# "+1 (555) 010-2233", "0555 0102233".
_PHONE = re.compile(r"(?<![\w-])\+?\d[\d\s().-]{6,}\d(?![\w-])")
# An address with its scheme or www, or a bare domain after "website" and the like: "homepage abc.example".
_URL = pattern(
    r"https?://\S+|www\.\S+"
    r"|(?:(?<=website\x20)|(?<=website:\x20)|(?<=website\x20is\x20)|(?<=site\x20)|(?<=homepage\x20))[\w-]+(?:\.[\w-]+)+"
)
# In double quotation marks, or in single ones that are no apostrophes.
_QUOTED = re.compile(r"[\"“”]([^\"“”]{1,400})[\"“”]|(?<!\w)'([^']{2,400})'(?!\w)")
# "note: ...", "comment saying ...", "remember that ...": the words after it are content.
_CONTENT = re.compile(
    r"(?:\b(?:note|notes|comment|memo|remark|remember|body|text|description|outcome|reason|jot down|log|write down"
    r"|put down|record)\b[^:]*?)(?P<lead>:\s*|\s[-–—]+\s|\s(?:saying|that\s+says|says|stating|to\s+say|reading"
    r"|mentioning|noting|(?<!\son\s)(?<!\sto\s)(?<!\sfor\s)(?<!\sabout\s)(?<!\swith\s)that)\s+(?:that\s+)?)"
    r"(?P<body>\S.*)$",
    re.IGNORECASE | re.DOTALL,
)
# "note she is away": content without "that".
_NOTE_SHE = re.compile(
    r"\bnote(?P<lead>\s+)(?P<body>(?:he|she|they)(?:'s|'re|'ve)?\s.+)$"
    r"|\bnote\b(?:\s+(?:about|on|for|to|down)\b[^,:?]*)?(?P<comma>,\s+)"
    r"(?P<told>(?:(?:he|she|they|it|we)(?:'s|'re|'ve)?|(?:his|her|their|the)\s+\w+)\s\S.*)$",
    re.IGNORECASE | re.DOTALL,
)
NOTE_THAT = re.compile(
    r"^(?P<body>.+?)[\s,.;-]+(?:please\s+|so\s+|can\s+you\s+)*"
    r"(?:(?:note|log|record|write|jot|remember)\s+(?:that|this|it)(?:\s+down)?|(?:put|add|stick|pop|get|keep)\s+"
    r"(?:that|this|it)\s+(?:on|in|to|into)\s+(?:his|her|their|its|the)\s+(?:record|file|notes|profile|card)s?)[\s.!]*$",
    re.IGNORECASE | re.DOTALL,
)
"""Recognises note content before its command: "she is away until June, please note that"."""
_NUMBER_WORDS = {
    "one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7, "eight": 8, "nine": 9, "ten": 10,
    "couple": 2, "both": 2, "dozen": 12,
}  # fmt: skip
ORDINALS = {
    "first": 1, "1st": 1, "second": 2, "2nd": 2, "third": 3, "3rd": 3, "fourth": 4, "4th": 4, "fifth": 5, "5th": 5,
    "last": -1,
}  # fmt: skip
# "top 3", "the first three", "best five leads".
_TOP = pattern(
    r"\b(?:top|first|best|hottest|highest|leading|next|last|latest|newest|biggest|largest)"
    r" (?P<n>\d{1,2}|one|two|three|four|five|six|seven|eight|nine|ten|couple)\b"
    r"(?!\s*(?:days?|weeks?|months?|hours?|quarters?|years?))"
    r"|\b(?P<m>\d{1,2}|two|three|four|five|six|seven|eight|nine|ten)"
    r" (?:best|hottest|top|highest|latest|newest|most recent|biggest|largest)\b"
)
_RECORD_NOUNS = (
    r"leads?|prospects?|contacts?|accounts?|compan(?:y|ies)|customers?|deals?|opportunit(?:y|ies)|opps?|activities"
    r"|tasks|calls|meetings"
)
# "3 of the open deals", "five leads".
_COUNT_OF_RECORDS = pattern(
    r"\b(?P<n>[1-9]\d?|two|three|four|five|six|seven|eight|nine|ten|couple) (?:of )?"
    rf"(?=(?:[\w-]+ ){{0,2}}(?:{_RECORD_NOUNS})\b)"
)
# "the biggest deal", "the most recent lead": one record.
_SUPERLATIVE = pattern(
    r"\b(?:biggest|largest|top|best|hottest|highest|newest|latest|most \w+)"
    r" (?=(?:[\w-]+ )?(?:lead|prospect|contact|account|company|customer|deal|opportunity|opp)\b)"
)
# "what should I do now", "now show me the leads".
_NOW_IS_NO_TIME = pattern(r"\bwhat (?:\w+ ){0,3}now$|^\s*now\b(?! \w+ing)")
_CONCEPT_PHRASES = Phrases((key, phrase) for key, phrases in CONCEPTS.items() for phrase in phrases)
_ACTIVITY_PHRASES = Phrases((key, phrase) for key, phrases in ACTIVITY_WORDS.items() for phrase in phrases)
_PRONOUN_PHRASES = Phrases((key, phrase) for key, phrases in PRONOUNS.items() for phrase in phrases)
_TITLES = frozenset("mr mrs ms miss mister dr prof professor sir madam herr frau".split())
"""Words that stand before a name and are not part of it."""
_NAMING = frozenset("called named name mr mrs ms miss dr sir".split())
_OBJECT = pattern(r" (?:it|this|that|them|the|an?|our|my|his|her|their)\b")
"""Recognises a verb after "to": "a task to prepare it"."""


class Name(Struct, frozen=True):
    """Words that may be a name. `before` is the word in front of it.

    `strong`: it can be nothing else, because of a capital letter, a word such as "called" before it, or a word that
    is not English. `capital`: it is written like a name.
    """

    text: str
    start: int
    end: int
    before: str
    possessive: bool
    strong: bool
    capital: bool = False


class Reading(Struct):
    """A parsed clause. Spans are character offsets into `text`.

    `asks`: it is a question and gives no order. The concept "told" holds verbs of doing that only report.
    """

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
    further: tuple["Reading", ...] = ()
    asks: bool = False

    def has(self, *concepts: str) -> bool:
        return any(concept in self.concepts for concept in concepts)

    def first(self, *concepts: str) -> int:
        """Return the offset of the first of these concepts, or one past the end."""
        places = [start for concept in concepts for start, _ in self.concepts.get(concept, ())]
        return min(places, default=len(self.text) + 1)


def value_phrases(values: Iterable[str]) -> Phrases:
    """Return the phrases that mean one of these enumerated values."""
    entries = [(value, value.replace("_", " ")) for value in values]
    entries += [(value, phrase) for value in values for phrase in ENUM_WORDS.get(value, ())]
    return Phrases(entries, exact=True)


def read(text: str, now: datetime, values: Phrases, known_names: Iterable[str] = ()) -> Reading:
    """Parse one clause. `values` are the tools' enumerated values, `known_names` names of the session's records."""
    reading = Reading(text=text, tokens=[], asks=is_only_question(text))
    # Each step blanks out what it has recognised, so that no later one reads it again: the words of a note before
    # quotations, these before names, times before amounts ("at 4" is no number).
    masked = text if reading.asks or mentions_existing_note(text) else _take_content(reading, text)
    masked = _take_literals(reading, masked)
    masked = _take_known(reading, masked, known_names)
    # Before times are blanked out, for the phrases below that contain one.
    timed = tokenize(masked)
    reading.times = [span for span in find_times(masked, now) if not _NOW_IS_NO_TIME.search(masked[: span.end])]
    for span in reading.times:
        masked = _mask(masked, span.start, span.end)
    if match := _top_in(masked) or _COUNT_OF_RECORDS.search(masked) or _SUPERLATIVE.search(masked):
        word = next((word for word in match.groups() if word), "one").lower()
        reading.top = int(word) if word.isdigit() else _NUMBER_WORDS[word]
        masked = _mask(masked, match.start(), match.end())
    reading.amounts, reading.numbers, masked = find_amounts(masked)
    reading.tokens = tokenize(masked)
    _take_phrases(reading, values)
    for key, first, after in _CONCEPT_PHRASES.find(timed):
        # "focus on today", "what now": a time that is part of what is asked
        if key in ("agenda", "advise"):
            reading.concepts.setdefault(key, []).append((timed[first].start, timed[after - 1].end))
    _take_names(reading)
    return reading


def _top_in(text: str) -> re.Match[str] | None:
    """Return the number of records asked for: "the first three", but not "the first one", which points at one."""
    match = _TOP.search(text)
    is_pointer = match and pattern(
        r"(?:first|last|next|latest|newest) one\b(?! (?:of|lead|deal|contact|account))"
    ).match(match[0] + text[match.end() :])
    return None if is_pointer else match


def _take_content(reading: Reading, text: str) -> str:
    if match := NOTE_THAT.match(text):
        reading.content = match["body"].strip(" ,.;")
        reading.outside = "note" + text[match.end("body") :]
        return " " * len(match["body"]) + text[match.end("body") :]
    if match := _CONTENT.search(text) or _NOTE_SHE.search(text):
        end = len(text)
        lead, body = ("lead", "body") if match["body"] else ("comma", "told")
        if quoted := re.match(r"[\"“”]([^\"“”]+)[\"“”]|'(.+?)'(?!\w)", match[body]):
            end = match.start(body) + quoted.end()
        reading.outside = text[: match.start(lead)] + " " + text[end:]
        reading.content = text[match.start(body) : end].strip().strip("\"“”'").rstrip(".").strip()
        return _mask(text, match.start(lead), end)
    return text


def _take_literals(reading: Reading, text: str) -> str:
    for expression, literals in ((_QUOTED, reading.quoted), (_EMAIL, reading.emails), (_URL, reading.urls)):
        for match in expression.finditer(text):
            literals.append((next((group for group in match.groups() if group), None) or match.group(0)).rstrip("."))
            text = _mask(text, *match.span())
    for match in _PHONE.finditer(text):
        # No ISO date, no plain or decimal number such as 1000000, and at least seven digits.
        if not re.fullmatch(r"\d{4}-\d\d-\d\d.*|[\d.]+", match.group(0)) and sum(map(str.isdigit, match.group(0))) >= 7:
            reading.phones.append(match.group(0).strip())
            text = _mask(text, *match.span())
    return text


def _take_known(reading: Reading, text: str, record_names: Iterable[str]) -> str:
    # Longer names first: "Ann Lee Park" before "Ann Lee". Single words could be ordinary ones, such as "Mark".
    for name in sorted(set(record_names), key=len, reverse=True):
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


def _take_phrases(reading: Reading, values: Phrases) -> None:
    tokens = reading.tokens
    for phrases, spans in (
        (_CONCEPT_PHRASES, reading.concepts),
        (_ACTIVITY_PHRASES, reading.activities),
        (_PRONOUN_PHRASES, reading.pronouns),
        (values, reading.values),
    ):
        for key, first, after in phrases.find(tokens):
            if after - first == 1 and (_is_a_name_here(tokens, first) or _introduces_a_name(tokens, first)):
                continue
            spans.setdefault(key, []).append((tokens[first].start, tokens[after - 1].end))
    reading.values = resolve_values(reading.text, reading.values)
    reading.concepts = resolve_concepts(reading.text, reading.concepts, reading.values)
    reading.mine = any(token.word in ("my", "mine", "i", "i've", "me", "i'm") for token in tokens)


def _introduces_a_name(tokens: Sequence[Token], index: int) -> bool:
    """Return whether a name follows: "a deal called Big One", "a chap named Rupert"."""
    after = tokens[index + 1] if index + 1 < len(tokens) else None
    return tokens[index].word in ("called", "named") and after is not None and after.capital


def _is_a_name_here(tokens: Sequence[Token], index: int) -> bool:
    """Return whether a capitalised ordinary word is part of a name: "Mark Webb", "Grace Call"."""
    token = tokens[index]
    if not token.capital or token.text.isupper() or token.word in _TITLES:
        return False
    after = tokens[index + 1] if index + 1 < len(tokens) else None
    before = tokens[index - 1] if index else None
    if after and after.capital and after.start - token.end == 1 and not _ordinary(after):
        return index > 0
    return bool(
        before and before.capital and token.start - before.end == 1 and not _ordinary(before) and not before.possessive
    )


def _ordinary(token: Token) -> bool:
    return token.word in STOPWORDS or token.word in SELF_WORDS or token.stem in known_stems()


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
        may_be_name = (
            not covered
            and (token.word not in STOPWORDS or _is_a_name_here(reading.tokens, index))
            and token.word not in SELF_WORDS
            and token.word not in ORDINALS
            and len(token.word) > 1
        )
        # A name ends after "'s", at punctuation, and where capital letters begin or end: "call Bob tomorrow".
        ends_run = bool(run) and (
            run[-1].possessive
            or "," in reading.text[run[-1].end : token.start]
            or reading.text[run[-1].end : token.start].strip(" &'’") != ""
            or (token.capital and not any(one.capital for one in run))
            or (any(one.capital for one in run) and not token.capital and is_word(token.word))
        )
        if run and (not may_be_name or ends_run):
            _add_name(reading, run)
            run = []
        if may_be_name:
            run.append(token)
    if run:
        _add_name(reading, run)
    reading.names.sort(key=lambda name: name.start)


def _add_name(reading: Reading, run: Sequence[Token]) -> None:
    start, end = run[0].start, run[-1].end
    before = [token.word for token in reading.tokens if token.end <= start]
    word = before[-1] if before else ""
    # The first word of a sentence has a capital letter whatever it is.
    capital = any(token.capital for token in run) and (start > 0 or len(run) > 1)
    if word == "to" and not capital and _OBJECT.match(reading.text[end:]):
        return
    strong = capital or word in _NAMING or not all(is_word(token.word) for token in run)
    reading.names.append(Name(reading.text[start:end], start, end, word, run[-1].possessive, strong, capital))
