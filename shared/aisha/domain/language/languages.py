"""Tell other languages from English by function words and scripts, and answer in them that only English is understood.

English is the default: a foreign name, a typo or a single word is no other language.
"""

import re
import unicodedata
from collections import defaultdict
from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Any

from msgspec import Struct

from aisha.domain.language.language_lexicon import (
    EITHER,
    LATIN,
    STRONG,
    WEAK,
    WORD,
    is_english_word,
    load_lexicon,
    reply_texts,
)
from aisha.domain.language.language_words import MIN_WORDS_BEYOND_NAME, Word, latin_words

_STRONG_BONUS = 0.001
"""A tie-breaker between languages of the same score."""
_CONTENT = 0.5
"""The worth of an English word that is no function word: many are words of other languages."""
_ENDING = 0.2
_OWN_LETTERS = 0.6
"""The worth of an unknown word with letters that one language alone has."""
_MIN_EVIDENCE = 1.25
"""The score of a strong word and one that may be English or a name."""
_MIN_WEAK_EVIDENCE = 0.6
"""The score that is enough in a message without an English word."""
_MIN_WORDS = 2
_MIN_FOREIGN_SHARE = 0.2
"""Below this share of the English words, foreign words are quotations."""
_MAX_SCRIPT_NAME_WORDS = 2
"""Up to so many words in another script may be a name."""
_LETTERS_PER_WORD = 2
"""An estimate for scripts without blanks."""
_MIN_DETERMINER_LENGTH = 3
_MIN_INFLECTED_LENGTH = 5
_VOWELS = frozenset("aeiouy")
"""Single vowels are words of many languages."""
_PART = re.compile(rf"{LATIN}['’]?")
_NON_LATIN = re.compile(r"[^\u0000-\u036F\u1E00-\u1EFF\u2000-\u2BFF\uFE00-\uFE0F\uFF00-\uFFEF\U0001F000-\U0001FFFF]+")
_QUOTED = re.compile(r"\"[^\"]*\"|“[^“”]*”|«[^«»]*»")
_CHUNK = re.compile(r"\S+")


class Language(Struct, frozen=True):
    """A language. `code` is a BCP 47 tag, "und" for one that is none of ours; `certainty` is 0 to 1."""

    code: str
    name: str
    certainty: float


class Mixture(Struct, frozen=True):
    """A message partly in `language`. Runs of words of one part that are not next to each other are joined by "…"."""

    language: Language
    english: str
    other: str


class _Evidence(Struct, frozen=True):
    """The words of a message for a language: their `score`, and the `strong` ones, against the English words."""

    language: int
    score: float
    listed: float
    """The part of the score that comes from listed words."""
    strong: int
    known: int
    """The number of words that are known to be of the language, and are neither English nor names."""
    alike: int
    """The number of words that only look like it, or are parts of its names."""
    english: float
    is_name: bool
    """True if all words have capitals, so that they may be a name."""
    labels: tuple[bool | None, ...]
    """For each word: foreign (True), English (False) or either (None)."""


ENGLISH = Language("en", "English", 1.0)


def detect(text: str) -> Language:
    """Return the language that most of the message is in; English where nothing speaks for another one."""
    return _read(text)[0]


def mixture(text: str) -> Mixture | None:
    """Return the English and the other part of a message that is in both, and None for one in a single language."""
    return _read(text)[1]


def reply(language: Language, name: str = "…") -> str:
    """Return, in that language, that only English is understood, with two examples; the second one is about `name`."""
    replies = {entry["code"]: entry["reply"] for entry in load_lexicon().languages}
    return str(replies.get(language.code, reply_texts()["reply"])).replace("{name}", name)


def mixed_reply(mixed: Mixture, name: str = "…") -> str:
    """Return, in English, the part that is not understood, with two examples; the second one is about `name`."""
    text = reply_texts()["mixed"].replace("{other}", mixed.other).replace("{name}", name)
    return text.replace("{language}", f"like {mixed.language.name}" if mixed.language.name else "foreign")


