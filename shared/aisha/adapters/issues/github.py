"""The issues of one GitHub repository over GitHub's REST API, version 2022-11-28 (docs.github.com/rest/issues).

The token needs read and write access to the repository's issues and nothing else. Pull requests, which GitHub counts
among the issues, are left out.
"""

import json
import re
from collections.abc import Callable, Mapping, Sequence
from datetime import datetime
from typing import Any
from urllib.parse import urlencode, urlsplit

from aisha.adapters.http.http_client import HttpAnswer, HttpClient, HttpRequest, failures_of
from aisha.domain.errors import (
    AishaError,
    ContentionError,
    InvalidInputError,
    NotFoundError,
    NotSetUpError,
    UnavailableError,
)
from aisha.domain.external.issues import CloseReason, Issue, IssueComment, IssuePage, IssueState
from aisha.domain.json_values import finite_json
from aisha.domain.ports import SecretStore

TOKEN_SECRET = "github_token"  # noqa: S105 - the name of the secret
API_VERSION = "2022-11-28"
SECONDS = 10.0
MAX_BYTES = 4 * 1024 * 1024
# The Link header: `<https://api.github.com/...?per_page=30&page=2>; rel="next"`.
_NEXT = re.compile(r"<[^<>]{0,2000}[?&]page=(?P<page>\d{1,9})[^<>]{0,2000}>\s{0,8};[^,<]{0,200}\brel=\"next\"")


class GitHubIssueTracker:
    """An `IssueTracker`. `base_url` is https://api.github.com, or https://<host>/api/v3 of a GitHub Enterprise Server.

    `repository` is `owner/name`. The token is read at each request, so that a new one is used at once.
    """

    def __init__(self, base_url: str, repository: str, secrets: SecretStore) -> None:
        self._issues = f"{base_url.rstrip('/')}/repos/{repository}/issues"
        self._repository = repository
        self._secrets = secrets
        self._client = HttpClient()
        # An Enterprise Server may be in a private network. Its address is the deployment's own, never a caller's.
        self._is_private = (urlsplit(base_url).hostname or "") != "api.github.com"

    def create(self, title: str, body: str, labels: Sequence[str] = ()) -> Issue:
        """Create an open issue."""
        return _read(_issue, self._json("POST", "", body={"title": title, "body": body, "labels": list(labels)})[0])

    def get(self, number: int) -> Issue:
        """Return the issue. Raises `NotFoundError`, also for the number of a pull request."""
        answer = self._json("GET", f"/{number}", number=number)[0]
        if isinstance(answer, Mapping) and "pull_request" in answer:
            raise _no_issue(number, self._repository)
        return _read(_issue, answer)

    def comment(self, number: int, body: str) -> IssueComment:
        """Add a comment to an issue."""
        # GitHub would accept a comment on a pull request here; `get` refuses its number.
        self.get(number)
        return _read(_comment, self._json("POST", f"/{number}/comments", body={"body": body}, number=number)[0])

    def close(self, number: int, reason: CloseReason = "completed") -> Issue:
        """Close the issue and return it. Closing a closed one changes nothing."""
        if (issue := self.get(number)).state == "closed":
            return issue
        changes = {"state": "closed", "state_reason": reason}
        return _read(_issue, self._json("PATCH", f"/{number}", body=changes, number=number)[0])

    def issues(self, state: IssueState, labels: Sequence[str], page: int, limit: int) -> IssuePage[Issue]:
        """Return one page, the latest created first. It may hold fewer than `limit`: pull requests are left out."""
        filters = {"state": state, "labels": ",".join(labels), "page": page, "per_page": limit}
        answer, next_page = self._json("GET", "", query={name: value for name, value in filters.items() if value})
        return IssuePage(_read(_issues, answer), next_page)

    def comments(self, number: int, page: int, limit: int) -> IssuePage[IssueComment]:
        """Return one page, the oldest first."""
        query = {"page": page, "per_page": limit}
        answer, next_page = self._json("GET", f"/{number}/comments", query=query, number=number)
        return IssuePage(_read(_comments, answer), next_page)

    def _json(
        self,
        method: str,
        path: str,
        *,
        query: Mapping[str, object] | None = None,
        body: Mapping[str, object] | None = None,
        number: int | None = None,
    ) -> tuple[Any, int | None]:
        """Return the answer's JSON and the number of the next page."""
        request = HttpRequest(
            method=method,
            url=f"{self._issues}{path}{f'?{urlencode(query)}' if query else ''}",
            headers=self._headers(),
            body=json.dumps(body).encode() if body is not None else None,
            seconds=SECONDS,
            max_bytes=MAX_BYTES,
            allow_private=self._is_private,
        )
        with failures_of("GitHub"):
            answer = self._client.send(request)
        if answer.status not in (200, 201):
            raise _error(answer, self._repository, number)
        next_page = _NEXT.search(answer.headers.get("link", ""))
        return _parsed(answer), int(next_page["page"]) if next_page else None

    def _headers(self) -> dict[str, str]:
        try:
            token = self._secrets.get(TOKEN_SECRET)
        except NotFoundError as error:
            raise NotSetUpError(
                "The issue tracker's key is not set up", suggestion=f"Ask your admin: {error.suggestion}"
            ) from None
        return {
            "Accept": "application/vnd.github+json",
            "Authorization": f"Bearer {token}",
            "Content-Type": "application/json",
            "User-Agent": "aisha",
            "X-GitHub-Api-Version": API_VERSION,
        }


