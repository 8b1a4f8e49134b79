"""The common part of the trainings of linear models: the seed, the rarest features, and the form of the arrays."""

from array import array
from collections.abc import Sequence
from zlib import crc32

from aisha.domain.language.models.linear import Arrays

SEED = 11
MIN_COUNT = 3
"""Features seen less often are left out."""


def without_small(rows: dict[str, list[float]], least: float) -> dict[str, list[float]]:
    """Return the weights of the features that have one of at least `least`."""
    return {feature: row for feature, row in rows.items() if max(map(abs, row)) >= least}


def pack(
    labels: Sequence[str],
    rows: dict[str, list[float]],
    transitions: list[list[float]] | None = None,
    bias: Sequence[float] = (),
    temperature: float = 1.0,
) -> Arrays:
    """Return the arrays of weights by feature."""
    # Hashes in place of the features' texts; sorted, so that of two with one hash always the same remains.
    by_hash = {crc32(key.encode()): row for key, row in sorted(rows.items())}
    # The greatest weight becomes the greatest 16-bit number: the file is a quarter of one with floats.
    top = max((abs(weight) for row in by_hash.values() for weight in row), default=1.0)
    scale = round(top / 32767, 10) or 1e-10
    quantised_rows = {
        code: quantised for code, row in by_hash.items() if any(quantised := [round(weight / scale) for weight in row])
    }
    codes = sorted(quantised_rows)
    return Arrays(
        list(labels),
        array("I", codes).tobytes(),
        array("h", [max(-32767, min(32767, weight)) for code in codes for weight in quantised_rows[code]]).tobytes(),
        scale,
        [round(value, 6) for value in bias] or [0.0] * len(labels),
        [[round(value, 6) for value in row] for row in transitions or []],
        temperature,
    )
