"""Train the reader of the offline planner: `python -m infra.planner.train` (`make train-planner`).

Reads the labelled sentences of `infra/planner/data`, and writes the models and `training.json` into `assets/reader`.
"""

import json
import random
import tempfile
from collections import defaultdict
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

import msgspec
import pycrfsuite

from aisha.domain.language.marks import marks_of
from aisha.domain.language.models.features import boundary_features, token_features
from aisha.domain.language.models.linear import Arrays
from infra.planner.acts import act_rows, calibrate, train_acts
from infra.planner.augment import variants
from infra.planner.labelled import ASSETS, DATA, Message, parse
from infra.planner.packing import MIN_COUNT, SEED, pack, without_small
from infra.planner.vocabulary import vocabulary

FOLDS = 3
MAX_ITERATIONS = 15
"""Passes over the data of the sequence models: more do not read new voices better."""
BROKEN = -9.0
"""The weight of a slot that goes on without having begun."""
MIN_ACT_WEIGHT, MIN_TAG_WEIGHT = 0.15, 0.01
"""The same for the acts and the tagger that are shipped: they are half as large, and read new voices as well."""
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
    # A seed for each voice, so that a new one changes no variants of the others.
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
    # Features that occur once would only be learnt by heart.
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
    # A weight far below the others forbids a slot that begins in its middle.
    transitions = [
        [float(info.transitions.get((one, other), BROKEN if is_broken(one, other) else 0.0)) for other in labels]
        for one in labels
    ]
    weights = {key: [row.get(label, 0.0) for label in labels] for key, row in rows_by_feature.items()}
    return pack(labels, without_small(weights, min_weight), transitions), labelled


def is_broken(one: str, other: str) -> bool:
    """Return whether a slot would go on that has not begun."""
    return other.startswith("I-") and one[2:] != other[2:]


def boundary_labels(message: Message) -> list[str]:
    starts = {segment.first for segment in message.segments}
    return ["S" if place in starts else "-" for place in range(len(message.tokens))]


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
    # Whole voices are held out: sentences of one voice are too much alike.
    held = [list(names[fold::FOLDS]) for fold in range(FOLDS)]
    jobs = [(lines, list(names), []), *((lines, [name for name in names if name not in fold], fold) for fold in held)]
    # Two processes: each holds the features of all messages in memory.
    with ProcessPoolExecutor(2) as pool:
        (tags, _), *folds = pool.map(_tags_of_fold, jobs)
        messages = [[message for name in fold for message in with_variants(lines[name], name)] for fold in held]
        tagged = [
            (message, labels)
            for fold, (_, labelled) in zip(messages, folds, strict=True)
            for message, labels in zip(fold, labelled, strict=True)
        ]
        segments = pool.submit(
            train_crf, [(boundary_features(one.tokens, labels), boundary_labels(one)) for one, labels in tagged]
        )
        rows_by_fold = [
            [
                row
                for message, labels in zip(fold, labelled, strict=True)
                for row in act_rows(message, labels, is_plain=message.is_plain)
            ]
            for fold, (_, labelled) in zip(messages, folds, strict=True)
        ]
        rows = [row for fold in rows_by_fold for row in fold]
        # On acts of voices that the classifier has not seen, so that probabilities are those of strangers' messages.
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
