"""A tool as data, and one call of it."""

from collections.abc import Callable, Mapping
from enum import StrEnum
from time import perf_counter, time_ns
from typing import Any, Literal, Protocol, Self

from msgspec import Struct, field
from msgspec.structs import replace

from aisha.domain.conversation import SessionEntity
from aisha.domain.errors import AishaError, ConflictError, PermissionDeniedError, ToolFailedError

Access = Literal["read", "write", "delete", "external"]
ConfirmationPolicy = Literal["none", "destructive", "always"]
Client = Literal["api", "widget", "voice", "mcp", "copilot", "external", "schedule"]
ALL_CLIENTS: tuple[Client, ...] = ("api", "widget", "voice", "mcp", "schedule")
FOREIGN = frozenset(("http", "mcp", "github"))
"""Toolkits whose results other systems write."""


class ToolStatus(StrEnum):
    PENDING = "pending"
    EXECUTED = "executed"
    FAILED = "failed"
    REJECTED = "rejected"
    NOT_FOUND = "not_found"


class FollowUp(Struct, frozen=True):
    """One next step offered to the user. `{name}` in `text` becomes the record's name.

    `tool` is what it would run: one whose tool the user may not use is not offered.
    """

    text: str
    icon: str = "💡"
    tool: str | None = None
    arguments: Mapping[str, Any] | None = None


class ToolSpec(Struct, frozen=True):
    """Everything about a tool but its code: what the catalogue shows, a model gets, the policy reads.

    `parameters` and `returns` are JSON Schema 2020-12. `always` tools go to the model at every turn, the others when
    the router or `req_more_info` picks them. The calls of `persistent` tools are kept in the ledger. `clients` are the
    doors it may be used through. `guidance` is added to the prompt while the tool is attached. `examples` are
    sentences that ask for it, with `{slots}`; the offline planner matches by them. `read_actions` are the values of the
    argument `action` with which a call of a tool that writes only reads.
    """

    name: str
    description: str
    parameters: dict[str, Any]
    returns: dict[str, Any]
    toolkit: str
    access: Access = "read"
    confirmation: ConfirmationPolicy = "none"
    module: str | None = None
    role: str | None = None
    always: bool = False
    persistent: bool = True
    clients: tuple[Client, ...] = ALL_CLIENTS
    guidance: str | None = None
    typical_followups: tuple[FollowUp, ...] = ()
    examples: tuple[str, ...] = ()
    read_actions: tuple[str, ...] = ()

    def for_call(self, arguments: Mapping[str, Any]) -> Self:
        """The spec that a call with these arguments is judged by: one of `read_actions` makes it a read."""
        return replace(self, access="read") if arguments.get("action") in self.read_actions else self

    @property
    def properties(self) -> dict[str, Any]:
        return dict(self.parameters.get("properties", {}))

    @property
    def required(self) -> tuple[str, ...]:
        return tuple(self.parameters.get("required", ()))


class ToolResult(Struct):
    """What became of a call. `value` is the JSON that the model and the response show; `error` the one error object.

    `started_ns` (since the epoch) and `duration_ms` are measured for traces and metrics around the tool's own code; nothing
    is decided by them. `logs` are lines the tool wrote with `ToolContext.log`. `found` are the records in the value, once
    they were looked for.
    """

    status: ToolStatus = ToolStatus.PENDING
    value: Any = None
    error: dict[str, Any] | None = None
    exception: BaseException | None = None
    started_ns: int | None = None
    duration_ms: float = 0.0
    logs: list[str] = field(default_factory=list)
    found: tuple[SessionEntity, ...] | None = None

    @property
    def ok(self) -> bool:
        return self.status is ToolStatus.EXECUTED


class CallWatcher(Protocol):
    """Is told what becomes of a call."""

    def starting(self, call: "ToolCall") -> None:
        """It is about to run. Raises an `AishaError` when it must not: the call fails with it."""
        ...

    def ended(self, call: "ToolCall") -> None:
        """It ran, or it never will: its result says so. Raises nothing."""
        ...


class ToolCall(Struct, eq=False):
    """A call that was parsed, validated and converted, and has not run. Made by `ToolRegistry.create_call` alone.

    `arguments` are the JSON values as asked for. A call whose result is no longer pending (rejected, unknown, invalid,
    or run already) can't be executed. `sensitive` are names of fields, beyond those that always are, that neither a model
    nor a log is shown of it; with `masks_contacts` no model is shown addresses and phone numbers.
    """

    id: str
    name: str
    arguments: dict[str, Any]
    spec: ToolSpec | None
    result: ToolResult = field(default_factory=ToolResult)
    sensitive: frozenset[str] = frozenset()
    masks_contacts: bool = False
    _run: Callable[[], Any] | None = None
    _watcher: CallWatcher | None = None

    @property
    def has_run(self) -> bool:
        """Whether its code ran, with or without success."""
        return self.result.started_ns is not None

    @property
    def has_written(self) -> bool:
        """It ran, and changed something."""
        return self.result.ok and self.spec is not None and self.spec.access != "read"

    def bind(self, run: Callable[[], Any], logs: list[str]) -> None:
        """Give the call its code, once: `run` has the converted arguments in it and returns JSON values."""
        self._run = run
        self.result.logs = logs

    def watch(self, watcher: CallWatcher) -> None:
        """Has `watcher` told what becomes of the call, at once when it has ended already."""
        self._watcher = watcher
        if self.result.status is not ToolStatus.PENDING:
            watcher.ended(self)

    def reject(self, reason: str, error: AishaError | None = None) -> ToolResult:
        """Ends the call before it ran."""
        self._must_be_pending()
        denial = error or PermissionDeniedError(f"{self.name} was not run: {reason}")
        return self._ended_early(ToolStatus.REJECTED, denial)

    def fail(self, error: AishaError) -> ToolResult:
        """Ends the call before it ran, with an error for the model to read."""
        self._must_be_pending()
        return self._ended_early(ToolStatus.FAILED, error)

    def execute(self) -> ToolResult:
        """Runs the call, once. The tool's own failure is in the result; raises `ConflictError` if it can't run."""
        self._must_be_pending()
        run, self._run = self._run, None
        if run is None:
            raise ConflictError(f"{self.name} has no code bound to it", tool=self.name)
        self.result.started_ns = time_ns()
        start = perf_counter()
        try:
            if self._watcher is not None:
                self._watcher.starting(self)
                start = perf_counter()
            self.result.value = run()
            self.result.status = ToolStatus.EXECUTED
        except AishaError as error:
            self._end(ToolStatus.FAILED, error)
        except Exception as error:
            self._end(ToolStatus.FAILED, ToolFailedError(f"{self.name} failed"))
            self.result.exception = error
        self.result.duration_ms = (perf_counter() - start) * 1000
        if self._watcher is not None:
            self._watcher.ended(self)
        return self.result

    def _must_be_pending(self) -> None:
        if self.result.status is not ToolStatus.PENDING:
            raise ConflictError(f"{self.name} can't run: it is {self.result.status}", tool=self.name)

    def _ended_early(self, status: ToolStatus, error: AishaError) -> ToolResult:
        result = self._end(status, error)
        if self._watcher is not None:
            self._watcher.ended(self)
        return result

    def _end(self, status: ToolStatus, error: AishaError) -> ToolResult:
        self.result.status = status
        self.result.exception = error
        self.result.error = error.members() | {"tool": self.name}
        return self.result
