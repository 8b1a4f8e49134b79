"""The client of a mapping file: address, authentication, errors and limits of a CRM's API."""

from collections.abc import Mapping
from typing import Annotated, Literal, Self

from pydantic import Field, model_validator

from aisha.adapters.crm.mapping_file.requests import Part, Selector
from aisha.adapters.http_tools.templates import filled, names_in


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
    not_found: list[int | str] = Field(default=[404, 410])
    conflict: list[int | str] = Field(default=[409, 412])
    denied: list[int | str] = Field(default=[401, 403])
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
