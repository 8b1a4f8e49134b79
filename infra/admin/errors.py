"""Errors of the administration commands. Each message says in one line what is wrong and what to do."""


class AdminError(Exception):
    """Root of the errors that a command prints without a trace; it exits with 1."""


class OnboardingError(AdminError):
    """The tenant can't be set up like this."""


class WebError(AdminError):
    """The web client can't be deployed like this."""


class AuditError(AdminError):
    """The audit log was tampered with, or can't be verified like this."""
