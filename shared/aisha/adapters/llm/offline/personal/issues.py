"""File bugs and feature requests as GitHub issues, and read them."""

import re
from collections.abc import Mapping
from typing import Any

from aisha.adapters.llm.offline.personal.shared import number_lines
from aisha.adapters.llm.offline.plan import Answer, Plan
from aisha.adapters.llm.offline.reading.patterns import pattern
from aisha.adapters.llm.offline.state import Question

_TOOL = "github_issue"
# "file a bug: ...", "report that ...".
_FILE = re.compile(
    r"(?:file|report|open|raise|create|submit|log|add)\s+(?:(?:a|an|this|the|new)\s+)*"
    r"(?:(?:software\s+)?bugs?(?:\s+(?:report|ticket))?|github\s+(?:issue|bug|ticket)|feature\s+request)"
    r"(?:\s+(?:on|in|at)\s+github)?(?:\s*(?::|-|,|\bthat\b|\babout\b|\bsaying\b|\bfor\b)?\s+(?P<text>\S.*))?",
    re.IGNORECASE | re.DOTALL,
)
_NUMBERED = r"(?:github\s+)?(?:issue|bug)\s+(?:number\s+|no\.?\s*|#\s*)?(?P<number>\d+)"
# "comment on issue 3: ...".
_COMMENT = re.compile(
    rf"(?:comment\s+on|reply\s+to|add\s+a\s+comment\s+(?:to|on))\s+(?:the\s+)?{_NUMBERED}\s*(?::|-|,|that|saying)?\s+"
    r"(?P<text>\S.*)",
    re.IGNORECASE | re.DOTALL,
)
_CLOSE = pattern(rf"close (?:the )?{_NUMBERED}(?P<dropped> as (?:not planned|won'?t fix))?[.!\s]*")
_COMMENTS = pattern(rf".*\bcomments?\b.*\b(?:on|of|to|for) (?:the )?{_NUMBERED}[.?!\s]*")
_VIEW = pattern(rf"(?:show|view|open|see|read|what(?:'s| is))\b.*?\b{_NUMBERED}[.?!\s]*")
_LIST = pattern(
    r"(?:show|list|what|which|see|view|any|are|give|do)\b[^:]*\b"
    r"(?:github (?:issues|bugs|tickets)|(?:issues|bugs) (?:on|in) github|(?:open|reported|closed|known) bugs)\b[^:]*"
)


def file_issue(plan: Plan, text: str) -> Answer | None:
    """Match "file a bug: the export button does nothing". The first line is the title, the rest the description."""
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
    return plan.run(
        _TOOL,
        "file that issue",
        _format_receipt,
        action="create",
        title=title[:1].upper() + title[1:],
        body=rest.strip() or None,
    )


def comment_on_issue(plan: Plan, text: str) -> Answer | None:
    """Match "comment on github issue 3: still so"."""
    match = _COMMENT.fullmatch(text)
    if match is None:
        return None
    number, comment = int(match["number"]), match["text"].strip()
    return plan.run(_TOOL, "comment on it", _format_receipt, action="comment", number=number, body=comment)


def list_issues(plan: Plan, text: str) -> Answer | None:
    """Match "show the open GitHub issues", "show github issue 3", "the comments on issue 3"."""
    if match := _CLOSE.fullmatch(text):
        reason = "not_planned" if match["dropped"] else None
        return plan.run(_TOOL, "close it", _format_receipt, action="close", number=int(match["number"]), reason=reason)
    if match := _COMMENTS.fullmatch(text):
        return plan.run(_TOOL, "read them", _format_comments, action="list_comments", number=int(match["number"]))
    if match := _VIEW.fullmatch(text):
        return plan.run(_TOOL, "show it", _format_issue, action="view", number=int(match["number"]))
    if not _LIST.fullmatch(text):
        return None
    lowered = text.lower()
    state = "closed" if "closed" in lowered else "all" if re.search(r"\ball\b", lowered) else None
    return plan.run(_TOOL, "list the issues", _format_issues, action="list", state=state)


def _format_receipt(value: Mapping[str, Any]) -> str:
    return f"Done: GitHub issue {value['receipt']['entity']['name']}."


def _format_issues(value: Mapping[str, Any]) -> str:
    lines = [f"**#{one['number']} {one['title']}** ({one['state']}, by {one['author']})" for one in value["items"]]
    more = "\nThere are more." if value.get("next_page") else ""
    return f"{number_lines(lines)}{more}" if lines else "There are no such issues."


def _format_issue(value: Mapping[str, Any]) -> str:
    issue = value["items"][0]
    head = f"**#{issue['number']} {issue['title']}** ({issue['state']}, by {issue['author']})"
    return f"{head}\n\n{issue.get('body') or ''}".strip()


def _format_comments(value: Mapping[str, Any]) -> str:
    lines = [f"**{one['author']}**: {one['body']}" for one in value["items"]]
    return number_lines(lines) if lines else "Nobody has commented on it."
