"""Salesforce's file against a fake that answers with Salesforce's errors, and another client of the same fake."""

from collections.abc import Iterator
from datetime import UTC, date, datetime, timedelta
from typing import Any

import pytest

from aisha.domain.crm.queries import Create, Delete, RecordQuery, Update
from aisha.domain.crm.records import Account, Activity, Contact, Lead, Note, Opportunity, Record, Related
from aisha.domain.errors import ConflictError, InvalidInputError, PermissionDeniedError, RateLimitedError
from tests.fakes.systems.hubspot import Fault
from tests.fakes.systems.salesforce import SECRET, Salesforce
from tests.fakes.ticking_clock import TickingClock
from tests.support.tenants.connected import Connected


@pytest.fixture
def org() -> Iterator[Salesforce]:
    with Salesforce(TickingClock(datetime(2026, 3, 2, 9, 0, tzinfo=UTC))) as server:
        yield server


@pytest.fixture
def crm(org: Salesforce) -> Connected:
    return Connected(org.clock, org.url, "salesforce", SECRET)


def made(crm: Connected, record: Record) -> Record:
    return crm.repository.write("demo", [Create(record)])[0].record


def deal(crm: Connected, **fields: Any) -> Record:
    return made(crm, Opportunity(name="Renewal", close_date=date(2026, 6, 1), amount=5, **fields))


def test_every_type_is_created_read_back_and_linked(org: Salesforce, crm: Connected) -> None:
    account = made(crm, Account(name="ABC", address={"city": "Bern"}))
    contact = made(crm, Contact(first_name="Ann", last_name="Lee", account_id=account.id, owner="bob"))
    lead = made(crm, Lead(last_name="Russel", company="ABC", status="contacted"))
    opportunity = deal(crm, account_id=account.id, stage="proposal")
    call = made(crm, Activity(title="Call", activity_type="call", related=Related(type="lead", id=lead.id)))
    meeting = made(
        crm,
        Activity(
            title="Meet", activity_type="meeting", due_at=datetime(2026, 3, 9, 14, tzinfo=UTC),
            related=Related(type="opportunity", id=opportunity.id),
        ),
    )  # fmt: skip
    note = made(crm, Note(content="Likes blue", related=Related(type="contact", id=contact.id)))
    rows = {kind: next(iter(rows.values())) for kind, rows in org.rows.items()}
    assert (rows["Account"]["BillingCity"], rows["Contact"]["OwnerId"]) == ("Bern", "005B")
    assert rows["Contact"]["AccountId"] == rows["Opportunity"]["AccountId"] == rows["Account"]["Id"]
    assert (rows["Opportunity"]["StageName"], rows["Opportunity"]["Amount"]) == ("Proposal/Price Quote", 5.0)
    assert (rows["Task"]["WhoId"], rows["Task"]["TaskSubtype"]) == (rows["Lead"]["Id"], "Call")
    assert (rows["Event"]["WhatId"], rows["Note"]["ParentId"]) == (rows["Opportunity"]["Id"], rows["Contact"]["Id"])
    for record in (account, contact, lead, opportunity, call, meeting, note):
        assert crm.local.get("demo", record.TYPE, record.id) == record


def test_all_pages_of_a_query_are_read(org: Salesforce, crm: Connected) -> None:
    for number in range(5):
        org.add("Lead", LastName=f"L{number}", Company="C", Status="Open - Not Contacted")
    mirror, cursor, names = crm.mirrors["demo"], None, []
    while True:
        page = mirror.connector.page("leads", None, cursor)
        names += [one.values["last_name"] for one in page.items]
        if (cursor := page.next_cursor) is None:
            break
    assert names == [f"L{number}" for number in range(5)]


def test_a_change_in_the_last_moment_is_refused_by_the_crm_itself(org: Salesforce, crm: Connected) -> None:
    renewal = deal(crm)

    def before(method: str, path: str) -> None:
        if method == "PATCH":
            crm.clock.advance(timedelta(seconds=5))  # type: ignore[attr-defined]
            org.change("Opportunity", path.rpartition("/")[2], Amount=99)

    org.before = before
    with pytest.raises(ConflictError):
        crm.repository.write("demo", [Update("opportunity", renewal.id, {"amount": 7})])
    assert next(iter(org.rows["Opportunity"].values()))["Amount"] == 99


def test_the_daily_limit_is_a_limit_although_it_is_a_403(org: Salesforce, crm: Connected) -> None:
    renewal = deal(crm)
    body = [{"message": "TotalRequests Limit exceeded.", "errorCode": "REQUEST_LIMIT_EXCEEDED"}]
    org.before = lambda method, path: Fault(403, body)
    with pytest.raises(RateLimitedError):
        crm.repository.write("demo", [Delete("opportunity", renewal.id)])
    org.before = lambda method, path: Fault(403, [{"message": "No access.", "errorCode": "INSUFFICIENT_ACCESS"}])
    with pytest.raises(PermissionDeniedError, match="No access"):
        crm.repository.write("demo", [Delete("opportunity", renewal.id)])


def test_an_expired_session_is_renewed_once(org: Salesforce, crm: Connected) -> None:
    renewal = deal(crm)
    org.session = "00D!session-2"
    crm.repository.write("demo", [Update("opportunity", renewal.id, {"amount": 8})])
    assert next(iter(org.rows["Opportunity"].values()))["Amount"] == 8


def test_a_required_field_of_the_org_is_named_in_our_words(crm: Connected) -> None:
    with pytest.raises(InvalidInputError) as caught:
        made(crm, Opportunity(name="Renewal"))
    assert caught.value.message == "Salesforce refused this: Required fields are missing: [CloseDate] (close date)"
    assert caught.value.pointer == "/close_date"


def test_another_client_sees_what_ours_wrote_and_ours_what_it_wrote(org: Salesforce, crm: Connected) -> None:
    simple_salesforce = pytest.importorskip("simple_salesforce")
    other = simple_salesforce.Salesforce(instance_url=org.url, session_id=org.session, version="67.0")
    other.base_url = f"{org.url}/services/data/v67.0/"
    made(crm, Lead(first_name="Ann", last_name="Lee", company="ABC", email="ann@abc.example"))
    [row] = other.query("SELECT Id,FirstName,LastName,Company,Email FROM Lead")["records"]
    assert (row["FirstName"], row["LastName"], row["Company"], row["Email"]) == ("Ann", "Lee", "ABC", "ann@abc.example")
    created = other.restful(
        "sobjects/Lead", method="POST", json={"LastName": "Wong", "Company": "XYZ", "Status": "Working - Contacted"}
    )
    other.restful(f"sobjects/Lead/{created['id']}", method="PATCH", json={"Title": "CTO"})
    mirror = crm.mirrors["demo"]
    mirror.store(mirror.connector.page("leads").items, crm.clock.now())
    [wong] = [
        one for one in crm.local.search("demo", RecordQuery("lead")).items if isinstance(one, Lead) and one.job_title
    ]
    assert (wong.last_name, wong.company, wong.status, wong.job_title) == ("Wong", "XYZ", "contacted", "CTO")
