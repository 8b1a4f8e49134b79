"""The edge of the functions whose operations run tools, scans or decisions in the caller's name."""

from aisha.api.rest_app import RestApp
from aisha.application.notifications.settings import remember_zone
from aisha.application.tooling.context import ToolContext, make_context


class ToolApp(RestApp):
    """A `RestApp` that gives its operations a tool's context."""

    def tool_context(self, operation: str) -> ToolContext:
        """Return the context in which the caller's tools run. `operation` names their writes.

        It also keeps the time zone of the caller's token, for what is sent at an hour of theirs: as the rate limit, it is
        bookkeeping of the edge about whoever is seen, on reads too, because many users only ever read.
        """
        principal = self.principal()
        remember_zone(self.services.entries, principal)
        is_repeated = self.attempt is not None and self.attempt.is_resumed
        return make_context(principal, self.services.tool_ports, operation, is_repeated=is_repeated)
