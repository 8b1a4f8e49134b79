"""Preferences of users and profiles of tenants for the assistant's answers: one entry each, read in every turn.

Missing or damaged values count as not set; the others still apply.
"""

from collections.abc import Callable, Collection, Mapping
from contextlib import suppress
from datetime import datetime
from typing import Annotated, Any, get_args

from msgspec import Struct, field
from msgspec.structs import replace
from pydantic import ConfigDict, Field, StringConstraints, TypeAdapter, ValidationError
from ulid import ULID

from aisha.application.tooling.context import ToolContext
from aisha.application.tooling.gate.policy import Verdict
from aisha.domain.conversations.modes import MODES, Mode
from aisha.domain.deferred_model import DeferredModel
from aisha.domain.errors import ConflictError, InvalidInputError, NotFoundError
from aisha.domain.ports import EntryRepository
from aisha.domain.retries import retrying

MAX_INSTRUCTIONS = 20
MAX_INSTRUCTION_LENGTH = 300
MAX_PERSONA_LINES = 10
MAX_BRAINLET_SECONDS = 10.0
"""A turn waits no longer for a brainlet, whatever a tenant sets."""
ANY_ROLE = "*"
PREFERENCES = "preferences"
"""Kind and id of the entry, one per user."""
_ATTEMPTS = 3
"""Enough for two devices of a user that save at the same time."""
_VERDICTS: tuple[Verdict, ...] = get_args(Verdict)
_Line = Annotated[str, StringConstraints(strip_whitespace=True, min_length=1, max_length=MAX_INSTRUCTION_LENGTH)]
_LINE = TypeAdapter[str](_Line)


class Instruction(DeferredModel):
    """A standing instruction of a user, in their words."""

    id: str = Field(min_length=1, max_length=60)
    text: _Line
    created_at: datetime


class Preferences(Struct, frozen=True):
    """A user's preferences. `instructions` are at most 20 of 300 characters, the oldest first."""

    mode: Mode = "default"
    instructions: tuple[Instruction, ...] = ()


class BrainletSettings(DeferredModel):
    """A tenant's settings of one brainlet: whether it runs, in which modes, and how long a turn waits for it."""

    model_config = ConfigDict(extra="forbid")

    enabled: bool = True
    modes: list[Mode] | None = None
    seconds: float | None = Field(default=None, gt=0, le=MAX_BRAINLET_SECONDS)


class TenantProfile(Struct, frozen=True):
    """The presentation and rules of a tenant's assistant.

    `assistant_name` is None for the deployment's. `persona` are lines on character and tone, `labels` the tenant's
    words by entity type, `rules` its verdicts by tool name, and `role_rules` those by tool name and role. `trust` are
    the roles, by the name of a tool, whose users need not order that tool in their own words; `*` stands for all roles.
    No confirmation of another kind is lifted.
    `brainlets` are settings by the name of a brainlet.
    """

    assistant_name: str | None = None
    persona: tuple[str, ...] = ()
    labels: Mapping[str, str] = field(default_factory=dict)
    rules: Mapping[str, Verdict] = field(default_factory=dict)
    role_rules: Mapping[str, Mapping[str, Verdict]] = field(default_factory=dict)
    trust: Mapping[str, frozenset[str]] = field(default_factory=dict)
    brainlets: Mapping[str, BrainletSettings] = field(default_factory=dict)

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


def preferences_of(entries: EntryRepository, tenant: str, user: str) -> Preferences:
    """Return the user's preferences, or the defaults."""
    entry = entries.find(tenant, user, PREFERENCES, PREFERENCES)
    return _preferences(entry.body) if entry else Preferences()


