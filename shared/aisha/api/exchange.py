"""One HTTP request and its answer, independent of the web framework.

An exchange has the principal, the rate limit, the `Idempotency-Key`, the common response headers, errors as problem
documents and the log line. `rest_app` and `asgi_app` adapt it to Powertools and to Starlette.
"""

from collections.abc import Mapping
from typing import Any

from msgspec.structs import replace

from aisha.adapters.auth.principal import principal_of_context
from aisha.api.idempotent_request import IdempotentRequest
from aisha.api.rate_limit import count_request
from aisha.application.idempotency.keys import IdempotencyKeys, StoredAnswer, fingerprint_of
from aisha.bootstrap import Services
from aisha.domain.errors import PayloadTooLargeError
from aisha.domain.principal import Principal
from aisha.observability import begin_request, end_request, log_unexpected
from aisha.observability.lifecycle import InvocationContext
from aisha.renderers.cors import cors_headers
from aisha.renderers.problem import Problem, problem

CLIENT_HEADER, WIDGET = "x-aisha-client", "widget"
"""The header by which the embedded assistant says that it is the client (K-012)."""
COMMON_HEADERS = {"x-content-type-options": "nosniff", "cache-control": "no-store"}


class Exchange:
    """One request. `context` is API Gateway's request context; the names in `headers` are lower-case.

    `resource` is the declared path, e.g. `/api/crm/{type}`: it names the route in logs and metrics.
    """

    def __init__(
        self,
        services: Services,
        method: str,
        path: str,
        resource: str,
        headers: Mapping[str, str],
        context: Mapping[str, Any],
        invocation: InvocationContext | None = None,
    ) -> None:
        self.services, self.method, self.path, self.headers = services, method, path, headers
        # API Gateway's id, by which its own log and ours can be joined.
        self.request_id = str(context.get("requestId") or "local")
        self._authorizer: Mapping[str, Any] = context.get("authorizer") or {}
        self._rate_limits: dict[str, str] = {}
        self.scope = begin_request(f"{method} {resource}", self.request_id, headers, invocation, services.tracer)
        if tenant := self._authorizer.get("tenant_id"):
            self.scope.fields["tenant"] = tenant

    def principal(self) -> Principal:
        """Return the caller that the authorizer identified. Raises `UnauthenticatedError`."""
        principal = principal_of_context(self._authorizer, self.services.clock.now())
        # Only the widget's own door can be named by a client: the others have endpoints of their own.
        return replace(principal, door=WIDGET) if self.headers.get(CLIENT_HEADER) == WIDGET else principal

    def admit(self) -> Principal:
        """Count the request against the rate limits and return its caller.

        Raises `UnauthenticatedError`, `RateLimitedError`.
        """
        principal = self.principal()
        # Filled also for a refused request, whose answer has the headers of the limits, too.
        count_request(principal, self.services.request_limits, self._rate_limits)
        return principal

    def check_size(self, size: int) -> None:
        """Check a body's number of bytes. Raises `PayloadTooLargeError`."""
        if size > (limit := self.services.settings.request_bytes):
            raise PayloadTooLargeError(f"A request has at most {limit // 1024} KiB.", detail={"limit": limit})

    def begin(
        self,
        principal: Principal,
        body: bytes,
        *,
        variant: str = "",
        repetition: str | None = None,
        is_new: bool = True,
    ) -> IdempotentRequest | StoredAnswer:
        """Return an attempt at the request under its `Idempotency-Key`, or the stored answer of the same request.

        `variant` distinguishes answers of one request, such as a stream and JSON. `repetition` replaces the header for
        a client that sends ids of its messages. With `is_new=False` it only continues an attempt that was cut off.
        Raises `InvalidInputError` for the key of another request, `InProgressError`.
        """
        header = self.headers.get("idempotency-key")
        if (key := header if header is not None else repetition) is None:
            return IdempotentRequest()
        keys = IdempotencyKeys(self.services.entries, self.services.clock, principal)
        # A message that was answered already is to be answered anew; only an unanswered one is continued.
        if header is None and not is_new and not keys.is_unanswered(key):
            return IdempotentRequest()
        # The message id alone identifies a repetition: its body may differ, e.g. by the trigger `regenerate-message`.
        fingerprint = fingerprint_of(self.method, self.path + variant, body if header is not None else b"")
        # Taken before anything runs, so that two requests with one key can't both run.
        attempt = keys.take(key, fingerprint)
        return attempt if isinstance(attempt, StoredAnswer) else IdempotentRequest(keys, attempt)

    @property
    def response_headers(self) -> dict[str, str]:
        """The headers of every answer to this request."""
        cors = cors_headers(self.headers.get("origin"), self.services.settings.cors_origins)
        return COMMON_HEADERS | cors | self._rate_limits | {"x-request-id": self.request_id}

    def problem(self, error: Exception) -> Problem:
        """Return the problem document of an error, and log an unexpected one."""
        log_unexpected(error, self.request_id)
        return problem(error, self.request_id)

    def end(self, status: int) -> None:
        """Log the request with its duration until now. Further calls do nothing."""
        if not self.scope.is_over:
            end_request(self.scope, status)
