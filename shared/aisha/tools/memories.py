"""Memories: what the user asked to remember."""

from datetime import datetime
from typing import Annotated, Literal

from pydantic import Field

from aisha.application.memory import user_memories
from aisha.application.tooling import ToolContext, followups, tool, toolkit
from aisha.application.tooling.parameters import Cursor, Limit, check_action
from aisha.application.tooling.results import EntityRef, Receipt
from aisha.domain.deferred_model import DeferredModel
from aisha.domain.entries import Entry
from aisha.domain.errors import MissingFieldError

MemoryAction = Literal["search", "create", "update", "delete", "list", "get"]
_TAKES = {
    "search": ("query",), "create": ("text",), "update": ("memory_id", "text"), "delete": ("memory_id",),
    "list": ("cursor",), "get": ("memory_id",),
}  # fmt: skip
_REMEMBERED = followups.MEMORIES


class Memory(DeferredModel):
    """Something to remember, in the user's words."""

    id: str
    text: str
    created_at: datetime
    updated_at: datetime


class Memories(DeferredModel):
    """The memories found, or the one written. `total` is missing where only some were read; `receipt` says what was written."""

    items: list[Memory]
    total: int | None = None
    next_cursor: str | None = None
    receipt: Receipt | None = None


@toolkit(name="assistant", description="What the assistant keeps for the user, and how it answers them.")
class MemoriesKit:
    @tool(
        access="write",
        always=True,
        read_actions=("search", "list", "get"),
        guidance="Asked to remember something, or what was to be remembered, use memory. What is about one record and of "
        "interest to colleagues is a note on it instead. Never store passwords or card numbers.",
        examples=(
            "remember that {text}",
            "what did I ask you to remember about {query}",
            "what do you remember about {query}",
            "forget what I told you about {query}",
            "list everything I asked you to remember",
        ),
        typical_followups=(
            _REMEMBERED,
            followups.STICKY_NOTES,
            followups.NEXT_STEPS,
        ),
    )
    def memory(
        self,
        context: ToolContext,
        action: Annotated[MemoryAction, "What to do"],
        query: Annotated[str | None, Field(min_length=1, max_length=200), "search: words of what is looked for"] = None,
        text: Annotated[
            str | None,
            Field(min_length=1, max_length=2000),
            "create, update: what to remember, as one sentence that is clear on its own, with names",
        ] = None,
        memory_id: Annotated[
            str | None, Field(min_length=1, max_length=60), "get, update, delete: id of a memory, as search gives it"
        ] = None,
        limit: Limit = 10,
        cursor: Cursor = None,
    ) -> Memories:
        """Remember things for the user across conversations: create, search, list, get, update and delete memories.

        Only this user ever sees them. Search finds by words, whatever their ending, the best first, within the newest
        1000; list gives the newest first, page by page. Creating what is remembered already changes nothing.
        """
        check_action(action, _TAKES, query=query, text=text, memory_id=memory_id, cursor=cursor)
        if action == "list":
            page = context.own.page(user_memories.KIND, limit=limit, cursor=cursor)
            total = len(page.items) if cursor is None and page.next_cursor is None else None
            return Memories(items=[_shown(one) for one in page.items], total=total, next_cursor=page.next_cursor)
        if action == "search":
            found = user_memories.search(context.own, _given("query", query))
            return Memories(items=[_shown(one) for one in found[:limit]], total=len(found))
        if action == "create":
            return _created(context, _given("text", text))
        entry = context.own.get(user_memories.KIND, _given("memory_id", memory_id))
        if action == "get":
            return Memories(items=[_shown(entry)], total=1)
        return _deleted(context, entry) if action == "delete" else _updated(context, entry, _given("text", text))


def _created(context: ToolContext, text: str) -> Memories:
    if (known := user_memories.find_duplicate(context.own, text)) is not None:
        context.log("It is remembered already.")
        return Memories(items=[_shown(known)], total=1)
    entry = context.own.add(user_memories.KIND, {"text": text})
    return _written(entry, Receipt(action="created", entity=_ref(entry), after={"text": text}))


def _updated(context: ToolContext, entry: Entry, text: str) -> Memories:
    changed = context.own.put(user_memories.KIND, entry.id, {"text": text}, expected_version=entry.version)
    before = {"text": user_memories.text_of(entry)}
    return _written(changed, Receipt(action="updated", entity=_ref(changed), before=before, after={"text": text}))


def _deleted(context: ToolContext, entry: Entry) -> Memories:
    context.own.delete(user_memories.KIND, entry.id)
    before = {"text": user_memories.text_of(entry)}
    return _written(entry, Receipt(action="deleted", entity=_ref(entry), before=before))


def _written(entry: Entry, receipt: Receipt) -> Memories:
    return Memories(items=[_shown(entry)], total=1, receipt=receipt)


def _given(name: str, value: str | None) -> str:
    if value is None:
        raise MissingFieldError(name, suggestion=f"Give the {name.replace('_', ' ')}.")
    return value


def _ref(entry: Entry) -> EntityRef:
    return EntityRef(type="memory", id=entry.id, name=user_memories.text_of(entry)[:60])


def _shown(entry: Entry) -> Memory:
    return Memory(
        id=entry.id, text=user_memories.text_of(entry), created_at=entry.created_at, updated_at=entry.updated_at
    )
