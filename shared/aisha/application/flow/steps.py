"""The steps of a plan, and how the arguments of one refer to the result of an earlier one."""

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Literal

from msgspec import Struct

from aisha.domain.errors import InvalidInputError, NotFoundError
from aisha.domain.tools import ToolCall

StepStatus = Literal["planned", "executed", "failed", "rejected", "skipped", "undone"]
REFERENCE = "$step"
RECORD = "record"
_PATH = re.compile(r"\w{1,40}(?:\.\w{1,40}){0,5}")


class Intent(Struct, frozen=True):
    """What the user wants, in words, and how surely it was understood: 0 to 100."""

    text: str
    confidence: float


class Step(Struct):
    """One call of a plan. `id` counts from 1; `reason` says why it was not done; `flow` is the named flow it is part of.

    Instead of a value, an argument may be `{"$step": 1, "path": "record.id"}`: what the result of step 1 has there.
    `value` is the result of a step that ran.
    """

    id: int
    tool: str
    arguments: dict[str, Any]
    description: str = ""
    status: StepStatus = "planned"
    reason: str = ""
    flow: str | None = None
    value: Any = None
    call: ToolCall | None = None

    def stored(self) -> dict[str, Any]:
        """The step as it waits for the user."""
        kept = {"id": self.id, "tool": self.tool, "arguments": self.arguments, "description": self.description}
        more = {"status": self.status, "reason": self.reason, "flow": self.flow}
        return kept | {name: value for name, value in more.items() if value}

    @classmethod
    def restored(cls, kept: Mapping[str, Any]) -> "Step":
        return cls(**kept)

    def end(self, status: StepStatus, reason: str = "") -> None:
        self.status, self.reason = status, reason


class SeveralRecordsError(Exception):
    """A reference to the one record of a step that found several."""

    def __init__(self, step_id: int, items: Sequence[Mapping[str, Any]]) -> None:
        super().__init__(f"step {step_id} found several records")
        self.step_id = step_id
        self.items = tuple(items)


def references(arguments: Any) -> Iterator[tuple[int, str]]:
    """Step and path of every reference. Raises `InvalidInputError` for one that is not whole."""
    if isinstance(arguments, Mapping):
        if REFERENCE in arguments:
            yield _reference(arguments)
            return
        for value in arguments.values():
            yield from references(value)
    elif isinstance(arguments, list):
        for value in arguments:
            yield from references(value)


def check_references(steps: Sequence[Step]) -> None:
    """Raises `InvalidInputError` when a step refers to one that does not come before it."""
    for place, step in enumerate(steps):
        earlier = {other.id for other in steps[:place]}
        for number, _ in references(step.arguments):
            if number not in earlier:
                raise InvalidInputError(f"Step {step.id} refers to step {number}, which does not come before it")


def resolved(arguments: Any, values: Mapping[int, Any]) -> Any:
    """The arguments with values instead of references; those to steps that have no value stay.

    Raises `NotFoundError` for what is not there, `SeveralRecordsError`, and `InvalidInputError` when it is no plain value.
    """
    if isinstance(arguments, Mapping):
        if REFERENCE not in arguments:
            return {name: resolved(value, values) for name, value in arguments.items()}
        number, path = _reference(arguments)
        return _plain(number, path, values[number]) if number in values else dict(arguments)
    return [resolved(value, values) for value in arguments] if isinstance(arguments, list) else arguments


_WORD = re.compile(r"step(\d+)~([\w.]+)")


def as_words(value: Any) -> Any:
    """The arguments with a word instead of each reference, to be validated or to go through code that knows no references."""
    if isinstance(value, Mapping):
        if REFERENCE in value:
            return f"step{value[REFERENCE]}~{value['path']}"
        return {name: as_words(item) for name, item in value.items()}
    return [as_words(item) for item in value] if isinstance(value, list) else value


def from_words(value: Any) -> Any:
    """The reverse of `as_words`."""
    if isinstance(value, Mapping):
        return {name: from_words(item) for name, item in value.items()}
    if isinstance(value, list):
        return [from_words(item) for item in value]
    match = _WORD.fullmatch(value) if isinstance(value, str) else None
    return {REFERENCE: int(match[1]), "path": match[2]} if match else value


def _reference(value: Mapping[str, Any]) -> tuple[int, str]:
    number, path = value.get(REFERENCE), value.get("path")
    whole = value.keys() == {REFERENCE, "path"} and isinstance(number, int) and isinstance(path, str)
    if not whole or isinstance(number, bool) or not _PATH.fullmatch(str(path)):
        raise InvalidInputError('A reference to an earlier step is {"$step": 1, "path": "record.id"}')
    return int(str(number)), str(path)


def _plain(number: int, path: str, value: Any) -> Any:
    for part in path.split("."):
        value = _member(number, part, value)
    if isinstance(value, Mapping | list) or value is None:
        raise InvalidInputError(f"Step {number} has no single value at {path!r}")
    return value


def _member(number: int, part: str, value: Any) -> Any:
    if isinstance(value, Mapping):
        if part in value:
            return value[part]
        if part == RECORD:
            return _record(number, value)
    elif isinstance(value, list) and part.isdecimal() and int(part) < len(value):
        return value[int(part)]
    raise NotFoundError(f"Step {number} brought no {part.replace('_', ' ')}")


def _record(number: int, value: Mapping[str, Any]) -> Any:
    """The one record of a result: the only one found, the one read, or the one written."""
    if isinstance(items := value.get("items"), list):
        records = [item for item in items if isinstance(item, Mapping)]
        if len(records) > 1:
            raise SeveralRecordsError(number, records)
        if not records:
            raise NotFoundError("No such record was found")
        return records[0].get(RECORD, records[0])
    if "entity_type" in value:
        return value
    for member in value.values():
        if isinstance(member, Mapping) and "entity_type" in member:
            return member
    raise NotFoundError(f"Step {number} brought no record")
