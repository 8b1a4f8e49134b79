"""Secrets of AWS Secrets Manager, each a plain string under `<prefix><name>`."""

from time import monotonic

import boto3
from botocore.config import Config
from botocore.exceptions import BotoCoreError, ClientError

from aisha.domain.errors import NotFoundError, UnavailableError

KEPT_SECONDS = 300.0
"""How long a value is used before it is read again: a rotated secret takes effect within this time."""
STALE_SECONDS = 3600.0
"""How much longer it is used while Secrets Manager does not answer."""
AGAIN_SECONDS = 30.0
"""Until Secrets Manager is asked again when it did not answer."""
_ALLOW = "Allow the role secretsmanager:GetSecretValue (and kms:Decrypt) for {secret}."
_REMEDIES = {
    "AccessDeniedException": _ALLOW,
    "DecryptionFailure": _ALLOW,
    "InvalidRequestException": "Restore {secret} if it is to be deleted. " + _ALLOW,
}
"""By error code of GetSecretValue, see its API reference; whoever tries again only gets the same."""
_CONFIG = Config(connect_timeout=2, read_timeout=3, retries={"mode": "standard", "total_max_attempts": 2})


class SecretsManagerSecretStore:
    """A `SecretStore`. The function's role needs `secretsmanager:GetSecretValue` for what begins with `prefix`."""

    def __init__(self, prefix: str, region: str) -> None:
        self._prefix = prefix
        self._client = boto3.client("secretsmanager", region_name=region, config=_CONFIG)
        self._kept: dict[str, tuple[float, float, str]] = {}

    def get(self, name: str) -> str:
        """Raises `NotFoundError`, also for a secret without text, and `UnavailableError`."""
        read_at, again_at, value = self._kept.get(name, (0.0, 0.0, ""))
        if monotonic() < again_at:
            return value
        try:
            value = self._read(name)
        except UnavailableError:
            if not value or monotonic() >= read_at + KEPT_SECONDS + STALE_SECONDS:
                raise
            self._kept[name] = read_at, monotonic() + AGAIN_SECONDS, value
        else:
            self._kept[name] = monotonic(), monotonic() + KEPT_SECONDS, value
        return value

    def _read(self, name: str) -> str:
        try:
            found = self._client.get_secret_value(SecretId=f"{self._prefix}{name}")
        except self._client.exceptions.ResourceNotFoundException:
            found = {}
        except ClientError as error:
            raise self._refused(name, str(error.response.get("Error", {}).get("Code", "unknown"))) from error
        except BotoCoreError as error:
            raise UnavailableError("Secrets Manager did not answer", suggestion="Try again in a moment.") from error
        if not (value := found.get("SecretString")):
            raise NotFoundError(f"There is no secret {name!r}", suggestion=f"Create {self._prefix}{name}.")
        return str(value)

    def _refused(self, name: str, code: str) -> UnavailableError:
        """What AWS calls the error, and what to do about it."""
        suggestion = _REMEDIES.get(code, "Try again in a moment.").format(secret=f"{self._prefix}{name}")
        return UnavailableError(f"Secrets Manager did not give the secret {name!r}: {code}", suggestion=suggestion)
