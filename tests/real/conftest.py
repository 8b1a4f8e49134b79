"""Fixtures that start real services and built functions on 127.0.0.1, and stop them.

All tests of this folder are marked `real` (`make test-real`). A test is skipped where the machine lacks its tools.
"""

import os
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest

from aisha.domain.ports import RecordRepository
from infra.local.server.keys import TokenSigner
from infra.sam import built_stack
from infra.sam.built_stack import BuiltStack, MissingToolError
from infra.sam.deployment import Deployment
from infra.sam.emulator import free_port
from infra.sam.runtime_api import Sandbox

ROOT = Path(__file__).parents[2]


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        # By the id: comparing the paths of all tests takes a second.
        if item.nodeid.startswith("tests/real/"):
            item.add_marker(pytest.mark.real)


def script(name: str, *arguments: str) -> str:
    """Run a script of `infra` and return its output; skip the test when the machine lacks what the script needs."""
    try:
        return built_stack.script(name, *arguments)
    except MissingToolError as error:
        pytest.skip(str(error))


@pytest.fixture(scope="session")
def dynamodb() -> Iterator[str]:
    """Yield the endpoint of a DynamoDB Local that stores nothing on disk."""
    with ExitStack() as stack:
        try:
            endpoint = stack.enter_context(built_stack.dynamodb_local())
        except MissingToolError as error:
            pytest.skip(str(error))
        yield endpoint


@pytest.fixture(scope="session")
def records(dynamodb: str) -> RecordRepository:
    """Create all tables and fill them with the demo data."""
    return built_stack.seeded_records(dynamodb)


@pytest.fixture(scope="session")
def signer(tmp_path_factory: pytest.TempPathFactory) -> TokenSigner:
    return TokenSigner(tmp_path_factory.mktemp("identity"))


@pytest.fixture(scope="session")
def neighbours(signer: TokenSigner) -> Iterator[str]:
    """Yield the address of an identity provider with the signer's key and of a queue that accepts messages."""
    with built_stack.neighbours(signer) as address:
        yield address


@pytest.fixture(scope="session")
def build() -> Path:
    """Run `sam build` for this machine's architecture and return its folder."""
    script("build/build.sh", "host", ".local/build")
    return ROOT / ".local/build"


@pytest.fixture(scope="session")
def run(
    build: Path,
    dynamodb: str,
    records: RecordRepository,
    neighbours: str,
    signer: TokenSigner,
    tmp_path_factory: pytest.TempPathFactory,
) -> BuiltStack:
    """Return the built functions over the seeded tables, with their events."""
    script("build/lambda_runtime.sh")
    logs = tmp_path_factory.mktemp("logs")
    return BuiltStack(built_stack.deployment(build, dynamodb, neighbours, logs), signer)


@pytest.fixture(scope="session")
def deployment(run: BuiltStack) -> Deployment:
    return run.deployment


@pytest.fixture(scope="session")
def started(deployment: Deployment) -> Iterator[Callable[[str], Sandbox]]:
    """Yield a function that returns a Lambda function by its name, e.g. "CrmFunction", started at its first use."""
    with ExitStack() as stack:
        running: dict[str, Sandbox] = {}

        def start(name: str) -> Sandbox:
            if name not in running:
                running[name] = stack.enter_context(deployment.sandbox(name))
            return running[name]

        yield start


@pytest.fixture(scope="session")
def chat(deployment: Deployment) -> Iterator[Sandbox]:
    """Start the chat function behind AWS's web adapter."""
    adapter = Path(script("build/lambda_adapter.sh"))
    with deployment.streaming_sandbox("ChatFunction", adapter, free_port()) as sandbox:
        sandbox.wait_ready()
        yield sandbox


@pytest.fixture(scope="session")
def contract_environment(dynamodb: str) -> dict[str, str]:
    return {**os.environ, "AISHA_TEST_DYNAMODB_ENDPOINT": dynamodb}