@lru_cache(maxsize=16)
def _read(text: str) -> tuple[Language, Mixture | None]:
    # An é may be typed as two characters, which the word lists have as one.
    text = _own_words(unicodedata.normalize("NFC", text))
    tokens = latin_words(text)
    return _read_script(text, tokens) or _read_latin(text, tokens)


def _read_latin(text: str, tokens: Sequence[Word]) -> tuple[Language, Mixture | None]:
    evidence = _evidence(tokens)
    is_other = evidence is not None and _is_other(evidence, len(tokens), is_question="?" in text)
    if evidence is None or not (is_other or evidence.strong):
        return ENGLISH, None
    # A share of the evidence, no probability.
    certainty = evidence.score / (evidence.score + evidence.english)
    entry = load_lexicon().languages[evidence.language]
    other = Language(entry["code"], entry["name"], round(certainty, 2))
    main = other if is_other else Language("en", "English", round(1 - certainty, 2))
    is_enough = evidence.listed >= max(_MIN_EVIDENCE, _MIN_FOREIGN_SHARE * evidence.english)
    if not (evidence.strong and evidence.english and is_enough):
        return main, None
    spans = [(label, token.start, token.end) for token, label in zip(tokens, evidence.labels, strict=True)]
    return main, _mixture(text, other, spans)


def _is_other(evidence: _Evidence, count: int, *, is_question: bool) -> bool:
    # A single foreign word is a name, or a typo.
    if count < _MIN_WORDS:
        return False
    if not evidence.strong:
        is_long = count >= MIN_WORDS_BEYOND_NAME and not evidence.english
        is_name = evidence.is_name or not (evidence.known or (evidence.alike and is_long))
        return not is_name and evidence.score >= max(_MIN_WEAK_EVIDENCE, 2 * evidence.english)
    if evidence.english:
        return evidence.listed >= evidence.english * (1 if evidence.strong > 1 else 2)
    return evidence.score >= _MIN_EVIDENCE or is_question or not evidence.is_name


def _evidence(tokens: Sequence[Word]) -> _Evidence | None:
    """Return the evidence for the language that the words speak for most, and None if no word does."""
    listed_words = load_lexicon().words
    hits = [_hits(token) for token in tokens]
    worths = _worths(tokens, hits)
    scores: dict[int, float] = defaultdict(float)
    for token_worths in worths:
        for language, worth in token_worths.items():
            scores[language] += worth + (_STRONG_BONUS if worth == STRONG else 0.0)
    # Sorted, so that equal scores always give the same language.
    best = max(sorted(scores), key=lambda language: scores[language], default=None)
    if best is None or not scores[best]:
        return None
    own = [token_worths.get(best, 0.0) for token_worths in worths]
    labels = tuple(
        True if worth == STRONG else _label(token, hit, best)
        for token, hit, worth in zip(tokens, hits, own, strict=True)
    )
    return _Evidence(
        language=best,
        score=sum(own),
        listed=sum(worth for token, worth in zip(tokens, own, strict=True) if token.lower in listed_words),
        strong=own.count(STRONG),
        known=sum(listed_words.get(token.lower, {}).get(best, 0.0) > EITHER for token in tokens),
        alike=sum(best in hit and not is_english_word(token.lower) for token, hit in zip(tokens, hits, strict=True)),
        english=_english_worth(tokens, labels),
        is_name=all(token.text[0].isupper() for token in tokens),
        labels=labels,
    )


def _worths(tokens: Sequence[Word], hits: Sequence[Mapping[int, float]]) -> list[dict[int, float]]:
    """Return what each word is worth for each language where it stands: less in a name, more before "leads"."""
    particles = _particles(tokens, hits)
    worths: list[dict[int, float]] = []
    for place, (token, hit) in enumerate(zip(tokens, hits, strict=True)):
        if place in particles:
            worths.append({})
        elif token.is_name:
            worths.append({language: min(worth, WEAK) for language, worth in hit.items()})
        elif place + 1 < len(tokens) and _is_determiner(token.lower, tokens[place + 1].lower):
            worths.append(dict.fromkeys(hit, STRONG))
        else:
            worths.append(dict(hit))
    return worths


