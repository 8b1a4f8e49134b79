"""Format the results of tools that no act of the planner words itself."""

from collections.abc import Iterator, Mapping
from datetime import datetime
from typing import Any

from aisha.adapters.llm.planner.plan import Answer, Plan
from aisha.adapters.llm.planner.replies import figures, profiles
from aisha.adapters.llm.planner.replies.formats import at_instant, format_instant, number_lines
from aisha.adapters.llm.planner.replies.goals import goal_line
from aisha.adapters.llm.planner.state import Ref, Topic
from aisha.domain.language import lexicon
from aisha.domain.wording import humanise, join_names

MAX_FINDINGS = 5
"""Findings listed for each scan."""
_PRIORITIES = ((9, "Urgent"), (7, "High"), (0, "Normal"))
_TEXTS = ("passage", "text")
_BESIDE = frozenset(("id", "title", "description", "score"))
"""Fields of a document besides its text. Anything with further fields is no document."""
_NAMES = ("display_name", "name", "title", "subject", "label", "number")
_ABOUT = ("about", "description", "summary")
"""Names of the text that describes an entry, after its name and the other members."""
_LISTS = ("items", "data", "results", "records")
_MAX_ENTRIES = 10
_YES_NO = {True: "Yes.", False: "No."}
NOTHING = "Nothing was found."


def answer_with_result(plan: Plan, tool: str, value: Any) -> Answer:
    """Return the answer that gives a tool's result: records as lines, a document as its text, other values by name."""
    if isinstance(value, dict) and isinstance(items := value.get("items"), list) and all(map(is_record, items)):
        listed, verb, noun = profiles.format_numbered(items, plan.now), *tool.partition("_")[::2]
        return Answer(listed or (f"There are no {humanise(noun)} right now." if verb == "list" else NOTHING))
    if isinstance(value, dict) and is_record(value.get("record")):
        record = value["record"]
        is_new = isinstance(receipt := value.get("receipt"), dict) and receipt.get("action") == "created"
        done = f"I've created the {humanise(record['entity_type'])}" if is_new else "Done:"
        return Answer(
            f"{done} {profiles.format_line(record, plan.now)}.",
            topic=Topic(
                (Ref(record["entity_type"], str(record.get("id")), record["display_name"]),),
                written=f"You just did this: {humanise(tool)}, {record['display_name']}.",
            ),
        )
    if isinstance(value, dict) and isinstance(value.get("receipts"), list):
        return Answer(format_receipts(value))
    if isinstance(value, dict) and value.keys() >= {"pipeline", "goals", "attention"}:
        entities = (one["entity"] for one in value["attention"])
        return Answer(
            _format_status(value), topic=Topic(tuple(Ref(one["type"], one["id"], one["name"]) for one in entities))
        )
    if tool == "get_background_jobs":
        return Answer("\n".join(_format_job(one, plan.now) for one in value["items"]))
    text = format_scan(value) or _format_suggestions(value, plan.now) or format_documents(value)
    return Answer(text or format_json(value))


def format_receipts(value: dict[str, Any]) -> str:
    """Format what was done to which records."""
    return f"Done: {', '.join(map(_format_receipt, value['receipts']))}."


def _format_receipt(receipt: dict[str, Any]) -> str:
    """Format `removed the lead **Nora Fink**` or `changed the lead **Ann Lee** (status is **warm**)`."""
    entity, after = receipt["entity"], receipt.get("after") or {}
    kind, name = str(entity["type"]).replace("_", " "), entity["name"]
    if receipt["action"] != "updated":
        return f"{'removed' if receipt['action'] == 'deleted' else 'restored'} the {kind} **{name}**"
    changes = [
        f"{humanise(field)} is **{_plain(value)}**"
        for field, value in after.items()
        if isinstance(value, str | int | float)
    ]
    return f"changed the {kind} **{name}**" + (f" ({', '.join(changes)})" if changes else "")


def format_scan(value: Any) -> str | None:
    """Format a scan's report or a briefing; return None for anything else."""
    if not isinstance(value, Mapping):
        return None
    if "findings_total" in value and isinstance(value.get("findings"), list):
        return _format_report(value)
    is_briefing = isinstance(value.get("text"), str) and value.keys() <= {"text", "data"}
    return str(value["text"]) if is_briefing else None


def _format_report(value: Mapping[str, Any]) -> str:
    title, total, examined = value.get("title"), int(value["findings_total"]), value.get("examined")
    examination = f"looked at {examined} {'record' if examined == 1 else 'records'}"
    if value.get("truncated"):
        examination += " (there are more than one run reads)"
    if not total:
        return f"The {title} scan {examination} and found nothing that needs attention."
    findings = value["findings"][:MAX_FINDINGS]
    more = f"\n\nThere are {total - len(findings)} more." if total > len(findings) else ""
    count = f"{total} {'finding' if total == 1 else 'findings'}"
    return f"The {title} scan {examination} and has {count}:\n\n" + number_lines(map(_format_finding, findings)) + more


def _format_status(value: Mapping[str, Any]) -> str:
    """Format a report on the team's work: figures, goals, what needs attention."""
    parts = ["Here is where the work stands."]
    if value["pipeline"]:
        parts = [figures.format_overview({"sections": value["pipeline"]}, None, lexicon.entries("open_values"))]
    if goals := [f"- {goal_line(one)}" for one in value["goals"]]:
        parts.append("\n".join(["**Goals**", *goals]))
    concerns = number_lines(map(_format_finding, value["attention"]))
    parts.append(f"**What needs attention**\n{concerns}" if concerns else "Nothing stands out as urgent.")
    return "\n\n".join(parts)


