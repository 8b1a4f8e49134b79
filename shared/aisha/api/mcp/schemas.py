"""Schemas and examples of MCP's JSON-RPC messages in the API description."""

from typing import Any, Literal

from pydantic import ConfigDict, Field, RootModel

from aisha.domain.deferred_model import DeferredModel

NO_ID: dict[str, Any] = {"not": {"required": ["id"]}}
NO_METHOD: dict[str, Any] = {"not": {"required": ["method"]}}


class McpRequestJson(DeferredModel):
    """A request: `initialize`, `ping`, `tools/list`, `tools/call` or `server/discover`."""

    jsonrpc: Literal["2.0"]
    id: int | str
    method: str
    params: dict[str, Any] = Field(default_factory=dict)


class McpNotificationJson(DeferredModel):
    """A notification, e.g. `notifications/initialized`, which gets 202 and no response."""

    model_config = ConfigDict(json_schema_extra=NO_ID)

    jsonrpc: Literal["2.0"]
    method: str
    params: dict[str, Any] = Field(default_factory=dict)


class McpAnswerJson(DeferredModel):
    """The client's response to the `elicitation/create` request with this id in a stream; it gets 202."""

    model_config = ConfigDict(json_schema_extra=NO_METHOD)

    jsonrpc: Literal["2.0"]
    id: int | str
    result: dict[str, Any]


class McpRefusalJson(DeferredModel):
    """The client's error in response to the request with this id in a stream; it gets 202."""

    model_config = ConfigDict(json_schema_extra=NO_METHOD)

    jsonrpc: Literal["2.0"]
    id: int | str
    error: dict[str, Any]


class McpMessageJson(RootModel[McpRequestJson | McpNotificationJson | McpAnswerJson | McpRefusalJson]):
    """One JSON-RPC message of the Model Context Protocol."""


class McpReplyJson(DeferredModel):
    """The response to a request: a `result`, or an `error` if the request is invalid."""

    jsonrpc: Literal["2.0"]
    id: int | str | None
    result: dict[str, Any] | None = None
    error: dict[str, Any] | None = None


class ResourceMetadataJson(DeferredModel):
    """The metadata of this protected resource (RFC 9728)."""

    resource: str
    authorization_servers: list[str]
    bearer_methods_supported: list[str]
    resource_name: str
    resource_documentation: str
