"""API Gateway's Lambda authorizer: from a bearer token to an allow for the whole stage and the principal's context."""

from typing import Any

from aisha import bootstrap
from aisha.adapters.auth import bearer_token, context_of_claims
from aisha.domain.errors import UnauthenticatedError


def handler(event: dict[str, Any], _: object) -> dict[str, Any]:
    """Takes a TOKEN or a REQUEST event. The answer holds for every route of the stage, so it may be cached.

    Raises `Exception("Unauthorized")`, which is what API Gateway answers 401 to.
    """
    try:
        claims = bootstrap.token_verifier().claims(bearer_token(_authorization(event)))
        principal = context_of_claims(claims)
    except UnauthenticatedError as error:
        raise Exception("Unauthorized") from error  # noqa: TRY002 - API Gateway knows exactly this
    return {
        "principalId": principal["user"],
        "policyDocument": {
            "Version": "2012-10-17",
            "Statement": [{"Action": "execute-api:Invoke", "Effect": "Allow", "Resource": _stage(event["methodArn"])}],
        },
        "context": principal,
    }


def _authorization(event: dict[str, Any]) -> str | None:
    if "authorizationToken" in event:
        return str(event["authorizationToken"])
    headers = event.get("headers") or {}
    return next((value for name, value in headers.items() if name.lower() == "authorization"), None)


def _stage(method_arn: str) -> str:
    api, stage, *_ = method_arn.split("/")
    return f"{api}/{stage}/*"
