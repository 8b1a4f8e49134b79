"""Insights from the results of a turn's tool calls, with recommended next steps and scans (N-037, N-038)."""

import re
from collections.abc import Mapping, Sequence
from typing import Any

from aisha.application.turn.brainlets.spec import BrainletOptions, BrainletView, brainlet
from aisha.domain.tools import ToolCall
from aisha.domain.wording import join_names

# Words of the user's message that recommend a scan.
_WORDS = {
    "stale_leads": r"\b(?:stale|cold|silent|forgotten|neglected|haven'?t heard)\b",
    "deals_at_risk": r"\b(?:risk\w*|slipping|stuck|stalled|forecast\w*|losing)\b",
    "overdue_activities": r"\b(?:overdue|late|missed|behind)\b",
    "data_quality": r"\b(?:duplicates?|incomplete|missing|data quality|clean\s?up|hygiene)\b",
    "goal_progress": r"\b(?:goals?|okrs?|objectives?|targets?|quota)\b",
    "next_steps": r"\b(?:next steps?|what should i do|priorit\w+|recommend\w*)\b",
}
SCAN_WORDS = {scan: re.compile(words, re.IGNORECASE) for scan, words in _WORDS.items()}
SCANS_OF_TOOLS = {
    "suggest_next_actions": "next_steps",
    "forecast_pipeline": "deals_at_risk",
    "get_goals": "goal_progress",
    "evaluate_goal": "goal_progress",
}
MAX_STEPS = 3
_SEARCHES = {
    "search_leads": ("leads", "Create a lead, or import the ones you have"),
    "search_contacts": ("contacts", "Add a contact"),
    "search_accounts": ("accounts", "Create an account"),
    "search_opportunities": ("opportunities", "Create an opportunity from a qualified lead"),
}


@brainlet(stage="post", options=BrainletOptions(computes_only=True))
def insights(outputs: Mapping[str, Any], turn: BrainletView) -> None:
    """Add insights, next steps and scans by rules over the turn's calls and the user's words."""
    # A person is searched among leads, contacts and accounts, and a new one before it is created: an empty search
    # matters only if no search had a hit and nothing was written.
    if not any(_has_items(call) or call.has_written for call in turn.calls):
        _note_empty_searches([call for call in turn.calls if _is_empty_search(call)], turn)
    for call in turn.calls:
        if call.result.ok and isinstance(call.result.value, Mapping):
            _note_overdue(call.result.value, turn)
            _recommend_suggestions(call.result.value, turn)
    recommended = [scan for scan, words in SCAN_WORDS.items() if words.search(turn.text)]
    recommended += [SCANS_OF_TOOLS[call.name] for call in turn.calls if call.name in SCANS_OF_TOOLS and call.result.ok]
    has_run = {call.arguments.get("scan_type") for call in turn.calls if call.name == "run_scan" and call.result.ok}
    for scan in recommended:
        if scan not in has_run:
            turn.recommend(scan=scan)


def _has_items(call: ToolCall) -> bool:
    return call.result.ok and isinstance(call.result.value, Mapping) and bool(call.result.value.get("items"))


def _is_empty_search(call: ToolCall) -> bool:
    if call.name not in _SEARCHES or not call.result.ok or not isinstance(call.result.value, Mapping):
        return False
    return not call.result.value.get("items") and not call.result.value.get("total")


def _note_empty_searches(calls: Sequence[ToolCall], turn: BrainletView) -> None:
    kinds_by_name: dict[str, list[str]] = {}
    for call in calls:
        kind, step = _SEARCHES[call.name]
        # Paging restricts nothing, so leaving it out would find nothing more.
        filters = set(call.arguments) - {"limit", "cursor"}
        if filters == {"name_contains"}:
            kinds_by_name.setdefault(str(call.arguments["name_contains"]), []).append(kind)
            continue
        turn.add_insight(f"No {kind} match this search" if filters else f"No {kind} found")
        turn.recommend(step=f"Search {kind} with fewer filters" if filters else step)
    # One person is looked up among several kinds, which is one question and one answer.
    for name, kinds in kinds_by_name.items():
        turn.add_insight(f"No {join_names(list(dict.fromkeys(kinds)), 'or')} are called “{name}”")
        turn.recommend(step=f"Check the spelling of “{name}”")


def _note_overdue(value: Mapping[str, Any], turn: BrainletView) -> None:
    overdue = value.get("overdue")
    count = len(overdue) if isinstance(overdue, list) else overdue if isinstance(overdue, int) else 0
    if count:
        turn.add_insight(f"{count} {'activity is' if count == 1 else 'activities are'} overdue")
        turn.recommend(step="Complete or reschedule what is overdue", scan="overdue_activities")


def _recommend_suggestions(value: Mapping[str, Any], turn: BrainletView) -> None:
    suggestions = value.get("suggestions")
    for item in suggestions[:MAX_STEPS] if isinstance(suggestions, list) else ():
        if isinstance(item, Mapping) and isinstance(item.get("action"), str):
            turn.recommend(step=item["action"])
