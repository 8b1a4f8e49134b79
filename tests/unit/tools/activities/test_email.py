from datetime import timedelta
from itertools import count
from typing import Any

import pytest
from msgspec.structs import replace

from aisha.application.tooling.context import make_context
from aisha.application.tooling.gate.policy import decide
from aisha.domain.principal import Principal
from aisha.domain.tools import ToolResult
from tests.fakes.stores.in_memory import FixedClock, InMemoryRecordRepository
from tests.fakes.systems.mail import RecordingMailSender
from tests.support.tenants.desk import ANN, EVE, REGISTRY, Desk

WRITER = replace(ANN, modules=ANN.modules | {"email"}, name="Ann Lee", email="ann@acme.example")
_CALLS = count(1)


class MailDesk(Desk):
    """A desk with a mail sender."""

    def __init__(self, principal: Principal, clock: FixedClock, records: InMemoryRecordRepository) -> None:
        super().__init__(principal, clock, records)
        self.mail: RecordingMailSender | None = RecordingMailSender()

    def run(self, tool: str, /, **arguments: Any) -> ToolResult:
        operation = arguments.pop("operation", f"op.{next(_CALLS)}")
        context = make_context(self.principal, replace(self.ports, mail=self.mail), operation)
        call = REGISTRY.create_call(tool, arguments, context)
        return call.execute() if call.result.status == "pending" else call.result

    @property
    def sent(self) -> list[Any]:
        return self.mail.sent if self.mail else []


@pytest.fixture
def office(clock: FixedClock) -> MailDesk:
    return MailDesk(WRITER, clock, InMemoryRecordRepository(clock))


@pytest.fixture
def jack(office: MailDesk, clock: FixedClock) -> str:
    return office.put(
        "lead",
        first_name="Jack",
        last_name="Russel",
        company="ABC Corp",
        email="jack@abc.example",
        last_contacted_at=clock.now() - timedelta(days=3),
    )


def _draft(office: MailDesk, record_id: str, purpose: str = "a follow-up", **fields: Any) -> Any:
    return office.do(
        "draft_email", entity_type=record_id.partition("_")[0], entity_id=record_id, purpose=purpose, **fields
    )


def test_a_draft_is_written_from_the_record_and_kept_as_a_note(office: MailDesk, jack: str) -> None:
    email = _draft(office, jack, "draft a follow-up email about the pilot project")
    assert email["to"] == "jack@abc.example"
    assert email["subject"] == "Following up on the pilot project"
    assert email["body"].startswith("Hi Jack,\n\n")
    assert "our recent conversation about the pilot project" in email["body"]
    assert email["body"].endswith("Ann Lee")
    note = email["record"]
    assert (note["title"], note["note_type"]) == ("Draft: Following up on the pilot project", "email")
    assert (note["content"], note["related"]["id"]) == (email["body"], jack)
    assert email["receipt"]["action"] == "created"
    assert office.sent == []


def test_what_notes_say_shapes_the_draft_and_is_not_quoted(office: MailDesk, jack: str) -> None:
    office.put("note", content="Difficult man, max discount 30%. Asked us to call back about prices.", about=jack)
    email = _draft(office, jack)
    assert "owe you a call" in email["body"]
    assert not any(word in email["body"] for word in ("Difficult", "30%", "discount"))
    assert any("Difficult man" in fact for fact in email["based_on"])


def test_private_notes_and_earlier_drafts_are_not_used(office: MailDesk, jack: str) -> None:
    office.put("note", content="Owe him a call back.", about=jack, is_private=True)
    first = _draft(office, jack)
    second = _draft(office, jack)
    assert first["body"] == second["body"]
    assert "owe you a call" not in first["body"]


