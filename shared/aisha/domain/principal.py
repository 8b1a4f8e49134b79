"""The caller of a request."""

from zoneinfo import ZoneInfo

from msgspec import Struct

from aisha.domain.errors import PermissionDeniedError

ADMIN = "admin"
"""The role of those who administer the tenant's assistant."""


class Principal(Struct, frozen=True):
    """The verified caller, from a validated token or the sweep's schedule, never from a body or a model.

    `modules` are the CRM modules the user may use (leads, contacts, accounts, opportunities, activities, notes, ...).
    `zone` is an IANA name, `locale` a BCP 47 tag, `door` the kind of client: api, widget, voice, mcp, schedule.
    """

    tenant: str
    user: str
    roles: frozenset[str] = frozenset()
    modules: frozenset[str] = frozenset()
    name: str | None = None
    email: str | None = None
    zone: str = "UTC"
    locale: str = "en-US"
    door: str = "api"

    @property
    def tzinfo(self) -> ZoneInfo:
        return ZoneInfo(self.zone)

    def may_use(self, module: str | None) -> bool:
        """Return whether the user may use the module; None, for tools without a module, is open to everyone."""
        # Names are compared as they are: a token that says "Leads" gives no right.
        return module is None or module in self.modules

    @property
    def is_admin(self) -> bool:
        """True for a user who administers the tenant's assistant."""
        return ADMIN in self.roles


def require_admin(principal: Principal, what: str) -> None:
    """Raise `PermissionDeniedError` unless the user is an admin; `what` says what only admins may do."""
    if not principal.is_admin:
        raise PermissionDeniedError(f"Only admins may {what}.", suggestion="Ask an admin of your organisation.")
