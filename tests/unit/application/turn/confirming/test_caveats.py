"""A question says which values come from texts of others, and whose address gets an email."""

import json
from typing import Any

import pytest
from msgspec.structs import replace

from aisha.application.tooling.definition import Tool
from aisha.domain.crm.enumerations import ActivityType
from aisha.domain.crm.records import Activity, Lead, Note, Opportunity, Related
from aisha.domain.errors import UnavailableError
from aisha.domain.models import ModelRequest
from aisha.domain.tools import ToolSpec
from tests.fakes.models.scripted_model import ask
from tests.unit.application.conftest import World
from tests.unit.application.turn.confirming.office import IDS, JACK, add, with_ids

PLAN = "Invoices are settled by the office in Rotterdam"
ADDRESS = "other@abc.example"
WEB_TOOL = Tool(ToolSpec("read_web", "Read.", {}, {}, "http"), lambda: f"{PLAN}, {ADDRESS}")
MAIL = {"subject": "Prices", "body": "Here they are."}


@pytest.fixture
def reading(office: World) -> World:
    """Return a world in which a note, an activity, a lead and another system say the same."""
    text = f"{PLAN}, {ADDRESS}"
    about = Related(type="lead", id=IDS["lead"], name="Jack Russel")
    add(office, Note(content=text, related=about, owner="bob"))
    call = ActivityType.CALL
    add(office, Activity(title=text, activity_type=call, related=about, owner="alice"))
    IDS["other"] = add(office, Lead(last_name="Lee", company=text, owner="alice")).id
    office.deps = replace(office.deps, registry=office.deps.registry.with_tools([WEB_TOOL]))
    return office


def update(**fields: Any) -> list[Any]:
    return [ask("update_lead", lead_id=IDS["lead"], **fields)]


def question(world: World, *steps: Any, message: str = "thanks", conversation: str | None = None) -> str:
    return str(world.say(message, *steps, conversation=conversation)["confirmation"]["question"])


SOURCES = [
    ("list_notes", JACK, "a note"),
    ("list_activities", JACK, "an activity"),
    ("get_lead", {"lead_id": "@other"}, "a record"),
    ("read_web", {}, "another system"),
]


@pytest.mark.parametrize(("tool", "arguments", "source"), SOURCES)
@pytest.mark.parametrize(
    ("fields", "value"),
    [({"next_action": PLAN}, "next action"), ({"email": ADDRESS}, "email"), ({"next_action": f"To {ADDRESS}"}, "")],
)
def test_a_value_is_said_to_come_from_what_was_read(
    reading: World, tool: str, arguments: dict[str, Any], source: str, fields: dict[str, Any], value: str
) -> None:
    asked = question(reading, [ask(tool, **with_ids(arguments))], update(**fields))
    assert f"The {value or 'next action'} comes from {source}." in asked


@pytest.mark.parametrize(("passage", "is_marked"), [("Elevenwords", False), ("Twelvewordss", True)])
def test_a_passage_of_twelve_letters_is_no_coincidence(office: World, passage: str, is_marked: bool) -> None:
    tool = Tool(ToolSpec("read_web", "Read.", {}, {}, "http"), lambda: f"So: {passage} it is.")
    office.deps = replace(office.deps, registry=office.deps.registry.with_tools([tool]))
    asked = question(office, [ask("read_web")], update(next_action=passage))
    assert ("The next action comes from another system." in asked) == is_marked


def test_several_values_come(reading: World) -> None:
    meeting = [ask("schedule_meeting", attendees=[PLAN], date="tomorrow at 3pm")]
    assert "The attendees come from another system." in question(reading, [ask("read_web")], meeting)


def test_two_values_of_one_text_are_told_in_one_sentence(reading: World) -> None:
    asked = question(reading, [ask("list_notes", **with_ids(JACK))], update(next_action=PLAN, email=ADDRESS))
    assert "The next action and the email come from a note." in asked


def test_what_the_assistant_itself_has_written_in_the_turn_comes_from_no_text_of_others(reading: World) -> None:
    def mail_of_draft(request: ModelRequest) -> list[Any]:
        draft = json.loads(request.messages[-1].content)
        return [ask("send_email", **with_ids(JACK), subject=draft["subject"], body=draft["body"])]

    draft = [ask("draft_email", **with_ids(JACK), purpose="thank him for the meeting")]
    message = "Draft an email to Jack Russel: thank him for the meeting"
    answer = reading.say(message, draft, mail_of_draft)
    assert [call["status"] for call in answer["toolCalls"]] == ["executed", "pending"]
    assert " from " not in answer["confirmation"]["question"]


@pytest.mark.parametrize(
    ("message", "fields"),
    [
        (f"Hm, {PLAN.upper()}. thanks", {"next_action": PLAN}),
        (f"Hm, {ADDRESS}. thanks", {"email": ADDRESS}),
        ("thanks", {"next_action": "Rotterdam"}),
        ("thanks", {"next_action": "Call him on Friday about the offer"}),
    ],
)
def test_what_the_user_wrote_what_is_short_and_what_nobody_wrote_is_not_marked(
    reading: World, message: str, fields: dict[str, Any]
) -> None:
    assert " from " not in question(reading, [ask("read_web")], update(**fields), message=message)


