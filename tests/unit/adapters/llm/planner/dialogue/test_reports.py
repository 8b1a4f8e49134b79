"""Reports of users, as one says them after a visit: every order in them is done or asked about, and nothing else."""

from typing import Any

import pytest

from aisha.domain.crm.records import Note
from tests.support.dialogue.conversations import NOW, Stage
from tests.support.tenants.desk import REGISTRY


def field(stage: Stage, reference: str, name: str) -> Any:
    kind = reference[1:].partition(":")[0]
    return getattr(stage.records.get("demo", kind, stage.id_of(reference)), name)


@pytest.mark.parametrize(
    ("message", "record", "expected"),
    [
        ("kenji watanabe is qualified now and give him to bob", "@lead:Kenji Watanabe", ("qualified", "bob")),
        ("priya nair is contacted now, assign her to bob", "@lead:Priya Nair", ("contacted", "bob")),
    ],
)
def test_a_value_told_before_an_order_on_another_field_is_written_too(
    message: str, record: str, expected: tuple[str, str]
) -> None:
    stage = Stage(REGISTRY, NOW)
    stage.say(message)
    assert (field(stage, record, "status"), field(stage, record, "owner")) == expected


@pytest.mark.parametrize(
    "message",
    [
        "blue harbor fleet tracking moved to proposal, also log a call with nina kowalski",
        "move blue harbor fleet tracking to proposal and log a meeting with nina kowalski",
    ],
)
def test_an_order_before_a_log_is_not_lost(message: str) -> None:
    stage = Stage(REGISTRY, NOW)
    before = stage.counts()["activity"]
    stage.converse(message, "yes")
    assert field(stage, "@opportunity:Blue Harbor Fleet Tracking", "stage") == "proposal"
    assert stage.counts()["activity"] == before + 1


def test_what_was_done_beside_another_write_is_not_said_to_be_left() -> None:
    stage = Stage(REGISTRY, NOW)
    before = stage.counts()["note"]
    answer = stage.say("just got out of redwood, mark it won and put a note that they want kickoff in april")
    assert "haven't done" not in answer["response"]
    assert "I've added the note to **Redwood Media Expansion**" in answer["response"]
    assert stage.counts()["note"] == before + 1


@pytest.mark.parametrize(
    ("message", "deal", "expected"),
    [
        ("I closed Redwood! 120k", "Redwood Media Expansion", ("closed_won", 120_000)),
        ("ok lost the falcon deal they went with a competitor", "Falcon Aerospace Training Package", "closed_lost"),
        ("finally landed the willow creek license", "Willow Creek Schools Annual License", "closed_won"),
        ("we won helios field service and note they want training", "Helios Solar Field Service", "closed_won"),
    ],
)
def test_a_reported_win_or_loss_is_asked_about_and_then_written(message: str, deal: str, expected: Any) -> None:
    stage = Stage(REGISTRY, NOW)
    stage_before = field(stage, f"@opportunity:{deal}", "stage")
    asked = stage.say(message)
    assert asked["status"] == "needs_confirmation"
    assert field(stage, f"@opportunity:{deal}", "stage") == stage_before
    stage.say("yes", asked["conversationId"])
    stored = field(stage, f"@opportunity:{deal}", "stage")
    assert expected in (stored, (stored, field(stage, f"@opportunity:{deal}", "amount")))


@pytest.mark.parametrize("message", ["i lost my keys at redwood", "did we win redwood?", "lost john doe's number"])
def test_what_tells_no_outcome_of_a_deal_changes_none(message: str) -> None:
    assert Stage(REGISTRY, NOW).say(message)["status"] == "completed"


