"""Keep this process's AWS clients away from real accounts."""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from unittest.mock import patch

_REAL_ACCOUNT = ("AWS_PROFILE", "AWS_SESSION_TOKEN", "AWS_ENDPOINT_URL", "AWS_ENDPOINT_URL_DYNAMODB")
_LOCAL_KEYS = {"AWS_ACCESS_KEY_ID": "local", "AWS_SECRET_ACCESS_KEY": "local", "AWS_EC2_METADATA_DISABLED": "true"}


@contextmanager
def without_real_accounts() -> Iterator[None]:
    """Remove the developer's accounts and services from the environment, and set keys that local services accept."""
    with patch.dict(os.environ, _LOCAL_KEYS):
        for name in _REAL_ACCOUNT:
            os.environ.pop(name, None)
        yield