def test_the_draft_is_about_the_open_deal(office: MailDesk, jack: str) -> None:
    office.put("opportunity", name="Fleet 2026", lead_id=jack, amount=99_000, stage="proposal")
    office.put("opportunity", name="Won Before", lead_id=jack, stage="closed_won")
    email = _draft(office, jack, "write to him")
    assert email["subject"] == "Following up on Fleet 2026"
    assert "99" not in email["body"]
    assert "open deal: Fleet 2026" in email["based_on"]
    narrow = MailDesk(replace(WRITER, modules=WRITER.modules - {"opportunities"}), office.clock, office.records)
    assert "Fleet" not in _draft(narrow, jack)["subject"]


def test_an_email_about_a_deal_goes_to_its_contact(office: MailDesk) -> None:
    mary = office.put("contact", first_name="Mary", email="mary@abc.example")
    deal = office.put("opportunity", name="Fleet", contact_id=mary)
    email = _draft(office, deal)
    assert (email["to"], email["record"]["related"]["id"]) == ("mary@abc.example", deal)
    assert email["body"].startswith("Hi Mary,")


@pytest.mark.parametrize(
    ("purpose", "tone", "says"),
    [
        ("say thank you for the demo", "formal", "Dear Jack Russel,\n\nThank you for the demo."),
        ("introduce myself", "friendly", "My name is Ann Lee"),
        ("arrange a meeting", "brief", "When would suit you"),
        ("the email recap", "friendly", "short recap of our conversation"),
        ("remind him", "formal", "Would you kindly"),
        ("send the quote", "friendly", "Here is our proposal"),
    ],
)
def test_purpose_and_tone_shape_the_draft(office: MailDesk, jack: str, purpose: str, tone: str, says: str) -> None:
    assert says in _draft(office, jack, purpose, tone=tone)["body"]


def test_a_draft_warns_of_what_prevents_sending_it(office: MailDesk, jack: str) -> None:
    assert "warning" not in _draft(office, jack)
    assert "[brackets]" in _draft(office, jack, "recap")["warning"]
    nobody = office.put("lead", first_name="Ned")
    assert "no email address" in _draft(office, nobody)["warning"]
    office.put("lead", first_name="Jack", email="JACK@abc.example", do_not_email=True)
    assert "asked not to be emailed" in _draft(office, jack)["warning"]


def test_drafting_works_where_nothing_can_be_sent(office: MailDesk, jack: str) -> None:
    office.mail = None
    assert _draft(office, jack)["subject"]
    error = office.refuse("send_email", to="jack@abc.example", subject="Hi", body="Hello")
    assert error["code"] == "not_set_up"
    assert "not set up" in error["message"]
    assert "draft_email" in error["suggestion"]


def test_a_message_goes_out_and_is_logged_on_the_record(office: MailDesk, jack: str) -> None:
    result = office.do(
        "send_email", to="jack@abc.example", subject="Hello", body="Hi Jack", entity_type="lead", entity_id=jack
    )
    (message,) = office.sent
    assert (message.to, message.subject, message.body) == ("jack@abc.example", "Hello", "Hi Jack")
    assert (message.reply_to, message.reply_name) == ("ann@acme.example", "Ann Lee")
    logged = result["record"]
    assert (logged["activity_type"], logged["status"], logged["title"]) == ("email", "completed", "Email: Hello")
    assert (logged["related"]["id"], logged["body"]) == (jack, "Hi Jack")
    assert result["receipt"]["action"] == "created"
    assert office.total("activity") == 1


def test_a_message_about_nobody_on_record_is_sent_and_not_logged(office: MailDesk) -> None:
    result = office.do("send_email", to="guest@far.example", subject="Hello", body="Hi")
    assert result["to"] == "guest@far.example"
    assert "receipt" not in result
    assert office.total("activity") == 0
    assert len(office.sent) == 1


def test_the_same_call_again_sends_once(office: MailDesk, jack: str) -> None:
    arguments = {"to": "jack@abc.example", "subject": "Hello", "body": "Hi", "entity_type": "lead", "entity_id": jack}
    first = office.do("send_email", operation="conf_1", **arguments)
    again = office.do("send_email", operation="conf_1", **arguments)
    assert len(office.sent) == 1
    assert again["record"]["id"] == first["record"]["id"]
    office.do("send_email", operation="conf_2", **arguments)
    assert len(office.sent) == 2
    assert len({message.id for message in office.sent}) == 2


