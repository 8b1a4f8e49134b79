"""Fine-tune the local sentence model to read messages: `python infra/planner/fine_tune.py FILE`, with JAX alone.

Reads the file of `infra.planner.encoder_messages`, and writes `encoder.bin` into `assets/reader`.
The model's matrices stay as they are; each gets two of low rank beside it (Hu et al., "LoRA", 2021). Slots are learned
as a linear-chain CRF over the tokens, segments by the probability that a token begins one, acts by the mean of their
tokens and by one that is weighted by attention. Sums in bfloat16 on several cores differ a little from one processor
to another.
"""

import argparse
import time
from collections import defaultdict
from pathlib import Path
from typing import Any

import jax
import jax.numpy as jnp
import msgspec
import numpy as np

ASSETS = Path(__file__).parents[2] / "shared/aisha/assets/reader"
LAYERS, HEADS, WIDTH = 6, 12, 384
MATRICES = (
    "attention.self.query attention.self.key attention.self.value attention.output.dense intermediate.dense "
    "output.dense"
).split()
NORMS = (
    "embeddings",
    *(f"encoder.layer.{at // 2}.{('attention.output', 'output')[at % 2]}" for at in range(2 * LAYERS)),
)
RANK = 32
BESIDE = 64
"""Numbers made of the features of a token and its two neighbours."""
SEED = 0
RATE, WARM_SHARE, MAX_NORM = 1e-3, 0.06, 1.0
DROPOUT, SMOOTHING = 0.1, 0.05
LENGTHS = (12, 16, 24, 40, 104)
"""Batches are of messages of up to so many word pieces; longer messages are left out."""
BATCH = 768
"""Word pieces of a batch."""
FIRST, LAST = 101, 102
NEVER = -1e4
ACT_WEIGHT, OTHER_WEIGHT = 0.5, 2.0

jax.config.update("jax_default_prng_impl", "rbg")

type Row = dict[str, Any]
type Values = dict[str, Any]


def _product(values: Any, matrix: Any, turned: Any) -> Any:  # noqa: ARG001
    """Return the product with a matrix that does not learn, in bfloat16. `turned` is it transposed."""
    return (values.astype(jnp.bfloat16) @ matrix).astype(jnp.float32)


def _backward(stored: Any, gradient: Any) -> Any:
    matrix, turned = stored
    product = (gradient.astype(jnp.bfloat16) @ turned).astype(jnp.float32)
    return product, jnp.zeros_like(matrix), jnp.zeros_like(turned)


fixed = jax.custom_vjp(_product)
fixed.defvjp(lambda values, matrix, turned: (fixed(values, matrix, turned), (matrix, turned)), _backward)


def _norm(learned: Values, name: str, values: Any) -> Any:
    centred = values - values.mean(-1, keepdims=True)
    scaled = centred * jax.lax.rsqrt((centred**2).mean(-1, keepdims=True) + 1e-12)
    return scaled * learned[f"{name}.LayerNorm.weight"] + learned[f"{name}.LayerNorm.bias"]


