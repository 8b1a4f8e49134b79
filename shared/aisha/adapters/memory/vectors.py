"""Validation and scaling of vectors for both memory stores."""

import math
from collections.abc import Sequence

from aisha.domain.errors import InvalidInputError


def unit_vectors(vectors: Sequence[Sequence[float]], count: int, dimensions: int) -> list[list[float]]:
    """Return the vectors scaled to length 1.

    Raises `InvalidInputError` when there are not `count` of them, and for one that does not have `dimensions` numbers,
    is not finite, or is all zero.
    """
    if [len(vector) for vector in vectors] != [dimensions] * count:
        raise InvalidInputError(f"Memory takes {count} vectors of {dimensions} numbers, one for each text")
    return [_scaled(vector) for vector in vectors]


def _scaled(vector: Sequence[float]) -> list[float]:
    length = math.hypot(*vector)
    if not length or not math.isfinite(length):
        raise InvalidInputError("A vector for memory must be finite and not all zero")
    return [number / length for number in vector]
