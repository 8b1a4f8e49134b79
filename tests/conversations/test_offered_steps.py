"""Test that the planner understands whatever the assistant offers as a next step."""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from aisha.adapters.llm.planner import policy
from aisha.adapters.llm.planner.acts import social
from aisha.adapters.llm.planner.replies import questions
from aisha.application.tooling import ToolRegistry
from aisha.application.turn.concluding.follow_up_buttons import GENERAL_FOLLOW_UPS, RECORD_FOLLOW_UPS
from aisha.domain.tools import FollowUp
from tests.support.dialogue.conversations import NOW, Stage, matches
from tests.support.product_tools import product_tools

pytestmark = pytest.mark.slow

SUBJECTS = {
    "account": "ABC Corp",
    "opportunit": "Blue Harbor Fleet Tracking",
    "contact": "John Doe",
    "deal": "Blue Harbor Fleet Tracking",
}
NOT_UNDERSTOOD = questions.not_understood("|").split("|")
"""The words around what was not understood; also those of a doubt about a part of it."""
MISSING_TOOL = questions.no_tool()


def _offered() -> dict[str, tuple[str, FollowUp]]:
    """Return the tool that offers each step, and the step, by its text."""
    of_tools = {step.text: (spec.name, step) for spec in product_tools().specs() for step in spec.typical_followups}
    return of_tools | {step.text: ("", step) for step in (*GENERAL_FOLLOW_UPS, *RECORD_FOLLOW_UPS)}


@pytest.mark.parametrize(("offering", "step"), [pytest.param(*item, id=text) for text, item in _offered().items()])
def test_it_does_what_it_says(registry: ToolRegistry, offering: str, step: FollowUp) -> None:
    stage = Stage(registry, NOW)
    name = next((record for part, record in SUBJECTS.items() if part in offering), "Jack Russel")
    conversation = stage.say(f"Tell me about {name}")["conversationId"]
    if "activit" in offering or "meeting" in offering:
        stage.say(f"Schedule a call with {name} tomorrow", conversation)
    if offering == "draft_email":
        stage.say(f"Draft an email to {name}", conversation)
    if offering == "bulk_create_activities":
        stage.say(WARM, conversation)
    answer = stage.say(step.text.replace("{name}", name), conversation)
    assert not any(part in answer["response"] for part in NOT_UNDERSTOOD)
    assert MISSING_TOOL not in answer["response"]
    called = [call["name"] for call in answer["toolCalls"]]
    is_question = "?" in answer["response"].rstrip().rpartition("\n")[2]
    family = (step.tool or "").partition("_")[2]
    assert step.tool is None or step.tool in called or is_question or any(family in one for one in called), called


ROOT = Path(__file__).parents[2]
_EXAMPLES = (re.compile(r'make ask Q="([^"]+)"'), re.compile(r'"message": ?"([^"]+)"'))


