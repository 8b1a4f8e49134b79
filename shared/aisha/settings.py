"""Typed settings. The environment is read here and nowhere else."""

import os
import re
from collections.abc import Mapping
from functools import lru_cache
from typing import Literal, Self

from pydantic import ConfigDict, Field, SecretStr, ValidationError, field_validator, model_validator

from aisha.domain.deferred_model import DeferredModel
from aisha.domain.providers import checked_provider

SECRET_PREFIX = "AISHA_SECRET__"  # noqa: S105 - how the variables of secrets begin
TENANT_PROVIDER_PREFIX = "LLM_PROVIDER__TENANT_"
OTHER_NAMES = {
    "openai_api_key": "OPENAI_API_KEY",
    "anthropic_api_key": "ANTHROPIC_API_KEY",
    "groq_api_key": "GROQ_API_KEY",
    "gemini_api_key": "GEMINI_API_KEY",
    "ollama_base_url": "OLLAMA_BASE_URL",
    "elevenlabs_api_key": "ELEVENLABS_API_KEY",
    "region": "AWS_REGION",
    "http_tools_folder": "AISHA_HTTP_TOOLS",
    "mcp_servers_folder": "AISHA_MCP_SERVERS",
    "function_name": "AWS_LAMBDA_FUNCTION_NAME",
    "otlp_endpoint": "OTEL_EXPORTER_OTLP_ENDPOINT",
    "xray_daemon": "AWS_XRAY_DAEMON_ADDRESS",
}
"""Variables that are not called like their setting."""


type SecretSetting = Literal[
    "openai_api_key", "anthropic_api_key", "groq_api_key", "gemini_api_key", "elevenlabs_api_key", "opensearch_endpoint"
]
"""A setting that may be kept in the secret store."""


