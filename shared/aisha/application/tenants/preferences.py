"""How a user wants to be answered, and how a tenant's assistant speaks: one entry each, read at every turn.

What is missing there, or can't be read any more, is as if nobody had set it; the rest still holds.
"""

from collections.abc import Callable, Mapping
from datetime import datetime
from typing import Annotated, Any, get_args

from msgspec import Struct, field
from msgspec.structs import replace
from pydantic import Field, StringConstraints, TypeAdapter, ValidationError
from ulid import ULID

from aisha.application.tooling.context import ToolContext
from aisha.application.tooling.policy import Verdict
from aisha.domain.deferred_model import DeferredModel
from aisha.domain.errors import ConflictError, InvalidInputError, NotFoundError
from aisha.domain.modes import MODES, Mode
from aisha.domain.ports import EntryRepository
from aisha.domain.retries import retrying

MOST_INSTRUCTIONS = 20
INSTRUCTION_CHARACTERS = 300
MOST_PERSONA_LINES = 10
PREFERENCES = "preferences"
"""Kind and id of a user's one entry."""
_TRIES = 3
"""Two devices of one user that save at once both get through."""
_VERDICTS: tuple[Verdict, ...] = get_args(Verdict)
_Line = Annotated[str, StringConstraints(strip_whitespace=True, min_length=1, max_length=INSTRUCTION_CHARACTERS)]
_LINE = TypeAdapter[str](_Line)


class Instruction(DeferredModel):
    """A standing instruction of a user, in their words."""

    id: str = Field(min_length=1, max_length=60)
    text: _Line
    created_at: datetime


class Preferences(Struct, frozen=True):
    """Of one user. `instructions` are at most 20 of 300 characters, the oldest first."""

    mode: Mode = "default"
    instructions: tuple[Instruction, ...] = ()


class TenantProfile(Struct, frozen=True):
    """How the tenant's assistant presents itself.

    `assistant_name`: None for the deployment's. `persona`: lines on character and tone. `labels`: entity type to the
    tenant's word. `rules`: the tenant's verdicts by tool name.
    """

    assistant_name: str | None = None
    persona: tuple[str, ...] = ()
    labels: Mapping[str, str] = field(default_factory=dict)
    rules: Mapping[str, Verdict] = field(default_factory=dict)


def preferences_of(entries: EntryRepository, tenant: str, user: str) -> Preferences:
    """The user's preferences, or the defaults."""
    entry = entries.find(tenant, user, PREFERENCES, PREFERENCES)
    return _preferences(entry.body) if entry else Preferences()


def profile_of(profiles: Callable[[str], Mapping[str, Any]], tenant: str) -> TenantProfile:
    """Return the tenant's profile, or the defaults. A rule with an unknown verdict denies: it was made to restrict."""
    body = profiles(tenant)
    rules, persona = _texts(body.get("rules")), body.get("persona")
    return TenantProfile(
        assistant_name=_line(body.get("assistant_name")),
        persona=tuple(_lines(persona if isinstance(persona, list) else []))[:MOST_PERSONA_LINES],
        labels=_texts(body.get("labels")),
        rules={tool: _verdict(said) for tool, said in rules.items()},
    )


def rules_of(context: ToolContext) -> Mapping[str, Verdict]:
    """The verdicts of the context's tenant, for the gate of what runs outside of a turn."""
    return profile_of(context.ports.profile, context.principal.tenant).rules


def set_mode(entries: EntryRepository, tenant: str, user: str, mode: str) -> Preferences:
    """Saves the mode. Raises `InvalidInputError` that lists the modes for any other."""
    if mode not in MODES:
        known = ", ".join(MODES)
        raise InvalidInputError(
            f"There is no mode {mode[:60]!r}",
            pointer="/mode",
            detail={"modes": list(MODES)},
            suggestion=f"Use one of: {known}.",
        )
    return _change(entries, tenant, user, lambda known: replace(known, mode=mode))


def add_instruction(entries: EntryRepository, tenant: str, user: str, text: str, now: datetime) -> Instruction:
    """Saves a standing instruction; one that is there already stays as it is.

    Raises `InvalidInputError` for an empty or too long one, `ConflictError` when there are 20.
    """
    said = " ".join(text.split())
    if not 1 <= len(said) <= INSTRUCTION_CHARACTERS:
        raise InvalidInputError(
            f"A standing instruction has 1 to {INSTRUCTION_CHARACTERS} characters, not {len(said)}",
            pointer="/text",
            suggestion="Say it shorter.",
        )
    made = Instruction(id=f"instruction_{ULID()}", text=said, created_at=now)
    saved = _change(entries, tenant, user, lambda known: _with(known, made))
    return next(one for one in saved.instructions if one.text.casefold() == said.casefold())


def delete_instruction(entries: EntryRepository, tenant: str, user: str, instruction_id: str) -> Instruction:
    """Removes a standing instruction and returns it. Raises `NotFoundError`."""
    removed: list[Instruction] = []

    def without(known: Preferences) -> Preferences:
        removed[:] = [one for one in known.instructions if one.id == instruction_id]
        if not removed:
            raise NotFoundError(
                "There is no such standing instruction.", entity_type="instruction", entity_id=instruction_id[:200]
            )
        return replace(known, instructions=tuple(one for one in known.instructions if one.id != instruction_id))

    _change(entries, tenant, user, without)
    return removed[0]


def _with(known: Preferences, made: Instruction) -> Preferences:
    if any(one.text.casefold() == made.text.casefold() for one in known.instructions):
        return known
    if len(known.instructions) >= MOST_INSTRUCTIONS:
        raise ConflictError(
            f"There are {MOST_INSTRUCTIONS} standing instructions already",
            suggestion="Delete one that no longer counts.",
        )
    return replace(known, instructions=(*known.instructions, made))


def _change(
    entries: EntryRepository, tenant: str, user: str, change: Callable[[Preferences], Preferences]
) -> Preferences:
    """Saves what `change` makes of the stored preferences, again from the start when somebody else saved meanwhile."""
    return retrying(_TRIES, lambda: _save(entries, tenant, user, change), on=_ChangedMeanwhileError)


class _ChangedMeanwhileError(ConflictError):
    """Somebody else saved between the reading and the writing."""


def _save(
    entries: EntryRepository, tenant: str, user: str, change: Callable[[Preferences], Preferences]
) -> Preferences:
    entry = entries.find(tenant, user, PREFERENCES, PREFERENCES)
    before = _preferences(entry.body) if entry else Preferences()
    after = change(before)
    if entry is not None and after == before:
        return after
    body = {"mode": after.mode, "instructions": [one.model_dump(mode="json") for one in after.instructions]}
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
        try:
            instructions.append(Instruction.model_validate(item))
        except ValidationError:
            continue
    return Preferences(mode if mode in MODES else "default", tuple(instructions[:MOST_INSTRUCTIONS]))


def _line(value: Any) -> str | None:
    try:
        return _LINE.validate_python(value)
    except ValidationError:
        return None


def _lines(values: list[Any]) -> list[str]:
    return [line for value in values if (line := _line(value)) is not None]


def _texts(value: Any) -> dict[str, str]:
    pairs = value.items() if isinstance(value, Mapping) else ()
    return {str(name): line for name, said in pairs if (line := _line(said)) is not None}


def _verdict(said: str) -> Verdict:
    return next((verdict for verdict in _VERDICTS if verdict == said), "deny")
