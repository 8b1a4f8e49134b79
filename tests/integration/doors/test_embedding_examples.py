"""The examples of docs/embedding.md that need no browser are run as they stand there, against a local server."""

import json
import os
import re
import subprocess
import sys
from typing import Any

import pytest

from infra.local.server.server import ROOT, LocalServer
from tests.fakes.local import token

pytestmark = pytest.mark.slow
PAGE = (ROOT / "docs/embedding.md").read_text(encoding="utf-8")


def blocks(language: str, containing: str) -> list[str]:
    """Return the code blocks of a language that contain a text."""
    matches = re.findall(rf"^```{language}\n(.*?)^```", PAGE, re.MULTILINE | re.DOTALL)
    return [block for block in matches if containing in block]


def curl(server: LocalServer, block: str, **variables: str) -> dict[str, Any]:
    environment = {**os.environ, "URL": server.url, "TOKEN": token(server, "alice"), **variables}
    process = subprocess.run(["bash", "-c", block], env=environment, check=True, capture_output=True, text=True)
    answer: dict[str, Any] = json.loads(process.stdout)
    return answer


def test_a_turn_with_curl_has_what_the_page_names(server: LocalServer) -> None:
    (block,) = blocks("sh", "/api/ai/chat")
    answer = curl(server, block)
    assert "lead" in answer["response"]
    named = {"response", "conversationId", "entities", "toolCalls", "followUps", "insights"}
    assert named <= answer.keys()
    again = block.replace('"message"', f'"conversationId": "{answer["conversationId"]}", "message"')
    assert curl(server, again)["conversationId"] == answer["conversationId"]


def test_a_confirmation_is_approved_with_curl(server: LocalServer) -> None:
    (chat,), (approve,) = blocks("sh", "/api/ai/chat"), blocks("sh", "/api/ai/confirmations/")
    question = curl(server, chat.replace("Show me my warm leads", "Delete the lead Jack Russel"))
    assert question["status"] == "needs_confirmation"
    answer = curl(server, approve, CONFIRMATION_ID=question["confirmation"]["id"])
    assert answer["status"] == "completed"


def test_the_openai_example_prints_an_answer(server: LocalServer) -> None:
    (block,) = blocks("python", "from openai import")
    program = f"URL, TOKEN = {server.url!r}, {token(server, 'alice')!r}\n{block}".replace("Jack Russel", "ABC Corp")
    process = subprocess.run([sys.executable, "-c", program], check=False, capture_output=True, text=True)
    assert process.returncode == 0, process.stderr
    assert "ABC Corp" in process.stdout
