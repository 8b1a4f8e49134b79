"""The authorizer: tokens, signing keys and stored access. The test serves the keys on loopback."""

import base64
import hmac
import json
import time
from collections.abc import Iterator
from datetime import UTC, datetime
from types import SimpleNamespace
from typing import Any

import jwt
import pytest
from cryptography.hazmat.primitives.asymmetric import ec, rsa
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat
from jwt.algorithms import ECAlgorithm, RSAAlgorithm

from aisha.adapters.auth.jwt_tokens import TokenVerifier
from aisha.adapters.auth.principal import principal_of_context
from aisha.adapters.clock import SystemClock
from aisha.application.tenants.access import Access, grant
from aisha.bootstrap import Services
from aisha.domain.errors import UnauthenticatedError, UnavailableError
from aisha.settings import read_settings
from tests.fakes.aws.api_gateway import function, serve, serving
from tests.fakes.stores.in_memory import InMemoryEntryRepository
from tests.fakes.systems.loopback import LoopbackHandler, LoopbackServer

ARN = "arn:aws:execute-api:us-east-1:012345678912:api/v1/GET/api/crm/lead"
RSA = rsa.generate_private_key(65537, 2048)
EC = ec.generate_private_key(ec.SECP256R1())
STRANGER = ec.generate_private_key(ec.SECP256R1())


def published(key: ec.EllipticCurvePrivateKey, kid: str) -> dict[str, Any]:
    return {**ECAlgorithm.to_jwk(key.public_key(), as_dict=True), "kid": kid, "alg": "ES256", "use": "sig"}


PUBLISHED = [
    {**RSAAlgorithm.to_jwk(RSA.public_key(), as_dict=True), "kid": "rsa", "alg": "RS256", "use": "sig"},
    published(EC, "ec"),
]
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


class Provider(LoopbackServer):
    """An identity provider: `published` are the keys at its jwks_uri, `fetches` counts the requests for them."""

    def __init__(self) -> None:
        super().__init__(Keys)
        self.published, self.fetches = list(PUBLISHED), 0

    def verifier(self) -> TokenVerifier:
        return TokenVerifier(f"{self.address}/jwks", issuer="https://id.example.com", audience="aisha")


class Keys(LoopbackHandler):
    """The handler of the provider's jwks_uri."""

    fake: Provider

    def do_GET(self) -> None:
        self.fake.fetches += 1
        self.send(200, json.dumps({"keys": self.fake.published}).encode())


@pytest.fixture(scope="module")
def verifier() -> Iterator[TokenVerifier]:
    with Provider() as provider:
        yield provider.verifier()


@pytest.fixture
def provider(services: Services) -> Iterator[Provider]:
    """A provider for principal test, with a verifier whose cache is empty."""
    with Provider() as running:
        serve(services.replace(token_verifier=running.verifier()))
        yield running


@pytest.fixture
def entries() -> InMemoryEntryRepository:
    """The store of granted access, empty."""
    return InMemoryEntryRepository(SystemClock())


@pytest.fixture(autouse=True)
def services(verifier: TokenVerifier, entries: InMemoryEntryRepository) -> Iterator[Services]:
    with serving(Services(settings=read_settings({}), token_verifier=verifier, entries=entries)) as served:
        yield served


def token(key: Any = EC, algorithm: str = "ES256", kid: str | None = "ec", **claims: Any) -> str:
    """Return a token with `CLAIMS`, changed by `claims`; None removes a claim."""
    merged = {**CLAIMS, "exp": time.time() + 600, **claims}
    payload = {name: value for name, value in merged.items() if value is not None}
    return jwt.encode(payload, key, algorithm=algorithm, headers={"kid": kid} if kid else None)


def encoded(part: dict[str, Any] | bytes) -> str:
    """Return a part of a token in base64url."""
    raw = part if isinstance(part, bytes) else json.dumps(part).encode()
    return base64.urlsafe_b64encode(raw).rstrip(b"=").decode()


def authorize(header: str) -> dict[str, Any]:
    event = {"type": "TOKEN", "authorizationToken": header, "methodArn": ARN}
    answer: dict[str, Any] = function("authorizer").handler(event, None)
    return answer


def is_refused(header: str) -> bool:
    """Return whether API Gateway would respond with 401. It responds to any other exception with 500."""
    try:
        authorize(header)
    except Exception as error:
        return str(error) == "Unauthorized"
    return False


@pytest.mark.parametrize(("key", "algorithm", "kid"), [(EC, "ES256", "ec"), (RSA, "RS256", "rsa")])
def test_a_valid_token_is_allowed(key: Any, algorithm: str, kid: str) -> None:
    answer = authorize(f"Bearer {token(key, algorithm, kid)}")
    (statement,) = answer["policyDocument"]["Statement"]
    assert answer["principalId"] == "alice"
    assert (statement["Effect"], statement["Action"]) == ("Allow", "execute-api:Invoke")
    assert statement["Resource"] == "arn:aws:execute-api:us-east-1:012345678912:api/v1/*"
    assert all(isinstance(value, str) for value in answer["context"].values())


