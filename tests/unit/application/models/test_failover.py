"""Chains of models, and their circuit breaker."""

import time
from collections.abc import Iterator
from contextlib import suppress
from datetime import UTC, datetime

import pytest

from aisha.adapters.llm.circuit_breaker import MAX_FAILURES, RECOVERY_SECONDS, ModelCircuitBreaker
from aisha.application.models.failover import ChainEntry, CircuitBreaker, FailoverModel
from aisha.domain.errors import BudgetExceededError, DeadlineExceededError, ModelUnavailableError
from aisha.domain.models import Caller, ModelEvent, ModelFinished, ModelMessage, ModelRequest, TextChunk
from aisha.domain.ports import ChatModel
from aisha.domain.principal import Principal
from tests.fakes.models.scripted_model import ScriptedModel, ask

CALLER = Caller(Principal("demo", "alice"), datetime(2026, 3, 2, tzinfo=UTC))
DOWN = ModelUnavailableError("first did not answer: it limits our rate", detail={"status": 429})


class BreaksAfterText:
    """Says a few words, then is gone."""

    def stream(self, request: ModelRequest) -> Iterator[ModelEvent]:
        yield TextChunk("Once upon")
        raise ModelUnavailableError("first did not answer: the connection failed")


def chain(*models: ChatModel, breaker: CircuitBreaker | None = None) -> FailoverModel:
    names = ("first", "second", "third")
    return FailoverModel([_entry(name, model) for name, model in zip(names, models, strict=False)], breaker)


def _entry(name: str, model: ChatModel) -> ChainEntry:
    return ChainEntry(name, "m", lambda: model)


def request(seconds: float = 20.0, model: str | None = None) -> ModelRequest:
    return ModelRequest([ModelMessage("user", "Hello")], (), CALLER, time.monotonic() + seconds, model=model)


def spoken(events: list[ModelEvent]) -> str:
    return "".join(event.text for event in events if isinstance(event, TextChunk))


def test_the_first_answers_and_nobody_else_is_asked() -> None:
    second = ScriptedModel("never")
    events = list(chain(ScriptedModel("Hello there"), second).stream(request()))
    finished = events[-1]
    assert isinstance(finished, ModelFinished)
    assert (spoken(events), finished.degraded, finished.warnings) == ("Hello there", False, ())
    assert second.requests == []


def test_the_next_answers_for_one_that_cannot_and_says_so() -> None:
    models = chain(ScriptedModel(DOWN), ScriptedModel([ask("find", name="Ann")]))
    (finished,) = models.stream(request())
    assert isinstance(finished, ModelFinished)
    assert finished.degraded
    assert finished.warnings == ("first did not answer: it limits our rate; scripted answered instead.",)
    assert [call.name for call in finished.tool_calls] == ["find"]


def test_each_is_asked_for_its_own_model_whatever_name_was_asked_for() -> None:
    first, second = ScriptedModel(DOWN), ScriptedModel("Hi")
    list(chain(first, second).stream(request(model="m")))
    assert (first.requests[0].model, second.requests[0].model) == (None, None)


def test_that_one_failed_is_logged(caplog: pytest.LogCaptureFixture) -> None:
    list(chain(ScriptedModel(DOWN), ScriptedModel("Hi")).stream(request()))
    (record,) = [record for record in caplog.records if record.levelname == "WARNING"]
    assert (vars(record)["link"], vars(record)["reason"]) == ("first:m", DOWN.message)


def test_a_model_is_made_when_it_is_asked_for_the_first_time() -> None:
    created: list[str] = []

    def make(name: str) -> ChatModel:
        created.append(name)
        return ScriptedModel("Hi")

    models = FailoverModel(
        [ChainEntry("first", "m", lambda: make("first")), ChainEntry("second", "m", lambda: make("second"))]
    )
    assert created == []
    list(models.stream(request()))
    assert created == ["first"]


def test_after_text_was_shown_nobody_begins_again() -> None:
    second = ScriptedModel("never")
    events = chain(BreaksAfterText(), second).stream(request())
    assert next(events) == TextChunk("Once upon")
    with pytest.raises(ModelUnavailableError, match="the connection failed"):
        next(events)
    assert second.requests == []


def test_when_all_fail_every_reason_is_told() -> None:
    last = ModelUnavailableError("second did not answer: it is out of order")
    models = chain(ScriptedModel(DOWN), ScriptedModel(last))
    with pytest.raises(ModelUnavailableError) as raised:
        list(models.stream(request()))
    assert raised.value.message == last.message
    assert raised.value.detail == {
        "providers": [
            {"provider": "first", "model": "m", "reason": DOWN.message},
            {"provider": "second", "model": "m", "reason": last.message},
        ]
    }


def test_a_reason_has_the_provider_s_request_id(caplog: pytest.LogCaptureFixture) -> None:
    down = ModelUnavailableError("first did not answer", detail={"status": 500, "request_id": "req_7"})
    with pytest.raises(ModelUnavailableError) as raised:
        list(chain(ScriptedModel(down)).stream(request()))
    (reason,) = raised.value.detail["providers"]
    assert reason["provider_request_id"] == "req_7"
    (line,) = [record for record in caplog.records if record.message == "model unavailable"]
    assert vars(line)["provider_request_id"] == "req_7"


def test_when_the_time_is_up_nobody_else_is_asked() -> None:
    second = ScriptedModel("never")
    with pytest.raises(DeadlineExceededError):
        list(chain(ScriptedModel(DOWN), second).stream(request(seconds=-1)))
    assert second.requests == []


def test_other_errors_are_no_reason_to_ask_the_next() -> None:
    second = ScriptedModel("never")
    models = chain(ScriptedModel(DeadlineExceededError("too late")), second)
    with pytest.raises(DeadlineExceededError, match="too late"):
        list(models.stream(request()))
    assert second.requests == []