def profile_of(profiles: Callable[[str], Mapping[str, Any]], tenant: str) -> TenantProfile:
    """Return the tenant's profile, or the defaults. A rule with an unknown verdict denies: rules only restrict."""
    body = profiles(tenant)
    persona = body.get("persona")
    return TenantProfile(
        assistant_name=_read_line(body.get("assistant_name")),
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


def set_mode(entries: EntryRepository, tenant: str, user: str, mode: str) -> Preferences:
    """Store the mode. Raises `InvalidInputError` with the list of modes for an unknown one."""
    if mode not in MODES:
        raise InvalidInputError(
            f"There is no mode {mode[:60]!r}",
            pointer="/mode",
            detail={"modes": list(MODES)},
            suggestion=f"Use one of: {', '.join(MODES)}.",
        )
    return _change(entries, tenant, user, lambda preferences: replace(preferences, mode=mode))


def add_instruction(entries: EntryRepository, tenant: str, user: str, text: str, now: datetime) -> Instruction:
    """Store a standing instruction and return it, or an equal one that is stored already.

    Raises `InvalidInputError` for an empty or too long one, `ConflictError` when there are 20.
    """
    text = " ".join(text.split())
    if not 1 <= len(text) <= MAX_INSTRUCTION_LENGTH:
        raise InvalidInputError(
            f"A standing instruction has 1 to {MAX_INSTRUCTION_LENGTH} characters, not {len(text)}",
            pointer="/text",
            suggestion="Say it shorter.",
        )
    new = Instruction(id=f"instruction_{ULID()}", text=text, created_at=now)
    saved = _change(entries, tenant, user, lambda preferences: _with_instruction(preferences, new))
    return next(stored for stored in saved.instructions if stored.text.casefold() == text.casefold())


def delete_instruction(entries: EntryRepository, tenant: str, user: str, instruction_id: str) -> Instruction:
    """Delete a standing instruction and return it. Raises `NotFoundError`."""
    removed: list[Instruction] = []

    def without(preferences: Preferences) -> Preferences:
        # Assigned anew at each call: after a conflict the function is called again.
        removed[:] = [item for item in preferences.instructions if item.id == instruction_id]
        if not removed:
            raise NotFoundError(
                "There is no such standing instruction.", entity_type="instruction", entity_id=instruction_id[:200]
            )
        return replace(
            preferences, instructions=tuple(item for item in preferences.instructions if item not in removed)
        )

    _change(entries, tenant, user, without)
    return removed[0]


def _with_instruction(preferences: Preferences, new: Instruction) -> Preferences:
    if any(stored.text.casefold() == new.text.casefold() for stored in preferences.instructions):
        return preferences
    if len(preferences.instructions) >= MAX_INSTRUCTIONS:
        raise ConflictError(
            f"There are {MAX_INSTRUCTIONS} standing instructions already",
            suggestion="Delete one that is no longer needed.",
        )
    return replace(preferences, instructions=(*preferences.instructions, new))


def _change(
    entries: EntryRepository, tenant: str, user: str, change: Callable[[Preferences], Preferences]
) -> Preferences:
    """Apply `change` to the stored preferences; again from the start when another request changed them meanwhile."""
    # Only this error is repeated: a `ConflictError` of `change` itself (too many instructions) would come again.
    return retrying(_ATTEMPTS, lambda: _save(entries, tenant, user, change), on=_ChangedMeanwhileError)


class _ChangedMeanwhileError(ConflictError):
    """Another request changed the preferences between reading and writing."""


def _save(
    entries: EntryRepository, tenant: str, user: str, change: Callable[[Preferences], Preferences]
) -> Preferences:
    entry = entries.find(tenant, user, PREFERENCES, PREFERENCES)
    before = _preferences(entry.body) if entry else Preferences()
    after = change(before)
    if entry is not None and after == before:
        return after
    body = {
        "mode": after.mode,
        "instructions": [instruction.model_dump(mode="json") for instruction in after.instructions],
    }
    version = entry.version if entry else 0
    try:
        entries.put(tenant, user, PREFERENCES, PREFERENCES, body, expected_version=version)
    except ConflictError as error:
        raise _ChangedMeanwhileError(
            "Your preferences were changed by somebody else at the same time", suggestion="Try again."
        ) from error
    return after


def _preferences(body: Mapping[str, Any]) -> Preferences:
    mode, stored = body.get("mode"), body.get("instructions")
    instructions = []
    for item in stored if isinstance(stored, list) else []:
        with suppress(ValidationError):
            instructions.append(Instruction.model_validate(item))
    return Preferences(mode if mode in MODES else "default", tuple(instructions[:MAX_INSTRUCTIONS]))


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
    for name, one in value.items() if isinstance(value, Mapping) else ():
        with suppress(ValidationError):
            settings[str(name)] = BrainletSettings.model_validate(one)
    return settings


def _verdict(value: str) -> Verdict:
    return next((verdict for verdict in _VERDICTS if verdict == value), "deny")
