"""The assistant over a real BottleCRM: what it says it did is what the CRM's own API then says.

BottleCRM and its PostgreSQL are set up in .local/tools at the first run, which takes some minutes.
"""

import json
import shutil
import subprocess
import urllib.request
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any
from uuid import uuid4

import pytest

from aisha.adapters.crm.writing.locks import LEASE_TTL
from aisha.application.connections.sync import dispatch_sync, start_load
from aisha.bootstrap import Services
from aisha.domain.crm.queries import Create
from aisha.domain.crm.records import Account, Lead, Note, Related
from aisha.domain.entries import PROFILE
from aisha.domain.errors import WriteUndecidedError
from aisha.settings import read_settings
from infra.local.server.crm import LocalCrm, open_crm
from tests.fakes.aws.api_gateway import ROOT, call, chat, serve
from tests.fakes.stores.in_memory import InMemoryRecordRepository
from tests.fakes.ticking_clock import TickingClock
from tests.fakes.world import ALICE, World, tools
from tests.support.killer import KilledError, Killer, SteppedHttp
from tests.support.tenants.connected import Connected

pytestmark = pytest.mark.real
FOLDER = ROOT / ".local" / "tools"
SERVICE = str(ROOT / "infra/services/bottlecrm.sh")
HOOK_SECRET = "whsec_of_the_tests"
HAS_POSTGRESQL = bool(list(Path("/usr/lib/postgresql").glob("*/bin/initdb")) or shutil.which("initdb"))


@pytest.fixture(scope="module")
def crm() -> Iterator[LocalCrm]:
    if not HAS_POSTGRESQL:
        pytest.skip("BottleCRM needs PostgreSQL's programs")
    yield open_crm("bottlecrm", "", FOLDER)
    subprocess.run([SERVICE, "stop", str(FOLDER / "bottlecrm")], check=False)


def in_bottlecrm(code: str) -> Any:
    """Run code inside of BottleCRM and return the JSON that it prints last."""
    command = [SERVICE, "shell", str(FOLDER / "bottlecrm")]
    printed = subprocess.run(command, input=f"import json\n{code}\n", check=True, capture_output=True, text=True).stdout
    return json.loads(printed.splitlines()[-1])


class Desk:
    """Alice at the assistant, with the CRM's own API beside it."""

    def __init__(self, crm: LocalCrm, services: Services) -> None:
        self._crm, self._services = crm, services
        self._conversation: str | None = None

    def say(self, text: str) -> str:
        body = {"message": text} | ({"conversationId": self._conversation} if self._conversation else {})
        answer = chat(body, ALICE).json
        self._conversation = answer["conversationId"]
        return self.say("yes") if answer["status"] == "needs_confirmation" else str(answer["response"])

    def api(self, method: str, path: str, body: Any = None) -> Any:
        data = None if body is None else json.dumps(body).encode()
        headers = {"Authorization": f"Bearer {self._crm.token}", "Content-Type": "application/json"}
        request = urllib.request.Request(f"{self._crm.url}/api/{path}", data, headers, method=method)
        with urllib.request.urlopen(request, timeout=20) as answer:
            return json.loads(answer.read() or b"null")

    def opportunity(self, name: str) -> Any:
        rows = self.api("GET", "opportunities/?limit=100")["opportunities"]
        return next(row for row in rows if row["name"] == name)

    def sync(self) -> None:
        dispatch_sync(self._services.sync_dependencies)
        self.finish()

    def finish(self) -> None:
        self._services.finish_work()


@pytest.fixture
def desk(crm: LocalCrm) -> Iterator[Desk]:
    world = World()
    services = Services(
        settings=read_settings({**crm.environment, "AISHA_SECRET__HOOK": HOOK_SECRET}),
        local_records=InMemoryRecordRepository(world.clock),
        entries=world.entries,
        audit_log=world.audit,
        conversations=world.conversations,
        rate_limiter=world.limiter,
        spending_ledger=world.ledger,
        tools=tools(),
    )
    users = {"alice": "alice@demo.example"}
    connection = {"id": "conn_real_bottle", "crm": "bottlecrm", "url": crm.url, "secret": "CRM", "users": users}
    connection |= {"hook_secret": "HOOK"}
    world.entries.put("demo", None, PROFILE, PROFILE, {"crm": connection})
    start_load("demo", services.sync_dependencies)
    services.finish_work()
    serve(services)
    yield Desk(crm, services)
    serve()
    services.close()


def test_a_created_lead_is_in_the_crm_field_by_field_and_undo_removes_it(desk: Desk) -> None:
    mark = uuid4().hex[:8]
    desk.say(f"Create a lead for Petra Novak from Orbit Labs, petra.{mark}@orbit.example")
    leads = desk.api("GET", "leads/?limit=200")["open_leads"]["open_leads"]
    [petra] = [one for one in leads if one["email"] == f"petra.{mark}@orbit.example"]
    assert (petra["first_name"], petra["last_name"], petra["company_name"]) == ("Petra", "Novak", "Orbit Labs")
    assert (petra["status"], [one["user_details"]["email"] for one in petra["assigned_to"]]) == (
        "assigned",
        ["alice@demo.example"],
    )
    desk.say("Undo that")
    leads = desk.api("GET", "leads/?limit=200")["open_leads"]["open_leads"]
    assert not [one for one in leads if one["email"] == f"petra.{mark}@orbit.example"]


