"""Sentiment judged by a model, with the lexicon as the fallback."""

import json
from datetime import UTC, datetime
from typing import Any

import pytest
from msgspec.structs import replace

from aisha.application.sentiment.model import judge_sentiment
from aisha.application.tooling.context import ToolContext, make_context
from aisha.domain.errors import ModelUnavailableError
from aisha.domain.principal import Principal
from tests.fakes.models.scripted_model import ScriptedModel, Step
from tests.fakes.stores.in_memory import FixedClock, in_memory_ports

ANN = Principal("acme", "ann")
TEXT = "We love the product. The invoice was wrong again, and nobody calls back!"


def context(*steps: Step) -> tuple[ToolContext, ScriptedModel]:
    model = ScriptedModel(*steps)
    ports = in_memory_ports(FixedClock(datetime(2026, 3, 2, 9, 0, tzinfo=UTC)))
    return make_context(ANN, replace(ports, model=lambda: model), "op"), model


def answer(**members: Any) -> str:
    return json.dumps({"sentiment": "mixed", "score": -0.2, "evidence": ["nobody calls back"]} | members)


def test_a_model_judges_and_is_named() -> None:
    tool_context, model = context(answer())
    judgement = judge_sentiment([TEXT], tool_context)
    assert (judgement.rating.sentiment, judgement.rating.score, judgement.rating.evidence) == (
        "mixed",
        -0.2,
        ("nobody calls back",),
    )
    assert judgement.method == "model:scripted/scripted-1"
    assert model.requests[0].json_mode
    assert "We love the product" in model.requests[0].messages[1].content


def test_a_quotation_that_is_not_in_the_texts_is_left_out() -> None:
    tool_context, _ = context(answer(evidence=["I will sue you", "The invoice  was wrong"]))
    assert judge_sentiment([TEXT], tool_context).rating.evidence == ("The invoice  was wrong",)


@pytest.mark.parametrize(
    "step",
    [
        ModelUnavailableError("down"),
        "It sounds fine to me.",
        answer(sentiment="ecstatic"),
        answer(score=7),
        "[]",
    ],
)
def test_the_lexicon_judges_when_the_models_answer_is_invalid(step: Step) -> None:
    tool_context, _ = context(step)
    judgement = judge_sentiment(["This is terrible, we are very unhappy."], tool_context)
    assert (judgement.method, judgement.rating.sentiment) == ("lexicon", "negative")


def test_no_model_is_called_without_a_text() -> None:
    tool_context, model = context()
    assert judge_sentiment([], tool_context).method == "lexicon"
    assert judge_sentiment([" "], tool_context).rating.sentiment == "neutral"
    assert model.requests == []
