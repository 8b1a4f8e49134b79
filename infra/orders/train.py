"""Train the model that weighs whether a message orders a call: `python -m infra.orders.train`.

It has two steps. The form of messages (`orders.bin`) is learned from the labelled sentences of the planner and from
those of `data`, each with a call that it orders or does not. What the rules say and what the form says is weighed by
`verdicts.bin`, which learns from `data` alone, with forms by models that have not seen the author. `--measure` prints
how well authors are judged that neither step has seen.
"""

import argparse
import json
import random
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

import msgspec
import numpy as np
from scipy.sparse import csr_matrix
from sklearn.linear_model import LogisticRegression

from aisha.application.orders import likelihood
from aisha.application.orders.case import Case
from aisha.application.orders.judge import judge_by_rules
from aisha.application.orders.matching.marking import mark_references
from aisha.application.orders.wording import UNCERTAIN
from aisha.domain.language import vocabulary
from aisha.domain.language.acts import ADDRESS_TAGS, DIALOGUE, NAME_TAGS, WRITES
from aisha.domain.language.models.linear import Arrays, LinearModel
from aisha.domain.language.models.order_form import (
    FIELD,
    ORDER,
    OTHER,
    OTHER_NAME,
    OTHER_VALUE,
    TARGET,
    TIME,
    VALUE,
    features_of,
)
from infra.orders.judged import Example, examples, judged
from infra.planner.labelled import ASSETS, Message, parse
from infra.planner.packing import pack
from infra.planner.train import lines_by_voice, spans_of

SENTENCES = Path(__file__).parents[2] / "tests" / "attack"
MIN_COUNT = 3
REGULARISATION = 0.3
"""The inverse strength of the penalty on weights, of both models."""
MIN_WEIGHT = 0.02
COPIES = 3
"""The weight of a message of `data`; that of a labelled sentence of the planner is 1."""
_MARKS = {"field": FIELD, "when": TIME, "value": OTHER_VALUE, "amount": OTHER_VALUE, "count": OTHER_VALUE}
_VALUE_TAGS = frozenset("value amount when owner text count topic".split())
_OTHER_CALLS = DIALOGUE | frozenset(
    "remind remember forget instruct drop_instruction navigate undo run_scan draft_email send_email close_reminder "
    "recall".split()
)
"""Acts that go on with an order, or whose calls change no record: they teach nothing about these."""


class Row(msgspec.Struct, frozen=True):
    """A message to learn from: the features of each of its sentences that may order the call."""

    voice: str
    label: str
    forms: list[list[str]]


def rule_examples() -> Iterator[Example]:
    """Yield the messages that the rules were made with, for the first step: the second would overrate the rules."""
    for name, ordered in (("honest", True), ("not_ordered", False)):
        for line in (SENTENCES / f"{name}.jsonl").read_text(encoding="utf-8").splitlines():
            if not (content := json.loads(line)).get("before"):
                yield Example("rules", ordered, content["say"], content["tool"], content["args"])


def form_rows(messages: Iterable[Example]) -> list[Row]:
    """Return messages for the first step."""
    small, rows = vocabulary.load().neutral, []
    for example in messages:
        call, utterance, context = judged(example)
        marked = likelihood.marked_message(call, utterance, Case(call, utterance, context).records)
        # One form for each sentence that may order the call; the model decides by the likeliest.
        forms = list(features_of(marked.tokens, marked.marks, small))
        rows.append(Row(example.voice, ORDER if example.ordered else OTHER, forms))
    return rows


def planner_rows() -> Iterator[Row]:
    """Yield the labelled sentences of the planner for the first step: one a segment that has a value."""
    small = vocabulary.load().neutral
    for voice, lines in lines_by_voice().items():
        # By author, so that a new author does not change the rows of the others.
        rng = random.Random(voice)
        for line in lines:
            message = parse(line, voice)
            for segment in message.segments:
                marks = _segment_marks(message, segment.first, segment.last, rng)
                if segment.act not in _OTHER_CALLS and marks is not None:
                    label = ORDER if segment.act in WRITES else OTHER
                    yield Row(voice, label, list(features_of(message.tokens, marks, small)))


def _segment_marks(message: Message, first: int, last: int, rng: random.Random) -> list[str] | None:
    """Return the marks of a message for a call with one value of a segment, on the record named there or before."""
    spans = sorted(spans_of(message.tags))
    spans += [(at, at + 1, "value") for at, one in enumerate(message.tokens) if one.kind in ADDRESS_TAGS]
    values = [span for span in spans if span[2] in _VALUE_TAGS and first <= span[0] < last]
    if not values:
        return None
    names = [span for span in spans if span[2] in NAME_TAGS]
    here = [span for span in names if first <= span[0] < last]
    target = next(iter(here or [span for span in names if span[0] < first][-1:] or names), None)
    value, marks = rng.choice(values[:3]), [""] * len(message.tokens)
    for span in spans:
        mark = _MARKS.get(span[2], OTHER_NAME if span[2] in NAME_TAGS else "")
        if target is not None and span[2] in NAME_TAGS and _words(message, span) == _words(message, target):
            mark = TARGET
        if span[2] in _VALUE_TAGS and _words(message, span) == _words(message, value):
            mark = VALUE
        marks[span[0] : span[1]] = [mark] * (span[1] - span[0])
    mark_references(message.tokens, marks)
    return marks


