"""Errors of the local commands. Each message says in one line what is wrong and what to do."""


class LocalError(Exception):
    """Root of the errors that a command prints without a trace; it exits with 1."""


class FolderInUseError(LocalError):
    """Another process uses the tables in the same folder."""


class BrokenSnapshotError(LocalError):
    """The stored tables can't be read."""


class TemplateError(LocalError):
    """The template uses something that the local gateway does not support."""


class PortInUseError(LocalError):
    """Another process listens on the port."""


class SigningKeyError(LocalError):
    """The stored signing key can't be read."""


class UnknownUserError(LocalError):
    """There is no local user of that name."""


class ServiceError(LocalError):
    """DynamoDB Local or OpenSearch did not start."""


class RequestFailedError(LocalError):
    """The API returned an error, or did not respond."""
