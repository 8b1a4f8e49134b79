import pytest
from msgspec.structs import replace

from tests.support.tenants.desk import ANN, BOB, EVE, Desk

ORGANIZER = replace(ANN, email="ann@acme.example", name="Ann Lee")
WHEN = "2026-03-10T15:00"


@pytest.fixture
def office(desk: Desk) -> Desk:
    return desk.at(ORGANIZER)


def _lines(result: dict[str, str]) -> list[str]:
    return result["invitation"].replace("\r\n ", "").split("\r\n")


def test_a_meeting_with_a_lead_is_about_that_lead_and_invites_it(office: Desk) -> None:
    jack = office.put("lead", first_name="Jack", last_name="Russel", email="jack@abc.example")
    result = office.do("schedule_meeting", attendees=["Jack Russell"], date="next Tuesday at 3pm", duration=30)
    activity = result["record"]
    assert (activity["activity_type"], activity["title"], activity["duration_minutes"]) == (
        "meeting",
        "Meeting with Jack Russel",
        30,
    )
    assert activity["related"] == {"type": "lead", "id": jack, "name": "Jack Russel"}
    assert result["receipt"]["action"] == "created"
    assert result["invited"] == ["jack@abc.example"]
    lines = _lines(result)
    assert "DTSTART:20260310T140000Z" in lines
    assert "DTEND:20260310T143000Z" in lines
    assert 'ORGANIZER;CN="Ann Lee":mailto:ann@acme.example' in lines
    assert office.names("list_activities", entity_type="lead", entity_id=jack) == ["Meeting with Jack Russel"]


def test_people_are_found_by_email_and_strangers_are_invited_too(office: Desk) -> None:
    mary = office.put("contact", first_name="Mary", email="mary@abc.example")
    result = office.do("schedule_meeting", attendees=["MARY@abc.example", "guest@far.example", "me"], date=WHEN)
    assert result["record"]["related"]["id"] == mary
    assert result["record"]["duration_minutes"] == 60
    assert result["invited"] == ["MARY@abc.example", "guest@far.example"]


def test_with_several_people_the_record_must_be_named(office: Desk) -> None:
    for name in ("Mary", "Ned"):
        office.put("contact", first_name=name, email=f"{name}@abc.example")
    error = office.refuse("schedule_meeting", attendees=["Mary", "Ned"], date=WHEN)
    assert error["code"] == "missing_field"
    assert "Mary or Ned" in error["suggestion"]
    account = office.put("account", name="ABC Corp")
    result = office.do(
        "schedule_meeting", attendees=["Mary", "Ned"], date=WHEN, entity_type="account", entity_id=account, title="Plan"
    )
    assert (result["record"]["related"]["name"], result["record"]["title"]) == ("ABC Corp", "Plan")
    assert "Mary, Ned" in result["record"]["body"]
    assert office.total("activity") == 1


def test_a_name_that_fits_several_is_asked_about(office: Desk) -> None:
    for last, company in (("Doe", "ABC Corp"), ("Smith", "XYZ Inc")):
        office.put("contact", first_name="John", last_name=last, company=company)
    error = office.refuse("schedule_meeting", attendees=["John"], date=WHEN)
    assert error["message"] == "John may be John Doe (ABC Corp) or John Smith (XYZ Inc)"
    assert error["detail"]["candidates"] == ["John Doe (ABC Corp)", "John Smith (XYZ Inc)"]
    assert office.total("activity") == 0


def test_the_subject_decides_between_people_with_the_same_name(office: Desk) -> None:
    doe = office.put("contact", first_name="John", last_name="Doe")
    office.put("contact", first_name="John", last_name="Smith")
    result = office.do("schedule_meeting", attendees=["John"], date=WHEN, entity_type="contact", entity_id=doe)
    assert result["not_invited"] == ["John Doe"]
    assert "invitation" not in result


def test_a_converted_lead_does_not_stand_in_the_way_of_its_contact(office: Desk) -> None:
    lead = office.put(
        "lead", first_name="Jack", last_name="Russel", company="ABC", status="qualified", email="j@abc.example"
    )
    office.do("convert_lead", lead_id=lead)
    result = office.do("schedule_meeting", attendees=["Jack Russel"], date=WHEN)
    assert result["record"]["related"]["type"] == "contact"


@pytest.mark.parametrize(
    ("arguments", "code"),
    [
        ({"attendees": ["Nobody Known"], "date": WHEN}, "not_found"),
        ({"attendees": ["guest@far.example"], "date": WHEN}, "missing_field"),
        ({"attendees": ["me"], "date": WHEN}, "missing_field"),
        ({"attendees": ["a@b"], "date": WHEN}, "invalid_input"),
        ({"attendees": ["Mary"], "date": "2026-03-01T15:00"}, "invalid_input"),
        ({"attendees": ["Mary"]}, "missing_field"),
        ({"attendees": ["Mary"], "date": WHEN, "entity_id": "contact_1"}, "missing_field"),
    ],
)
def test_what_can_not_be_scheduled_is_refused(office: Desk, arguments: dict[str, object], code: str) -> None:
    office.put("contact", first_name="Mary")
    assert office.refuse("schedule_meeting", **arguments)["code"] == code
    assert office.total("activity") == 0


def test_closed_modules_and_other_tenants_are_not_asked(office: Desk) -> None:
    office.put("contact", first_name="Mary")
    office.at(EVE).put("lead", first_name="Zoe")
    assert office.refuse("schedule_meeting", attendees=["Zoe"], date=WHEN)["code"] == "not_found"
    narrow = office.at(replace(ORGANIZER, modules=frozenset(("activities", "leads"))))
    assert narrow.refuse("schedule_meeting", attendees=["Mary"], date=WHEN)["code"] == "not_found"
    deal = office.put("opportunity", name="License")
    error = office.at(BOB).refuse(
        "schedule_meeting", attendees=["Mary"], date=WHEN, entity_type="opportunity", entity_id=deal
    )
    assert error["code"] == "permission_denied"


def test_without_an_address_of_ones_own_there_is_no_invitation(desk: Desk) -> None:
    desk.put("contact", first_name="Mary", email="mary@abc.example")
    result = desk.do("schedule_meeting", attendees=["Mary"], date=WHEN)
    assert "invitation" not in result
    assert result["receipt"]["action"] == "created"
