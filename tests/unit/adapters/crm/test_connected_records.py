"""Writes through to another CRM: killed anywhere, their answers lost, refused half-way, or raced by a webhook."""

from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from aisha.adapters.crm.writing.locks import LEASE_TTL
from aisha.domain.crm.queries import Change, Create, Delete, RecordQuery, Update, Written
from aisha.domain.crm.records import Account, Activity, Contact, Lead, Opportunity, Related
from aisha.domain.errors import (
    AishaError,
    ConflictError,
    InvalidInputError,
    NotFoundError,
    PermissionDeniedError,
    RateLimitedError,
    UnavailableError,
    WriteUndecidedError,
)
from tests.fakes.systems.hubspot import Fault, HubSpot
from tests.fakes.ticking_clock import TickingClock
from tests.support.killer import KilledError, Killer, SteppedHttp
from tests.support.tenants.connected import Connected

ACCOUNT = "account_01JABCDEFGHJKMNPQRSTVWXYZ0"


@pytest.fixture
def clock() -> TickingClock:
    return TickingClock(datetime(2026, 3, 2, 9, 0, tzinfo=UTC))


@pytest.fixture
def hubspot(clock: TickingClock) -> Iterator[HubSpot]:
    with HubSpot(clock) as server:
        yield server


@pytest.fixture
def crm(clock: TickingClock, hubspot: HubSpot) -> Connected:
    return Connected(clock, hubspot.url)


def deal(crm: Connected, **fields: Any) -> Opportunity:
    [written] = crm.repository.write("demo", [Create(Opportunity(name="Renewal", **fields))])
    assert isinstance(written.after, Opportunity)
    return written.after


def copies(crm: Connected, kind: str) -> list[str]:
    return [one.display_name for one in crm.local.search("demo", RecordQuery(kind, limit=50)).items]


# --- killed anywhere

PLANS: dict[str, Callable[[Opportunity], list[Change]]] = {
    "create": lambda deal: [Create(Lead(first_name="Jack", last_name="Russel", company="ABC", owner="alice"))],
    "linked": lambda deal: [
        Create(Account(id=ACCOUNT, name="ABC")),
        Create(Contact(first_name="Ann", account_id=ACCOUNT)),
        Update("opportunity", deal.id, {"stage": "proposal"}),
    ],
    "update": lambda deal: [Update("opportunity", deal.id, {"stage": "closed_won", "amount": 70})],
    "delete": lambda deal: [Delete("opportunity", deal.id)],
}


@pytest.mark.slow
@pytest.mark.parametrize("keyed", [True, False])
@pytest.mark.parametrize("name", PLANS)
def test_a_kill_anywhere_leaves_one_record_or_a_question(
    clock: TickingClock, hubspot: HubSpot, name: str, keyed: bool
) -> None:
    hubspot.unique = {"aisha_key"} if keyed else set()
    finished = False
    for number in range(1, 80):
        hubspot.rows.clear()
        crm = Connected(clock, hubspot.url, options={"keyed": keyed})
        changes = PLANS[name](deal(crm))
        killer = Killer(number)
        crm.mirrors["demo"] = crm.mirror("demo", SteppedHttp(killer))
        for target, names in ((crm.entries, ("put", "delete")), (crm.local, ("write",))):
            killer.around(target, *names)
        try:
            crm.repository.write("demo", changes, "op-1")
            finished = True
        except KilledError:
            pass
        for target in (crm.entries, crm.local):
            target.__dict__.pop("write", None), target.__dict__.pop("put", None), target.__dict__.pop("delete", None)
        clock.advance(LEASE_TTL)
        crm.mirrors["demo"] = crm.mirror("demo")
        try:
            results = crm.repository.write("demo", changes, "op-1")
        except WriteUndecidedError:
            # Only a create without a key may end in a question, and then it is not made a second time.
            assert not keyed and any(isinstance(change, Create) for change in changes)
        else:
            assert [one.action for one in results] == [_action(change) for change in changes]
            assert crm.repository.write("demo", changes, "op-1") == results
            _same(crm, hubspot)
        _none_twice(hubspot)
        if finished:
            return
    raise AssertionError("it never finished")


def _action(change: Change) -> str:
    return {Create: "created", Update: "updated", Delete: "deleted"}[type(change)]


def _none_twice(hubspot: HubSpot) -> None:
    for kind, names in (("contacts", "firstname"), ("companies", "name"), ("deals", "dealname")):
        shown = [row[names] for row in hubspot.all(kind)]
        assert len(shown) == len(set(shown)), f"{kind}: {shown}"


def _same(crm: Connected, hubspot: HubSpot) -> None:
    """Assert that the copies are the CRM's records, each once."""
    refs = [
        one.remote.ref
        for kind in ("lead", "contact", "account", "opportunity")
        for one in crm.local.search("demo", RecordQuery(kind, limit=50)).items
        if one.remote
    ]
    there = [f"{kind}/{key}" for kind in ("contacts", "companies", "deals") for key in hubspot.rows.get(kind, {})]
    assert sorted(refs) == sorted(there)


# --- answers that are lost


