"""The regression set: the written conversations that the planner holds, and the quick ones of them for `make test`."""

from collections.abc import Collection, Iterable
from pathlib import Path

from tests.support.dialogue.conversations import CONVERSATIONS

FOLDER = Path(__file__).parents[1] / "conversations"
HELD, QUICK = FOLDER / "held.txt", FOLDER / "quick.txt"
"""Files of names of conversations, one in each line."""


def read_names(file: Path) -> list[str]:
    return file.read_text(encoding="utf-8").split()


def write(held: Iterable[str]) -> str:
    """Store the names of all conversations that hold, take those that don't out of `quick.txt`, and tell what changed.

    Where the quick ones no longer cover everything, others are added to them.
    """
    before, held = set(read_names(HELD) if HELD.exists() else ()), set(held)
    _store(HELD, held)
    _store(QUICK, quick_of(held, set(read_names(QUICK)) & held))
    return f"{len(held)} conversations hold: {len(held - before)} new, {len(before - held)} no longer."


def quick_of(held: Collection[str], kept: Collection[str]) -> set[str]:
    """Return the quick ones that are kept, and the fewest others that cover what all those held cover."""
    quick, missing = set(kept), covered(held) - covered(kept)
    while missing:
        best = max(sorted(held), key=lambda name: len(covered([name]) & missing))
        quick.add(best)
        missing -= covered([best])
    return quick


def covered(names: Iterable[str]) -> set[str]:
    """Return the files, users, statuses and expected tools that conversations have."""
    found = set()
    for name in names:
        conversation = CONVERSATIONS[name]
        expected = [turn.get("expect", {}) for turn in conversation["turns"]]
        found |= {f"file {name.partition('-')[0]}", f"user {conversation.get('user', 'alice')}"}
        found |= {f"status {one['status']}" for one in expected if "status" in one}
        found |= {f"tool {tool}" for one in expected for tool in (*one.get("tools", ()), *one.get("args", {}))}
    return found


def _store(file: Path, names: Iterable[str]) -> None:
    file.write_text("".join(f"{name}\n" for name in sorted(names)), encoding="utf-8")
