"""Fields that a team has of its own are asked for, searched, set and created in a conversation, and undone."""

import json
from collections.abc import Iterator
from datetime import timedelta
from typing import Any

import pytest

from aisha.domain.crm.queries import Update
from aisha.domain.crm.records import Lead, Record
from aisha.domain.entries import PROFILE
from tests.fakes.aws.api_gateway import assert_problem, call, caller, chat
from tests.fakes.world import ALICE, World
from tests.support.tenants.connected_office import CONNECTION, Office, connected_office

ADMIN = ALICE | {"roles": '["admin"]'}
FIELDS = [
    {"name": "region", "values": ["North", "South", "East"], "writable": True},
    {"name": "budget_band", "values": ["A", "B"], "writable": True},
    {"name": "fleet_size", "type": "number", "writable": True},
    {"name": "segment"},
    {"name": "credit_card"},
]


@pytest.fixture
def team(world: World, crm: dict[str, Record]) -> World:
    change = {"customFields": {"lead": FIELDS}, "version": 0}
    assert call("profile", "PATCH", "/api/ai/profile", ADMIN, json.dumps(change)).status == 200
    own = {"region": "South", "budget_band": "B", "segment": "gold"}
    world.add(
        "demo",
        *(
            Lead.model_validate({"first_name": "Ann", "last_name": name, "company": "Hooli", "custom": custom})
            for name, custom in (("Lee", {"region": "North", "budget_band": "A"}), ("Moss", {"region": "East"}))
        ),
    )
    world.records.write("demo", [Update("lead", crm["jack"].id, {"custom": own})])
    return world


def say(*messages: str) -> dict[str, Any]:
    answer: dict[str, Any] = {}
    for message in messages:
        conversation = {"conversationId": answer["conversationId"]} if answer else {}
        answer = chat({"message": message, **conversation}, ALICE).json
    return answer


def own_of(world: World, record: Record) -> dict[str, Any]:
    return world.records.get("demo", "lead", record.id).custom


def test_a_field_is_set_by_its_name_and_the_others_stay(team: World, crm: dict[str, Record]) -> None:
    answer = say("Set Jack Russel's region to North")
    assert answer["status"] == "completed"
    assert "region is now **North**" in answer["response"]
    assert own_of(team, crm["jack"]) == {"region": "North", "budget_band": "B", "segment": "gold"}


def test_a_change_of_it_is_taken_back(team: World, crm: dict[str, Record]) -> None:
    say("Set Jack Russel's region to North", "Undo that")
    assert own_of(team, crm["jack"])["region"] == "South"


@pytest.mark.parametrize(
    ("question", "included", "excluded"),
    [
        ("Show me leads with budget band A", {"Ann Lee"}, {"Jack Russel", "Ann Moss"}),
        ("Which leads are in the South region?", {"Jack Russel"}, {"Ann Lee", "Ann Moss"}),
        ("leads in region North or South", {"Ann Lee", "Jack Russel"}, {"Ann Moss"}),
        ("leads not in region North", {"Jack Russel", "Ann Moss"}, {"Ann Lee"}),
        ("leads without a budget band", {"Ann Moss", "Jane Doe"}, {"Jack Russel", "Ann Lee"}),
    ],
)
def test_leads_are_found_by_it(team: World, question: str, included: set[str], excluded: set[str]) -> None:
    reply = say(question)["response"]
    assert {name for name in included | excluded if name in reply} == included


def test_it_is_told_when_asked_for_and_with_the_record(team: World) -> None:
    assert "**B**" in say("What is Jack Russel's budget band?")["response"]
    assert "Region: South" in say("Show me Jack Russel")["response"]
    assert "no fleet size on record" in say("What is Jack Russel's fleet size?")["response"]


def test_a_new_lead_has_it(team: World) -> None:
    say("Create a lead Sam Pole at Initech, region North, budget band A")
    reply = say("Show me leads with budget band A")["response"]
    assert "Sam Pole" in reply


def test_a_value_that_it_can_not_have_is_refused_with_its_values(team: World, crm: dict[str, Record]) -> None:
    answer = say("Set Jack Russel's region to Mars")
    assert "North, South or East" in answer["response"]
    assert own_of(team, crm["jack"])["region"] == "South"


