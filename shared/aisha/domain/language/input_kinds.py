"""Tell input that is no request in words, such as code or emoji alone, and answer it honestly. Nothing of it is run."""

import re
import tomllib
import unicodedata
from collections import Counter
from collections.abc import Sequence
from functools import cache
from importlib.resources import files
from typing import Any, Literal

import msgspec

from aisha.domain.language import words

Kind = Literal["empty", "too_short", "emoji", "code", "sql", "html", "url_only", "number_only", "gibberish", "words"]

_INVISIBLE = ("Cc", "Cf")
"""Unicode's categories of letters that are not seen."""
_MIN_LEAD_IN_WORDS = 4
"""So many words before code begin a sentence that has code in it, such as the text of a note."""
_MIN_WORDS_BEFORE_COLON = 2
"""So many before a colon do, too."""
_MAX_STATEMENT_WORDS = 4
_MAX_BRACKET_SHARE = 0.08
"""The share of brackets and the like above which text is code."""
_MIN_BRACKETS = 3
_MIN_JUDGED_LENGTH = 5
"""Shorter words may be initials."""
_MIN_VARIED_LETTERS = 3
"""Real words of that length have at least so many different letters."""
_MAX_RARE_COUNT = 4
"""A pair of letters is rare if fewer common words have it."""
_MIN_ODD_PAIRS, _MIN_ODD_PAIRS_FEW_VOWELS, _MAX_ODD_VOWELS = 0.6, 0.4, 0.2
"""Shares of rare pairs that make a word gibberish: alone, with few vowels, and the share of vowels that is few."""
_MAX_ROW_VOWELS = 0.3
"""The share of vowels below which a word from one row of the keyboard is gibberish."""
_MIN_NEIGHBOURS = 0.75
"""The share of pairs that are neighbours on the keyboard, from which a word is gibberish."""
_FIRST_IDEOGRAPH = 0x2E80
"""From this code point on, one letter can be a word."""
_NUMBER = re.compile(r"[\d\s.,:;/()+$€£¥%#–\uFE0F\u20E3-]+[kKmM]?")
_SUM = re.compile(r"\d\s*[+*×÷=]\s*\d")
_EMOTICON = re.compile(r"[:;=][-o^']?[()DPpO3/\\|*]{1,9}|[xX]D{1,9}|</?3{1,9}|\^_*\^|¯\\_\(ツ\)_/¯")
_URL = re.compile(r"(?:(?:https?|ftp)://|www\.)\S+|[\w-]{1,63}(?:\.[\w-]{1,63}){1,5}/\S*", re.IGNORECASE)
_TAG = re.compile(r"</?([a-z][a-z0-9]{0,10})\b([^<>]{0,300})>|<!--|<!doctype", re.IGNORECASE)
_BRACKET = re.compile(r"[{}\\|<>`^~]|\w\(|;\s*$|;\n")
_BLOCK = re.compile(r"\w\([^()\n]{0,80}\)\s{0,9}[:{;]")
_LETTERS = re.compile(r"[^\W\d_]+")
_REPEATED = re.compile(r"(.)\1{4}")


def kind_of(text: str) -> Kind:
    """Return the kind of input: `words` for whatever may be a request. Takes time linear in the length of the text."""
    text = text.strip()
    visible = [letter for letter in text if not letter.isspace() and unicodedata.category(letter) not in _INVISIBLE]
    if not visible:
        return "empty"
    return _wordless(text, visible) or _markup(text) or ("gibberish" if _is_gibberish(text) else "words")


def reply_to(kind: Kind) -> str | None:
    """Return the answer to input of a kind, and None for words."""
    replies: dict[str, str] = _file()["replies"]
    return replies.get(kind)


def _wordless(text: str, visible: Sequence[str]) -> Kind | None:
    """Return the kind of text without words, or with a single letter."""
    chunks = text.split()
    if all(_EMOTICON.fullmatch(chunk) or _is_emoji(chunk) for chunk in chunks):
        return "emoji"
    # "2+2=" is a question, "42" is none.
    if _NUMBER.fullmatch(text) and any(map(str.isdigit, text)):
        return None if _SUM.search(text) else "number_only"
    if len(visible) == 1 and ord(visible[0]) < _FIRST_IDEOGRAPH:
        return "too_short"
    if not any(letter.isalnum() for letter in visible):
        return "emoji" if any(_is_emoji(chunk) for chunk in chunks) else "too_short"
    return "url_only" if all(_URL.fullmatch(chunk) for chunk in chunks) else None


def _is_emoji(chunk: str) -> bool:
    """Return whether a chunk has a picture, and besides at most its modifiers and punctuation."""
    kinds = [unicodedata.category(letter) for letter in chunk]
    return "So" in kinds and not any(kind[0] in "LN" for kind in kinds)


def _markup(text: str) -> Kind | None:
    """Return the kind of text in a language that is no people's."""
    lowered = text.lower()
    if _is_statement(text, lowered) or _has_any(text, lowered, _file()["sql"]["injections"]):
        return "sql"
    # Code with a request behind it: "{…} please add this as a note to Ann".
    if "}" in text and _is_lead_in(text.rpartition("}")[2]):
        return None
    tags = list(_TAG.finditer(text))
    if tags and _is_html(tags) and not _is_lead_in(text[: tags[0].start()]):
        return "html"
    return "code" if _is_code(text, lowered) else None


