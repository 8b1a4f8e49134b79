"""schemathesis with every check over the description that the server itself gives. `make api-check` looks longer."""

from pathlib import Path

import pytest

from infra.local.checks.api_check import check, checkable_server

EXAMPLES = 1
"""A random request for each operation, beside the written examples and the edges of every schema."""
PHASES = "examples,coverage,fuzzing"
SAME_HANDLER = ("/mcp/copilot", "/mcp/external")
"""Answered by the code of /mcp; `make api-check` asks them, too."""
SECONDS = 600
TAIL = 20_000


@pytest.mark.slow
def test_the_api_does_what_its_description_says(tmp_path: Path) -> None:
    with checkable_server(tmp_path) as server:
        done = check(server, EXAMPLES, PHASES, captured=True, seconds=SECONDS, without=SAME_HANDLER)
    assert done.returncode == 0, (done.stdout + done.stderr)[-TAIL:]