def lose(hubspot: HubSpot, method: str, times: int = 1) -> None:
    """Hang up after the next requests with this method are done."""
    left = [times]

    def before(verb: str, path: str) -> Fault | None:
        if verb == method and "search" not in path and left[0]:
            left[0] -= 1
            return Fault(lost=True)
        return None

    hubspot.before = before


@pytest.mark.parametrize("keyed", [True, False])
def test_a_create_whose_answer_is_lost_is_found_and_not_repeated(
    hubspot: HubSpot, clock: TickingClock, keyed: bool
) -> None:
    hubspot.unique = {"aisha_key"}
    crm = Connected(clock, hubspot.url, options={"keyed": keyed})
    lose(hubspot, "POST")
    [written] = crm.repository.write("demo", [Create(Lead(first_name="Jack", company="ABC", owner="bob"))])
    assert [one["firstname"] for one in hubspot.all("contacts")] == ["Jack"]
    assert written.after and written.after.remote and written.after.remote.ref in ("contacts/101",)


def test_a_lost_create_that_can_not_be_found_is_asked_about_and_never_repeated(
    hubspot: HubSpot, crm: Connected
) -> None:
    hubspot.lag = 100
    lose(hubspot, "POST")
    for _ in range(2):
        with pytest.raises(WriteUndecidedError) as caught:
            crm.repository.write("demo", [Create(Lead(first_name="Jack", company="ABC"))], "op-1")
    assert "nobody knows yet whether lead Jack was created" in caught.value.message
    assert not caught.value.retryable
    assert len(hubspot.all("contacts")) == 1
    # Once the CRM's search has it, the same operation is completed with it.
    hubspot.lag = 0
    [written] = crm.repository.write("demo", [Create(Lead(first_name="Jack", company="ABC"))], "op-1")
    assert written.record.display_name == "Jack" and len(hubspot.all("contacts")) == 1


@pytest.mark.parametrize("method", ["POST", "PATCH"])
def test_a_write_whose_outcome_can_not_be_seen_is_asked_about_and_no_failure(
    hubspot: HubSpot, crm: Connected, method: str
) -> None:
    first, written = deal(crm), list[str]()

    def before(verb: str, path: str) -> Fault | None:
        if written and "search" not in path:
            return Fault(503, {"message": "down"})
        written.extend([path] if verb == method else [])
        return Fault(503, {"message": "down"}) if written and verb == "GET" else None

    hubspot.before = before
    change = Create(Opportunity(name="Second")) if method == "POST" else Update("opportunity", first.id, {"amount": 70})
    with pytest.raises(WriteUndecidedError, match="nobody knows yet"):
        crm.repository.write("demo", [change], "op-1")
    hubspot.before = lambda verb, path: None
    [result] = crm.repository.write("demo", [change], "op-1")
    assert len(hubspot.all("deals")) == (2 if method == "POST" else 1)
    assert hubspot.all("deals")[-1]["dealname"] == result.record.display_name


def test_a_lost_update_is_sent_again_with_the_same_values(hubspot: HubSpot, crm: Connected) -> None:
    renewal = deal(crm, amount=5)
    lose(hubspot, "PATCH")
    [written] = crm.repository.write("demo", [Update("opportunity", renewal.id, {"amount": 7})])
    assert float(hubspot.all("deals")[0]["amount"] or 0) == 7
    assert written.after and crm.repository.get("demo", "opportunity", renewal.id) == written.after


# --- refusals


def test_the_crms_own_message_names_the_field(hubspot: HubSpot, crm: Connected) -> None:
    hubspot.before = lambda method, path: (
        Fault(400, {"message": "bad", "errors": [{"message": "Too long.", "context": {"propertyName": ["dealname"]}}]})
        if method == "POST"
        else None
    )
    with pytest.raises(InvalidInputError) as caught:
        deal(crm)
    assert caught.value.message == "HubSpot refused this: Too long. (name)"
    assert caught.value.pointer == "/name"


def test_a_value_without_a_mapping_is_refused_before_any_request(hubspot: HubSpot, crm: Connected) -> None:
    related = Related(type="opportunity", id=deal(crm).id)
    hubspot.requests.clear()
    with pytest.raises(InvalidInputError) as caught:
        crm.repository.write("demo", [Create(Activity(title="Show it", activity_type="demo", related=related))])
    assert "activity type can't be 'demo'" in caught.value.message
    assert "call" in (caught.value.suggestion or "")
    assert hubspot.requests == []


def test_what_was_done_before_a_refusal_is_taken_back(hubspot: HubSpot, crm: Connected) -> None:
    renewal = deal(crm, amount=5)
    changes: list[Change] = [
        Update("opportunity", renewal.id, {"amount": 9}),
        Create(Account(name="ABC")),
        Create(Contact(first_name="Ann", email="taken@x.example")),
    ]
    hubspot.add("contacts", firstname="Other", email="taken@x.example")
    with pytest.raises(ConflictError, match="already exists"):
        crm.repository.write("demo", changes)
    assert hubspot.all("companies") == []
    assert float(hubspot.all("deals")[0]["amount"] or 0) == 5
    assert copies(crm, "account") == []


