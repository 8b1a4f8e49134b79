"""Stages that a team has under names of its own in its CRM are asked for, set and shown by these names."""

from collections.abc import Iterator

import pytest

from tests.fakes.aws.api_gateway import call
from tests.fakes.systems import hubspot as fake
from tests.fakes.world import ALICE
from tests.support.tenants.connected_office import Office, connected_office

STAGES = [
    ("s1", "Discovery call", "0.2"),
    ("s2", "Technical fit", "0.4"),
    ("s3", "Legal review", "0.6"),
    ("s4", "Haggling", "0.6"),
    ("s5", "Signed", "1.0"),
    ("s6", "Walked away", "0.0"),
]


@pytest.fixture
def office(monkeypatch: pytest.MonkeyPatch) -> Iterator[Office]:
    monkeypatch.setattr(fake, "STAGES", STAGES)
    monkeypatch.setitem(fake.ENUMS, "deals", {"dealstage": [key for key, _, _ in STAGES]})
    with connected_office(stage="s1") as office:
        yield office


def stage(office: Office, name: str = "ABC renewal") -> str | None:
    return next(one["dealstage"] for one in office.hubspot.all("deals") if one["dealname"] == name)


def test_a_deal_is_moved_to_a_stage_by_the_teams_name(office: Office) -> None:
    office.say("Move ABC renewal to Legal review")
    assert stage(office) == "s3"


def test_a_stage_whose_name_may_be_a_colleagues_is_no_new_owner(office: Office) -> None:
    name = "Helios Solar Annual License"
    office.hubspot.add("deals", dealname=name, amount="900", dealstage="s1", hubspot_owner_id="71")
    office.sync()
    office.say(f"Move the {name} deal to Haggling")
    assert stage(office, name) == "s4"
    assert {one["hubspot_owner_id"] for one in office.hubspot.all("deals") if one["dealname"] == name} == {"71"}


def test_a_reply_tells_the_new_stage_in_the_teams_words(office: Office) -> None:
    assert "stage is now **Legal review**" in office.say("Move ABC renewal to Legal review")


def test_an_undo_names_the_stage_by_the_teams_name(office: Office) -> None:
    office.say("Move ABC renewal to Legal review")
    reply = office.say("Undo that")
    assert stage(office) == "s1"
    assert "Discovery call" in reply and "{" not in reply and "custom" not in reply


def test_deals_are_found_and_counted_by_the_teams_name(office: Office) -> None:
    office.hubspot.add("deals", dealname="Globex pilot", amount="900", dealstage="s3", hubspot_owner_id="71")
    office.hubspot.add("deals", dealname="Initech rollout", amount="700", dealstage="s4", hubspot_owner_id="71")
    office.sync()
    reply = office.say("Show deals in Legal review")
    assert "Globex pilot" in reply
    assert "Globex pilot, Legal review" in reply.replace("**", "")
    assert "Initech" not in reply
    assert "ABC renewal" not in reply
    assert "1" in office.say("How many deals are in Legal review?")
    page = call("crm", "GET", "/api/crm/opportunity?status=legal_review", ALICE).json["items"]
    assert [one["name"] for one in page] == ["Globex pilot"]


def test_a_stage_that_the_team_does_not_have_is_refused_with_its_own(office: Office) -> None:
    reply = office.say("Move ABC renewal to Smoke test")
    assert stage(office) == "s1"
    assert "Discovery call, Technical fit, Legal review, Haggling, Signed or Walked away" in reply


def test_the_next_stage_is_the_next_of_the_teams(office: Office) -> None:
    office.say("Move ABC renewal to the next stage")
    assert stage(office) == "s2"


def test_the_profile_has_the_teams_stages_in_their_order_with_what_each_leaves_a_deal_as(office: Office) -> None:
    values = call("profile", "GET", "/api/ai/profile", ALICE).json["values"]
    assert [(one["key"], one["label"], one["outcome"]) for one in values["opportunity.stage"]] == [
        ("discovery_call", "Discovery call", "open"),
        ("technical_fit", "Technical fit", "open"),
        ("legal_review", "Legal review", "open"),
        ("haggling", "Haggling", "open"),
        ("signed", "Signed", "won"),
        ("walked_away", "Walked away", "lost"),
    ]
    office.say("Move ABC renewal to Legal review")
    [deal] = call("crm", "GET", "/api/crm/opportunity?status=legal_review", ALICE).json["items"]
    assert deal["custom"]["stage"] == "Legal review"
