"""Orders to delete records, and to undo a change."""

import pytest

from tests.support.dialogue.conversations import NOW, Stage
from tests.support.dialogue.planner import demo_desk, question_of, ref, run, topic_of
from tests.support.tenants.desk import REGISTRY


def test_a_record_is_deleted_by_its_name() -> None:
    desk = demo_desk()
    lead = ref(desk, "lead", "Nadia Rahman")
    assert run("delete: get rid of {name:Nadia Rahman}", desk).arguments("delete_lead") == {"lead_id": lead.id}


def test_records_are_deleted_and_converted_one_at_a_time() -> None:
    for order in ("delete: delete", "convert: convert"):
        played = run(f"{order} {{name:Nadia Rahman}} and {{name:Priya Nair}}")
        assert not {"delete_lead", "convert_lead"} & set(played.tools)
        assert "one record at a time" in played.text


@pytest.mark.parametrize(
    "line",
    [
        "delete: get rid of all {owner:bob}'s {value:stale} opportunities",
        "delete: delete leads with {field:score} under {value:20}",
        "delete: remove every contact at {org:ABC Corp}",
        "delete: wipe the leads from {value:Chicago}",
    ],
)
def test_a_group_is_not_deleted_and_its_company_neither(line: str) -> None:
    played = run(line)
    assert not [tool for tool in played.tools if tool.startswith("delete_")]
    assert "whole groups" in played.text


@pytest.mark.parametrize("who", ["contact", "lead"])
def test_a_company_is_not_deleted_for_who_works_there(who: str) -> None:
    played = run(f"delete: delete the {who} at {{name:XYZ Inc}}")
    assert "delete_account" not in played.tools
    assert "name" in played.text


def test_a_field_is_not_emptied_and_its_record_not_deleted() -> None:
    assert run("delete: delete the {field:phone} of {name:Jack Russel}").tools == []


def test_the_last_note_on_a_record_is_the_newest() -> None:
    desk = demo_desk()
    newest = desk.do("list_notes", entity_type="lead", entity_id=ref(desk, "lead", "Jack Russel").id)["items"][0]
    played = run("delete: delete the last note on {name:Jack Russel}", desk)
    assert played.arguments("delete_note") == {"note_id": newest["id"]}


def test_of_several_notes_it_is_asked_which() -> None:
    desk = demo_desk()
    about = ref(desk, "lead", "Nadia Rahman").id
    notes = {desk.put("note", content=content, about=about) for content in ("One", "Two")}
    played = run("delete: delete the note on {name:Nadia Rahman}", desk)
    assert "delete_note" not in played.tools
    assert notes <= {one.id for one in question_of(played).candidates}


def test_a_note_is_found_by_its_topic() -> None:
    desk = demo_desk()
    note = desk.put("note", content="The boiler is loud", about=ref(desk, "lead", "Jack Russel").id)
    assert run("delete: bin the note about {topic:the boiler}", desk).arguments("delete_note") == {"note_id": note}


def test_an_activity_is_deleted_not_the_person_it_is_with() -> None:
    desk = demo_desk()
    lead = ref(desk, "lead", "Nadia Rahman")
    call = desk.do(
        "create_activity",
        entity_type="lead",
        entity_id=lead.id,
        title="Ring",
        activity_type="call",
        due_date="2026-03-05T09:00",
    )
    played = run("delete: delete the call with {name:Nadia Rahman}", desk)
    assert played.arguments("delete_activity") == {"activity_id": call["record"]["id"]}


def test_undo_tells_what_was_taken_back() -> None:
    desk = demo_desk()
    run("update_record: mark {name:Jack Russel} as {value:lost}", desk)
    assert (
        run("undo: undo that", desk).text == "I've taken that back: the status of **Jack Russel** is back to **warm**."
    )
    run("create_record: lead {new:Ana Ruiz}", desk)
    assert run("undo: undo that", desk).text == "I've taken that back: **Ana Ruiz** is gone again."


def test_undo_of_another_record_than_the_last_one_asks_first() -> None:
    desk = demo_desk()
    topic = topic_of(desk, "lead", "Jack Russel", "You just updated **Jack Russel**.")
    played = run("undo: undo the update on {name:Priya Nair}", desk, topic)
    assert played.tools == []
    assert question_of(played).offers == ("undo that",)


def test_undo_by_a_name_is_in_doubt_when_the_last_change_is_not_known() -> None:
    played = run("undo: bring {name:Priya Nair} back")
    assert played.calls[-1].doubt == "I can only take back the last change"


@pytest.mark.parametrize(
    ("message", "name"),
    [
        ("Kofi left Helios, can you take him out", "Kofi Mensah"),
        ("Divya left Blue Harbor. Delete her.", "Divya Krishnan"),
    ],
)
def test_a_pronoun_of_a_person_deletes_no_company_beside_them(message: str, name: str) -> None:
    assert f"delete the contact **{name}**" in Stage(REGISTRY, NOW).say(message)["response"]
