"""Preferences of users for the assistant's answers: one entry each, read in every turn.

Missing or damaged values count as not set; the others still apply.
"""

from collections.abc import Callable, Mapping
from contextlib import suppress
from datetime import datetime
from typing import Annotated, Any

from msgspec import Struct
from msgspec.structs import replace
from pydantic import Field, StringConstraints, ValidationError

from aisha.domain.conversations.modes import MODES, Mode
from aisha.domain.deferred_model import DeferredModel
from aisha.domain.errors import ConflictError, ContentionError, InvalidInputError, NotFoundError
from aisha.domain.hidden_characters import without_hidden
from aisha.domain.ids import new_ulid
from aisha.domain.ports import EntryRepository
from aisha.domain.retries import retrying

MAX_INSTRUCTIONS = 20
MAX_INSTRUCTION_LENGTH = 300
PREFERENCES = "preferences"
"""Kind and id of the entry, one per user."""
_ATTEMPTS = 3
"""Enough for two devices of a user that save at the same time."""
Line = Annotated[str, StringConstraints(strip_whitespace=True, min_length=1, max_length=MAX_INSTRUCTION_LENGTH)]
"""A line of a user or an admin that goes into the prompt."""


class Instruction(DeferredModel):
    """A standing instruction of a user, in their words."""

    id: str = Field(min_length=1, max_length=60)
    text: Line
    created_at: datetime


class Preferences(Struct, frozen=True):
    """A user's preferences. `instructions` are at most 20 of 300 characters, the oldest first."""

    mode: Mode = "default"
    instructions: tuple[Instruction, ...] = ()


def preferences_of(entries: EntryRepository, tenant: str, user: str) -> Preferences:
    """Return the user's preferences, or the defaults."""
    entry = entries.find(tenant, user, PREFERENCES, PREFERENCES)
    return _preferences(entry.body) if entry else Preferences()


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
    # It stands in every later prompt: with nothing in it that the user has not seen.
    text = " ".join(without_hidden(text).split())
    if not 1 <= len(text) <= MAX_INSTRUCTION_LENGTH:
        raise InvalidInputError(
            f"A standing instruction must have 1 to {MAX_INSTRUCTION_LENGTH} characters, not {len(text)}",
            pointer="/text",
            suggestion="Say it shorter.",
        )
    new = Instruction(id=f"instruction_{new_ulid()}", text=text, created_at=now)
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


class _ChangedMeanwhileError(ContentionError):
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
