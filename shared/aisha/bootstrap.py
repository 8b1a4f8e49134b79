"""The composition root: what the functions share, made at first use and kept between calls.

What is heavy and not needed by every function (the AWS SDK, a model provider's SDK) is a whole module, imported by name
here when it is first asked for.
"""

import importlib
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from aisha.adapters.auth import TokenVerifier
from aisha.adapters.clock import SystemClock
from aisha.domain.ports import Clock, ConversationRepository, RecordRepository
from aisha.settings import settings

if TYPE_CHECKING:
    from aisha.application.tooling import ToolRegistry


def _late(module: str, name: str) -> Any:
    return getattr(importlib.import_module(f"aisha.{module}"), name)


@lru_cache(maxsize=1)
def clock() -> Clock:
    """The machine's clock."""
    return SystemClock()


@lru_cache(maxsize=1)
def token_verifier() -> TokenVerifier:
    """Checks bearer tokens. Raises ValueError when no JWKS URL is set: without one nobody can be let in."""
    config = settings()
    if not config.jwks_url:
        raise ValueError("AISHA_JWKS_URL is not set")
    return TokenVerifier(config.jwks_url, issuer=config.jwt_issuer, audience=config.jwt_audience)


@lru_cache(maxsize=1)
def records() -> RecordRepository:
    """The CRM's records in DynamoDB."""
    config, repository = settings(), _late("adapters.dynamodb.records", "DynamoDBRecordRepository")
    made: RecordRepository = repository(
        config.records_table, clock(), region=config.region, endpoint=config.dynamodb_endpoint
    )
    return made


@lru_cache(maxsize=1)
def conversations() -> ConversationRepository:
    """The conversations in DynamoDB."""
    config, repository = settings(), _late("adapters.dynamodb.conversations", "DynamoDBConversationRepository")
    made: ConversationRepository = repository(
        config.conversations_table,
        region=config.region,
        endpoint=config.dynamodb_endpoint,
        days=config.conversation_days,
    )
    return made


@lru_cache(maxsize=1)
def tools() -> "ToolRegistry":
    """Every tool of `aisha.tools`."""
    registry: ToolRegistry = _late("application.tooling", "discover")("aisha.tools")
    return registry


def model_name() -> str:
    """What answers first: `openai:<model>` when a key is set, else `offline`, the planner that needs no model."""
    config = settings()
    return f"openai:{config.openai_model}" if config.openai_api_key else "offline"
