"""The vectors of one tenant in memory, with exact search for the nearest neighbours."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

INITIAL_CAPACITY = 64


class TenantMatrix:
    """A growing matrix of unit vectors, with the values that they are filtered by. Not safe for threads."""

    def __init__(self, dimensions: int, filters: Sequence[str]) -> None:
        self._size = 0
        self._numbers = np.zeros(INITIAL_CAPACITY, dtype=np.int64)
        self._vectors = np.zeros((INITIAL_CAPACITY, dimensions), dtype=np.float32)
        self._values = np.zeros((len(filters), INITIAL_CAPACITY), dtype=np.int32)
        self._codes: dict[str, dict[Any, int]] = {name: {} for name in filters}

    def append(self, number: int, unit: NDArray[np.float32], values: Sequence[Any]) -> None:
        """Add a vector under a number, with a value for each of the filters."""
        if self._size == len(self._numbers):
            self._grow()
        self._numbers[self._size] = number
        self._vectors[self._size] = unit
        for place, (codes, value) in enumerate(zip(self._codes.values(), values, strict=True)):
            # Values become small integers, which numpy compares for all rows at once.
            self._values[place, self._size] = codes.setdefault(value, len(codes))
        self._size += 1

    def nearest(
        self, unit: NDArray[np.float32], filters: Mapping[str, Any], limit: int, threshold: float | None
    ) -> list[tuple[int, float]]:
        """Return numbers and cosines of those that pass the filters and reach the threshold, the nearest first."""
        places = self._passing(filters)
        scores = np.clip(self._vectors[: self._size][places] @ unit, -1, 1)
        if threshold is not None:
            near = scores >= threshold
            places, scores = places[near], scores[near]
        # Selects the best in linear time, so that only these are sorted.
        if len(scores) > limit:
            best = np.argpartition(-scores, limit)[:limit]
            places, scores = places[best], scores[best]
        # The last key counts most: by score, equal scores in the order of insertion.
        order = np.lexsort((places, -scores))
        return [(int(self._numbers[places[index]]), float(scores[index])) for index in order]

    def _passing(self, filters: Mapping[str, Any]) -> NDArray[np.int64]:
        passing = np.ones(self._size, dtype=bool)
        for place, (name, codes) in enumerate(self._codes.items()):
            if name in filters:
                # A value that no row has gets -1, which no row has either.
                passing &= self._values[place, : self._size] == codes.get(filters[name], -1)
        return np.flatnonzero(passing)

    def _grow(self) -> None:
        self._numbers = np.concatenate([self._numbers, np.zeros_like(self._numbers)])
        self._vectors = np.concatenate([self._vectors, np.zeros_like(self._vectors)])
        self._values = np.concatenate([self._values, np.zeros_like(self._values)], axis=1)
