from typing import Any

import pytest

from tests.support.tenants.desk import BOB, EVE, Desk

RESULTS = [
    {"title": "New customers", "target": 10, "current": 4},
    {"title": "Proposals sent", "target": 5, "current": 5},
]


@pytest.fixture
def goal(desk: Desk) -> str:
    return desk.put("goal", title="Win customers", scope="shared", key_results=RESULTS, progress=10)


def test_own_goals_come_first_and_those_of_others_are_hidden(desk: Desk, goal: str) -> None:
    desk.put("goal", title="Answer faster", scope="mine", status="done")
    desk.put("goal", title="Bobs own", scope="mine", owner="bob")
    assert desk.names("get_goals") == ["Answer faster", "Win customers"]
    assert desk.do("get_goals")["total"] == 2
    assert desk.names("get_goals", scope="mine") == ["Answer faster"]
    assert desk.names("get_goals", status="In Progress") == []
    assert desk.names("get_goals", status="open") == ["Win customers"]
    assert desk.at(BOB).names("get_goals") == ["Bobs own", "Win customers"]


def test_a_long_list_of_goals_is_paged_to_its_end(desk: Desk) -> None:
    for number in range(4):
        for scope, owner in (("mine", "ann"), ("mine", "bob"), ("shared", "bob")):
            desk.put("goal", title=f"{owner} {scope} {number}", scope=scope, owner=owner)
    for limit in (1, 3, 4, 5):
        titles, cursor = [], None
        for _ in range(12):
            page = desk.do("get_goals", limit=limit, cursor=cursor)
            titles += [item["title"] for item in page["items"]]
            cursor = page.get("next_cursor")
            if cursor is None:
                break
        assert sorted(titles) == sorted(
            f"{whose} {number}" for whose in ("ann mine", "bob shared") for number in range(4)
        )


def test_the_progress_of_a_goal_follows_its_key_results(desk: Desk, goal: str) -> None:
    for name in (goal, "win customers", "Win"):
        result = desk.do("evaluate_goal", goal_id=name)
        assert (result["progress"], result["stored_progress"], result["is_reached"]) == (70, 10, False)
        assert [(item["progress"], item["missing"]) for item in result["key_results"]] == [(40, 6), (100, 0)]
        assert result["missing"] == ["New customers: 6 to go (4 of 10)"]


@pytest.mark.parametrize(
    ("results", "progress"),
    [
        ([{"title": "Calls", "target": 1000, "current": 999}], 99),
        ([{"title": "Calls", "target": 10, "current": 30}], 100),
        ([{"title": "Complaints", "target": 0, "current": 2}], 0),
        ([{"title": "Complaints", "target": 0, "current": 0}], 100),
        ([], 35),
    ],
)
def test_a_hundred_means_reached(desk: Desk, results: list[dict[str, Any]], progress: int) -> None:
    goal = desk.put("goal", title="Goal", key_results=results, progress=35)
    result = desk.do("evaluate_goal", goal_id=goal)
    assert (result["progress"], result["is_reached"]) == (progress, progress == 100)
    assert bool(result["missing"]) == (progress < 100)


def test_progress_follows_the_key_results_unless_it_is_given(desk: Desk, goal: str) -> None:
    changed = desk.do("update_goal", goal_id=goal, key_results=[{"title": "customers", "current": 8}])
    assert changed["record"]["progress"] == 90
    assert [item["current"] for item in changed["record"]["key_results"]] == [8, 5]
    assert changed["receipt"]["before"]["progress"] == 10
    result = desk.do(
        "update_goal", goal_id=goal, status="Done", progress=95, key_results=[{"title": "New customers", "current": 9}]
    )
    assert (result["record"]["status"], result["record"]["progress"]) == ("done", 95)


@pytest.mark.parametrize(
    ("arguments", "code"),
    [
        ({}, "invalid_input"),
        ({"progress": 101}, "invalid_input"),
        ({"key_results": [{"title": "Turnover", "current": 1}]}, "not_found"),
        ({"key_results": [{"title": "e", "current": 1}]}, "invalid_input"),
        ({"key_results": [{"title": "New customers", "current": float("inf")}]}, "invalid_input"),
    ],
)
def test_invalid_changes_of_a_goal_are_refused(desk: Desk, goal: str, arguments: dict[str, Any], code: str) -> None:
    assert desk.refuse("update_goal", goal_id=goal, **arguments)["code"] == code


def test_a_title_that_fits_several_goals_is_asked_about(desk: Desk, goal: str) -> None:
    desk.put("goal", title="Win partners")
    error = desk.refuse("evaluate_goal", goal_id="win")
    assert sorted(error["detail"]) == ["Win customers", "Win partners"]


def test_other_peoples_goals_do_not_exist(desk: Desk) -> None:
    mine = desk.put("goal", title="Get promoted", scope="mine")
    for stranger in (desk.at(BOB), desk.at(EVE)):
        for name in (mine, "Get promoted"):
            assert stranger.refuse("evaluate_goal", goal_id=name)["code"] == "not_found"
            assert stranger.refuse("update_goal", goal_id=name, progress=0)["code"] == "not_found"
    assert desk.do("evaluate_goal", goal_id=mine)["progress"] == 0


def test_a_goal_is_created_with_what_it_is_measured_by(desk: Desk) -> None:
    results = [{"title": "Deals won", "target": 10, "current": 4}]
    created = desk.do("create_goal", title="Close 10 deals", period="this quarter", key_results=results)
    assert created["record"]["progress"] == 40
    assert created["receipt"]["action"] == "created"
    assert desk.names("get_goals", scope="mine") == ["Close 10 deals"]
    assert desk.at(BOB).names("get_goals") == []
    desk.do("create_goal", title="Answer faster", scope="shared")
    assert desk.at(BOB).names("get_goals") == ["Answer faster"]
    desk.do("undo_last")
    assert desk.at(BOB).names("get_goals") == []
