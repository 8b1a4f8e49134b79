"""Sign local tokens with a key that stays in its folder and that no deployment trusts."""

import os
from collections.abc import Mapping
from datetime import datetime, timedelta
from hashlib import sha256
from pathlib import Path
from typing import Any

import jwt
from cryptography.hazmat.primitives.asymmetric.ec import SECP256R1, EllipticCurvePrivateKey, generate_private_key
from cryptography.hazmat.primitives.serialization import (
    Encoding,
    NoEncryption,
    PrivateFormat,
    PublicFormat,
    load_pem_private_key,
)
from jwt.algorithms import ECAlgorithm

from infra.local.demo.users import USERS
from infra.local.errors import SigningKeyError, UnknownUserError

ALGORITHM = "ES256"
ISSUER = "aisha-local"
AUDIENCE = "aisha"
LIFETIME = timedelta(hours=12)


class TokenSigner:
    """Signs with the ES256 key in `folder`, made there at first use and readable by its owner alone.

    Raises `SigningKeyError` for another file in its place.
    """

    def __init__(self, folder: Path) -> None:
        self._key = _load_key(folder / "signing-key.pem")

    def jwks(self) -> dict[str, Any]:
        """Return the public key as a JSON Web Key Set."""
        key = ECAlgorithm.to_jwk(self._key.public_key(), as_dict=True)
        return {"keys": [{**key, "kid": self._key_id(), "alg": ALGORITHM, "use": "sig"}]}

    def user_token(self, user: str, tenant: str, now: datetime) -> str:
        """Return a demo user's token, valid for 12 hours. Raises `UnknownUserError`."""
        profile = USERS.get((tenant, user))
        if profile is None:
            users = ", ".join(f"{name} of {of}" for of, name in USERS)
            raise UnknownUserError(f"There is no user {user!r} of tenant {tenant!r}. There are: {users}.")
        return self.sign({"sub": user, "tenant_id": tenant, **profile}, now)

    def sign(self, claims: Mapping[str, Any], now: datetime) -> str:
        """Return a token with `claims` in addition to the usual issuer, audience and expiry."""
        usual = {"iss": ISSUER, "aud": AUDIENCE, "iat": now, "exp": now + LIFETIME}
        return jwt.encode({**usual, **claims}, self._key, algorithm=ALGORITHM, headers={"kid": self._key_id()})

    def _key_id(self) -> str:
        public = self._key.public_key().public_bytes(Encoding.DER, PublicFormat.SubjectPublicKeyInfo)
        # The key's own hash: another key has another id, so that caches of the JWKS notice it.
        return sha256(public).hexdigest()[:16]


def _load_key(path: Path) -> EllipticCurvePrivateKey:
    try:
        if not path.exists():
            _create_key(path)
        key = load_pem_private_key(path.read_bytes(), password=None)
    except (OSError, ValueError) as error:
        raise SigningKeyError(f"{path} can't be used as the signing key. Without it, a new one is made.") from error
    if not isinstance(key, EllipticCurvePrivateKey):
        raise SigningKeyError(f"{path} is not an ES256 key. Without it, a new one is made.")
    return key


def _create_key(path: Path) -> None:
    """Write a new key, unless another process just did: then both use that one."""
    path.parent.mkdir(parents=True, exist_ok=True)
    pem = generate_private_key(SECP256R1()).private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption())
    try:
        # `O_EXCL`: of two processes that start together only one makes the key.
        descriptor = os.open(path, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600)
    except FileExistsError:
        return
    with os.fdopen(descriptor, "wb") as file:
        file.write(pem)
