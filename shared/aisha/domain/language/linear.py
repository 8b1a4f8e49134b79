"""Linear models over hashed features, read from small arrays: a classifier, and a sequence model (a linear-chain CRF).

They run in plain Python: a sentence takes a few milliseconds. Numpy would add more to the layer and to a cold start.
"""

import math
from array import array
from bisect import bisect_left
from collections.abc import Sequence
from functools import cache
from importlib.resources import files
from operator import mul
from zlib import crc32

import msgspec


class DenseArrays(msgspec.Struct, frozen=True):
    """A classifier of vectors as stored: `weights` are float32, a row of the vector's length for each label."""

    labels: list[str]
    weights: bytes
    bias: list[float]
    temperature: float = 1.0
    """Divides the sum of the scores of both classifiers."""


class Arrays(msgspec.Struct, frozen=True):
    """A model as stored. `hashes` are the sorted CRC-32 of its features (uint32, little endian); each has a row of
    `weights` (int16), one for a label, in units of `scale`. `transitions` are the weights from label to label, by row;
    empty for a classifier. `temperature` divides the scores of a classifier.
    """

    labels: list[str]
    hashes: bytes
    weights: bytes
    scale: float
    bias: list[float]
    transitions: list[list[float]]
    temperature: float = 1.0


class LinearModel:
    """Scores labels by the sum of the weights of the features present."""

    def __init__(self, arrays: Arrays) -> None:
        self.labels = tuple(arrays.labels)
        self._hashes = array("I", arrays.hashes)
        self._weights = array("h", arrays.weights)
        self._scale = arrays.scale
        self._bias = arrays.bias
        self._transitions = arrays.transitions
        self._temperature = arrays.temperature

    def scores(self, features: Sequence[str]) -> list[float]:
        """Return the score of each label; unknown features count nothing."""
        width, hashes, weights = len(self.labels), self._hashes, self._weights
        rows = []
        for feature in features:
            code = crc32(feature.encode())
            place = bisect_left(hashes, code)
            if place < len(hashes) and hashes[place] == code:
                rows.append(weights[place * width : (place + 1) * width])
        if not rows:
            return list(self._bias)
        return [
            total * self._scale + bias
            for total, bias in zip(map(sum, zip(*rows, strict=True)), self._bias, strict=True)
        ]

    def probabilities(
        self, features: Sequence[str], vector: Sequence[float] = (), dense: "DenseModel | None" = None
    ) -> dict[str, float]:
        """Return the probability of each label, the most probable first.

        With a `vector` of the sentence the scores of a `dense` model of the same labels are added.
        """
        scores, temperature = self.scores(features), self._temperature
        if dense is not None:
            scores = [one + other for one, other in zip(scores, dense.scores(vector), strict=True)]
            temperature = dense.temperature
        scores = [score / temperature for score in scores]
        top = max(scores)
        powers = [math.exp(score - top) for score in scores]
        total = sum(powers)
        ranked = sorted(zip(powers, self.labels, strict=True), reverse=True)
        return {label: power / total for power, label in ranked}

    def decode(self, sequence: Sequence[Sequence[str]]) -> list[str]:
        """Return the best labels of a sequence of tokens, each given by its features (Viterbi)."""
        if not sequence:
            return []
        count = range(len(self.labels))
        best = self.scores(sequence[0])
        back: list[list[int]] = []
        columns = [[row[label] for row in self._transitions] for label in count]
        for features in sequence[1:]:
            step, origins = [], []
            for column, score in zip(columns, self.scores(features), strict=True):
                paths = [path + weight for path, weight in zip(best, column, strict=True)]
                highest = max(paths)
                step.append(highest + score)
                origins.append(paths.index(highest))
            best = step
            back.append(origins)
        place = max(count, key=best.__getitem__)
        path = [place]
        for origins in reversed(back):
            place = origins[place]
            path.append(place)
        return [self.labels[place] for place in reversed(path)]


class DenseModel:
    """Scores labels by the products of a vector with the weights."""

    def __init__(self, arrays: DenseArrays) -> None:
        self.labels, self.temperature, self._bias = tuple(arrays.labels), arrays.temperature, arrays.bias
        weights = array("f", arrays.weights)
        width = len(weights) // len(self.labels)
        self._rows = [weights[place * width : (place + 1) * width] for place in range(len(self.labels))]

    def scores(self, vector: Sequence[float]) -> list[float]:
        """Return the score of each label."""
        return [sum(map(mul, row, vector)) + bias for row, bias in zip(self._rows, self._bias, strict=True)]


@cache
def load_dense(name: str) -> DenseModel:
    """Return a classifier of vectors of `assets/reader`, read once."""
    data = files("aisha").joinpath("assets", "reader", f"{name}.bin").read_bytes()
    return DenseModel(msgspec.msgpack.decode(data, type=DenseArrays))


@cache
def load(name: str) -> LinearModel:
    """Return a model of `assets/reader`, read once."""
    data = files("aisha").joinpath("assets", "reader", f"{name}.bin").read_bytes()
    return LinearModel(msgspec.msgpack.decode(data, type=Arrays))
