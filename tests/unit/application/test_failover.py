"""A chain of models."""

import time
from collections.abc import Iterator
from datetime import UTC, datetime

import pytest

from aisha.application.failover import FailoverModel
from aisha.domain.errors import DeadlineExceededError, ModelUnavailableError
from aisha.domain.models import ModelEvent, ModelFinished, ModelMessage, ModelRequest, Scene, TextChunk
from aisha.domain.principal import Principal
from tests.fakes.scripted_model import ScriptedModel, ask

SCENE = Scene(Principal("demo", "alice"), datetime(2026, 3, 2, tzinfo=UTC), "Hello")
DOWN = ModelUnavailableError("first did not answer: it limits our rate", detail={"status": 429})


class BreaksAfterText:
    """Says a few words, then is gone."""

    def stream(self, request: ModelRequest) -> Iterator[ModelEvent]:
        yield TextChunk("Once upon")
        raise ModelUnavailableError("first did not answer: the connection failed")


def request(seconds: float = 20.0, model: str | None = None) -> ModelRequest:
    return ModelRequest([ModelMessage("user", "Hello")], (), SCENE, time.monotonic() + seconds, model=model)


def spoken(events: list[ModelEvent]) -> str:
    return "".join(event.text for event in events if isinstance(event, TextChunk))


def test_the_first_answers_and_nobody_else_is_asked() -> None:
    second = ScriptedModel("never")
    events = list(FailoverModel([("first", ScriptedModel("Hello there")), ("second", second)]).stream(request()))
    finished = events[-1]
    assert isinstance(finished, ModelFinished)
    assert (spoken(events), finished.degraded, finished.warnings) == ("Hello there", False, ())
    assert second.requests == []


def test_the_next_answers_for_one_that_cannot_and_says_so() -> None:
    chain = FailoverModel([("first", ScriptedModel(DOWN)), ("second", ScriptedModel([ask("find", name="Ann")]))])
    (finished,) = chain.stream(request())
    assert isinstance(finished, ModelFinished)
    assert finished.degraded
    assert finished.warnings == ("first did not answer: it limits our rate; scripted answered instead.",)
    assert [call.name for call in finished.tool_calls] == ["find"]


def test_a_model_asked_for_by_name_is_only_asked_of_the_first() -> None:
    first, second = ScriptedModel(DOWN), ScriptedModel("Hi")
    list(FailoverModel([("first", first), ("second", second)]).stream(request(model="gpt-4o-mini")))
    assert (first.requests[0].model, second.requests[0].model) == ("gpt-4o-mini", None)


def test_after_text_was_shown_nobody_begins_again() -> None:
    second = ScriptedModel("never")
    events = FailoverModel([("first", BreaksAfterText()), ("second", second)]).stream(request())
    assert next(events) == TextChunk("Once upon")
    with pytest.raises(ModelUnavailableError, match="the connection failed"):
        next(events)
    assert second.requests == []


def test_when_all_fail_every_reason_is_told() -> None:
    last = ModelUnavailableError("second did not answer: it is out of order")
    chain = FailoverModel([("first", ScriptedModel(DOWN)), ("second", ScriptedModel(last))])
    with pytest.raises(ModelUnavailableError) as raised:
        list(chain.stream(request()))
    assert raised.value.message == last.message
    assert raised.value.detail == {
        "providers": [
            {"provider": "first", "reason": DOWN.message},
            {"provider": "second", "reason": last.message},
        ]
    }


def test_when_the_time_is_up_nobody_else_is_asked() -> None:
    second = ScriptedModel("never")
    with pytest.raises(DeadlineExceededError):
        list(FailoverModel([("first", ScriptedModel(DOWN)), ("second", second)]).stream(request(seconds=-1)))
    assert second.requests == []


def test_other_errors_are_no_reason_to_ask_the_next() -> None:
    second = ScriptedModel("never")
    chain = FailoverModel([("first", ScriptedModel(DeadlineExceededError("too late"))), ("second", second)])
    with pytest.raises(DeadlineExceededError, match="too late"):
        list(chain.stream(request()))
    assert second.requests == []


def test_a_chain_of_none_is_refused() -> None:
    with pytest.raises(ValueError, match="at least one"):
        FailoverModel([])