def _format_suggestions(value: Any, now: datetime) -> str | None:
    """Format stored suggestions and what was decided about one; return None for anything else."""
    if isinstance(value, Mapping) and value.keys() >= {"suggestion", "status"}:
        until = f" until {format_instant(str(until), now)}" if (until := value.get("snoozed_until")) else ""
        done = f" I've {done}." if (done := value.get("done")) else ""
        return f"I've {value['status']} the suggestion **{value['suggestion'].partition(': ')[0]}**{until}.{done}"
    items = value.get("items") if isinstance(value, Mapping) else None
    if not isinstance(items, list) or not items or not all(_is_suggestion(item) for item in items):
        return None
    lines = number_lines(map(_format_finding, items))
    more = int(value.get("total") or 0) - len(items)
    return f"{lines}\n\nThere are {more} more." if more > 0 else lines


def _format_job(job: Mapping[str, Any], now: datetime) -> str:
    """Tell whether a job of the background runs, and what its last run did."""
    name, status, started = f"The {str(job['name']).lower()}", job["status"], job.get("last_started")
    if status == "never ran" or not started:
        return f"Nothing is running in the background. {name} runs {job['runs']}, and has not run yet."
    did = f"{job.get('records_examined') or 0} records examined, {job.get('suggestions_made') or 0} suggestions made"
    when = at_instant(str(started), now)
    if status == "done":
        return f"Nothing is running in the background. {name} last ran {when}: {did}."
    state = "is running" if status == "running" else "has stalled"
    return f"{name} {state}. It started {when}: {did} so far."


def _is_suggestion(value: Any) -> bool:
    return isinstance(value, Mapping) and value.keys() >= {"text", "priority", "status", "entity"}


def _format_finding(finding: Mapping[str, Any]) -> str:
    head, _, reason = str(finding.get("text", "")).partition(": ")
    priority = next(word for minimum, word in _PRIORITIES if int(finding.get("priority", 0)) >= minimum)
    return f"**{head}** (**{priority}**)" + (f": {reason}" if reason else "")


def format_documents(value: Any) -> str | None:
    """Format the first document with its title and name the others; return None for anything but documents."""
    items = value.get("items") if isinstance(value, Mapping) else None
    if not isinstance(items, list):
        return _format_document(value)
    if not items or any(_format_document(item) is None for item in items):
        return None
    more = join_names([f"**{item['title']}**" for item in items[1:]])
    return f"{_format_document(items[0])}\n\nMore on this: {more}." if more else _format_document(items[0])


def _format_document(value: Any) -> str | None:
    if not isinstance(value, Mapping) or not isinstance(value.get("title"), str):
        return None
    rest = value.keys() - _BESIDE
    text = value[name] if len(rest) == 1 and (name := next(iter(rest))) in _TEXTS else None
    return f"**{value['title']}**\n\n{text.strip()}" if isinstance(text, str) and text.strip() else None


def is_record(value: Any) -> bool:
    """Return whether a value is a record as the CRM's own tools return it."""
    return isinstance(value, Mapping) and "entity_type" in value and isinstance(value.get("display_name"), str)


def format_json(value: Any) -> str:
    """Format a list as numbered lines, an object as labelled values, anything else as it is, all without ids."""
    if isinstance(value, list):
        return _format_list(value)
    if not isinstance(value, Mapping):
        if isinstance(value, bool):
            return _YES_NO[value]
        return str(value) if value not in (None, "") else "Done."
    entries = next((value[name] for name in _LISTS if isinstance(value.get(name), list)), None)
    if entries is not None:
        return _format_list(entries, value.get("total"))
    lines = [f"- {humanise(name).capitalize()}: {text}" for name, text in _members(value)]
    return "\n".join(lines[:_MAX_ENTRIES]) or "Done."


def _format_list(items: list[Any], total: Any = None) -> str:
    rest = (total if isinstance(total, int) else len(items)) - len(items[:_MAX_ENTRIES])
    more = f"\nand {rest} more" if rest > 0 else ""
    return number_lines(map(_format_entry, items[:_MAX_ENTRIES])) + more or NOTHING


def _format_entry(item: Any) -> str:
    if not isinstance(item, Mapping):
        return ", ".join(map(str, item)) if isinstance(item, list) else str(item)
    members = dict(_members(item))
    named = next((name for name in _NAMES if name in members), None)
    first = [f"**{members.pop(named)}**"] if named else []
    about = next((members.pop(name) for name in _ABOUT if first and name in members), "")
    others = [f"{humanise(name)}: {text}" for name, text in members.items()]
    if about and f"**{about}**" not in first:
        return f"{first[0]}{f' ({", ".join(others)})' if others else ''}: {about}"
    return ", ".join([*first, *others]) or "an entry"


def _members(value: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    for name, item in value.items():
        if name.lower() == "id" or name.endswith(("_id", "Id")) or item in (None, ""):
            continue
        if isinstance(item, Mapping):
            item = next((item[key] for key in _NAMES if isinstance(item.get(key), str)), None)
        if isinstance(item, str | int | float):
            yield name, _plain(item)


def _plain(value: str | float) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    return str(value)
