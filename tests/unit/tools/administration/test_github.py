"""Tests of the tool for GitHub issues."""

from collections.abc import Iterator

import pytest
from msgspec.structs import replace
from pydantic import SecretStr

from aisha.adapters.issues.github import GitHubIssueTracker
from aisha.adapters.secrets.environment import EnvironmentSecretStore
from aisha.application.tooling import decide
from tests.fakes.stores.in_memory import FixedClock, in_memory_ports
from tests.fakes.systems.customer_api import CustomerApi
from tests.fakes.systems.github import REPOSITORY, TOKEN, FakeGitHub
from tests.support.dialogue.conversations import Stage
from tests.support.tenants.desk import ANN, REGISTRY, Desk


@pytest.fixture
def github() -> FakeGitHub:
    return FakeGitHub()


@pytest.fixture
def office(desk: Desk, github: FakeGitHub) -> Iterator[Desk]:
    """Return a desk of a deployment that has a GitHub repository."""
    secrets = EnvironmentSecretStore({"github_token": SecretStr(TOKEN)})
    with CustomerApi(github) as api:
        tracker = GitHubIssueTracker(api.url, REPOSITORY, secrets)
        yield Desk(ANN, desk.clock, desk.records, in_memory_ports(desk.clock, desk.records, issues=tracker))


def test_an_issue_is_created_commented_on_and_closed(office: Desk, github: FakeGitHub) -> None:
    created = office.do("github_issue", action="create", title="Export does nothing", labels=["bug"])
    assert created["receipt"]["entity"]["name"] == "#1 Export does nothing"
    commented = office.do("github_issue", action="comment", number=1, body="Still so")
    assert commented["items"][0]["body"] == "Still so"
    assert office.do("github_issue", action="list_comments", number=1)["items"] == commented["items"]
    issue = office.do("github_issue", action="view", number=1)["items"][0]
    assert (issue["comments"], issue["labels"], issue["state"]) == (1, ["bug"], "open")
    office.do("github_issue", action="close", number=1, reason="not_planned")
    assert github.issues[0]["state_reason"] == "not_planned"
    assert office.do("github_issue", action="list")["items"] == []
    assert [issue["state"] for issue in office.do("github_issue", action="list", state="all")["items"]] == ["closed"]


def test_a_bug_is_filed_once_the_user_said_yes(office: Desk, github: FakeGitHub) -> None:
    stage = Stage(REGISTRY, office.clock.now())
    stage.deps = replace(stage.deps, ports=replace(stage.deps.ports, issues=office.ports.issues))
    question = stage.say("file a bug: the export button does nothing")
    assert question["confirmation"]["isDestructive"] is True
    assert question["confirmation"]["question"] == "Shall I file the GitHub issue “The export button does nothing”?"
    assert github.issues == []
    answer = stage.say("yes", question["conversationId"])
    assert answer["response"] == "Done, I filed GitHub issue #1 The export button does nothing."
    assert [issue["title"] for issue in github.issues] == ["The export button does nothing"]
    listed = stage.say("show the open GitHub issues", question["conversationId"])
    assert listed["status"] == "completed"
    assert "**#1 The export button does nothing** (open, by octocat)" in listed["response"]


def test_a_list_goes_on_by_page(office: Desk, github: FakeGitHub) -> None:
    for number in range(3):
        github.add(f"Issue {number}", "Long story")
    first = office.do("github_issue", action="list", limit=2)
    assert ([issue["title"] for issue in first["items"]], first["next_page"]) == (["Issue 2", "Issue 1"], 2)
    assert "body" not in first["items"][0]
    last = office.do("github_issue", action="list", limit=2, page=2)
    assert ([issue["title"] for issue in last["items"]], "next_page" in last) == (["Issue 0"], False)


@pytest.mark.parametrize(
    ("action", "verdict"),
    [
        ("create", "ask"),
        ("comment", "ask"),
        ("close", "ask"),
        ("view", "allow"),
        ("list", "allow"),
        ("list_comments", "allow"),
    ],
)
def test_the_user_is_asked_before_anything_leaves(action: str, verdict: str) -> None:
    spec = REGISTRY.spec("github_issue")
    assert spec is not None
    assert decide(ANN, spec.for_call({"action": action})).verdict == verdict


@pytest.mark.parametrize(
    ("arguments", "needed"),
    [
        ({"action": "create"}, "title"),
        ({"action": "view"}, "number"),
        ({"action": "close"}, "number"),
        ({"action": "comment", "number": 1}, "body"),
    ],
)
def test_what_is_missing_is_asked_for(office: Desk, arguments: dict[str, object], needed: str) -> None:
    assert office.refuse("github_issue", **arguments)["detail"] == {"field": needed}


def test_without_a_repository_it_says_so() -> None:
    clock = FixedClock()
    desk = Desk(ANN, clock, in_memory_ports(clock).records)  # type: ignore[arg-type]
    error = desk.refuse("github_issue", action="list")
    assert (error["code"], error["message"]) == ("not_set_up", "No GitHub repository is set up here")
