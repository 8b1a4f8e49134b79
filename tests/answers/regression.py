"""The regression set: the written conversations that the planner holds, and the quick ones of them for `make test`."""

from collections.abc import Collection, Iterable
from pathlib import Path

from tests.support.dialogue.conversations import CONVERSATIONS

FOLDER = Path(__file__).parents[1] / "conversations"
HELD, QUICK = FOLDER / "held.txt", FOLDER / "quick.txt"
"""Files of names of conversations, one in each line."""


def read_names(file: Path) -> list[str]:
    return file.read_text(encoding="utf-8").split()


def write(held_names: Iterable[str]) -> str:
    """Store the names of all conversations that hold, take those that don't out of `quick.txt`, and tell what changed.

    Where the quick ones no longer cover everything, others are added to them.
    """
    before, held_names = set(read_names(HELD) if HELD.exists() else ()), set(held_names)
    _store(HELD, held_names)
    _store(QUICK, quick_of(held_names, set(read_names(QUICK)) & held_names))
    return (
        f"{len(held_names)} conversations hold: {len(held_names - before)} new, {len(before - held_names)} no longer."
    )


def quick_of(held_names: Collection[str], previous: Collection[str]) -> set[str]:
    """Return the quick ones that are kept, and the fewest others that cover what all those held cover."""
    quick, missing = set(previous), covered(held_names) - covered(previous)
    while missing:
        best = max(sorted(held_names), key=lambda name: len(covered([name]) & missing))
        quick.add(best)
        missing -= covered([best])
    return quick


def covered(names: Iterable[str]) -> set[str]:
    """Return the files, users, statuses and expected tools that conversations have."""
    patterns = set()
    for name in names:
        conversation = CONVERSATIONS[name]
        expected = [turn.get("expect", {}) for turn in conversation["turns"]]
        patterns |= {f"file {name.partition('-')[0]}", f"user {conversation.get('user', 'alice')}"}
        patterns |= {f"status {one['status']}" for one in expected if "status" in one}
        patterns |= {f"tool {tool}" for one in expected for tool in (*one.get("tools", ()), *one.get("args", {}))}
    return patterns


def _store(file: Path, names: Iterable[str]) -> None:
    file.write_text("".join(f"{name}\n" for name in sorted(names)), encoding="utf-8")
