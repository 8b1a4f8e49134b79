"""GitHub's issues over its REST API, against a fake on a loopback port."""

from collections.abc import Callable, Iterator
from typing import Any

import pytest
from pydantic import SecretStr

from aisha.adapters.issues.github import GitHubIssueTracker
from aisha.adapters.secrets.environment import EnvironmentSecretStore
from aisha.domain.errors import AishaError, InvalidInputError, NotFoundError, NotSetUpError, UnavailableError
from tests.fakes.systems.customer_api import CustomerApi, Reply
from tests.fakes.systems.github import REPOSITORY, TOKEN, FakeGitHub

SECRETS = EnvironmentSecretStore({"github_token": SecretStr(TOKEN)})


@pytest.fixture
def github() -> FakeGitHub:
    return FakeGitHub()


@pytest.fixture
def api(github: FakeGitHub) -> Iterator[CustomerApi]:
    with CustomerApi(github) as server:
        yield server


@pytest.fixture
def tracker(api: CustomerApi) -> GitHubIssueTracker:
    return GitHubIssueTracker(api.url, REPOSITORY, SECRETS)


def test_an_issue_is_filed_as_the_documentation_says(tracker: GitHubIssueTracker, api: CustomerApi) -> None:
    issue = tracker.create("The export button does nothing", "Steps: **click** it", ["bug", "export"])
    assert (issue.number, issue.state, issue.labels) == (1, "open", ("bug", "export"))
    assert issue.url == "https://github.com/acme/crm/issues/1"
    assert tracker.get(1) == issue
    sent = api.requests[0]
    assert (sent.method, sent.path) == ("POST", "/repos/acme/crm/issues")
    assert sent.headers["accept"] == "application/vnd.github+json"
    assert sent.headers["x-github-api-version"] == "2022-11-28"


def test_a_comment_is_added_and_listed(tracker: GitHubIssueTracker, github: FakeGitHub) -> None:
    github.add("Slow")
    comment = tracker.comment(1, "Slower today")
    assert (comment.author, comment.body) == ("hubot", "Slower today")
    assert tracker.comments(1, 1, 10).items == [comment]
    assert tracker.get(1).comments == 1


@pytest.mark.parametrize("reason", ["completed", "not_planned"])
def test_an_issue_is_closed_once(
    tracker: GitHubIssueTracker, api: CustomerApi, github: FakeGitHub, reason: Any
) -> None:
    github.add("Slow")
    assert tracker.close(1, reason).state == "closed"
    assert github.issues[0]["state_reason"] == reason
    assert tracker.close(1, "completed").state == "closed"
    assert [sent.method for sent in api.requests] == ["GET", "PATCH", "GET"]
    assert github.issues[0]["state_reason"] == reason


def test_lists_are_paged_to_their_end_and_filtered(tracker: GitHubIssueTracker, github: FakeGitHub) -> None:
    for number in range(5):
        github.add(f"Issue {number}", labels=["bug"] if number % 2 else [])
    github.add("Old", state="closed")
    github.add("A change", pull_request={"url": "https://api.github.com/repos/acme/crm/pulls/7"})
    titles, page = [], 1
    while page:
        issue_page = tracker.issues("open", (), page, 2)
        titles += [issue.title for issue in issue_page.items]
        page = issue_page.next_page or 0
    assert titles == ["Issue 4", "Issue 3", "Issue 2", "Issue 1", "Issue 0"]
    assert [one.title for one in tracker.issues("open", ["bug"], 1, 10).items] == ["Issue 3", "Issue 1"]
    assert [one.title for one in tracker.issues("closed", (), 1, 10).items] == ["Old"]
    assert tracker.issues("all", (), 1, 10).next_page is None


def test_comments_are_paged_the_oldest_first(tracker: GitHubIssueTracker, github: FakeGitHub) -> None:
    github.add("Slow")
    for text in ("one", "two", "three"):
        tracker.comment(1, text)
    first = tracker.comments(1, 1, 2)
    assert ([one.body for one in first.items], first.next_page) == (["one", "two"], 2)
    last = tracker.comments(1, 2, 2)
    assert ([one.body for one in last.items], last.next_page) == (["three"], None)