def test_a_chain_of_none_is_refused() -> None:
    with pytest.raises(ValueError, match="at least one"):
        FailoverModel([])


# --- circuits


class Broken:
    """Fails each time in one way, and counts how often it was asked."""

    def __init__(self, error: ModelUnavailableError | None = DOWN, text: str = "") -> None:
        self.error, self.text, self.asked = error, text, 0

    def stream(self, request: ModelRequest) -> Iterator[ModelEvent]:
        self.asked += 1
        if self.text:
            yield TextChunk(self.text)
        if self.error:
            raise self.error
        yield ModelFinished("first", "m")


def ask_often(models: FailoverModel, times: int) -> ModelFinished:
    """The end of the last answer; what was raised is passed over."""
    finished = ModelFinished("nobody", "none")
    for _ in range(times):
        with suppress(ModelUnavailableError):
            *_, last = models.stream(request())
            assert isinstance(last, ModelFinished)
            finished = last
    return finished


def test_who_keeps_failing_is_not_asked_for_a_while_and_then_once() -> None:
    first = Broken()
    models = chain(first, Broken(None, "Hi"), breaker=ModelCircuitBreaker())
    ask_often(models, MAX_FAILURES)
    finished = ask_often(models, 2)
    assert first.asked == MAX_FAILURES
    assert finished.degraded
    assert f"first was not asked: it failed {MAX_FAILURES} times in a row" in finished.warnings[0]


def test_after_the_pause_one_call_tries_and_all_is_well_again() -> None:
    now, first = [0.0], Broken()
    models = chain(first, Broken(None, "Hi"), breaker=ModelCircuitBreaker(lambda: now[0]))
    ask_often(models, MAX_FAILURES)
    now[0] += RECOVERY_SECONDS
    ask_often(models, 1)
    assert first.asked == MAX_FAILURES + 1, "it is tried"
    ask_often(models, 1)
    assert first.asked == MAX_FAILURES + 1, "and left alone again, as it failed"
    now[0] += RECOVERY_SECONDS
    first.error = None
    assert not ask_often(models, 3).degraded


def test_only_one_request_tries_again_until_its_outcome_is_recorded() -> None:
    now, first = [0.0], Broken()
    models = chain(first, Broken(None, "Hi"), breaker=ModelCircuitBreaker(lambda: now[0]))
    ask_often(models, MAX_FAILURES)
    now[0] += RECOVERY_SECONDS
    first.error, first.text = None, "Hello"
    attempt = models.stream(request())
    assert next(attempt) == TextChunk("Hello")
    assert ask_often(models, 1).degraded
    assert isinstance(list(attempt)[-1], ModelFinished)
    assert not ask_often(models, 1).degraded


def test_a_try_that_nobody_reads_to_its_end_gives_way_to_another_one() -> None:
    now, first = [0.0], Broken()
    models = chain(first, Broken(None, "Hi"), breaker=ModelCircuitBreaker(lambda: now[0]))
    ask_often(models, MAX_FAILURES)
    now[0] += RECOVERY_SECONDS
    first.error, first.text = None, "Hello"
    abandoned = models.stream(request())
    next(abandoned)
    abandoned.close()  # type: ignore[attr-defined]
    assert ask_often(models, 1).degraded
    now[0] += RECOVERY_SECONDS
    assert not ask_often(models, 1).degraded


def test_what_began_before_the_circuit_opened_does_not_close_it() -> None:
    first = Broken(None, "Hello")
    models = chain(first, Broken(None, "Hi"), breaker=ModelCircuitBreaker())
    earlier = models.stream(request())
    next(earlier)
    first.error, first.text = DOWN, ""
    ask_often(models, MAX_FAILURES)
    first.error = None
    list(earlier)
    assert ask_often(models, 1).degraded


def test_failing_in_the_middle_counts_too() -> None:
    first = Broken(text="Once upon")
    models = chain(first, Broken(None, "Hi"), breaker=ModelCircuitBreaker())
    ask_often(models, MAX_FAILURES)
    assert ask_often(models, 1).degraded
    assert first.asked == MAX_FAILURES


def test_a_success_between_failures_starts_the_count_again() -> None:
    first = Broken()
    models = chain(first, Broken(None, "Hi"), breaker=ModelCircuitBreaker())
    ask_often(models, MAX_FAILURES - 1)
    first.error = None
    ask_often(models, 1)
    first.error = DOWN
    ask_often(models, MAX_FAILURES)
    assert first.asked == 2 * MAX_FAILURES


def test_a_request_that_is_refused_for_what_it_is_says_nothing_of_the_provider() -> None:
    first = Broken(ModelUnavailableError("first did not answer: it refused the request", detail={"status": 400}))
    models = chain(first, Broken(None, "Hi"), breaker=ModelCircuitBreaker())
    ask_often(models, MAX_FAILURES + 2)
    assert first.asked == MAX_FAILURES + 2


def test_a_request_that_no_budget_allows_says_nothing_of_the_provider() -> None:
    first = Broken()
    models = chain(first, Broken(None, "Hi"), breaker=ModelCircuitBreaker())
    ask_often(models, MAX_FAILURES - 1)
    first.error = BudgetExceededError("used up")
    ask_often(models, 1)
    first.error = DOWN
    ask_often(models, 3)
    assert first.asked == MAX_FAILURES + 1, "the failures before it still count: it was no success"


def test_one_model_s_circuit_is_not_another_s() -> None:
    second, breaker = Broken(None, "Hi"), ModelCircuitBreaker()
    ask_often(chain(Broken(), second, breaker=breaker), MAX_FAILURES)
    assert not ask_often(FailoverModel([ChainEntry("first", "other", lambda: second)], breaker), 1).degraded
