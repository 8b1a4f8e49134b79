"""What keeps this process's clients of AWS on this machine."""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from unittest.mock import patch

_ELSEWHERE = ("AWS_PROFILE", "AWS_SESSION_TOKEN", "AWS_ENDPOINT_URL", "AWS_ENDPOINT_URL_DYNAMODB")
_ANY_KEY = {"AWS_ACCESS_KEY_ID": "local", "AWS_SECRET_ACCESS_KEY": "local", "AWS_EC2_METADATA_DISABLED": "true"}


@contextmanager
def no_account() -> Iterator[None]:
    """Meanwhile the environment leads to no account or service of the developer's, and has keys that a local one takes."""
    with patch.dict(os.environ, _ANY_KEY):
        for name in _ELSEWHERE:
            os.environ.pop(name, None)
        yield
