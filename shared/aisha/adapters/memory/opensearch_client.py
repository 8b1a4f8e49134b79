"""Connections to OpenSearch: a node, a managed domain, or a serverless collection."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Literal

import botocore.session
from opensearchpy import OpenSearch, Urllib3AWSV4SignerAuth
from opensearchpy.exceptions import ConnectionError as NoConnectionError
from opensearchpy.exceptions import ConnectionTimeout, OpenSearchException, TransportError

from aisha.domain.errors import UnavailableError

type Service = Literal["none", "es", "aoss"]
"""The service that requests are signed for: none, a managed domain, or a serverless collection."""

SECONDS = 30.0
"""Timeout of one request; a search has its own, shorter one."""
CONNECTIONS = 16


def connect(endpoint: str, service: Service, region: str) -> OpenSearch:
    """Return a client, which connects at its first request. `endpoint` is a URL, perhaps with a user and a password.

    Raises `UnavailableError` when requests are to be signed and there are no AWS credentials.
    """
    signer = None
    if service != "none":
        credentials = botocore.session.Session().get_credentials()
        if credentials is None:
            raise UnavailableError("OpenSearch can't be asked: there are no AWS credentials to sign requests with")
        signer = {"http_auth": Urllib3AWSV4SignerAuth(credentials, region, service)}
    # One retry: a pooled connection may have been closed by a server that has restarted.
    return OpenSearch(
        endpoint, max_retries=1, retry_on_status=(), timeout=SECONDS, pool_maxsize=CONNECTIONS, **signer or {}
    )


@contextmanager
def answering() -> Iterator[None]:
    """Re-raise the client's errors as `UnavailableError`, without the server's own text."""
    try:
        yield
    except ConnectionTimeout as error:
        raise UnavailableError("OpenSearch took too long") from error
    except NoConnectionError as error:
        raise UnavailableError("OpenSearch does not answer") from error
    except TransportError as error:
        raise UnavailableError("OpenSearch refused the request", detail={"status": error.status_code}) from error
    except OpenSearchException as error:
        raise UnavailableError("OpenSearch's answer could not be read") from error
