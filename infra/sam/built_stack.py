"""Run the built functions on local services: DynamoDB Local with the demo data, an identity provider, a queue.

Used by the tests of the output of `sam build`, and to measure the cold starts of its functions.
"""

import json
import subprocess
import threading
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from hashlib import md5
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

from aisha.adapters.clock import SystemClock
from aisha.adapters.dynamodb.records.repository import DynamoDBRecordRepository
from aisha.adapters.dynamodb.tables import create_tables
from aisha.domain.ports import RecordRepository
from infra.local.aws_fakes.aws_credentials_guard import without_real_accounts
from infra.local.demo.data import seed
from infra.local.errors import ServiceError
from infra.local.server.keys import AUDIENCE, ISSUER, TokenSigner
from infra.sam.deployment import Deployment
from infra.sam.emulator import free_port

ROOT = Path(__file__).parents[2]
REGION = "us-east-1"
TABLES = ("real-records", "real-conversations", "real-entries")
MISSING = 3
"""The exit code of the scripts when a tool that they need is not installed."""


class MissingToolError(ServiceError):
    """A tool is not installed."""


def script(name: str, *arguments: str) -> str:
    """Run a script, named by its path in `infra`, and return its output. Raises `MissingToolError`, `ServiceError`."""
    command = [str(ROOT / "infra" / name), *arguments]
    process = subprocess.run(command, cwd=ROOT, check=False, capture_output=True, text=True)
    if process.returncode == MISSING:
        raise MissingToolError(process.stderr.strip())
    if process.returncode:
        raise ServiceError(f"{name} failed: {process.stdout}{process.stderr}")
    return process.stdout.strip()


@contextmanager
def dynamodb_local() -> Iterator[str]:
    """Start a DynamoDB Local in memory and yield its endpoint."""
    port = str(free_port())
    with without_real_accounts():
        script("services/dynamodb.sh", "start", port, ":memory:")
        try:
            yield f"http://127.0.0.1:{port}"
        finally:
            script("services/dynamodb.sh", "stop", port)


def seeded_records(endpoint: str) -> RecordRepository:
    """Create the tables with the demo data."""
    create_tables(*TABLES, region=REGION, endpoint=endpoint)
    repository = DynamoDBRecordRepository(TABLES[0], SystemClock(), region=REGION, endpoint=endpoint)
    seed(repository, datetime.now(UTC))
    return repository


@contextmanager
def neighbours(signer: TokenSigner) -> Iterator[str]:
    """Start a server with the signer's key at /jwks.json and SQS at all other paths; yield its address."""
    keys = json.dumps(signer.jwks()).encode()

    class Neighbours(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self._answer(keys)

        def do_POST(self) -> None:
            message = json.loads(self.rfile.read(int(self.headers["Content-Length"])))["MessageBody"]
            # SQS returns the MD5 of the message's body.
            digest = md5(message.encode(), usedforsecurity=False).hexdigest()
            self._answer(json.dumps({"MessageId": digest, "MD5OfMessageBody": digest}).encode())

        def _answer(self, body: bytes) -> None:
            self.send_response(200)
            self.send_header("Content-Type", "application/x-amz-json-1.0")
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, format: str, *values: Any) -> None: ...

    server = ThreadingHTTPServer(("127.0.0.1", 0), Neighbours)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield f"http://127.0.0.1:{server.server_address[1]}"
    finally:
        server.shutdown()
        server.server_close()


def deployment(folder: Path, dynamodb: str, address: str, logs: Path) -> Deployment:
    """Return the functions of the build in `folder`, on these services. Raises `MissingToolError`."""
    return Deployment(
        folder=folder,
        python=Path(script("build/lambda_runtime.sh")),
        values={
            "RecordsTable": TABLES[0],
            "ConversationsTable": TABLES[1],
            "EntriesTable": TABLES[2],
            "MemoryQueue": f"{address}/queue/memory",
            "SweepQueue": f"{address}/queue/sweep",
            "JwksUrl": f"{address}/jwks.json",
            "JwtIssuer": ISSUER,
            "JwtAudience": AUDIENCE,
        },
        outside={"AISHA_DYNAMODB_ENDPOINT": dynamodb, "AWS_ENDPOINT_URL_SQS": address},
        logs=logs,
    )


@dataclass(frozen=True)
class BuiltStack:
    """A deployment that is ready for events, and the signer of its tokens."""

    deployment: Deployment
    signer: TokenSigner

    def event(self, function: str) -> Any:
        """Return a function's event from events/. Raises `ServiceError` when there is none."""
        path = event_file(function)
        if path is None:
            raise ServiceError(f"events/ has no event for {function}")
        event = json.loads(path.read_text(encoding="utf-8"))
        if event.get("type") == "TOKEN":
            event["authorizationToken"] = f"Bearer {self.signer.user_token('alice', 'demo', datetime.now(UTC))}"
        return event


def event_file(function: str) -> Path | None:
    """Return the event file of a function by its logical name: FlowChatFunction has events/flow_chat.json."""
    name = function.removesuffix("Function").lower()
    return next((path for path in (ROOT / "events").glob("*.json") if path.stem.replace("_", "") == name), None)


@contextmanager
def built_stack(folder: Path, logs: Path) -> Iterator[BuiltStack]:
    """Run all services of the built functions until the context ends. Raises `MissingToolError`, `ServiceError`."""
    with ExitStack() as opened:
        signer = TokenSigner(logs)
        dynamodb = opened.enter_context(dynamodb_local())
        seeded_records(dynamodb)
        address = opened.enter_context(neighbours(signer))
        yield BuiltStack(deployment(folder, dynamodb, address, logs), signer)
