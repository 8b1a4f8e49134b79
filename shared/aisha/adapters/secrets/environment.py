"""Secrets of the process's environment, for laptops and tests: `AISHA_SECRET__<NAME>`, as the settings read them.

A value that is replaced is kept until the process ends.
"""

from collections.abc import Mapping

from pydantic import SecretStr

from aisha.domain.errors import NotFoundError


class EnvironmentSecretStore:
    """A `WritableSecretStore` over `Settings.secrets`. Names are compared without regard to case."""

    def __init__(self, secrets: Mapping[str, SecretStr]) -> None:
        self._secrets = {name.upper(): value for name, value in secrets.items()}

    def get(self, name: str) -> str:
        if (value := self._secrets.get(name.upper())) is None:
            raise NotFoundError(f"There is no secret {name!r}", suggestion=f"Set AISHA_SECRET__{name.upper()}.")
        return value.get_secret_value()

    def fresh(self, name: str) -> str:
        return self.get(name)

    def put(self, name: str, value: str) -> None:
        """Replace the secret in this process. Raises `NotFoundError`."""
        self.get(name)
        self._secrets[name.upper()] = SecretStr(value)
