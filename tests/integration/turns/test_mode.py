"""The user's answer mode."""

from collections.abc import Mapping

import pytest

from tests.fakes.aws.api_gateway import Answer, assert_problem, call
from tests.fakes.world import ALICE, BOB, RIVAL, World


def mode(caller: Mapping[str, str]) -> str:
    answer = call("preferences", "GET", "/api/ai/mode", caller)
    assert answer.status == 200, answer.text
    name: str = answer.json["mode"]
    return name


def change(name: str, caller: Mapping[str, str] = ALICE) -> Answer:
    return call("preferences", "POST", f"/api/ai/mode/{name}", caller)


@pytest.mark.usefixtures("world")
def test_the_mode_is_default_at_first() -> None:
    answer = call("preferences", "GET", "/api/ai/mode", ALICE)
    assert (answer.status, answer.json) == (200, {"mode": "default", "modes": ["default", "voice", "brief", "coach"]})


@pytest.mark.usefixtures("world")
@pytest.mark.parametrize("name", ["voice", "brief", "coach", "default"])
def test_a_change_is_stored(name: str) -> None:
    answer = change(name)
    assert (answer.status, answer.json["mode"]) == (200, name)
    assert mode(ALICE) == name


@pytest.mark.usefixtures("world")
def test_users_have_separate_modes() -> None:
    change("coach")
    assert (mode(BOB), mode(RIVAL)) == ("default", "default")


@pytest.mark.usefixtures("world")
@pytest.mark.parametrize("name", ["shouting", "Brief", "%20"])
def test_the_problem_of_an_unknown_mode_lists_the_modes(name: str) -> None:
    change("brief")
    problem = assert_problem(change(name), 422, "invalid_input", "/mode")
    assert problem["data"] == {"modes": ["default", "voice", "brief", "coach"]}
    assert "coach" in problem["suggestion"]
    assert mode(ALICE) == "brief"


def test_a_mode_that_is_no_longer_known_is_the_default(world: World) -> None:
    world.entries.put("demo", "alice", "preferences", "preferences", {"mode": "boyfriend"})
    assert mode(ALICE) == "default"
    assert change("brief").status == 200
    assert mode(ALICE) == "brief"