def test_a_deal_is_moved_and_moved_back_and_a_colleagues_change_is_in_the_next_answer(desk: Desk) -> None:
    name = f"Harbour lights {uuid4().hex[:8]}"
    desk.api("POST", "opportunities/", {"name": name, "stage": "QUALIFICATION", "amount": "5000"})
    desk.sync()
    desk.say(f"Move the deal {name} to proposal")
    assert desk.opportunity(name)["stage"] == "PROPOSAL"
    desk.say("Undo that")
    assert desk.opportunity(name)["stage"] == "QUALIFICATION"
    desk.api("PATCH", f"opportunities/{desk.opportunity(name)['id']}/", {"amount": "7700"})
    desk.sync()
    assert "7,700" in desk.say(f"Tell me about the deal {name}")
    desk.api("DELETE", f"opportunities/{desk.opportunity(name)['id']}/")


def test_a_note_is_a_comment_of_its_deal_and_a_colleagues_comment_is_in_the_next_answer(desk: Desk) -> None:
    name, text = f"Harbour lights {uuid4().hex[:8]}", f"They want the quay lit by {uuid4().hex[:6]}"
    desk.api("POST", "opportunities/", {"name": name, "stage": "PROPOSAL", "amount": "5000"})
    place = f"opportunities/{desk.opportunity(name)['id']}/"
    desk.sync()
    desk.say(f"Add a note to the deal {name}: {text}")
    [comment] = desk.api("GET", place)["comments"]
    assert (comment["comment"], comment["commented_by"]["user_details"]["email"]) == (text, "alice@demo.example")
    answer = f"Mira calls back {uuid4().hex[:6]}"
    desk.api("POST", place, {"comment": answer})
    desk.sync()
    shown = desk.say(f"Show the notes of the deal {name}")
    assert text in shown and answer in shown
    desk.say("Undo that")
    assert [one["comment"] for one in desk.api("GET", place)["comments"]] == [answer]
    desk.api("DELETE", place)


HOOKED = """
from common.models import Org
from webhooks.models import WebhookEndpoint
org, url = Org.objects.first(), "https://aisha.example/"
WebhookEndpoint.objects.create(org=org, url=url, events=["deal.updated"], secret={!r})
print(json.dumps(None))
"""
DELIVERY = """
from webhooks.models import WebhookDelivery, WebhookEndpoint
from webhooks.tasks import build_request
body, headers = build_request(WebhookDelivery.objects.order_by("-created_at").first())
WebhookEndpoint.objects.filter(url="https://aisha.example/").delete()
print(json.dumps([body.decode(), headers]))
"""


def test_a_webhook_as_bottlecrm_makes_and_signs_it_brings_the_change(desk: Desk) -> None:
    name = f"Harbour lights {uuid4().hex[:8]}"
    desk.api("POST", "opportunities/", {"name": name, "stage": "PROPOSAL", "amount": "5000"})
    desk.sync()
    in_bottlecrm(HOOKED.format(HOOK_SECRET))
    place = f"opportunities/{desk.opportunity(name)['id']}/"
    desk.api("PATCH", place, {"amount": "7700"})
    body, headers = in_bottlecrm(DELIVERY)
    lower = {key.lower(): value for key, value in headers.items()}
    hook = "/api/crm/hooks/conn_real_bottle"
    forged = body.replace(place.split("/")[1], str(uuid4()))
    assert call("crm_hooks", "POST", hook, None, body=forged, headers=lower).status == 401
    answer = call("crm_hooks", "POST", hook, None, body=body, headers=lower)
    assert (answer.status, answer.json) == (202, {"accepted": 1})
    desk.finish()
    assert "7,700" in desk.say(f"Tell me about the deal {name}")
    desk.api("DELETE", place)


def test_a_kill_anywhere_in_a_write_leaves_one_record_or_a_question(crm: LocalCrm) -> None:
    for kind in ("lead", "note"):
        for number in range(1, 60):
            if not killed_at(number, kind, crm):
                break
        else:
            raise AssertionError("it never finished")


def killed_at(number: int, kind: str, crm: LocalCrm) -> bool:
    """Write a record in a process that is killed at this step, and again in another; return whether it was killed."""
    connected = Connected(TickingClock(datetime.now(UTC)), crm.url, "bottlecrm", crm.token)
    name = f"Quay {uuid4().hex[:8]}"
    [account] = connected.repository.write("demo", [Create(Account(name=name))])
    about = Related(type="account", id=account.record.id)
    record = Lead(first_name="Petra", company=name) if kind == "lead" else Note(content=name, related=about)
    killer = Killer(number)
    connected.mirrors["demo"] = connected.mirror("demo", SteppedHttp(killer))
    killer.around(connected.entries, "put", "delete")
    killer.around(connected.local, "write")
    was_killed = False
    try:
        connected.repository.write("demo", [Create(record)], "op-1")
    except KilledError:
        was_killed = True
    connected.clock.advance(LEASE_TTL)  # type: ignore[attr-defined]
    for target in (connected.entries, connected.local):
        for stepped in ("put", "delete", "write"):
            target.__dict__.pop(stepped, None)
    connected.mirrors["demo"] = connected.mirror("demo")
    is_asked = False
    try:
        connected.repository.write("demo", [Create(record)], "op-1")
    except WriteUndecidedError:
        is_asked = True
    connector = connected.mirrors["demo"].connector
    place, records = "leads" if kind == "lead" else "account_comments", []
    cursor: str | None = ""
    while cursor is not None:
        page = connector.page(place, None, cursor or None)
        records += [one for one in page.items if name in (one.values.get("company"), one.values.get("content"))]
        cursor = page.next_cursor
    assert len(records) == 1 or (is_asked and not records), f"{kind}, step {number}: {len(records)}"
    assert account.record.remote is not None
    for ref in [*(one.ref for one in records), account.record.remote.ref]:
        connector.delete(ref)
    return was_killed
