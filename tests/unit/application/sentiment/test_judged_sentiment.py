"""Sentiment by a model where there is one, by the lexicon where it fails."""

import json
from datetime import UTC, datetime
from typing import Any

import pytest
from msgspec.structs import replace

from aisha.application.sentiment.model import judge_sentiment
from aisha.application.tooling.context import ToolContext, make_context
from aisha.domain.errors import ModelUnavailableError
from aisha.domain.principal import Principal
from tests.fakes.in_memory import FixedClock, in_memory_ports
from tests.fakes.scripted_model import ScriptedModel, Step

ANN = Principal("acme", "ann")
TEXT = "We love the product. The invoice was wrong again, and nobody calls back!"


def context(*steps: Step) -> tuple[ToolContext, ScriptedModel]:
    model = ScriptedModel(*steps)
    ports = in_memory_ports(FixedClock(datetime(2026, 3, 2, 9, 0, tzinfo=UTC)))
    return make_context(ANN, replace(ports, model=lambda: model), "op"), model


def said(**members: Any) -> str:
    return json.dumps({"sentiment": "mixed", "score": -0.2, "evidence": ["nobody calls back"]} | members)


def test_a_model_judges_and_is_named() -> None:
    where, model = context(said())
    one = judge_sentiment([TEXT], where)
    assert (one.rating.sentiment, one.rating.score, one.rating.evidence) == ("mixed", -0.2, ("nobody calls back",))
    assert one.method == "model:scripted/scripted-1"
    assert model.requests[0].json_mode
    assert "We love the product" in model.requests[0].messages[1].content


def test_a_quotation_that_is_not_there_is_left_out() -> None:
    where, _ = context(said(evidence=["I will sue you", "The invoice  was wrong"]))
    assert judge_sentiment([TEXT], where).rating.evidence == ("The invoice  was wrong",)


@pytest.mark.parametrize(
    "step",
    [
        ModelUnavailableError("down"),
        "It sounds fine to me.",
        said(sentiment="ecstatic"),
        said(score=7),
        "[]",
    ],
)
def test_the_lexicon_judges_when_the_model_does_not(step: Step) -> None:
    where, _ = context(step)
    one = judge_sentiment(["This is terrible, we are very unhappy."], where)
    assert (one.method, one.rating.sentiment) == ("lexicon", "negative")


def test_without_a_model_or_a_text_nobody_is_asked() -> None:
    where, model = context()
    assert judge_sentiment([], where).method == "lexicon"
    assert judge_sentiment([" "], where).rating.sentiment == "neutral"
    assert model.requests == []
