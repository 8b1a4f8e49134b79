"""Kommo by its documentation, connected by a file that was written from docs/mapping-files.md alone."""

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from decimal import Decimal
from urllib.parse import urlencode

import pytest

from aisha.domain.crm.queries import Delete, Update
from aisha.domain.crm.records import Account, Activity, Contact, Lead, Note, Opportunity, Related
from aisha.domain.errors import InvalidInputError, PermissionDeniedError
from infra.admin.connect import check
from tests.fakes.systems.customer_api import CustomerApi
from tests.fakes.systems.documented_crms import NOW
from tests.fakes.systems.kommo import Kommo
from tests.fakes.ticking_clock import TickingClock
from tests.support.tenants.connected import Connected, OneSecret, VirtualTime
from tests.support.tenants.documented import created, move_to_own_stage, only, webhook_refs

FRIDAY = datetime(2026, 3, 6, 14, 30, tzinfo=UTC)


@pytest.fixture
def kommo() -> Kommo:
    return Kommo()


@pytest.fixture
def crm(kommo: Kommo) -> Iterator[Connected]:
    with CustomerApi(kommo.answer) as server:
        yield Connected(TickingClock(NOW), server.address, "kommo", kommo.secret)


def anew(crm: Connected) -> Connected:
    fresh = Connected(TickingClock(NOW), crm.url, "kommo", crm.secret)
    fresh.load()
    return fresh


def test_records_are_created_linked_changed_and_read_again(kommo: Kommo, crm: Connected) -> None:
    firm = created(crm, Account(name="ABC", phone="+1 555 0100", website="abc.example", owner="alice"))
    ann = created(crm, Contact(first_name="Ann", last_name="Lee", email="ann@abc.example", account_id=firm.id))
    deal = created(crm, Opportunity(name="Renewal", stage="proposal", amount=1250, account_id=firm.id,
                                    contact_id=ann.id, owner="alice"))  # fmt: skip
    [row] = kommo.rows["leads"].values()
    assert (row["name"], row["price"], row["status_id"], row["responsible_user_id"]) == ("Renewal", 1250, 13, 7)
    about = Related(type="opportunity", id=deal.id)
    task = created(crm, Activity(title="Send offer", activity_type="task", related=about, due_at=FRIDAY, owner="alice"))
    created(crm, Note(content="Say {name} & <now>", related=about))
    crm.repository.write("demo", [Update("opportunity", deal.id, {"amount": 750, "stage": "closed_won"})])
    crm.repository.write("demo", [Update("activity", task.id, {"status": "completed"})])
    crm.repository.write("demo", [Update("contact", ann.id, {"phone": "+1 555 0101"})])
    assert [one["field_code"] for one in kommo.rows["contacts"][next(iter(kommo.rows["contacts"]))][
        "custom_fields_values"]] == ["EMAIL", "PHONE"]  # fmt: skip
    fresh = anew(crm)
    read, company, contact = only(fresh, "opportunity"), only(fresh, "account"), only(fresh, "contact")
    assert (read.amount, read.stage, read.owner) == (Decimal(750), "closed_won", "alice")
    assert (read.account_id, read.contact_id, contact.account_id) == (company.id, contact.id, company.id)
    assert (company.phone, company.website) == ("+1 555 0100", "abc.example")
    assert (contact.display_name, contact.email, contact.phone) == ("Ann Lee", "ann@abc.example", "+1 555 0101")
    done, note = only(fresh, "activity"), only(fresh, "note")
    assert (done.title, done.status, done.due_at, done.related.id) == ("Send offer", "completed", FRIDAY, read.id)
    assert (note.content, note.related.id) == ("Say {name} & <now>", read.id)


def test_a_note_about_a_contact_is_made_below_the_contact(kommo: Kommo, crm: Connected) -> None:
    ann = created(crm, Contact(first_name="Ann", last_name="Lee"))
    note = created(crm, Note(content="Calls back", related=Related(type="contact", id=ann.id)))
    crm.repository.write("demo", [Update("note", note.id, {"content": "Called back"})])
    assert [row["params"] for row in kommo.rows["contacts/notes"].values()] == [{"text": "Called back"}]
    assert only(anew(crm), "note").content == "Called back"


