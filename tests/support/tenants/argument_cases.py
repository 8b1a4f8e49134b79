"""Cases for every argument of every tool: two values that must lead to different results.

To add a case, write one line in `CASES`: the tool, then `argument: (one value, another value)`, with further arguments
that the case needs as a third member. `OMITTED` stands for an argument that is left out, `@name` for the id of a record
or entry of `office.py`, `NEXT_PAGE` for the cursor after a first page with one item.
"""

from copy import deepcopy
from enum import Enum
from typing import Any

from tests.support.tenants.office import ANN, Office, utc


class Placeholder(Enum):
    """A stand-in for a value that depends on the call."""

    OMITTED = "not given"
    NEXT_PAGE = "next page"


OMITTED, NEXT_PAGE = Placeholder.OMITTED, Placeholder.NEXT_PAGE
Case = tuple[Any, Any] | tuple[Any, Any, dict[str, Any]]
PAGED: dict[str, Case] = {"limit": (1, 2), "cursor": (OMITTED, NEXT_PAGE, {"limit": 1})}
CREATED: dict[str, Case] = {"created_after": (OMITTED, utc(-5)), "created_before": (OMITTED, utc(-5))}
CONTACTED: dict[str, Case] = {"contacted_after": (OMITTED, utc(-5)), "contacted_before": (OMITTED, utc(-5))}
PLACE: dict[str, Case] = {"state": ("Texas", "Ohio"), "city": ("Austin", "Dayton")}
OWNED: dict[str, Case] = {"owner": ("me", "bob")}
PERSON: dict[str, Case] = {
    "first_name": ("Zoe", "Yan"),
    "last_name": ("Hall", "Hill"),
    "email": ("zoe@a.example", "zoe@b.example"),
    "phone": ("+49 30 1", "+49 30 2"),
    "job_title": ("Buyer", "Lawyer"),
    "company": ("Foo", "Bar"),
    "tags": (["a"], ["b"]),
    **OWNED,
}
ADDRESS: dict[str, Case] = {
    "address.street": ("Main 1", "Main 2"),
    "address.city": ("Bonn", "Ulm"),
    "address.state": ("NRW", "BW"),
    "address.postal_code": ("1", "2"),
    "address.country": ("DE", "AT"),
}
LEAD: dict[str, Case] = {
    **PERSON,
    **ADDRESS,
    "source": ("referral", "website"),
    "status": ("warm", "qualified"),
    "score": (1, 2),
    "estimated_value": (10, "20.5"),
    "next_action": ("Call", "Write"),
}
CONTACT: dict[str, Case] = {
    **PERSON,
    "department": ("Law", "Sales"),
    "account_id": ("@abc", "@xyz"),
    "status": ("active", "prospect"),
}
ACCOUNT: dict[str, Case] = {
    **ADDRESS,
    **OWNED,
    "company_name": ("Foo", "Bar"),
    "industry": ("Steel", "Hotels"),
    "type": ("customer", "vendor"),
    "website": ("a.example", "b.example"),
    "phone": ("+49 30 1", "+49 30 2"),
    "email": ("a@a.example", "b@a.example"),
    "annual_revenue": (10, "20.5"),
    "employee_count": (1, 2),
    "health": ("healthy", "at_risk"),
    "tags": (["a"], ["b"]),
}
DEAL: dict[str, Case] = {
    **OWNED,
    "name": ("Foo", "Bar"),
    "amount": (10, "20.5"),
    "currency": ("EUR", "GBP"),
    "stage": ("proposal", "negotiation"),
    "probability": (1, 2),
    "close_date": ("2026-05-01", "2026-05-02"),
    "account_id": ("@abc", "@xyz"),
    "contact_id": ("@john", "@jane"),
    "next_step": ("Call", "Write"),
    "description": ("Long", "Short"),
    "tags": (["a"], ["b"]),
}
ACTIVITY: dict[str, Case] = {
    "title": ("Call", "Ring"),
    "activity_type": ("call", "task"),
    "due_date": (utc(3), "tomorrow at noon"),
    "duration_minutes": (10, 20),
    "priority": ("low", "urgent"),
    "body": ("Long", "Short"),
    "location": ("Here", "There"),
}
SUBJECT: dict[str, Case] = {
    "entity_type": ("lead", "contact"),
    "entity_id": ("@jack", "@mary"),
}
"""Two different records; the wrong type leads to no record of this id."""
CASES: dict[str, dict[str, Case]] = {
    "get_audit_trail": {"entity": ("@jack", "@pilot"), "since": (utc(-30), utc(-3)), **PAGED},
    "search_accounts": {
        "name_contains": ("abc", "xyz"), "industry": ("Steel", "Hotels"), "type": ("customer", "prospect"),
        "health": ("healthy", "unknown"), "min_revenue": (1, 500), "max_revenue": (1, 500), "min_employees": (1, 20),
        "max_employees": (1, 20), **OWNED, **PLACE, **CREATED, **PAGED,
    },
    "get_account": {"account_id": ("@abc", "@xyz")},
    "create_account": ACCOUNT,
    "update_account": {"account_id": ("@abc", "@xyz", {"phone": "+49 30 1"}), **ACCOUNT},
    "delete_account": {"account_id": ("@abc", "@xyz")},
    "list_activities": {
        "entity_type": ("lead", "opportunity"), "entity_id": ("@jack", "@pilot"), "activity_type": ("call", "task"),
        "status": ("scheduled", "completed"), "due_after": (utc(-30), utc(1)), "due_before": (utc(-4), utc(1)),
        "priority": ("high", "normal"), "name_contains": ("task", "meeting"), **OWNED, **PAGED,
    },
    "get_activity": {"activity_id": ("@task", "@meeting")},
    "create_activity": {**SUBJECT, **ACTIVITY, **OWNED, "status": ("scheduled", "completed")},
    "bulk_create_activities": {
        f"items.{name}": case for name, case in {**SUBJECT, **ACTIVITY}.items()
    },
    "update_activity": {
        "activity_id": ("@task", "@meeting", {"location": "Here"}), **ACTIVITY, **OWNED,
        "status": ("completed", "cancelled"), "outcome": ("Good", "Bad"),
    },
    "complete_activity": {"activity_id": ("@task", "@meeting"), "outcome": ("Good", "Bad")},
    "delete_activity": {"activity_id": ("@task", "@meeting")},
    "get_ai_memory": {"query": ("price", "demo"), "entity_type": ("lead", "account"), "limit": (1, 2)},
    "manage_prompt": {
        "action": ("list", "add"), "text": ("Be brief", "Be long", {"action": "add"}),
        "instruction_id": ("@short", "@polite", {"action": "delete"}),
    },
    "search_contacts": {
        "name_contains": ("john", "jane"), "company": ("ABC", "XYZ"), "account_id": ("@abc", "@xyz"),
        "status": ("active", "prospect"), "department": ("Sales", "Law"), "job_title": ("Buyer", "Lawyer"),
        "email": ("john@abc.example", "jane@xyz.example"), **OWNED, **CONTACTED, **CREATED, **PAGED,
    },
    "get_contact": {"contact_id": ("@john", "@jane")},
    "create_contact": {"name": ("Zoe Hall", "Yan Hill"), **CONTACT},
    "update_contact": {
        "contact_id": ("@john", "@jane", {"phone": "+49 30 1"}), **CONTACT, "last_contacted_at": (utc(-2), "yesterday"),
    },
    "delete_contact": {"contact_id": ("@john", "@jane")},
    "search_documents": {"query": ("price objection", "renewals"), "limit": (1, 2)},
    "read_document": {"document_id": ("handling-objections", "renewals")},
    "draft_email": {**SUBJECT, "purpose": ("thank him", "say hello"), "tone": ("friendly", "formal")},
    "send_email": {
        "to": ("a@a.example", "b@a.example"), "subject": ("One", "Two"), "body": ("Long", "Short"),
        "entity_type": ("lead", "contact", {"entity_id": "@jack"}),
        "entity_id": ("@jack", "@mary", {"entity_type": "lead"}),
    },
    "get_recent_events": {"type": ("record_changed", "sweep_completed"), **PAGED},
    "github_issue": {
        "action": ("view", "list_comments", {"number": 1}), "number": (1, 2, {"action": "view"}),
        "title": ("One", "Two", {"action": "create"}),
        "body": ("Long", "Short", {"action": "create", "title": "One"}),
        "labels": (["a"], ["b"], {"action": "create", "title": "One"}),
        "reason": ("completed", "not_planned", {"action": "close", "number": 1}),
        "state": ("open", "closed", {"action": "list"}),
        "limit": (1, 2, {"action": "list"}), "page": (1, 2, {"action": "list", "limit": 1}),
    },
    "get_goals": {"status": ("open", "in_progress"), "scope": ("mine", "shared"), **PAGED},
    "evaluate_goal": {"goal_id": ("@growth", "@reach")},
    "create_goal": {
        "title": ("One", "Two"), "scope": ("mine", "shared"), "period": ("Q1", "Q2"),
        "key_results.title": ("Deals", "Calls"), "key_results.target": (3, 4), "key_results.current": (1, 2),
    },
    "list_documents": {"limit": (1, 2)},
    "update_goal": {
        "goal_id": ("@growth", "Reach", {"key_results": OMITTED, "status": "done"}),
        "status": ("done", "rejected"), "progress": (1, 2),
        "key_results.title": ("Deals", "Calls"), "key_results.current": (3, 4),
    },
    "analyze_sentiment": {
        "text": ("Wonderful!", "Horrible!"), "entity_type": ("lead", "contact", {"entity_id": "@jack"}),
        "entity_id": ("@jack", "@mary", {"entity_type": "lead"}),
    },
    "find_similar": {**SUBJECT, "limit": (1, 2, {"entity_type": "opportunity", "entity_id": "@pilot"})},
    "summarize_record": SUBJECT,
    "convert_lead": {
        "lead_id": ("@jack", "@ned"), "account_id": (OMITTED, "@xyz"), "create_opportunity": (False, True),
        "opportunity_name": ("One", "Two"), "amount": (10, "20.5"), "close_date": ("2026-05-01", "2026-05-02"),
    },
    "score_lead": {"lead_id": ("@jack", "@mary")},
    "search_leads": {
        "name_contains": ("jack", "mary"), "status": ("warm", "new"), "source": ("referral", "website"),
        "min_score": (1, 50), "min_value": (1, 500), **OWNED, **CREATED, **CONTACTED, **PLACE, **PAGED,
    },
    "get_lead": {"lead_id": ("@jack", "@mary")},
    "create_lead": LEAD,
    "update_lead": {
        "lead_id": ("@jack", "@mary", {"phone": "+49 30 1"}), **LEAD, "last_contacted_at": (utc(-2), "yesterday"),
        "do_not_call": (False, True), "do_not_email": (False, True),
    },
    "delete_lead": {"lead_id": ("@jack", "@mary")},
    "schedule_meeting": {
        "attendees": (["Jack Russel"], ["Mary Major"]), "date": (utc(3), "tomorrow at noon"), "duration": (30, 45),
        "title": ("One", "Two"), "entity_type": ("lead", "contact", {"entity_id": "@jack"}),
        "entity_id": ("@jack", "@ned", {"entity_type": "lead"}), "location": ("Here", "There"),
    },
    "memory": {
        "action": ("get", "delete", {"memory_id": "@golf"}), "query": ("golf", "tea", {"action": "search"}),
        "text": ("One", "Two", {"action": "create"}), "memory_id": ("@golf", "@tea", {"action": "get"}),
        **PAGED,
    },
    "suggest_next_actions": {
        "entity_type": (OMITTED, "contact", {"entity_id": "@jack"}), "entity_id": ("@jack", "@mary"),
    },
    "list_notes": {**SUBJECT, "note_type": ("call_log", "general"), **PAGED},
    "search_notes": {
        "query": ("price", "demo"), "note_type": ("call_log", "general"), **OWNED, **CREATED, **PAGED,
    },
    "create_note": {
        **SUBJECT, "content": ("One", "Two"), "title": ("One", "Two"), "note_type": ("general", "meeting"),
        "is_private": (False, True),
    },
    "delete_note": {"note_id": ("@note", "@old note")},
    "search_opportunities": {
        "name_contains": ("pilot", "fleet"), "stage": ("proposal", "qualification"), "min_value": (1, 500),
        "max_value": (100, 2000), "closing_after": ("2026-01-01", "2026-05-01"),
        "closing_before": ("2026-03-31", "2026-12-31"),
        "account_id": ("@abc", "@xyz"), "contact_id": ("@john", "@jane"),
        "open_only": (False, True), **OWNED, **CREATED, **PAGED,
    },
    "get_opportunity": {"opportunity_id": ("@pilot", "@fleet")},
    "create_opportunity": {**DEAL, "lead_id": ("@jack", "@mary")},
    "update_opportunity": {"opportunity_id": ("@pilot", "@fleet", {"next_step": "Call"}), **DEAL},
    "advance_opportunity_stage": {
        "opportunity_id": ("@pilot", "@fleet"), "stage": ("negotiation", "closed_won", {"opportunity_id": "@pilot"}),
    },
    "delete_opportunity": {"opportunity_id": ("@pilot", "@fleet")},
    "forecast_pipeline": {"period": ("this_week", "next_year"), **OWNED},
    "navigate_to_page": {
        "page": ("leads", "contacts"), "entity_type": ("lead", "contact", {"entity_id": "@jack"}),
        "entity_id": ("@jack", "@mary", {"entity_type": "lead"}),
    },
    "get_pipeline_summary": {
        "entity_type": ("lead", "account"), "status": ("warm", "new"), "period": ("last_month", "this_month"),
        "first": ("2026-01-01", "2026-02-01", {"last": "2026-03-31"}),
        "last": ("2026-02-01", "2026-03-31", {"first": "2026-01-01"}), **OWNED,
    },
    "get_my_day": OWNED,
    "run_scan": {
        "scan_type": ("stale_leads", "deals_at_risk"),
        "severity": ("all", "urgent", {"scan_type": "next_steps"}),
    },
    "get_scan_briefing": {"variant": ("quick", "full"), "timeframe_hours": (1, 2)},
    "stickynotes": {
        "action": ("snooze", "resolve", {"note_id": "@flowers"}), "text": ("One", "Two", {"action": "create"}),
        "due_at": (utc(3), "tomorrow at noon", {"action": "create", "text": "One"}),
        "note_id": ("@flowers", "@dentist", {"action": "resolve"}), "status": ("due", "resolved"), "limit": (1, 2),
    },
}  # fmt: skip