class Settings(DeferredModel):
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
    jwt_tenant_claim: str = "tenant_id"
    jwt_roles_claim: str = "roles"
    jwt_modules_claim: str = "modules"
    assistant_name: str = "AiSHA"
    max_rounds: int = Field(default=3, ge=1, le=20, description="Rounds of tool calls in a chat turn (C-X1).")
    max_flow_rounds: int = Field(default=10, ge=1, le=20, description="Rounds of a flow-chat turn (C-X1).")
    max_calls_per_round: int = Field(default=16, ge=1, le=64)
    bulk_confirmation_threshold: int = Field(
        default=10, ge=1, description="More written records than this wait (C-X4)."
    )
    turn_seconds: float = Field(default=25.0, gt=0, description="Deadline of a turn; API Gateway gives up at 29 s.")
    message_characters: int = 8000
    scan_records: int = Field(default=2000, ge=1, le=100_000, description="Records that one run of a scan reads.")
    request_bytes: int = 256 * 1024
    user_requests_per_minute: int = Field(default=100, ge=1, description="Of the plan `standard` (A-145).")
    tenant_requests_per_hour: int = Field(default=500, ge=1, description="Of the plan `standard` (A-146).")
    tenant_budget_usd: float = Field(
        default=100.0, ge=0, description="What models may cost a tenant of the plan `standard` in a month."
    )
    cache_seconds: float = Field(
        default=300.0,
        ge=0,
        description="How long a record looked up by id is kept in the process (C-A13); 0: not at all.",
    )
    response_cache_seconds: float = Field(
        default=0.0,
        ge=0,
        description="How long a model's answer to the same prompt of the same user is given again (N-123); 0: never.",
    )
    conversation_days: int = Field(
        default=365, ge=1, description="How long a conversation is kept after its last turn."
    )
    openai_api_key: str | None = Field(default=None, repr=False)
    openai_base_url: str | None = None
    openai_model: str | None = Field(
        default=None, description="Asked in place of the OpenAI model that the models file has for chat_tools."
    )
    anthropic_api_key: str | None = Field(default=None, repr=False)
    groq_api_key: str | None = Field(default=None, repr=False)
    gemini_api_key: str | None = Field(default=None, repr=False)
    ollama_base_url: str | None = Field(default=None, description="Where Ollama is, e.g. http://localhost:11434.")
    models_file: str | None = Field(default=None, description="Chains of models and prices; None: the packaged file.")
    tenant_providers: dict[str, str] = Field(
        default_factory=dict,
        description="Of `LLM_PROVIDER__TENANT_<key>`, and of AISHA_TENANT_PROVIDERS as ACME=anthropic,GLOBEX=openai: whose models "
        "alone a tenant is served with.",
    )
    log_level: str = "INFO"
    metrics: bool = Field(default=True, description="Writes metrics among the log lines; where nobody reads them, 0.")
    metrics_namespace: str = Field(default="AiSHA", description="CloudWatch's namespace of the metrics.")
    cors_origins: tuple[str, ...] = Field(
        default=(),
        description="Origins of web pages that may read the API's answers, or *; with commas between them. Empty: none.",
    )
    log_content: bool = Field(
        default=False,
        description="Logs what users and models say, arguments of tools and messages of errors, without sensitive fields.",
    )
    function_name: str = Field(default="local", description="Lambda's name of this function; on every log line.")
    traces: Literal["none", "otel", "xray"] = Field(
        default="none", description="Who gets spans: nobody, an OpenTelemetry collector, or Lambda's X-Ray daemon."
    )
    otlp_endpoint: str = Field(
        default="http://127.0.0.1:4318", description="The collector's address; it takes OTLP's JSON over HTTP."
    )
    xray_daemon: str = Field(default="127.0.0.1:2000", description="Where X-Ray's daemon takes UDP; Lambda sets it.")
    http_tools_folder: str | None = Field(
        default=None, description="Tools that are JSON files; None: the packaged ones."
    )
    mcp_servers_folder: str | None = Field(
        default=None, description="JSON files of MCP servers whose tools are used; None: the packaged ones."
    )
    mcp_clients_file: str | None = Field(
        default=None, description="Which tools the clients of /mcp are offered; None: the packaged file."
    )
    mcp_origins: tuple[str, ...] = Field(
        default=(),
        description="Origins, such as https://app.example.com, whose pages may use /mcp; those of this machine always may. "
        "With commas between them.",
    )
    mcp_question_seconds: float = Field(
        default=50.0, gt=0, description="How long a call through /mcp waits for the user before it says that it waits."
    )
    authorization_server: str | None = Field(
        default=None,
        pattern=r"^https://[^\s?#]+$",
        description="Issuer of the tokens, as RFC 9728 tells it to MCP clients; None: they are told nothing.",
    )
    secrets_prefix: str | None = Field(
        default=None, description="What names of this stack's secrets begin with in Secrets Manager; None: environment."
    )
    settings_in_secrets: tuple[SecretSetting, ...] = Field(
        default=(),
        description="Settings that are secrets of their name, read when they are needed; with commas between them. "
        "A value in the environment goes before.",
    )
    mail: Literal["none", "ses", "smtp", "outbox"] = Field(default="none", description="What sends email.")
    mail_from: str | None = Field(
        default=None, description="Sender: `aisha@abc.example` or `ABC Sales <aisha@abc.example>`."
    )
    smtp_url: SecretStr | None = Field(
        default=None, description="smtps://user:password@host:465, or smtp://...:587, which must offer STARTTLS."
    )
    outbox_folder: str | None = Field(default=None, description="Where the messages of `outbox` are put as .eml files.")
    memory: Literal["none", "embedded", "opensearch"] = Field(default="none", description="Where memory is kept.")
    memory_folder: str | None = Field(default=None, description="Where the file of `embedded` is.")
    memory_days: int = Field(
        default=730, ge=0, description="How long memories are kept; the daily sweep deletes older ones. 0: for ever."
    )
    opensearch_endpoint: str | None = Field(
        default=None, repr=False, description="Its URL, which may carry a user and a password."
    )
    opensearch_service: Literal["none", "es", "aoss"] = Field(
        default="none", description="Signs requests for a managed domain (`es`) or a serverless collection (`aoss`)."
    )
    embedder: Literal["none", "openai", "minilm"] = Field(default="none", description="What makes vectors of texts.")
    queue: Literal["none", "sqs", "in_process"] = Field(default="none", description="Where work for later waits.")
    memory_queue_url: str | None = Field(default=None, description="SQS queue of what is to be remembered.")
    sweep_queue_url: str | None = Field(default=None, description="SQS queue of the sweep's pages.")
    sweep_records: int = Field(default=100_000, ge=1, description="Records that one sweep of a tenant looks at.")
    sweep_page: int = Field(default=100, ge=1, le=500, description="Records of one message of the sweep.")
    sweep_concurrency: int = Field(default=4, ge=1, le=100, description="A tenant's messages under way at a time.")
    mood_webhook_url: str | None = Field(
        default=None,
        pattern=r"^https?://[^/?#@\s]+(/[^#\s]*)?$",
        description="https://<host>/<path> that is told how users sound, signed with the secret mood_webhook_secret. None: nobody.",
    )
    webhooks_to_private: bool = Field(default=False, description="Lets webhooks go to private addresses and by http.")
    github_url: str = Field(
        default="https://api.github.com",
        pattern=r"^(https://[^/?#@\s]+|http://(127\.0\.0\.1|localhost)(:\d+)?)(/[^?#\s]*)?$",
        description="GitHub's API: https://<host>/api/v3 for an Enterprise Server.",
    )
    github_repository: str | None = Field(
        default=None,
        pattern=r"^[A-Za-z0-9][A-Za-z0-9-]{0,38}/\.?[A-Za-z0-9_-][A-Za-z0-9._-]{0,98}$",
        description="owner/name of the repository that issues are filed in; its token is the secret github_token. None: none are.",
    )
    elevenlabs_api_key: str | None = Field(default=None, repr=False)
    elevenlabs_base_url: str = "https://api.elevenlabs.io"
    elevenlabs_model: str = Field(default="eleven_flash_v2_5", description="The fastest, of 32 languages.")
    elevenlabs_voice: str = Field(default="JBFqnCBsd6RMkjVDRZzb", description="Id of the usual voice.")
    elevenlabs_stability: float = Field(default=0.5, ge=0, le=1)
    elevenlabs_similarity: float = Field(default=0.75, ge=0, le=1)
    elevenlabs_format: str = Field(default="mp3_44100_128", pattern=r"^mp3_\d+_\d+$")
    speech_seconds: float = Field(default=20.0, gt=0, description="Deadline of a text's audio.")
    speech_characters: int = Field(default=5000, ge=1, description="Most of a text; every model takes as many.")
    speech_bytes: int = Field(default=10 * 1024 * 1024, ge=1, description="Most of a text's audio.")
    speech_cache_bytes: int = Field(default=16 * 1024 * 1024, ge=0, description="Audio kept in the process.")
    speech_cache_folder: str | None = Field(
        default=None, description="Where audio outlives the process; None: nowhere."
    )
    speech_cache_folder_bytes: int = Field(default=256 * 1024 * 1024, ge=0)
    realtime_voice: str = Field(default="marin", description="Of a realtime conversation: OpenAI's name of a voice.")
    realtime_transcriber: str = Field(default="gpt-realtime-whisper", description="Writes down what the user says.")
    realtime_secret_seconds: int = Field(
        default=60, ge=60, le=600, description="How long a realtime conversation can be opened after it was asked for."
    )
    realtime_session_seconds: int = Field(
        default=3600, ge=60, le=3600, description="How long its tools can be called; OpenAI ends one after an hour."
    )
    sensitive_fields: tuple[str, ...] = Field(
        default=(),
        description="Names of fields, beyond password, api_key, ssn and credit_card, that no model, log or audit entry sees; "
        "with commas between them.",
    )
    secrets: dict[str, SecretStr] = Field(default_factory=dict, description="Of `AISHA_SECRET__<NAME>`, by name.")

    @field_validator("sensitive_fields", "mcp_origins", "settings_in_secrets", "cors_origins", mode="before")
    @classmethod
    def _listed(cls, value: object) -> object:
        return tuple(name for part in value.split(",") if (name := part.strip())) if isinstance(value, str) else value

    @field_validator("cors_origins")
    @classmethod
    def _origins(cls, origins: tuple[str, ...]) -> tuple[str, ...]:
        for origin in origins:
            if origin != "*" and not re.fullmatch(r"https?://[^/?#\s'\"]+", origin):
                raise ValueError(f"{origin} is not an origin: write it as https://app.abc.example, without a path")
        return origins

    @field_validator("tenant_providers")
    @classmethod
    def _known_providers(cls, providers: dict[str, str]) -> dict[str, str]:
        return {tenant: checked_provider(name) for tenant, name in providers.items()}

    @model_validator(mode="after")
    def _mail_has_what_it_needs(self) -> Self:
        needed = {"ses": ("mail_from",), "smtp": ("mail_from", "smtp_url"), "outbox": ("mail_from", "outbox_folder")}
        missing = [f"AISHA_{name.upper()}" for name in needed.get(self.mail, ()) if getattr(self, name) is None]
        if missing:
            raise ValueError(f"AISHA_MAIL={self.mail} needs {' and '.join(missing)}")
        return self

    @model_validator(mode="after")
    def _queue_has_what_it_needs(self) -> Self:
        if self.queue == "sqs" and self.memory_queue_url is None:
            raise ValueError("AISHA_QUEUE=sqs needs AISHA_MEMORY_QUEUE_URL")
        return self

    @model_validator(mode="after")
    def _memory_has_what_it_needs(self) -> Self:
        needed = {"embedded": "memory_folder", "opensearch": "opensearch_endpoint"}.get(self.memory)
        if needed and not self.has(needed):
            raise ValueError(f"AISHA_MEMORY={self.memory} needs AISHA_{needed.upper()}")
        if self.memory != "none" and self.embedder == "none":
            raise ValueError(f"AISHA_MEMORY={self.memory} needs AISHA_EMBEDDER=openai or minilm")
        if self.embedder == "openai" and not self.has("openai_api_key"):
            raise ValueError("AISHA_EMBEDDER=openai needs OPENAI_API_KEY")
        return self

    def has(self, name: str) -> bool:
        """Whether a setting has a value, here or among the secrets."""
        return bool(getattr(self, name)) or name in self.settings_in_secrets


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
    tenant_providers = _pairs(environment.get("AISHA_TENANT_PROVIDERS", "")) | {
        name.removeprefix(TENANT_PROVIDER_PREFIX): value
        for name, value in environment.items()
        if name.startswith(TENANT_PROVIDER_PREFIX) and value
    }
    return Settings.model_validate({**values, "secrets": secrets, "tenant_providers": tenant_providers})


def _pairs(text: str) -> dict[str, str]:
    """`ACME=anthropic,GLOBEX=openai` as a mapping."""
    pairs = (part.partition("=") for part in text.split(",") if part.strip())
    return {name.strip(): value.strip() for name, _, value in pairs}


class SettingsError(ValueError):
    """The environment has a value that can't be used."""


@lru_cache(maxsize=1)
def settings() -> Settings:
    """The process's settings. Raises `SettingsError`, which says in one line what is wrong."""
    try:
        return read_settings(os.environ)
    except ValidationError as error:
        problem = error.errors(include_url=False, include_input=False, include_context=False)[0]
        where = ".".join(map(str, problem["loc"]))
        said = problem["msg"].removeprefix("Value error, ")
        raise SettingsError(f"{where}: {said}" if where else said) from None


def lambda_trace() -> str:
    """The X-Ray trace that Lambda names for the invocation at work; it sets it anew at each. Empty outside of one."""
    return os.environ.get("_X_AMZN_TRACE_ID", "")
