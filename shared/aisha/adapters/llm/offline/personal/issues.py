"""Bugs and wishes about software, as GitHub issues."""

import re
from collections.abc import Mapping
from typing import Any

from aisha.adapters.llm.offline.personal.shared import kept, numbered
from aisha.adapters.llm.offline.plan import Answer, Plan
from aisha.adapters.llm.offline.state import Question

_TOOL = "github_issue"
_FILE = re.compile(
    r"(?:file|report|open|raise|create|submit|log|add)\s+(?:(?:a|an|this|the|new)\s+)*"
    r"(?:(?:software\s+)?bugs?(?:\s+(?:report|ticket))?|github\s+(?:issue|bug|ticket)|feature\s+request)"
    r"(?:\s+(?:on|in|at)\s+github)?(?:\s*(?::|-|,|\bthat\b|\babout\b|\bsaying\b|\bfor\b)?\s+(?P<text>\S.*))?",
    re.IGNORECASE | re.DOTALL,
)
_NUMBERED = r"(?:github\s+)?(?:issue|bug)\s+(?:number\s+|no\.?\s*|#\s*)?(?P<number>\d+)"
_COMMENT = re.compile(
    rf"(?:comment\s+on|reply\s+to|add\s+a\s+comment\s+(?:to|on))\s+(?:the\s+)?{_NUMBERED}\s*(?::|-|,|that|saying)?\s+(?P<text>\S.*)",
    re.IGNORECASE | re.DOTALL,
)
_CLOSE = re.compile(
    rf"close\s+(?:the\s+)?{_NUMBERED}(?P<dropped>\s+as\s+(?:not\s+planned|won'?t\s+fix))?[.!\s]*", re.IGNORECASE
)
_COMMENTS = re.compile(rf".*\bcomments?\b.*\b(?:on|of|to|for)\s+(?:the\s+)?{_NUMBERED}[.?!\s]*", re.IGNORECASE)
_VIEW = re.compile(rf"(?:show|view|open|see|read|what(?:'s|\s+is))\b.*?\b{_NUMBERED}[.?!\s]*", re.IGNORECASE)
_LIST = re.compile(
    r"(?:show|list|what|which|see|view|any|are|give|do)\b[^:]*\b(?:github\s+(?:issues|bugs|tickets)|(?:issues|bugs)\s+(?:on|in)\s+github|"
    r"(?:open|reported|closed|known)\s+bugs)\b[^:]*",
    re.IGNORECASE,
)


def file_issue(plan: Plan, text: str) -> Answer | None:
    """ "File a bug: the export button does nothing". The first line is the title, what follows its description."""
    match = _FILE.fullmatch(text)
    if match is None:
        return None
    if match["text"] is None:
        return Answer(
            "What is wrong? One line is enough.",
            Question("missing", tool=_TOOL, arguments={"action": "create"}, field="title"),
        )
    title, _, rest = match["text"].strip().partition("\n")
    title = title.rstrip(".!").strip('"“”')[:200]
    more = {"body": rest.strip()} if rest.strip() else {}
    return kept(plan, _TOOL, "file that issue", _filed, action="create", title=title[:1].upper() + title[1:], **more)


def issue_talk(plan: Plan, text: str) -> Answer | None:
    """ "Comment on github issue 3: still so"."""
    match = _COMMENT.fullmatch(text)
    if match is None:
        return None
    number, said = int(match["number"]), match["text"].strip()
    return kept(plan, _TOOL, "comment on it", _filed, action="comment", number=number, body=said)


def list_issues(plan: Plan, text: str) -> Answer | None:
    """ "Show the open GitHub issues", "show github issue 3", "the comments on issue 3", "close github issue 3"."""
    if match := _CLOSE.fullmatch(text):
        reason = {"reason": "not_planned"} if match["dropped"] else {}
        return kept(plan, _TOOL, "close it", _filed, action="close", number=int(match["number"]), **reason)
    if match := _COMMENTS.fullmatch(text):
        return kept(plan, _TOOL, "read them", _comments, action="list_comments", number=int(match["number"]))
    if match := _VIEW.fullmatch(text):
        return kept(plan, _TOOL, "show it", _whole, action="view", number=int(match["number"]))
    if not _LIST.fullmatch(text):
        return None
    said = text.lower()
    state = {"state": "closed"} if "closed" in said else {"state": "all"} if re.search(r"\ball\b", said) else {}
    return kept(plan, _TOOL, "list the issues", _listed, action="list", **state)


def _filed(value: Mapping[str, Any]) -> str:
    return f"Done: GitHub issue {value['receipt']['entity']['name']}."


def _listed(value: Mapping[str, Any]) -> str:
    lines = [f"**#{one['number']} {one['title']}** ({one['state']}, by {one['author']})" for one in value["items"]]
    more = "\nThere are more." if value.get("next_page") else ""
    return f"{numbered(lines)}{more}" if lines else "There are no such issues."


def _whole(value: Mapping[str, Any]) -> str:
    issue = value["items"][0]
    return f"**#{issue['number']} {issue['title']}** ({issue['state']}, by {issue['author']})\n\n{issue.get('body') or ''}".strip()


def _comments(value: Mapping[str, Any]) -> str:
    lines = [f"**{one['author']}**: {one['body']}" for one in value["items"]]
    return numbered(lines) if lines else "Nobody has commented on it."
