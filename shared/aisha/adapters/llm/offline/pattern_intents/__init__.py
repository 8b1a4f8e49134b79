"""Requests whose form alone selects their tool, matched by patterns before the grammar of sales English."""

from aisha.adapters.llm.offline.pattern_intents.auditing import audit_trail, recent_events, undo, who_changed
from aisha.adapters.llm.offline.pattern_intents.comparing import compare, find_similar
from aisha.adapters.llm.offline.pattern_intents.forecasting import forecast, vary_forecast
from aisha.adapters.llm.offline.pattern_intents.goals import (
    evaluate_goal,
    goal_by_words,
    goal_of_the_list,
    list_goals,
    update_goal,
)
from aisha.adapters.llm.offline.pattern_intents.invitations import invite
from aisha.adapters.llm.offline.pattern_intents.mailing import send_email
from aisha.adapters.llm.offline.pattern_intents.missing_fields import list_without_field
from aisha.adapters.llm.offline.pattern_intents.moving import move_all
from aisha.adapters.llm.offline.pattern_intents.questions import answer_hypothetical, ask_documents
from aisha.adapters.llm.offline.pattern_intents.record_changes import add_to_amount, keep_owner
from aisha.adapters.llm.offline.pattern_intents.scoring import score_lead
from aisha.adapters.llm.offline.pattern_intents.sentiment import sentiment_of_quote, sentiment_of_record
from aisha.adapters.llm.offline.plan import Answer, Plan
from aisha.adapters.llm.offline.reading.spelling import strip_fillers

__all__ = ["answer_by_pattern"]
_MESSAGE_PATTERNS = (
    answer_hypothetical,
    goal_by_words,
    compare,
    move_all,
    list_without_field,
    sentiment_of_quote,
    send_email,
    score_lead,
    undo,
)
"""Matchers that take a message of several sentences as one."""
_CLAUSE_PATTERNS = (
    forecast, vary_forecast, goal_by_words, update_goal, evaluate_goal, goal_of_the_list, list_goals,
    sentiment_of_record, score_lead, find_similar, invite, who_changed, audit_trail, recent_events, ask_documents,
    undo, move_all, list_without_field, keep_owner, add_to_amount,
)  # fmt: skip


def answer_by_pattern(plan: Plan, text: str, whole: bool) -> Answer | None:
    """Answer a message (`whole`) or a clause that has one of these forms; return None otherwise."""
    plain = strip_fillers(text).strip()
    answers = (match_pattern(plan, plain) for match_pattern in (_MESSAGE_PATTERNS if whole else _CLAUSE_PATTERNS))
    return next((answer for answer in answers if answer is not None), None)
