"""The words for what the assistant does at the moment, for a client to show while a tool runs."""

from collections.abc import Mapping

from aisha.domain.tools import ToolCall, ToolSpec

_TOOLS: Mapping[str, str] = {
    "advance_opportunity_stage": "Moving the deal",
    "analyze_sentiment": "Reading the mood of the conversation",
    "complete_activity": "Completing the activity",
    "convert_lead": "Converting the lead",
    "draft_email": "Drafting the email",
    "find_similar": "Looking for similar records",
    "forecast_pipeline": "Working out the forecast",
    "get_my_day": "Looking at your day",
    "get_pipeline_summary": "Adding up the pipeline",
    "manage_prompt": "Looking at your standing instructions",
    "navigate_to_page": "Opening the page",
    "req_more_info": "Reading what I need for this",
    "run_scan": "Scanning the pipeline",
    "schedule_meeting": "Scheduling the meeting",
    "score_lead": "Scoring the lead",
    "send_email": "Preparing the email",
    "stickynotes": "Looking at your reminders",
    "suggest_next_actions": "Thinking about next steps",
    "summarize_record": "Summing up the record",
    "undo_last": "Undoing your last change",
}
_VERBS: Mapping[str, str] = {
    "add": "Adding",
    "bulk": "Working on several",
    "create": "Creating",
    "delete": "Looking at what to delete:",
    "evaluate": "Checking",
    "get": "Looking up",
    "list": "Looking through",
    "read": "Reading",
    "search": "Searching",
    "update": "Updating",
}
_BY_ACCESS = {"read": "Looking things up", "write": "Making the change", "delete": "Looking at what to delete"}


def status_words(call: ToolCall) -> str:
    """Return what a running call does, e.g. "Searching leads", without any value of the call."""
    if call.name in _TOOLS:
        return _TOOLS[call.name]
    verb, _, rest = call.name.partition("_")
    if verb in _VERBS and rest:
        return f"{_VERBS[verb]} {_readable(rest)}"
    return _BY_ACCESS.get(_access(call.spec), "Asking another system")


def _readable(name: str) -> str:
    return name.replace("_", " ").replace("ai memory", "what I remember")


def _access(spec: ToolSpec | None) -> str:
    return spec.access if spec is not None else "read"
