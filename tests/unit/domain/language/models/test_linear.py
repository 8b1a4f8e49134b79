"""Linear models over hashed features: scores, probabilities and the best path of labels."""

import math
from array import array
from zlib import crc32

from aisha.domain.language.models.linear import Arrays, LinearModel


def arrays(
    rows: dict[str, list[int]], transitions: list[list[float]] | None = None, temperature: float = 1.0
) -> Arrays:
    by_hash = sorted((crc32(feature.encode()), row) for feature, row in rows.items())
    return Arrays(
        ["A", "B"],
        array("I", [code for code, _ in by_hash]).tobytes(),
        array("h", [weight for _, row in by_hash for weight in row]).tobytes(),
        0.5,
        [0.0, 1.0],
        transitions or [],
        temperature,
    )


def test_a_score_is_the_sum_of_the_known_features_and_the_bias() -> None:
    model = LinearModel(arrays({"x": [2, 0], "y": [2, -4]}))
    assert model.scores(["x", "y", "never seen"]) == [2.0, -1.0]


def test_without_a_known_feature_the_bias_decides() -> None:
    assert next(iter(LinearModel(arrays({"x": [2, 0]})).probabilities([]))) == "B"


def test_probabilities_are_ordered_and_sum_to_one() -> None:
    probabilities = LinearModel(arrays({"x": [8, 0]})).probabilities(["x"])
    assert list(probabilities) == ["A", "B"]
    assert math.isclose(sum(probabilities.values()), 1.0)


def test_a_higher_temperature_is_less_sure() -> None:
    cold, warm = (LinearModel(arrays({"x": [8, 0]}, temperature=one)) for one in (1.0, 3.0))
    assert cold.probabilities(["x"])["A"] > warm.probabilities(["x"])["A"]


def test_the_best_path_heeds_the_transitions() -> None:
    rows = {"a": [4, 0], "b": [1, 0]}
    free = LinearModel(arrays(rows))
    assert LinearModel(arrays(rows, [[0.0, 0.0], [0.0, 0.0]])).decode([["a"], ["b"]]) == ["A", "B"]
    assert LinearModel(arrays(rows, [[0.0, -9.0], [0.0, 0.0]])).decode([["a"], ["b"]]) == ["A", "A"]
    assert free.decode([]) == []
