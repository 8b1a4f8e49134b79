"""Typed settings. The environment is read here and nowhere else."""

import os
from collections.abc import Mapping
from functools import lru_cache

from pydantic import BaseModel, ConfigDict, Field


class Settings(BaseModel):
    """Read once from `AISHA_*` variables; a wrong value stops the function at start with a clear message."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    records_table: str = "aisha-records"
    conversations_table: str = "aisha-conversations"
    dynamodb_endpoint: str | None = Field(default=None, description="Only for DynamoDB Local; empty in AWS.")
    region: str = "us-east-1"
    jwks_url: str | None = None
    jwt_issuer: str = "aisha"
    jwt_audience: str = "aisha"
    assistant_name: str = "AiSHA"
    max_rounds: int = Field(default=3, ge=1, le=20, description="Rounds of tool calls in a chat turn (C-X1).")
    max_calls_per_round: int = Field(default=16, ge=1, le=64)
    bulk_confirmation_threshold: int = Field(
        default=10, ge=1, description="More written records than this wait (C-X4)."
    )
    turn_seconds: float = Field(default=25.0, gt=0, description="Deadline of a turn; API Gateway gives up at 29 s.")
    message_characters: int = 8000
    request_bytes: int = 256 * 1024
    conversation_days: int = Field(
        default=365, ge=1, description="How long a conversation is kept after its last turn."
    )
    openai_api_key: str | None = Field(default=None, repr=False)
    openai_base_url: str | None = None
    openai_model: str = "gpt-4o"
    log_level: str = "INFO"


def read_settings(environment: Mapping[str, str]) -> Settings:
    """Settings from `AISHA_<NAME>` variables, `OPENAI_API_KEY` and `AWS_REGION`. Raises `pydantic.ValidationError`."""
    values = {
        name: environment[variable]
        for name in Settings.model_fields
        if environment.get(variable := f"AISHA_{name.upper()}")
    }
    for name, variable in (("openai_api_key", "OPENAI_API_KEY"), ("region", "AWS_REGION")):
        if value := environment.get(variable):
            values.setdefault(name, value)
    return Settings.model_validate(values)


@lru_cache(maxsize=1)
def settings() -> Settings:
    """The process's settings."""
    return read_settings(os.environ)
