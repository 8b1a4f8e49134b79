"""An operation of the HTTP API as data: what its handler declares and its page in the API description shows."""

from collections.abc import Mapping
from typing import Any

from msgspec import Struct
from pydantic import BaseModel

JSON = "application/json"
REPLAYED = {"idempotent-replayed": "true"}
"""A header of an answer that was given before."""


class PathParameter(Struct, frozen=True):
    """What a part of a path means, and the JSON Schema of its values."""

    description: str
    schema: Mapping[str, Any]


class Operation(Struct, frozen=True):
    """One method of one path as the API description shows it.

    `id` is its name there, e.g. listRecords. `path` has `{parameters}`. `query` and `body` are what the input must fit,
    `response` what the answer looks like (None: no schema). `errors` are statuses beyond those that every operation can
    have; the statuses in `also` carry the same body as the success. `event_stream` is the beginning of one, where the
    answer can come as Server-Sent Events too. `idempotent` honours the header `Idempotency-Key`: for what writes.
    `limited` counts against the limits of the user and the tenant: for what costs money. `other_content` are examples of
    texts that the answer can be instead, by content type. `path_parameters` are any text where only a description is given.
    The statuses in `without_body` have no body.
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
    example: Any = None
    body_example: Any = None
    event_stream: str | None = None
    idempotent: bool = False
    limited: bool = False
    path_parameters: Mapping[str, str | PathParameter] | None = None
    other_content: Mapping[str, str] | None = None
    without_body: tuple[int, ...] = ()

    @property
    def rule(self) -> str:
        return self.path.replace("{", "<").replace("}", ">")
