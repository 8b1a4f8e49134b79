"""A wish that no tool serves is refused in an honest sentence; one that a tool serves is not, nor a mere mention."""

import json
import time
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from aisha.domain.language.refusals import refusal_for, unknown

TOOL_SCHEMAS = Path(__file__).parents[4] / "tool_schemas"
REFUSED = [
    ("weather", "do i need a coat in chicago tmrw"),
    ("weather", "Will there be a storm on the day of the site visit?"),
    ("weather", "whats the wether in Denver"),
    ("flights", "Can you sort out my flights to Berlin next week?"),
    ("flights", "book a taxi to the airport for 6am"),
    ("tables", "Reserve the big meeting room for Thursday"),
    ("tables", "recommend a restaurant for a client dinner"),
    ("order", "order lunch for the workshop, 12 people"),
    ("phone calls", "call Jack for me and tell him I'll be late"),
    ("phone calls", "dial jack russel n put him on speaker im driving"),
    ("phone calls", "Ring Priya Nair right now please"),
    ("text messages", "text priya that i'm running late"),
    ("text messages", "drop a message in the sales Slack channel"),
    ("social media", "post our new case study on linkedin"),
    ("export", "can i get this as a csv"),
    ("export", "Put the pipeline into an Excel sheet for me"),
    ("import", "import these contacts from my spreadsheet"),
    ("import", "how do i get a csv in here"),
    ("settings", "sync this with my google calendar"),
    ("attach", "attach the brochure to Jack's record"),
    ("print", "PRINT THE CONTRACT"),
    ("search the web", "Look up the latest news about Blue Harbor online"),
    ("competitors", "who are the main competitors of Nordlys?"),
    ("share prices", "What is Falcon Aerospace trading at on the stock exchange this morning?"),
    ("exchange rates", "what's the eur usd exchange rate"),
    ("translate", 'translate "thank you for your time" to German'),
    ("translate", "can you speak Spanish?"),
    ("invoices", "Send ABC Corp an invoice for 5,000"),
    ("contracts", "draft a contract for Jack Russel"),
    ("pay", "transfer 300 dollars to Bob"),
    ("passwords", "i forgot my password"),
    ("rights", "make Dana an admin"),
    ("may read or edit", "who can see my deals?"),
    ("may read or edit", "can bob edit my accounts?"),
    ("may read or edit", "is my manager able to see my pipeline"),
    ("what is written here", "do you store what i type?"),
    ("what is written here", "can my manager see this chat?"),
    ("what is written here", "is my data private?"),
    ("merge", "merge the two John Browns"),
    ("everything", "wipe the database"),
    ("everything", "Delete all my leads"),
    ("calculate", "what's 20 percent of 4500"),
    ("calculate", "what is 12 * 37"),
    ("general knowledge", "what's the capital of France"),
    ("jokes", "write a poem about my pipeline"),
    ("slides", "make me a powerpoint with these figures"),
    ("charts", "show my pipeline as a pie chart"),
    ("code", "write a python script that reads my leads"),
    ("traffic", "hows traffic on i95 up to boston"),
    ("devices", "turn off the lights"),
    ("settings", "add a custom field for renewal date"),
    ("other programs", "close the ticket in Zendesk"),
    ("start, join or record", "start a zoom call with Jack"),
    ("start, join or record", "record and transcribe the call"),
    ("leave", "I need two weeks free in August, please send my holiday request to human resources system"),
    ("expenses", "Approve Bob's travel expenses for February and have payroll transfer the money."),
    ("calendars", "when is Bob free on Friday?"),
    ("mailbox", "any unread emails from Jack?"),
    ("mailbox", "did Jack reply to my email"),
    ("opened", "has Jack seen the proposal"),
    ("newsletters", "start an email campaign for warm leads"),
    ("legal", "can i sue them if they don't pay"),
    ("backups", "restore yesterday's backup"),
]
DOABLE = [
    "can you see my deals",
    "who can help me close the Acme deal",
    "save this conversation as a note",
    "Show me my warm leads",
    "What's the forecast for this quarter?",
    "How warm is this lead?",
    "Schedule a call with Jack tomorrow",
    "call Jack tomorrow at 3",
    "Book a meeting about flights with Priya on Friday",
    "schedule a zoom call with Jack on Monday",
    "make me a call with her tomorrow, and tell me also her number",
    "remind me to print the contract",
    "don't let me forget to renew my visa on Monday",
    "nudge me about the expense report",
    "create a task for Ann: prepare the quote",
    "note that he asked for an invoice",
    "log that she is on holiday until June",
    "Send an email to Jack saying that the contract is ready",
    "write an email to Priya about our newsletter",
    "create a lead from the spring campaign",
    "convert this lead with a deal of 5000 dollars",
    "delete the note about Jack",
    "remove Greenfield from my tasks",
    "Any news on the Granville deal?",
    "How many employees does Nordlys have?",
    "open the settings page",
    "what does the handbook say about travel expenses?",
    "what is her phone number?",
    "who is the contact for Sunrise Hotels?",
    "is there anything free on my calendar on Friday",
    "what is his address",
    "find the leads from LinkedIn",
    "mark the deal as lost because of a competitor",
    "set Renewals of the goal Grow recurring revenue to 6",
    "what time is it now scheduled for?",
    "undo that",
    "thanks!",
    "",
]
ABILITIES = {
    "schedule the call": "create_activity",
    "schedule a task": "create_activity",
    "schedule the meeting": "schedule_meeting",
    "location": "schedule_meeting",
    "draft": "draft_email",
    "reminder": "stickynotes",
    "planned for that day": "list_activities",
    "list the activities": "list_activities",
    "emails that are logged": "list_activities",
    "tell you the number": "get_contact",
    "address on record": "get_account",
    "last in contact": "get_lead",
    "list the records": "search_leads",
    "create the records": "create_lead",
    "another owner": "update_lead",
    "update the deal": "update_opportunity",
    "into a note": "create_note",
    "note what is in them": "create_note",
    "search your notes": "search_notes",
    "summar": "summarize_record",
    "scan for duplicates": "run_scan",
    "delete one record": "delete_lead",
    "amounts of your": "get_pipeline_summary",
    "forecast": "forecast_pipeline",
    "needs your attention": "get_my_day",
    "good sales practice": "search_documents",
    "remember about you": "memory",
    "how you want to be answered": "manage_prompt",
    "take back your last change": "undo_last",
    "suggest next steps": "suggest_next_actions",
}


