"""Notes about leads, contacts, accounts and opportunities."""

from typing import Annotated

from pydantic import Field

from aisha.application.tooling import ToolContext, tool, toolkit
from aisha.application.tooling.parameters import Cursor, Limit, Owner, Text, conditions, owner_id
from aisha.application.tooling.parameters import query as record_query
from aisha.application.tooling.results import RecordList, WriteResult
from aisha.application.tooling.visibility import readable, readable_page, related_to
from aisha.domain.dates.parsing import When
from aisha.domain.queries import Create, Delete
from aisha.domain.records import Note, NoteType, NoteTypeInput, SubjectType
from aisha.domain.tools import FollowUp

SubjectId = Annotated[str, Field(min_length=1, max_length=60)]
NoteId = Annotated[str, Field(min_length=1, max_length=60), "Id of a note, as list_notes gives it"]
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
        typical_followups=(
            FollowUp("Add a note about {name}", "📝", "create_note"),
            FollowUp("What should I do next with {name}?", "💡", "suggest_next_actions"),
            FollowUp("Create an activity for {name}", "📅", "create_activity"),
        ),
    )
    def list_notes(
        self,
        context: ToolContext,
        entity_type: Annotated[SubjectType, "Type of the record the notes are about"],
        entity_id: Annotated[SubjectId, "Id of that record"],
        note_type: Annotated[NoteTypeInput | None, "Kind of note"] = None,
        limit: Limit = 10,
        cursor: Cursor = None,
    ) -> RecordList[Note]:
        """List the notes about one record, newest first. Other users' private notes are left out."""
        readable(context.principal, context.records, entity_type, entity_id)
        where = conditions(related__id=entity_id, note_type=note_type)
        wanted = record_query("note", None, limit, cursor, where)
        return RecordList[Note].of(readable_page(context.principal, context.records, wanted))

    @tool(
        examples=(
            "search my notes for {query}",
            "which notes mention {query}",
            "find notes about {query}",
            "notes containing {query}",
        ),
        typical_followups=(
            FollowUp("What should I do next?", "💡", "suggest_next_actions"),
            FollowUp("What should I prioritize today?", "📅", "get_my_day"),
        ),
    )
    def search_notes(
        self,
        context: ToolContext,
        query: Annotated[str, Field(min_length=1, max_length=200), "Words that the note must have"],
        note_type: Annotated[NoteTypeInput | None, "Kind of note"] = None,
        owner: Owner = None,
        created_after: Annotated[When | None, "Written from this time on"] = None,
        created_before: Annotated[When | None, "Written up to this time"] = None,
        limit: Limit = 10,
        cursor: Cursor = None,
    ) -> RecordList[Note]:
        """Find notes on any record by the words in them, newest first. Other users' private notes are left out."""
        where = conditions(
            note_type=note_type, owner=owner_id(context, owner), created_at__gte=created_after,
            created_at__lte=created_before,
        )  # fmt: skip
        wanted = record_query("note", query, limit, cursor, where)
        return RecordList[Note].of(readable_page(context.principal, context.records, wanted))

    @tool(
        access="write",
        always=True,
        examples=(
            "add a note about {name}: {content}",
            "note on {name}: {content}",
            "write down that {name} {content}",
            "remember that {name} {content}",
            "log that I spoke with {name}: {content}",
        ),
        typical_followups=(
            FollowUp("What should I do next with {name}?", "💡", "suggest_next_actions"),
            FollowUp("Create an activity for {name}", "📅", "create_activity"),
            FollowUp("Are there any notes about {name}?", "🗒️", "list_notes"),
        ),
    )
    def create_note(
        self,
        context: ToolContext,
        entity_type: Annotated[SubjectType, "Type of the record the note is about"],
        entity_id: Annotated[SubjectId, "Id of that record"],
        content: Annotated[Content, "What the note says, in the user's words"],
        title: Annotated[Text | None, "Title"] = None,
        note_type: Annotated[NoteTypeInput, "Kind of note"] = NoteType.GENERAL,
        is_private: Annotated[bool, "True when only the user may see it"] = False,
    ) -> WriteResult[Note]:
        """Write a note about a record. The caller owns it."""
        subject = readable(context.principal, context.records, entity_type, entity_id)
        note = Note(
            content=content, title=title, note_type=note_type, is_private=is_private, related=related_to(subject),
            owner=context.principal.user,
        )  # fmt: skip
        return WriteResult[Note].of(context.records.write(Create(note))[0])

    @tool(
        access="delete",
        examples=(
            "delete the note about {name}",
            "remove that note",
            "erase my last note on {name}",
            "get rid of the note",
        ),
        typical_followups=(
            FollowUp("Add a note about {name}", "📝", "create_note"),
            FollowUp("Are there any notes about {name}?", "🗒️", "list_notes"),
        ),
    )
    def delete_note(self, context: ToolContext, note_id: NoteId) -> WriteResult[Note]:
        """Delete a note. The user is asked before it happens."""
        note = readable(context.principal, context.records, "note", note_id)
        return WriteResult[Note].of(context.records.write(Delete("note", note.id, expected_version=note.version))[0])
