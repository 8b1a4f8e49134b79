"""GitHub issues: what is broken or wished for, filed in the repository that this deployment is set up with."""

from datetime import datetime
from typing import Annotated, Literal

from pydantic import Field

from aisha.application.tooling import ToolContext, followups, tool, toolkit
from aisha.application.tooling.parameters import Limit, Text, check_action
from aisha.application.tooling.results import EntityRef, Receipt
from aisha.domain import issues
from aisha.domain.deferred_model import DeferredModel
from aisha.domain.errors import MissingFieldError, UnavailableError
from aisha.domain.ports import IssueTracker
from aisha.domain.tools import FollowUp

IssueAction = Literal["create", "view", "comment", "close", "list", "list_comments"]
_TAKES = {
    "create": ("title", "body", "labels"), "view": ("number",), "comment": ("number", "body"),
    "close": ("number", "reason"), "list": ("state", "labels", "page"), "list_comments": ("number", "page"),
}  # fmt: skip
_FOLLOWUPS = (
    FollowUp("Show the open GitHub issues", "🐞", "github_issue"),
    followups.NEXT_STEPS,
    followups.MY_DAY,
)


class GitHubIssue(DeferredModel):
    """An issue. `body` is Markdown that anybody may have written; a list leaves it out."""

    number: int
    title: str
    state: Literal["open", "closed"]
    author: str
    labels: list[str]
    comments: int
    url: str
    created_at: datetime
    updated_at: datetime
    body: str | None = None


class GitHubComment(DeferredModel):
    """A comment on an issue. `body` is Markdown that anybody may have written."""

    author: str
    body: str
    url: str
    created_at: datetime


class GitHubIssues(DeferredModel):
    """The issues or comments found, or the one written. `next_page` is missing on the last page."""

    items: list[GitHubIssue | GitHubComment]
    next_page: int | None = None
    receipt: Receipt | None = None


@toolkit(name="github", description="Report and follow what is broken or missing, as issues of a GitHub repository.")
class GitHub:
    @tool(
        access="external",
        read_actions=("view", "list", "list_comments"),
        examples=(
            "show the open github issues",
            "list our github issues",
            "show github issue {number}",
            "file a bug: {title}",
            "close github issue {number}",
            "show the comments on github issue {number}",
        ),
        typical_followups=_FOLLOWUPS,
    )
    def github_issue(
        self,
        context: ToolContext,
        action: Annotated[IssueAction, "What to do"],
        number: Annotated[int | None, Field(ge=1), "view, comment, close, list_comments: number of the issue"] = None,
        title: Annotated[Text | None, "create: what is wrong or wished for, in one line"] = None,
        body: Annotated[
            str | None,
            Field(min_length=1, max_length=20_000),
            "create: what happens, what should happen, how to see it; comment: the comment. Markdown, no customer data",
        ] = None,
        labels: Annotated[
            list[Text] | None,
            Field(min_length=1, max_length=10),
            "create: labels to give it; list: only issues with all of them",
        ] = None,
        reason: Annotated[issues.CloseReason | None, "close: completed without"] = None,
        state: Annotated[issues.IssueState | None, "list: open without"] = None,
        limit: Limit = 10,
        page: Annotated[int | None, Field(ge=1, le=1000), "list, list_comments: next_page of the page before"] = None,
    ) -> GitHubIssues:
        """Work on GitHub issues: create, view, comment, close, list them and list their comments.

        For bugs and wishes about software, not for customers' matters. The user is asked before anything is created,
        commented or closed, because it leaves the CRM.
        """
        check_action(
            action, _TAKES, number=number, title=title, body=body, labels=labels, reason=reason, state=state, page=page
        )
        tracker = _tracker(context)
        if action == "list":
            found = tracker.issues(state or "open", labels or (), page or 1, limit)
            return GitHubIssues(items=[_shown(one) for one in found.items], next_page=found.next_page)
        if action == "create":
            return _written("created", tracker.create(_given("title", title), body or "", labels or ()))
        place = _given("number", number)
        if action == "list_comments":
            said = tracker.comments(place, page or 1, limit)
            return GitHubIssues(items=[_comment(one) for one in said.items], next_page=said.next_page)
        if action == "view":
            return GitHubIssues(items=[_shown(tracker.get(place), whole=True)])
        if action == "close":
            return _written("updated", tracker.close(place, reason or "completed"))
        return _commented(place, tracker.comment(place, _given("body", body)))


def _tracker(context: ToolContext) -> IssueTracker:
    if context.ports.issues is None:
        raise UnavailableError(
            "No GitHub repository is set up here", suggestion="Ask your admin to name the repository and its token."
        )
    return context.ports.issues


def _given[T](name: str, value: T | None) -> T:
    if value is None:
        raise MissingFieldError(name, suggestion=f"Ask the user for the {name}.")
    return value


def _written(action: Literal["created", "updated"], issue: issues.Issue) -> GitHubIssues:
    entity = EntityRef(type="github_issue", id=str(issue.number), name=f"#{issue.number} {issue.title}")
    return GitHubIssues(items=[_shown(issue, whole=True)], receipt=Receipt(action=action, entity=entity))


def _commented(number: int, comment: issues.IssueComment) -> GitHubIssues:
    entity = EntityRef(type="github_comment", id=str(comment.id), name=f"on #{number}")
    return GitHubIssues(items=[_comment(comment)], receipt=Receipt(action="created", entity=entity))


def _shown(issue: issues.Issue, whole: bool = False) -> GitHubIssue:
    return GitHubIssue(
        number=issue.number, title=issue.title, state=issue.state, author=issue.author, labels=list(issue.labels),
        comments=issue.comments, url=issue.url, created_at=issue.created_at, updated_at=issue.updated_at,
        body=issue.body if whole else None,
    )  # fmt: skip


def _comment(comment: issues.IssueComment) -> GitHubComment:
    return GitHubComment(author=comment.author, body=comment.body, url=comment.url, created_at=comment.created_at)
