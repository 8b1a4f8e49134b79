"""What identifies a call that waits for the user."""

import hashlib
import json
from collections.abc import Mapping
from typing import Any

from ulid import ULID

RUN_PLAN = "run_plan"
"""The name under which a plan of calls is stored. No tool is called so: nobody but the user's yes runs it."""


def digest_of(tool: str, arguments: Mapping[str, Any]) -> str:
    """SHA-256 of tool and arguments: what was asked about is what runs."""
    text = json.dumps([tool, arguments], sort_keys=True, ensure_ascii=False, default=str)
    return hashlib.sha256(text.encode()).hexdigest()


def new_confirmation_id(conversation_id: str) -> str:
    """A confirmation's id, with the conversation's in it."""
    return f"conf_{conversation_id.removeprefix('conv_')}.{ULID()}"