def test_the_same_call_has_the_same_message_id_and_no_other_tenants(office: MailDesk) -> None:
    for desk in (office, office):
        desk.do("send_email", operation="conf_1", to="guest@far.example", subject="Hello", body="Hi")
    rival = MailDesk(replace(WRITER, tenant="rival"), office.clock, office.records)
    rival.do("send_email", operation="conf_1", to="guest@far.example", subject="Hello", body="Hi")
    assert office.sent[0].id == office.sent[1].id != rival.sent[0].id


def test_nothing_is_logged_when_it_did_not_go_out(office: MailDesk, jack: str) -> None:
    assert office.mail is not None
    office.mail.is_down = True
    arguments = {"to": "jack@abc.example", "subject": "Hello", "body": "Hi", "entity_type": "lead", "entity_id": jack}
    assert office.refuse("send_email", **arguments)["code"] == "unavailable"
    assert office.total("activity") == 0


def test_nothing_is_sent_to_people_who_do_not_want_email(office: MailDesk, jack: str) -> None:
    zoe = office.put("lead", first_name="Zoe", email="zoe@abc.example", do_not_email=True)
    for more in ({}, {"entity_type": "lead", "entity_id": zoe}, {"entity_type": "lead", "entity_id": jack}):
        error = office.refuse("send_email", to="Zoe@abc.example", subject="Hello", body="Hi", **more)
        assert (error["code"], "not to be emailed" in error["message"]) == ("conflict", True)
    error = office.refuse(
        "send_email", to="other@abc.example", subject="Hello", body="Hi", entity_type="lead", entity_id=zoe
    )
    assert "Zoe asked not to be emailed" in error["message"]
    assert office.sent == []


@pytest.mark.parametrize(
    "wrong",
    [
        {"subject": "Hi\r\nBcc: all@far.example"},
        {"to": "jack@abc.example\r\nBcc: all@far.example"},
        {"to": "jack@abc.example,all@far.example"},
        {"to": "jack"},
        {"subject": ""},
        {"body": ""},
        {"entity_type": "lead"},
        {"entity_id": "lead_1"},
        {"entity_type": "lead", "entity_id": "lead_1"},
    ],
)
def test_an_invalid_message_is_not_sent(office: MailDesk, wrong: dict[str, str]) -> None:
    good = {"to": "jack@abc.example", "subject": "Hello", "body": "Hi"}
    assert office.refuse("send_email", **{**good, **wrong})["code"] in ("invalid_input", "missing_field", "not_found")
    assert office.sent == []


def test_closed_modules_and_other_tenants_stay_out(office: MailDesk, jack: str) -> None:
    arguments = {"to": "jack@abc.example", "subject": "Hello", "body": "Hi", "entity_type": "lead", "entity_id": jack}
    for closed in ("leads", "activities"):
        narrow = MailDesk(replace(WRITER, modules=WRITER.modules - {closed}), office.clock, office.records)
        assert narrow.refuse("send_email", **arguments)["code"] == "permission_denied"
        assert narrow.sent == []
    without_notes = MailDesk(replace(WRITER, modules=WRITER.modules - {"notes"}), office.clock, office.records)
    error = without_notes.refuse("draft_email", entity_type="lead", entity_id=jack, purpose="hello")
    assert error["code"] == "permission_denied"
    rival = MailDesk(replace(EVE, modules=WRITER.modules), office.clock, office.records)
    assert rival.refuse("send_email", **arguments)["code"] == "not_found"


def test_sending_waits_for_the_user_and_drafting_does_not() -> None:
    send, draft = REGISTRY.spec("send_email"), REGISTRY.spec("draft_email")
    assert send is not None
    assert draft is not None
    assert decide(WRITER, send).verdict == "ask"
    assert decide(WRITER, draft).verdict == "allow"
    assert decide(ANN, send).verdict == decide(ANN, draft).verdict == "deny"
