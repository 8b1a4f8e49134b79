"""The planner's memory between turns. It travels as the message's `provider_state`, opaque to other models."""

from typing import Any, Literal

from msgspec import Struct, convert, field, to_builtins

from aisha.domain.conversations.conversation import Message


class Ref(Struct, frozen=True):
    """A reference to a record. `about` is the company or another word that distinguishes namesakes."""

    type: str
    id: str
    name: str
    about: str = ""

    @property
    def shown(self) -> str:
        return f"{self.name} ({self.about})" if self.about and self.about != self.name else self.name


class Question(Struct, frozen=True):
    """The planner's last question.

    which: one of `candidates` for the name `name` in `text`. who: a name that `text` lacks. missing: `field` for a
    call of `tool` with `arguments`. offer: to do what `text` says.
    """

    kind: Literal["which", "who", "missing", "offer"]
    text: str = ""
    name: str = ""
    candidates: tuple[Ref, ...] = ()
    tool: str = ""
    arguments: dict[str, Any] = field(default_factory=dict)
    field: str = ""


class Topic(Struct, frozen=True):
    """The subject of the last answer: the records listed, and the search that a follow-up continues.

    `counted`: the answer was a number. `asked`: the words that "and Ann?" and "the same for Ann" repeat.
    """

    refs: tuple[Ref, ...] = ()
    tool: str = ""
    arguments: dict[str, Any] = field(default_factory=dict)
    total: int | None = None
    label: str = ""
    written: str = ""
    counted: bool = False
    asked: str = ""


class DialogueState(Struct, frozen=True):
    question: Question | None = None
    topic: Topic = Topic()

    def to_json(self) -> dict[str, Any]:
        return {"planner": 1, **to_builtins(self)}


def restore(history: tuple[Message, ...]) -> DialogueState:
    """Return the state after the last answer; empty when another model gave it."""
    last = next((message for message in reversed(history) if message.role == "assistant"), None)
    raw = last.provider_state if last is not None else None
    if not raw or raw.get("planner") != 1:
        return DialogueState()
    return convert(raw, DialogueState)
