"""Brainlets: their order, their place among the messages, their modes, and what happens when one fails."""

import threading
import time
from collections.abc import Callable, Mapping
from typing import Any

import pytest
from msgspec.structs import replace

from aisha.application.turn.brainlets import runner
from aisha.application.turn.brainlets.registry import Brainlets, discover_brainlets
from aisha.application.turn.brainlets.spec import Brainlet, BrainletOptions, BrainletView
from aisha.domain.conversations.events import MoodChanged
from aisha.domain.errors import InvalidInputError
from aisha.domain.models import ModelRequest
from tests.fakes.models.scripted_model import ask, spoken
from tests.unit.application.conftest import World

Act = Callable[[Mapping[str, Any], BrainletView], Any]


def make_brainlet(name: str, act: Act = lambda outputs, turn: None, **fields: Any) -> Brainlet:
    return Brainlet(name, name, fields.pop("stage", "pre"), act, tuple(fields.pop("depends_on", ())), **fields)


def with_brainlets(world: World, *brainlets: Brainlet) -> World:
    world.deps = replace(world.deps, brainlets=Brainlets(brainlets))
    return world


def test_the_output_of_a_brainlet_reaches_the_model_as_a_tool_result(world: World) -> None:
    with_brainlets(world, make_brainlet("memory_search", lambda outputs, turn: [{"memory": f"about {turn.text}"}]))
    world.say("Hello", "Hi")
    call, result, user = spoken(world.model.requests[0])
    assert [request.name for request in call.tool_calls] == ["memory_search"]
    assert result.tool_call_id == call.tool_calls[0].id
    assert result.content == '[{"memory": "about Hello"}]'
    assert user.content == "Hello"


def test_a_brainlet_gets_the_outputs_that_it_depends_on(world: World) -> None:
    received: dict[str, Any] = {}
    with_brainlets(
        world,
        make_brainlet("last", lambda outputs, turn: received.update(outputs), depends_on=("middle", "first")),
        make_brainlet("middle", lambda outputs, turn: outputs["first"] + "b", depends_on=("first",)),
        make_brainlet("first", lambda outputs, turn: "a"),
    )
    world.say("Hello", "Hi")
    assert received == {"first": "a", "middle": "ab"}


def test_a_post_brainlet_sees_the_finished_turn(world: World) -> None:
    replies: list[str] = []
    with_brainlets(world, make_brainlet("after", lambda outputs, turn: replies.append(turn.reply), stage="post"))
    world.say("Hello", "Hi there")
    assert replies == ["Hi there"]


def test_only_brainlets_of_the_mode_run(world: World) -> None:
    ran: list[str] = []
    with_brainlets(
        world,
        make_brainlet("coach_only", lambda outputs, turn: ran.append("coach"), modes=("coach",)),
        make_brainlet(
            "after_coach", lambda outputs, turn: ran.append(f"after {dict(outputs)}"), depends_on=("coach_only",)
        ),
    )
    world.say("Hello", "Hi")
    world.say("Hello", "Hi", mode="coach")
    assert ran == ["after {}", "coach", "after {}"]


def test_a_brainlet_that_fails_is_left_out_with_a_warning(world: World) -> None:
    def broken(outputs: Mapping[str, Any], turn: BrainletView) -> None:
        raise RuntimeError("secret detail")

    with_brainlets(world, make_brainlet("broken", broken), make_brainlet("works", lambda outputs, turn: "x"))
    failures: list[tuple[str, str]] = []
    world.deps = replace(
        world.deps, on_brainlet_failure=lambda failed, error: failures.append((failed.name, str(error)))
    )
    answer = world.say("Hello", "Hi")
    assert failures == [("broken", "secret detail")]
    assert answer["response"] == "Hi"
    assert answer["warnings"] == ["broken was left out."]
    assert len(spoken(world.model.requests[0])) == 3


def test_a_brainlet_that_hangs_is_left_out(world: World) -> None:
    release = threading.Event()
    with_brainlets(
        world, make_brainlet("slow", lambda outputs, turn: release.wait(20), options=BrainletOptions(seconds=0.05))
    )
    answer = world.say("Hello", "Hi")
    release.set()
    assert answer["response"] == "Hi"
    assert answer["warnings"] == ["slow took too long and was left out."]


def test_a_brainlet_that_only_computes_runs_in_the_turns_thread_and_may_fail(world: World) -> None:
    threads: list[threading.Thread] = []
    only = BrainletOptions(computes_only=True)

    def fails(outputs: Mapping[str, Any], turn: BrainletView) -> None:
        turn.add_insight("Half of it")
        raise RuntimeError("broken")

    with_brainlets(
        world,
        make_brainlet("quick", lambda outputs, turn: threads.append(threading.current_thread()), options=only),
        make_brainlet("broken", fails, options=only, depends_on=("quick",)),
    )
    answer = world.say("Hello", "Hi")
    assert threads == [threading.current_thread()]
    assert answer["response"] == "Hi"
    assert answer["warnings"] == ["broken was left out."]
    assert answer["insights"] == []


