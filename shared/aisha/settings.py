"""Typed settings of a function. The environment is read in this module alone."""

import os
import re
from collections.abc import Mapping
from functools import lru_cache
from typing import Literal, Self

from pydantic import ConfigDict, Field, SecretStr, ValidationError, field_validator, model_validator

from aisha.domain.deferred_model import DeferredModel

SECRET_PREFIX = "AISHA_SECRET__"  # noqa: S105 - the prefix of variables, not a secret
TENANT_PROVIDER_PREFIX = "LLM_PROVIDER__TENANT_"
VARIABLE_NAMES = {
    "openai_api_key": "OPENAI_API_KEY",
    "elevenlabs_api_key": "ELEVENLABS_API_KEY",
    "region": "AWS_REGION",
    "http_tools_folder": "AISHA_HTTP_TOOLS",
    "mcp_servers_folder": "AISHA_MCP_SERVERS",
    "crm_files_folder": "AISHA_CRM_FILES",
    "function_name": "AWS_LAMBDA_FUNCTION_NAME",
    "otlp_endpoint": "OTEL_EXPORTER_OTLP_ENDPOINT",
}
"""The environment variable of each setting whose variable is not `AISHA_<NAME>`."""
_NEEDS = {
    ("mail", "ses"): ("mail_from",),
    ("mail", "smtp"): ("mail_from", "smtp_url"),
    ("mail", "outbox"): ("mail_from", "outbox_folder"),
    ("queue", "sqs"): ("memory_queue_url",),
    ("memory", "embedded"): ("memory_folder",),
    ("memory", "opensearch"): ("opensearch_endpoint",),
    ("embedder", "openai"): ("openai_api_key",),
}
"""The settings that a value of another one needs."""


