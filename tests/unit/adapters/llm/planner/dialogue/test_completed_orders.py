import pytest

from tests.support.dialogue.conversations import NOW, Stage
from tests.support.tenants.desk import REGISTRY


def _writes(*lines: str) -> list[tuple[str, dict[str, object]]]:
    """Return the writes of a conversation, also those that wait for a yes, without the ids of their records."""
    conversation, cid, calls = Stage(REGISTRY, NOW, "alice", "demo"), None, []
    for line in lines:
        answer = conversation.say(line, cid)
        cid = answer["conversationId"]
        calls += answer["toolCalls"]
    return [
        (one["name"], {name: value for name, value in one["arguments"].items() if not name.endswith("_id")})
        for one in calls
        if one["name"].startswith(("create", "update", "advance", "delete"))
    ]


@pytest.mark.parametrize(
    ("line", "values"),
    [
        (
            "Tamara Novak is Director of Nursing now so can you change her job title",
            {"job_title": "Director of Nursing"},
        ),
        ("New direct line for Sanjay Gupta: +1 385 555 0199. Update his record.", {"phone": "+1 385 555 0199"}),
    ],
)
def test_an_order_for_what_was_told_sets_it(line: str, values: dict[str, object]) -> None:
    assert _writes(line) == [("update_contact", values)]


def test_a_correction_that_leaves_a_field_alone_does_not_change_it() -> None:
    line = "Set the ABC pilot to 56,000. No, leave the amount as is, it's the close date that changes: June 5."
    assert _writes(line) == [("update_opportunity", {"close_date": "2026-06-05"})]


def test_the_company_of_a_correction_is_that_of_the_record_just_made() -> None:
    lines = ("new lead Gordon Pell from Pell Marine", "Correction, the company is Pell Marine Services.")
    assert _writes(*lines)[-1] == ("update_lead", {"company": "Pell Marine Services"})


def test_sentences_after_an_order_for_a_record_are_its_details() -> None:
    line = (
        "Please set up a new account. It's Cotswold Pantry. They're a prospect, industry's Food and Beverage, 60 staff."
    )
    values = {"company_name": "Cotswold Pantry", "industry": "Food and Beverage", "employee_count": 60}
    values |= {"type": "prospect"}
    assert _writes(line) == [("create_account", values)]


@pytest.mark.parametrize(
    ("line", "values"),
    [
        (
            "Set up Brenner Lifts as a new account. They are a vendor in manufacturing with 220 employees.",
            {"company_name": "Brenner Lifts", "type": "vendor", "industry": "manufacturing", "employee_count": 220},
        ),
        (
            "New deal for Helios Solar: Inverter Swap, 18k. It's in proposal and closes on May 4.",
            {"name": "Inverter Swap", "amount": 18000, "stage": "proposal", "close_date": "2026-05-04"},
        ),
        (
            "add a lead, Mona Petersen at Petersen Kayaks. worth maybe 12k, mona@petersenkayaks.example",
            {
                "first_name": "Mona",
                "last_name": "Petersen",
                "company": "Petersen Kayaks",
                "estimated_value": 12000,
                "email": "mona@petersenkayaks.example",
            },
        ),
    ],
)
def test_details_without_a_verb_of_orders_are_those_of_the_record(line: str, values: dict[str, object]) -> None:
    ((_, written),) = _writes(line)
    assert values.items() <= written.items()


@pytest.mark.parametrize(
    "clause",
    [
        ". Lucia Ferrari is the contact.",
        ", contact is Lucia Ferrari",
        ", with Lucia Ferrari as the contact",
        ". Lucia Ferrari will be our main contact there.",
    ],
)
def test_the_contact_said_of_a_new_deal_is_linked_and_no_other_is_made(clause: str) -> None:
    conversation = Stage(REGISTRY, NOW, "alice", "demo")
    answer = conversation.say(f"Create a deal for Cobalt Mining called Shaft Sensors, 30k{clause}", None)
    (written,) = [one["arguments"] for one in answer["toolCalls"] if one["name"].startswith("create")]
    contact = conversation.records.snapshot("demo")[written["contact_id"]]
    assert contact.display_name == "Lucia Ferrari"


@pytest.mark.parametrize("line", ["And a contact for it: Judith Ormerod", "add Judith Ormerod to them as a contact"])
def test_a_contact_for_the_account_spoken_of_is_linked_to_it(line: str) -> None:
    conversation = Stage(REGISTRY, NOW, "alice", "demo")
    made = conversation.say("Create the account Calder Valley Textiles, 60 ppl", None)
    answer = conversation.say(line, made["conversationId"])
    (written,) = [one["arguments"] for one in answer["toolCalls"] if one["name"] == "create_contact"]
    account = conversation.records.snapshot("demo")[written["account_id"]]
    assert (account.display_name, account.model_dump()["employee_count"]) == ("Calder Valley Textiles", 60)


@pytest.mark.parametrize("line", ["create it", "ok, add him then"])
def test_whom_nothing_finds_can_be_created_with_a_pronoun(line: str) -> None:
    ((tool, values),) = _writes("call Wendelin Pankratz tomorrow at 10", line)
    assert (tool, values["first_name"], values["last_name"]) == ("create_lead", "Wendelin", "Pankratz")


def test_the_priority_said_after_a_change_is_that_of_the_activity() -> None:
    line = "Move the call with Rafael Monteiro about the pilot to tomorrow at 4pm and make it high priority."
    assert _writes(line) == [("update_activity", {"due_date": "2026-03-05T16:00:00-05:00", "priority": "high"})]
    lines = ("Schedule a demo with Giorgio Conti, march 11, 4pm", "make it high priority")
    assert _writes(*lines)[-1] == ("update_activity", {"priority": "high"})


