"""Change the first message of a conversation as people do, with what is then expected; the same each time for a seed.

The words are those of perturbations.toml.
"""

import re
import tomllib
from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from functools import cache
from pathlib import Path
from random import Random
from typing import Any

from aisha.domain.crm.records import Record
from infra.local.demo.data import demo_records
from tests.support.dialogue.conversations import CONVERSATIONS, NOW

WORDS = tomllib.loads((Path(__file__).parent / "perturbations.toml").read_text(encoding="utf-8"))
SYNONYMS: dict[str, list[str]] = WORDS["synonyms"]
NEVER_MISSPELLED = frozenset(WORDS["never_misspelled"].split())
NAME_FIELDS = ("first_name", "last_name", "company", "name", "job_title", "industry", "address")
NOT_TEXT = ("activity_type", "status", "related")
"""Expected fields whose values are not words of the message."""
MOST_SYNONYMS = 2
VARIANTS = 3
"""Conversations that use an ordinary word."""
_WORD = re.compile(r"(?<![\w@.'’\"-])[A-Za-z][a-z]{4,}(?!\w|[@'’\"-]|\.\w)")
_SYNONYM = re.compile(
    r"(?<![\w@.'’\"-])(" + "|".join(sorted(map(re.escape, SYNONYMS), key=len, reverse=True)) + r")(?!\w|[@'’\"-]|\.\w)",
    re.IGNORECASE,
)
_ARTICLE = re.compile(
    r"\ban? (?=(" + "|".join(sorted({word.split()[0] for words in SYNONYMS.values() for word in words})) + r")\b)"
)
_EDGE = re.compile(r"[.,;:!?)\"“”…]+(?=\s|$)|(?<=\s)[\"“”(]|^[\"“”(]|(?<=\w)['’](?=\w)")

Turn = dict[str, Any]
Perturbation = Callable[[Turn, Random], Turn | None]
"""Return the changed first turn, or None where it does not apply."""


def perturbed(conversation: Mapping[str, Any], name: str, seed: int = 1) -> dict[str, Any] | None:
    """Return the conversation with its first message changed, or None where the perturbation does not apply.

    Of an order that is taken back, and of two joined asks, only the first turn is left: what follows may refer to it.
    """
    first, *rest = conversation["turns"]
    if conversation["category"] == "other-language" and name not in ("lower case", "capital letters"):
        return None
    turn = PERTURBATIONS[name](first, Random(f"{seed} {name} {conversation['id']}"))
    if turn is None or turn["say"] == first["say"]:
        return None
    return {**conversation, "turns": [turn] if name in FIRST_TURN_ONLY else [turn, *rest]}


def _context_before(turn: Turn, random: Random) -> Turn:
    return {**turn, "say": f"{random.choice(WORDS['contexts'])} {turn['say']}"}


def _tail_after(turn: Turn, random: Random) -> Turn:
    end = "" if turn["say"].rstrip()[-1] in ".!?" else "."
    return {**turn, "say": f"{turn['say'].rstrip()}{end} {random.choice(WORDS['tails'])}"}


def _synonyms(turn: Turn, random: Random) -> Turn:
    message, fixed = turn["say"], _expected_words(turn)
    matches = [one for one in _SYNONYM.finditer(message) if not fixed & set(one[0].lower().split())]
    matches = [one for one in matches if one[0].islower() or (one.start() == 0 and one[0][1:].islower())]
    for one in sorted(random.sample(matches, min(MOST_SYNONYMS, len(matches))), key=lambda one: -one.start()):
        other = random.choice(SYNONYMS[one[0].lower()])
        message = message[: one.start()] + (other if one[0].islower() else other.capitalize()) + message[one.end() :]
    return {**turn, "say": _ARTICLE.sub(lambda article: "an " if article[1][0] in "aeio" else "a ", message)}