def _is_code(text: str, lowered: str) -> bool:
    code = _file()["code"]
    if _is_json(text) or (text[0] == "{" and text[-1] == "}") or _has_any(text, lowered, code["signs"]):
        return True
    if lowered.startswith(tuple(code["begin"])) and _BLOCK.search(text):
        return True
    brackets = list(_BRACKET.finditer(text))
    is_dense = len(brackets) >= max(_MIN_BRACKETS, _MAX_BRACKET_SHARE * len(text))
    return is_dense and not _is_lead_in(text[: brackets[0].start()])


def _has_any(text: str, lowered: str, signs: Sequence[str]) -> bool:
    """Return whether one of the signs is in the text, other than inside a sentence."""
    places = [place for sign in signs if (place := lowered.find(sign)) >= 0]
    return bool(places) and not _is_lead_in(text[: min(places)])


def _is_lead_in(text: str) -> bool:
    """Return whether a text is the beginning of a sentence, and does not ask to run what follows."""
    words = [word for piece in text.lower().split() if (word := piece.strip(":,.'\"")).isalpha()]
    # "Please run this for me: …" is no text of a note.
    if _set("code", "run").intersection(words):
        return False
    return len(words) >= _MIN_LEAD_IN_WORDS or (
        len(words) >= _MIN_WORDS_BEFORE_COLON and text.rstrip("'\"` ").endswith(":")
    )


def _is_statement(text: str, lowered: str) -> bool:
    """Return whether a text begins as an SQL statement and goes on as no English sentence does."""
    sql = _file()["sql"]
    statement = next((begin for begin in sql["statements"] if lowered.startswith(begin + " ")), None)
    parts = lowered.replace(";", " ").split()
    if statement is None or _set("sql", "never").intersection(parts[1:]):
        return False
    if statement in sql["short"] and len(parts) < _MAX_STATEMENT_WORDS:
        return True
    # Keywords alone in capitals, as nobody types a sentence.
    if "SELECT " in text and " FROM " in text and text != text.upper():
        return True
    has_mark = text.endswith(";") or any(mark in lowered for mark in sql["marks"])
    # "Update deals set up last week" is English, and has no mark of SQL.
    if statement == "update":
        return has_mark and parts[2:3] == ["set"]
    return has_mark and (statement not in ("select", "with") or "from" in parts)


def _is_html(tags: Sequence[re.Match[str]]) -> bool:
    names = [(tag[1] or "!").lower() for tag in tags]
    html_names = [name for name in names if name == "!" or name in _set("html", "tags")]
    has_attribute = any("=" in (tag[2] or "") for tag in tags if (tag[1] or "").lower() in html_names)
    return (
        len(html_names) > 1 or has_attribute or any(name == "!" or name in _set("html", "sure") for name in html_names)
    )


def _is_json(text: str) -> bool:
    if text[0] not in "{[":
        return False
    try:
        msgspec.json.decode(text)
    except (msgspec.DecodeError, RecursionError):
        return False
    return True


def _is_gibberish(text: str) -> bool:
    """Return whether no word is known, and all that are long enough look like slips over the keyboard."""
    chunks = _LETTERS.findall(text.replace("’", "").replace("'", ""))
    if (
        not chunks
        or any(not word.isascii() or _is_known(word.lower()) for word in chunks)
        or any(map(str.isdigit, text))
    ):
        return False
    judged = [word for word in chunks if len(word) >= _MIN_JUDGED_LENGTH]
    return bool(judged) and all(_looks_random(word.lower()) for word in judged)


def _is_known(word: str) -> bool:
    return words.is_common(word) or word in words.chat_spelling() or word in _set("gibberish", "words")


def _looks_random(word: str) -> bool:
    if _REPEATED.search(word) or len(set(word)) < _MIN_VARIED_LETTERS:
        return True
    pairs = [f" {word}"[place : place + 2] for place in range(len(word))]
    neighbours = sum(pair in _neighbours() for pair in pairs[1:])
    # "asdfgh", "qwertz".
    if neighbours >= _MIN_NEIGHBOURS * (len(pairs) - 1):
        return True
    vowels = sum(letter in "aeiouy" for letter in word) / len(word)
    if len(word) > _MIN_JUDGED_LENGTH and vowels < _MAX_ROW_VOWELS and any(set(word) <= row for row in _rows()):
        return True
    rare_share = sum(_pairs()[pair] < _MAX_RARE_COUNT for pair in pairs) / len(pairs)
    return rare_share >= _MIN_ODD_PAIRS or (rare_share >= _MIN_ODD_PAIRS_FEW_VOWELS and vowels < _MAX_ODD_VOWELS)


@cache
def _pairs() -> Counter[str]:
    """Return how many common words have each pair of letters; a blank stands for their beginning."""
    return Counter(f" {word}"[place : place + 2] for word in words.common_words() for place in range(len(word)))


@cache
def _neighbours() -> frozenset[str]:
    rows = [row for line in _file()["gibberish"]["rows"] for row in (line, line[::-1])]
    return frozenset(row[place : place + 2] for row in rows for place in range(len(row) - 1))


@cache
def _rows() -> tuple[frozenset[str], ...]:
    return tuple(map(frozenset, _file()["gibberish"]["rows"]))


@cache
def _set(table: str, key: str) -> frozenset[str]:
    return frozenset(_file()[table][key].split())


@cache
def _file() -> dict[str, Any]:
    path = files("aisha").joinpath("assets", "reader", "input_kinds.toml")
    return tomllib.loads(path.read_text(encoding="utf-8"))
