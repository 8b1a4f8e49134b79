"""An operation of the HTTP API as data: a handler declares it, and the API description is generated from it."""

from collections.abc import Mapping
from typing import Any

from msgspec import Struct
from msgspec.structs import replace
from pydantic import BaseModel

JSON = "application/json"
REPLAYED = {"idempotent-replayed": "true"}
"""Header of an answer that was stored under an `Idempotency-Key`."""


class PathParameter(Struct, frozen=True):
    """A parameter of a path: its description and the JSON Schema of its values."""

    description: str
    schema: Mapping[str, Any]


class Operation(Struct, frozen=True):
    """One method of one path.

    Examples of requests and answers are in infra/api_examples, by `id`: only the description needs them, no function.
    """

    method: str
    path: str
    """The path with its parameters in braces."""
    id: str
    """The `operationId`, e.g. `listRecords`."""
    summary: str
    description: str = ""
    tag: str = "AiSHA"
    query: type[BaseModel] | None = None
    """The model of the query string; like `body` and `response` only for a function without it in its signature."""
    body: type[BaseModel] | None = None
    response: type[BaseModel] | None = None
    content_type: str = JSON
    success: int = 200
    errors: tuple[int, ...] = ()
    """Statuses beyond those that any operation can have."""
    also: tuple[int, ...] = ()
    """Statuses with the same body as a success."""
    public: bool = False
    """True for an operation without a token."""
    idempotent: bool = False
    """True for a write that honours the header `Idempotency-Key`."""
    limited: bool | None = None
    """True if requests count against the rate limits; None for the default of `is_limited`."""
    path_parameters: Mapping[str, str | PathParameter] | None = None
    """The path's parameters by name. Those without a schema are any text."""
    without_body: tuple[int, ...] = ()
    """Statuses without a body."""
    hidden: bool = False
    """True to leave it out of the API description: what is always refused, and the files of pages."""
    tagged: bool = False
    """True if its answers have an `ETag`."""
    versioned: bool = False
    """True if requests must have that tag as `If-Match`."""

    def of(self, signature: Mapping[str, Any]) -> "Operation":
        """Return the operation with the models that are in its function's signature, by parameter and as `return`.

        A function that returns None answers with 204.
        """
        models = {name: signature[name] for name in ("query", "body") if name in signature}
        returned = signature.get("return", Any)
        if isinstance(returned, type) and issubclass(returned, BaseModel):
            models["response"] = returned
        return replace(self, **models, success=204 if returned is None else self.success)

    @property
    def is_limited(self) -> bool:
        """True if requests count against the rate limits."""
        # Pages poll what only reads, and a public operation has no user to count.
        by_default = self.method != "GET" and not self.public and not self.hidden
        return by_default if self.limited is None else self.limited

    @property
    def rule(self) -> str:
        """The path in the syntax of Powertools' router."""
        return self.path.replace("{", "<").replace("}", ">")
