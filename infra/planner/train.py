"""Train the reader of the offline planner: `python -m infra.planner.train` (`make train-planner`).

Reads the labelled sentences of `infra/planner/data`, and writes the models and `training.json` into `assets/reader`.
"""

import json
import random
import tempfile
from array import array
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from zlib import crc32

import msgspec
import numpy as np
import pycrfsuite
from scipy.sparse import csr_matrix

from aisha.domain.language.marks import marks_of
from aisha.domain.language.models.features import boundary_features, segment_features, token_features
from aisha.domain.language.models.linear import Arrays, LinearModel
from aisha.domain.language.vocabulary import MIN_MISSPELT, Vocabulary
from aisha.domain.language.words import is_common
from infra.planner.augment import variants
from infra.planner.labelled import ASSETS, DATA, Message, parse

SEED = 11
FOLDS = 3
MIN_COUNT = 3
"""Features seen less often are left out."""
MAX_ITERATIONS = 15
"""Passes over the data of the sequence models: more do not read new voices better."""
BROKEN = -9.0
"""The weight of a slot that goes on without having begun."""
EPOCHS, BATCH, RATE, DECAY = 10, 256, 0.3, 1e-5
"""The training of the acts."""
MIN_WEIGHT = 0.1
"""Features whose weights are all smaller say too little to be kept."""
MIN_ACT_WEIGHT, MIN_TAG_WEIGHT = 0.15, 0.01
"""The same for the acts and the tagger that are shipped: they are half as large, and read new voices as well."""
BOUNDS = (0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9)
"""Probabilities whose figures are written."""
MIN_WORDS = 2
"""Words seen less often with an act do not explain it."""
MIN_SPELLINGS = 3
"""Words seen less often are not what a slip of the keyboard meant."""
MIN_UNCOMMON = 10
"""As many for a word that is none of the common ones: it may be a slip itself."""
CLOSED_TAGS = ("O", "field", "ref", "when")
NEUTRAL_ACTS = 12
"""A word of this many acts says nothing about an act."""
KNOWN_SHARE = 0.3
"""The share of messages in which the names are marked as spoken of before."""
NAME_TAGS = frozenset(("name", "org"))


def lines_by_voice() -> dict[str, list[str]]:
    """Return the labelled lines of each voice."""
    return {
        path.stem: [line for line in path.read_text(encoding="utf-8").splitlines() if line.strip() and line[0] != "#"]
        for path in sorted(DATA.glob("*.txt"))
    }


def with_variants(lines: Sequence[str], voice: str) -> list[Message]:
    """Return the messages of the lines and of their variants."""
    rng = random.Random(f"{SEED}{voice}")
    messages = []
    for line in lines:
        messages.append(parse(line, voice))
        for variant in variants(line, rng, lines):
            try:
                messages.append(parse(variant, voice, is_plain=False))
            except ValueError:
                continue  # a change broke the line's form
    return messages


def marks(message: Message, rng: random.Random) -> list[list[str]]:
    named = [
        token.word
        for token, tag in zip(message.tokens, message.tags, strict=True)
        if tag[2:] in NAME_TAGS and token.kind == "word"
    ]
    return marks_of(message.tokens, named if rng.random() < KNOWN_SHARE else ())


type Voices = dict[str, list[str]]
type Rows = list[tuple[list[list[str]], list[str]]]