class Trainer:
    """The model, with what it learns as a dictionary of arrays by the names that `encoder.bin` has them under."""

    def __init__(self, content: Values) -> None:
        self.tags, self.acts, self.features = content["tags"], content["acts"], content["features"]
        weights = {
            name: np.frombuffer(data, np.float32).reshape(shape)
            for name, (shape, data) in content["weights"].items()
            if name != "embeddings.position_ids"
        }
        self.words = jnp.asarray(weights["embeddings.word_embeddings.weight"])
        kind = weights["embeddings.token_type_embeddings.weight"][:1]
        self.places = jnp.asarray(weights["embeddings.position_embeddings.weight"] + kind)
        self.fixed = {}
        for layer in range(LAYERS):
            for matrix in MATRICES:
                name = f"encoder.layer.{layer}.{matrix}"
                weight = weights[f"{name}.weight"]
                pair = (jnp.asarray(one, jnp.bfloat16) for one in (weight.T.copy(), weight))
                self.fixed[name] = (*pair, jnp.asarray(weights[f"{name}.bias"]))
        broken = [[to.startswith("I-") and one[2:] != to[2:] for to in self.tags] for one in self.tags]
        self.legal = np.where(broken, NEVER, 0).astype(np.float32)
        self.begin = np.array([NEVER if tag.startswith("I-") else 0 for tag in self.tags], np.float32)
        self._weights = weights
        self.step = jax.jit(self._step, donate_argnums=0)

    def start(self) -> Values:
        """Return what is learned, before the first step."""
        random = np.random.default_rng(SEED)

        def normal(*shape: int, spread: float = 0.02) -> Any:
            return jnp.asarray(random.normal(0, spread, shape).astype(np.float32))

        weights: Values = {}
        for name, (matrix, _, _) in self.fixed.items():
            weights[f"{name}.down"] = normal(matrix.shape[0], RANK, spread=matrix.shape[0] ** -0.5)
            weights[f"{name}.up"] = jnp.zeros((RANK, matrix.shape[1]))
        for norm in NORMS:
            for part in ("weight", "bias"):
                name = f"{norm}.LayerNorm.{part}"
                weights[name] = jnp.asarray(self._weights[name])
        return weights | {
            "features": jnp.zeros((self.features, WIDTH)),
            "beside": normal(3 * self.features, BESIDE, spread=0.1),
            "tags": normal(WIDTH + BESIDE, len(self.tags)),
            "tags.bias": jnp.zeros(len(self.tags)),
            "transitions": jnp.zeros((len(self.tags), len(self.tags))),
            "starts": normal(WIDTH + BESIDE, 1),
            "starts.bias": jnp.zeros(1),
            "pool": normal(WIDTH, 1),
            "acts": normal(WIDTH * 2, len(self.acts)),
            "acts.bias": jnp.zeros(len(self.acts)),
        }

    def scores(self, learned: Values, batch: Values, key: Any) -> tuple[Any, Any, Any]:
        """Return the scores of the tokens' tags, of their being the first of a segment, and of the segments' acts."""
        keys = iter(jax.random.split(key, 2 * LAYERS + 2))

        def dropped(values: Any) -> Any:
            return values * jax.random.bernoulli(next(keys), 1 - DROPOUT, values.shape) / (1 - DROPOUT)

        def dense(name: str, values: Any) -> Any:
            matrix, turned, bias = self.fixed[name]
            flat = values.reshape(-1, values.shape[-1])
            product = fixed(flat, matrix, turned) + bias + (flat @ learned[f"{name}.down"]) @ learned[f"{name}.up"]
            return product.reshape(*values.shape[:-1], -1)

        messages, length = batch["pieces"].shape
        features = batch["features"].astype(jnp.float32)
        # The features of a piece are those of its token; the two marks around the message have none.
        of_pieces = jnp.take_along_axis(features, batch["owners"][:, :, None], 1) * batch["is_owned"][:, :, None]
        hidden = self.words[batch["pieces"]] + self.places[:length] + of_pieces @ learned["features"]
        hidden = dropped(_norm(learned, "embeddings", hidden))
        mask = (1 - batch["is_piece"][:, None, None, :]) * -1e9
        for layer in range(LAYERS):
            name = f"encoder.layer.{layer}."
            query, key_, value = (
                dense(name + part, hidden)
                .reshape(messages, length, HEADS, -1)
                .transpose(0, 2, 1, 3)
                .astype(jnp.bfloat16)
                for part in MATRICES[:3]
            )
            near = (query @ key_.transpose(0, 1, 3, 2)).astype(jnp.float32) / (WIDTH / HEADS) ** 0.5 + mask
            mixed = (jax.nn.softmax(near, -1).astype(jnp.bfloat16) @ value).astype(jnp.float32)
            mixed = mixed.transpose(0, 2, 1, 3).reshape(messages, length, WIDTH)
            hidden = _norm(learned, name + "attention.output", hidden + dropped(dense(name + MATRICES[3], mixed)))
            inner = jax.nn.gelu(dense(name + MATRICES[4], hidden), approximate=False)
            hidden = _norm(learned, name + "output", hidden + dropped(dense(name + MATRICES[5], inner)))
        tokens = jnp.take_along_axis(dropped(hidden), batch["firsts"][:, :, None], 1)
        return self._heads(learned, batch, tokens, features)

    def _heads(self, learned: Values, batch: Values, tokens: Any, features: Any) -> tuple[Any, Any, Any]:
        """Return the scores of `scores` from the tokens' vectors and features."""
        padded = jnp.pad(features, ((0, 0), (1, 1), (0, 0)))
        beside = jnp.concatenate([padded[:, :-2], features, padded[:, 2:]], -1) @ learned["beside"]
        wide = jnp.concatenate([tokens, jax.nn.relu(beside)], -1)
        tags = wide @ learned["tags"] + learned["tags.bias"]
        starts = (wide @ learned["starts"] + learned["starts.bias"])[..., 0]
        inside = batch["inside"]
        attention = jnp.where(inside > 0, (tokens @ learned["pool"])[:, None, :, 0], -1e9)
        mean = inside / jnp.maximum(inside.sum(-1, keepdims=True), 1)
        pooled = jnp.concatenate([jax.nn.softmax(attention, -1) @ tokens, mean @ tokens], -1)
        return tags, starts, pooled @ learned["acts"] + learned["acts.bias"]

    def loss(self, learned: Values, batch: Values, key: Any) -> Any:
        """Return the loss of a batch: of a token's tag, of a token's being a first one, and of a segment's act."""
        tags, starts, acts = self.scores(learned, batch, key)
        is_token = batch["is_token"]
        of_tags = self._crf_loss(learned["transitions"] + self.legal, tags, batch["tags"], is_token)
        of_tags -= SMOOTHING / 5 * (jax.nn.log_softmax(tags, -1).mean(-1) * is_token).sum()
        later, first = is_token.at[:, 0].set(0), batch["starts"]
        of_starts = -((first * jax.nn.log_sigmoid(starts) + (1 - first) * jax.nn.log_sigmoid(-starts)) * later).sum()
        targets = jax.nn.one_hot(batch["acts"], len(self.acts)) * (1 - SMOOTHING) + SMOOTHING / len(self.acts)
        of_acts = -((targets * jax.nn.log_softmax(acts, -1)).sum(-1) * batch["is_segment"]).sum()
        return (
            OTHER_WEIGHT * (of_tags / is_token.sum() + of_starts / jnp.maximum(later.sum(), 1))
            + ACT_WEIGHT * of_acts / batch["is_segment"].sum()
        )

    def _crf_loss(self, transitions: Any, scores: Any, tags: Any, is_token: Any) -> Any:
        """Return the sum of the negative log-likelihoods of the messages' tags."""
        gold_score = (jnp.take_along_axis(scores, tags[..., None], -1)[..., 0] * is_token).sum()
        gold_score += (transitions[tags[:, :-1], tags[:, 1:]] * is_token[:, 1:]).sum()

        def step(total: Any, of_token: Any) -> Any:
            score, is_real = of_token
            paths = jax.nn.logsumexp(total[:, :, None] + transitions[None], 1) + score
            return jnp.where(is_real[:, None] > 0, paths, total), None

        rest = scores[:, 1:].transpose(1, 0, 2), is_token[:, 1:].T
        total, _ = jax.lax.scan(step, scores[:, 0] + self.begin, rest)
        return jax.nn.logsumexp(total, -1).sum() - gold_score

    def _step(self, state: Any, batch: Values, key: Any, rate: Any) -> Any:
        """Return the state after a step of Adam (Kingma and Ba, 2015), and the loss."""
        learned, means, squares, count = state
        loss, gradient = jax.value_and_grad(self.loss)(learned, batch, key)
        length = jnp.sqrt(sum(jnp.sum(part**2) for part in gradient.values()))
        gradient = {name: part * jnp.minimum(1, MAX_NORM / (length + 1e-9)) for name, part in gradient.items()}
        count += 1
        means = {name: 0.9 * means[name] + 0.1 * part for name, part in gradient.items()}
        squares = {name: 0.999 * squares[name] + 0.001 * part**2 for name, part in gradient.items()}
        learned = {
            name: part - rate * (means[name] / (1 - 0.9**count)) / (jnp.sqrt(squares[name] / (1 - 0.999**count)) + 1e-8)
            for name, part in learned.items()
        }
        return (learned, means, squares, count), loss

    def train(self, epochs: list[list[Row]]) -> Values:
        """Return what is learned in passes over the messages."""
        random, key = np.random.default_rng(SEED), jax.random.PRNGKey(SEED)
        rows = [chunk for messages in epochs for chunk in batches(messages, random)]
        learned = self.start()
        zeros = [{name: jnp.zeros_like(part) for name, part in learned.items()} for _ in range(2)]
        state: Any = (learned, *zeros, jnp.zeros(()))
        warm, start, losses = len(rows) * WARM_SHARE, time.monotonic(), 0.0
        for place, chunk in enumerate(rows, 1):
            key, own = jax.random.split(key)
            rate = RATE * min(place / warm, (len(rows) - place) / (len(rows) - warm))
            state, loss = self.step(state, self.arrays(*chunk), own, rate)
            losses += float(loss)
            if place % 100 == 0:
                print(f"{place} of {len(rows)}: {losses / 100:.3f}, {time.monotonic() - start:.0f} s", flush=True)
                losses = 0.0
        return {name: np.asarray(part) for name, part in state[0].items()}

    def arrays(self, rows: list[Row], length: int) -> Values:
        """Return the messages as arrays of one length."""
        count, segments = len(rows), 12 if length <= 40 else 24
        integers = {name: np.zeros((count, length), np.int32) for name in ("pieces", "owners", "firsts", "tags")}
        masks = {name: np.zeros((count, length), np.float32) for name in ("is_piece", "is_owned", "is_token", "starts")}
        features = np.zeros((count, length, self.features), np.uint8)
        inside = np.zeros((count, segments, length), np.float32)
        acts, is_segment = np.zeros((count, segments), np.int32), np.zeros((count, segments), np.float32)
        for place, row in enumerate(rows):
            end, tokens = len(row["pieces"]) + 1, len(row["tags"])
            integers["pieces"][place, : end + 1] = [FIRST, *row["pieces"], LAST]
            integers["owners"][place, 1:end] = row["owners"]
            integers["firsts"][place, :tokens] = np.searchsorted(row["owners"], np.arange(tokens)) + 1
            integers["tags"][place, :tokens] = row["tags"]
            masks["is_piece"][place, : end + 1] = masks["is_owned"][place, 1:end] = 1
            masks["is_token"][place, :tokens] = 1
            for token, places in enumerate(row["features"]):
                features[place, token, places] = 1
            for number, (act, first, last) in enumerate(row["segments"][:segments]):
                masks["starts"][place, first] = inside[place, number, first:last] = is_segment[place, number] = 1
                acts[place, number] = act
        return integers | masks | {"features": features, "inside": inside, "acts": acts, "is_segment": is_segment}


