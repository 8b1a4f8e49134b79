"""Who asks."""

from zoneinfo import ZoneInfo

from msgspec import Struct


class Principal(Struct, frozen=True):
    """The verified caller. Made only from a checked token (or, later, a schedule), never from a body or a model.

    `modules` are the CRM modules the user may use (leads, contacts, accounts, opportunities, activities, notes, ...).
    `zone` is an IANA name, `locale` a BCP 47 tag, `door` the way in: api, widget, voice, mcp, schedule.
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
        """True when the module is open to this user; what belongs to no module is open to everyone."""
        return module is None or module in self.modules
