"""A tool that is one HTTP request: builds it from the file and the arguments, and the result from the answer."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any
from urllib.parse import quote, urlencode, urlsplit

from pydantic_core import from_json

from aisha.adapters.http.http_client import HttpAnswer, HttpClient, HttpRequest
from aisha.adapters.http_tools.arguments import ArgumentsSchema
from aisha.adapters.http_tools.definition import HttpToolFile
from aisha.adapters.http_tools.endpoint import DONE, SECRET, caller_of, read_files, without_secret
from aisha.adapters.http_tools.templates import filled, filled_path, query_pairs
from aisha.application.tooling.context import ToolContext
from aisha.application.tooling.definition import Tool
from aisha.domain.errors import (
    AishaError,
    ConflictError,
    InvalidInputError,
    NotFoundError,
    PermissionDeniedError,
    ToolFailedError,
    UnavailableError,
)
from aisha.domain.json_values import finite_json
from aisha.domain.ports import SecretStore
from aisha.domain.tools import ToolSpec

TOOLKIT = "http"
RETURNS: dict[str, Any] = {"title": "Any", "description": "What the API answers: JSON, or text."}
_MAX_REASON_LENGTH = 200
_ERRORS: dict[int, tuple[type[AishaError], str]] = {
    400: (InvalidInputError, "did not accept the request"),
    401: (PermissionDeniedError, "did not accept our credentials"),
    403: (PermissionDeniedError, "does not allow this"),
    404: (NotFoundError, "does not know this"),
    409: (ConflictError, "refused, because things have changed"),
    410: (NotFoundError, "does not have this any more"),
    412: (ConflictError, "refused, because things have changed"),
    422: (InvalidInputError, "did not accept the values"),
    429: (UnavailableError, "limits our rate"),
}


def http_tools(folder: Path, secrets: SecretStore) -> list[Tool]:
    """Return the tools of the folder's files. Raises ValueError for a wrong file."""
    client, definitions = HttpClient(), read_files(folder, HttpToolFile)
    return [HttpTool(definition, secrets, client).as_tool() for definition in definitions]


