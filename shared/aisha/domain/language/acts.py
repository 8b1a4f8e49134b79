"""The acts of a segment, and the tags of its slots. `infra/planner/data/README.md` defines each by examples."""

READS = frozenset(
    "search about ask_field count list_activities notes history next_steps my_day rank compare similar past_cases "
    "forecast score goals events scan_results sentiment documents recall reminders instructions issues last_action "
    "help identity".split()
)
WRITES = frozenset(
    "create_record create_activity create_note update_record advance_stage complete_activity change_activity "
    "delete convert draft_email send_email invite undo remind close_reminder remember forget instruct "
    "drop_instruction issue_change run_scan update_goal navigate".split()
)
DIALOGUE = frozenset("yes no wait choose more take_up correct again greeting thanks goodbye smalltalk".split())
OTHER = frozenset("context report impossible negated hypothetical".split())
"""Segments that order nothing: background, news without an order, what no tool does, denied and imagined orders."""
FIELD_CHANGE_ACTS = frozenset(("update_record", "advance_stage"))
"""Acts that change a field of a record at once, and have no time of their own."""
MAIL_ACTS = frozenset(("draft_email", "send_email"))
SEARCHES = frozenset(("search", "count", "rank"))
ACTS_ABOUT_ONE = frozenset("ask_field about history score notes next_steps".split())
"""Acts of questions about one record."""
RECORD_NAME_TAGS = frozenset(("name", "new"))
NAME_TAGS = RECORD_NAME_TAGS | {"org"}
"""Tags of the names of records: of one that exists, of one to be made, of a company."""
PROPER_NAME_TAGS = NAME_TAGS | {"owner"}
NUMBER_TAGS = frozenset(("amount", "value", "count"))
ADDRESS_TAGS = frozenset(("email", "phone", "url"))
"""Tags of slots that are known by their form, and kinds of tokens."""
VALUE_TAGS = NUMBER_TAGS | ADDRESS_TAGS | {"when", "owner", "text"}
"""Tags of what an order may give a field."""
ACTS = READS | WRITES | DIALOGUE | OTHER
TAGS = frozenset("name new org owner field value amount count when text topic ref".split())
TOOLS = frozenset(
    [
        f"{verb}_{kind}"
        for verb in ("get", "create", "update", "delete")
        for kind in ("lead", "contact", "account", "opportunity")
    ]
    + [f"search_{kind}" for kind in ("leads", "contacts", "accounts", "opportunities", "notes", "documents")]
    + [f"{verb}_activity" for verb in ("get", "create", "update", "complete", "delete")]
    + "list_activities bulk_create_activities schedule_meeting list_notes create_note delete_note".split()
    + "suggest_next_actions analyze_sentiment get_ai_memory find_similar summarize_record draft_email".split()
    + "send_email get_pipeline_summary get_my_day get_recent_events get_goals evaluate_goal update_goal".split()
    + "get_audit_trail run_scan get_scan_briefing req_more_info get_personality manage_prompt memory".split()
    + "stickynotes github_issue navigate_to_page undo_last read_document".split()
    + "convert_lead score_lead forecast_pipeline advance_opportunity_stage".split()
)
"""The product's own tools, which the acts call. All others are customers'."""
