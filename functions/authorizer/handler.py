"""API Gateway's Lambda authorizer: from a bearer token to an allow for the whole stage and the principal's context."""

import json
from collections.abc import Mapping
from typing import Any

from aisha.adapters.auth.principal import bearer_token, context_of_claims, usage_key
from aisha.api.event_app import EventApp
from aisha.domain.errors import UnauthenticatedError

app = EventApp()


def handler(event: dict[str, Any], _: object) -> dict[str, Any]:
    """Takes a TOKEN or a REQUEST event. The answer holds for every route of the stage, so it may be cached.

    Its `usageIdentifierKey` names the tenant's API key, whose usage plan holds for the request. Raises
    `Exception("Unauthorized")`, which is what API Gateway answers 401 to.
    """
    try:
        claims = app.services.token_verifier.claims(bearer_token(_authorization(event)))
        context = context_of_claims(claims, app.services.claim_names)
    except UnauthenticatedError as error:
        raise Exception("Unauthorized") from error  # noqa: TRY002 - API Gateway knows exactly this
    context |= _granted(claims, context)
    api, stage, *_ = event["methodArn"].split("/")
    return {
        "principalId": context["user"],
        "policyDocument": {
            "Version": "2012-10-17",
            "Statement": [{"Action": "execute-api:Invoke", "Effect": "Allow", "Resource": f"{api}/{stage}/*"}],
        },
        "context": context,
        "usageIdentifierKey": usage_key(api.rpartition(":")[2], stage, context["tenant_id"]),
    }


def _granted(claims: Mapping[str, Any], context: Mapping[str, str]) -> dict[str, str]:
    """Roles and modules that the token says nothing of, as they were granted here."""
    names = app.services.claim_names
    if names.roles in claims and names.modules in claims:
        return {}
    access = app.services.access_of(context["tenant_id"], context["user"])
    granted = {names.roles: ("roles", access.roles), names.modules: ("modules", access.modules)}
    return {key: json.dumps(given) for claim, (key, given) in granted.items() if claim not in claims}


def _authorization(event: dict[str, Any]) -> str | None:
    if "authorizationToken" in event:
        return str(event["authorizationToken"])
    headers = event.get("headers") or {}
    return next((value for name, value in headers.items() if name.lower() == "authorization"), None)
