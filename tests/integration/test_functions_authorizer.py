"""The authorizer: which tokens let whom in. The keys are served by this test on loopback, as a provider would."""

import base64
import hmac
import json
import threading
import time
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import jwt
import pytest
from cryptography.hazmat.primitives.asymmetric import ec, rsa
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat
from jwt.algorithms import ECAlgorithm, RSAAlgorithm

from aisha import bootstrap
from aisha.adapters.auth import principal_of_context
from aisha.adapters.clock import SystemClock
from aisha.adapters.jwt_tokens import TokenVerifier
from aisha.domain.errors import UnavailableError
from tests.fakes.api_gateway import function

ARN = "arn:aws:execute-api:us-east-1:012345678912:api/v1/GET/api/crm/lead"
RSA = rsa.generate_private_key(65537, 2048)
EC = ec.generate_private_key(ec.SECP256R1())
STRANGER = ec.generate_private_key(ec.SECP256R1())
JWKS = {
    "keys": [
        {**RSAAlgorithm.to_jwk(RSA.public_key(), as_dict=True), "kid": "rsa", "alg": "RS256", "use": "sig"},
        {**ECAlgorithm.to_jwk(EC.public_key(), as_dict=True), "kid": "ec", "alg": "ES256", "use": "sig"},
    ]
}
CLAIMS = {
    "iss": "https://id.example.com",
    "aud": "aisha",
    "sub": "alice",
    "tenant_id": "demo",
    "roles": ["member", "admin"],
    "modules": ["leads", "notes"],
    "name": "Zoë Müller",
    "email": "zoe@example.com",
    "zoneinfo": "Europe/Berlin",
    "locale": "de-DE",
}


