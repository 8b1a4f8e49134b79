"""Whether a request is let in, as the edges of all functions ask it."""

from aisha import bootstrap
from aisha.domain.principal import Principal
from aisha.observability import log_admission
from aisha.renderers.rate_limit import rate_limit_headers


def admit(principal: Principal, headers: dict[str, str]) -> None:
    """Counts a request, and puts what its answer says of the limits into `headers`.

    Raises `RateLimitedError` for one too many, after that.
    """
    admission = bootstrap.request_limits().admit(principal)
    headers.update(rate_limit_headers(admission))
    log_admission(admission, principal.tenant)
    if admission.refusal:
        raise admission.refusal
