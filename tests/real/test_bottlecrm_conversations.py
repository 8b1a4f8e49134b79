"""Written conversations played over a real BottleCRM, whose own API then has what the assistant's copy has.

The demo data is written through the connection at first, into a copy of BottleCRM's database, so that each run begins
with the same. Leads that are warm or qualified are contacted ones there: BottleCRM has no place for these.
"""

import json
import subprocess
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

from aisha.application.tooling import ToolRegistry
from aisha.domain.crm.enumerations import LeadStatus
from aisha.domain.crm.queries import Create
from aisha.domain.crm.records import Lead, Note, Record
from aisha.domain.errors import InvalidInputError
from infra.local.server.crm import open_crm
from tests.fakes.aws.api_gateway import ROOT
from tests.fakes.stores.in_memory import FixedClock
from tests.real.test_bottlecrm import FOLDER, HAS_POSTGRESQL
from tests.support.dialogue.conversations import CONVERSATIONS, NOW, DemoRecords, play
from tests.support.tenants.connected import Connected

pytestmark = pytest.mark.real
KINDS = ("account", "contact", "lead", "opportunity", "activity", "note")
NAMES = (
    "catalogue-deal-that", "catalogue-meet-two", "everyday-note-add", "colloquial-act-call-time",
    "colloquial-amb-company", "colloquial-new-lead-count", "colloquial-upd-status-lost", "everyday-act-days",
    "everyday-new-contact", "everyday-new-opp", "everyday-note-add-then-list", "everyday-pro-her",
    "everyday-upd-phone", "four_people-mgr-new-account", "four_people-ops-health", "four_people-rep-complete",
    "hasty_talk-cancel-it", "hasty_talk_second-b2-fix-name", "four_people-mgr-note-account",
    "paraphrased-somebody-new", "paraphrased-yes-the-deletion", "plain_talk-both-notes",
    "plain_talk-third-bare-hour", "reworded-ambiguous-john-p1", "scans-scan-then-act",
)  # fmt: skip
STATUSES = {"new": "assigned", "contacted": "in process", "unqualified": "recycled", "lost": "closed"}
PLACES = {
    "account": ("accounts", "account_obj"), "contact": ("contacts", "contact_obj"), "lead": ("leads", "lead_obj"),
    "opportunity": ("opportunities", "opportunity_obj"), "activity": ("tasks", "task_obj"),
}  # fmt: skip


def expected(record: Any) -> dict[str, Any]:
    """Return what BottleCRM is to have of a record, by its own names; written without the mapping file."""
    match record.TYPE:
        case "account":
            return {"name": record.name, "email": record.email, "phone": record.phone, "website": record.website}
        case "contact":
            person = {"first_name": record.first_name, "last_name": record.last_name, "email": record.email}
            return person | {"organization": record.company, "title": record.job_title, "phone": record.phone}
        case "lead":
            person = {"first_name": record.first_name, "last_name": record.last_name, "email": record.email}
            own = {"company_name": record.company, "job_title": record.job_title, "phone": record.phone}
            return person | own | {"status": STATUSES[record.status]}
        case "opportunity":
            day = record.close_date.isoformat() if record.close_date else None
            return {"name": record.name, "stage": record.stage.upper(), "amount": record.amount, "closed_on": day}
        case "note":
            return {"comment": record.content}
    day = record.due_at.date().isoformat() if record.due_at else None
    is_done = record.status == "completed"
    return {"title": record.title, "status": "Completed" if is_done else "New", "due_date": day}


