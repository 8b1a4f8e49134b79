"""Every chat model does the same with an answer and with a fault, whatever protocol its server speaks."""

import time

import pytest

from aisha.domain.errors import DeadlineExceededError, ModelUnavailableError
from aisha.domain.models import ModelEvent, ModelFinished, ModelMessage, TextChunk, ToolCallRequest, Usage
from aisha.domain.tools import ToolSpec
from tests.fakes.models.model_server import Answer
from tests.support.chat_models import ANTHROPIC, OPENAI, Api, Asked
from tests.support.model_over_server import LONG, SEARCH, USER

CALLS = [("call_1", "search_leads", '{"title": "Größe"}'), ("call_2", "search_leads", "{}")]
PARTIAL = ("call_1", "search_leads", '{"title": "Gr')

# botocore makes its own tries, and its errors are tested with its provider.
BY_HTTP = pytest.mark.parametrize("api", [OPENAI, ANTHROPIC], ids=lambda api: api.provider)


def text_of(events: list[ModelEvent]) -> str:
    return "".join(event.text for event in events if isinstance(event, TextChunk))


def test_text_comes_in_pieces_and_then_the_end(api: Api) -> None:
    with api.server(Answer(LONG, usage=(321, 12), headers={api.request_id_header: "req_011"})) as server:
        *texts, finished = Asked(api, server).stream()
    assert text_of(texts) == LONG
    assert finished == ModelFinished(api.provider, api.answering, (), Usage(321, 12), request_id="req_011")


def test_the_first_words_are_there_before_the_rest_was_sent(api: Api) -> None:
    with api.server(Answer(LONG, hang_after=5)) as server:
        events = Asked(api, server).stream()
        first = next(events)
        assert isinstance(first, TextChunk) and first.text and LONG.startswith(first.text)
        events.close()  # type: ignore[attr-defined]


def test_parallel_calls_come_whole_and_only_at_the_end(api: Api) -> None:
    with api.server(Answer("Let me look.", calls=CALLS, characters=1)) as server:
        text, finished = Asked(api, server).answer(tools=(SEARCH,))
    assert text == "Let me look."
    assert finished.tool_calls == tuple(ToolCallRequest(*call) for call in CALLS)


@pytest.mark.parametrize(("sent", "received"), [("", "{}"), (PARTIAL[2], PARTIAL[2])], ids=["none", "broken"])
def test_arguments_are_passed_on_as_they_are_or_as_none(api: Api, sent: str, received: str) -> None:
    with api.server(Answer(calls=[("call_1", "search_leads", sent)])) as server:
        _, finished = Asked(api, server).answer()
    assert finished.tool_calls == (ToolCallRequest("call_1", "search_leads", received),)


def test_a_changed_tool_of_the_same_name_is_sent_as_it_is_now(api: Api) -> None:
    other = ToolSpec("search_leads", "Searches.", {"type": "object"}, {}, "leads")
    with api.server(Answer("Hi"), Answer("Hi")) as server:
        asked = Asked(api, server)
        asked.answer(tools=(SEARCH,))
        asked.answer(tools=(other,))
    assert [api.description(body) for body in server.requests] == ["Finds leads.", "Searches."]


def test_one_connection_serves_one_call_after_the_other(api: Api) -> None:
    with api.server(Answer("One"), Answer(calls=CALLS), Answer("Three")) as server:
        asked = Asked(api, server)
        for _ in range(3):
            asked.answer()
    assert server.connections == 1


# --- JSON


@pytest.mark.parametrize("fence", ["", "```json\n"])
def test_json_comes_whole_and_without_its_fence(api: Api, fence: str) -> None:
    text = '{"tools": ["search_leads"]}'
    with api.server(Answer(f"{fence}{text}\n```" if fence else text)) as server:
        events = list(Asked(api, server).stream(ModelMessage("system", "Choose."), USER, json_mode=True))
    assert events[0] == TextChunk(text)
    assert len(events) == 2


@pytest.mark.parametrize("text", ["Sure! Here it is.", '{"tools": [', '["a list"]'])
def test_what_is_no_json_object_is_no_answer(api: Api, text: str) -> None:
    with api.server(Answer(text)) as server:
        events = Asked(api, server).stream(json_mode=True)
        with pytest.raises(ModelUnavailableError, match="was not a JSON object"):
            next(events)


# --- faults


@BY_HTTP
@pytest.mark.parametrize(
    ("status", "reason", "tries"),
    [
        (400, "it refused the request", 1),
        (401, "its key was refused", 1),
        (403, "its key may not use this model", 1),
        (404, "it does not know this model", 1),
        (413, "the request was too long for it", 1),
        (429, "it limits our rate", 2),
        (500, "it is out of order", 2),
        (529, "it is out of order", 2),
    ],
)
def test_an_error_says_what_happened_and_nothing_of_what_the_provider_wrote(
    api: Api, status: int, reason: str, tries: int
) -> None:
    failing = Answer(status=status, headers={api.request_id_header: "req_9"})
    with api.server(failing, failing) as server, pytest.raises(ModelUnavailableError) as raised:
        Asked(api, server).answer()
    assert raised.value.message == f"{api.provider} did not answer: {reason}"
    detail = {"provider": api.provider, "model": api.model, "status": status, "request_id": "req_9"}
    assert raised.value.detail == detail
    assert len(server.requests) == tries