def train_crf(
    rows: Rows, to_label: Sequence[list[list[str]]] = (), min_weight: float = 0.0
) -> tuple[Arrays, list[list[str]]]:
    """Return a linear-chain CRF of sequences of features and labels, and the labels that it gives to others.

    It is trained by the passive-aggressive algorithm (Crammer et al., 2006): a tenth of the time of the usual L-BFGS,
    and slots of new voices found better (F1 0.72 against 0.70 after 200 iterations).
    """
    trainer = pycrfsuite.Trainer("pa", verbose=False)
    for features, labels in rows:
        trainer.append(features, labels)
    trainer.set_params({"max_iterations": MAX_ITERATIONS, "feature.minfreq": MIN_COUNT})
    with tempfile.TemporaryDirectory() as folder:
        path = str(Path(folder) / "model")
        trainer.train(path)
        tagger = pycrfsuite.Tagger()
        tagger.open(path)
        info, labelled = tagger.info(), [tagger.tag(features) for features in to_label]
        tagger.close()
    labels = sorted(info.labels)
    rows_by_feature: dict[str, dict[str, float]] = defaultdict(dict)
    for (feature, label), weight in info.state_features.items():
        rows_by_feature[feature][label] = weight
    transitions = [
        [float(info.transitions.get((one, other), BROKEN if is_broken(one, other) else 0.0)) for other in labels]
        for one in labels
    ]
    weights = {key: [row.get(label, 0.0) for label in labels] for key, row in rows_by_feature.items()}
    return pack(labels, without_small(weights, min_weight), transitions), labelled


def without_small(rows: dict[str, list[float]], least: float) -> dict[str, list[float]]:
    """Return the weights of the features that have one of at least `least`."""
    return {feature: row for feature, row in rows.items() if max(map(abs, row)) >= least}


def is_broken(one: str, other: str) -> bool:
    """Return whether a slot would go on that has not begun."""
    return other.startswith("I-") and one[2:] != other[2:]


def pack(
    labels: Sequence[str],
    rows: dict[str, list[float]],
    transitions: list[list[float]] | None = None,
    bias: Sequence[float] = (),
    temperature: float = 1.0,
) -> Arrays:
    """Return the arrays of weights by feature."""
    by_hash = {crc32(key.encode()): row for key, row in sorted(rows.items())}
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


def boundary_labels(message: Message) -> list[str]:
    starts = {segment.first for segment in message.segments}
    return ["S" if place in starts else "-" for place in range(len(message.tokens))]


def act_rows(message: Message, tags: Sequence[str], *, is_plain: bool = True) -> "list[SegmentRow]":
    """Return what there is to learn from the segments of a message."""
    count, rows = len(message.segments), []
    for place, one in enumerate(message.segments):
        tokens, labels = message.tokens[one.first : one.last], tags[one.first : one.last]
        features = segment_features(tokens, labels, is_first=place == 0, is_last=place == count - 1)
        rows.append(SegmentRow(features, one.act, is_plain))
    return rows


type ActRows = list[tuple[list[str], str]]


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


@dataclass(frozen=True)
class SegmentRow:
    """A segment to learn from: its features and its act. `is_plain`: no variant of another."""

    features: list[str]
    act: str
    is_plain: bool


def calibrate(folds: Sequence[Sequence[SegmentRow]]) -> tuple[float, dict[str, float]]:
    """Return the temperature that makes the probabilities of new voices true, and figures.

    Each fold is read by a model of the others; variants are not counted.
    """
    found, acts = [], []
    for place, held in enumerate(folds):
        rest = [row for other, rows in enumerate(folds) if other != place for row in rows]
        model = LinearModel(train_acts([(row.features, row.act) for row in rest]))
        for row in held:
            if row.is_plain and row.act in model.labels:
                found.append(model.scores(row.features))
                acts.append(model.labels.index(row.act))
    scores, truth = np.array(found), np.array(acts)

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


def vocabulary(found: Iterable[Message]) -> Vocabulary:
    """Return the stems that stand outside of slots: those of many acts as neutral, the others by act; and spellings."""
    by_act: dict[str, Counter[str]] = defaultdict(Counter)
    spellings: Counter[str] = Counter()
    for message in found:
        spellings.update(
            token.word
            for token, tag in zip(message.tokens, message.tags, strict=True)
            if token.kind == "word" and token.word.isalpha() and tag.rpartition("-")[2] in CLOSED_TAGS
        )
        for segment in message.segments:
            places = range(segment.first, segment.last)
            by_act[segment.act].update(
                {
                    message.tokens[place].stem
                    for place in places
                    if message.tags[place] == "O" and message.tokens[place].kind == "word"
                }
            )
    spread = Counter(stem for counts in by_act.values() for stem, count in counts.items() if count >= MIN_WORDS)
    neutral = frozenset(stem for stem, count in spread.items() if count >= NEUTRAL_ACTS)
    return Vocabulary(
        neutral,
        {
            act: frozenset(stem for stem, count in counts.items() if count >= MIN_WORDS) - neutral
            for act, counts in sorted(by_act.items())
        },
        tuple(
            word
            for word, count in sorted(spellings.items(), key=lambda pair: (-pair[1], pair[0]))
            if len(word) >= MIN_MISSPELT - 1 and count >= (MIN_SPELLINGS if is_common(word) else MIN_UNCOMMON)
        ),
    )


