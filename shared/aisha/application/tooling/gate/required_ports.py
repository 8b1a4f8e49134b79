"""The ports without which a tool can't run, and what a user is told where one is not set up."""

from collections.abc import Mapping

from aisha.application.tooling.context import ToolPorts
from aisha.domain.errors import NotSetUpError
from aisha.domain.tools import ToolSpec

_NOT_SET_UP: Mapping[str, tuple[str, str]] = {
    "issues": ("No GitHub repository is set up here", "Ask your admin to name the repository and its token."),
}


def missing_port(spec: ToolSpec, ports: ToolPorts) -> NotSetUpError | None:
    """Return the error of a call that can't run in this deployment, so that nobody is asked to confirm it; or None."""
    if spec.port is None or getattr(ports, spec.port) is not None:
        return None
    message, suggestion = _NOT_SET_UP[spec.port]
    return NotSetUpError(message, tool=spec.name, suggestion=suggestion)