def _is_determiner(word: str, following: str) -> bool:
    lexicon = load_lexicon()
    is_listed = len(word) >= _MIN_DETERMINER_LENGTH and word in lexicon.words and not is_english_word(word)
    return is_listed and following in lexicon.after_determiner


def _english_worth(tokens: Sequence[Word], labels: Sequence[bool | None]) -> float:
    """Return how much the words speak for English: function words fully, other words by half, vowels not at all."""
    english = [token.lower for token, label in zip(tokens, labels, strict=True) if label is False]
    return sum(1.0 if word in load_lexicon().function else _CONTENT for word in english if word not in _VOWELS)


def _particles(tokens: Sequence[Word], hits: Sequence[Mapping[int, float]]) -> set[int]:
    """Return the places of weak words between two words of a name: "de la" of "Rosa de la Cruz"."""
    places: set[int] = set()
    run: list[int] = []
    for place, (token, hit) in enumerate(zip(tokens, hits, strict=True)):
        if token.is_name:
            places.update(run)
            run = []
        elif hit and max(hit.values()) < STRONG and place and (run or tokens[place - 1].is_name):
            run.append(place)
        else:
            run = []
    return places


def _hits(token: Word) -> Mapping[int, float]:
    """Return the languages of a word with its worth in each: by the word itself, its parts, or its letters."""
    lexicon = load_lexicon()
    if token.lower in lexicon.words or is_english_word(token.lower) or token.lower in lexicon.shared:
        return lexicon.words.get(token.lower, {})
    parts = _PART.findall(token.lower)
    listed_parts = [lexicon.words[part] for part in parts if part in lexicon.words]
    if listed_parts and len(parts) > 1 and len(parts[-1]) > 1:
        return max(listed_parts, key=lambda worths: max(worths.values()))
    return {} if token.text[:1].isupper() else _look(token.lower)


@lru_cache(maxsize=2_000)
def _look(word: str) -> Mapping[int, float]:
    """Return the languages that an unknown word looks like, by its letters and its ending."""
    letters = {letter for letter in word if not letter.isascii()}
    looks: dict[int, float] = {}
    for language, entry in enumerate(load_lexicon().languages):
        if "script" not in entry and letters <= set(entry.get("letters", "")):
            has_ending = len(word) >= _MIN_INFLECTED_LENGTH and word.endswith(load_lexicon().endings[language])
            looks[language] = (WEAK if letters else 0.0) + (_ENDING if has_ending else 0.0)
    # "ß" or "ł" is in one alphabet only.
    if letters and len(looks) == 1:
        return dict.fromkeys(looks, _OWN_LETTERS)
    return {language: worth for language, worth in looks.items() if worth}


def _label(token: Word, worths: Mapping[int, float], language: int) -> bool | None:
    """Return whether a word is foreign and not English, and None for names and for words of both or none."""
    worth = worths.get(language)
    if worth is not None:
        return None if worth == EITHER else True
    is_english = not token.is_name and token.lower not in load_lexicon().shared and is_english_word(token.lower)
    return False if is_english else None


def _mixture(text: str, language: Language, spans: Sequence[tuple[bool | None, int, int]]) -> Mixture:
    """Return the runs of English and of other words; a word of either belongs to the run before."""
    current = next((label for label, _, _ in spans if label is not None), False)
    runs: list[tuple[bool, int, int]] = []
    for label, start, end in spans:
        current = current if label is None else label
        if runs and runs[-1][0] == current:
            runs[-1] = (current, runs[-1][1], end)
        else:
            runs.append((current, start, end))
    english, other = (
        " … ".join(text[start:end] for is_other, start, end in runs if is_other is part) for part in (False, True)
    )
    return Mixture(language, english, other)