def test_a_brainlet_runs_in_the_turns_that_it_applies_to(world: World) -> None:
    ran: list[str] = []

    def fails(turn: BrainletView) -> bool:
        raise RuntimeError("broken")

    with_brainlets(
        world,
        make_brainlet(
            "asked", lambda outputs, turn: ran.append(turn.text), applies=lambda turn: turn.text.endswith("?")
        ),
        make_brainlet("after", lambda outputs, turn: ran.append(f"after {dict(outputs)}"), depends_on=("asked",)),
        make_brainlet("unsure", lambda outputs, turn: ran.append("unsure"), applies=fails),
    )
    answer = world.say("Hello", "Hi")
    assert answer["warnings"] == ["unsure was left out."]
    world.say("Who is hot?", "Nobody")
    assert sorted(ran) == ["Who is hot?", "after {}", "after {}"]


def touch(turn: BrainletView) -> None:
    """Make every change that a brainlet may make to a turn."""
    turn.attach_tools(())
    turn.add_insight("Seen too late")
    turn.recommend(step="Do it", scan="stale_leads")
    turn.show_mood(MoodChanged("negative", "😟", "#c62828"))
    turn.summarise("They talked.")
    turn.add_recalled(["It worked with Mia"])


def tools_sent(request: ModelRequest) -> set[str]:
    return {spec.name for spec in request.tools}


def test_a_brainlet_that_was_left_out_changes_nothing_later(world: World) -> None:
    release, touched = threading.Event(), threading.Event()

    def late(outputs: Mapping[str, Any], turn: BrainletView) -> None:
        release.wait(20)
        touch(turn)
        touched.set()

    def during_the_turn(request: ModelRequest) -> Any:
        release.set()
        assert touched.wait(20)
        return [ask("find_leads")]

    with_brainlets(world, make_brainlet("router", late, options=BrainletOptions(seconds=0.05)))
    answer = world.say("Show the leads", during_the_turn, "None.")
    assert answer["warnings"] == ["router took too long and was left out."]
    first, second = world.model.requests
    assert tools_sent(first) == tools_sent(second) != set()
    assert (answer["insights"], answer["recommendedScans"], answer.get("mood")) == ([], [], None)
    assert "Do it" not in answer["nextSteps"]
    conversation = world.deps.conversations.load("demo", "alice", answer["conversationId"], 0).conversation
    assert conversation.summary is None


def test_a_brainlet_that_fails_half_way_changes_nothing(world: World) -> None:
    def broken(outputs: Mapping[str, Any], turn: BrainletView) -> None:
        turn.ask("Which tools?", turn.text)
        touch(turn)
        raise RuntimeError

    with_brainlets(world, make_brainlet("router", broken))
    answer = world.say("Hello", "some words", "Hi")
    assert answer["warnings"] == ["router was left out."]
    assert (answer["insights"], answer["recommendedScans"], answer.get("mood")) == ([], [], None)
    assert tools_sent(world.model.requests[1])
    assert answer["usage"]["inputTokens"] == 200, "its tokens were spent"


def test_the_tokens_of_parallel_brainlets_are_added_up(world: World) -> None:
    both = threading.Barrier(2)

    def asking(outputs: Mapping[str, Any], turn: BrainletView) -> None:
        both.wait(20)
        turn.ask("Say something.", turn.text)

    with_brainlets(world, make_brainlet("one", asking), make_brainlet("two", asking))
    assert world.say("Hello", "a", "b", "Hi")["usage"]["inputTokens"] == 300


