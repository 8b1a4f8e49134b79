"""API Gateway's Lambda authorizer: turns a bearer token into a policy for the stage and the principal's context."""

import json
from collections.abc import Mapping
from typing import Any

from aisha.adapters.auth.principal import bearer_token, context_of_claims, usage_key
from aisha.api.event_app import EventApp
from aisha.domain.errors import UnauthenticatedError

app = EventApp()


def handler(event: dict[str, Any], _: object) -> dict[str, Any]:
    """Return the policy for a TOKEN or REQUEST event. It allows all routes of the stage, so API Gateway may cache it.

    `usageIdentifierKey` is the tenant's API key, whose usage plan limits the request. Raises
    `Exception("Unauthorized")`, which API Gateway answers with 401.
    """
    try:
        claims = app.services.token_verifier.claims(bearer_token(_authorization(event)))
        context = context_of_claims(claims, app.services.claim_names)
    except UnauthenticatedError as error:
        raise Exception("Unauthorized") from error  # noqa: TRY002 - API Gateway expects exactly this
    # For identity providers that know no CRM modules: onboarding has stored the user's.
    context |= _stored_access(claims, context)
    # E.g. arn:aws:execute-api:eu-central-1:123456789012:abc123/prod/POST/api/ai/chat.
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


def _stored_access(claims: Mapping[str, Any], context: Mapping[str, str]) -> dict[str, str]:
    """Return the stored roles and modules of the user for claims that the token does not have."""
    names = app.services.claim_names
    if names.roles in claims and names.modules in claims:
        return {}
    access = app.services.access_of(context["tenant_id"], context["user"])
    stored = {names.roles: ("roles", access.roles), names.modules: ("modules", access.modules)}
    return {key: json.dumps(values) for claim, (key, values) in stored.items() if claim not in claims}


def _authorization(event: dict[str, Any]) -> str | None:
    # TOKEN events have the token itself, REQUEST events all headers.
    if "authorizationToken" in event:
        return str(event["authorizationToken"])
    headers = event.get("headers") or {}
    # API Gateway passes header names on as the client writes them.
    return next((value for name, value in headers.items() if name.lower() == "authorization"), None)
