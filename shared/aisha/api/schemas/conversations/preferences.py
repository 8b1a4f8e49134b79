"""Schemas of the user's mode, models, standing instructions, memories and sticky notes."""

from collections.abc import Sequence
from datetime import datetime

from pydantic import Field

from aisha.api.schemas.camel_model import CamelModel
from aisha.application.memory.user_memories import text_of
from aisha.application.models.selection import ModelChoice
from aisha.application.notifications.reminders import Reminder
from aisha.domain.conversations.modes import MODE_DESCRIPTIONS, Mode
from aisha.domain.entries import Entry


class ModeJson(CamelModel):
    """The user's mode and all available modes."""

    mode: Mode = Field(description="The mode of all conversations of the user until it is changed.")
    modes: list[Mode] = Field(
        description="`default`; `voice`, for reading aloud; `brief`, two sentences; `coach`, which explains reasons "
        "and asks a guiding question."
    )


class ModelChoiceJson(CamelModel):
    """A model that a request can name."""

    provider: str
    model: str
    is_default: bool
    is_free: bool = Field(description="True for a model without cost, such as the offline planner.")


class ProviderJson(CamelModel):
    """A provider and its models."""

    id: str
    name: str
    models: list[ModelChoiceJson]


class ModelsJson(CamelModel):
    """The providers and models that the user's requests can name as `provider` and `model`, and the modes explained."""

    providers: list[ProviderJson]
    modes: dict[str, str]
    realtime_voices: list[str] = Field(description="Voices of spoken conversations; none where they are not set up.")


class InstructionBody(CamelModel):
    """A standing instruction in the user's words."""

    text: str = Field(min_length=1, max_length=300)


class InstructionJson(CamelModel):
    """A standing instruction."""

    id: str
    text: str
    created_at: datetime


class InstructionsJson(CamelModel):
    """The user's standing instructions, the oldest first."""

    items: list[InstructionJson]


class MemoryJson(CamelModel):
    """A fact that the user asked the assistant to remember."""

    id: str
    text: str
    created_at: datetime
    updated_at: datetime


class MemoriesJson(CamelModel):
    """The user's memories, the newest first."""

    items: list[MemoryJson]


class StickyNoteJson(CamelModel):
    """A reminder of the user that is about no record. `isDue` is true when its time has come."""

    id: str
    text: str
    due_at: datetime | None
    is_due: bool
    created_at: datetime


class StickyNotesJson(CamelModel):
    """The user's open sticky notes: by due time, then those without one, the newest first."""

    items: list[StickyNoteJson]


PROVIDER_NAMES = {
    "openai": "OpenAI",
    "gemini": "Google Gemini",
    "bedrock": "Amazon Bedrock",
    "offline": "Offline planner",
}
"""Names of providers that differ from their ids."""


def memory_json(entry: Entry) -> MemoryJson:
    """Return a memory as JSON."""
    return MemoryJson.from_attributes(entry, text=text_of(entry))


def sticky_note_json(note: Reminder, now: datetime) -> StickyNoteJson:
    """Return a sticky note as JSON."""
    return StickyNoteJson.from_attributes(note, is_due=note.is_due(now))


def models_json(choices: Sequence[ModelChoice], voices: Sequence[str]) -> ModelsJson:
    """Return the models by provider, in the order in which they are asked, and the voices of spoken conversations."""
    providers: dict[str, list[ModelChoiceJson]] = {}
    for place, choice in enumerate(choices):
        models = providers.setdefault(choice.provider, [])
        # The first of the chain answers when a request names no model.
        models.append(ModelChoiceJson.from_attributes(choice, is_default=place == 0))
    return ModelsJson(
        providers=[
            ProviderJson(id=name, name=PROVIDER_NAMES.get(name, name.capitalize()), models=of_provider)
            for name, of_provider in providers.items()
        ],
        modes=dict(MODE_DESCRIPTIONS),
        realtime_voices=list(voices),
    )