def test_the_principal_comes_from_the_token() -> None:
    context = authorize(f"Bearer {token()}")["context"]
    principal = principal_of_context(context, SystemClock().now())
    assert (principal.tenant, principal.user) == ("demo", "alice")
    assert (principal.roles, principal.modules) == (frozenset({"member", "admin"}), frozenset({"leads", "notes"}))
    assert (principal.name, principal.email) == ("Zoë Müller", "zoe@example.com")
    assert (principal.zone, principal.locale, principal.door) == ("Europe/Berlin", "de-DE", "api")


@pytest.mark.parametrize(
    ("is_verified", "email"), [(None, "zoe@example.com"), (True, "zoe@example.com"), (False, None), ("false", None)]
)
def test_an_address_that_the_provider_has_not_verified_is_not_the_users(is_verified: Any, email: str | None) -> None:
    context = authorize(f"Bearer {token(email_verified=is_verified)}")["context"]
    assert principal_of_context(context, SystemClock().now()).email == email


def test_without_roles_and_modules_there_are_none() -> None:
    bare = token(roles=None, modules=None, name=None, email=None, zoneinfo="Mars/Olympus", locale="??")
    principal = principal_of_context(authorize(f"Bearer {bare}")["context"], SystemClock().now())
    assert not principal.roles | principal.modules
    assert (principal.zone, principal.locale) == ("UTC", "en-US")


def test_a_request_event_is_read_as_well() -> None:
    event = {"type": "REQUEST", "methodArn": ARN, "headers": {"authorization": f"bearer {token()}"}}
    assert function("authorizer").handler(event, None)["principalId"] == "alice"


@pytest.mark.parametrize("header", ["", "Bearer", "Bearer ", "Basic YWxpY2U6", "Bearer nonsense", "Bearer a.b.c"])
def test_a_header_without_a_token_is_refused(header: str) -> None:
    assert is_refused(header)


def test_a_token_alone_is_no_bearer_token() -> None:
    assert is_refused(token())


@pytest.mark.parametrize("seconds", [61, 300, 3600])
def test_an_expired_token_is_refused(seconds: int) -> None:
    assert is_refused(f"Bearer {token(exp=time.time() - seconds)}")
    assert is_refused(f"Bearer {token(nbf=time.time() + seconds + 5)}")


def test_the_providers_clock_may_be_a_minute_off() -> None:
    context = authorize(f"Bearer {token(nbf=time.time() + 50, iat=time.time() + 50)}")["context"]
    assert principal_of_context(context, SystemClock().now()).user == "alice"


def test_an_end_is_an_end_whatever_clocks_say() -> None:
    assert is_refused(f"Bearer {token(exp=time.time() - 2)}")


@pytest.mark.parametrize("seconds", [1e308, 10**30, 25 * 3600])
def test_a_token_that_lasts_longer_than_a_day_is_refused(seconds: float) -> None:
    assert is_refused(f"Bearer {token(exp=time.time() + seconds)}")


def test_a_cached_policy_ends_with_its_token() -> None:
    context = authorize(f"Bearer {token(exp=(end := time.time() + 100))}")["context"]
    principal_of_context(context, datetime.fromtimestamp(end - 5, UTC))
    with pytest.raises(UnauthenticatedError, match="expired"):
        principal_of_context(context, datetime.fromtimestamp(end + 1, UTC))


