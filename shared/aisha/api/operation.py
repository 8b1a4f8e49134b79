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

    `id` is its `operationId`, e.g. `listRecords`; `path` has its parameters in braces. `query`, `body` and `response`
    are models of the input and the answer, for a function that does not have them in its signature. `errors` are
    statuses beyond those that any operation can have, `also` statuses with the same body as a success, `without_body`
    statuses without one. `path_parameters` without a schema are any text.

    `idempotent` operations, which write, honour the header `Idempotency-Key`. `limited` operations count against the
    rate limits of the user and the tenant: by default all that need a token and don't only read. The answers of
    `tagged` operations have an `ETag`, and `versioned` ones want it as `If-Match`. `hidden` operations are not in
    the API description: those that are always refused, and the files of pages. Examples of requests and answers are in
    infra/api_examples, by `id`: only the description needs them, no function.
    """

    method: str
    path: str
    id: str
    summary: str
    description: str = ""
    tag: str = "AiSHA"
    query: type[BaseModel] | None = None
    body: type[BaseModel] | None = None
    response: type[BaseModel] | None = None
    content_type: str = JSON
    success: int = 200
    errors: tuple[int, ...] = ()
    also: tuple[int, ...] = ()
    public: bool = False
    idempotent: bool = False
    limited: bool | None = None
    path_parameters: Mapping[str, str | PathParameter] | None = None
    without_body: tuple[int, ...] = ()
    hidden: bool = False
    tagged: bool = False
    versioned: bool = False

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
