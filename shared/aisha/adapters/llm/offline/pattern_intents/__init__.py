"""Requests whose form alone says which tool they are for, read with patterns before the grammar of sales talk has its turn."""

from aisha.adapters.llm.offline.pattern_intents.adding import add_to_amount
from aisha.adapters.llm.offline.pattern_intents.auditing import audit_trail, recent_events, undo, who_changed
from aisha.adapters.llm.offline.pattern_intents.comparing import compare
from aisha.adapters.llm.offline.pattern_intents.forecasting import forecast, forecast_again
from aisha.adapters.llm.offline.pattern_intents.goals import (
    evaluate_goal,
    goal_by_words,
    goal_of_the_list,
    list_goals,
    update_goal,
)
from aisha.adapters.llm.offline.pattern_intents.hypotheticals import suppose
from aisha.adapters.llm.offline.pattern_intents.invitations import invite
from aisha.adapters.llm.offline.pattern_intents.mailing import send_email
from aisha.adapters.llm.offline.pattern_intents.missing_fields import lacking
from aisha.adapters.llm.offline.pattern_intents.moving import move_all
from aisha.adapters.llm.offline.pattern_intents.ownership import keep_owner
from aisha.adapters.llm.offline.pattern_intents.questions import ask_documents
from aisha.adapters.llm.offline.pattern_intents.scoring import score_lead
from aisha.adapters.llm.offline.pattern_intents.sentiment import mood_of_quote, mood_of_record
from aisha.adapters.llm.offline.pattern_intents.similar import find_similar
from aisha.adapters.llm.offline.plan import Answer, Plan
from aisha.adapters.llm.offline.spelling import without_fillers

__all__ = ["patterned"]

_WHOLE = (suppose, goal_by_words, compare, move_all, lacking, mood_of_quote, send_email, score_lead, undo)
"""What takes a message as one, also when it has several sentences."""
_CLAUSES = (
    forecast, forecast_again, goal_by_words, update_goal, evaluate_goal, goal_of_the_list, list_goals, mood_of_record, score_lead, find_similar, invite,
    who_changed, audit_trail, recent_events, ask_documents, undo, move_all, lacking, keep_owner, add_to_amount,
)  # fmt: skip


def patterned(plan: Plan, text: str, whole: bool) -> Answer | None:
    """The answer to a message (`whole`) or a clause of one that has one of these forms; None otherwise."""
    said = without_fillers(text).strip()
    answers = (act(plan, said) for act in (_WHOLE if whole else _CLAUSES))
    return next((answer for answer in answers if answer is not None), None)
