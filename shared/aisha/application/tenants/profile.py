"""Profiles of tenants for the assistant's answers: its presentation, rules and brainlets, read in every turn.

Missing or damaged values count as not set; the others still apply.
"""

from collections.abc import Callable, Collection, Mapping
from contextlib import suppress
from typing import Any, get_args

from msgspec import Struct, field
from pydantic import ConfigDict, Field, TypeAdapter, ValidationError

from aisha.application.tenants.preferences import Line
from aisha.application.tooling.context import ToolContext
from aisha.application.tooling.gate.policy import Verdict
from aisha.domain.conversations.modes import Mode
from aisha.domain.deferred_model import DeferredModel

MAX_PERSONA_LINES = 10
MAX_BRAINLET_SECONDS = 10.0
"""A turn waits no longer for a brainlet, whatever a tenant sets."""
ANY_ROLE = "*"
_VERDICTS: tuple[Verdict, ...] = get_args(Verdict)
_LINE = TypeAdapter[str](Line)


class BrainletSettings(DeferredModel):
    """A tenant's settings of one brainlet: whether it runs, in which modes, how long a turn waits, whom it asks."""

    model_config = ConfigDict(extra="forbid")

    enabled: bool = True
    modes: list[Mode] | None = None
    seconds: float | None = Field(default=None, gt=0, le=MAX_BRAINLET_SECONDS)
    provider: str | None = Field(default=None, min_length=1, max_length=40)
    model: str | None = Field(default=None, min_length=1, max_length=120)


class TenantProfile(Struct, frozen=True):
    """The presentation and rules of a tenant's assistant."""

    assistant_name: str | None = None
    """None for the deployment's."""
    persona: tuple[str, ...] = ()
    """Lines on character and tone."""
    labels: Mapping[str, str] = field(default_factory=dict)
    """The tenant's words by entity type."""
    rules: Mapping[str, Verdict] = field(default_factory=dict)
    """Verdicts by tool name."""
    role_rules: Mapping[str, Mapping[str, Verdict]] = field(default_factory=dict)
    """Verdicts by tool name and role."""
    trust: Mapping[str, frozenset[str]] = field(default_factory=dict)
    """Roles, by the name of a tool, whose users need not order that tool in their own words; `*` is all roles.

    It lifts no confirmation of another kind.
    """
    brainlets: Mapping[str, BrainletSettings] = field(default_factory=dict)
    """Settings by the name of a brainlet."""

    def rules_for(self, roles: Collection[str]) -> Mapping[str, Verdict]:
        """Return the verdicts by tool name for a user with these roles: the strictest of all that apply."""
        verdicts = dict(self.rules)
        for tool, by_role in self.role_rules.items():
            own = (verdict for role, verdict in by_role.items() if role in roles)
            # The verdicts are declared from the mildest to the strictest.
            verdicts[tool] = max((verdicts.get(tool, "allow"), *own), key=_VERDICTS.index)
        return verdicts

    def trusts(self, tool: str, roles: Collection[str]) -> bool:
        """Return whether the tenant lets the tool write for these roles without an order in the user's own words."""
        trusted = self.trust.get(tool, frozenset())
        return ANY_ROLE in trusted or not trusted.isdisjoint(roles)


def profile_of(profiles: Callable[[str], Mapping[str, Any]], tenant: str) -> TenantProfile:
    """Return the tenant's profile, or the defaults. A rule with an unknown verdict denies: rules only restrict."""
    body = profiles(tenant)
    persona = body.get("persona")
    return TenantProfile(
        assistant_name=_read_line(body.get("assistant_name")),
        # Cut rather than refused: a turn must not fail because of what an older version stored.
        persona=tuple(_read_lines(persona if isinstance(persona, list) else []))[:MAX_PERSONA_LINES],
        labels=_read_texts(body.get("labels")),
        rules=_verdicts(body.get("rules")),
        role_rules=_role_rules(body.get("role_rules")),
        trust=_trust(body.get("trust")),
        brainlets=_brainlets(body.get("brainlets")),
    )


def rules_of(context: ToolContext) -> Mapping[str, Verdict]:
    """Return the verdicts of the context's tenant for its user, for the gate outside of a turn."""
    principal = context.principal
    return profile_of(context.ports.profile, principal.tenant).rules_for(principal.roles)


def _read_line(value: Any) -> str | None:
    try:
        return _LINE.validate_python(value)
    except ValidationError:
        return None


def _read_lines(values: list[Any]) -> list[str]:
    return [line for value in values if (line := _read_line(value)) is not None]


def _read_texts(value: Any) -> dict[str, str]:
    pairs = value.items() if isinstance(value, Mapping) else ()
    return {str(name): line for name, text in pairs if (line := _read_line(text)) is not None}


def _trust(value: Any) -> dict[str, frozenset[str]]:
    """Return the roles by tool; what is damaged trusts nobody."""
    pairs = value.items() if isinstance(value, Mapping) else ()
    return {str(tool): frozenset(_read_lines(roles)) for tool, roles in pairs if isinstance(roles, list)}


def _role_rules(value: Any) -> dict[str, dict[str, Verdict]]:
    pairs = value.items() if isinstance(value, Mapping) else ()
    return {str(tool): _verdicts(by_role) for tool, by_role in pairs}


def _verdicts(value: Any) -> dict[str, Verdict]:
    return {name: _verdict(verdict) for name, verdict in _read_texts(value).items()}


def _brainlets(value: Any) -> dict[str, BrainletSettings]:
    """Return the settings by brainlet, without damaged ones."""
    settings: dict[str, BrainletSettings] = {}
    for name, stored in value.items() if isinstance(value, Mapping) else ():
        with suppress(ValidationError):
            settings[str(name)] = BrainletSettings.model_validate(stored)
    return settings


def _verdict(value: str) -> Verdict:
    return next((verdict for verdict in _VERDICTS if verdict == value), "deny")
