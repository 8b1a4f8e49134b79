"""Write what the encoder's training learns from: `python -m infra.planner.encoder_messages FILE`.

`infra/planner/fine_tune.py` runs in an environment of its own, which has JAX and nothing of the project; it gets the
messages as the encoder is given them at run time, and the sentence model's weights, in one file.
"""

import argparse
import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec

from aisha.adapters.embeddings.message_encoder import FEATURES, inputs
from aisha.adapters.embeddings.minilm import model
from aisha.domain.language.acts import ACTS, TAGS
from infra.planner.augment import variants
from infra.planner.labelled import Message, parse
from infra.planner.packing import SEED
from infra.planner.train import lines_by_voice, marks

EPOCHS = 3
"""Sets of variants: one for each pass of the training."""
TAG_LABELS = ["O", *(f"{part}-{tag}" for tag in sorted(TAGS) for part in "BI")]
ACT_LABELS = sorted(ACTS)


def row(message: Message, rng: random.Random) -> dict[str, Any]:
    """Return a message as numbers: its inputs, and the labels' places."""
    model_inputs = inputs(message.tokens, marks(message, rng))
    return {
        "voice": message.voice,
        "is_plain": message.is_plain,
        "pieces": model_inputs.pieces,
        "owners": model_inputs.owners,
        "features": model_inputs.features,
        "tags": [TAG_LABELS.index(tag) for tag in message.tags],
        "segments": [(ACT_LABELS.index(one.act), one.first, one.last) for one in message.segments],
    }


def epoch(number: int) -> Iterator[dict[str, Any]]:
    """Yield the messages of all voices and their variants of a pass."""
    for voice, lines in lines_by_voice().items():
        rng = random.Random(f"{SEED}{number}{voice}")
        for line in lines:
            yield row(parse(line, voice), rng)
            for variant in variants(line, rng, lines):
                try:
                    message = parse(variant, voice, is_plain=False)
                except ValueError:
                    continue  # a change broke the line's form
                yield row(message, rng)


def main() -> None:
    """Write the file."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("file", type=Path)
    weights = {name: (list(values.shape), values.tobytes()) for name, values in model().weights.items()}
    content = {
        "tags": TAG_LABELS,
        "acts": ACT_LABELS,
        "features": len(FEATURES),
        "weights": {name: stored for name, stored in weights.items() if "pooler" not in name},
        "epochs": [list(epoch(number)) for number in range(EPOCHS)],
    }
    parser.parse_args().file.write_bytes(msgspec.msgpack.encode(content))


if __name__ == "__main__":
    main()
