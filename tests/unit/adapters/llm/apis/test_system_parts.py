"""The system prompt in two parts, the first of which is the same in every turn, at each provider's API."""

import json
import time
from datetime import UTC, datetime
from typing import Any

from aisha.adapters.llm.apis.anthropic_wire import system_blocks
from aisha.adapters.llm.apis.json_answers import JSON_ONLY
from aisha.adapters.llm.apis.openai_chat import OpenAIChatModel
from aisha.domain.models import Caller, ModelMessage, ModelRequest
from aisha.domain.principal import Principal

STABLE, TURN, USER = (
    ModelMessage("system", "You are AiSHA."),
    ModelMessage("system", "It is Monday."),
    ModelMessage("user", "Hello"),
)


def test_openai_gets_one_system_message_with_the_stable_part_first() -> None:
    model = OpenAIChatModel("key", "http://127.0.0.1:1", "gpt-6-luna")
    caller = Caller(Principal("demo", "alice"), datetime(2026, 3, 2, tzinfo=UTC))
    body: dict[str, Any] = json.loads(
        model.body(ModelRequest((STABLE, TURN, USER), (), caller=caller, deadline=time.monotonic() + 5))
    )
    model.close()
    assert body["messages"] == [
        {"role": "system", "content": "You are AiSHA.\n\nIt is Monday."},
        {"role": "user", "content": "Hello"},
    ]


def test_anthropic_caches_the_stable_part() -> None:
    assert system_blocks([STABLE, TURN, USER], json_mode=False) == [
        {"type": "text", "text": "You are AiSHA.", "cache_control": {"type": "ephemeral"}},
        {"type": "text", "text": "It is Monday."},
    ]
    assert system_blocks([STABLE, USER], json_mode=False) == "You are AiSHA."
    assert system_blocks([USER], json_mode=True) == JSON_ONLY
    assert system_blocks([USER], json_mode=False) is None
