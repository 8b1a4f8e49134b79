"""Lists under a heading, fields asked for together, and remarks beside an ask, as users type them."""

from tests.support.dialogue.conversations import NOW, Stage
from tests.support.tenants.desk import REGISTRY


def said(stage: Stage, *lines: str) -> str:
    """Return the reply to the last of some lines of a conversation."""
    answer: dict[str, str] = {}
    for line in lines:
        answer = stage.say(line, answer.get("conversationId"))
    return answer["response"]


def test_each_item_of_a_list_is_carried_out() -> None:
    stage = Stage(REGISTRY, NOW)
    before = stage.counts()
    reply = said(
        stage,
        "Calls to schedule, all on Friday:\n09:00 Mateo Villanueva\n09:30 Siobhan Fitzgerald\n10:00 Jack Russel",
    )
    assert stage.counts() == before | {"activity": before["activity"] + 3}
    assert "9:30 AM" in reply


def test_several_new_leads_share_what_the_heading_says() -> None:
    stage = Stage(REGISTRY, NOW)
    reply = said(stage, "Two leads to enter, source website for each:\n1) Hollis Grant, Birchline\n2) Renata Sok, Deco")
    assert reply.count("Source: website") == 2


def test_a_list_of_fields_is_a_question_and_changes_nothing() -> None:
    stage = Stage(REGISTRY, NOW)
    reply = said(stage, "For Tidewater Foods return: account type, industry, website.")
    assert "vendor" in reply
    assert "tidewaterfoods.example" in reply
    assert "updated" not in reply


def test_records_owned_by_the_user_are_not_everybodys() -> None:
    assert "You have 13 open deals" in said(Stage(REGISTRY, NOW), "Number of open opportunities owned by me.")


def test_what_is_told_beside_a_value_is_no_name() -> None:
    stage = Stage(REGISTRY, NOW)
    reply = said(stage, "create a deal called Handover for XYZ Inc worth 10k", "make that 19.5k they caved")
    assert "$19,500" in reply
    assert "Caved" not in reply


def test_a_correction_gives_the_order_before_it_its_value() -> None:
    reply = said(Stage(REGISTRY, NOW), "Set Rafael Monteiro's score to 53. Correction, digits transposed: 35.")
    assert "**35**" in reply


def test_what_stays_as_it_is_takes_back_no_order_on_another_activity() -> None:
    reply = said(
        Stage(REGISTRY, NOW),
        "That overdue call with Rafael Monteiro can be marked as done. The check-in with him stays as it is.",
    )
    assert "as completed" in reply


def test_a_reminder_about_a_person_just_named_is_on_that_record() -> None:
    reply = said(Stage(REGISTRY, NOW), "Emeka Nwosu is away. Remind me next Wednesday at three to get back to him.")
    assert "for **Emeka Nwosu**" in reply


def test_reading_back_undoes_nothing() -> None:
    stage = Stage(REGISTRY, NOW)
    reply = said(stage, "set Redwood Media Expansion close date to june 12", "Read back the one for Redwood.")
    assert "Jun 12" in reply
    assert "undo" not in reply