@pytest.mark.parametrize(
    ("report", "order"),
    [
        ("nobody picked up at orchard", "add a note"),
        ("had coffee with yasmin karimi she mentioned theyre switching banks", "add that to her notes"),
        ("had lunch with sanjay gupta he says budget is frozen till june", "write that down for me please"),
        ("spoke with wei zhang she wants a demo", "note that down and call her friday"),
    ],
)
def test_an_order_to_note_that_means_what_was_just_reported(report: str, order: str) -> None:
    stage = Stage(REGISTRY, NOW)
    before = stage.counts()["note"]
    answer = stage.converse(report, order)[-1]
    if answer["status"] == "needs_confirmation":
        stage.say("yes", answer["conversationId"])
    assert stage.counts()["note"] == before + 1
    notes = [one for one in stage.records.snapshot("demo").values() if isinstance(one, Note)]
    assert report in [one.content for one in notes]


@pytest.mark.parametrize(
    "message",
    [
        "I didnt get to call jack russel yesterday",
        "havent reached omar benali yet",
        "i did not send the quote to wei zhang",
    ],
)
def test_what_was_not_done_is_news(message: str) -> None:
    assert "Shall I add that as a note to" in Stage(REGISTRY, NOW).say(message)["response"]


def test_what_was_not_done_takes_no_order_back() -> None:
    stage = Stage(REGISTRY, NOW)
    stage.converse("mark kenji watanabe as lost, i havent sent him the deck though", "yes")
    assert field(stage, "@lead:Kenji Watanabe", "status") == "lost"


@pytest.mark.parametrize("denial", ["no i didnt mean him", "dont do it", "i didnt want that for him"])
def test_an_order_that_is_taken_back_is_not_carried_out(denial: str) -> None:
    stage = Stage(REGISTRY, NOW)
    before = field(stage, "@lead:Kenji Watanabe", "status")
    stage.say(f"mark kenji watanabe as lost. {denial}")
    assert field(stage, "@lead:Kenji Watanabe", "status") == before


@pytest.mark.parametrize(
    ("message", "record", "expected"),
    [
        ("change amara okafors status to contacted no sorry qualified", "@lead:Amara Okafor", "qualified"),
        ("set jack russel to contacted no wait qualified", "@lead:Jack Russel", "qualified"),
        ("mark kenji watanabe as contacted sorry no lost", "@lead:Kenji Watanabe", "lost"),
    ],
)
def test_a_correction_needs_no_pause(message: str, record: str, expected: str) -> None:
    stage = Stage(REGISTRY, NOW)
    stage.converse(message, "yes")
    assert field(stage, record, "status") == expected


@pytest.mark.parametrize("message", ["log a call with nina kowalski today", "log todays meeting with john smith"])
def test_what_is_logged_for_today_has_taken_place(message: str) -> None:
    assert "as completed, today at" in Stage(REGISTRY, NOW).say(message)["response"]


@pytest.mark.parametrize(
    "message",
    [
        "create a task for bob to send the contract to meridian by friday",
        "task for bob call silverline about the renewal tomorrow",
    ],
)
def test_a_task_for_a_colleague_is_about_the_record_in_it(message: str) -> None:
    stage = Stage(REGISTRY, NOW)
    known = stage.records.snapshot("demo")
    answer = stage.say(message)
    if answer["status"] == "needs_confirmation":
        stage.say("yes", answer["conversationId"])
    made = [one for key, one in stage.records.snapshot("demo").items() if key not in known]
    assert [(one.TYPE, one.owner) for one in made] == [("activity", "bob")]


def test_another_one_is_no_copy_of_the_last() -> None:
    stage = Stage(REGISTRY, NOW)
    first = stage.say("book a demo with ingrid halvorsen friday at 3")
    before = stage.counts()["activity"]
    answer = stage.say("and another one the week after", first["conversationId"])
    assert answer["response"].endswith("When should the next one be?")
    assert stage.counts()["activity"] == before


def test_the_next_one_is_of_the_type_of_the_last() -> None:
    stage = Stage(REGISTRY, NOW)
    answer = stage.converse("finished the call with rafael mark it done", "book the next one for tuesday 2pm")[-1]
    assert "a call with Rafael Monteiro" in answer["response"] or "Call with Rafael Monteiro" in answer["response"]


