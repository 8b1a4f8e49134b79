"""A fake of GitHub's REST API for the issues of one repository, to be served by `CustomerApi`."""

import json
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import parse_qs, urlsplit

from tests.fakes.systems.customer_api import Reply, Request

TOKEN = "ghp_s3cret"
REPOSITORY = "acme/crm"
_NOT_FOUND = Reply({"message": "Not Found", "documentation_url": "https://docs.github.com/rest"}, 404)


@dataclass
class FakeGitHub:
    """Answers requests, with `fixed_reply` to every request if it is set. Issue numbers start at 1."""

    issues: list[dict[str, Any]] = field(default_factory=list)
    comments: dict[int, list[dict[str, Any]]] = field(default_factory=dict)
    fixed_reply: Reply | None = None

    def __call__(self, request: Request) -> Reply:
        if self.fixed_reply is not None:
            return self.fixed_reply
        if "user-agent" not in request.headers:
            return Reply("Request forbidden by administrative rules.", 403)
        if request.headers.get("authorization") != f"Bearer {TOKEN}":
            return Reply({"message": "Bad credentials"}, 401)
        url = urlsplit(request.path)
        start = f"/repos/{REPOSITORY}/issues"
        if not url.path.startswith(start):
            return _NOT_FOUND
        query = {name: values[0] for name, values in parse_qs(url.query).items()}
        return self._route(request, url.path.removeprefix(start).strip("/").split("/"), query)

    def _route(self, request: Request, path: list[str], query: dict[str, str]) -> Reply:
        match [request.method, *path]:
            case ["GET", ""]:
                return self._list_issues(query, request)
            case ["POST", ""]:
                return self._create_issue(request.body)
            case [method, number, *rest] if number.isdigit() and 1 <= int(number) <= len(self.issues):
                return self._answer_issue(method, int(number), rest, request, query)
        return _NOT_FOUND

    def _answer_issue(
        self, method: str, number: int, rest: list[str], request: Request, query: dict[str, str]
    ) -> Reply:
        issue, comments = self.issues[number - 1], self.comments.setdefault(number, [])
        if rest == ["comments"] and method == "GET":
            return _page(comments, query, request)
        if rest == ["comments"] and method == "POST":
            comments.append(comment(len(comments) + 1, number, request.body["body"]))
            issue["comments"] = len(comments)
            return Reply(comments[-1], 201)
        if rest:
            return _NOT_FOUND
        if method == "PATCH":
            issue.update(request.body)
        return Reply(issue)

    def _create_issue(self, body: dict[str, Any]) -> Reply:
        if not body.get("title"):
            errors = [{"resource": "Issue", "field": "title", "code": "missing_field"}]
            return Reply({"message": "Validation Failed", "errors": errors}, 422)
        return Reply(self.add(body["title"], body["body"], body["labels"]), 201)

    def _list_issues(self, query: dict[str, str], request: Request) -> Reply:
        state, labels = query.get("state", "open"), set(filter(None, query.get("labels", "").split(",")))
        issues = [
            issue
            for issue in reversed(self.issues)
            if state in ("all", issue["state"]) and labels <= {label["name"] for label in issue["labels"]}
        ]
        return _page(issues, query, request)

    def add(self, title: str, body: str | None = None, labels: list[str] | None = None, **more: Any) -> dict[str, Any]:
        """Store an issue and return it."""
        number = len(self.issues) + 1
        issue: dict[str, Any] = {
            "id": 1000 + number,
            "number": number,
            "title": title,
            "body": body,
            "state": "open",
            "state_reason": None,
            "user": {"login": "octocat"},
            "labels": [{"id": index, "name": name, "color": "f29513"} for index, name in enumerate(labels or [])],
            "comments": 0,
            "html_url": f"https://github.com/{REPOSITORY}/issues/{number}",
            "created_at": "2026-03-01T08:00:00Z",
            "updated_at": "2026-03-01T09:00:00Z",
        } | more
        self.issues.append(issue)
        return issue


def comment(place: int, number: int, body: str) -> dict[str, Any]:
    """Return a comment on issue `number` in GitHub's form; `place` counts the issue's comments from 1."""
    return {
        "id": 100 * number + place,
        "body": body,
        "user": {"login": "hubot"},
        "html_url": f"https://github.com/{REPOSITORY}/issues/{number}#issuecomment-{place}",
        "created_at": "2026-03-01T10:00:00Z",
        "updated_at": "2026-03-01T10:00:00Z",
    }


def _page(items: list[dict[str, Any]], query: dict[str, str], request: Request) -> Reply:
    """Return a page of a list, with the `Link` header that names the neighbouring pages and the last one."""
    size, page = int(query.get("per_page", "30")), int(query.get("page", "1"))
    last = max((len(items) + size - 1) // size, 1)
    url = f"http://{request.headers['host']}{urlsplit(request.path).path}?per_page={size}"
    links = [f'<{url}&page={page - 1}>; rel="prev"'] if page > 1 else []
    if page < last:
        links += [f'<{url}&page={page + 1}>; rel="next"', f'<{url}&page={last}>; rel="last"']
    # A copy, because the issues may change before the reply is encoded.
    content = json.loads(json.dumps(items[(page - 1) * size : page * size]))
    return Reply(content, headers={"Link": ", ".join(links)} if links else {})
