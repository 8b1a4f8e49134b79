"""A CRM for the local tenant demo: BottleCRM started here, or one at an address."""

import os
import subprocess
import threading
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from aisha.adapters.crm.connections import ConnectionJson
from aisha.application.connections.sync import dispatch_sync, start_load
from aisha.application.requests.validation import validated
from aisha.bootstrap import Services
from aisha.domain.errors import AishaError
from infra.admin.connect import connect_tenant
from infra.local.demo.users import USERS
from infra.local.errors import LocalError, ServiceError

ROOT = Path(__file__).parents[3]
SCRIPT = str(ROOT / "infra/services/bottlecrm.sh")
TENANT = "demo"
SECONDS = 5.0
"""Seconds between two reads of the CRM's changes; in AWS five minutes, unless webhooks report them earlier."""


@dataclass(frozen=True, slots=True)
class CrmTeam:
    """The settings of a team's connection: the zone of times that name none, its users, and the file's variables.

    Users who have no address here have that of the demo.
    """

    time_zone: str = "UTC"
    users: Mapping[str, str] = field(default_factory=dict)
    variables: Mapping[str, str] = field(default_factory=dict)


DEMO = CrmTeam()


@dataclass(frozen=True, slots=True)
class LocalCrm:
    """The CRM of a mapping file at `url`, with its token."""

    name: str
    url: str
    token: str
    team: CrmTeam = DEMO

    @property
    def environment(self) -> Mapping[str, str]:
        return {"AISHA_SECRET__CRM": self.token, "AISHA_CRM_TO_PRIVATE": "1", "AISHA_QUEUE": "in_process"}

    def synchronise(self, services: Services) -> Callable[[], None]:
        """Connect the tenant, load its records, and read changes until the returned function is called."""
        users = {user: profile["email"] for (tenant, user), profile in USERS.items() if tenant == TENANT}
        connection: dict[str, Any] = {
            "id": "conn_local_demo",
            "crm": self.name,
            "url": self.url.rstrip("/"),
            "secret": "CRM",
            "users": users | dict(self.team.users),
            "time_zone": self.team.time_zone,
            "variables": dict(self.team.variables),
            "admins": ["alice"],
        }
        validated(ConnectionJson, connection, "The connection")
        connect_tenant(services.entries, TENANT, connection)
        stopping = threading.Event()

        def read_changes() -> None:
            start_load(TENANT, services.sync_dependencies)
            while not stopping.wait(SECONDS):
                services.finish_work()
                try:
                    dispatch_sync(services.sync_dependencies)
                except AishaError:
                    # The next reading tries again; the state says what failed.
                    continue

        thread = threading.Thread(target=read_changes, name="crm", daemon=True)
        thread.start()

        def stop() -> None:
            stopping.set()
            thread.join()

        return stop


def open_crm(name: str, url: str, folder: Path, team: CrmTeam = DEMO) -> LocalCrm:
    """Return the CRM at `url`, whose token is the variable CRM_TOKEN; start BottleCRM where there is no address.

    Raises `LocalError`.
    """
    if url:
        if not (token := os.environ.get("CRM_TOKEN")):
            raise LocalError("Set the variable CRM_TOKEN to the CRM's token.")
        return LocalCrm(name, url, token, team)
    if name != "bottlecrm":
        raise LocalError(f"Give the address of {name}, URL=https://..., and set the variable CRM_TOKEN to its token.")
    command = [SCRIPT, "start", str(folder / "bottlecrm")]
    started = subprocess.run(command, check=False, stdout=subprocess.PIPE, text=True)
    if started.returncode:
        raise ServiceError("bottlecrm.sh start failed, see above; it needs the programs of PostgreSQL 15 or later.")
    values = dict(line.partition("=")[::2] for line in started.stdout.splitlines() if "=" in line)
    return LocalCrm(name, values["URL"], values["TOKEN"])


def close_crm(folder: Path) -> None:
    """Stop the BottleCRM that `open_crm` started."""
    subprocess.run([SCRIPT, "stop", str(folder / "bottlecrm")], check=False)
