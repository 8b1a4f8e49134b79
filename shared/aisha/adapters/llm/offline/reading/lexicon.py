"""The words of salespeople, read from `lexicon.toml`: what the planner knows of English. Data, no logic."""

import tomllib
from importlib.resources import files
from typing import Any

_WORDS: dict[str, Any] = tomllib.loads(files(__package__).joinpath("lexicon.toml").read_text(encoding="utf-8"))
SLANG: dict[str, str] = _WORDS["slang"]
GREETING: tuple[str, ...] = tuple(_WORDS["greeting"])
THANKS: tuple[str, ...] = tuple(_WORDS["thanks"])
BYE: tuple[str, ...] = tuple(_WORDS["bye"])
HELP: tuple[str, ...] = tuple(_WORDS["help"])
NEVER_MIND: tuple[str, ...] = tuple(_WORDS["never_mind"])
YES: tuple[str, ...] = tuple(_WORDS["yes"])
FILLERS: tuple[str, ...] = tuple(_WORDS["fillers"])
CHAT: frozenset[str] = frozenset(_WORDS["chat"])
STOPWORDS: frozenset[str] = frozenset(_WORDS["stopwords"])
SELF_WORDS: frozenset[str] = frozenset(_WORDS["self_words"])
US_STATES: dict[str, str] = dict(_WORDS["us_states"])


def _table(name: str) -> dict[str, tuple[str, ...]]:
    return {key: tuple(words) for key, words in _WORDS[name].items()}


CONCEPTS = _table("concepts")
ACTIVITY_WORDS = _table("activities")
ENUM_WORDS = _table("values")
PRONOUNS = _table("pronouns")
FIELD_WORDS = _table("fields")


def state_code(name: str) -> str:
    """Return `NY` for New York; any other name unchanged."""
    return US_STATES.get(name.lower(), name)
