"""The tool calls of this turn and their results."""

import json
from collections.abc import Sequence
from typing import Any

from msgspec import Struct

from aisha.adapters.llm.planner.state import Ref
from aisha.domain.conversations.tool_results import receipts_in
from aisha.domain.models import ModelMessage


class PlannedCall(Struct, frozen=True):
    """A tool call that the plan needs. `doubt` is the reason why the user must confirm it first; empty for none."""

    tool: str
    arguments: dict[str, Any]
    doubt: str = ""

    @property
    def key(self) -> str:
        return self.tool + json.dumps(self.arguments, sort_keys=True, default=str)


class Outcome(Struct, frozen=True):
    """The JSON value of a call, or its error as the model sees it."""

    value: Any
    error: dict[str, Any] | None = None

    @property
    def reason(self) -> str:
        if self.error is None:
            return ""
        return str(self.error.get("reason") or self.error.get("message") or self.error.get("error") or "it failed")


class Results:
    """Outcomes by call, for the current turn only."""

    def __init__(self, messages: Sequence[ModelMessage]) -> None:
        self._outcomes: dict[str, Outcome] = {}
        self.rounds = 0
        turn = _this_turn(messages)
        names: dict[str, PlannedCall] = {}
        for message in turn:
            if message.tool_calls:
                self.rounds += 1
            for call in message.tool_calls:
                names[call.id] = PlannedCall(call.name, json.loads(call.arguments or "{}"))
            # By tool and arguments rather than by id: the plan is made again in each round and looks its calls up.
            if message.role == "tool" and message.tool_call_id in names:
                self._outcomes[names[message.tool_call_id].key] = _outcome(message.content)

    def record(self, record_id: str) -> dict[str, Any] | None:
        """Return a record that one of this turn's results contains, by id."""
        for outcome in self._outcomes.values():
            for item in items_of(outcome) or [outcome.value]:
                if isinstance(item, dict) and item.get("id") == record_id:
                    return item
        return None

    def changed(self, record_id: str) -> dict[str, Any] | None:
        """Return a record as the last change of this turn left it."""
        written = [item for outcome in self._outcomes.values() for item in items_of(outcome) or [outcome.value]]
        records = [one["record"] for one in written if isinstance(one, dict) and "receipt" in one and "record" in one]
        return next((dict(one) for one in reversed(records) if one.get("id") == record_id), None)

    @property
    def written_names(self) -> list[str]:
        """The names of the records that this turn has written, or has written something about."""
        receipts = [one for outcome in self._outcomes.values() for one in receipts_in(outcome.value)]
        about = [(one.get("after") or {}).get("related") or {} for one in receipts]
        return [str(one.get("name")) for one in (*(receipt["entity"] for receipt in receipts), *about)]

    def replaced(self, record_id: str) -> dict[str, Any]:
        """Return the values that this turn's changes of a record replaced, by field; empty for a new record."""
        receipts = [one for outcome in self._outcomes.values() for one in receipts_in(outcome.value)]
        own = [one for one in receipts if one["action"] == "updated" and one["entity"]["id"] == record_id]
        return {name: value for one in reversed(own) for name, value in (one.get("before") or {}).items()}

    def created(self, record_id: str) -> dict[str, Any] | None:
        """Return a record that this turn created, as it was then."""
        for outcome in self._outcomes.values():
            for one in items_of(outcome) or [outcome.value]:
                receipt = one.get("receipt") if isinstance(one, dict) else None
                if receipt and receipt["action"] == "created" and receipt["entity"]["id"] == record_id:
                    return dict(one["record"])
        return None

    def of(self, call: PlannedCall) -> Outcome | None:
        return self._outcomes.get(call.key)


def _this_turn(messages: Sequence[ModelMessage]) -> Sequence[ModelMessage]:
    for index in range(len(messages) - 1, -1, -1):
        if messages[index].role == "user":
            return messages[index + 1 :]
    return messages


def _outcome(content: str) -> Outcome:
    try:
        value = json.loads(content)
    except ValueError:
        return Outcome(content)
    if isinstance(value, dict) and "error" in value:
        return Outcome(None, value)
    return Outcome(value)


def ref_of(record: dict[str, Any]) -> Ref:
    """Return a tool's record as a reference."""
    kind = str(record.get("entity_type", ""))
    about = record.get("company") or ""
    if kind == "opportunity":
        about = str(record.get("stage", "")).replace("_", " ")
    if kind in ("activity", "note"):
        about = (record.get("related") or {}).get("name") or ""
    return Ref(kind, str(record.get("id", "")), str(record.get("display_name", "")), str(about))


def items_of(outcome: Outcome | None) -> list[dict[str, Any]]:
    """Return the records of a list result; empty when the call failed."""
    return items_in(outcome.value) if outcome is not None else []


def items_in(value: Any) -> list[dict[str, Any]]:
    """Return the objects that the value of a call lists as its items."""
    return [item for item in value.get("items", ()) if isinstance(item, dict)] if isinstance(value, dict) else []
