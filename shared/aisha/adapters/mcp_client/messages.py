"""The JSON-RPC messages of an HTTP answer, whether it is one JSON document or a stream of events."""

from collections.abc import Iterator, Mapping
from typing import Any

from pydantic_core import from_json

from aisha.adapters.http.http_client import HttpStream
from aisha.adapters.http.server_sent import server_sent_data
from aisha.adapters.http_tools.endpoint import without_secret
from aisha.domain.errors import AishaError, InvalidInputError, ToolFailedError, UnavailableError
from aisha.domain.json_values import finite_json

MAX_REASON_LENGTH = 500
_INVALID_PARAMS = -32602


def result_of(answer: HttpStream, request_id: int, secret: str | None, host: str) -> dict[str, Any]:
    """Return the result of the request with this id; messages before it are dropped.

    Raises `InvalidInputError` for parameters that the server refuses, `ToolFailedError`, `UnavailableError`.
    """
    if not 200 <= answer.status < 300:
        raise _refused(answer, secret, host)
    for message in _messages(answer, secret, host):
        # A server may send notifications and requests of its own first; this client answers none.
        if message.get("id") != request_id or "method" in message:
            continue
        if isinstance(error := message.get("error"), Mapping):
            raise _failed(error, host)
        if not isinstance(result := message.get("result"), dict):
            raise ToolFailedError(f"{host} answered without a result")
        return result
    raise UnavailableError(f"{host} ended its answer without a result", suggestion="Try again later.")


def _messages(answer: HttpStream, secret: str | None, host: str) -> Iterator[Mapping[str, Any]]:
    kind = answer.headers.get("content-type", "").partition(";")[0].strip().lower()
    if answer.headers.get("content-encoding", "identity").strip().lower() != "identity":
        raise ToolFailedError(f"{host} compressed its answer, which was not asked for")
    if kind == "text/event-stream":
        documents = (data for events in server_sent_data(answer.pieces) for data in events if data)
    elif kind == "application/json":
        # Lazy like the stream, so that its errors are raised at the same place.
        documents = (b"".join(answer.pieces) for _ in range(1))
    else:
        raise ToolFailedError(f"{host} answered with {kind[:100] or 'nothing'}, which is no MCP message")
    for document in documents:
        try:
            value = finite_json(without_secret(secret, document.decode(errors="replace")))
        except ValueError:
            raise ToolFailedError(f"{host} answered with JSON that is broken") from None
        yield from (
            message for message in (value if isinstance(value, list) else [value]) if isinstance(message, Mapping)
        )


def _failed(error: Mapping[str, Any], host: str) -> AishaError:
    reason = str(error.get("message", ""))[:MAX_REASON_LENGTH]
    if error.get("code") == _INVALID_PARAMS:
        return InvalidInputError(f"{host} did not accept the values: {reason}", suggestion="Correct the values.")
    return ToolFailedError(f"{host} failed: {reason}")


def _refused(answer: HttpStream, secret: str | None, host: str) -> AishaError:
    status = {"status": answer.status}
    if 300 <= answer.status < 400:
        return ToolFailedError(f"{host} answered with a redirect, which is not followed", detail=status)
    if answer.status in (401, 403):
        return ToolFailedError(f"{host} did not accept our credentials", detail=status)
    if answer.status == 429:
        return UnavailableError(f"{host} limits our rate", suggestion="Try again later.", detail=status)
    if answer.status >= 500:
        return UnavailableError(f"{host} is out of order", suggestion="Try again later.", detail=status)
    reason = _reason(answer, secret)
    return ToolFailedError(f"{host} refused: {reason}" if reason else f"{host} refused", detail=status)


def _reason(answer: HttpStream, secret: str | None) -> str:
    """Return the message of a JSON-RPC error, or an empty text."""
    try:
        error = from_json(without_secret(secret, b"".join(answer.pieces).decode(errors="replace")))["error"]["message"]
    except (ValueError, KeyError, TypeError):
        return ""
    return error[:MAX_REASON_LENGTH] if isinstance(error, str) else ""
