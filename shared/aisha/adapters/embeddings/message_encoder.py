"""Messages read by the local sentence model, fine-tuned by `infra/planner/fine_tune.py`: slots, segments and acts.

The linear models have a say in slots and acts: together they are right more often than either, and surer of what both
say. What the training changed of the model is stored as matrices of low rank (Hu et al., "LoRA", 2021), which are added
to copies of its weights; the memory's own vectors stay as they are.
"""

from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from importlib.resources import files
from threading import Lock

import msgspec
import numpy as np
from threadpoolctl import ThreadpoolController

from aisha.adapters.embeddings.minilm import LAYERS, Array, MiniLM, model
from aisha.domain.language import words
from aisha.domain.language.acts import ADDRESS_TAGS
from aisha.domain.language.encoded import EncodedMessage, LinearMessage
from aisha.domain.language.models import linear
from aisha.domain.language.models.features import token_features
from aisha.domain.language.tokens import Token

MAX_PIECES = 6
"""Word pieces read of a token."""
FEATURES = (
    "word number mark email phone url capital capitals first_name common time money fields values jobs industries "
    "activities kind known joined"
).split()
"""Marks of a token that the model reads besides its spelling, which it reads in lower case."""
MATRICES = (
    "attention.self.query attention.self.key attention.self.value attention.output.dense intermediate.dense "
    "output.dense"
).split()
"""The matrices of a layer that are adapted."""
LINEAR_SHARE = 0.4
"""Multiplies the scores of the linear models, before they are added: the best for voices that neither had seen."""
TEMPERATURE = 1.2
"""Divides the sums of the acts' scores, so that their probabilities are true for voices that neither had seen."""
_MIN_PROBABILITY = 1e-6
"""Added to the linear models' probabilities, whose logarithm is taken."""
_STANDS_FOR = {"url": "website"}
_FIRST, _LAST, _UNKNOWN = 101, 102, 100
"""Word pieces of the beginning, the end and what has none."""
_NEVER = -1e4


class EncoderArrays(msgspec.Struct, frozen=True):
    """The fine-tuned parts as stored: float16 `arrays` by name, each with its shape."""

    tags: list[str]
    acts: list[str]
    arrays: dict[str, tuple[list[int], bytes]]


class Inputs(msgspec.Struct, frozen=True):
    """A message as the model is given it: word pieces, the place of each token's first one, features by token."""

    pieces: list[int]
    owners: list[int]
    features: list[list[int]]


def inputs(tokens: Sequence[Token], marks: Sequence[Iterable[str]]) -> Inputs:
    """Return the word pieces of the tokens, the token of each of them, and the places in `FEATURES` of each token's."""
    pieces: list[int] = []
    owners: list[int] = []
    features = []
    for place, (token, token_marks) in enumerate(zip(tokens, marks, strict=True)):
        own = _pieces(_STANDS_FOR.get(token.kind, token.kind) if token.kind in ADDRESS_TAGS else token.word)
        pieces += own
        owners += [place] * len(own)
        names = [token.kind, *token_marks]
        names += ["capital"] * token.is_capital + ["capitals"] * (token.text.isupper() and len(token.text) > 1)
        if token.kind == "word":
            names += ["first_name"] * (token.word in words.first_names()) + ["common"] * words.is_common(token.word)
        names += ["joined"] * (place > 0 and tokens[place - 1].end == token.start)
        features.append(sorted({FEATURES.index(name) for name in names}))
    return Inputs(pieces, owners, features)


@lru_cache(maxsize=20_000)
def _pieces(word: str) -> tuple[int, ...]:
    return tuple(model().tokenizer.encode(word, add_special_tokens=False).ids[:MAX_PIECES]) or (_UNKNOWN,)


