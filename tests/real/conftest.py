"""Services and functions for real: started here, on 127.0.0.1, and stopped again.

These tests run when they are asked for (`make test-real`). What a machine lacks, it is told: the test is skipped.
"""

import json
import os
import socket
import subprocess
import threading
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from datetime import UTC, datetime
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest

from aisha.adapters.clock import SystemClock
from aisha.adapters.dynamodb.records import DynamoDBRecordRepository
from aisha.adapters.dynamodb.tables import create_tables
from aisha.domain.ports import RecordRepository
from infra.local.demo import seed
from infra.local.keys import AUDIENCE, ISSUER, TokenSigner
from infra.local.runtime_api import Sandbox
from tests.real.deployment import Deployment

HERE = Path(__file__).parent
ROOT = HERE.parents[1]
REGION = "us-east-1"
RECORDS, CONVERSATIONS, ENTRIES = "real-records", "real-conversations", "real-entries"
MISSING = 3
"""What the scripts of infra/local exit with when a tool that they need is not on this machine."""


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    is_asked_for = any((Path.cwd() / arg.partition("::")[0]).is_relative_to(HERE) for arg in config.args)
    for item in items:
        if item.path.is_relative_to(HERE):
            item.add_marker(pytest.mark.real)
            if not is_asked_for:
                item.add_marker(pytest.mark.skip(reason="real services: make test-real"))


def script(name: str, *arguments: str) -> str:
    """What a script of infra/local prints. Skips the test when the machine lacks what the script needs."""
    done = subprocess.run(
        [str(ROOT / "infra/local" / name), *arguments], cwd=ROOT, check=False, capture_output=True, text=True
    )
    if done.returncode == MISSING:
        pytest.skip(done.stderr.strip())
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout.strip()


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


@pytest.fixture(scope="session")
def dynamodb() -> Iterator[str]:
    """The endpoint of a DynamoDB Local that keeps nothing."""
    port = str(free_port())
    with pytest.MonkeyPatch.context() as patch:
        for name in ("AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY"):
            patch.setenv(name, "local")
        for name in ("AWS_PROFILE", "AWS_SESSION_TOKEN", "AWS_ENDPOINT_URL", "AWS_ENDPOINT_URL_DYNAMODB"):
            patch.delenv(name, raising=False)
        script("dynamodb.sh", "start", port, ":memory:")
        yield f"http://127.0.0.1:{port}"
        script("dynamodb.sh", "stop", port)


@pytest.fixture(scope="session")
def records(dynamodb: str) -> RecordRepository:
    """Both tables, with the demo data."""
    create_tables(RECORDS, CONVERSATIONS, ENTRIES, region=REGION, endpoint=dynamodb)
    repository = DynamoDBRecordRepository(RECORDS, SystemClock(), region=REGION, endpoint=dynamodb)
    seed(repository, datetime.now(UTC))
    return repository


@pytest.fixture(scope="session")
def signer(tmp_path_factory: pytest.TempPathFactory) -> TokenSigner:
    return TokenSigner(tmp_path_factory.mktemp("identity"))


@pytest.fixture(scope="session")
def jwks_url(signer: TokenSigner) -> Iterator[str]:
    """An identity provider that publishes the signer's key."""
    body = json.dumps(signer.jwks()).encode()

    class Keys(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self.send_response(200)
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, format: str, *values: Any) -> None: ...

    server = ThreadingHTTPServer(("127.0.0.1", 0), Keys)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_address[1]}/jwks.json"
    server.shutdown()
    server.server_close()


@pytest.fixture(scope="session")
def build() -> Path:
    """The folder that `sam build` made for this machine's architecture."""
    script("build.sh", "host", ".local/build")
    return ROOT / ".local/build"


@pytest.fixture(scope="session")
def deployment(
    build: Path, dynamodb: str, records: RecordRepository, jwks_url: str, tmp_path_factory: pytest.TempPathFactory
) -> Deployment:
    """The built functions over the seeded tables."""
    return Deployment(
        folder=build,
        python=Path(script("lambda_runtime.sh")),
        values={
            "RecordsTable": RECORDS,
            "ConversationsTable": CONVERSATIONS,
            "EntriesTable": ENTRIES,
            "JwksUrl": jwks_url,
            "JwtIssuer": ISSUER,
            "JwtAudience": AUDIENCE,
        },
        outside={"AISHA_DYNAMODB_ENDPOINT": dynamodb},
        logs=tmp_path_factory.mktemp("logs"),
    )


@pytest.fixture(scope="session")
def started(deployment: Deployment) -> Iterator[Callable[[str], Sandbox]]:
    """Functions by name, e.g. "CrmFunction", each started at its first use."""
    with ExitStack() as opened:
        running: dict[str, Sandbox] = {}

        def start(name: str) -> Sandbox:
            if name not in running:
                running[name] = opened.enter_context(deployment.sandbox(name))
            return running[name]

        yield start


@pytest.fixture(scope="session")
def chat(deployment: Deployment) -> Iterator[Sandbox]:
    """The chat function behind AWS's web adapter."""
    adapter = Path(script("lambda_adapter.sh"))
    with deployment.streaming_sandbox("ChatFunction", adapter, free_port()) as sandbox:
        sandbox.wait_ready()
        yield sandbox


@pytest.fixture(scope="session")
def contract_environment(dynamodb: str) -> dict[str, str]:
    return {**os.environ, "AISHA_TEST_DYNAMODB_ENDPOINT": dynamodb}
