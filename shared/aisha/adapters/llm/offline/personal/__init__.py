"""What a user keeps with the assistant itself rather than in the CRM: memories, wishes, reminders of their own; pages, bugs.

Each sentence has a form of its own, so that patterns read it, before the grammar of sales talk has its turn.
"""

from aisha.adapters.llm.offline.personal.instructions import delete_wish, keep_wish, list_wishes, personality
from aisha.adapters.llm.offline.personal.issues import file_issue, issue_talk, list_issues
from aisha.adapters.llm.offline.personal.memories import forget, recall, recall_when, recalled, remember, remembers
from aisha.adapters.llm.offline.personal.navigation import open_page
from aisha.adapters.llm.offline.personal.reminders import (
    list_sticky_notes,
    put_up,
    remind,
    resolve_sticky_note,
    snooze_sticky_note,
)
from aisha.adapters.llm.offline.plan import Answer, Plan
from aisha.adapters.llm.offline.spelling import without_fillers

__all__ = ["TOOLS", "personal", "recalled", "remembers"]

TOOLS = frozenset(("get_personality", "manage_prompt", "memory", "stickynotes", "github_issue", "navigate_to_page"))
"""The tools used here, and nowhere else: the values of their arguments are no words of sales talk."""
_WHOLE = (keep_wish, put_up, file_issue, issue_talk)
"""What takes all of the message that comes after its first words."""
_CLAUSES = (
    remember, recall, recall_when, forget, list_wishes, delete_wish, personality, resolve_sticky_note, snooze_sticky_note, list_sticky_notes,
    remind, list_issues, open_page,
)  # fmt: skip


def personal(plan: Plan, text: str, whole: bool) -> Answer | None:
    """The answer to a message (`whole`) or a clause of one that is about none of the CRM's records; None otherwise."""
    said = without_fillers(text).strip()
    answers = (act(plan, said) for act in (_WHOLE if whole else _CLAUSES))
    return next((answer for answer in answers if answer is not None), None)
