"""GitHub's REST API for the issues of one repository, as its documentation describes it: for `CustomerApi`."""

import json
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import parse_qs, urlsplit

from tests.fakes.customer_api import Reply, Request

TOKEN = "ghp_s3cret"
REPOSITORY = "acme/crm"
_NOT_FOUND = Reply({"message": "Not Found", "documentation_url": "https://docs.github.com/rest"}, 404)


@dataclass
class FakeGitHub:
    """Answers requests. `overruled` is answered instead of everything, when there is one. Numbers count from 1."""

    issues: list[dict[str, Any]] = field(default_factory=list)
    comments: dict[int, list[dict[str, Any]]] = field(default_factory=dict)
    overruled: Reply | None = None

    def __call__(self, request: Request) -> Reply:
        if self.overruled is not None:
            return self.overruled
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
                return self._listed(query, request)
            case ["POST", ""]:
                return self._created(request.body)
            case [method, number, *rest] if number.isdigit() and 1 <= int(number) <= len(self.issues):
                return self._one(method, int(number), rest, request, query)
        return _NOT_FOUND

    def _one(self, method: str, number: int, rest: list[str], request: Request, query: dict[str, str]) -> Reply:
        issue, said = self.issues[number - 1], self.comments.setdefault(number, [])
        if rest == ["comments"] and method == "GET":
            return _page(said, query, request)
        if rest == ["comments"] and method == "POST":
            said.append(comment(len(said) + 1, number, request.body["body"]))
            issue["comments"] = len(said)
            return Reply(said[-1], 201)
        if rest:
            return _NOT_FOUND
        if method == "PATCH":
            issue.update(request.body)
        return Reply(issue)

    def _created(self, body: dict[str, Any]) -> Reply:
        if not body.get("title"):
            errors = [{"resource": "Issue", "field": "title", "code": "missing_field"}]
            return Reply({"message": "Validation Failed", "errors": errors}, 422)
        return Reply(self.add(body["title"], body["body"], body["labels"]), 201)

    def _listed(self, query: dict[str, str], request: Request) -> Reply:
        wanted, labels = query.get("state", "open"), set(filter(None, query.get("labels", "").split(",")))
        found = [
            one
            for one in reversed(self.issues)
            if wanted in ("all", one["state"]) and labels <= {label["name"] for label in one["labels"]}
        ]
        return _page(found, query, request)

    def add(self, title: str, body: str | None = None, labels: list[str] | None = None, **more: Any) -> dict[str, Any]:
        """An issue as it is kept."""
        number = len(self.issues) + 1
        made: dict[str, Any] = {
            "id": 1000 + number,
            "number": number,
            "title": title,
            "body": body,
            "state": "open",
            "state_reason": None,
            "user": {"login": "octocat"},
            "labels": [{"id": place, "name": name, "color": "f29513"} for place, name in enumerate(labels or [])],
            "comments": 0,
            "html_url": f"https://github.com/{REPOSITORY}/issues/{number}",
            "created_at": "2026-03-01T08:00:00Z",
            "updated_at": "2026-03-01T09:00:00Z",
        } | more
        self.issues.append(made)
        return made


def comment(place: int, number: int, body: str) -> dict[str, Any]:
    """A comment on an issue as GitHub shows it."""
    return {
        "id": 100 * number + place,
        "body": body,
        "user": {"login": "hubot"},
        "html_url": f"https://github.com/{REPOSITORY}/issues/{number}#issuecomment-{place}",
        "created_at": "2026-03-01T10:00:00Z",
        "updated_at": "2026-03-01T10:00:00Z",
    }


def _page(found: list[dict[str, Any]], query: dict[str, str], request: Request) -> Reply:
    """With the `link` header that names the next and the last page."""
    size, page = int(query.get("per_page", "30")), int(query.get("page", "1"))
    last = max((len(found) + size - 1) // size, 1)
    here = f"http://{request.headers['host']}{urlsplit(request.path).path}?per_page={size}"
    links = [f'<{here}&page={page - 1}>; rel="prev"'] if page > 1 else []
    if page < last:
        links += [f'<{here}&page={page + 1}>; rel="next"', f'<{here}&page={last}>; rel="last"']
    shown = json.loads(json.dumps(found[(page - 1) * size : page * size]))
    return Reply(shown, headers={"Link": ", ".join(links)} if links else {})