def _read_script(text: str, tokens: Sequence[Word]) -> tuple[Language, Mixture | None] | None:
    """Return the language of a message that has more than a name in another script, and None for any other one."""
    runs = [match for match in _NON_LATIN.finditer(text) if any(letter.isalpha() for letter in match[0])]
    if not runs:
        return None
    language, signs, size = _language_of_script(" ".join(match[0] for match in runs))
    labels = [_label(token, {}, -1) for token in tokens]
    english = _english_worth(tokens, labels)
    if not signs and (english or size <= _MAX_SCRIPT_NAME_WORDS):
        return None
    certainty = round(size / (size + english), 2)
    other = Language(language.code, language.name, certainty)
    main = other if size > english else Language("en", "English", round(1 - certainty, 2))
    if not english:
        return other, None
    spans = [(label, token.start, token.end) for token, label in zip(tokens, labels, strict=True)]
    spans += [(True, match.start(), match.start() + len(match[0].rstrip())) for match in runs]
    return main, _mixture(text, other, sorted(spans, key=lambda span: span[1]))


def _language_of_script(foreign: str) -> tuple[Language, int, float]:
    """Return the language of letters that are not Latin, how many of its signs they hold, and their size in words."""
    lexicon = load_lexicon()
    runs = {script: pattern.findall(foreign) for script, pattern in lexicon.scripts.items()}
    sizes = {
        script: sum(map(len, letters)) / _LETTERS_PER_WORD if script in lexicon.unspaced else float(len(letters))
        for script, letters in runs.items()
    }
    # Japanese has Chinese signs as well, Chinese has no kana.
    script = "kana" if runs["kana"] else max(sizes, key=lambda name: sizes[name])
    if not runs[script]:
        return Language("und", "", 1.0), 0, float(len(foreign.split()))
    size = sizes["kana"] + sizes["han"] if script == "kana" else sizes[script]
    entries = [entry for entry in lexicon.languages if entry.get("script") == script]
    signs = [_signs(entry, runs[script], foreign) for entry in entries]
    best = max(range(len(entries)), key=lambda place: signs[place])
    return Language(entries[best]["code"], entries[best]["name"], 1.0), signs[best], size


def _signs(entry: Mapping[str, Any], runs: Sequence[str], foreign: str) -> int:
    """Return how many words of a language, and pieces of words where no blanks separate them, the text has.

    A sign `~x` ends a word. Letters that are the language's own count, too.
    """
    signs = entry["signs"].split()
    if entry["script"] in load_lexicon().unspaced:
        return sum(sign in foreign for sign in signs)
    words_of_script, endings = set(signs), tuple(sign[1:] for sign in signs if sign.startswith("~"))
    pieces = [sign for sign in words_of_script if entry["script"] == "hangul" and len(sign) > 1]
    letters = set(entry.get("letters", ""))
    return sum(
        run.lower() in words_of_script
        or (bool(endings) and run.endswith(endings))
        or any(piece in run for piece in pieces)
        for run in runs
    ) + sum(letter in letters for letter in set(foreign.lower()))


def _own_words(text: str) -> str:
    """Return the message without addresses, what is quoted, and what follows the colon of an English order."""
    text = _CHUNK.sub(lambda match: " " if "@" in match[0] or "://" in match[0] else match[0], text)
    unquoted = _QUOTED.sub(" ", text)
    # A message that is one quotation is judged by it.
    text = unquoted if len(WORD.findall(unquoted)) > 1 else text
    order, colon, _ = text.partition(": ")
    # "Add a note for Ann: Bitte zurückrufen" is an English order with a German text.
    if colon and (tokens := latin_words(order)):
        labels = [_label(token, _hits(token), -1) for token in tokens]
        evidence = _evidence(tokens)
        if labels.count(False) > 1 and not (evidence and evidence.strong):
            return order
    return text