def test_what_can_not_be_taken_back_is_told_and_copied(hubspot: HubSpot, crm: Connected) -> None:
    hubspot.add("contacts", firstname="Other", email="taken@x.example")
    hubspot.before = lambda method, path: Fault(423, {"message": "locked"}) if method == "DELETE" else None
    with pytest.raises(WriteUndecidedError) as caught:
        crm.repository.write(
            "demo", [Create(Account(name="ABC")), Create(Contact(first_name="Ann", email="taken@x.example"))]
        )
    assert "ABC (created)" in caught.value.message and "already exists" in caught.value.message
    assert copies(crm, "account") == ["ABC"]


def test_a_record_deleted_in_the_crm_meanwhile_is_named(hubspot: HubSpot, crm: Connected) -> None:
    renewal = deal(crm)
    hubspot.rows["deals"].clear()
    with pytest.raises(NotFoundError, match="Renewal was deleted in HubSpot"):
        crm.repository.write("demo", [Update("opportunity", renewal.id, {"amount": 1})])
    assert copies(crm, "opportunity") == []


@pytest.mark.parametrize(
    ("fault", "error"),
    [
        (Fault(401, {"message": "expired"}), PermissionDeniedError),
        (Fault(429, {"message": "policy"}, {"Retry-After": "120"}), RateLimitedError),
        (Fault(502, "<html>Bad gateway</html>"), UnavailableError),
        (Fault(302, None, {"Location": "https://elsewhere.example/"}), UnavailableError),
        (Fault(200, "<html>Sign in</html>"), UnavailableError),
    ],
)
def test_trouble_has_a_reason_and_changes_nothing(
    hubspot: HubSpot, crm: Connected, fault: Fault, error: type[AishaError]
) -> None:
    renewal = deal(crm, amount=5)
    hubspot.before = lambda method, path: fault
    with pytest.raises(error) as caught:
        crm.repository.write("demo", [Update("opportunity", renewal.id, {"amount": 1})])
    assert "HubSpot" in caught.value.message
    assert crm.repository.get("demo", "opportunity", renewal.id) == renewal


def test_a_short_limit_is_waited_for_within_the_turn(hubspot: HubSpot, crm: Connected) -> None:
    faults = [Fault(429, {"message": "policy"}, {"Retry-After": "2"})]
    hubspot.before = lambda method, path: faults.pop() if faults and method == "POST" else None
    deal(crm)
    assert len(hubspot.all("deals")) == 1
    assert any(2 <= wait < 3 for wait in crm.waits)


# --- webhooks and other tenants


def test_a_webhook_that_is_faster_than_the_answer_makes_no_second_copy(hubspot: HubSpot, crm: Connected) -> None:
    mirror = crm.mirrors["demo"]
    seen: list[list[Written]] = []

    def before(method: str, path: str) -> None:
        if method == "GET" and path.endswith("/companies/101") and not seen:
            seen.append([])
            remote = mirror.connector.get("companies/101")
            assert remote is not None
            seen.append(mirror.store([remote], crm.clock.now())[0])

    hubspot.before = before
    crm.repository.write("demo", [Create(Account(id=ACCOUNT, name="ABC"))])
    assert seen[1][0].action == "created"
    assert [one.id for one in crm.local.search("demo", RecordQuery("account")).items] == [ACCOUNT]


def test_a_late_webhook_of_an_old_state_does_not_bring_it_back(hubspot: HubSpot, crm: Connected) -> None:
    renewal = deal(crm, amount=5)
    mirror, read_at = crm.mirrors["demo"], crm.clock.now()
    old = mirror.connector.get("deals/101")
    assert old is not None
    crm.repository.write("demo", [Update("opportunity", renewal.id, {"amount": 7})])
    mirror.store([old], read_at)
    after = crm.repository.get("demo", "opportunity", renewal.id)
    assert isinstance(after, Opportunity) and after.amount == 7


def test_a_lead_that_became_a_contact_in_the_crm_is_one_record(hubspot: HubSpot, crm: Connected) -> None:
    [written] = crm.repository.write("demo", [Create(Lead(first_name="Jack", company="ABC"))])
    assert written.after and written.after.remote
    hubspot.change("contacts", written.after.remote.ref.partition("/")[2], lifecyclestage="customer")
    mirror = crm.mirrors["demo"]
    remote = mirror.connector.get(written.after.remote.ref)
    assert remote is not None
    mirror.store([remote], crm.clock.now())
    assert (copies(crm, "lead"), copies(crm, "contact")) == ([], ["Jack"])


def test_two_tenants_of_one_portal_stay_apart(hubspot: HubSpot, clock: TickingClock) -> None:
    crm = Connected(clock, hubspot.url, tenants=("demo", "rival"))
    renewal = deal(crm)
    with pytest.raises(NotFoundError):
        crm.repository.write("rival", [Update("opportunity", renewal.id, {"amount": 1})])
    assert crm.repository.search("rival", RecordQuery("opportunity")).items == []
    clock.advance(timedelta(days=1))
