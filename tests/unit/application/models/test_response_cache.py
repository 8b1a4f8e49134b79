"""The cache of models' answers."""

import time
from datetime import UTC, datetime, timedelta

import pytest
from msgspec.structs import replace

from aisha.application.models.response_cache import CachedModel, ResponseCache
from aisha.domain.models import Caller, ModelEvent, ModelFinished, ModelMessage, ModelRequest, TextChunk, Usage
from aisha.domain.principal import Principal
from aisha.domain.tools import ToolSpec
from tests.fakes.models.scripted_model import ScriptedModel, ask

NOW = datetime(2026, 3, 2, 9, 15, tzinfo=UTC)
FIND = ToolSpec("find", "Finds.", {}, {}, "test")
CREATE = ToolSpec("create", "Creates.", {}, {}, "test", access="write")


class Watch:
    def __init__(self) -> None:
        self.seconds = 0.0

    def __call__(self) -> float:
        return self.seconds


def request(
    text: str = "How many leads?", now: datetime = NOW, user: str = "alice", tenant: str = "demo"
) -> ModelRequest:
    messages = [ModelMessage("system", f"It is {now:%H:%M} for the user."), ModelMessage("user", text)]
    caller = Caller(Principal(tenant, user), now)
    return ModelRequest(messages, (FIND, CREATE), caller, time.monotonic() + 20)


def cached(model: ScriptedModel, clock: Watch | None = None) -> CachedModel:
    return CachedModel("openai:m", model, ResponseCache(3600, clock=clock or Watch()))


def said(events: list[ModelEvent]) -> str:
    return "".join(event.text for event in events if isinstance(event, TextChunk))


def test_the_same_question_is_asked_once_and_costs_once() -> None:
    model = ScriptedModel("You have four open leads.")
    cache = cached(model)
    first, second = list(cache.stream(request())), list(cache.stream(request(now=NOW + timedelta(minutes=20))))
    assert said(first) == said(second) == "You have four open leads."
    assert isinstance(first[-1], ModelFinished)
    assert isinstance(second[-1], ModelFinished)
    assert (first[-1].usage.input_tokens, second[-1].usage) == (100, Usage())
    assert len(model.requests) == 1


@pytest.mark.parametrize(
    "other",
    [
        request("How many contacts?"),
        request(user="bob"),
        request(tenant="rival"),
        request(now=NOW + timedelta(hours=1)),
        request(now=NOW + timedelta(days=1)),
        replace(request(), temperature=0.9),
        replace(request(), tools=(FIND,)),
        replace(request(), messages=[*request().messages, ModelMessage("tool", '{"total": 5}', tool_call_id="1")]),
    ],
)
def test_another_question_is_asked(other: ModelRequest) -> None:
    model = ScriptedModel("Four.", "Five.")
    cache = cached(model)
    assert said(list(cache.stream(request()))) == "Four."
    assert said(list(cache.stream(other))) == "Five."


def test_a_call_that_reads_is_kept_and_one_that_writes_is_not() -> None:
    model = ScriptedModel([ask("find", name="Ann")], [ask("create", name="Ann")], [ask("create", name="Ann")])
    cache = cached(model)
    for text in ("Find Ann", "Find Ann", "Create Ann", "Create Ann"):
        (finished,) = cache.stream(request(text))
        assert isinstance(finished, ModelFinished)
        assert [call.name for call in finished.tool_calls] == [text.split()[0].lower()]
    assert model.steps == []


def test_an_answer_is_kept_no_longer_than_its_time() -> None:
    model, clock = ScriptedModel("Four.", "Five."), Watch()
    cache = cached(model, clock)
    list(cache.stream(request()))
    clock.seconds = 3599.0
    assert said(list(cache.stream(request()))) == "Four."
    clock.seconds = 3600.0
    assert said(list(cache.stream(request()))) == "Five."


def test_an_answer_that_nobody_read_to_its_end_is_not_kept() -> None:
    model = ScriptedModel("You have four open leads.", "Five.")
    cache = cached(model)
    events = cache.stream(request())
    next(events)
    events.close()
    assert said(list(cache.stream(request()))) == "Five."
