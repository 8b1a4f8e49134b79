"""Verification of bearer tokens and the names of their claims."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from aisha.adapters.auth.jwt_tokens import TokenVerifier
    from aisha.adapters.auth.principal import ClaimNames
    from aisha.bootstrap.services import Services


def token_verifier(services: Services) -> TokenVerifier:
    """Return the verifier of bearer tokens. Raises ValueError if no JWKS URL is set."""
    from aisha.adapters.auth.jwt_tokens import TokenVerifier

    settings = services.settings
    if not settings.jwks_url:
        raise ValueError("AISHA_JWKS_URL is not set")
    return TokenVerifier(settings.jwks_url, issuer=settings.jwt_issuer, audience=settings.jwt_audience)


def claim_names(services: Services) -> ClaimNames:
    """Return the names of the claims that differ between identity providers."""
    from aisha.adapters.auth.principal import ClaimNames

    settings = services.settings
    return ClaimNames(settings.jwt_tenant_claim, settings.jwt_roles_claim, settings.jwt_modules_claim)