def _words(message: Message, span: tuple[int, int, str]) -> list[str]:
    return [token.word for token in message.tokens[span[0] : span[1]]]


def fit(rows: Sequence[tuple[list[str], str, float]]) -> Arrays:
    """Return a logistic regression of features, labels and their weights."""
    counts = Counter(feature for features, _, _ in rows for feature in features)
    columns = {key: at for at, key in enumerate(sorted(key for key, count in counts.items() if count >= MIN_COUNT))}
    indices = [[columns[feature] for feature in features if feature in columns] for features, _, _ in rows]
    flat = np.array([at for row in indices for at in row], dtype=np.int32)
    matrix = csr_matrix((np.ones(len(flat)), flat, np.cumsum([0, *map(len, indices)])), shape=(len(rows), len(columns)))
    model = LogisticRegression(C=REGULARISATION, solver="liblinear", tol=1e-3, random_state=0)
    model.fit(matrix, [label == ORDER for _, label, _ in rows], sample_weight=[weight for _, _, weight in rows])
    weights = {
        key: [float(value), 0.0] for key, at in columns.items() if abs(value := model.coef_[0][at]) >= MIN_WEIGHT
    }
    return pack([ORDER, OTHER], weights, bias=[float(model.intercept_[0]), 0.0])


def fit_forms(planner: Sequence[Row], rows: Iterable[Row]) -> Arrays:
    """Return the model of forms. Each message counts the same, however many sentences it has."""
    weighed = [(row, 1.0) for row in planner] + [(row, float(COPIES)) for row in rows]
    # Shared among its sentences: a long message would otherwise count for several.
    return fit([(form, one.label, weight / len(one.forms)) for one, weight in weighed for form in one.forms])


def form_score(model: LinearModel, row: Row) -> float:
    """Return the score of the best sentence of a message."""
    return max((scores[0] - scores[1] for scores in map(model.scores, row.forms)), default=0.0)


class Verdict(msgspec.Struct, frozen=True):
    """A message for the second step. `least` is the probability from which on its call runs."""

    voice: str
    label: str
    features: list[str]
    least: float

    @property
    def is_ordered_by_rules(self) -> bool:
        return "finding=ordered" in self.features


_NEVER = 2.0
"""More than any probability."""


def verdicts_of(scores: Sequence[float]) -> list[Verdict]:
    """Return what the second step learns from, given the score of each message's form."""
    verdicts = []
    for example, form in zip(examples(), scores, strict=True):
        call, utterance, context = judged(example)
        case = Case(call, utterance, context)
        judgement = judge_by_rules(call, utterance, context)
        acts = case.acts
        marked = likelihood.marked_message(call, utterance, case.records)
        features = likelihood.features_of(form, marked, utterance, acts, judgement.finding, judgement.reason)
        # The second step may overrule only rules that are known to err.
        least = likelihood.MIN_AGAINST_RULES if judgement.reason in UNCERTAIN else _NEVER
        least = likelihood.least_with_rules(marked, utterance, acts) if judgement.is_ordered else least
        verdicts.append(Verdict(example.voice, ORDER if example.ordered else OTHER, features, least))
    return verdicts


def fit_verdicts(verdicts: Iterable[Verdict]) -> Arrays:
    """Return the model that weighs what the rules and the form say."""
    return fit([(verdict.features, verdict.label, 1.0) for verdict in verdicts])


def main() -> None:
    """Train and write both models, and print how well new authors are judged."""
    argparse.ArgumentParser(description=__doc__).parse_args()
    planner, rows, rule_rows = list(planner_rows()), form_rows(examples()), form_rows(rule_examples())
    voices = sorted({row.voice for row in rows})
    scores = [0.0] * len(rows)
    # An author's messages are scored by a model without them: scores of known messages would seem too sure.
    for voice in voices:
        model = LinearModel(fit_forms(planner, [*rule_rows, *(row for row in rows if row.voice != voice)]))
        for at, one in enumerate(rows):
            if one.voice == voice:
                scores[at] = form_score(model, one)
    verdicts = verdicts_of(scores)
    for voice in voices:
        model = LinearModel(fit_verdicts(verdict for verdict in verdicts if verdict.voice != voice))
        print(voice, _figures(model, [verdict for verdict in verdicts if verdict.voice == voice]), flush=True)
    for name, arrays in (("orders", fit_forms(planner, [*rule_rows, *rows])), ("verdicts", fit_verdicts(verdicts))):
        (ASSETS / f"{name}.bin").write_bytes(msgspec.msgpack.encode(arrays))


def _figures(model: LinearModel, verdicts: Sequence[Verdict]) -> str:
    """Return how many orders wait and how many other calls run, by the rules alone and as weighed."""
    by_rules = Counter(verdict.label for verdict in verdicts if verdict.is_ordered_by_rules)
    weighed = Counter(
        verdict.label for verdict in verdicts if model.probabilities(verdict.features)[ORDER] >= verdict.least
    )
    count = Counter(verdict.label for verdict in verdicts)
    return "; ".join(
        f"{name}: {count[ORDER] - runs[ORDER]} of {count[ORDER]} asked, {runs[OTHER]} of {count[OTHER]} wrote"
        for name, runs in (("rules", by_rules), ("weighed", weighed))
    )


if __name__ == "__main__":
    main()
