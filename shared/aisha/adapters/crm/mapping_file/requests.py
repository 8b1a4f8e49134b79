"""The requests of a mapping file: the client with its authentication, endpoints, pages, errors and limits."""

import re
from collections.abc import Mapping
from typing import Annotated, Literal, Self

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, JsonValue, model_validator

from aisha.adapters.crm.mapping_file.errors import suggested
from aisha.adapters.crm.mapping_file.paths import compiled, steps_of
from aisha.adapters.http_tools.templates import filled, names_in
from aisha.domain.json_values import texts_in

PLACEHOLDERS = frozenset(
    """
    id number target value group fields record version key key_field since now unmodified_since cursor limit offset page
    columns column_list
    """.split()
)
"""The variables of an endpoint's templates: docs/connecting.md explains each."""
_PARENT_ID = re.compile(r"resources\.(\w+)\.id")


def _checked(expression: str) -> str:
    compiled(expression)
    return expression


Selector = Annotated[str, Field(min_length=1, max_length=1000), AfterValidator(_checked)]
Path_ = Annotated[str, Field(pattern=r"^/\S*$", max_length=4000)]


class Part(BaseModel):
    """A part of a mapping file: an unknown member is refused."""

    model_config = ConfigDict(extra="forbid", frozen=True, populate_by_name=True)


class Auth(Part):
    """The authentication of requests; the values come from the connection's secret, never from the file.

    The secret is a token, or a JSON object of `username` and `password` (`http_basic`, where a key alone is the
    username), of `client_id` and `client_secret` (`oauth2_client_credentials`), of `refresh_token` too
    (`oauth2_refresh_token`), or of what `access_token_request_data` names (`login`, which is sent as JSON). `value` is
    what the header `name` says around `{secret}`, which is the access token of OAuth or of a login: by default
    `Bearer {secret}`, or `{secret}` of an `api_key`, which may also be at the `location` of a query parameter, or of
    `{secret}` in the path of `base_url`. `access_token_url` and `access_token_request_data` may hold
    `{url}` and members of the secret; those are not sent a second time. The token is at `access_token_path` of the
    answer, its seconds at `expires_in_path`. A new refresh token in the answer replaces the secret's.
    """

    type: Literal["bearer", "api_key", "http_basic", "oauth2_client_credentials", "oauth2_refresh_token", "login"] = (
        "bearer"
    )
    name: str = "Authorization"
    value: Annotated[str, Field(pattern=r"\{secret\}")] | None = None
    location: Literal["header", "query", "path"] = "header"
    access_token_url: str | None = None
    access_token_request_data: dict[str, str] = Field(default_factory=dict)
    access_token_path: Selector = "access_token"  # noqa: S105 - a path
    expires_in_path: Selector = "expires_in"

    @model_validator(mode="after")
    def _has_url(self) -> Self:
        if self.has_access_token and self.access_token_url is None:
            raise ValueError(f"{self.type} needs access_token_url")
        return self

    @property
    def has_access_token(self) -> bool:
        """True when the secret is exchanged for an access token."""
        return self.type == "login" or self.type.startswith("oauth2")

    def signed(self, secret: str, members: Mapping[str, str]) -> str:
        """Return the header's text for a token or key, and other members of the secret."""
        template = self.value or ("{secret}" if self.type == "api_key" else "Bearer {secret}")
        return str(filled(template, {**members, "secret": secret}))


class Paginator(Part):
    """The way to the next page; `limit` is the size of a page.

    `cursor`: `cursor_path` is its place in the answer; `header_cursor`: in the header `cursor_key`. `json_link`:
    `next_url_path` is the next page's path or URL; `header_link`: the header `Link` has it.
    `offset` and `page_number` end with a page that is not full, or at `total_path`, or with `stop_after_empty_page` at
    a page without rows. The parameters' values go where the endpoint's templates have `{cursor}`, `{offset}`, `{page}`
    and `{limit}`.
    `window` is the most rows that one list reaches: after it, the list begins again at the last row's `updated_at`, so
    it must be in that order.
    """

    type: Literal["single_page", "cursor", "header_cursor", "json_link", "header_link", "offset", "page_number"] = (
        "single_page"
    )
    limit: Annotated[int, Field(ge=1, le=5000)] = 100
    cursor_path: Selector | None = None
    cursor_key: str | None = None
    next_url_path: Selector | None = None
    stop_after_empty_page: bool = False
    has_more_path: Selector | None = None
    window: Annotated[int, Field(ge=100)] | None = None
    total_path: Selector | None = None
    base_page: Literal[0, 1] = 1

    @model_validator(mode="after")
    def _has_path(self) -> Self:
        for kind, member in (
            ("cursor", "cursor_path"), ("header_cursor", "cursor_key"), ("json_link", "next_url_path"),
        ):  # fmt: skip
            if self.type == kind and getattr(self, member) is None:
                raise ValueError(f"a paginator of type {kind} needs {member}")
        return self