class Bottle:
    """BottleCRM with the demo data in it, which `begin_again` restores."""

    def __init__(self) -> None:
        self._crm = open_crm("bottlecrm", "", FOLDER)
        self._psql = str(next(Path("/usr/lib/postgresql").glob("*/bin/psql"), "psql"))
        # A run that was cut off has left its data behind.
        if self._psql_says("select 1 from pg_database where datname = 'bottle_before'"):
            self._copy("bottle_before", "bottlecrm")
            self._crm = open_crm("bottlecrm", "", FOLDER)
        else:
            self._copy("bottlecrm", "bottle_before")
        connected = self._connected()
        for record in DemoRecords(FixedClock(NOW)).snapshot("demo").values():
            self._write(connected, record)
        self._stored, self._aliases = dict(connected.local._records["demo"]), dict(connected.entries._entries)  # type: ignore[attr-defined]
        self._copy("bottlecrm", "bottle_demo")

    def begin_again(self) -> Connected:
        """Return a new connection to the demo data."""
        self._copy("bottle_demo", "bottlecrm")
        connected = self._connected()
        connected.local._records["demo"] = dict(self._stored)  # type: ignore[attr-defined]
        connected.entries._entries = {place: dict(entries) for place, entries in self._aliases.items()}
        return connected

    def close(self) -> None:
        self._copy("bottle_before", "bottlecrm")

    def row(self, record: Record) -> dict[str, Any] | None:
        """Return what BottleCRM's API says of a record; None where it has none."""
        assert record.remote is not None
        _, *ids = record.remote.ref.split("/")
        path, name = PLACES[record.related.type if isinstance(record, Note) else record.TYPE]
        address = f"{self._crm.url}/api/{path}/{ids[0]}/"
        request = urllib.request.Request(address, headers={"Authorization": f"Bearer {self._crm.token}"})
        try:
            with urllib.request.urlopen(request, timeout=20) as answer:
                body = json.loads(answer.read())
        except urllib.error.HTTPError as error:
            assert error.code == 404
            return None
        rows = [one for one in body["comments"] if one["id"] == ids[1]] if isinstance(record, Note) else [body[name]]
        return rows[0] if rows else None

    def _connected(self) -> Connected:
        return Connected(FixedClock(NOW), self._crm.url, "bottlecrm", self._crm.token)

    def _write(self, connected: Connected, record: Record) -> None:
        if record.TYPE not in KINDS:
            connected.local.write("demo", [Create(record)])
            return
        no_source = {"source": None}
        for change in (
            ({}, no_source, {**no_source, "status": LeadStatus.CONTACTED}) if isinstance(record, Lead) else ({},)
        ):
            # A lead's source or status, or an activity's status, that BottleCRM does not have, is refused.
            with suppress(InvalidInputError):
                connected.repository.write("demo", [Create(record.model_copy(update=change))])
                return

    def _copy(self, source: str, target: str) -> None:
        self._psql_says(f"drop database if exists {target} with (force)")
        self._psql_says(f"select pg_terminate_backend(pid) from pg_stat_activity where datname = '{source}'")
        self._psql_says(f"create database {target} template {source}")

    def _psql_says(self, command: str) -> str:
        options = ["-h", "127.0.0.1", "-p", "5477", "-U", "crm", "-Atqc", command, "postgres"]
        return subprocess.run([self._psql, *options], check=True, capture_output=True, text=True).stdout.strip()


@pytest.fixture(scope="module")
def bottle() -> Iterator[Bottle]:
    if not HAS_POSTGRESQL:
        pytest.skip("BottleCRM needs PostgreSQL's programs")
    bottle = Bottle()
    yield bottle
    bottle.close()
    subprocess.run([str(ROOT / "infra/services/bottlecrm.sh"), "stop", str(FOLDER / "bottlecrm")], check=False)


@pytest.mark.parametrize("name", NAMES)
def test_a_conversation_holds_and_the_crm_has_what_it_says(name: str, bottle: Bottle, registry: ToolRegistry) -> None:
    connected = bottle.begin_again()
    before = dict(connected.local._records["demo"])  # type: ignore[attr-defined]
    problems = list(play(CONVERSATIONS[name], registry, NOW, records=connected.repository))
    assert not problems, "\n".join(problems)
    after = connected.local._records["demo"]  # type: ignore[attr-defined]
    written = [one for key, one in after.items() if one.TYPE in KINDS and one != before.get(key)]
    deleted = [one for key, one in before.items() if key not in after]
    assert written or deleted, "this conversation writes nothing"
    for record in written:
        row = bottle.row(record)
        assert row is not None, f"{record.display_name} is not in BottleCRM"
        assert {key: _same(row[key]) for key in expected(record)} == {
            key: _same(value) for key, value in expected(record).items()
        }
    assert [bottle.row(record) for record in deleted] == [None] * len(deleted)


def _same(value: Any) -> Any:
    """Return an amount as a number, and an empty text as none."""
    with suppress(TypeError, ValueError):
        return float(value)
    return value or None