def _tags_of_fold(job: tuple[Voices, list[str], list[str]]) -> tuple[Arrays, list[list[str]]]:
    """Train a tagger on some voices, without variants, and label the messages of the held ones, with variants."""
    lines, voices, held_out = job
    rng = random.Random(f"{SEED}{held_out}")
    messages = [
        message
        for name in voices
        for message in (with_variants(lines[name], name) if not held_out else plain(lines[name], name))
    ]
    rows = [(token_features(one.tokens, marks(one, rng)), list(one.tags)) for one in messages]
    others = [
        token_features(one.tokens, marks(one, rng)) for name in held_out for one in with_variants(lines[name], name)
    ]
    return train_crf(rows, others, MIN_TAG_WEIGHT)


def plain(lines: Sequence[str], voice: str) -> list[Message]:
    """Return the messages of the lines."""
    return [parse(line, voice) for line in lines]


def train(lines: Voices) -> tuple[dict[str, Arrays], dict[str, float]]:
    """Return the models of these voices by name, and the figures of their training.

    The segments and acts learn from tags as a tagger gives them to new voices.
    """
    names = sorted(lines)
    held = [list(names[fold::FOLDS]) for fold in range(FOLDS)]
    jobs = [(lines, list(names), []), *((lines, [name for name in names if name not in fold], fold) for fold in held)]
    with ProcessPoolExecutor(2) as pool:
        (tags, _), *folds = pool.map(_tags_of_fold, jobs)
        messages = [[message for name in fold for message in with_variants(lines[name], name)] for fold in held]
        tagged = [
            (message, found)
            for fold, (_, labelled) in zip(messages, folds, strict=True)
            for message, found in zip(fold, labelled, strict=True)
        ]
        segments = pool.submit(
            train_crf, [(boundary_features(one.tokens, found), boundary_labels(one)) for one, found in tagged]
        )
        rows_by_fold = [
            [
                row
                for message, found in zip(fold, labelled, strict=True)
                for row in act_rows(message, found, is_plain=message.is_plain)
            ]
            for fold, (_, labelled) in zip(messages, folds, strict=True)
        ]
        rows = [row for fold in rows_by_fold for row in fold]
        temperature, figures = calibrate(rows_by_fold)
        acts = train_acts([(row.features, row.act) for row in rows], temperature, MIN_ACT_WEIGHT)
        return {"tags": tags, "segments": segments.result()[0], "acts": acts}, figures


def spans_of(tags: Sequence[str]) -> set[tuple[int, int, str]]:
    """Return the slots of BIO tags as (first, last, tag)."""
    spans, start = set(), None
    for place, tag in enumerate([*tags, "O"]):
        if start is not None and not (tag.startswith("I-") and tag[2:] == tags[start][2:]):
            spans.add((start, place, tags[start][2:]))
            start = None
        if tag.startswith("B-") or (tag.startswith("I-") and start is None):
            start = place
    return spans


def main() -> None:
    """Train on all voices and write the models."""
    voices = lines_by_voice()
    ASSETS.mkdir(exist_ok=True)
    models, figures = train(voices)
    (ASSETS / "training.json").write_text(json.dumps(figures, indent=1) + "\n", encoding="utf-8")
    for name, arrays in models.items():
        (ASSETS / f"{name}.bin").write_bytes(msgspec.msgpack.encode(arrays))
    plain = [parse(line, name) for name, lines in voices.items() for line in lines]
    (ASSETS / "vocabulary.bin").write_bytes(msgspec.msgpack.encode(vocabulary(plain), order="deterministic"))


if __name__ == "__main__":
    main()
