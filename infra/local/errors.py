"""What stops a local command. Each says in one line what is wrong and what to do."""


class LocalError(Exception):
    """Root of what the local commands report without a trace; they exit with 1."""


class FolderInUseError(LocalError):
    """Another process keeps its tables in the same folder."""


class BrokenSnapshotError(LocalError):
    """The kept tables can't be read."""


class TemplateError(LocalError):
    """The template says something that the local gateway can't follow."""


class PortInUseError(LocalError):
    """Something else listens there."""


class SigningKeyError(LocalError):
    """The kept signing key can't be read."""


class UnknownUserError(LocalError):
    """Nobody of that name may sign in locally."""


class ServiceError(LocalError):
    """DynamoDB Local or OpenSearch did not start."""


class RequestFailedError(LocalError):
    """The API answered with an error, or not at all."""