ALWAYS: dict[str, dict[str, Any]] = {
    "create_account": {"company_name": "Foo"},
    "update_account": {"account_id": "@abc"},
    "create_activity": {"entity_type": "lead", "entity_id": "@jack", "title": "Call", "activity_type": "call"},
    "bulk_create_activities": {
        "items": [{"entity_type": "lead", "entity_id": "@jack", "title": "Call", "activity_type": "call"}]
    },
    "update_activity": {"activity_id": "@task"},
    "complete_activity": {"activity_id": "@task"},
    "get_ai_memory": {"query": "price demo"},
    "manage_prompt": {"action": "list"},
    "create_contact": {"last_name": "Hall"},
    "update_contact": {"contact_id": "@john"},
    "search_documents": {"query": "price objection"},
    "draft_email": {"entity_type": "lead", "entity_id": "@jack", "purpose": "thank him"},
    "send_email": {"to": "a@a.example", "subject": "One", "body": "Long"},
    "update_goal": {"goal_id": "@growth", "key_results": [{"title": "Deals", "current": 3}]},
    "find_similar": {"entity_type": "lead", "entity_id": "@jack"},
    "summarize_record": {"entity_type": "lead", "entity_id": "@jack"},
    "convert_lead": {"lead_id": "@jack"},
    "create_goal": {"title": "Foo", "key_results": [{"title": "One", "target": 5, "current": 2}]},
    "create_lead": {"last_name": "Hall"},
    "update_lead": {"lead_id": "@jack"},
    "schedule_meeting": {"attendees": ["Jack Russel"], "date": "tomorrow at 3pm"},
    "memory": {"action": "list"},
    "list_notes": {"entity_type": "lead", "entity_id": "@jack"},
    "search_notes": {"query": "price"},
    "create_note": {"entity_type": "lead", "entity_id": "@jack", "content": "One"},
    "create_opportunity": {"name": "Foo"},
    "update_opportunity": {"opportunity_id": "@pilot"},
    "navigate_to_page": {"page": "leads"},
    "stickynotes": {"action": "list"},
}
"""The arguments of a tool in all its cases, unless a case overrides them."""


