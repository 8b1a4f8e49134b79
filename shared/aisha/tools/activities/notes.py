"""Tools for notes about leads, contacts, accounts and opportunities."""

from typing import Annotated

from pydantic import Field

from aisha.application.records import crud
from aisha.application.tooling import ToolContext, followups, tool, toolkit
from aisha.application.tooling.arguments.parameters import Cursor, Limit, Owner, RecordId, Text
from aisha.application.tooling.gate.visibility import readable, related_to
from aisha.application.tooling.results import RecordList, WriteResult
from aisha.domain.crm.enumerations import NoteType
from aisha.domain.crm.records import Note, SubjectType
from aisha.domain.dates.parsing import When

NoteId = Annotated[RecordId, "Id of a note, as list_notes gives it"]
Content = Annotated[str, Field(min_length=1, max_length=8000)]


@toolkit(name="notes", description="Read, search, write and delete notes about records.", module="notes")
class Notes:
    @tool(
        always=True,
        examples=(
            "are there any notes about {name}",
            "show me the notes on {name}",
            "what did we write down about {name}",
            "read me {name}'s notes",
        ),
        typical_followups=(followups.ADD_NOTE, followups.NEXT_STEPS_FOR_RECORD, followups.CREATE_ACTIVITY),
    )
    def list_notes(
        self,
        context: ToolContext,
        entity_type: Annotated[SubjectType, "Type of the record the notes are about"],
        entity_id: Annotated[RecordId, "Id of the entity"],
        note_type: Annotated[NoteType | None, "Kind of note"] = None,
        limit: Limit = 10,
        cursor: Cursor = None,
    ) -> RecordList[Note]:
        """List notes: those about one record, newest first. Other users' private notes are left out."""
        # Raises for a record that the user may not see.
        readable(context.principal, context.records, entity_type, entity_id)
        return crud.search_page(context, Note, crud.equal(related__id=entity_id, note_type=note_type), limit, cursor)

    @tool(
        examples=(
            "search my notes for {query}",
            "which notes mention {query}",
            "find notes about {query}",
            "notes containing {query}",
        ),
        typical_followups=(followups.NEXT_STEPS, followups.PRIORITIES),
    )
    def search_notes(
        self,
        context: ToolContext,
        query: Annotated[str, Field(min_length=1, max_length=200), "Words that the note must contain"],
        note_type: Annotated[NoteType | None, "Kind of note"] = None,
        owner: Owner = None,
        created_after: Annotated[When | None, "Written from this time on"] = None,
        created_before: Annotated[When | None, "Written up to this time"] = None,
        limit: Limit = 10,
        cursor: Cursor = None,
    ) -> RecordList[Note]:
        """Search notes: on any record, by their words, newest first. Other users' private notes are left out."""
        where = (*crud.equal(note_type=note_type), *crud.between("created_at", created_after, created_before))
        return crud.search_page(context, Note, where, limit, cursor, name_contains=query, owner=owner)

    @tool(
        access="write",
        ordered_by=("create_note", "remember"),
        always=True,
        examples=(
            "add a note about {name}: {content}",
            "note on {name}: {content}",
            "write down that {name} {content}",
            "remember that {name} {content}",
            "log that I spoke with {name}: {content}",
        ),
        typical_followups=(followups.NEXT_STEPS_FOR_RECORD, followups.CREATE_ACTIVITY, followups.LIST_NOTES),
    )
    def create_note(
        self,
        context: ToolContext,
        entity_type: Annotated[SubjectType, "Type of the record it is about"],
        entity_id: Annotated[RecordId, "Id of the entity"],
        content: Annotated[Content, "What the note says, in the user's words"],
        title: Annotated[Text | None, "Title"] = None,
        note_type: Annotated[NoteType, "Kind of note"] = NoteType.GENERAL,
        is_private: Annotated[bool, "True when only the user may see it"] = False,
    ) -> WriteResult[Note]:
        """Create a note. The caller owns it."""
        subject = readable(context.principal, context.records, entity_type, entity_id)
        return crud.create_record(
            context,
            Note,
            related=related_to(subject),
            title=title,
            content=content,
            note_type=note_type,
            is_private=is_private,
        )

    @tool(
        access="delete",
        ordered_by=("delete",),
        examples=(
            "delete the note about {name}",
            "remove that note",
            "erase my last note on {name}",
            "get rid of the note",
        ),
        typical_followups=(followups.ADD_NOTE, followups.LIST_NOTES),
    )
    def delete_note(self, context: ToolContext, note_id: NoteId) -> WriteResult[Note]:
        """Delete a note. The user is asked before it happens."""
        note = crud.read_record(context, Note, note_id)
        return crud.delete_record(context, Note, note.id, expected_version=note.version)
