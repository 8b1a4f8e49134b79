"""The words that go with each act, as the training found them outside of slots."""

from functools import cache
from importlib.resources import files

import msgspec


class Vocabulary(msgspec.Struct, frozen=True):
    """`neutral` are stems that go with any act. `by_act` are the stems of each act."""

    neutral: frozenset[str]
    by_act: dict[str, frozenset[str]]


@cache
def load() -> Vocabulary:
    data = files("aisha").joinpath("assets", "reader", "vocabulary.bin").read_bytes()
    return msgspec.msgpack.decode(data, type=Vocabulary)


def explains(act: str, stem: str) -> bool:
    """Return whether a word is usual in orders of an act, and so says nothing that the act does not."""
    words = load()
    return stem in words.neutral or stem in words.by_act.get(act, frozenset())


@cache
def _all() -> frozenset[str]:
    return load().neutral.union(*load().by_act.values())


def is_known(stem: str) -> bool:
    """Return whether a word occurs in orders of any act."""
    return stem in _all()