class HttpTool:
    """The tool of one file. It holds no state: one serves every tenant and thread."""

    def __init__(self, definition: HttpToolFile, secrets: SecretStore, client: HttpClient) -> None:
        self._definition = definition
        self._secrets = secrets
        self._client = client
        self._schema = ArgumentsSchema(definition.parameters)
        self._host = urlsplit(definition.url).hostname or ""

    def as_tool(self) -> Tool:
        """Return it for the registry."""
        return Tool(self._spec(), self.send, convert=self.convert)

    def convert(self, arguments: dict[str, Any], context: ToolContext) -> dict[str, Any]:
        """Return the arguments of `send`. Raises `InvalidInputError`."""
        values = self._schema.converted(arguments, context.now)
        # Only for its errors: a value that changes the path is refused like other bad arguments, before any request.
        filled_path(self._definition.path, {**values, **caller_of(context)})
        return {"arguments": values}

    def send(self, context: ToolContext, arguments: Mapping[str, Any]) -> Any:
        """Return the API's answer: a JSON value, or text. Raises errors of `aisha.domain.errors` without the secret."""
        secret = self._definition.secret_value(self._secrets)
        answer = self._client.send(self._request(context, arguments, secret))
        text = without_secret(secret, _text(answer))
        context.log(f"{self._definition.method} {self._host}: {answer.status}")
        if not 200 <= answer.status < 300:
            raise self._refused(answer, text)
        return self._value(answer, text)

    def _spec(self) -> ToolSpec:
        file = self._definition
        return ToolSpec(
            name=file.name,
            description=file.description,
            parameters=file.parameters,
            returns=RETURNS,
            toolkit=TOOLKIT,
            access=file.effective_access,
            confirmation=file.effective_confirmation,
            module=file.module,
            always=file.always,
            typical_followups=file.followups,
            examples=file.examples,
        )

    def _request(self, context: ToolContext, arguments: Mapping[str, Any], secret: str | None) -> HttpRequest:
        file, values = self._definition, {**arguments, **caller_of(context)}
        query = urlencode(query_pairs(file.query, values), quote_via=quote)
        body = None if file.body is None else json.dumps(filled(file.body, values), ensure_ascii=False).encode()
        return HttpRequest(
            method=file.method,
            url=f"{file.url}{filled_path(file.path, values)}{f'?{query}' if query else ''}",
            headers=self._headers(context, secret, has_body=body is not None),
            body=body,
            seconds=file.timeout_seconds,
            max_bytes=file.max_response_bytes,
            allow_private=file.allow_private,
        )

    def _headers(self, context: ToolContext, secret: str | None, *, has_body: bool) -> dict[str, str]:
        headers = {
            "Accept": "application/json, text/plain;q=0.5",
            # A small compressed answer could unpack to gigabytes, past the limit on bytes.
            "Accept-Encoding": "identity",
            "User-Agent": "AiSHA",
        }
        if has_body:
            headers["Content-Type"] = "application/json"
        if self._definition.effective_access != "read":
            # A repetition after a lost answer must not write twice.
            headers["Idempotency-Key"] = context.operation_id
        # Names of tenants and users may have characters that a header can't.
        caller = {name: quote(value, safe="@:|+ ") for name, value in caller_of(context).items()}
        own: dict[str, str] = filled(self._definition.request_headers, caller | ({SECRET: secret} if secret else {}))
        replaced = {name.lower() for name in own}
        return {name: value for name, value in headers.items() if name.lower() not in replaced} | own

    def _value(self, answer: HttpAnswer, text: str) -> Any:
        kind = answer.headers.get("content-type", "text/plain").partition(";")[0].strip().lower()
        if not text.strip():
            return DONE
        if kind == "application/json" or kind.endswith("+json"):
            try:
                return finite_json(text)
            except ValueError:
                raise ToolFailedError(f"{self._host} answered with JSON that is broken") from None
        if not kind.startswith("text/"):
            raise ToolFailedError(f"{self._host} answered with {kind[:100]}, which is neither JSON nor text")
        return text

    def _refused(self, answer: HttpAnswer, text: str) -> AishaError:
        if answer.status < 400:
            return ToolFailedError(f"{self._host} answered with a redirect ({answer.status}), which is not followed")
        # From 500 on the fault is the API's and passes; below, the same request would fail again.
        default: tuple[type[AishaError], str] = (UnavailableError, "is out of order")
        if answer.status < 500:
            default = (ToolFailedError, "refused")
        kind, what = _ERRORS.get(answer.status, default)
        reason = _reason(text)
        return kind(
            f"{self._host} {what}: {reason}" if reason else f"{self._host} {what} ({answer.status})",
            detail={"status": answer.status},
        )


def _text(answer: HttpAnswer) -> str:
    if answer.headers.get("content-encoding", "identity").strip().lower() != "identity":
        raise ToolFailedError("The answer is compressed, which was not asked for")
    _, _, charset = answer.headers.get("content-type", "").lower().partition("charset=")
    try:
        return answer.body.decode(charset.split(";")[0].strip(' "') or "utf-8", errors="replace")
    except LookupError:
        # A charset that Python does not know: UTF-8 is the likeliest.
        return answer.body.decode(errors="replace")


def _reason(text: str) -> str:
    """Return the error message of the API's JSON, if it has a usual shape."""
    try:
        value = from_json(text)
    except ValueError:
        return ""
    # Twice, for a nested shape: `{"error": {"message": "..."}}`.
    for _ in range(2):
        if isinstance(value, Mapping):
            value = next((value[name] for name in ("detail", "message", "title", "error") if value.get(name)), "")
    return value[:_MAX_REASON_LENGTH] if isinstance(value, str) else ""