def test_a_deal_moves_within_its_pipeline_and_is_closed_in_each(kommo: Kommo, crm: Connected) -> None:
    kommo.rows["leads"] = {}
    kommo.saved("leads", "leads", {"name": "Old", "status_id": 22, "pipeline_id": 21})
    crm.load()
    deal = only(crm, "opportunity")
    assert (deal.stage, deal.custom["stage"]) == ("proposal", "Renewal offer")
    with pytest.raises(InvalidInputError, match="stage can't be 'Legal review' for this record"):
        move_to_own_stage(crm, deal)
    crm.repository.write("demo", [Update("opportunity", deal.id, {"stage": "closed_lost"})])
    assert (only(crm, "opportunity").stage, kommo.rows["leads"]["501"]["status_id"]) == ("closed_lost", 143)


def test_lists_are_read_page_by_page_and_then_what_changed_alone(kommo: Kommo, crm: Connected) -> None:
    kommo.rows["companies"] = {}
    for n in range(600):
        kommo.saved("companies", "companies", {"name": f"F{n}"})
    for row in kommo.rows["companies"].values():
        row["updated_at"] = int((NOW - timedelta(days=9)).timestamp())
    assert len(crm.load()) == 600
    kommo.rows["companies"]["503"]["updated_at"] = int(NOW.timestamp()) - 60
    assert crm.load(NOW - timedelta(hours=1)) == ["F2"]
    assert crm.load(NOW) == []


def test_its_refusal_names_the_field_and_what_it_can_not_do_is_told(crm: Connected) -> None:
    with pytest.raises(InvalidInputError, match="amount is a whole number in the connected CRM"):
        created(crm, Opportunity(name="Roof", stage="proposal", amount="12.50"))
    deal = created(crm, Opportunity(name="Roof", stage="proposal", amount=12))
    with pytest.raises(InvalidInputError, match="Its API deletes no deals"):
        crm.repository.write("demo", [Delete("opportunity", deal.id)])
    about = Related(type="opportunity", id=deal.id)
    with pytest.raises(InvalidInputError, match="Every task has a deadline there"):
        created(crm, Activity(title="Call", activity_type="task", related=about))
    with pytest.raises(InvalidInputError, match="what AiSHA calls a lead is a contact there"):
        created(crm, Lead(first_name="Ann"))


def test_a_check_finds_nothing_wrong_and_a_wrong_token_is_told(kommo: Kommo, crm: Connected) -> None:
    firm = created(crm, Account(name="ABC", phone="1"))
    created(crm, Opportunity(name="Roof", stage="proposal", amount=12, account_id=firm.id))
    connection = {"id": "conn_test_0001", "crm": "kommo", "url": crm.url, "secret": "token"}
    time = VirtualTime([])
    lines = check(connection, OneSecret(kommo.secret), allow_private=True, clock=time.now, sleep=time.sleep)
    assert [line for line in lines if "FAILED" in line or "would be written" in line] == []
    assert "stage: Initial contact = prospecting; Offer made = proposal; Legal review = prospecting" in lines[2]
    wrong = Connected(TickingClock(NOW), crm.url, "kommo", "wrong")
    with pytest.raises(PermissionDeniedError, match="Kommo refused our credentials or rights: Wrong token"):
        wrong.load()


def test_a_webhook_that_is_a_form_names_what_changed() -> None:
    form = {"leads[update][0][id]": "501", "leads[update][1][id]": "502", "contacts[add][0][id]": "7",
            "contacts[add][0][type]": "company", "account[subdomain]": "acme"}  # fmt: skip
    headers = {"content-type": "application/x-www-form-urlencoded"}
    refs = webhook_refs("kommo", urlencode(form).encode(), headers)
    assert refs == ["leads/501", "leads/502", "companies/7"]


@pytest.mark.parametrize("body", [b"leads=1&leads[add][0][id]=5", b"a" + b"[b]" * 2000 + b"=1", b"leads[add=1"])
def test_a_webhook_whose_form_is_none_reads_nothing(body: bytes) -> None:
    headers = {"content-type": "application/x-www-form-urlencoded"}
    try:
        refs = webhook_refs("kommo", body, headers)
    except InvalidInputError:
        refs = []
    assert refs == []