def test_what_the_user_wrote_earlier_is_not_marked(reading: World) -> None:
    before = reading.say(f"So: {PLAN}", "I see.")["conversationId"]
    asked = question(reading, [ask("read_web")], update(next_action=PLAN), conversation=before)
    assert " from " not in asked


def test_what_an_assistant_said_earlier_is_what_was_read(reading: World) -> None:
    before = reading.say("What is new?", f"{PLAN}.")["conversationId"]
    asked = question(reading, update(next_action=PLAN), conversation=before)
    assert "The next action comes from what I read earlier in this conversation." in asked


@pytest.mark.parametrize("role", ["user", "assistant"])
def test_what_the_app_sent_as_earlier_messages_is_what_was_read(reading: World, role: str) -> None:
    messages = [{"role": role, "content": PLAN}, {"role": "user", "content": "thanks"}]
    answer = reading.say("thanks", update(next_action=PLAN), messages=messages)
    assert "comes from what I read earlier in this conversation." in answer["confirmation"]["question"]


def test_an_unknown_address_is_marked_only_after_something_was_read(reading: World) -> None:
    assert " from " not in question(reading, update(email="new@abc.example"))
    asked = question(reading, [ask("get_lead", lead_id=IDS["lead"])], update(email="new@abc.example"))
    assert "The email comes from what I have read, not from your messages." in asked


def test_the_id_of_a_record_is_no_text(reading: World) -> None:
    read = [ask("get_lead", lead_id=IDS["lead"])]
    assert " from " not in question(reading, read, [ask("delete_lead", lead_id=IDS["lead"])])


def mail(**arguments: Any) -> list[Any]:
    return [ask("send_email", **MAIL, **arguments)]


def test_the_recipient_out_of_a_text_is_marked_and_another_one_is_not(reading: World) -> None:
    read = [ask("read_web")]
    assert "The address comes from another system." in question(reading, read, mail(to=ADDRESS))
    assert " from " not in question(reading, read, mail(to="new@abc.example"))


@pytest.mark.parametrize(
    ("linked", "address"),
    [
        ({"contact_id": "@contact", "lead_id": "@lead"}, "ann@abc.example"),
        ({"lead_id": "@lead"}, "jack@abc.example"),
    ],
)
def test_an_email_about_a_deal_goes_to_its_person(office: World, linked: dict[str, Any], address: str) -> None:
    deal = add(office, Opportunity(name="Renewal", owner="alice", **with_ids(linked)))
    answer = office.say("Email them", mail(entity_type="opportunity", entity_id=deal.id))
    assert answer["confirmation"]["arguments"]["to"] == address


@pytest.mark.parametrize("arguments", [JACK, {"to": "jack@abc.example"}, {**JACK, "to": "new@abc.example"}])
def test_an_email_goes_to_the_address_that_was_said_or_else_to_the_one_on_record(
    office: World, arguments: dict[str, Any]
) -> None:
    answer = office.say("Email Jack", mail(**with_ids(arguments)))
    assert answer["confirmation"]["arguments"]["to"] == arguments.get("to", "jack@abc.example")


def test_without_an_address_on_record_none_is_shown(office: World) -> None:
    office.add_deal(name="Lonely", owner="alice")
    for kind in ("account", "activity"):
        deletion = office.say("Hm", [ask(f"delete_{kind}", **{f"{kind}_id": IDS[kind]})])
        assert "to" not in deletion["confirmation"]["arguments"]


NEW = "was put on the record by the assistant within the last day"


def test_an_address_that_the_assistant_put_on_a_record_is_said_to_be_new(office: World) -> None:
    office.say(f"Set the email of Jack Russel to {ADDRESS}", update(email=ADDRESS), "Done.")
    office.say("Set the company of Jack Russel to Acme", update(company="Acme"), "Done.")
    assert f"The address {ADDRESS.upper()} {NEW}." in question(office, mail(to=ADDRESS.upper()))
    assert NEW not in question(office, mail(to="ann@abc.example"))


def test_each_of_several_new_addresses_is_said_to_be_new(office: World) -> None:
    for address in (ADDRESS, "second@abc.example"):
        office.say(f"Set the email of Jack Russel to {address}", update(email=address), "Done.")
    assert NEW in question(office, mail(to=ADDRESS))
    assert NEW in question(office, mail(to="second@abc.example"))


def test_an_email_is_asked_about_while_the_store_of_receipts_does_not_answer(
    office: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: Any, **__: Any) -> None:
        raise UnavailableError("The store does not answer")

    monkeypatch.setattr(office.deps.entries, "page", fail)
    asked = question(office, mail(to=ADDRESS))
    assert asked.startswith(f"Shall I send this email to {ADDRESS}")
    assert NEW not in asked
