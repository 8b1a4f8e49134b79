"""The user's mode of answering, models, standing instructions, memories and sticky notes."""

from typing import get_args

from aisha.api.operation import PathParameter
from aisha.api.rest_app import RestApp
from aisha.api.schemas.conversations.preferences import (
    InstructionBody,
    InstructionJson,
    InstructionsJson,
    MemoriesJson,
    ModeJson,
    ModelsJson,
    StickyNotesJson,
    memory_json,
    models_json,
    sticky_note_json,
)
from aisha.api.schemas.models.realtime import Voice
from aisha.application.memory import user_memories
from aisha.application.notifications import reminders
from aisha.application.tenants.preferences import add_instruction, delete_instruction, preferences_of, set_mode
from aisha.application.tooling.tenant_stores import OwnedEntries
from aisha.domain.conversations.modes import MODES

app = RestApp()


@app.operation(
    "GET",
    "/api/ai/mode",
    "getMode",
    summary="Get the answer mode",
    description="The style of answers for requests that do not choose another one.",
)
def current() -> ModeJson:
    principal = app.principal()
    preferences = preferences_of(app.services.entries, principal.tenant, principal.user)
    return ModeJson(mode=preferences.mode, modes=list(MODES))


@app.operation(
    "POST",
    "/api/ai/mode/{mode}",
    "setMode",
    summary="Set the answer mode",
    description="Applies to all conversations of the user from now on.",
    errors=(409, 422),
    idempotent=True,
    path_parameters={"mode": PathParameter("One of `modes`.", {"enum": list(MODES)})},
)
def change(mode: str) -> ModeJson:
    principal = app.principal()
    # Raises `InvalidInputError` for an unknown mode.
    preferences = set_mode(app.services.entries, principal.tenant, principal.user, mode)
    return ModeJson(mode=preferences.mode, modes=list(MODES))


@app.operation(
    "GET",
    "/api/ai/models",
    "listChatModels",
    summary="List the models of the chat",
    description="The providers and models that a chat request of this user can name, in the order in which they "
    "are asked, and what the answer modes are.",
    errors=(503,),
)
def models() -> ModelsJson:
    services = app.services
    # Names of voices that no session can have would only mislead.
    voices = get_args(Voice) if services.voice_sessions else ()
    return models_json(services.model_choices(app.principal().tenant), voices)


@app.operation(
    "GET",
    "/api/ai/instructions",
    "listInstructions",
    summary="List the standing instructions",
    description="What the user has told the assistant to keep to in every answer, the oldest first.",
    errors=(503,),
)
def instructions() -> InstructionsJson:
    principal = app.principal()
    stored = preferences_of(app.services.entries, principal.tenant, principal.user).instructions
    return InstructionsJson(items=[InstructionJson.from_attributes(instruction) for instruction in stored])


@app.operation(
    "POST",
    "/api/ai/instructions",
    "addInstruction",
    summary="Add a standing instruction",
    description="Up to 20 of 300 characters; one that is there already is returned as it is.",
    errors=(409, 503),
    idempotent=True,
)
def add(body: InstructionBody) -> InstructionJson:
    principal, services = app.principal(), app.services
    added = add_instruction(services.entries, principal.tenant, principal.user, body.text, services.clock.now())
    return InstructionJson.from_attributes(added)


@app.operation(
    "DELETE",
    "/api/ai/instructions/{id}",
    "deleteInstruction",
    summary="Delete a standing instruction",
    errors=(404, 409, 503),
    path_parameters={"id": "The instruction's id."},
)
def delete(id: str) -> None:
    principal = app.principal()
    delete_instruction(app.services.entries, principal.tenant, principal.user, id)


@app.operation(
    "GET",
    "/api/ai/memories",
    "listMemories",
    summary="List the memories",
    description="The facts that the user asked the assistant to remember, the newest first, 1000 at most.",
    errors=(503,),
)
def memories() -> MemoriesJson:
    return MemoriesJson(items=[memory_json(memory) for memory in user_memories.newest(_own())])


@app.operation(
    "DELETE",
    "/api/ai/memories/{id}",
    "deleteMemory",
    summary="Delete a memory",
    errors=(404, 503),
    path_parameters={"id": "The memory's id."},
)
def delete_memory(id: str) -> None:
    _delete(user_memories.KIND, id)


@app.operation(
    "GET",
    "/api/ai/sticky-notes",
    "listStickyNotes",
    summary="List the open sticky notes",
    description="The user's reminders that are about no record: by due time, then those without one, 1000 at most.",
    errors=(503,),
)
def sticky_notes() -> StickyNotesJson:
    notes, now = reminders.open_reminders(_own())[0], app.services.clock.now()
    return StickyNotesJson(items=[sticky_note_json(note, now) for note in notes])


@app.operation(
    "DELETE",
    "/api/ai/sticky-notes/{id}",
    "deleteStickyNote",
    summary="Delete a sticky note",
    errors=(404, 503),
    path_parameters={"id": "The sticky note's id."},
)
def delete_sticky_note(id: str) -> None:
    _delete(reminders.KIND, id)


def _own() -> OwnedEntries:
    principal = app.principal()
    return OwnedEntries(app.services.entries, principal.tenant, principal.user)


def _delete(kind: str, entry_id: str) -> None:
    own = _own()
    # Raises `NotFoundError`: a deletion alone does not tell the client that there was nothing to delete.
    own.get(kind, entry_id)
    own.delete(kind, entry_id)


handler = app.resolve