@pytest.mark.parametrize(
    "claims",
    [
        {"exp": None},
        {"exp": "tomorrow"},
        {"exp": 10**400},
        {"exp": float("inf")},
        {"exp": float("nan")},
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
    assert is_refused(f"Bearer {token(**claims)}")


def test_an_unsigned_token_is_refused() -> None:
    unsigned = jwt.encode({**CLAIMS, "exp": time.time() + 600}, "", algorithm="none", headers={"kid": "ec"})
    head, body, _ = token().split(".")
    assert is_refused(f"Bearer {unsigned}")
    assert is_refused(f"Bearer {head}.{body}.")


def test_a_token_signed_with_the_public_key_as_a_secret_is_refused() -> None:
    head = encoded({"alg": "HS256", "typ": "JWT", "kid": "rsa"})
    body = encoded({**CLAIMS, "exp": time.time() + 600})
    for form in (Encoding.PEM, Encoding.DER):
        secret = RSA.public_key().public_bytes(form, PublicFormat.SubjectPublicKeyInfo)
        signature = hmac.digest(secret, f"{head}.{body}".encode(), "sha256")
        assert is_refused(f"Bearer {head}.{body}.{encoded(signature)}")


@pytest.mark.parametrize("kid", ["ec", "rsa", "other", None])
def test_a_token_signed_with_another_key_is_refused(kid: str | None) -> None:
    assert is_refused(f"Bearer {token(STRANGER, 'ES256', kid)}")


def test_claims_changed_after_signing_are_refused() -> None:
    head, _, signature = token().split(".")
    changed = encoded({**CLAIMS, "exp": time.time() + 600, "tenant_id": "rival"})
    assert is_refused(f"Bearer {head}.{changed}.{signature}")


def test_a_token_that_is_no_text_is_refused() -> None:
    assert is_refused("Bearer \ud800.a.b")


def test_a_huge_token_is_refused() -> None:
    assert is_refused(f"Bearer {token(name='x' * 9000)}")


def test_keys_that_can_not_be_fetched_are_an_unavailable_error(services: Services) -> None:
    with Provider() as gone:
        pass
    serve(services.replace(token_verifier=gone.verifier()))
    with pytest.raises(UnavailableError):
        authorize(f"Bearer {token()}")


@pytest.mark.parametrize("url", ["http://id.example.com/jwks", "file:///etc/passwd", "https://", "127.0.0.1/jwks"])
def test_keys_are_fetched_over_https_only(url: str) -> None:
    with pytest.raises(ValueError, match="https"):
        TokenVerifier(url, issuer="i", audience="a")


# --- rotation of keys


@pytest.fixture
def seconds(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """PyJWT's clock in seconds, which a test can advance."""
    now = [1000.0]
    for module in ("jwks_client", "jwk_set_cache", "api_jwk"):
        monkeypatch.setattr(f"jwt.{module}.time", SimpleNamespace(monotonic=lambda: now[0]))
    return now


def test_keys_are_fetched_once_for_many_tokens(provider: Provider) -> None:
    for _ in range(5):
        authorize(f"Bearer {token()}")
    assert provider.fetches == 1


def test_a_new_key_is_fetched_when_its_first_token_comes(provider: Provider, seconds: list[float]) -> None:
    authorize(f"Bearer {token()}")
    provider.published.append(published(STRANGER, "new"))
    seconds[0] += 31
    assert authorize(f"Bearer {token(STRANGER, 'ES256', 'new')}")["principalId"] == "alice"
    assert provider.fetches == 2


def test_made_up_key_ids_do_not_flood_the_provider(provider: Provider, seconds: list[float]) -> None:
    authorize(f"Bearer {token()}")
    for number in range(20):
        assert is_refused(f"Bearer {token(STRANGER, 'ES256', f'made-up-{number}')}")
    assert provider.fetches == 1
    seconds[0] += 31
    assert all(is_refused(f"Bearer {token(STRANGER, 'ES256', f'made-up-{number}')}") for number in range(20))
    assert provider.fetches == 2


def test_a_withdrawn_key_is_refused_after_five_minutes(provider: Provider, seconds: list[float]) -> None:
    authorize(f"Bearer {token()}")
    provider.published = [published(STRANGER, "new")]
    seconds[0] += 301
    assert is_refused(f"Bearer {token()}")


# --- plans and stored access


def test_the_gateway_gets_the_key_of_the_tenants_plan() -> None:
    def key(arn: str = ARN, **claims: str) -> str:
        event = {"type": "TOKEN", "authorizationToken": f"Bearer {token(**claims)}", "methodArn": arn}
        answer: str = function("authorizer").handler(event, None)["usageIdentifierKey"]
        return answer

    others = [key(tenant_id="rival"), key(ARN.replace("/v1/", "/v2/")), key(ARN.replace(":api/", ":api2/"))]
    assert key() == key(sub="bob") == key(ARN.replace("GET/api/crm/lead", "POST/api/ai/chat"))
    assert len({key(), *others}) == 4
    assert 20 <= len(key()) <= 128, "the lengths that API Gateway accepts"


def test_stored_roles_and_modules_apply_if_the_token_has_none(entries: InMemoryEntryRepository) -> None:
    grant(entries, "demo", "alice", Access(("admin",), ("leads", "goals")))
    bare, other = token(roles=None, modules=None), token(roles=None, modules=None, tenant_id="rival")
    principals = [
        principal_of_context(authorize(f"Bearer {text}")["context"], SystemClock().now())
        for text in (bare, token(roles=None), token(), other)
    ]
    assert [sorted(principal.roles) for principal in principals] == [["admin"], ["admin"], ["admin", "member"], []]
    assert [sorted(principal.modules) for principal in principals] == [
        ["goals", "leads"],
        ["leads", "notes"],
        ["leads", "notes"],
        [],
    ]


def test_a_user_whose_access_can_not_be_read_is_not_allowed(
    monkeypatch: pytest.MonkeyPatch, entries: InMemoryEntryRepository
) -> None:
    def find(*_: Any) -> None:
        raise UnavailableError("The entries do not answer.")

    monkeypatch.setattr(entries, "find", find)
    assert authorize(f"Bearer {token()}")["principalId"] == "alice"
    with pytest.raises(UnavailableError):
        authorize(f"Bearer {token(modules=None)}")


def test_claim_names_are_configurable(services: Services) -> None:
    names = {"AISHA_JWT_TENANT_CLAIM": "custom:tenant", "AISHA_JWT_ROLES_CLAIM": "cognito:groups"}
    serve(services.replace(settings=read_settings(names)))
    claims: dict[str, Any] = {"custom:tenant": "demo", "cognito:groups": ["sales"]}
    text = token(tenant_id="rival", roles=["admin"], **claims)
    context = authorize(f"Bearer {text}")["context"]
    assert (context["tenant_id"], context["roles"]) == ("demo", '["sales"]')
    assert is_refused(f"Bearer {token()}"), "the default claim does not name the tenant then"