def _parsed(answer: HttpAnswer) -> Any:
    try:
        return finite_json(answer.body)
    except ValueError:
        raise UnavailableError(
            "GitHub answered with something that is no JSON", suggestion="Try again later."
        ) from None


def _read[T](convert: Callable[[Any], T], value: Any) -> T:
    """Convert GitHub's JSON. Raises `UnavailableError` for JSON of another shape, e.g. a proxy's."""
    try:
        return convert(value)
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        raise UnavailableError(
            "GitHub answered with something that is no issue", suggestion="Ask your admin to check GitHub's address."
        ) from error


def _issues(items: Any) -> list[Issue]:
    return [_issue(item) for item in items if "pull_request" not in item]


def _comments(items: Any) -> list[IssueComment]:
    return [_comment(item) for item in items]


def _issue(item: Mapping[str, Any]) -> Issue:
    with_names = [
        label.get("name", "") if isinstance(label, Mapping) else str(label) for label in item.get("labels") or ()
    ]
    return Issue(
        number=int(item["number"]),
        title=str(item["title"]),
        body=str(item.get("body") or ""),
        state="closed" if item.get("state") == "closed" else "open",
        author=_author(item),
        url=str(item["html_url"]),
        created_at=_instant(item, "created_at"),
        updated_at=_instant(item, "updated_at"),
        labels=tuple(filter(None, with_names)),
        comments=int(item.get("comments") or 0),
    )


def _comment(item: Mapping[str, Any]) -> IssueComment:
    return IssueComment(
        id=int(item["id"]),
        author=_author(item),
        body=str(item.get("body") or ""),
        url=str(item["html_url"]),
        created_at=_instant(item, "created_at"),
    )


def _author(item: Mapping[str, Any]) -> str:
    """Return the author's name; issues of deleted accounts have no user."""
    user = item.get("user")
    return str(user.get("login", "ghost")) if isinstance(user, Mapping) else "ghost"


def _instant(item: Mapping[str, Any], name: str) -> datetime:
    return datetime.fromisoformat(str(item[name]))


def _error(answer: HttpAnswer, repository: str, number: int | None) -> AishaError:
    """Return the error of a refused request, without any text that could carry the token."""
    status, headers = answer.status, answer.headers
    # GitHub answers some exceeded rate limits with 403, as it does for missing permissions.
    if status == 429 or (status == 403 and (headers.get("x-ratelimit-remaining") == "0" or "retry-after" in headers)):
        wait = f" in {headers['retry-after']} seconds" if headers.get("retry-after", "").isdecimal() else " later"
        return UnavailableError("GitHub takes no more requests for now", suggestion=f"Try again{wait}.")
    if status in (401, 403):
        return UnavailableError(
            f"GitHub does not accept the key for {repository}",
            suggestion="Ask your admin for a token that may read and write this repository's issues.",
        )
    if status in (301, 302, 307, 308):
        return UnavailableError(
            f"The repository {repository} was moved or renamed", suggestion="Ask your admin to correct its name."
        )
    if status == 404 and number is not None:
        return _no_issue(number, repository)
    if status in (404, 410):
        return NotFoundError(
            f"There is no repository {repository} with issues that the key may use",
            suggestion="Ask your admin to check it.",
        )
    if status == 409:
        return ContentionError("The issue was changed meanwhile", suggestion="Try again.")
    if status in (400, 422):
        return InvalidInputError(f"GitHub did not take it: {_reason(answer)}", suggestion="Correct it and try again.")
    return UnavailableError(f"GitHub answered with {status}", suggestion="Try again later.")


def _reason(answer: HttpAnswer) -> str:
    """Return GitHub's message and the fields in it, e.g. `Validation Failed (title: missing_field)`."""
    try:
        body = finite_json(answer.body)
    except ValueError:
        body = None
    if not isinstance(body, Mapping):
        return "it gave no reason"
    errors = [error for error in body.get("errors") or () if isinstance(error, Mapping)]
    fields = ", ".join(
        f"{error.get('field', '?')}: {error.get('message') or error.get('code', '?')}" for error in errors
    )
    return f"{body.get('message', 'no reason')}{f' ({fields})' if fields else ''}"[:300]


def _no_issue(number: int, repository: str) -> NotFoundError:
    return NotFoundError(
        f"There is no issue {number} in {repository}", suggestion="List the issues to find the number."
    )
