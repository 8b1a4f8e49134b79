"""The parts that all files about customers' systems share: address, secret, headers."""

import json
import re
from codecs import BOM_UTF8
from collections import Counter
from pathlib import Path
from typing import Annotated, ClassVar
from urllib.parse import SplitResult, urlsplit

from pydantic import BaseModel, ConfigDict, Field, ValidationError, field_validator

from aisha.adapters.http_tools.templates import names_in
from aisha.application.requests.validation import FieldError, field_errors
from aisha.application.tooling.context import ToolContext
from aisha.domain.crm.modules import problem_of_module
from aisha.domain.errors import NotFoundError, ToolFailedError
from aisha.domain.json_values import repeated_members
from aisha.domain.ports import SecretStore

CALLER = frozenset(("tenant", "user"))
"""Placeholders of every template for the caller, whose values come from the token and never from a model."""
SECRET = "secret"  # noqa: S105 - the placeholder's name
DONE = "Done."
"""The result of a success without content."""
_MIN_SECRET = 6
"""A shorter text may occur in any word."""
TRANSPORT_HEADERS = frozenset(
    "accept-encoding connection content-length expect host te trailer transfer-encoding upgrade".split()
)
"""Headers that the HTTP client sets itself."""
# A host name or an IPv4 address in lower case, or an IPv6 address without brackets.
_HOST = re.compile(r"[a-z0-9]([a-z0-9.-]{0,251}[a-z0-9])?|[0-9a-f:]{0,39}:[0-9a-f:.]{1,45}")
_FORMS = {
    "name": "must be lower-case letters, digits and _, such as find_orders",
    "secret": "must be the name of a secret, such as ERP_TOKEN, and not its value",
}
"""The forms of members that have a pattern."""
_VERBS = ("is ", "must ", "may ", "should ")
_HEADER_NAME, _HEADER_VALUE = re.compile(r"[A-Za-z0-9!#$%&'*+.^_`|~-]+"), re.compile(r"[\x20-\x7e]*")


class EndpointFile(BaseModel):
    """A file about one system. `headers` may hold `{secret}`, `{tenant}` and `{user}`.

    `{secret}` is `Authorization: Bearer {secret}` when the file names a secret and no header for it. Plain `http` and
    addresses of private networks need `allow_private`. `timeout_seconds` is for one request.
    """

    model_config = ConfigDict(extra="forbid", frozen=True)
    OWN_HEADERS: ClassVar[frozenset[str]] = TRANSPORT_HEADERS

    name: str
    url: Annotated[str, Field(min_length=1, max_length=2000)]
    allowed_hosts: Annotated[list[str], Field(min_length=1)]
    allow_private: bool = False
    secret: Annotated[str, Field(pattern=r"^[A-Za-z][A-Za-z0-9_]{0,63}$")] | None = None
    headers: dict[str, str] = Field(default_factory=dict)
    module: str | None = None
    timeout_seconds: Annotated[float, Field(gt=0, le=20)] = 10.0

    @field_validator("module")
    @classmethod
    def _is_module(cls, value: str | None) -> str | None:
        if problem := problem_of_module(value):
            raise ValueError(problem)
        return value

    @field_validator("headers")
    @classmethod
    def _are_headers(cls, value: dict[str, str]) -> dict[str, str]:
        for name, text in value.items():
            if not _HEADER_NAME.fullmatch(name) or not _HEADER_VALUE.fullmatch(text):
                raise ValueError(f"{name!r} must be a header's name and one line of ASCII")
            if name.lower() in cls.OWN_HEADERS:
                raise ValueError(f"{name!r} is set by the client")
        return value

    def address_problems(self) -> list[str]:
        """Return the errors in the file's address and hosts."""
        hosts, parts = [host.lower() for host in self.allowed_hosts], urlsplit(self.url)
        problems = [f"allowed_hosts: {host!r} is no host name" for host in hosts if not _HOST.fullmatch(host)]
        if parts.hostname not in hosts:
            problems.append(f"url: host {parts.hostname!r} is not in allowed_hosts")
        if parts.scheme == "http" and not self.allow_private:
            problems.append("url: plain http is for private networks only (allow_private)")
        return problems

    def header_problems(self) -> list[str]:
        """Return errors for placeholders in headers that have no value."""
        allowed = CALLER | ({SECRET} if self.secret else set())
        stray = sorted(set(names_in(self.headers)) - allowed)
        if SECRET in stray:
            return ['headers: {secret} needs the name of the secret, as in "secret": "ERP_TOKEN"']
        return [f"headers: {{{name}}} is none of {', '.join(sorted(allowed))}" for name in stray]

    @property
    def request_headers(self) -> dict[str, str]:
        """Return the file's headers, with the default one for the secret."""
        if self.secret and SECRET not in set(names_in(self.headers)):
            return {**self.headers, "Authorization": f"Bearer {{{SECRET}}}"}
        return self.headers

    def secret_value(self, secrets: SecretStore) -> str | None:
        """Return the secret, None where the file names none. Raises `ToolFailedError` for one that can't be sent."""
        if self.secret is None:
            return None
        try:
            secret = secrets.get(self.secret).strip()
        except NotFoundError:
            secret = ""
        if not secret or not secret.isascii() or not secret.isprintable():
            raise ToolFailedError(
                f"{self.name} is not set up: its secret {self.secret!r} is missing or can't be sent",
                suggestion=f"Ask your admin to set it (AISHA_SECRET__{self.secret.upper()} on a laptop).",
            )
        return secret


