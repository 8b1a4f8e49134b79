"""Linear models over hashed features, read from small arrays: a classifier, and a sequence model (a linear-chain CRF).

They run in plain Python: a sentence takes a few milliseconds. Numpy would add more to the layer and to a cold start.
"""

import math
from array import array
from bisect import bisect_left
from collections.abc import Sequence
from functools import cache
from importlib.resources import files
from zlib import crc32

import msgspec


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

    def probabilities(self, features: Sequence[str]) -> dict[str, float]:
        """Return the probability of each label, the most probable first."""
        scores = [score / self._temperature for score in self.scores(features)]
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


@cache
def load(name: str) -> LinearModel:
    """Return a model of `assets/reader`, read once."""
    data = files("aisha").joinpath("assets", "reader", f"{name}.bin").read_bytes()
    return LinearModel(msgspec.msgpack.decode(data, type=Arrays))