class MessageEncoder:
    """An `Encoder` by the fine-tuned model, which is read at the first message."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._threads = ThreadpoolController()

    def read(self, tokens: Sequence[Token], marks: Sequence[Iterable[str]]) -> EncodedMessage:
        """Return the message as read in one pass of the model."""
        # The number of BLAS threads belongs to the process, so two messages at once would reset it under each other.
        with self._lock, self._threads.limit(limits=1, user_api="blas"):
            return _fine_tuned().read(tokens, marks)


class _FineTuned:
    """The model with what the training changed, and its heads."""

    def __init__(self, arrays: EncoderArrays, base: MiniLM) -> None:
        self.arrays = arrays
        self.heads = {name: _array(*stored) for name, stored in arrays.arrays.items()}
        self._model = MiniLM(dict(base.weights) | self._changed(base.weights), base.tokenizer)
        steps = linear.load("tags").labels
        self.linear_columns = [steps.index(tag) for tag in arrays.tags]
        self.transitions = self.heads["transitions"] + _legal(arrays.tags)

    def _changed(self, weights: Mapping[str, Array]) -> dict[str, Array]:
        """Return the weights that the training changed: matrices by their sums, norms as they are."""
        overrides = {name: self.heads[name] for name in self.heads if name in weights}
        for layer in range(LAYERS):
            for matrix in MATRICES:
                name = f"encoder.layer.{layer}.{matrix}"
                # Taken out: once they are added to the weights, nothing reads them.
                down, up = self.heads.pop(f"{name}.down"), self.heads.pop(f"{name}.up")
                overrides[f"{name}.weight"] = weights[f"{name}.weight"] + (down @ up).T
        return overrides

    def read(self, tokens: Sequence[Token], marks: Sequence[Iterable[str]]) -> "_Encoded":
        model_inputs = inputs(tokens, marks)
        ids = np.array([[_FIRST, *model_inputs.pieces, _LAST]])
        features = np.zeros((len(tokens), len(FEATURES)), np.float32)
        for place, features_of_token in enumerate(model_inputs.features):
            features[place, features_of_token] = 1
        added = np.zeros((1, ids.shape[1], features.shape[1]), np.float32)
        added[0, 1:-1] = features[model_inputs.owners]
        hidden = self._model.hidden(ids, np.ones(ids.shape, np.float32), added @ self.heads["features"])
        firsts = np.searchsorted(model_inputs.owners, np.arange(len(tokens))) + 1
        # Each token's features, between those of its neighbours.
        near = np.pad(features, ((1, 1), (0, 0)))
        beside = np.concatenate([near[:-2], near[1:-1], near[2:]], axis=1)
        vectors = hidden[0, firsts]
        wide = np.concatenate([vectors, np.maximum(beside @ self.heads["beside"], 0)], axis=1)
        tags = wide @ self.heads["tags"] + self.heads["tags.bias"]
        tagger = linear.load("tags")
        scores = np.array([tagger.scores(row) for row in token_features(tokens, marks)], np.float32)
        tags = tags + LINEAR_SHARE * scores[:, self.linear_columns]
        starts = (wide @ self.heads["starts"] + self.heads["starts.bias"])[:, 0]
        return _Encoded(self, vectors, tags, starts, LinearMessage(tokens, marks))


class _Encoded:
    def __init__(
        self, model: _FineTuned, vectors: Array, tags: Array, starts: Array, linear_message: LinearMessage
    ) -> None:
        self._model, self._vectors, self._tags, self._starts = model, vectors, tags, starts
        self._linear = linear_message

    def tags(self) -> list[str]:
        # Viterbi's algorithm: the best path of tags over the CRF's transitions.
        transitions, back = self._model.transitions, []
        best = self._tags[0] + _first(self._model.arrays.tags)
        for scores in self._tags[1:]:
            paths = best[:, None] + transitions
            back.append(paths.argmax(0))
            best = paths.max(0) + scores
        path = [int(best.argmax())]
        for origins in reversed(back):
            path.append(int(origins[path[-1]]))
        return [self._model.arrays.tags[place] for place in reversed(path)]

    def starts(self, tags: Sequence[str]) -> list[int]:
        free = (place for place in range(1, len(tags)) if not tags[place].startswith("I-"))
        return [0, *(place for place in free if self._starts[place] > 0)]

    def acts(self, first: int, last: int, tags: Sequence[str]) -> list[Mapping[str, float]]:
        heads, vectors, acts = self._model.heads, self._vectors[first:last], self._model.arrays.acts
        weights = _softmax((vectors @ heads["pool"])[:, 0])
        scores: Array = np.concatenate([weights @ vectors, vectors.mean(0)]) @ heads["acts"] + heads["acts.bias"]
        (others,) = self._linear.acts(first, last, tags)
        # Logarithms of probabilities add up like the encoder's own scores.
        both = (scores + LINEAR_SHARE * np.log([others[act] + _MIN_PROBABILITY for act in acts])).astype(np.float32)
        return [_ranked(acts, _softmax(both / TEMPERATURE)), _ranked(acts, _softmax(scores)), others]


def _softmax(scores: Array) -> Array:
    powers: Array = np.exp(scores - scores.max())
    return powers / powers.sum()


def _ranked(acts: Sequence[str], shares: Array) -> dict[str, float]:
    return {acts[place]: float(shares[place]) for place in np.argsort(-shares)}


def _first(tags: Sequence[str]) -> Array:
    """Return what is added to the scores of the first token: no slot goes on there."""
    return np.array([_NEVER if tag.startswith("I-") else 0 for tag in tags], np.float32)


def _legal(tags: Sequence[str]) -> Array:
    """Return what is added to the scores of one tag after another: a slot goes on only where it began."""
    broken = [[other.startswith("I-") and tag[2:] != other[2:] for other in tags] for tag in tags]
    return np.where(broken, np.float32(_NEVER), np.float32(0))


def _array(shape: Sequence[int], data: bytes) -> Array:
    return np.frombuffer(data, np.float16).reshape(shape).astype(np.float32)


@lru_cache(maxsize=1)
def _fine_tuned() -> _FineTuned:
    data = files("aisha").joinpath("assets", "reader", "encoder.bin").read_bytes()
    return _FineTuned(msgspec.msgpack.decode(data, type=EncoderArrays), model())