def _written() -> Iterator[str]:
    """Yield the sentences that the help, the documents and the replies give as examples."""
    yield from (text for text in re.findall("“([^”]+)”", social.HELP) if text != "Tell me about")
    for file in (ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").glob("*.md"))):
        text = file.read_text(encoding="utf-8")
        yield from (matches for pattern in _EXAMPLES for matches in pattern.findall(text) if " " in matches)
    # In replies about what was not understood, in any language.
    yield "Schedule a call with Jack Russel tomorrow"
    yield "From now on keep your answers short"
    yield "create a lead called Gregory Alcott"
    yield "email Jack Russel that the quote is on its way"


@pytest.mark.parametrize("text", dict.fromkeys(_written()))
def test_a_written_example_is_understood(registry: ToolRegistry, text: str) -> None:
    stage = Stage(registry, NOW)
    conversation = stage.say("Tell me about Jack Russel")["conversationId"]
    reply = stage.say(text, conversation)["response"]
    assert not any(part in reply for part in NOT_UNDERSTOOD)
    assert questions.no_tool() not in reply


VIEWED, ADVISED = "Tell me about Jack Russel", "What should I do next with Jack Russel?"
ACCOUNT = "Create an account called Nordlys"
WARM, TWO_CALLS = "Show me my warm leads", "Create follow-up calls for Jack and Lars tomorrow at 10"
DRAFT, CALL, FOLLOW_UP = "new note Draft: .*", "new activity Call with Jack Russel", "new activity Follow up with {}"
SAID_IN_ITS_SITUATION: list[tuple[list[str], list[str], str]] = [
    ([VIEWED, "Show similar leads"], [], r"Most like \*\*Jack Russel"),
    ([VIEWED, "Send email"], [DRAFT], "draft for .*Shall I send it"),
    ([VIEWED, "Send email to Jack"], [DRAFT], "draft for .*Shall I send it"),
    ([VIEWED, "Show full details"], [], "First name: Jack.*Address: Chicago"),
    ([VIEWED, "View activities"], [], r"1 activity with \*\*Jack Russel.*First conversation"),
    ([VIEWED, "Show activities for Jack"], [], r"1 activity with \*\*Jack Russel"),
    ([VIEWED, "View related"], [], "On record: 1 note"),
    ([ACCOUNT, "Add a contact at Nordlys"], [], "name of the new contact at Nordlys"),
    ([ACCOUNT, "Create opportunity"], ["new opportunity Nordlys deal"], r"for \*\*Nordlys"),
    ([ACCOUNT, "Link to lead"], [], r"shall I link to \*\*Nordlys"),
    ([ACCOUNT, "Link to lead", "Jack Russel", "yes"], ["changed lead Jack Russel"], "Nordlys"),
    (["Link Jack Russel to XYZ Inc"], ["changed lead Jack Russel"], "linked .*XYZ Inc"),
    (["Schedule a call with Jack Russel tomorrow", "Mark as complete"], [f"changed {CALL[4:]}"], "completed"),
    (["What else can I help with?"], [], "Here is what I can do"),
    ([ADVISED, "Send email now"], [DRAFT], "Shall I send it"),
    ([ADVISED, "Schedule for later"], [FOLLOW_UP.format("Jack Russel")], "scheduled"),
    ([ADVISED, "Show more options"], [], "Jack Russel"),
    ([ADVISED, "do the first one", "yes"], [CALL], "schedule"),
    ([ADVISED, "ok, do it", "yes"], [CALL], "scheduled"),
    ([ADVISED, "Create the follow-up activity now"], [CALL], "scheduled"),
    ([WARM, TWO_CALLS, "Create activities for remaining leads"],
     [FOLLOW_UP.format(name) for name in ("Aaliyah Freeman", "Ingrid Halvorsen", "Viktor Petrescu")],
     "skipped .*Jack Russel.*Lars Eriksen.*Rafael Monteiro"),
    (["Show me my warm leads and create activities for the top 3", "Create activities for remaining leads"],
     [FOLLOW_UP.format(name) for name in ("Ingrid Halvorsen", "Viktor Petrescu")], "skipped .*Rafael Monteiro"),
    (["Create a contact Zed Alpha at ABC Corp", "Create a contact Zed Beta at XYZ Inc", "Call Zed", "Show all Zeds"],
     [], "Zed Alpha.*Zed Beta"),
    (["What is John's email?", "Show all Johns"], [], "John Brown.*John Doe.*John Smith"),
    (["View activity calendar"], [], "activities"),
    ([VIEWED, "Draft the email recap"], [DRAFT], "Recap"),
    ([VIEWED, "Schedule the meeting"], [], "When should the meeting"),
    ([VIEWED, "Schedule the meeting", "Friday at 2 pm"], ["new activity Meeting with Jack Russel"], "Mar 6 at 2:00"),
    (["Show Jack's full history"], [], "First conversation.*Awaiting callback"),
]  # fmt: skip
"""Messages of a conversation, what the last one changes, and a pattern of its reply (A-051 to A-063)."""


@pytest.mark.parametrize(
    ("messages", "changes", "says"),
    [pytest.param(*case, id=" > ".join(case[0][-2:])) for case in SAID_IN_ITS_SITUATION],
)
def test_a_phrase_of_a_situation_does_what_it_says(
    registry: ToolRegistry, messages: list[str], changes: list[str], says: str
) -> None:
    stage, conversation, before, answer = Stage(registry, NOW), None, {}, dict[str, Any]()
    for message in messages:
        before = stage.records.snapshot("demo")
        answer = stage.say(message, conversation)
        conversation = answer["conversationId"]
    after = stage.records.snapshot("demo")
    changed = sorted(
        f"{'changed' if key in before else 'new'} {record.TYPE} {record.display_name}"
        for key, record in after.items()
        if before.get(key) is not record
    )
    assert len(changed) == len(changes)
    assert all(matches(pattern, text) for pattern, text in zip(sorted(changes), changed, strict=True))
    assert before.keys() <= after.keys()
    assert matches(f"(?s){says}", answer["response"])


SITUATIONS: list[list[str]] = [
    ["Tell me about Noor Haddad"],
    ["Who is John?"],
    [WARM],
    [WARM, TWO_CALLS],
    ["Show me the deals closing this month"],
    ["What is on my plate today?"],
    ["What is overdue?"],
    [ADVISED],
    ["How does my pipeline look?"],
    ["analyse how my pipeline and goals are doing"],
    ["Run a scan for stale leads", "Which suggestions are waiting for me?"],
    ["which scan would make sense next?"],
    ["Are any jobs running in the background?"],
    ["Draft an email to Jack Russel", "make it shorter"],
    ["Invite Kenji Watanabe to a meeting on Thursday at 11"],
    ["Create a lead Tom Hardy at Acme"],
    ["Mark Jack Russel as qualified"],
    ["Convert Amara Okafor", "yes"],
    ["Add a note for Meridian Health: they are replacing their CIO"],
    ["Remind me on Friday to send the offer"],
    ["Create a goal: close 10 deals this quarter"],
    ["How do I handle objections about the price?"],
    ["Link John Brown to Redwood Media"],
    ["Delete the lead Colin MacAllister", "no"],
]
"""Messages of conversations after the last of which follow-ups are offered."""
_NO_ANSWER = (
    *NOT_UNDERSTOOD,
    MISSING_TOOL,
    policy.UNSURE,
    social.NOTHING_WAITS,
    "I couldn't find any",
    "I have no field",
)


@pytest.mark.parametrize("messages", SITUATIONS, ids=[" > ".join(messages) for messages in SITUATIONS])
def test_each_follow_up_of_an_answer_is_understood(registry: ToolRegistry, messages: list[str]) -> None:
    offered = [one["text"] for one in Stage(registry, NOW).converse(*messages)[-1]["followUps"]]
    assert len(offered) >= 2
    for text in offered:
        reply = Stage(registry, NOW).converse(*messages, text)[-1]["response"]
        assert not any(part in reply for part in _NO_ANSWER), (text, reply)


@pytest.mark.parametrize(
    ("messages", "tool"),
    [
        (["are there duplicate contacts?"], "run_scan"),
        (["what problems are in our data?"], "run_scan"),
        (["mark Jack Russel as lost", "cancel that"], "undo_last"),
        (["mark Jack Russel as lost", "mark Omar Benali as warm", "undo Jack Russel"], "undo_last"),
        (["a task for me tomorrow: load the truck"], "stickynotes"),
        (["Alice says Thandiwe Mokoena loved the prototype"], "create_note"),
        (["draft an email to Jack Russel that we ship on Monday"], "send_email"),
        (["draft an email to Jack Russel that we ship on Monday", "make it shorter"], "send_email"),
        (["draft an email to Jack Russel that we ship on Monday", "send it on Friday"], "create_activity"),
        (["Invite Kenji Watanabe to a meeting on Thursday at 11", "also invite Priya Nair"], "send_email"),
        (["Invite Kenji Watanabe to a meeting on Thursday at 11", "Add bob@demo.example to it"], "send_email"),
        (["add a lead Henrik Jørgensen at Skagen Furniture"], "create_lead"),
        (["create a deal for Zorgon Ltd, 5000"], "create_account"),
        (["what if I marked Santiago Quiroga as lost?"], "update_lead"),
        (["if she hasn't answered by Monday mark Camille Dubois as lost"], "create_activity"),
    ],
)
def test_a_yes_takes_up_what_was_offered(registry: ToolRegistry, messages: list[str], tool: str) -> None:
    *_, offer, taken_up = Stage(registry, NOW).converse(*messages, "yes")
    assert "Shall I" in offer["response"].rpartition("\n")[2]
    assert tool in [call["name"] for call in taken_up["toolCalls"]], taken_up["response"]
