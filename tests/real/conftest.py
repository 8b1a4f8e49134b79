"""Services and functions for real: started here, on 127.0.0.1, and stopped again.

All tests of this folder are of the tier `real` (`make test-real`). One whose tools the machine lacks is skipped.
"""

import os
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest

from aisha.domain.ports import RecordRepository
from infra.local.server.keys import TokenSigner
from infra.sam import built_stack as rehearsal
from infra.sam.built_stack import MissingToolError, Rehearsal
from infra.sam.deployment import Deployment
from infra.sam.emulator import free_port
from infra.sam.runtime_api import Sandbox

HERE = Path(__file__).parent
ROOT = HERE.parents[1]


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        if item.path.is_relative_to(HERE):
            item.add_marker(pytest.mark.real)


def script(name: str, *arguments: str) -> str:
    """What a script of `infra` prints. Skips the test when the machine lacks what the script needs."""
    try:
        return rehearsal.script(name, *arguments)
    except MissingToolError as error:
        pytest.skip(str(error))


@pytest.fixture(scope="session")
def dynamodb() -> Iterator[str]:
    """The endpoint of a DynamoDB Local that keeps nothing."""
    with ExitStack() as opened:
        try:
            endpoint = opened.enter_context(rehearsal.dynamodb_local())
        except MissingToolError as error:
            pytest.skip(str(error))
        yield endpoint


@pytest.fixture(scope="session")
def records(dynamodb: str) -> RecordRepository:
    """All tables, with the demo data."""
    return rehearsal.seeded_records(dynamodb)


@pytest.fixture(scope="session")
def signer(tmp_path_factory: pytest.TempPathFactory) -> TokenSigner:
    return TokenSigner(tmp_path_factory.mktemp("identity"))


@pytest.fixture(scope="session")
def neighbours(signer: TokenSigner) -> Iterator[str]:
    """An identity provider that publishes the signer's key, and a queue that takes messages."""
    with rehearsal.neighbours(signer) as address:
        yield address


@pytest.fixture(scope="session")
def build() -> Path:
    """The folder that `sam build` made for this machine's architecture."""
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
) -> Rehearsal:
    """The built functions over the seeded tables, with their events."""
    script("build/lambda_runtime.sh")
    logs = tmp_path_factory.mktemp("logs")
    return Rehearsal(rehearsal.deployment(build, dynamodb, neighbours, logs), signer)


@pytest.fixture(scope="session")
def deployment(run: Rehearsal) -> Deployment:
    return run.deployment


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
    adapter = Path(script("build/lambda_adapter.sh"))
    with deployment.streaming_sandbox("ChatFunction", adapter, free_port()) as sandbox:
        sandbox.wait_ready()
        yield sandbox


@pytest.fixture(scope="session")
def contract_environment(dynamodb: str) -> dict[str, str]:
    return {**os.environ, "AISHA_TEST_DYNAMODB_ENDPOINT": dynamodb}