class Keys(BaseHTTPRequestHandler):
    """The provider's jwks_uri."""

    def do_GET(self) -> None:
        body = json.dumps(JWKS).encode()
        self.send_response(200)
        self.send_header("content-length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, format: str, *values: Any) -> None:
        """Quiet."""


@pytest.fixture(scope="module")
def verifier() -> Iterator[TokenVerifier]:
    server = ThreadingHTTPServer(("127.0.0.1", 0), Keys)
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    address = f"http://127.0.0.1:{server.server_port}/jwks"
    yield TokenVerifier(address, issuer=CLAIMS["iss"], audience="aisha")  # type: ignore[arg-type]
    server.shutdown()
    server.server_close()
    thread.join()


@pytest.fixture(autouse=True)
def let_in(verifier: TokenVerifier, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bootstrap, "token_verifier", lambda: verifier)


def token(key: Any = EC, algorithm: str = "ES256", kid: str | None = "ec", **claims: Any) -> str:
    """A token with the usual claims and `claims` over them; None leaves one out."""
    everything = {**CLAIMS, "exp": time.time() + 600, **claims}
    kept = {name: value for name, value in everything.items() if value is not None}
    return jwt.encode(kept, key, algorithm=algorithm, headers={"kid": kid} if kid else None)


def encoded(part: dict[str, Any] | bytes) -> str:
    """A part of a token."""
    raw = part if isinstance(part, bytes) else json.dumps(part).encode()
    return base64.urlsafe_b64encode(raw).rstrip(b"=").decode()


def authorize(header: str) -> dict[str, Any]:
    event = {"type": "TOKEN", "authorizationToken": header, "methodArn": ARN}
    answer: dict[str, Any] = function("authorizer").handler(event, None)
    return answer


def refused(header: str) -> bool:
    """True when API Gateway would answer 401; anything else that is raised would be its 500."""
    try:
        authorize(header)
    except Exception as error:
        return str(error) == "Unauthorized"
    return False


@pytest.mark.parametrize(("key", "algorithm", "kid"), [(EC, "ES256", "ec"), (RSA, "RS256", "rsa")])
def test_a_good_token_lets_its_user_in(key: Any, algorithm: str, kid: str) -> None:
    answer = authorize(f"Bearer {token(key, algorithm, kid)}")
    (statement,) = answer["policyDocument"]["Statement"]
    assert answer["principalId"] == "alice"
    assert (statement["Effect"], statement["Action"]) == ("Allow", "execute-api:Invoke")
    assert statement["Resource"] == "arn:aws:execute-api:us-east-1:012345678912:api/v1/*"
    assert all(isinstance(value, str) for value in answer["context"].values())


def test_the_functions_see_who_the_token_says() -> None:
    context = authorize(f"Bearer {token()}")["context"]
    principal = principal_of_context(context, SystemClock().now())
    assert (principal.tenant, principal.user) == ("demo", "alice")
    assert (principal.roles, principal.modules) == (frozenset({"member", "admin"}), frozenset({"leads", "notes"}))
    assert (principal.name, principal.email) == ("Zoë Müller", "zoe@example.com")
    assert (principal.zone, principal.locale, principal.door) == ("Europe/Berlin", "de-DE", "api")


def test_without_roles_and_modules_there_are_none() -> None:
    bare = token(roles=None, modules=None, name=None, email=None, zoneinfo="Mars/Olympus", locale="??")
    principal = principal_of_context(authorize(f"Bearer {bare}")["context"], SystemClock().now())
    assert not principal.roles | principal.modules
    assert (principal.zone, principal.locale) == ("UTC", "en-US")


def test_a_request_event_is_read_as_well() -> None:
    event = {"type": "REQUEST", "methodArn": ARN, "headers": {"authorization": f"bearer {token()}"}}
    assert function("authorizer").handler(event, None)["principalId"] == "alice"


@pytest.mark.parametrize("header", ["", "Bearer", "Bearer ", "Basic YWxpY2U6", "Bearer nonsense", "Bearer a.b.c"])
def test_no_token_is_no_way_in(header: str) -> None:
    assert refused(header)


def test_a_token_alone_is_no_bearer_token() -> None:
    assert refused(token())


@pytest.mark.parametrize("seconds", [1, 30, 3600])
def test_an_expired_token_is_refused_from_its_first_second(seconds: int) -> None:
    assert refused(f"Bearer {token(exp=time.time() - seconds)}")


@pytest.mark.parametrize(
    "claims",
    [
        {"exp": None},
        {"exp": "tomorrow"},
        {"nbf": 4102444800},
        {"iss": "https://evil.example.com"},
        {"iss": None},
        {"aud": "another"},
        {"aud": None},
        {"sub": None},
        {"sub": ""},
        {"tenant_id": None},
        {"tenant_id": ""},
        {"tenant_id": 5},
        {"tenant_id": ["demo", "rival"]},
        {"tenant_id": "demo#lead"},
        {"sub": "alice bob"},
        {"roles": "admin"},
        {"modules": [1]},
    ],
    ids=str,
)
def test_a_token_with_other_claims_is_refused(claims: dict[str, Any]) -> None:
    assert refused(f"Bearer {token(**claims)}")


def test_an_unsigned_token_is_refused() -> None:
    unsigned = jwt.encode({**CLAIMS, "exp": time.time() + 600}, "", algorithm="none", headers={"kid": "ec"})
    head, body, _ = token().split(".")
    assert refused(f"Bearer {unsigned}")
    assert refused(f"Bearer {head}.{body}.")


def test_a_token_signed_with_the_public_key_as_a_secret_is_refused() -> None:
    head = encoded({"alg": "HS256", "typ": "JWT", "kid": "rsa"})
    body = encoded({**CLAIMS, "exp": time.time() + 600})
    for form in (Encoding.PEM, Encoding.DER):
        secret = RSA.public_key().public_bytes(form, PublicFormat.SubjectPublicKeyInfo)
        signature = hmac.digest(secret, f"{head}.{body}".encode(), "sha256")
        assert refused(f"Bearer {head}.{body}.{encoded(signature)}")


@pytest.mark.parametrize("kid", ["ec", "rsa", "other", None])
def test_another_key_opens_nothing(kid: str | None) -> None:
    assert refused(f"Bearer {token(STRANGER, 'ES256', kid)}")


def test_claims_changed_after_signing_are_refused() -> None:
    head, _, signature = token().split(".")
    changed = encoded({**CLAIMS, "exp": time.time() + 600, "tenant_id": "rival"})
    assert refused(f"Bearer {head}.{changed}.{signature}")


def test_a_huge_token_is_not_even_read() -> None:
    assert refused(f"Bearer {token(name='x' * 9000)}")


def test_keys_that_cannot_be_fetched_are_not_the_users_fault(monkeypatch: pytest.MonkeyPatch) -> None:
    server = ThreadingHTTPServer(("127.0.0.1", 0), Keys)
    server.server_close()
    nowhere = TokenVerifier(f"http://127.0.0.1:{server.server_port}/jwks", issuer="i", audience="a")
    monkeypatch.setattr(bootstrap, "token_verifier", lambda: nowhere)
    with pytest.raises(UnavailableError):
        authorize(f"Bearer {token()}")


@pytest.mark.parametrize("url", ["http://id.example.com/jwks", "file:///etc/passwd", "https://", "127.0.0.1/jwks"])
def test_keys_are_only_taken_over_a_safe_way(url: str) -> None:
    with pytest.raises(ValueError, match="https"):
        TokenVerifier(url, issuer="i", audience="a")
