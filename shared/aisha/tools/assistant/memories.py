"""The tool for memories, the facts that the user asked to remember."""

from datetime import datetime
from typing import Annotated, Literal

from pydantic import Field

from aisha.application.memory import user_memories
from aisha.application.tooling import ToolContext, followups, tool, toolkit
from aisha.application.tooling.arguments.parameters import Cursor, Limit, RecordId, check_action, require_argument
from aisha.application.tooling.results import EntityRef, Receipt
from aisha.domain.deferred_model import DeferredModel
from aisha.domain.entries import Entry

MemoryAction = Literal["search", "create", "update", "delete", "list", "get"]
_ARGUMENTS = {
    "search": ("query",),
    "create": ("text",),
    "update": ("memory_id", "text"),
    "delete": ("memory_id",),
    "list": ("cursor",),
    "get": ("memory_id",),
}


class Memory(DeferredModel):
    """A fact to remember, in the user's words."""

    id: str
    text: str
    created_at: datetime
    updated_at: datetime


class Memories(DeferredModel):
    """The memories that match, or the one that was written. `total` is missing when only some were read."""

    items: list[Memory]
    total: int | None = None
    next_cursor: str | None = None
    receipt: Receipt | None = None


@toolkit(name="assistant", description="What the assistant keeps for the user, and how it answers them.")
class MemoriesKit:
    @tool(
        access="write",
        ordered_by=("create:remember", "update:remember", "delete:forget"),
        confirmation="always",
        always=True,
        read_actions=("search", "list", "get"),
        guidance="When the user asks to remember something, or what was to be remembered, use memory. A fact about one "
        "record that is of interest to colleagues is a note on it instead. Never store passwords or card numbers.",
        examples=(
            "remember that {text}",
            "what did I ask you to remember about {query}",
            "what do you remember about {query}",
            "forget what I told you about {query}",
            "list everything I asked you to remember",
        ),
        typical_followups=(followups.MEMORIES, followups.STICKY_NOTES, followups.NEXT_STEPS),
    )
    def memory(
        self,
        context: ToolContext,
        action: Annotated[MemoryAction, "What to do"],
        query: Annotated[str | None, Field(min_length=1, max_length=200), "search: words to find"] = None,
        text: Annotated[
            str | None,
            Field(min_length=1, max_length=2000),
            "create, update: what to remember, as one sentence that is clear on its own, with names",
        ] = None,
        memory_id: Annotated[RecordId | None, "get, update, delete: id of a memory, as search gives it"] = None,
        limit: Limit = 10,
        cursor: Cursor = None,
    ) -> Memories:
        """Remember things for the user: create, search, list, get, update and delete memories that last.

        Only this user ever sees them. Search matches words regardless of their ending, the best first, within the
        newest 1000; list returns the newest first, page by page. Creating a memory that exists already changes nothing.
        """
        check_action(action, _ARGUMENTS, query=query, text=text, memory_id=memory_id, cursor=cursor)
        if action == "list":
            page = context.own.page(user_memories.KIND, limit=limit, cursor=cursor)
            # Known only where one page holds the whole list.
            total = len(page.items) if cursor is None and page.next_cursor is None else None
            items = [_to_memory(entry) for entry in page.items]
            return Memories(items=items, total=total, next_cursor=page.next_cursor)
        # Words are compared here, in the newest 1000: the store has no index of words.
        if action == "search":
            matches = user_memories.search(context.own, _require("query", query))
            return Memories(items=[_to_memory(entry) for entry in matches[:limit]], total=len(matches))
        if action == "create":
            return _create(context, _require("text", text))
        entry = context.own.get(user_memories.KIND, _require("memory_id", memory_id))
        if action == "get":
            return _result(entry)
        return _delete(context, entry) if action == "delete" else _update(context, entry, _require("text", text))


def _create(context: ToolContext, text: str) -> Memories:
    # No error: what the user wanted holds already.
    if (duplicate := user_memories.find_duplicate(context.own, text)) is not None:
        context.log("It is remembered already.")
        return _result(duplicate)
    entry = context.own.add(user_memories.KIND, {"text": text})
    return _result(entry, Receipt(action="created", entity=_ref(entry), after={"text": text}))


def _update(context: ToolContext, entry: Entry, text: str) -> Memories:
    # With the version read before, so that a change made meanwhile is not overwritten.
    updated = context.own.put(user_memories.KIND, entry.id, {"text": text}, expected_version=entry.version)
    before = {"text": user_memories.text_of(entry)}
    return _result(updated, Receipt(action="updated", entity=_ref(updated), before=before, after={"text": text}))


def _delete(context: ToolContext, entry: Entry) -> Memories:
    context.own.delete(user_memories.KIND, entry.id)
    before = {"text": user_memories.text_of(entry)}
    return _result(entry, Receipt(action="deleted", entity=_ref(entry), before=before))


def _result(entry: Entry, receipt: Receipt | None = None) -> Memories:
    return Memories(items=[_to_memory(entry)], total=1, receipt=receipt)


def _require(name: str, value: str | None) -> str:
    return require_argument(name, value, f"Give the {name.replace('_', ' ')}.")


def _ref(entry: Entry) -> EntityRef:
    return EntityRef(type="memory", id=entry.id, name=user_memories.text_of(entry)[:60])


def _to_memory(entry: Entry) -> Memory:
    return Memory.from_attributes(entry, text=user_memories.text_of(entry))