@pytest.mark.parametrize(("topic", "text"), REFUSED)
def test_what_no_tool_does_is_refused_by_its_topic(topic: str, text: str) -> None:
    refusal = refusal_for(text)
    assert refusal is not None
    assert topic in refusal


@pytest.mark.parametrize("text", [text for _, text in REFUSED])
def test_politeness_before_and_after_changes_no_refusal(text: str) -> None:
    assert refusal_for(f"Hi there! {text}") == refusal_for(text)
    assert refusal_for(f"{text}. Thank you very much!") == refusal_for(text)


@pytest.mark.parametrize("text", DOABLE)
def test_what_a_tool_does_is_not_refused(text: str) -> None:
    assert refusal_for(text) is None


@pytest.mark.parametrize("text", [text for _, text in REFUSED])
def test_a_refusal_says_what_it_can_do_instead(text: str) -> None:
    refusal = refusal_for(text)
    assert refusal is not None
    assert refusal.startswith("I can't ")
    assert "I can " in refusal.removeprefix("I can't ")
    assert any(ability in refusal for ability in ABILITIES) or "I can look " in refusal or "I can show " in refusal


@pytest.mark.parametrize(("ability", "tool"), ABILITIES.items())
def test_a_tool_stands_behind_each_ability_that_refusals_claim(ability: str, tool: str) -> None:
    assert json.loads((TOOL_SCHEMAS / f"{tool}.json").read_text(encoding="utf-8"))["id"] == tool, ability


def test_words_far_apart_show_no_wish() -> None:
    rambling = (
        "I had a flight last week and then we sat down with the whole team of theirs for a long while to talk, book"
    )
    assert refusal_for(rambling) is None


def test_each_sentence_is_read_by_itself() -> None:
    assert refusal_for("Remind me to call Ann. Print the contract.") == refusal_for("Print the contract.")


def test_the_topic_with_most_words_is_chosen() -> None:
    refusal = refusal_for("export the newsletter list to Excel")
    assert refusal is not None
    assert "Excel" in refusal


def test_what_was_not_understood_is_named() -> None:
    assert "“frobnicate the widget”" in unknown(["frobnicate", "the", "widget"])
    assert "“" not in unknown()
    assert unknown([str(number) for number in range(20)]).count("…") == 1


@pytest.mark.parametrize(
    "text", ["call for me now ", "a ", "print ", "put a call through to me and him ", "wheather ", "call", "% ", "? "]
)
def test_the_longest_message_is_read_at_once(text: str) -> None:
    message = (text * 8_000)[:8_000]
    refusal_for("warm up")
    spent = []
    for _ in range(3):
        begun = time.process_time()
        refusal_for(message)
        spent.append(time.process_time() - begun)
    assert min(spent) < 0.05


@settings(max_examples=150, deadline=None)
@given(st.text(max_size=80))
def test_any_text_is_read(text: str) -> None:
    refusal = refusal_for(text)
    assert refusal is None or refusal.startswith("I can't ")
