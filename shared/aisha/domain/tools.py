"""The specification of a tool, and one call of it."""

from collections.abc import Callable, Mapping
from enum import StrEnum
from time import perf_counter, time_ns
from typing import Any, Literal, Protocol, Self

from msgspec import Struct, field
from msgspec.structs import replace

from aisha.domain.conversations.conversation import SessionEntity
from aisha.domain.crm.custom_fields import CustomField
from aisha.domain.errors import AishaError, ConflictError, PermissionDeniedError, ToolFailedError

Access = Literal["read", "write", "delete", "external"]
ConfirmationPolicy = Literal["none", "destructive", "always"]
Client = Literal["api", "widget", "voice", "mcp", "copilot", "external", "schedule"]
ALL_CLIENTS: tuple[Client, ...] = ("api", "widget", "voice", "mcp", "schedule")
FOREIGN = frozenset(("http", "mcp", "github"))
"""Toolkits whose results come from other systems."""
DECLARED = FOREIGN - {"github"}
"""Toolkits whose tools are declared by a file or a server: the names and values of their arguments are not ours."""


class ToolStatus(StrEnum):
    PENDING = "pending"
    EXECUTED = "executed"
    FAILED = "failed"
    REJECTED = "rejected"
    NOT_FOUND = "not_found"


class FollowUp(Struct, frozen=True):
    """A next step to offer to the user. `{name}` in `text` becomes the record's name.

    It is offered only to users who may use its `tool`.
    """

    text: str
    icon: str = "💡"
    tool: str | None = None
    arguments: Mapping[str, Any] | None = None


class ToolSpec(Struct, frozen=True):
    """The data of a tool, for the catalogue, the models and the policy; its code is elsewhere."""

    name: str
    description: str
    parameters: dict[str, Any]
    """JSON Schema 2020-12 of the arguments."""
    returns: dict[str, Any]
    """JSON Schema 2020-12 of the result."""
    toolkit: str
    access: Access = "read"
    confirmation: ConfirmationPolicy = "none"
    module: str | None = None
    role: str | None = None
    always: bool = False
    """True to send it to the model in every turn; others when the router or `req_more_info` picks them."""
    persistent: bool = True
    """True if its calls are stored with the message."""
    clients: tuple[Client, ...] = ALL_CLIENTS
    """The doors that offer it."""
    guidance: str | None = None
    """A text for the prompt while the tool is attached."""
    typical_followups: tuple[FollowUp, ...] = ()
    examples: tuple[str, ...] = ()
    """Sentences that ask for it, with `{slots}`, which the offline planner matches."""
    read_actions: tuple[str, ...] = ()
    """Values of the argument `action` with which a call of a writing tool only reads."""
    ordered_by: tuple[str, ...] = ()
    """Acts of `aisha.domain.language.acts` that order a writing tool; `create:remind` only its action `create`.

    Without them it is ordered in the words of its name or of an example.
    """
    toolkit_description: str = ""
    """The common purpose of the tools of its toolkit."""
    port: str | None = None
    """The one of `ToolPorts` without which it can't run."""
    custom: tuple[CustomField, ...] = ()
    """The tenant's own fields of the tool's type of records; those that it takes are among the parameters."""

    def for_call(self, arguments: Mapping[str, Any]) -> Self:
        """Return the spec that applies to a call with these arguments: one of `read_actions` makes it a read."""
        is_read = arguments.get("action") in self.read_actions
        return replace(self, access="read", confirmation="none") if is_read else self

    @property
    def properties(self) -> dict[str, Any]:
        return dict(self.parameters.get("properties", {}))

    @property
    def general_properties(self) -> dict[str, Any]:
        """The parameters that all tenants have."""
        own = {field.name for field in self.custom}
        return {name: schema for name, schema in self.properties.items() if name not in own}

    @property
    def required(self) -> tuple[str, ...]:
        return tuple(self.parameters.get("required", ()))


class ToolResult(Struct):
    """The outcome of a call. `value` is the JSON for the model and the response, `error` the error object.

    `started_ns` (since the epoch) and `duration_ms` measure the tool's own code, for traces and metrics only. `logs`
    are the lines that the tool wrote with `ToolContext.log`. `entities` are the records in the value and `line` is the
    outcome in one sentence; both are derived at their first use.
    """

    status: ToolStatus = ToolStatus.PENDING
    value: Any = None
    error: dict[str, Any] | None = None
    exception: BaseException | None = None
    started_ns: int | None = None
    duration_ms: float = 0.0
    logs: list[str] = field(default_factory=list)
    entities: tuple[SessionEntity, ...] | None = None
    line: str | None = None

    @property
    def ok(self) -> bool:
        return self.status is ToolStatus.EXECUTED