@pytest.mark.parametrize("order", ["also move it to negotiation", "no wait put it back to negotiation", "mark it won"])
def test_it_is_no_deal_that_nobody_spoke_of(order: str) -> None:
    stage = Stage(REGISTRY, NOW)
    answer = stage.converse("log a call with nina kowalski this morning", order)[-1]
    assert answer["status"] == "needs_confirmation"
    assert field(stage, "@opportunity:Falcon Aerospace Training Package", "stage") == "proposal"


@pytest.mark.parametrize(
    ("message", "name"),
    [
        ("whats the email of fatima al rashid", "Fatima Al-Rashid"),
        ("had a chat with hye jin park shes keen", "Hye-jin Park"),
        ("call patrick o shaughnessy tomorrow at 9", "Patrick O'Shaughnessy"),
        ("set liam gallagher byrne to contacted", "Liam Gallagher-Byrne"),
    ],
)
def test_a_name_is_found_without_its_hyphen_or_apostrophe(message: str, name: str) -> None:
    assert name in Stage(REGISTRY, NOW).say(message)["response"]


@pytest.mark.parametrize(
    ("message", "told"),
    [
        (
            "met with falcon today and set the close date to june 30",
            "**Falcon Aerospace Training Package**: close date",
        ),
        ("called orchard today and set the health to at risk", "**Orchard Fresh Markets**: health"),
    ],
)
def test_the_field_tells_which_record_of_a_customer_changes(message: str, told: str) -> None:
    assert told in Stage(REGISTRY, NOW).say(message)["response"]


@pytest.mark.parametrize(
    "message",
    [
        "calling kofi mensah in 2 min what's his number",
        "i'm seeing nina kowalski tomorrow at 3 what's her title",
        "phoning lars eriksen at 4, and what's on my calendar today",
        "demoing for john smith tomorrow at 2",
    ],
)
def test_what_the_user_is_about_to_do_plans_nothing(message: str) -> None:
    stage = Stage(REGISTRY, NOW)
    before = stage.counts()
    answer = stage.say(message)
    assert stage.counts() == before
    assert answer["status"] == "completed"


@pytest.mark.parametrize(
    ("message", "person"),
    [
        ("ok just left blue harbor divya was in a good mood note that she wants it live by june", "Divya Krishnan"),
        ("i was at meridian sanjay wants a second demo so put that in for the 12th at 11", "Sanjay Gupta"),
        ("jot down that tamara is on leave until april", "Tamara Novak"),
    ],
)
def test_a_person_named_without_a_pause_after_the_company_is_the_one_meant(message: str, person: str) -> None:
    answer = Stage(REGISTRY, NOW).say(message)
    assert person in answer["response"]
    assert answer["status"] == "completed"


def test_a_company_named_before_an_order_tells_which_of_several_deals_is_meant() -> None:
    stage = Stage(REGISTRY, NOW)
    message = "just met paloma at stonebridge, so push the rollout close date to end of april and note legal likes it"
    stage.converse(message, "yes")
    assert str(field(stage, "@opportunity:Stonebridge Legal Platform Rollout", "close_date")) == "2026-04-30"


@pytest.mark.parametrize(
    ("message", "deal", "expected"),
    [
        ("met kofi from helios, set the field service to forty k", "Helios Solar Field Service", {"amount": "40000"}),
        (
            "was at stonebridge with paloma, bump the training package to 30k and move it to proposal",
            "Stonebridge Legal Training Package",
            {"amount": "30000", "stage": "proposal"},
        ),
        (
            "saw divya today. set the fleet tracking to 66k and move it to proposal",
            "Blue Harbor Fleet Tracking",
            {"amount": "66000", "stage": "proposal"},
        ),
    ],
)
def test_an_order_on_what_is_described_changes_the_deal_and_not_the_person_met(
    message: str, deal: str, expected: dict[str, str]
) -> None:
    stage = Stage(REGISTRY, NOW)
    stage.converse(message, "yes", "yes")
    assert {name: str(field(stage, f"@opportunity:{deal}", name)) for name in expected} == expected
