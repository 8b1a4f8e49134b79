"""The composition root: what the functions share, made at first use and kept between calls.

What is heavy and not needed by every function (the AWS SDK, a model provider's SDK, the tools) is a whole module,
imported by name here when it is first asked for.
"""

import importlib
from concurrent.futures import ThreadPoolExecutor
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from aisha.adapters.clock import SystemClock
from aisha.settings import settings

if TYPE_CHECKING:
    from aisha.adapters.jwt_tokens import TokenVerifier
    from aisha.application.deps import TurnDependencies
    from aisha.application.tooling import ToolRegistry
    from aisha.application.tooling.context import ToolPorts
    from aisha.domain.ports import (
        ChatModel,
        Clock,
        ConversationRepository,
        EntryRepository,
        MailSender,
        RecordRepository,
        SecretStore,
    )

HTTP_TOOLS = Path(__file__).parent / "assets" / "tool_schemas" / "http"


def _late(module: str, name: str) -> Any:
    return getattr(importlib.import_module(f"aisha.{module}"), name)


@lru_cache(maxsize=1)
def clock() -> "Clock":
    """The machine's clock."""
    return SystemClock()


@lru_cache(maxsize=1)
def token_verifier() -> "TokenVerifier":
    """Checks bearer tokens. Raises ValueError when no JWKS URL is set: without one nobody can be let in."""
    config, verifier = settings(), _late("adapters.jwt_tokens", "TokenVerifier")
    if not config.jwks_url:
        raise ValueError("AISHA_JWKS_URL is not set")
    made: TokenVerifier = verifier(config.jwks_url, issuer=config.jwt_issuer, audience=config.jwt_audience)
    return made


@lru_cache(maxsize=1)
def records() -> "RecordRepository":
    """The CRM's records in DynamoDB."""
    config, repository = settings(), _late("adapters.dynamodb.records", "DynamoDBRecordRepository")
    made: RecordRepository = repository(
        config.records_table, clock(), region=config.region, endpoint=config.dynamodb_endpoint
    )
    return made


@lru_cache(maxsize=1)
def conversations() -> "ConversationRepository":
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
def entries() -> "EntryRepository":
    """What users and tenants have besides records, in DynamoDB."""
    config, repository = settings(), _late("adapters.dynamodb.entries", "DynamoDBEntryRepository")
    made: EntryRepository = repository(
        config.entries_table, clock(), region=config.region, endpoint=config.dynamodb_endpoint
    )
    return made


@lru_cache(maxsize=1)
def tools() -> "ToolRegistry":
    """Every tool of `aisha.tools` and of the folder of HTTP tools. Raises ValueError for a wrong file there."""
    registry: ToolRegistry = _late("application.tooling", "discover")("aisha.tools")
    folder = _http_tools_folder()
    # Without a file there, neither the HTTP client nor the validator of schemas is imported.
    if next(folder.glob("*.json"), None) is None:
        return registry
    return registry.with_tools(_late("adapters.http_tools", "http_tools")(folder, secrets()))


def _http_tools_folder() -> Path:
    if (named := settings().http_tools_folder) is None:
        return HTTP_TOOLS
    if not (folder := Path(named)).is_dir():
        raise ValueError(f"AISHA_HTTP_TOOLS: there is no folder {named}")
    return folder


@lru_cache(maxsize=1)
def secrets() -> "SecretStore":
    """Secrets Manager when there is a prefix for names in it, else the environment."""
    config = settings()
    if config.secrets_prefix is None:
        local: SecretStore = _late("adapters.secrets.environment", "EnvironmentSecretStore")(config.secrets)
        return local
    store = _late("adapters.secrets.secrets_manager", "SecretsManagerSecretStore")
    made: SecretStore = store(config.secrets_prefix, config.region)
    return made


@lru_cache(maxsize=1)
def mail() -> "MailSender | None":
    """What sends email, as the settings say; None when nothing does."""
    config, made = settings(), None
    if config.mail == "ses":
        made = _late("adapters.mail.ses", "SesMailSender")(config.mail_from, config.region)
    elif config.mail == "smtp" and config.smtp_url is not None:
        made = _late("adapters.mail.smtp", "SmtpMailSender")(config.mail_from, config.smtp_url.get_secret_value())
    elif config.mail == "outbox":
        made = _late("adapters.mail.outbox", "OutboxMailSender")(config.mail_from, config.outbox_folder)
    sender: MailSender | None = made
    return sender


@lru_cache(maxsize=1)
def tool_ports() -> "ToolPorts":
    """What tools need of the world."""
    made: ToolPorts = _late("application.tooling.context", "ToolPorts")(
        records=records(), entries=entries(), clock=clock(), mail=mail()
    )
    return made


def model_name() -> str:
    """What answers first: `openai:<model>` when a key is set, else `offline`, the planner that needs no model."""
    config = settings()
    return f"openai:{config.openai_model}" if config.openai_api_key else "offline"


@lru_cache(maxsize=1)
def chat_model() -> "ChatModel":
    """With a key OpenAI, and the offline planner when it does not answer; without one the planner alone."""
    config = settings()
    planner: ChatModel = _late("adapters.llm.offline", "OfflinePlanner")()
    if not config.openai_api_key:
        return planner
    openai = _late("adapters.llm.openai_chat", "OpenAIChatModel")(
        config.openai_api_key, config.openai_base_url, config.openai_model
    )
    chain: ChatModel = _late("application.failover", "FailoverModel")([("openai", openai), ("offline", planner)])
    return chain


@lru_cache(maxsize=1)
def turn_dependencies() -> "TurnDependencies":
    """What a turn needs, with one pool of threads for the reads of all turns of this process."""
    config = settings()
    limits = _late("application.deps", "TurnLimits")(
        max_rounds=config.max_rounds,
        max_calls_per_round=config.max_calls_per_round,
        bulk_confirmation_threshold=config.bulk_confirmation_threshold,
        turn_seconds=config.turn_seconds,
        assistant_name=config.assistant_name,
    )
    made: TurnDependencies = _late("application.deps", "TurnDependencies")(
        model=chat_model(),
        registry=tools(),
        ports=tool_ports(),
        conversations=conversations(),
        limits=limits,
        workers=ThreadPoolExecutor(config.max_calls_per_round, thread_name_prefix="reads"),
    )
    return made