class Settings(DeferredModel):
    """The settings of a function, read once from `AISHA_*` variables. A wrong value stops the function at start."""

    # An error names the setting and never shows its value, which may be a secret.
    model_config = ConfigDict(frozen=True, extra="forbid", hide_input_in_errors=True)

    records_table: str = "aisha-records"
    conversations_table: str = "aisha-conversations"
    entries_table: str = "aisha-entries"
    dynamodb_endpoint: str | None = Field(default=None, description="Only for DynamoDB Local; empty in AWS.")
    region: str = "us-east-1"
    # Only the authorizer checks tokens; the other functions get the caller from API Gateway.
    jwks_url: str | None = None
    jwt_issuer: str = "aisha"
    jwt_audience: str = "aisha"
    jwt_tenant_claim: str = "tenant_id"
    jwt_roles_claim: str = "roles"
    jwt_modules_claim: str = "modules"
    assistant_name: str = "AiSHA"
    max_rounds: int = Field(default=3, ge=1, le=20, description="Maximum rounds of tool calls in a chat turn (C-X1).")
    max_flow_rounds: int = Field(
        default=10, ge=1, le=20, description="Maximum rounds of tool calls in a flow-chat turn (C-X1)."
    )
    max_calls_per_round: int = Field(default=16, ge=1, le=64)
    bulk_confirmation_threshold: int = Field(
        default=10, ge=1, description="Calls that write more records than this need a confirmation (C-X4)."
    )
    turn_seconds: float = Field(default=25.0, gt=0, description="Deadline of a turn. API Gateway gives up after 29 s.")
    # Longer texts belong into a document or a note.
    message_characters: int = 8000
    scan_records: int = Field(default=2000, ge=1, le=100_000, description="Maximum records that one scan reads.")
    request_bytes: int = 256 * 1024
    user_requests_per_minute: int = Field(
        default=100, ge=1, description="Rate limit of a user on the plan `standard` (A-145)."
    )
    tenant_requests_per_hour: int = Field(
        default=500, ge=1, description="Rate limit of a tenant on the plan `standard` (A-146)."
    )
    tenant_budget_usd: float = Field(
        default=100.0, ge=0, description="Monthly model budget of a tenant on the plan `standard`."
    )
    cache_seconds: float = Field(
        default=300.0,
        ge=0,
        description="TTL of records read by id, in this process (C-A13). 0 disables the cache.",
    )
    response_cache_seconds: float = Field(
        default=0.0,
        ge=0,
        description="TTL of a model's answer to the same prompt of the same user (N-123). 0 disables the cache.",
    )
    conversation_days: int = Field(
        default=365, ge=1, description="Retention of a conversation after its last turn, in days."
    )
    openai_api_key: str | None = Field(default=None, repr=False)
    openai_base_url: str | None = None
    openai_model: str | None = Field(
        default=None, description="Replaces the OpenAI model that the models file names for chat_tools."
    )
    models_file: str | None = Field(default=None, description="Chains of models and prices; None: the packaged file.")
    tenant_providers: dict[str, str] = Field(
        default_factory=dict,
        description="The only model provider of a tenant, from `LLM_PROVIDER__TENANT_<KEY>` and from "
        "AISHA_TENANT_PROVIDERS=ACME=anthropic,GLOBEX=openai.",
    )
    log_level: str = "INFO"
    metrics: bool = Field(default=True, description="Write metrics into the log. 0 switches them off.")
    metrics_namespace: str = Field(default="AiSHA", description="CloudWatch namespace of the metrics.")
    cors_origins: tuple[str, ...] = Field(
        default=(),
        description="Origins of web pages that may call the API, separated by commas, or *.",
    )
    log_content: bool = Field(
        default=False,
        description="Log texts of users and models, tool arguments and error messages, without sensitive fields.",
    )
    function_name: str = Field(default="local", description="Name of the Lambda function, on every log line.")
    traces: Literal["none", "otel"] = Field(
        default="none", description="Where spans go: nowhere, or to an OpenTelemetry collector."
    )
    otlp_endpoint: str = Field(
        default="http://127.0.0.1:4318", description="The collector's address; it takes OTLP's JSON over HTTP."
    )
    http_tools_folder: str | None = Field(default=None, description="Folder of HTTP tools. Default: the packaged one.")
    crm_files_folder: str | None = Field(
        default=None, description="Folder of mapping files of CRMs. Default: the packaged one."
    )
    crm_to_private: bool = Field(
        default=False, description="Allow CRMs at private addresses and plain http, e.g. in the function's own VPC."
    )
    crm_to_memory: bool = Field(
        default=False, description="Send notes and activities of connected CRMs to memory's queue, also without memory."
    )
    mcp_servers_folder: str | None = Field(
        default=None, description="Folder of MCP servers. Default: the packaged one."
    )
    mcp_clients_file: str | None = Field(
        default=None, description="File that says which tools MCP clients are offered. Default: the packaged one."
    )
    mcp_origins: tuple[str, ...] = Field(
        default=(),
        description="Origins of web pages that may use /mcp, e.g. https://app.example.com, separated by commas. Pages "
        "served from localhost always may.",
    )
    mcp_question_seconds: float = Field(
        default=50.0, gt=0, description="How long an MCP call waits for the user's confirmation before it returns."
    )
    authorization_server: str | None = Field(
        default=None,
        pattern=r"^https://[^\s?#]+$",
        description="Issuer of the tokens, published to MCP clients (RFC 9728).",
    )
    secrets_prefix: str | None = Field(
        default=None,
        description="Prefix of secret names in Secrets Manager. Default: secrets come from the environment.",
    )
    settings_in_secrets: tuple[str, ...] = Field(
        default=(),
        description="Settings kept in the secret store under their own name, separated by commas: keys of providers, "
        "such as openai_api_key, and opensearch_endpoint. A value in the environment takes precedence.",
    )
    mail: Literal["none", "ses", "smtp", "outbox"] = Field(default="none", description="How email is sent.")
    mail_from: str | None = Field(
        default=None, description="Sender: `aisha@abc.example` or `ABC Sales <aisha@abc.example>`."
    )
    smtp_url: SecretStr | None = Field(
        default=None, description="smtps://user:password@host:465, or smtp://...:587, which must offer STARTTLS."
    )
    outbox_folder: str | None = Field(default=None, description="Folder for the .eml files of `outbox`.")
    memory: Literal["none", "embedded", "opensearch"] = Field(
        default="none", description="Store of the assistant's memory."
    )
    memory_folder: str | None = Field(default=None, description="Folder of the embedded memory store.")
    memory_days: int = Field(
        default=730, ge=0, description="Retention of memories in days; the daily sweep deletes older ones. 0: forever."
    )
    opensearch_endpoint: str | None = Field(
        default=None, repr=False, description="URL of OpenSearch; may contain user and password."
    )
    opensearch_service: Literal["none", "es", "aoss"] = Field(
        default="none", description="Sign requests for a managed domain (`es`) or a serverless collection (`aoss`)."
    )
    embedder: Literal["none", "openai", "bedrock", "minilm"] = Field(default="none", description="Embedding model.")
    queue: Literal["none", "sqs", "in_process"] = Field(default="none", description="Queue of deferred work.")
    memory_queue_url: str | None = Field(default=None, description="URL of the SQS queue for memory ingestion.")
    sweep_queue_url: str | None = Field(default=None, description="URL of the SQS queue for the sweep's pages.")
    sweep_records: int = Field(default=100_000, ge=1, description="Maximum records of one sweep of a tenant.")
    sweep_page: int = Field(default=400, ge=1, le=500, description="Records of one sweep message.")
    sweep_concurrency: int = Field(
        default=4, ge=1, le=100, description="Sweep messages of one tenant processed at a time."
    )
    mood_webhook_url: str | None = Field(
        default=None,
        pattern=r"^https?://[^/?#@\s]+(/[^#\s]*)?$",
        description="https://<host>/<path> that receives the user's mood after each turn, signed with the secret "
        "mood_webhook_secret.",
    )
    webhooks_to_private: bool = Field(default=False, description="Allow webhooks to private addresses and plain http.")
    github_url: str = Field(
        default="https://api.github.com",
        pattern=r"^(https://[^/?#@\s]+|http://(127\.0\.0\.1|localhost)(:\d+)?)(/[^?#\s]*)?$",
        description="URL of GitHub's API; https://<host>/api/v3 for an Enterprise Server.",
    )
    github_repository: str | None = Field(
        default=None,
        pattern=r"^[A-Za-z0-9][A-Za-z0-9-]{0,38}/\.?[A-Za-z0-9_-][A-Za-z0-9._-]{0,98}$",
        description="owner/name of the repository for issues. Its token is the secret github_token.",
    )
    elevenlabs_api_key: str | None = Field(default=None, repr=False)
    elevenlabs_base_url: str = "https://api.elevenlabs.io"
    elevenlabs_model: str = Field(
        default="eleven_flash_v2_5",
        description="Model for speech; the default is the fastest one and speaks 32 languages.",
    )
    elevenlabs_voice: str = Field(default="JBFqnCBsd6RMkjVDRZzb", description="Id of the default voice.")
    elevenlabs_stability: float = Field(default=0.5, ge=0, le=1)
    elevenlabs_similarity: float = Field(default=0.75, ge=0, le=1)
    elevenlabs_format: str = Field(default="mp3_44100_128", pattern=r"^mp3_\d+_\d+$")
    speech_seconds: float = Field(default=20.0, gt=0, description="Deadline for the audio of one text.")
    speech_characters: int = Field(
        default=5000, ge=1, description="Maximum length of a text; every ElevenLabs model accepts that much."
    )
    speech_usd_per_1000_characters: float = Field(
        default=0.1, ge=0, description="Price of speech, which counts against the tenant's monthly budget."
    )
    speech_bytes: int = Field(default=10 * 1024 * 1024, ge=1, description="Maximum size of one text's audio.")
    speech_cache_bytes: int = Field(default=16 * 1024 * 1024, ge=0, description="Size of the audio cache in memory.")
    speech_cache_folder: str | None = Field(
        default=None, description="Folder of the persistent audio cache. Default: none."
    )
    speech_cache_folder_bytes: int = Field(default=256 * 1024 * 1024, ge=0)
    realtime_voice: str = Field(default="marin", description="OpenAI voice of realtime conversations.")
    realtime_transcriber: str = Field(
        default="gpt-realtime-whisper", description="Model that transcribes the user's speech."
    )
    realtime_secret_seconds: int = Field(
        default=60, ge=60, le=600, description="Lifetime of the key that opens a realtime session."
    )
    realtime_session_seconds: int = Field(
        default=3600,
        ge=60,
        le=3600,
        description="How long a realtime session may call tools. OpenAI ends a session after an hour.",
    )
    sensitive_fields: tuple[str, ...] = Field(
        default=(),
        description="Fields hidden from models, logs and audit entries, in addition to password, api_key, ssn and "
        "credit_card, separated by commas.",
    )
    secrets: dict[str, SecretStr] = Field(
        default_factory=dict, description="Secrets from `AISHA_SECRET__<NAME>` variables, by name."
    )

    variables: dict[str, str] = Field(
        default_factory=dict,
        repr=False,
        exclude=True,
        description="The environment, of which each model provider reads the variables that its module names.",
    )

    @field_validator("sensitive_fields", "mcp_origins", "settings_in_secrets", "cors_origins", mode="before")
    @classmethod
    def _split_list(cls, value: object) -> object:
        return tuple(name for part in value.split(",") if (name := part.strip())) if isinstance(value, str) else value

    @field_validator("cors_origins")
    @classmethod
    def _check_origins(cls, origins: tuple[str, ...]) -> tuple[str, ...]:
        for origin in origins:
            if origin != "*" and not re.fullmatch(r"https?://[^/?#\s'\"]+", origin):
                raise ValueError(f"{origin} is not an origin: write it as https://app.abc.example, without a path")
        return origins

    @field_validator("settings_in_secrets")
    @classmethod
    def _check_secrets(cls, names: tuple[str, ...]) -> tuple[str, ...]:
        for name in names:
            if not (name.endswith("_api_key") or name == "opensearch_endpoint"):
                raise ValueError(f"{name} is in no secret: name keys such as openai_api_key, or opensearch_endpoint")
        return names

    @model_validator(mode="after")
    def _check_needs(self) -> Self:
        for (name, value), needs in _NEEDS.items():
            missing = [_variable(need) for need in needs if getattr(self, name) == value and not self.has(need)]
            if missing:
                raise ValueError(f"AISHA_{name.upper()}={value} needs {' and '.join(missing)}")
        if self.memory != "none" and self.embedder == "none":
            raise ValueError(f"AISHA_MEMORY={self.memory} needs AISHA_EMBEDDER=openai, bedrock or minilm")
        if self.embedder == "bedrock" and not self.variables.get("BEDROCK_REGION"):
            raise ValueError("AISHA_EMBEDDER=bedrock needs BEDROCK_REGION")
        return self

    def required(self, name: str) -> str:
        """Return the text of a setting that must have one. Raises ValueError when it has none."""
        if not (value := getattr(self, name)):
            raise ValueError(f"AISHA_{name.upper()} is not set")
        return str(value)

    def has(self, name: str) -> bool:
        """Return whether a setting has a value, here or in the secret store."""
        return bool(getattr(self, name)) or name in self.settings_in_secrets


