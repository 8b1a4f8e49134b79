"""A step of a message: an ask to answer, with what it takes from the dialogue."""

from collections.abc import Mapping

from msgspec import Struct, field

from aisha.adapters.llm.planner.state import Ref
from aisha.domain.language.ask import Ask
from aisha.domain.language.reader import Segment


class Step(Struct, frozen=True):
    """An ask to answer. `bindings` are records chosen by name, `spoken` the names that the message said before it.

    `doubt` is a reason to confirm it first that the ask itself does not show. `denied` is the order that the ask takes
    back, `imagined` the one on which its answer depends.
    """

    ask: Ask
    bindings: Mapping[str, Ref] = field(default_factory=dict)
    spoken: tuple[str, ...] = ()
    doubt: str = ""
    denied: Segment | None = None
    imagined: Segment | None = None
    said: str = ""
    """The words of the message that the ask was put together from, if they are not its text."""

    @property
    def text(self) -> str:
        return self.said or self.ask.text
