"""Requests about the user's own things rather than CRM records: memories, wishes, reminders, pages, bugs.

Each has a form of its own, so patterns match it before the grammar of sales English.
"""

from aisha.adapters.llm.offline.personal.instructions import delete_wish, keep_wish, list_wishes, personality
from aisha.adapters.llm.offline.personal.issues import comment_on_issue, file_issue, list_issues
from aisha.adapters.llm.offline.personal.memories import (
    answer_from_memory,
    forget,
    is_memory_request,
    recall,
    recall_when,
    remember,
)
from aisha.adapters.llm.offline.personal.navigation import open_page
from aisha.adapters.llm.offline.personal.reminders import (
    create_sticky_note,
    list_sticky_notes,
    remind,
    resolve_sticky_note,
    snooze_sticky_note,
)
from aisha.adapters.llm.offline.plan import Answer, Plan
from aisha.adapters.llm.offline.reading.spelling import strip_fillers

__all__ = ["TOOLS", "answer_from_memory", "answer_personal", "is_memory_request"]
TOOLS = frozenset(("get_personality", "manage_prompt", "memory", "stickynotes", "github_issue", "navigate_to_page"))
"""Tools used here only; their enumerated values are not sales English."""
_MESSAGE_PATTERNS = (keep_wish, create_sticky_note, file_issue, comment_on_issue)
"""Matchers that take the rest of the message after its first words."""
_CLAUSE_PATTERNS = (
    remember, recall, recall_when, forget, list_wishes, delete_wish, personality, resolve_sticky_note,
    snooze_sticky_note, list_sticky_notes, remind, list_issues, open_page,
)  # fmt: skip


def answer_personal(plan: Plan, text: str, whole: bool) -> Answer | None:
    """Answer a message (`whole`) or a clause about the user's own things; return None otherwise."""
    plain = strip_fillers(text).strip()
    answers = (match_pattern(plan, plain) for match_pattern in (_MESSAGE_PATTERNS if whole else _CLAUSE_PATTERNS))
    return next((answer for answer in answers if answer is not None), None)
