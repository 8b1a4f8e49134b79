"""The steps of a plan, and references from the arguments of one step to the result of an earlier one."""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, Literal

from msgspec import Struct

from aisha.domain.errors import InvalidInputError, NotFoundError
from aisha.domain.json_values import values_in, with_texts
from aisha.domain.tools import ToolCall

StepStatus = Literal["planned", "executed", "failed", "rejected", "skipped", "undone"]
REFERENCE = "$step"
RECORD = "record"
# Such as "record.id" or "items.0.name": at most six parts of letters, digits and underscores.
_PATH = re.compile(r"\w{1,40}(?:\.\w{1,40}){0,5}")


class Intent(Struct, frozen=True):
    """The user's intent in words, and the confidence in it, 0 to 100."""

    text: str
    confidence: float


class Step(Struct):
    """One call of a plan.

    `id` counts from 1. An argument may be a reference, `{"$step": 1, "path": "record.id"}`, to the value at that path
    in the result of step 1. `reason` explains why the step was not done. `flow` is the named flow that it belongs to.
    `value` is the result of an executed step, `doubt` that of its request.
    """

    id: int
    tool: str
    arguments: dict[str, Any]
    description: str = ""
    status: StepStatus = "planned"
    reason: str = ""
    flow: str | None = None
    doubt: str = ""
    value: Any = None
    call: ToolCall | None = None

    def stored(self) -> dict[str, Any]:
        """Return the step as JSON, to be stored with the pending question; `Step(**stored)` restores it."""
        body = {"id": self.id, "tool": self.tool, "arguments": self.arguments, "description": self.description}
        optional = {"status": self.status, "reason": self.reason, "flow": self.flow, "doubt": self.doubt}
        return body | {name: value for name, value in optional.items() if value}

    def end(self, status: StepStatus, reason: str = "") -> None:
        self.status, self.reason = status, reason


class SeveralRecordsError(Exception):
    """A reference to the record of a step that has found several records, `items`."""

    def __init__(self, step_id: int, items: Sequence[Mapping[str, Any]]) -> None:
        super().__init__(f"step {step_id} found several records")
        self.step_id = step_id
        self.items = tuple(items)


def references(arguments: Any) -> Iterator[tuple[int, str]]:
    """Yield step and path of every reference. Raises `InvalidInputError` for a malformed one."""
    for value in values_in(arguments):
        if isinstance(value, Mapping) and REFERENCE in value:
            yield _reference(value)


def with_references(arguments: Any, change: Callable[[int, str], Any]) -> Any:
    """Return the arguments with `change(step, path)` in place of each reference.

    Raises `InvalidInputError` for a malformed one.
    """
    if isinstance(arguments, Mapping):
        if REFERENCE in arguments:
            return change(*_reference(arguments))
        return {name: with_references(value, change) for name, value in arguments.items()}
    return [with_references(value, change) for value in arguments] if isinstance(arguments, list) else arguments


def reference_to(step: int, path: str) -> dict[str, Any]:
    """Return a reference to the value at `path` in the result of a step."""
    return {REFERENCE: step, "path": path}


def check_references(steps: Sequence[Step]) -> None:
    """Raise `InvalidInputError` when a step refers to one that does not come before it."""
    for place, step in enumerate(steps):
        earlier = {other.id for other in steps[:place]}
        for number, _ in references(step.arguments):
            if number not in earlier:
                raise InvalidInputError(f"Step {step.id} refers to step {number}, which does not come before it")


def resolve(arguments: Any, values: Mapping[int, Any]) -> Any:
    """Return the arguments with values instead of references; references to steps without a value stay.

    Raises `NotFoundError` for a path that does not exist, `SeveralRecordsError` for the record of a result with
    several, and `InvalidInputError` for a value that is an object, a list or null.
    """

    def value_of(number: int, path: str) -> Any:
        return _plain(number, path, values[number]) if number in values else reference_to(number, path)

    return with_references(arguments, value_of)


# A reference as text, such as "step1~record.id".
_WORD = re.compile(r"step(\d+)~([\w.]+)")


def encode_references(value: Any) -> Any:
    """Return the arguments with a text in place of each reference, for validation and for code that expects texts."""
    return with_references(value, lambda number, path: f"step{number}~{path}")


def decode_references(value: Any) -> Any:
    """Return the arguments with references in place of the texts of `encode_references`."""
    return with_texts(value, _decoded)


def _decoded(text: str) -> Any:
    match = _WORD.fullmatch(text)
    return reference_to(int(match[1]), match[2]) if match else text


def _reference(value: Mapping[str, Any]) -> tuple[int, str]:
    number, path = value.get(REFERENCE), value.get("path")
    whole = value.keys() == {REFERENCE, "path"} and isinstance(number, int) and isinstance(path, str)
    # In Python `True` is an int.
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
    """Return the record of a result: the only one of a list, the one that was read, or the one that was written."""
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