class CallWatcher(Protocol):
    """Observes the start and the end of a call."""

    def starting(self, call: "ToolCall") -> None:
        """Observe a call that is about to run. Raises an `AishaError` to make the call fail instead."""
        ...

    def ended(self, call: "ToolCall") -> None:
        """Observe a call that ran or was rejected, see its result. Raises nothing."""
        ...


class ToolCall(Struct, eq=False):
    """A parsed, validated and converted call. Only `ToolRegistry.create_call` makes one.

    `arguments` are the JSON values of the request. A call whose result is no longer pending (rejected, unknown,
    invalid, or executed) can't be executed. `sensitive` are further names of fields that are hidden from models and
    logs; with `masks_contacts`, addresses and phone numbers are hidden from models. `verdict` is why the gate let a
    write run or made it wait, in words.
    """

    id: str
    name: str
    arguments: dict[str, Any]
    spec: ToolSpec | None
    result: ToolResult = field(default_factory=ToolResult)
    sensitive: frozenset[str] = frozenset()
    masks_contacts: bool = False
    verdict: str = ""
    _run: Callable[[], Any] | None = None
    _watcher: CallWatcher | None = None

    @property
    def has_run(self) -> bool:
        """True if the call began to run, with or without success."""
        return self.result.started_ns is not None

    @property
    def has_written(self) -> bool:
        """True if the call succeeded and wrote."""
        return self.result.ok and self.spec is not None and self.spec.access != "read"

    # Only a validated call has code, so that an invalid one can't be executed by mistake.
    def bind(self, run: Callable[[], Any], logs: list[str]) -> None:
        """Set the call's code, once: `run` includes the converted arguments and returns JSON values."""
        self._run = run
        self.result.logs = logs

    def watch(self, watcher: CallWatcher) -> None:
        """Set the watcher of the call; notify it at once when the call has ended already."""
        self._watcher = watcher
        if self.result.status is not ToolStatus.PENDING:
            watcher.ended(self)

    def reject(self, reason: str, error: AishaError | None = None) -> ToolResult:
        """End the call before it runs."""
        self._check_pending()
        denial = error or PermissionDeniedError(f"{self.name} was not run: {reason}")
        return self._end_early(ToolStatus.REJECTED, denial)

    def fail(self, error: AishaError) -> ToolResult:
        """End the call before it runs, with an error for the model."""
        self._check_pending()
        return self._end_early(ToolStatus.FAILED, error)

    def execute(self) -> ToolResult:
        """Run the call, once. The tool's own failure is in the result. Raises `ConflictError` if it can't run."""
        self._check_pending()
        # Taken out, so that a second `execute` can't run it while the first one still does.
        run, self._run = self._run, None
        if run is None:
            raise ConflictError(f"{self.name} has no code bound to it", tool=self.name)
        self.result.started_ns = time_ns()
        start = perf_counter()
        try:
            if self._watcher is not None:
                self._watcher.starting(self)
                # The watcher's own time, e.g. of an audit entry, is not the tool's.
                start = perf_counter()
            self.result.value = run()
            self.result.status = ToolStatus.EXECUTED
        except AishaError as error:
            self._end(ToolStatus.FAILED, error)
        # A bug in one tool must not end the turn: the model is told, and the error is logged.
        except Exception as error:
            self._end(ToolStatus.FAILED, ToolFailedError(f"{self.name} failed"))
            self.result.exception = error
        self.result.duration_ms = (perf_counter() - start) * 1000
        if self._watcher is not None:
            self._watcher.ended(self)
        return self.result

    def _check_pending(self) -> None:
        if self.result.status is not ToolStatus.PENDING:
            raise ConflictError(f"{self.name} can't run: it is {self.result.status}", tool=self.name)

    def _end_early(self, status: ToolStatus, error: AishaError) -> ToolResult:
        result = self._end(status, error)
        if self._watcher is not None:
            self._watcher.ended(self)
        return result

    def _end(self, status: ToolStatus, error: AishaError) -> ToolResult:
        self.result.status = status
        self.result.exception = error
        self.result.error = error.members() | {"tool": self.name}
        return self.result
