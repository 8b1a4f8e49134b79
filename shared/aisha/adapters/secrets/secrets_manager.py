"""Secrets of AWS Secrets Manager, each a plain string under `<prefix><name>`."""

from time import monotonic

import boto3
from botocore.config import Config
from botocore.exceptions import BotoCoreError, ClientError

from aisha.domain.errors import NotFoundError, UnavailableError

CACHE_TTL = 300.0
"""Seconds until a value is read again: a rotated secret takes effect within this time."""
STALE_TTL = 3600.0
"""Seconds after `CACHE_TTL` for which a value is still used while Secrets Manager does not answer."""
RETRY_SECONDS = 30.0
"""Seconds until Secrets Manager is asked again after it did not answer."""
_ALLOW = "Allow the role secretsmanager:GetSecretValue (and kms:Decrypt) for {secret}."
_REMEDIES = {
    "AccessDeniedException": _ALLOW,
    "DecryptionFailure": _ALLOW,
    "InvalidRequestException": "Restore {secret} if it is to be deleted. " + _ALLOW,
}
"""Remedies by error code of GetSecretValue (see its API reference); repeating the request would not help."""
_CONFIG = Config(connect_timeout=2, read_timeout=3, retries={"mode": "standard", "total_max_attempts": 2})


class SecretsManagerSecretStore:
    """A `WritableSecretStore`. The function's role needs `secretsmanager:GetSecretValue` for what begins with `prefix`.

    It needs `secretsmanager:PutSecretValue` too for secrets that are replaced, see `put`.
    """

    def __init__(self, prefix: str, region: str) -> None:
        self._prefix = prefix
        self._client = boto3.client("secretsmanager", region_name=region, config=_CONFIG)
        # (read at, read again at, value) by name: a value that can't be read again stays in use, so no TTL cache fits.
        self._values: dict[str, tuple[float, float, str]] = {}

    def get(self, name: str) -> str:
        """Return the secret. Raises `NotFoundError`, also for a secret without text, and `UnavailableError`."""
        read_at, again_at, value = self._values.get(name, (0.0, 0.0, ""))
        if monotonic() < again_at:
            return value
        try:
            value = self._read(name)
        except UnavailableError:
            # A secret that was withdrawn must not serve for ever.
            if not value or monotonic() >= read_at + CACHE_TTL + STALE_TTL:
                raise
            self._values[name] = read_at, monotonic() + RETRY_SECONDS, value
        else:
            self._values[name] = monotonic(), monotonic() + CACHE_TTL, value
        return value

    def fresh(self, name: str) -> str:
        value = self._read(name)
        self._values[name] = monotonic(), monotonic() + CACHE_TTL, value
        return value

    def put(self, name: str, value: str) -> None:
        secret = f"{self._prefix}{name}"
        try:
            self._client.put_secret_value(SecretId=secret, SecretString=value)
        except self._client.exceptions.ResourceNotFoundException:
            raise NotFoundError(f"There is no secret {name!r}", suggestion=f"Create {secret}.") from None
        except (ClientError, BotoCoreError) as error:
            raise UnavailableError(
                f"Secrets Manager did not store the secret {name!r}",
                suggestion=f"Allow the role secretsmanager:PutSecretValue (and kms:GenerateDataKey) for {secret}.",
            ) from error
        self._values[name] = monotonic(), monotonic() + CACHE_TTL, value

    def _read(self, name: str) -> str:
        try:
            response = self._client.get_secret_value(SecretId=f"{self._prefix}{name}")
        except self._client.exceptions.ResourceNotFoundException:
            # As for a secret without text: there is none.
            response = {}
        except ClientError as error:
            raise self._refused(name, str(error.response.get("Error", {}).get("Code", "unknown"))) from error
        except BotoCoreError as error:
            raise UnavailableError("Secrets Manager did not answer", suggestion="Try again in a moment.") from error
        if not (value := response.get("SecretString")):
            raise NotFoundError(f"There is no secret {name!r}", suggestion=f"Create {self._prefix}{name}.")
        return str(value)

    def _refused(self, name: str, code: str) -> UnavailableError:
        """Return an error with AWS's name of it and its remedy."""
        suggestion = _REMEDIES.get(code, "Try again in a moment.").format(secret=f"{self._prefix}{name}")
        return UnavailableError(f"Secrets Manager did not give the secret {name!r}: {code}", suggestion=suggestion)
