"""The edge of the functions whose operations run tools, scans or decisions on behalf of the caller."""

from collections.abc import Mapping

from aisha.api.rest_app import RestApp
from aisha.application.notifications.settings import remember_zone
from aisha.application.tooling.context import ToolContext, make_context


class ToolApp(RestApp):
    """A `RestApp` whose operations run tools."""

    def tool_context(self, operation: str, versions: Mapping[str, int] | None = None) -> ToolContext:
        """Return the context in which the caller's tools run.

        `operation` is the id of their writes, `versions` those of the records that they may write, by id.
        """
        principal = self.principal()
        # Digests are sent at an hour of the user's time zone. Reads store it too, because many users only read.
        remember_zone(self.services.entries, principal)
        is_repeated = self.attempt is not None and self.attempt.is_resumed
        return make_context(principal, self.services.tool_ports, operation, is_repeated=is_repeated, versions=versions)
