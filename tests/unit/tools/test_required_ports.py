"""A tool that is not set up in a deployment says so, without advice to try again."""

import pytest

from tests.support.dialogue.conversations import NOW, Stage
from tests.support.tenants.desk import REGISTRY, Desk


@pytest.mark.parametrize(
    ("tool", "arguments", "message"),
    [
        ("github_issue", {"action": "create", "title": "Export"}, "No GitHub repository is set up here"),
    ],
)
def test_trying_again_is_not_advised(desk: Desk, tool: str, arguments: dict[str, str], message: str) -> None:
    refused = desk.refuse(tool, **arguments)
    assert (refused["code"], refused["message"], refused["retryable"]) == ("not_set_up", message, False)


def test_a_bug_report_is_refused_before_a_question() -> None:
    answer = Stage(REGISTRY, NOW).say("file a bug: the export is broken")
    assert answer["status"] == "completed"
    assert "No GitHub repository is set up here" in answer["response"]
