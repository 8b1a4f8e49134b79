"""The users of the local server."""

from typing import TypedDict

MODULES = (
    "leads",
    "contacts",
    "accounts",
    "opportunities",
    "activities",
    "notes",
    "pipeline",
    "goals",
    "email",
    "documents",
)


class Profile(TypedDict):
    """The claims of a user in a local token."""

    name: str
    email: str
    roles: list[str]
    modules: list[str]
    zoneinfo: str
    locale: str


def _profile(name: str, tenant: str, role: str, zone: str, without: str | None = None) -> Profile:
    return {
        "name": name,
        "email": f"{name.split()[0].lower()}@{tenant}.example",
        "roles": [role],
        "modules": [module for module in MODULES if module != without],
        "zoneinfo": zone,
        "locale": "en-US",
    }


USERS: dict[tuple[str, str], Profile] = {
    ("demo", "alice"): _profile("Alice Carter", "demo", "admin", "America/New_York"),
    ("demo", "bob"): _profile("Bob Fletcher", "demo", "sales", "America/New_York", without="opportunities"),
    ("rival", "rita"): _profile("Rita Vance", "rival", "admin", "America/New_York"),
}
"""All users who may sign in locally, by tenant and user id."""
