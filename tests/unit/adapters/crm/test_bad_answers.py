"""Answers of a CRM that are wrong, and users that are not what they seem: named, and nothing is lost."""

from collections.abc import Iterator
from datetime import UTC, datetime
from typing import Any

import pytest

from aisha.domain.crm.queries import Create, RecordQuery, Update
from aisha.domain.crm.records import Lead, Opportunity
from aisha.domain.errors import AishaError, UnavailableError
from tests.fakes.systems.hubspot import Fault, HubSpot
from tests.fakes.ticking_clock import TickingClock
from tests.support.tenants.connected import Connected


@pytest.fixture
def hubspot() -> Iterator[HubSpot]:
    with HubSpot(TickingClock(datetime(2026, 3, 2, 9, 0, tzinfo=UTC))) as server:
        yield server


@pytest.fixture
def crm(hubspot: HubSpot) -> Connected:
    return Connected(hubspot.clock, hubspot.url)


def answering(hubspot: HubSpot, ending: str, body: Any) -> None:
    hubspot.before = lambda method, path: Fault(200, body) if path.endswith(ending) else None


def load(crm: Connected, resource: str) -> list[str]:
    mirror = crm.mirrors["demo"]
    page = mirror.connector.page(resource)
    return [*page.skipped, *mirror.store(page.items, crm.clock.now())[1]]


def test_numbers_as_text_and_a_bad_row_among_good_ones_are_read_and_named(hubspot: HubSpot, crm: Connected) -> None:
    hubspot.add("deals", dealname="A", amount="1200.50", dealstage="closedwon")
    hubspot.add("deals", dealname="B", amount="twelve", dealstage="closedwon")
    hubspot.add("deals", dealname="C" * 300, dealstage="unheard_of")
    problems = load(crm, "deals")
    assert any("amount: 'twelve' is no decimal" in one for one in problems)
    assert any(one.startswith("deals/103: name") for one in problems)
    [deal] = crm.local.search("demo", RecordQuery("opportunity")).items
    assert isinstance(deal, Opportunity) and str(deal.amount) == "1200.50"


def test_a_stage_that_nobody_mapped_is_shown_by_its_own_word(hubspot: HubSpot, crm: Connected) -> None:
    hubspot.add("deals", dealname="A", dealstage="unheard_of")
    assert load(crm, "deals") == []
    [deal] = crm.local.search("demo", RecordQuery("opportunity")).items
    assert deal.custom == {"stage": "unheard_of"}


def test_a_task_about_nothing_that_we_have_is_named(hubspot: HubSpot, crm: Connected) -> None:
    hubspot.add("tasks", hs_task_subject="Call someone")
    [problem] = load(crm, "tasks")
    assert problem.startswith("tasks/101: related")


def test_pages_that_repeat_end_with_an_error(hubspot: HubSpot, crm: Connected) -> None:
    page = {"results": [], "paging": {"next": {"after": "7"}}}
    answering(hubspot, "/deals", page)
    with pytest.raises(UnavailableError, match="HubSpot's pages repeat"):
        crm.mirrors["demo"].connector.page("deals", None, "7")


@pytest.mark.parametrize("body", ["<html>Sign in</html>", {"rows": []}, {"results": "many"}, {"results": ["x"]}, []])
def test_a_list_that_is_none_is_an_error_and_deletes_nothing(hubspot: HubSpot, crm: Connected, body: Any) -> None:
    crm.repository.write("demo", [Create(Opportunity(name="A"))])
    answering(hubspot, "/deals", body)
    with pytest.raises(AishaError, match="HubSpot"):
        crm.mirrors["demo"].connector.page("deals")
    assert len(crm.local.search("demo", RecordQuery("opportunity")).items) == 1


@pytest.mark.parametrize(
    "url", ["https://elsewhere.example/steal", "http://127.0.0.1:1/steal", "http://127.0.0.1:99999/", "//x.example/"]
)
def test_a_next_page_at_another_host_or_port_is_not_followed(hubspot: HubSpot, crm: Connected, url: str) -> None:
    client = crm.mirrors["demo"].connector._client  # type: ignore[attr-defined]
    with pytest.raises(UnavailableError, match="another host"):
        client._next_url(url)
    assert client._next_url("/next").startswith(client._base)


def test_two_users_of_one_address_own_nothing_by_guess(hubspot: HubSpot, crm: Connected) -> None:
    hubspot.owners["73"] = "alice@demo.example"
    [written] = crm.repository.write("demo", [Create(Lead(first_name="Jack", company="C", owner="alice"))])
    assert "hubspot_owner_id" not in hubspot.all("contacts")[0]
    assert written.only_here == ("owner",)


def test_an_owner_who_left_stays_in_the_crm(hubspot: HubSpot, crm: Connected) -> None:
    key = hubspot.add("contacts", firstname="Jack", lifecyclestage="lead", hubspot_owner_id="99")
    assert load(crm, "leads") == []
    [jack] = crm.local.search("demo", RecordQuery("lead")).items
    assert jack.owner is None
    crm.repository.write("demo", [Update("lead", jack.id, {"job_title": "CTO"})])
    assert hubspot.rows["contacts"][key].properties["hubspot_owner_id"] == "99"


def test_a_deal_stays_in_its_pipeline_where_two_have_the_same_stages(hubspot: HubSpot, crm: Connected) -> None:
    key = hubspot.add("deals", dealname="A", dealstage="renewal_contractsent", pipeline="renewals", amount="5")
    assert load(crm, "deals") == []
    [deal] = crm.local.search("demo", RecordQuery("opportunity")).items
    crm.repository.write("demo", [Update("opportunity", deal.id, {"stage": "closed_won"})])
    assert hubspot.rows["deals"][key].properties["dealstage"] == "renewal_closedwon"
