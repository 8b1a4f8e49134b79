"""The client of a mapping file: address, authentication, errors and limits of a CRM's API."""

from collections.abc import Mapping
from typing import Annotated, Literal, Self

from pydantic import Field, model_validator

from aisha.adapters.crm.mapping_file.requests import Part, Selector
from aisha.adapters.http_tools.templates import filled, names_in


class Auth(Part):
    """The authentication of requests. Its values come from the connection's secret, never from the file."""

    type: Literal["bearer", "api_key", "http_basic", "oauth2_client_credentials", "oauth2_refresh_token", "login"] = (
        "bearer"
    )
    """The kind of secret, and how it is sent; docs/mapping-files.md has a table of the types.

    A token or key (`bearer`, `api_key`), or a JSON object: of `username` and `password` (`http_basic`, or a key alone,
    the username), of `client_id` and `client_secret` (`oauth2_client_credentials`), of these and `refresh_token`, which
    a new one in an answer replaces (`oauth2_refresh_token`), or of any members, which are sent as JSON (`login`).
    """
    name: str = "Authorization"
    """The header, or the query parameter, that has the key."""
    value: Annotated[str, Field(pattern=r"\{secret\}")] | None = None
    """The header's text with `{secret}`, the token or key; by default `Bearer {secret}`, or `{secret}` for a key."""
    location: Literal["header", "query", "path"] = "header"
    """The place of an `api_key`. One in the path is the `{secret}` of `base_url`."""
    access_token_url: str | None = None
    """The address that exchanges the secret for an access token. It may hold `{url}` and members of the secret."""
    access_token_request_data: dict[str, str] = Field(default_factory=dict)
    """Members to send there besides the secret's, or in place of them.

    Like the address they may hold members of the secret, which are then not sent by themselves.
    """
    access_token_path: Selector = "access_token"  # noqa: S105 - a path
    """The place of the access token in the answer."""
    expires_in_path: Selector = "expires_in"
    """The place of its lifetime in seconds; an hour by default."""

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


class Limited(Part):
    """The answers that mean that a limit is used up."""

    status: list[int] = Field(default_factory=lambda: [429])
    code: list[str] = Field(default_factory=list)


class Errors(Part):
    """The form of the CRM's errors.

    The lists have statuses, or codes for CRMs whose status says too little, such as 200 or 400 for everything.
    """

    message: Selector = "message || error.message || detail || error"
    """The place of the message for people."""
    code: Selector | None = None
    """The place of the code that the lists below may name."""
    field: Selector | None = None
    """The place of the name of the refused field."""
    ok_if: Selector | None = None
    """True for an answer of a success, for CRMs that answer 200 to a failure."""
    not_found: list[int | str] = Field(default=[404, 410])
    conflict: list[int | str] = Field(default=[409, 412])
    denied: list[int | str] = Field(default=[401, 403])
    limited: Limited = Limited()


class Limits(Part):
    """The requests, or their costs, that one process spends; the CRM's own limit should be several times higher."""

    per_second: Annotated[float, Field(gt=0)] | None = None
    per_minute: Annotated[float, Field(gt=0)] | None = None


class Client(Part):
    """The address of the CRM and what all requests have in common."""

    base_url: str = "{url}"
    """The address, `{url}` where each customer has a host of its own: the connection then names it."""
    headers: dict[str, str] = Field(default_factory=dict)
    """Headers of all requests, which may hold members of the secret.

    The secret is a JSON object then, of which a token or key is the member `secret`.
    """
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