def test_a_field_that_is_not_writable_is_read_alone(team: World, crm: dict[str, Record]) -> None:
    answer = say("Set Jack Russel's segment to silver")
    assert "I can read the segment and not change it" in answer["response"]
    assert own_of(team, crm["jack"])["segment"] == "gold"
    body = json.dumps({"segment": "silver"})
    result = call("crm", "PATCH", f"/api/crm/lead/{crm['jack'].id}", ALICE, body, headers={"If-Match": "*"})
    assert_problem(result, 422, "invalid_input", "/segment")


def test_clients_and_models_get_it_as_a_parameter_and_other_tenants_do_not(team: World) -> None:
    def parameters(tool: str, user: dict[str, Any]) -> dict[str, Any]:
        items = call("tools", "GET", "/api/ai/tools", user).json["items"]
        return next(one["parameters"]["properties"] for one in items if one["name"] == tool)

    assert parameters("update_lead", ALICE)["region"]["enum"] == ["North", "South", "East"]
    assert "segment" in parameters("search_leads", ALICE)
    assert "segment" not in parameters("update_lead", ALICE)
    assert "credit_card" not in parameters("search_leads", ALICE), "a search by a sensitive field would tell it"
    assert "region" not in parameters("update_contact", ALICE)
    assert "region" not in parameters("update_lead", caller("rival", "alice"))


def test_the_profile_lists_them_and_refuses_names_that_are_taken(team: World) -> None:
    listed = call("profile", "GET", "/api/ai/profile", ALICE).json["customFields"]["lead"]
    assert [one["name"] for one in listed] == ["region", "budget_band", "fleet_size", "segment"]
    wrong = {"customFields": {"lead": [{"name": "status"}]}, "version": 1}
    body = assert_problem(
        call("profile", "PATCH", "/api/ai/profile", ADMIN, json.dumps(wrong)),
        422,
        "invalid_input",
        "/customFields/lead/0/name",
    )
    assert "is a field that all teams have" in body["detail"]


def test_admins_get_the_declared_fields_for_a_change_apart_from_those_of_the_crm(connected: Office) -> None:
    change = {"customFields": {"lead": [{"name": "segment"}]}, "version": 1}
    body = call("profile", "PATCH", "/api/ai/profile", ADMIN, json.dumps(change)).json
    assert [one["name"] for one in body["admin"]["customFields"]["lead"]] == ["segment"]
    assert {one["name"] for one in body["customFields"]["lead"]} == {"region", "budget_band", "segment"}


def test_a_damaged_declaration_is_passed_over(team: World) -> None:
    team.entries.put(
        "demo", None, PROFILE, PROFILE, {"custom_fields": {"lead": [{"name": "No name"}, FIELDS[0]], "deal": 7}}
    )
    team.clock.advance(timedelta(minutes=2))
    assert "Jack Russel" in say("leads in region South")["response"]


@pytest.fixture
def connected(monkeypatch: pytest.MonkeyPatch) -> Iterator[Office]:
    own = {
        "custom.region": {"at": "region_c", "values": {"North": "n", "South": "s"}},
        "custom.budget_band": {"at": "band_c", "read_only": True},
    }
    monkeypatch.setitem(CONNECTION, "fields", {"lead": own})
    with connected_office() as office:
        yield office


def of_jack(office: Office) -> dict[str, Any]:
    return next(one for one in office.hubspot.all("contacts") if one["firstname"] == "Jack")


def test_a_field_of_the_teams_crm_is_set_there_found_and_taken_back(connected: Office) -> None:
    connected.hubspot.add(
        "contacts", firstname="Ann", lastname="Lee", lifecyclestage="lead", region_c="n", band_c="A"
    )  # fmt: skip
    connected.sync()
    assert "region is now **South**" in connected.say("Set Jack Russel's region to South")
    assert of_jack(connected)["region_c"] == "s"
    reply = connected.say("Show me leads in region South")
    assert "Jack Russel" in reply
    assert "Ann Lee" not in reply
    assert "Ann Lee" in connected.say("leads with budget band A")
    connected.say("Set Jack Russel's region to North")
    connected.say("Undo that")
    assert of_jack(connected)["region_c"] == "s"


def test_a_field_that_the_mapping_does_not_write_is_read_alone(connected: Office) -> None:
    assert "I can read the budget band and not change it" in connected.say("Set Jack Russel's budget band to B")
    assert "band_c" not in of_jack(connected)