def test_a_brainlet_that_keeps_the_turn_may_run_past_the_deadline(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    release, messages = threading.Event(), list[str]()

    def keep(outputs: Mapping[str, Any], turn: BrainletView) -> None:
        release.wait(20)
        messages.append(turn.text)

    with_brainlets(
        world,
        make_brainlet("chatty", lambda outputs, turn: release.wait(20), stage="post"),
        make_brainlet("diary", keep, stage="post", options=BrainletOptions(seconds=20), keeps_turn=True),
    )
    left_out = list[str]()

    def note_failure(failed: Brainlet, _: Exception) -> None:
        left_out.append(failed.name)
        release.set()

    world.deps = replace(world.deps, on_brainlet_failure=note_failure)
    monkeypatch.setattr(runner, "monotonic", lambda: time.monotonic() + 3600)
    assert world.say("Hello", "Hi")["response"] == "Hi"
    assert (left_out, messages) == (["chatty"], ["Hello"])


@pytest.mark.parametrize(
    ("brainlets", "message"),
    [
        ([make_brainlet("a", depends_on=("b",)), make_brainlet("b", depends_on=("a",))], "circle: .*a.*b"),
        ([make_brainlet("a", depends_on=("nobody",))], "'nobody', which does not exist"),
        ([make_brainlet("a"), make_brainlet("a")], "two brainlets have one name: 'a'"),
        ([make_brainlet("a", depends_on=("b",)), make_brainlet("b", stage="post")], "runs before 'b'"),
        ([make_brainlet("a", modes=("boyfriend",))], "unknown modes: boyfriend"),
    ],
)
def test_brainlets_that_cannot_run_are_refused(brainlets: list[Brainlet], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        Brainlets(brainlets)


def test_the_brainlets_of_the_product_are_discovered() -> None:
    brainlets = discover_brainlets("aisha.brainlets")
    assert {brainlet.name for brainlet in brainlets.ordered} >= {
        "router",
        "memory_search",
        "summary",
        "mood",
        "insights",
    }


def test_the_mood_goes_to_the_widget(world: World) -> None:
    mood = MoodChanged("negative", "😟", "#c62828")
    answer = with_brainlets(world, make_brainlet("mood", lambda outputs, turn: turn.show_mood(mood), stage="post")).say(
        "x", "y"
    )
    assert answer["mood"] == {"sentiment": "negative", "emoji": "😟", "color": "#c62828"}


def test_only_brainlets_that_keep_the_turn_run_for_callers_that_read_the_answer_alone(world: World) -> None:
    ran: list[str] = []
    with_brainlets(
        world,
        make_brainlet("chatty", lambda outputs, turn: ran.append("chatty"), stage="post"),
        make_brainlet("diary", lambda outputs, turn: ran.append("diary"), stage="post", keeps_turn=True),
    )
    world.deps = world.deps.without_side_brainlets()
    world.say("Hello", "Hi")
    assert ran == ["diary"]


def test_a_model_call_of_a_brainlet_marks_the_users_own_words(world: World) -> None:
    def asking(outputs: Mapping[str, Any], turn: BrainletView) -> None:
        turn.ask("What does the user want?", turn.text)
        turn.ask("Sum it up.", f"User: {turn.text}")

    with_brainlets(world, make_brainlet("asking", asking))
    world.say("Write to ann@lee.example", "a", "b", "Done")
    assert [request.messages[-1].is_typed for request in world.model.requests] == [True, False, True]


def ask_model(outputs: Mapping[str, Any], turn: BrainletView) -> str:
    return turn.ask("Answer.", turn.text)


def own_models(world: World) -> list[tuple[str | None, str | None]]:
    """Return provider and model of the brainlets' calls in a turn, which come before the turn's own."""
    world.say("Hello", "brief", "Hi")
    return [(request.provider, request.model) for request in world.model.requests[:-1]]


def test_a_brainlet_asks_the_model_that_it_names_or_that_the_tenant_names_for_it(world: World) -> None:
    options = BrainletOptions(provider="groq", model="oss")
    with_brainlets(world, make_brainlet("briefer", ask_model, options=options))
    assert own_models(world) == [("groq", "oss")]
    settings = {"briefer": {"provider": "anthropic"}}
    world.deps.ports.entries.put("demo", None, "profile", "profile", {"brainlets": settings})
    assert own_models(world) == [("anthropic", None)]


def test_where_a_brainlets_model_is_not_set_up_the_others_of_its_capability_answer(world: World) -> None:
    options = BrainletOptions(provider="groq", model="oss")
    with_brainlets(world, make_brainlet("briefer", ask_model, options=options))
    answer = world.say("Hello", InvalidInputError("Unsupported provider: groq."), "brief", "Hi")
    assert [request.provider for request in world.model.requests] == ["groq", None, None]
    assert answer["warnings"] == []


def test_a_tenant_switches_a_brainlet_off_and_bounds_another(world: World) -> None:
    turn_ended = threading.Event()

    def dawdle(outputs: Mapping[str, Any], turn: BrainletView) -> str:
        turn_ended.wait(5)
        return "late"

    settings = {"greeter": {"enabled": False}, "coach": {"modes": ["coach"]}, "slow": {"seconds": 0.05}}
    world.deps.ports.entries.put("demo", None, "profile", "profile", {"brainlets": {**settings, "broken": 7}})
    runs: list[str] = []
    with_brainlets(
        world,
        make_brainlet("greeter", lambda outputs, turn: runs.append("greeter")),
        make_brainlet("coach", lambda outputs, turn: runs.append("coach")),
        make_brainlet("slow", dawdle),
        make_brainlet("plain", lambda outputs, turn: runs.append("plain")),
    )
    answer = world.say("Hello", "Hi")
    turn_ended.set()
    assert runs == ["plain"]
    assert answer["warnings"] == ["slow took too long and was left out."]
    world.say("Hello", "Hi", mode="coach")
    assert "coach" in runs
