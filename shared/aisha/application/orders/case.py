"""A call that is judged, with the user's words and the facts about its records."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cached_property
from typing import Any, Literal

from msgspec import Struct
from msgspec.structs import replace

from aisha.application.orders.matching.targets import Focus, RecordMention, ids_in
from aisha.application.orders.reading.utterance import Utterance
from aisha.domain.ids import ENTRY_KINDS
from aisha.domain.language.acts import FIELD_CHANGE_ACTS
from aisha.domain.tools import ToolCall, ToolSpec

Finding = Literal["ordered", "denied", "unordered", "unread"]
CHANGE_OF_TIME = "change_activity"
_UNCHECKED_KINDS = frozenset(kind for kind in ENTRY_KINDS if kind == "receipt")


class Judgement(Struct, frozen=True):
    """The judgement on one call: `reason` says, in words for the user, why the call waits.

    It is empty for a call that is `ordered`. `denied` means that the user said not to, `unordered` that they ordered
    something else, and `unread` that the message was not understood or that no order was found in it.
    """

    finding: Finding
    reason: str = ""

    @property
    def is_ordered(self) -> bool:
        """True if the call runs without a question."""
        return self.finding == "ordered"


ORDERED = Judgement("ordered")


class CallContext(Struct, frozen=True):
    """The facts about a call's records, beside the user's words.

    `focus` has the records that words without a name may refer to. `mention_of` returns the words by which a user may
    name a record, `stored_fields_of` its fields as they are now, both by its id. `user` is the caller's id.
    `untrusted_sources` names, for the user, the kinds of texts by others that the model has seen in this conversation.
    `assistant_name` is what the user calls the assistant.
    """

    focus: Focus
    mention_of: Callable[[str], RecordMention]
    stored_fields_of: Callable[[str], Mapping[str, Any]]
    user: str = ""
    untrusted_sources: Sequence[str] = ()
    assistant_name: str = ""


class Case(Struct, frozen=True, dict=True):
    """A call with the utterance that may order it. `is_denied_on_purpose` is True where a denial orders the call."""

    call: ToolCall
    utterance: Utterance
    context: CallContext
    is_denied_on_purpose: bool = False

    @property
    def spec(self) -> ToolSpec:
        """The tool of the call."""
        assert self.call.spec is not None  # noqa: S101 - a call without a spec can't run
        return self.call.spec

    @cached_property
    def acts(self) -> tuple[str, ...]:
        """The acts that order the call."""
        return acts_of(self.spec, self.call.arguments)

    @property
    def changes_field(self) -> bool:
        """True for a call that changes a field of a record."""
        return bool(FIELD_CHANGE_ACTS.intersection(self.acts))

    @property
    def has_values(self) -> bool:
        """True for a call with more than records, an action and a kind."""
        return any(value_names(self.call.arguments))

    @cached_property
    def records(self) -> list[RecordMention]:
        """The records that the call is about."""
        ids = [one for one in ids_in(self.call.arguments) if one.partition("_")[0].lower() not in _UNCHECKED_KINDS]
        return [self.context.mention_of(record_id) for record_id in ids]

    def with_utterance(self, utterance: Utterance) -> "Case":
        """Return the same call with other words."""
        return replace(self, utterance=utterance)


def acts_of(spec: ToolSpec, arguments: Mapping[str, Any]) -> tuple[str, ...]:
    """Return the acts that order a call: those of its tool, and those of its action or status."""
    action = arguments.get("action") or arguments.get("status")
    # An entry is "act", or "action:act" for calls with this action or status.
    entries = [entry.partition(":") for entry in spec.ordered_by]
    acts = tuple(act if colon else prefix for prefix, colon, act in entries if not colon or prefix == action)
    # A deal is put off in the words of an activity: "postpone it to Friday".
    return (*acts, CHANGE_OF_TIME) if changes_closing_alone(arguments) and CHANGE_OF_TIME not in acts else acts


def changes_closing_alone(arguments: Mapping[str, Any]) -> bool:
    """Return whether a call only changes the day on which a deal closes."""
    return list(value_names(arguments)) == ["close_date"]


def value_names(arguments: Mapping[str, Any]) -> Iterator[str]:
    """Yield the names of the arguments that are no record, action or kind."""
    for name in arguments:
        if name not in ("entity_type", "action") and not name.endswith("_id"):
            yield name