@pytest.mark.parametrize(
    "touch", [lambda t: t.get(1), lambda t: t.comment(1, "x"), lambda t: t.close(1)], ids=["get", "comment", "close"]
)
def test_a_pull_request_is_not_an_issue(
    tracker: GitHubIssueTracker, github: FakeGitHub, touch: Callable[[GitHubIssueTracker], object]
) -> None:
    pull_request = dict(github.add("A change", pull_request={"url": "https://api.github.com/repos/acme/crm/pulls/1"}))
    with pytest.raises(NotFoundError, match="no issue 1"):
        touch(tracker)
    assert github.issues[0] == pull_request
    assert not github.comments.get(1)


def test_empty_fields_of_github_are_accepted(tracker: GitHubIssueTracker, github: FakeGitHub) -> None:
    github.add("Bare", body=None, user=None, labels=None)
    github.issues[0]["labels"] = ["old-style"]
    issue = tracker.get(1)
    assert (issue.body, issue.author, issue.labels) == ("", "ghost", ("old-style",))


def test_an_unknown_issue_or_repository_is_not_found(api: CustomerApi, tracker: GitHubIssueTracker) -> None:
    with pytest.raises(NotFoundError, match="no issue 41 in acme/crm"):
        tracker.get(41)
    with pytest.raises(NotFoundError, match="no repository acme/gone"):
        GitHubIssueTracker(api.url, "acme/gone", SECRETS).issues("open", (), 1, 10)


def test_a_value_that_github_refuses_is_an_error_with_the_field(tracker: GitHubIssueTracker) -> None:
    with pytest.raises(InvalidInputError, match=r"Validation Failed \(title: missing_field\)"):
        tracker.create("", "")


@pytest.mark.parametrize(
    ("reply", "kind", "message"),
    [
        (Reply({"message": "Bad credentials"}, 401), UnavailableError, "does not accept the key"),
        (Reply({"message": "Resource not accessible"}, 403), UnavailableError, "does not accept the key"),
        (
            Reply({"message": "API rate limit exceeded"}, 403, {"X-RateLimit-Remaining": "0"}),
            UnavailableError,
            "no more requests",
        ),
        (Reply({"message": "secondary rate limit"}, 403, {"Retry-After": "60"}), UnavailableError, "no more requests"),
        (Reply({"message": "Too many"}, 429, {"Retry-After": "60"}), UnavailableError, "no more requests"),
        (Reply({"message": "Issues are disabled"}, 410), NotFoundError, "no repository acme/crm with issues"),
        (Reply({"message": "Moved Permanently"}, 301, {"Location": "http://x/"}), UnavailableError, "moved or renamed"),
        (Reply("<html>", 502), UnavailableError, "answered with 502"),
        (Reply("<html>", 200), UnavailableError, "no JSON"),
        (Reply({"hello": "there"}, 200), UnavailableError, "is no issue"),
        (Reply([{"number": "x"}], 200), UnavailableError, "is no issue"),
        (Reply("<html>", 422), InvalidInputError, "gave no reason"),
    ],
)
def test_every_failure_says_what_to_do_and_never_the_token(
    tracker: GitHubIssueTracker, github: FakeGitHub, reply: Reply, kind: type[AishaError], message: str
) -> None:
    github.fixed_reply = reply
    with pytest.raises(kind, match=message) as failed:
        tracker.issues("open", (), 1, 10)
    assert failed.value.suggestion
    assert TOKEN not in str(failed.value.members())


def test_the_time_to_wait_is_passed_on(tracker: GitHubIssueTracker, github: FakeGitHub) -> None:
    github.fixed_reply = Reply({}, 429, {"Retry-After": "60"})
    with pytest.raises(UnavailableError) as failed:
        tracker.get(1)
    assert failed.value.suggestion == "Try again in 60 seconds."


def test_a_server_that_is_away_is_unavailable(api: CustomerApi) -> None:
    gone = CustomerApi(Reply())
    url = gone.url
    gone.__enter__().__exit__(None, None, None)
    with pytest.raises(UnavailableError, match="GitHub did not answer: it can't be reached"):
        GitHubIssueTracker(url, REPOSITORY, SECRETS).get(1)


def test_without_a_token_nothing_is_sent(api: CustomerApi) -> None:
    with pytest.raises(NotSetUpError, match="key is not set up") as failed:
        GitHubIssueTracker(api.url, REPOSITORY, EnvironmentSecretStore({})).get(1)
    assert "github_token".upper() in (failed.value.suggestion or "")
    assert api.requests == []