def batches(rows: list[Row], random: Any) -> list[tuple[list[Row], int]]:
    """Return messages of about the same length together, each batch with its length, shuffled."""
    by_length: dict[int, list[Row]] = defaultdict(list)
    for row in rows:
        length = next((length for length in LENGTHS if length >= len(row["pieces"]) + 2), None)
        if length is not None:
            by_length[length].append(row)
    groups = []
    for length, group in by_length.items():
        size = BATCH // length
        random.shuffle(group)
        # Whole batches only: another size would be compiled anew.
        group += group[: -len(group) % size]
        groups += [(group[start : start + size], length) for start in range(0, len(group), size)]
    random.shuffle(groups)
    return groups


def main() -> None:
    """Train on all voices and write the arrays."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("file", type=Path)
    content = msgspec.msgpack.decode(parser.parse_args().file.read_bytes())
    trainer = Trainer(content)
    learned = trainer.train(content["epochs"])
    arrays = {name: (list(part.shape), part.astype(np.float16).tobytes()) for name, part in learned.items()}
    stored = {"tags": trainer.tags, "acts": trainer.acts, "arrays": arrays}
    (ASSETS / "encoder.bin").write_bytes(msgspec.msgpack.encode(stored, order="deterministic"))


if __name__ == "__main__":
    main()
