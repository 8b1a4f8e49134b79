"""What checks bearer tokens, and what the identity provider calls their claims."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from aisha.adapters.auth.jwt_tokens import TokenVerifier
    from aisha.adapters.auth.principal import ClaimNames
    from aisha.settings import Settings


def token_verifier(settings: Settings) -> TokenVerifier:
    """Return what checks bearer tokens. Raises ValueError when no JWKS URL is set: without one no token can be checked."""
    from aisha.adapters.auth.jwt_tokens import TokenVerifier

    if not settings.jwks_url:
        raise ValueError("AISHA_JWKS_URL is not set")
    return TokenVerifier(settings.jwks_url, issuer=settings.jwt_issuer, audience=settings.jwt_audience)


def claim_names(settings: Settings) -> ClaimNames:
    """Return what the identity provider calls the claims that have no common name."""
    from aisha.adapters.auth.principal import ClaimNames

    return ClaimNames(settings.jwt_tenant_claim, settings.jwt_roles_claim, settings.jwt_modules_claim)