@BY_HTTP
def test_a_short_pause_that_is_asked_for_is_kept(api: Api) -> None:
    with api.server(Answer(status=429, headers={"Retry-After": "1"}), Answer("Hi")) as server:
        asked = Asked(api, server)
        assert asked.answer()[0] == "Hi"
    assert asked.pauses == [1.0]


@BY_HTTP
@pytest.mark.parametrize(("after", "seconds"), [("120", 20.0), ("1", 1.5), ("Wed, 21 Oct 2026 07:28:00 GMT", 20.0)])
def test_a_long_pause_is_left_to_the_next_of_the_chain(api: Api, after: str, seconds: float) -> None:
    with api.server(Answer(status=429, headers={"Retry-After": after})) as server:
        asked = Asked(api, server)
        with pytest.raises(ModelUnavailableError, match="it limits our rate"):
            asked.answer(seconds=seconds)
    assert (asked.pauses, len(server.requests)) == ([], 1)


def test_nobody_listening_is_a_failed_connection(api: Api) -> None:
    with api.server() as server:
        pass
    with pytest.raises(ModelUnavailableError, match="the connection failed"):
        Asked(api, server).answer()


def test_silence_before_the_answer_ends_while_there_is_time_for_another(api: Api) -> None:
    with api.server(Answer(hang_after=-1)) as server:
        # Made before the time counts: a client of botocore takes a while.
        asked = Asked(api, server)
        deadline = time.monotonic() + 2
        with pytest.raises(ModelUnavailableError, match="it took too long"):
            asked.answer(seconds=2)
        assert time.monotonic() < deadline


def test_silence_within_the_answer_is_an_error_after_the_text_that_came(api: Api) -> None:
    with api.server(Answer(LONG, hang_after=5)) as server:
        events_before_error = list[ModelEvent]()
        with pytest.raises(ModelUnavailableError, match="it took too long"):
            events_before_error += Asked(api, server).stream(seconds=1.0)
    text = text_of(events_before_error)
    assert text and LONG.startswith(text) and len(text) < len(LONG)
    assert len(server.requests) == 1


def test_text_that_drips_ends_at_the_deadline(api: Api) -> None:
    with api.server(Answer("x" * 400, characters=1, pause=0.02)) as server:
        start = time.monotonic()
        with pytest.raises(DeadlineExceededError):
            # On a busy machine the first piece is late, and half of the time is for it.
            Asked(api, server).answer(seconds=1.0)
    assert 0.9 < time.monotonic() - start < 5  # The whole would take 8 s.


def test_a_call_that_drips_is_left_while_there_is_time_for_another(api: Api) -> None:
    with api.server(Answer(calls=[("call_1", "a", "1" * 400)], characters=1, pause=0.02)) as server:
        # Made before the time counts: a client of botocore takes a while.
        asked = Asked(api, server)
        deadline = time.monotonic() + 2
        with pytest.raises(ModelUnavailableError, match="it took too long"):
            asked.answer(seconds=2)
        assert time.monotonic() < deadline


def test_after_the_deadline_nothing_is_asked(api: Api) -> None:
    with api.server() as server, pytest.raises(DeadlineExceededError):
        Asked(api, server).answer(seconds=-1.0)
    assert server.connections == 0


@pytest.mark.parametrize("resets", [False, True])
@pytest.mark.parametrize("pieces", [0, 2, 5, 9])
def test_a_stream_that_breaks_gives_no_end_and_no_calls(api: Api, pieces: int, resets: bool) -> None:
    broken = Answer(calls=CALLS, cut_after=pieces, resets=resets)
    with api.server(broken) as server, pytest.raises(ModelUnavailableError, match=r"the connection failed|cut off"):
        list(Asked(api, server).stream())
    assert len(server.requests) == 1


def test_calls_cut_off_at_the_length_limit_are_not_run(api: Api) -> None:
    with (
        api.server(Answer(calls=CALLS, finish_reason=api.length)) as server,
        pytest.raises(ModelUnavailableError, match="at a limit"),
    ):
        Asked(api, server).answer()


def test_text_cut_off_at_the_length_limit_is_still_an_answer(api: Api) -> None:
    with api.server(Answer(LONG, finish_reason=api.length, usage=None)) as server:
        text, finished = Asked(api, server).answer()
    assert (text, finished.usage.cost_usd) == (LONG, 0.0)
