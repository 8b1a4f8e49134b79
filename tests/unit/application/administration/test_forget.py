"""Deletion of a user's data in one call, and of nobody else's."""

import ast
from collections.abc import Iterator
from pathlib import Path

from aisha.adapters.memory.embedded import EmbeddedMemoryStore
from aisha.application.administration.forget import OWN_KINDS, SHARED_KINDS, ForgottenUser, forget_user
from aisha.domain.conversations.conversation import Conversation, Message, Session
from aisha.domain.crm.queries import Create, RecordQuery
from aisha.domain.crm.records import Note, Related
from aisha.domain.memory import MemoryChunk
from tests.fakes.models.words_embedder import WordsEmbedder
from tests.fakes.stores.in_memory import FixedClock
from tests.fakes.world import World

SOURCES = Path(__file__).parents[4] / "shared" / "aisha"
TENANT_KINDS = {"tenant", "sweep", "profile", "document"}
"""Kinds of entries that belong to no user."""
NOW = FixedClock().now()


def fill(world: World, store: EmbeddedMemoryStore, tenant: str, user: str) -> None:
    for number in range(60):
        head = Conversation(f"conv_{tenant}{user}{number}", tenant, user, "Talk", NOW, NOW)
        world.conversations.begin(Session(head), Message(f"msg_{number}", 0, "user", "Hello", NOW))
        world.entries.put(tenant, user, "memory", f"memory_{number:03}", {"text": "Likes tea"})
    for kind in OWN_KINDS:
        world.entries.put(tenant, user, kind, f"{kind}_x", {"text": "x"})
    for kind in SHARED_KINDS:
        world.entries.put(tenant, None, kind, f"{kind}_{user}", {"user": user})
    for title in ("Draft: Hello", "Sent: Hello"):
        about = Related(type="lead", id="lead_1")
        note = Note(title=title, content="Dear Jack", note_type="email", related=about, owner=user)
        world.records.write(tenant, [Create(note)])
    text = f"Called Jack {user}"
    store.add([MemoryChunk(f"mem_{user}", tenant, text, NOW, user)], WordsEmbedder().embed([text]))


def forget(world: World, store: EmbeddedMemoryStore | None, tenant: str, user: str) -> ForgottenUser:
    return forget_user(
        tenant, user, conversations=world.conversations, entries=world.entries, records=world.records, memory=store
    )


def stored(world: World, store: EmbeddedMemoryStore, tenant: str, user: str) -> tuple[int, int, list[str], int]:
    entries = [world.entries.page(tenant, user, kind).items for kind in OWN_KINDS]
    shared = [entry for kind in SHARED_KINDS for entry in world.entries.page(tenant, None, kind).items]
    notes = world.records.search(tenant, RecordQuery("note", limit=50)).items
    titles = sorted(str(note.display_name) for note in notes if note.owner == user)
    chunks = "SELECT count(*) FROM chunks WHERE tenant = ? AND user = ?"
    return (
        len(world.conversations.recent(tenant, user, 50, None)[0]),
        sum(map(len, entries)) + sum(entry.body["user"] == user for entry in shared),
        titles,
        store._database.execute(chunks, (tenant, user)).fetchone()[0],
    )


def test_everything_of_the_user_goes_and_nothing_else(store: EmbeddedMemoryStore) -> None:
    world = World()
    people = [("demo", "alice"), ("demo", "bob"), ("rival", "alice")]
    for tenant, user in people:
        fill(world, store, tenant, user)
    others = [stored(world, store, tenant, user) for tenant, user in people[1:]]
    assert forget(world, store, "demo", "alice") == ForgottenUser(
        conversations=60, entries=60 + len(OWN_KINDS) + len(SHARED_KINDS), drafts=1, memories=1
    )
    assert stored(world, store, "demo", "alice") == (0, 0, ["Sent: Hello"], 0)
    assert [stored(world, store, tenant, user) for tenant, user in people[1:]] == others


def test_again_finds_nothing_and_without_memory_it_goes_too(store: EmbeddedMemoryStore) -> None:
    world = World()
    fill(world, store, "demo", "alice")
    forget(world, None, "demo", "alice")
    assert forget(world, store, "demo", "alice") == ForgottenUser(0, 0, 0, 1)
    assert forget(world, None, "demo", "alice") == ForgottenUser(0, 0, 0, None)


def test_every_kind_of_entry_belongs_to_a_user_or_a_tenant() -> None:
    """Name a new kind in `forget.OWN_KINDS`, or here when it belongs to no user."""
    kinds = set()
    for path in [*SOURCES.glob("application/**/*.py"), *SOURCES.glob("tools/*.py")]:
        for node in ast.parse(path.read_text(encoding="utf-8")).body:
            if isinstance(node, ast.Assign) and isinstance(node.value, ast.Constant | ast.Tuple):
                kinds |= set(_kinds(node))
    assert kinds - {*OWN_KINDS, *SHARED_KINDS} - TENANT_KINDS == set()
    assert {"receipt", "notification", "preferences"} <= kinds


_KIND_NAMES = ("KIND", "PREFERENCES", "NOTIFICATION", "DISMISSED_ACTIVITY")


def _kinds(node: ast.Assign) -> Iterator[str]:
    for target in node.targets:
        names = target.elts if isinstance(target, ast.Tuple) else [target]
        values = node.value.elts if isinstance(node.value, ast.Tuple) else [node.value]
        for name, value in zip(names, values, strict=False):
            is_kind = isinstance(name, ast.Name) and name.id in _KIND_NAMES
            if is_kind and isinstance(value, ast.Constant) and isinstance(value.value, str):
                yield value.value