def read_settings(environment: Mapping[str, str]) -> Settings:
    """Read settings from `AISHA_<NAME>` variables and those in `VARIABLE_NAMES`. Raises `pydantic.ValidationError`."""
    # An empty variable counts as none: a template passes parameters on that nobody has filled in.
    values = {
        name: environment[variable]
        for name in Settings.model_fields
        if environment.get(variable := f"AISHA_{name.upper()}")
    }
    for name, variable in VARIABLE_NAMES.items():
        if value := environment.get(variable):
            values.setdefault(name, value)
    tenant_providers = _pairs(environment.get("AISHA_TENANT_PROVIDERS", "")) | {
        name: value for name, value in _with_prefix(environment, TENANT_PROVIDER_PREFIX).items() if value
    }
    secrets = _with_prefix(environment, SECRET_PREFIX)
    # Pydantic converts the texts; a wrong one is an error that names the setting.
    return Settings.model_validate(
        {**values, "secrets": secrets, "tenant_providers": tenant_providers, "variables": dict(environment)}
    )


def _variable(setting: str) -> str:
    return VARIABLE_NAMES.get(setting, f"AISHA_{setting.upper()}")


def _with_prefix(environment: Mapping[str, str], prefix: str) -> dict[str, str]:
    return {name.removeprefix(prefix): value for name, value in environment.items() if name.startswith(prefix)}


def _pairs(text: str) -> dict[str, str]:
    """Parse `ACME=anthropic,GLOBEX=openai`."""
    pairs = (part.partition("=") for part in text.split(",") if part.strip())
    return {name.strip(): value.strip() for name, _, value in pairs}


class SettingsError(ValueError):
    """An environment variable has a value that can't be used."""


@lru_cache(maxsize=1)
def settings() -> Settings:
    """Return the settings of this process. Raises `SettingsError` with one line that names the wrong setting."""
    try:
        return read_settings(os.environ)
    except ValidationError as error:
        problem = error.errors(include_url=False, include_input=False, include_context=False)[0]
        # One problem at a time, in one line: it is read in a log, or in the output of a failed start.
        where = ".".join(map(str, problem["loc"]))
        reason = problem["msg"].removeprefix("Value error, ")
        raise SettingsError(f"{where}: {reason}" if where else reason) from None