def _typing_slip(turn: Turn, random: Random) -> Turn | None:
    """Swap or double a letter in one word that is neither a name nor a value nor grammar."""
    message = turn["say"]
    protected_words = _expected_words(turn) | _names() | NEVER_MISSPELLED
    matches = [one for one in _WORD.finditer(message) if one[0].islower() or one.start() == 0]
    matches = [
        one for one in matches if one[0].lower() in _ordinary_words() and not _is_among(one[0].lower(), protected_words)
    ]
    if not matches:
        return None
    word = random.choice(matches)
    return {**turn, "say": message[: word.start()] + _misspelled(word[0], random) + message[word.end() :]}


def _misspelled(word: str, random: Random) -> str:
    places = [place for place in range(1, len(word) - 1) if word[place] != word[place + 1]]
    place = random.choice(places)
    if random.random() < 0.5:
        return word[:place] + word[place] + word[place:]
    return word[:place] + word[place + 1] + word[place] + word[place + 2 :]


def _lower_case(turn: Turn, random: Random) -> Turn:
    return {**turn, "say": " ".join(_EDGE.sub("", turn["say"]).lower().split())}


def _capital_letters(turn: Turn, random: Random) -> Turn:
    return {**turn, "say": turn["say"].upper()}


def _two_asks(turn: Turn, random: Random) -> Turn:
    read, expect = random.choice(WORDS["reads"]), turn["expect"]
    says = [*expect.get("says", ()), *read["says"]]
    return {"say": f"{turn['say'].rstrip(' .!?')} and also {read['say']}?", "expect": {**expect, "says": says}}


def _taken_back(turn: Turn, random: Random) -> Turn | None:
    if not turn["expect"].get("changes"):
        return None
    message = turn["say"].rstrip(" .!?") + random.choice(WORDS["corrections"])
    return {"say": message, "expect": {"changes": []}}


TWO_ASKS, TAKEN_BACK = "two asks", "taken back"
FIRST_TURN_ONLY = (TWO_ASKS, TAKEN_BACK)

PERTURBATIONS: dict[str, Perturbation] = {
    "context before": _context_before,
    "tail after": _tail_after,
    "synonyms": _synonyms,
    "typing slip": _typing_slip,
    "lower case": _lower_case,
    "capital letters": _capital_letters,
    TWO_ASKS: _two_asks,
    TAKEN_BACK: _taken_back,
}


def _is_among(word: str, words: Iterable[str]) -> bool:
    """Return whether the word is one of these, or one with an ending."""
    return any(word == one or (len(one) > 3 and word.startswith(one)) for one in words)


def _expected_words(turn: Turn) -> set[str]:
    """Return the words of the names and texts that the turn is expected to write or say."""
    expect = turn.get("expect", {})
    texts = [*expect.get("says", ()), *expect.get("not_says", ())]
    for change in expect.get("changes", ()):
        texts += [str(change.get(kind, "")) for kind in ("changed", "deleted")]
        values = change.get("with") or change.get("to") or {}
        texts += [str(value) for name, value in values.items() if name not in NOT_TEXT or "@" in str(value)]
    return _words_of(texts)


@cache
def _names() -> frozenset[str]:
    """Return the words of the names and addresses in the demo data."""
    records: Iterable[Record] = demo_records("demo", NOW)
    return frozenset(_words_of(str(getattr(record, name, None) or "") for record in records for name in NAME_FIELDS))


@cache
def _ordinary_words() -> frozenset[str]:
    """Return the words that several conversations of the regression set use: none is a new person's name."""
    message = (" ".join(turn["say"] for turn in one["turns"]) for one in CONVERSATIONS.values())
    used = Counter(word for text in message for word in _words_of([text]))
    return frozenset(word for word, count in used.items() if count >= VARIANTS)


def _words_of(texts: Iterable[str]) -> set[str]:
    return {word.lower() for text in texts for word in re.findall(r"[^\W\d_]{3,}", text)}
