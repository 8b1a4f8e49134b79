"""Typed settings. The environment is read here and nowhere else."""

import os
from collections.abc import Mapping
from functools import lru_cache
from typing import Literal, Self

from pydantic import BaseModel, ConfigDict, Field, SecretStr, model_validator

SECRET_PREFIX = "AISHA_SECRET__"  # noqa: S105 - how the variables of secrets begin
OTHER_NAMES = {"openai_api_key": "OPENAI_API_KEY", "region": "AWS_REGION", "http_tools_folder": "AISHA_HTTP_TOOLS"}
"""Variables that are not called like their setting."""


class Settings(BaseModel):
    """Read once from `AISHA_*` variables; a wrong value stops the function at start with a clear message."""

    model_config = ConfigDict(frozen=True, extra="forbid", hide_input_in_errors=True)

    records_table: str = "aisha-records"
    conversations_table: str = "aisha-conversations"
    entries_table: str = "aisha-entries"
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
    http_tools_folder: str | None = Field(
        default=None, description="Tools that are JSON files; None: the packaged ones."
    )
    secrets_prefix: str | None = Field(
        default=None, description="What names of this stack's secrets begin with in Secrets Manager; None: environment."
    )
    mail: Literal["none", "ses", "smtp", "outbox"] = Field(default="none", description="What sends email.")
    mail_from: str | None = Field(
        default=None, description="Sender: `aisha@abc.example` or `ABC Sales <aisha@abc.example>`."
    )
    smtp_url: SecretStr | None = Field(
        default=None, description="smtps://user:password@host:465, or smtp://...:587, which must offer STARTTLS."
    )
    outbox_folder: str | None = Field(default=None, description="Where the messages of `outbox` are put as .eml files.")
    secrets: dict[str, SecretStr] = Field(default_factory=dict, description="Of `AISHA_SECRET__<NAME>`, by name.")

    @model_validator(mode="after")
    def _mail_has_what_it_needs(self) -> Self:
        needed = {"ses": ("mail_from",), "smtp": ("mail_from", "smtp_url"), "outbox": ("mail_from", "outbox_folder")}
        missing = [f"AISHA_{name.upper()}" for name in needed.get(self.mail, ()) if getattr(self, name) is None]
        if missing:
            raise ValueError(f"AISHA_MAIL={self.mail} needs {' and '.join(missing)}")
        return self


def read_settings(environment: Mapping[str, str]) -> Settings:
    """Settings from `AISHA_<NAME>` variables and a few of other names. Raises `pydantic.ValidationError`."""
    values = {
        name: environment[variable]
        for name in Settings.model_fields
        if environment.get(variable := f"AISHA_{name.upper()}")
    }
    for name, variable in OTHER_NAMES.items():
        if value := environment.get(variable):
            values.setdefault(name, value)
    secrets = {
        name.removeprefix(SECRET_PREFIX): value for name, value in environment.items() if name.startswith(SECRET_PREFIX)
    }
    return Settings.model_validate({**values, "secrets": secrets})


@lru_cache(maxsize=1)
def settings() -> Settings:
    """The process's settings."""
    return read_settings(os.environ)
