"""The tool for issues in the GitHub repository that this deployment is configured with."""

from datetime import datetime
from typing import Annotated, Literal

from pydantic import Field

from aisha.application.tooling import ToolContext, followups, tool, toolkit
from aisha.application.tooling.arguments.parameters import Limit, Text, check_action, require_argument
from aisha.application.tooling.results import EntityRef, Receipt
from aisha.domain.deferred_model import DeferredModel
from aisha.domain.external import issues
from aisha.domain.tools import FollowUp

IssueAction = Literal["create", "view", "comment", "close", "list", "list_comments"]
_ARGUMENTS = {
    "create": ("title", "body", "labels"),
    "view": ("number",),
    "comment": ("number", "body"),
    "close": ("number", "reason"),
    "list": ("state", "labels", "page"),
    "list_comments": ("number", "page"),
}
_FOLLOWUPS = (
    FollowUp("Show the open GitHub issues", "🐞", "github_issue"),
    followups.NEXT_STEPS,
    followups.MY_DAY,
)


class GitHubIssue(DeferredModel):
    """An issue. `body` is Markdown that anybody may have written; it is missing in a list."""

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
    """The issues or comments of a page, or the one that was written. `next_page` is missing on the last page."""

    items: list[GitHubIssue | GitHubComment]
    next_page: int | None = None
    receipt: Receipt | None = None


@toolkit(name="github", description="Report and follow bugs and wishes as issues of a GitHub repository.")
class GitHub:
    @tool(
        access="external",
        ordered_by=("issue_change",),
        port="issues",
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
        title: Annotated[Text | None, "create: the bug or wish, in one line"] = None,
        body: Annotated[
            str | None,
            Field(min_length=1, max_length=20_000),
            "create: actual and expected behaviour, how to reproduce it; comment: its text. Markdown, no customer data",
        ] = None,
        labels: Annotated[
            list[Text] | None,
            Field(min_length=1, max_length=10),
            "create: labels to give it; list: only issues with all of them",
        ] = None,
        reason: Annotated[issues.CloseReason | None, "close: completed by default"] = None,
        state: Annotated[issues.IssueState | None, "list: open by default"] = None,
        limit: Limit = 10,
        page: Annotated[int | None, Field(ge=1, le=1000), "list, list_comments: next_page of the page before"] = None,
    ) -> GitHubIssues:
        """Work on GitHub issues: create, view, comment, close, list them and list their comments.

        For bugs and wishes about software, not for customers' matters. The user is asked before anything is created,
        commented or closed, because it leaves the CRM.
        """
        # An argument of another action shows that another action was meant.
        check_action(
            action,
            _ARGUMENTS,
            number=number,
            title=title,
            body=body,
            labels=labels,
            reason=reason,
            state=state,
            page=page,
        )
        assert context.ports.issues is not None  # noqa: S101 - the tool's port
        tracker = context.ports.issues
        # First the actions that need no number.
        if action == "list":
            issue_page = tracker.issues(state or "open", labels or (), page or 1, limit)
            return GitHubIssues(items=[_to_issue(item) for item in issue_page.items], next_page=issue_page.next_page)
        if action == "create":
            return _issue_result("created", tracker.create(_require("title", title), body or "", labels or ()))
        number = _require("number", number)
        if action == "list_comments":
            comments = tracker.comments(number, page or 1, limit)
            return GitHubIssues(
                items=[GitHubComment.from_attributes(item) for item in comments.items], next_page=comments.next_page
            )
        if action == "view":
            return GitHubIssues(items=[_to_issue(tracker.get(number), with_body=True)])
        # As GitHub does it: an issue is done unless somebody says that it will not be.
        if action == "close":
            return _issue_result("updated", tracker.close(number, reason or "completed"))
        return _comment_result(number, tracker.comment(number, _require("body", body)))


def _require[T](name: str, value: T | None) -> T:
    return require_argument(name, value, f"Ask the user for the {name}.")


def _issue_result(action: Literal["created", "updated"], issue: issues.Issue) -> GitHubIssues:
    entity = EntityRef(type="github_issue", id=str(issue.number), name=f"#{issue.number} {issue.title}")
    return GitHubIssues(items=[_to_issue(issue, with_body=True)], receipt=Receipt(action=action, entity=entity))


def _comment_result(number: int, comment: issues.IssueComment) -> GitHubIssues:
    entity = EntityRef(type="github_comment", id=str(comment.id), name=f"on #{number}")
    return GitHubIssues(
        items=[GitHubComment.from_attributes(comment)], receipt=Receipt(action="created", entity=entity)
    )


def _to_issue(issue: issues.Issue, *, with_body: bool = False) -> GitHubIssue:
    return GitHubIssue.from_attributes(issue, body=issue.body if with_body else None)