def with_argument(arguments: dict[str, Any], path: str, value: Any) -> dict[str, Any]:
    """Return a copy of the arguments with the one at `path` (`a.b`) set to `value`, or removed for `OMITTED`."""
    result = deepcopy(arguments)
    place = result
    *outer, name = path.split(".")
    for step in outer:
        inner = place.setdefault(step, {})
        place = inner[0] if isinstance(inner, list) else inner
    if value is OMITTED:
        place.pop(name, None)
    else:
        place[name] = value
    return result


def resolve_arguments(office: Office, tool: str, arguments: dict[str, Any]) -> dict[str, Any]:
    """Return the arguments with ids and cursors in place of their stand-ins."""
    if arguments.get("cursor") is NEXT_PAGE:
        first = office.run(ANN, tool, resolve_arguments(office, tool, {**arguments, "cursor": OMITTED}))
        arguments = {**arguments, "cursor": first.value["next_cursor"]}

    def resolve(value: Any) -> Any:
        if isinstance(value, list):
            return [resolve(item) for item in value]
        if isinstance(value, dict):
            return {name: resolve(item) for name, item in value.items() if item is not OMITTED}
        return office.ids[value[1:]] if isinstance(value, str) and value.startswith("@") else value

    resolved: dict[str, Any] = resolve(arguments)
    return resolved
