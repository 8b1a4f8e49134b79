"""How a user wants to be answered: their own, kept, one of four."""

from collections.abc import Mapping

import pytest

from tests.fakes.api_gateway import Answer, assert_problem, call
from tests.fakes.world import ALICE, BOB, RIVAL, World


def mode(caller: Mapping[str, str]) -> str:
    answer = call("mode", "GET", "/api/ai/mode", caller)
    assert answer.status == 200, answer.text
    found: str = answer.json["mode"]
    return found


def change(wanted: str, caller: Mapping[str, str] = ALICE) -> Answer:
    return call("mode", "POST", f"/api/ai/mode/{wanted}", caller)


@pytest.mark.usefixtures("world")
def test_without_a_choice_it_is_the_default_one_of_four() -> None:
    answer = call("mode", "GET", "/api/ai/mode", ALICE)
    assert (answer.status, answer.json) == (200, {"mode": "default", "modes": ["default", "voice", "brief", "coach"]})


@pytest.mark.usefixtures("world")
@pytest.mark.parametrize("wanted", ["voice", "brief", "coach", "default"])
def test_a_change_is_kept(wanted: str) -> None:
    answer = change(wanted)
    assert (answer.status, answer.json["mode"]) == (200, wanted)
    assert mode(ALICE) == wanted


@pytest.mark.usefixtures("world")
def test_it_is_the_users_own() -> None:
    change("coach")
    assert (mode(BOB), mode(RIVAL)) == ("default", "default")


@pytest.mark.usefixtures("world")
@pytest.mark.parametrize("wanted", ["shouting", "Brief", "%20"])
def test_an_unknown_mode_is_answered_with_the_known_ones(wanted: str) -> None:
    change("brief")
    problem = assert_problem(change(wanted), 422, "invalid_input", "/mode")
    assert problem["detail"] == {"modes": ["default", "voice", "brief", "coach"]}
    assert "coach" in problem["suggestion"]
    assert mode(ALICE) == "brief"


def test_a_mode_that_is_no_longer_known_is_the_default(world: World) -> None:
    world.entries.put("demo", "alice", "preferences", "preferences", {"mode": "boyfriend"})
    assert mode(ALICE) == "default"
    assert change("brief").status == 200
    assert mode(ALICE) == "brief"
