"""Schemathesis with every check over the local server's own OpenAPI description; `make api-check` runs longer."""

from pathlib import Path

import pytest

from infra.local.checks.api_check import check, checkable_server

EXAMPLES = 1
"""Random requests for each operation, besides the written examples and the edges of every schema."""
PHASES = "examples,coverage,fuzzing"
SAME_HANDLER = ("/mcp/copilot", "/mcp/external")
"""Paths that the code of /mcp answers; `make api-check` includes them."""
TIMEOUT_SECONDS = 600
MAX_OUTPUT = 20_000


@pytest.mark.slow
def test_the_api_does_what_its_description_says(tmp_path: Path) -> None:
    with checkable_server(tmp_path) as server:
        done = check(server, EXAMPLES, PHASES, captured=True, seconds=TIMEOUT_SECONDS, without=SAME_HANDLER)
    assert done.returncode == 0, (done.stdout + done.stderr)[-MAX_OUTPUT:]
