"""The training of the model that names the act of a segment, and of the truth of its probabilities."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from scipy.sparse import csr_matrix

from aisha.domain.language.models.features import segment_features
from aisha.domain.language.models.linear import Arrays, LinearModel
from infra.planner.labelled import Message
from infra.planner.packing import MIN_COUNT, SEED, pack, without_small

EPOCHS, BATCH, RATE, DECAY = 10, 256, 0.3, 1e-5
"""The training of the acts."""
MIN_WEIGHT = 0.1
"""Features whose weights are all smaller say too little to be kept."""
BOUNDS = (0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9)
"""Probabilities whose figures are written."""

type ActRows = list[tuple[list[str], str]]


@dataclass(frozen=True)
class SegmentRow:
    """A segment to learn from: its features and its act. `is_plain`: no variant of another."""

    features: list[str]
    act: str
    is_plain: bool


def act_rows(message: Message, tags: Sequence[str], *, is_plain: bool = True) -> list[SegmentRow]:
    """Return what there is to learn from the segments of a message."""
    count, rows = len(message.segments), []
    for place, one in enumerate(message.segments):
        tokens, labels = message.tokens[one.first : one.last], tags[one.first : one.last]
        features = segment_features(tokens, labels, is_first=place == 0, is_last=place == count - 1)
        rows.append(SegmentRow(features, one.act, is_plain))
    return rows


def train_acts(rows: ActRows, temperature: float = 1.0, min_weight: float = MIN_WEIGHT) -> Arrays:
    """Return a multinomial logistic regression of the features of segments.

    It is trained by AdaGrad (Duchi et al., 2011) with a learning rate a feature, in batches: as good as L-BFGS on new
    voices, in a tenth of its time.
    """
    counts = Counter(feature for features, _ in rows for feature in features)
    columns = {
        key: place for place, key in enumerate(sorted(key for key, count in counts.items() if count >= MIN_COUNT))
    }
    labels = sorted({act for _, act in rows})
    matrix, truth = _matrix(rows, columns), np.array([labels.index(act) for _, act in rows])
    weights, squares = np.zeros((len(columns), len(labels)), np.float32), np.full((len(columns), 1), 1e-3, np.float32)
    bias, rng = np.zeros(len(labels), np.float32), np.random.default_rng(SEED)
    for epoch in range(EPOCHS):
        order, rate = rng.permutation(len(truth)), RATE * (1 - epoch / EPOCHS)
        for start in range(0, len(order), BATCH):
            chosen = order[start : start + BATCH]
            batch = matrix[chosen]
            # Only the rows of features that the batch has are computed.
            used, places = np.unique(batch.indices, return_inverse=True)
            batch = csr_matrix((batch.data, places, batch.indptr), shape=(len(chosen), len(used)))
            scores = batch @ weights[used] + bias
            errors = np.exp(scores - scores.max(axis=1, keepdims=True))
            errors /= errors.sum(axis=1, keepdims=True)
            errors[np.arange(len(chosen)), truth[chosen]] -= 1
            errors /= len(chosen)
            gradient = batch.T @ errors + DECAY * weights[used]
            squares[used] += (gradient**2).sum(axis=1, keepdims=True)
            weights[used] -= rate * gradient / np.sqrt(squares[used])
            bias -= rate * errors.sum(axis=0)
    rows_by_feature = {feature: [float(value) for value in weights[place]] for feature, place in columns.items()}
    rows_by_feature = without_small(rows_by_feature, min_weight)
    return pack(labels, rows_by_feature, bias=[float(value) for value in bias], temperature=temperature)


def _matrix(rows: ActRows, columns: dict[str, int]) -> csr_matrix:
    indices = [[columns[feature] for feature in features if feature in columns] for features, _ in rows]
    flat = np.array([place for row in indices for place in row], dtype=np.int32)
    return csr_matrix(
        (np.ones(len(flat), np.float32), flat, np.cumsum([0, *map(len, indices)])), shape=(len(rows), len(columns))
    )


def calibrate(folds: Sequence[Sequence[SegmentRow]]) -> tuple[float, dict[str, float]]:
    """Return the temperature that makes the probabilities of new voices true, and figures.

    Each fold is read by a model of the others; variants are not counted.
    """
    scored, acts = [], []
    # Of messages that a model was trained with its probabilities are too high.
    for place, held in enumerate(folds):
        rest = [row for other, rows in enumerate(folds) if other != place for row in rows]
        model = LinearModel(train_acts([(row.features, row.act) for row in rest]))
        for row in held:
            if row.is_plain and row.act in model.labels:
                scored.append(model.scores(row.features))
                acts.append(model.labels.index(row.act))
    scores, truth = np.array(scored), np.array(acts)

    def loss(temperature: float) -> float:
        shifted = scores / temperature
        shifted -= shifted.max(axis=1, keepdims=True)
        return float(-(shifted[np.arange(len(truth)), truth] - np.log(np.exp(shifted).sum(axis=1))).mean())

    best = min((round(0.3 + step / 20, 2) for step in range(60)), key=loss)
    powers = np.exp((scores - scores.max(axis=1, keepdims=True)) / best)
    probability = (powers / powers.sum(axis=1, keepdims=True)).max(axis=1)
    right = scores.argmax(axis=1) == truth
    figures = {"segments": len(acts), "right": round(float(right.mean()), 4)}
    for bound in BOUNDS:
        above = probability >= bound
        figures[f"share from {bound}"] = round(float(above.mean()), 4)
        figures[f"right from {bound}"] = round(float(right[above].mean()), 4)
    return best, figures
