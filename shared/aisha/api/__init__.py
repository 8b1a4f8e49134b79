"""The edges of the functions: authentication, limits, idempotency, validation, errors and logs of a request."""
