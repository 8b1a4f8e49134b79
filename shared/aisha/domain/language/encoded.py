"""A message as models read it: the tags of its tokens, where its segments begin, and the act of each."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Protocol

from aisha.domain.language.models import linear
from aisha.domain.language.models.features import boundary_features, segment_features, token_features
from aisha.domain.language.tokens import Token


class EncodedMessage(Protocol):
    """A message as the sentence encoder reads it."""

    def tags(self) -> list[str]:
        """Return the tag of each token."""
        ...

    def starts(self, tags: Sequence[str]) -> list[int]:
        """Return the places of the tokens that begin a segment, the first token's among them."""
        ...

    def acts(self, first: int, last: int, tags: Sequence[str]) -> list[Mapping[str, float]]:
        """Return the probability of each act for the tokens from `first` to `last` (exclusive), the highest first.

        Where several models read together, what each of them finds by itself follows.
        """
        ...


class Encoder(Protocol):
    """A sentence encoder that is trained to read messages: the local sentence model, where it is loaded anyway."""

    def __hash__(self) -> int: ...

    def read(self, tokens: Sequence[Token], marks: Sequence[Iterable[str]]) -> EncodedMessage: ...


class LinearMessage:
    """A message as the linear models read it, which every place can load."""

    def __init__(self, tokens: Sequence[Token], marks: Sequence[Iterable[str]]) -> None:
        self._tokens, self._marks = tokens, marks

    def tags(self) -> list[str]:
        return linear.load("tags").decode(token_features(self._tokens, self._marks))

    def starts(self, tags: Sequence[str]) -> list[int]:
        labels = linear.load("segments").decode(boundary_features(self._tokens, tags))
        return [place for place, label in enumerate(labels) if label == "S" or place == 0]

    def acts(self, first: int, last: int, tags: Sequence[str]) -> list[Mapping[str, float]]:
        is_first, is_last = first == 0, last == len(self._tokens)
        features = segment_features(self._tokens[first:last], tags[first:last], is_first=is_first, is_last=is_last)
        return [linear.load("acts").probabilities(features)]
