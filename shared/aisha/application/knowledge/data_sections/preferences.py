"""The section PREFERENCES."""

from typing import Any

from aisha.application.tenants.preferences import preferences_of
from aisha.application.tooling.context import ToolContext

ID = "PREFERENCES"
DESCRIPTION = "The user's preferences: mode, standing instructions, time zone, language, modules"


def read(context: ToolContext) -> Any:
    """Return the user's settings, and the locale, time zone and modules of their token."""
    principal = context.principal
    preferences = preferences_of(context.ports.entries, principal.tenant, principal.user)
    return {
        "mode": preferences.mode,
        "instructions": [instruction.text for instruction in preferences.instructions],
        "time_zone": principal.zone,
        "locale": principal.locale,
        # In a fixed order: providers cache a prompt by its beginning.
        "modules": sorted(principal.modules),
    }