def caller_of(context: ToolContext) -> dict[str, str]:
    """Return the values of the placeholders that every template may have."""
    return {"tenant": context.principal.tenant, "user": context.principal.user}


def without_secret(secret: str | None, text: str) -> str:
    """Return a system's answer without the secret, in case it repeats it."""
    # Also as it stands within JSON, with quotation marks and backslashes escaped.
    for form in {secret, json.dumps(secret)[1:-1]} if secret and len(secret) >= _MIN_SECRET else ():
        text = text.replace(str(form), "[secret]")
    return text


def checked_address(url: str, example: str) -> SplitResult:
    """Return the URL. Raises ValueError for one that is not http(s) or that has a password in it."""
    parts = urlsplit(url)
    # `urlsplit` takes "https:/host" and "mailto:…" too: these have no host.
    if parts.scheme not in ("https", "http") or not parts.hostname or parts.port == 0:
        raise ValueError(f"it must be like {example}")
    if parts.username is not None or parts.password is not None:
        raise ValueError("a password has no place in it: use secret and headers")
    return parts


def read_files[F: EndpointFile](folder: Path, kind: type[F]) -> list[F]:
    """Return every `*.json` file of the folder, by name. Raises ValueError with the errors of each wrong file."""
    files, problems = list[tuple[str, F]](), list[str]()
    for path in sorted(folder.glob("*.json")):
        try:
            # Some editors begin a file with a byte order mark.
            text = path.read_bytes().removeprefix(BOM_UTF8)
            files.append((_relative(path), kind.model_validate_json(text)))
            problems += [f"{_relative(path)}: {name} is there twice" for name in repeated_members(text)]
        except ValidationError as error:
            problems.append(f"{_relative(path)}: {'; '.join(map(_sentence, field_errors(error)))}")
    twice = [name for name, count in Counter(item.name for _, item in files).items() if count > 1]
    for name in twice:
        both = " and ".join(file for file, item in files if item.name == name)
        problems.append(f"{both} both define {name!r}")
    if problems:
        raise ValueError("\n".join(problems))
    return [item for _, item in files]


def _relative(path: Path) -> str:
    """Return a file's path as the developer knows it: within the project where it is there."""
    file = path.resolve()
    return str(file.relative_to(Path.cwd()) if file.is_relative_to(Path.cwd()) else file)


def _sentence(error: FieldError) -> str:
    name = ".".join(map(str, error.path))
    if error.type == "string_pattern_mismatch" and name in _FORMS:
        return f"{name} {_FORMS[name]}"
    reason = error.reason.removeprefix("it ")
    return " ".join((f"{name}{'' if reason.startswith(_VERBS) else ':'}" if name else "", reason)).strip()