def test_an_account_becomes_a_customer_by_its_type() -> None:
    assert _writes("make the account Orchard Fresh Markets a customer") == [("update_account", {"type": "customer"})]


def test_a_channel_that_is_fine_stays_open() -> None:
    line = "Flag Thandiwe Mokoena as do not call please, email's still fine"
    assert _writes(line) == [("update_lead", {"do_not_call": True})]


def test_the_record_that_a_correction_keeps_is_not_deleted() -> None:
    line = "Please delete the lead Gabriela Fonseca – no, sorry, wrong lady, Gabriela stays –"
    line += " it's Olga Ivanenko that wants deleting."
    conversation = Stage(REGISTRY, NOW, "alice", "demo")
    assert "delete the lead **Olga Ivanenko**" in conversation.say(line, None)["response"]


@pytest.mark.parametrize("order", ["change that to 'send him the quote'", "set that to send him the quote"])
def test_an_order_after_a_question_for_a_field_changes_that_field(order: str) -> None:
    written = _writes("what's Jack Russel's next action", order)
    assert written == [("update_lead", {"next_action": "send him the quote"})]


@pytest.mark.parametrize(
    ("line", "text"),
    [
        ("jack russel's next action should be ring him on friday", "ring him on friday"),
        ("make jack russel's next action read visit the site", "visit the site"),
        ("set jack russel's next action to call him back tomorrow", "call him back tomorrow"),
    ],
)
def test_a_field_of_free_text_gets_all_the_words_said_for_it(line: str, text: str) -> None:
    assert _writes(line) == [("update_lead", {"next_action": text})]


def test_a_name_that_is_put_as_a_field_is_its_value() -> None:
    lines = ("show me the ABC Corp Pilot Project", "just put Chase signature as the next step.")
    assert _writes(*lines) == [("update_opportunity", {"next_step": "Chase signature"})]


def test_nothing_is_written_between_the_question_to_undo_and_its_yes() -> None:
    conversation = Stage(REGISTRY, NOW, "alice", "demo")
    cid = conversation.say("set Jack Russel's score to 60", None)["conversationId"]
    asked = conversation.say("no, I meant Lars Eriksen", cid)
    assert not any(one["name"] == "update_lead" for one in asked["toolCalls"])
    done = conversation.say("yes", cid)
    assert "Jack Russel is as it was before" in done["response"]


def test_a_name_that_is_spelt_out_is_the_name_that_was_said() -> None:
    ((tool, values),) = _writes("new lead Travis Holcomb, that's H O L C O M B, he runs Lone Star Fencing")
    assert (tool, values["first_name"], values["last_name"]) == ("create_lead", "Travis", "Holcomb")


def test_somebody_told_of_is_created_with_what_was_told() -> None:
    line = "Rohit Kulkarni has joined Silverline Bank as VP Treasury. Kindly create a contact for him."
    ((tool, values),) = _writes(line)
    assert (tool, values["last_name"], values["job_title"]) == ("create_contact", "Kulkarni", "VP Treasury")


def test_what_asks_for_a_reply_takes_nothing_back() -> None:
    lines = ("set the amount of the Redwood Media Expansion to 120k", "Please revert once done.")
    assert _writes(*lines) == [("update_opportunity", {"amount": 120_000})]


def test_the_priority_of_a_meeting_may_follow_it() -> None:
    line = "Schedule a meeting with Mohammed Siddiqui on March 12 at 11 am. Kindly fix it as high priority."
    ((tool, values),) = _writes(line)
    assert (tool, values["priority"]) == ("create_activity", "high")


def test_what_was_done_is_logged_with_the_sentence_before() -> None:
    ((tool, values),) = _writes("Had a meeting with Nina Kowalski yesterday at 3pm. Log it please.")
    assert (tool, values["status"], values["activity_type"]) == ("create_activity", "completed", "meeting")


@pytest.mark.parametrize(
    ("line", "values"),
    [
        (
            "Open a deal for Helios Solar and name it Roof Survey, it is 20k and closes in June",
            {"name": "Roof Survey", "amount": 20000, "close_date": "2026-06-30"},
        ),
        (
            "create an opportunity for ABC Corp - Spare Parts, 12k, at qualification, should close may 15",
            {"name": "Spare Parts", "amount": 12000, "stage": "qualification", "close_date": "2026-05-15"},
        ),
    ],
)
def test_a_new_deal_has_the_name_that_the_next_clause_gives_it(line: str, values: dict[str, object]) -> None:
    assert _writes(line) == [("create_opportunity", values)]


@pytest.mark.parametrize(
    ("line", "values"),
    [
        (
            "I met Bo Ek, purchasing manager at Norrland Steel. Add him as a lead.",
            {"first_name": "Bo", "last_name": "Ek", "job_title": "purchasing manager", "company": "Norrland Steel"},
        ),
        (
            "Yesterday I spoke to Tom Brandt. He is plant manager at Brandt Bikes. Please add him as a lead.",
            {"first_name": "Tom", "last_name": "Brandt", "job_title": "plant manager", "company": "Brandt Bikes"},
        ),
    ],
)
def test_a_new_person_has_the_name_and_the_job_told_before(line: str, values: dict[str, object]) -> None:
    assert _writes(line) == [("create_lead", values)]