class Endpoint(Part):
    """One request. `path`, `params`, `json`, `form` and `headers` are templates; an entry without a value is left out.

    `form` is a body of form fields, or the text `{fields}`. `data_selector` picks the rows, or the row, from the
    answer. `{resources.<name>.id}` is the id of the record of that resource that the rows stand below, as in dlt.
    `cost` counts against the limits. With `ids_only` the rows hold their id alone, and each record is read by
    `get`.
    """

    method: Literal["GET", "POST", "PUT", "PATCH", "DELETE"] = "GET"
    path: Path_
    params: dict[str, str] = Field(default_factory=dict)
    body: JsonValue = Field(default=None, alias="json")
    form: dict[str, str] | Literal["{fields}", "{record}"] | None = None
    headers: dict[str, str] = Field(default_factory=dict)
    data_selector: Selector | None = None
    paginator: Paginator | None = None
    ids_only: bool = False
    cost: Annotated[int, Field(ge=1, le=1000)] = 1

    @model_validator(mode="after")
    def _knows_names(self) -> Self:
        for name in self.names():
            outer, _, inner = name.partition(".")
            if _PARENT_ID.fullmatch(name) or outer == "connection":
                continue
            if outer not in PLACEHOLDERS or (inner and outer not in ("fields", "record")):
                suggestion = suggested(outer, sorted(PLACEHOLDERS), "placeholders ")
                raise ValueError(
                    f"{{{name}}} is no placeholder. {suggestion} Braces of another kind have a space inside."
                )
        # A ref has room for one parent.
        if len(self._parents()) > 1:
            raise ValueError(f"its records stand below one resource, not {' and '.join(sorted(self._parents()))}")
        if self.body is not None and self.form is not None:
            raise ValueError("a request has json or form, not both")
        return self

    def names(self) -> set[str]:
        """Return the placeholders in the request."""
        return set(names_in([self.path, self.params, self.headers, self.body, self.form]))

    def _parents(self) -> set[str]:
        return {match[1] for name in self.names() if (match := _PARENT_ID.fullmatch(name))}

    @property
    def parent(self) -> str | None:
        """Return the name of the resource that the request is below a record of, if it is."""
        return next(iter(self._parents()), None)

    @property
    def is_queried_by_id(self) -> bool:
        """True where a record's id stands within a longer text, such as a query's, in which nothing escapes it."""
        path, _, query = self.path.partition("?")
        texts = [*path.split("/"), *texts_in([self.params, self.body, self.form])]
        within = [text for text in texts if text not in (f"{{{name}}}" for name in names_in(text))]
        return any(
            name in ("id", "target") or _PARENT_ID.fullmatch(name) for name in names_in([query, *within, self.headers])
        )

    def sends(self, place: str) -> bool:
        """Return whether the request has the field at a place; it may have parts of `{fields}` alone."""
        parts = [name.partition(".")[2] for name in self.names() if name.partition(".")[0] in ("fields", "record")]
        return "" in parts or steps_of(place)[0].name in parts

    def has(self, *placeholders: str) -> bool:
        """Return whether the request has one of these, or a part of it such as `{fields.attributes}`."""
        return not {name.partition(".")[0] for name in self.names()}.isdisjoint(placeholders)


class Limited(Part):
    status: list[int] = Field(default_factory=lambda: [429])
    code: list[str] = Field(default_factory=list)


class Errors(Part):
    """The form of the CRM's errors: JMESPaths for its message, code and field, and its statuses or codes.

    A code is for CRMs whose status says too little, such as 200 or 400 for everything.
    """

    message: Selector = "message || error.message || detail || error"
    code: Selector | None = None
    field: Selector | None = None
    ok_if: Selector | None = None
    not_found: list[int | str] = [404, 410]
    conflict: list[int | str] = [409, 412]
    denied: list[int | str] = [401, 403]
    limited: Limited = Limited()


class Limits(Part):
    """Requests, or costs, that one process spends; the CRM's own limit should be several times higher."""

    per_second: Annotated[float, Field(gt=0)] | None = None
    per_minute: Annotated[float, Field(gt=0)] | None = None


class Client(Part):
    """`base_url` is `{url}` where each customer has a host of its own; the connection names it then.

    `headers`, and the `value` of `auth`, may hold members of the secret, which is then a JSON object also for a token
    or key: its member `secret`.
    """

    base_url: str = "{url}"
    headers: dict[str, str] = Field(default_factory=dict)
    auth: Auth = Auth()
    timeout_seconds: Annotated[float, Field(gt=0, le=20)] = 8.0

    @model_validator(mode="after")
    def _has_the_key(self) -> Self:
        is_in_path = self.auth.type == "api_key" and self.auth.location == "path"
        if is_in_path != ("{secret}" in self.base_url):
            raise ValueError('a key in the path is the {secret} of base_url, and auth says "location": "path"')
        return self

    @property
    def secret_members(self) -> list[str]:
        """Return the members of the secret that headers have; with one, the secret is a JSON object."""
        return sorted({*names_in(self.headers), *names_in(self.auth.value)} - {"secret"})
