"""The composition root: what the functions share, made at first use and kept between calls.

What is heavy and not needed by every function (the AWS SDK, a model provider's SDK, the tools) is a whole module,
imported by name here when it is first asked for.
"""

import importlib
from collections.abc import Callable, Iterator, Mapping
from contextlib import closing
from functools import cache, lru_cache, partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from msgspec.structs import replace

from aisha.adapters.auth.api_key import key_text
from aisha.adapters.clock import SystemClock
from aisha.domain.errors import NotFoundError, UnavailableError
from aisha.settings import SecretSetting, Settings, settings

if TYPE_CHECKING:
    from aisha.adapters.auth.api_key import ApiKey
    from aisha.adapters.auth.jwt_tokens import TokenVerifier
    from aisha.adapters.auth.principal import ClaimNames
    from aisha.adapters.llm.catalog import ModelCatalog
    from aisha.adapters.llm.providers import ProviderChains
    from aisha.application.audit.trail import Audit
    from aisha.application.mcp.clients import McpClients
    from aisha.application.models.budget import Budgets
    from aisha.application.models.failover import ChainEntry
    from aisha.application.notifications.delivery import Channels
    from aisha.application.sentiment.webhook import MoodWebhook
    from aisha.application.sweep import SweepDependencies
    from aisha.application.tenants.access import Access
    from aisha.application.tenants.limits import RequestLimits
    from aisha.application.tenants.plans import TenantPlans
    from aisha.application.tenants.profile import TenantProfiles
    from aisha.application.tooling import ToolRegistry
    from aisha.application.tooling.context import ToolPorts
    from aisha.application.turn.state import Turn, TurnDependencies
    from aisha.domain.conversation import PendingConfirmation
    from aisha.domain.events import TurnEvent
    from aisha.domain.ports import (
        AuditLog,
        ChatModel,
        Clock,
        ConversationRepository,
        Embedder,
        EntryRepository,
        IssueTracker,
        MailSender,
        MemoryStore,
        RateLimiter,
        RecordRepository,
        SecretStore,
        SpeechSynthesizer,
        SpendingLedger,
        VoiceSessions,
        WorkQueue,
    )
    from aisha.domain.providers import Provider
    from aisha.domain.tracing import Tracer

HTTP_TOOLS = Path(__file__).parent / "assets" / "tool_schemas" / "http"
MCP_SERVERS = Path(__file__).parent / "assets" / "tool_schemas" / "mcp"
MCP_CLIENTS = Path(__file__).parent / "assets" / "mcp_clients.json"
MODELS = Path(__file__).parent / "assets" / "models.toml"
CAPABILITIES = ("chat_tools", "chat_light", "json_strict", "router")
"""Of the models file, those that the chat model serves."""
MODEL_KEYS: "Mapping[Provider, SecretSetting]" = {
    "openai": "openai_api_key",
    "anthropic": "anthropic_api_key",
    "groq": "groq_api_key",
    "gemini": "gemini_api_key",
}


def _late(module: str, name: str) -> Any:
    return getattr(importlib.import_module(f"aisha.{module}"), name)


@lru_cache(maxsize=1)
def clock() -> "Clock":
    """The machine's clock."""
    return SystemClock()


@lru_cache(maxsize=1)
def token_verifier() -> "TokenVerifier":
    """Checks bearer tokens. Raises ValueError when no JWKS URL is set: without one nobody can be let in."""
    config, verifier = settings(), _late("adapters.auth.jwt_tokens", "TokenVerifier")
    if not config.jwks_url:
        raise ValueError("AISHA_JWKS_URL is not set")
    made: TokenVerifier = verifier(config.jwks_url, issuer=config.jwt_issuer, audience=config.jwt_audience)
    return made


def claim_names() -> "ClaimNames":
    """What the identity provider calls the claims that have no common name."""
    config, names = settings(), _late("adapters.auth.principal", "ClaimNames")
    made: ClaimNames = names(config.jwt_tenant_claim, config.jwt_roles_claim, config.jwt_modules_claim)
    return made


def access_of(tenant: str, user: str) -> "Access":
    """What was granted to a user here, for tokens that don't say it."""
    found: Access = _late("application.tenants.access", "access_of")(entries(), tenant, user)
    return found


@lru_cache(maxsize=1)
def records() -> "RecordRepository":
    """The CRM's records in DynamoDB, those looked up by id kept for as long as the settings say."""
    config, repository = settings(), _late("adapters.dynamodb.records", "DynamoDBRecordRepository")
    made: RecordRepository = repository(
        config.records_table, clock(), region=config.region, endpoint=config.dynamodb_endpoint
    )
    if config.cache_seconds:
        made = _late("adapters.cached_records", "CachedRecordRepository")(made, config.cache_seconds)
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
def rate_limiter() -> "RateLimiter":
    """Counts requests, in the table of entries."""
    config, limiter = settings(), _late("adapters.dynamodb.rate_limits", "DynamoDBRateLimiter")
    made: RateLimiter = limiter(config.entries_table, region=config.region, endpoint=config.dynamodb_endpoint)
    return made


@lru_cache(maxsize=1)
def spending_ledger() -> "SpendingLedger":
    """What tenants spent on models, in the table of entries."""
    config, ledger = settings(), _late("adapters.dynamodb.spending", "DynamoDBSpendingLedger")
    made: SpendingLedger = ledger(config.entries_table, region=config.region, endpoint=config.dynamodb_endpoint)
    return made


@lru_cache(maxsize=1)
def tenant_profiles() -> "TenantProfiles":
    """The tenants' profiles, cached."""
    made: TenantProfiles = _late("application.tenants.profile", "TenantProfiles")(entries(), clock())
    return made


@lru_cache(maxsize=1)
def tenant_plans() -> "TenantPlans":
    """What each tenant has booked; the settings are the plan `standard`."""
    config, plan = settings(), _late("application.tenants.plans", "Plan")
    rates = _late("domain.limits", "RateLimits")(config.user_requests_per_minute, config.tenant_requests_per_hour)
    standard = plan("standard", rates, config.tenant_budget_usd)
    made: TenantPlans = _late("application.tenants.plans", "TenantPlans")(tenant_profiles(), standard)
    return made


@lru_cache(maxsize=1)
def request_limits() -> "RequestLimits":
    """What lets requests in."""
    limits = _late("application.tenants.limits", "RequestLimits")
    made: RequestLimits = limits(rate_limiter(), tenant_plans(), clock())
    return made


@lru_cache(maxsize=1)
def budgets() -> "Budgets":
    """What tenants may spend on models."""
    made: Budgets = _late("application.models.budget", "Budgets")(spending_ledger(), tenant_plans(), clock())
    return made


@lru_cache(maxsize=1)
def audit_log() -> "AuditLog":
    """What was done with tools, in the table of entries."""
    config, log = settings(), _late("adapters.dynamodb.audit", "DynamoDBAuditLog")
    made: AuditLog = log(config.entries_table, region=config.region, endpoint=config.dynamodb_endpoint)
    return made


def audit() -> "Audit":
    """Where calls are recorded; what is lost there is logged and counted."""
    made: Audit = _late("application.audit.trail", "Audit")(audit_log(), _late("observability", "log_audit_loss"))
    return made


@lru_cache(maxsize=1)
def tools() -> "ToolRegistry":
    """Every tool of `aisha.tools`, of the folder of HTTP tools and of the MCP servers of theirs.

    Raises ValueError for a wrong file there.
    """
    config, registry = settings(), _late("application.tooling", "discover")("aisha.tools")
    http = _folder("AISHA_HTTP_TOOLS", config.http_tools_folder, HTTP_TOOLS)
    servers = _folder("AISHA_MCP_SERVERS", config.mcp_servers_folder, MCP_SERVERS)
    # Without a file there, neither the HTTP client nor the validator of schemas is imported.
    if next(http.glob("*.json"), None) is not None:
        registry = registry.with_tools(_late("adapters.http_tools", "http_tools")(http, secrets()))
    if next(servers.glob("*.json"), None) is not None:
        connected = _late("adapters.mcp_client", "McpServers")(servers, secrets())
        registry = registry.with_arrivals(connected.arrived)
    made: ToolRegistry = registry
    return made


def _folder(variable: str, named: str | None, packaged: Path) -> Path:
    if named is None:
        return packaged
    if not (folder := Path(named)).is_dir():
        raise ValueError(f"{variable}: there is no folder {named}")
    return folder


@lru_cache(maxsize=1)
def mcp_clients() -> "McpClients":
    """What MCP clients are offered. Raises ValueError for a wrong file."""
    named = settings().mcp_clients_file
    made: McpClients = _late("application.mcp.clients", "load_mcp_clients")(Path(named) if named else MCP_CLIENTS)
    return made


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


def provider_key(name: SecretSetting, config: Settings | None = None) -> "ApiKey | None":
    """A setting's value from the environment; else what reads it from the secrets at need; None when it is in neither."""
    config = config or settings()
    value: str | None = getattr(config, name)
    if value or name not in config.settings_in_secrets:
        return value

    def read() -> str:
        store = secrets()
        try:
            return store.get(name)
        except NotFoundError as error:
            raise UnavailableError(f"{name} is not set up: {error.message}", suggestion=error.suggestion) from error

    return read


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
        records=records(),
        entries=entries(),
        clock=clock(),
        mail=mail(),
        scan_records=settings().scan_records,
        issues=issue_tracker(),
        memory=memory_store,
        embedder=embedder,
        model=chat_model,
        queue=work_queue,
        audit=audit(),
        sensitive=_late("application.redaction.summaries", "field_keys")(settings().sensitive_fields),
        masks_contacts=contact_masking(),
        mood_webhook=mood_webhook(),
        profiles=tenant_profiles(),
    )
    return made


def contact_masking() -> "Callable[[str], bool]":
    """Which tenants have addresses and phone numbers masked before a model sees them."""
    made: Callable[[str], bool] = _late("application.redaction.masking_model", "TenantMasking")(tenant_profiles())
    return made


def issue_tracker() -> "IssueTracker | None":
    """The issues of the GitHub repository that the settings name; None without one."""
    config = settings()
    if config.github_repository is None:
        return None
    tracker = _late("adapters.issues.github", "GitHubIssueTracker")
    made: IssueTracker = tracker(config.github_url, config.github_repository, secrets())
    return made


def model_links() -> "ProviderChains":
    """Chains of the models file without the providers that have no key here. Raises ValueError for a wrong file."""
    return links_of(settings())


def links_of(config: Settings) -> "ProviderChains":
    """The same for other settings than the process's."""
    access = _late("adapters.llm.providers", "Access")
    reached = {
        provider: access(key, config.openai_base_url if provider == "openai" else None)
        for provider, name in MODEL_KEYS.items()
        if (key := provider_key(name, config))
    }
    if config.ollama_base_url:
        reached["ollama"] = access("ollama", _late("adapters.llm.providers", "ollama_url")(config.ollama_base_url))
    links: ProviderChains = _late("adapters.llm.providers", "ProviderChains")(
        _catalog(config), reached, clock(), config.openai_model
    )
    return links


def _catalog(config: Settings) -> "ModelCatalog":
    return _catalog_in(Path(config.models_file) if config.models_file else MODELS)


@lru_cache(maxsize=2)
def _catalog_in(file: Path) -> "ModelCatalog":
    made: ModelCatalog = _late("adapters.llm.catalog", "load_catalog")(file)
    return made


@lru_cache(maxsize=1)
def embedder() -> "Embedder | None":
    """What makes vectors of texts, as the settings say; None when nothing does."""
    config, made = settings(), None
    if config.embedder == "openai":
        openai = importlib.import_module("aisha.adapters.embeddings.openai_embeddings")
        paid = openai.OpenAIEmbedder(provider_key("openai_api_key"), config.openai_base_url)
        ref = _late("adapters.llm.catalog", "ModelRef")(provider="openai", model=openai.MODEL)
        price = _late("adapters.llm.providers", "terms_of")(_catalog(config), ref, clock().now().date()).price
        made = _late("application.models.embedding", "BudgetedEmbedder")(paid, budgets(), price)
    elif config.embedder == "minilm":
        made = _late("adapters.embeddings.minilm", "MiniLMEmbedder")()
    model: Embedder | None = made
    return model


@lru_cache(maxsize=1)
def memory_store() -> "MemoryStore | None":
    """Where memory is kept, as the settings say; None when there is none."""
    config, model, made = settings(), embedder(), None
    if model is None:
        return None
    if config.memory == "embedded":
        store = _late("adapters.memory.embedded", "EmbeddedMemoryStore")
        made = store(config.memory_folder, model.name, model.dimensions)
    elif config.memory == "opensearch":
        index = _late("adapters.memory.opensearch_index", "MemoryIndex")(
            _opensearch(), model.name, model.dimensions, service=config.opensearch_service
        )
        made = _late("adapters.memory.opensearch", "OpenSearchMemoryStore")(index)
    kept: MemoryStore | None = made
    return kept


def reindex_memory() -> int:
    """Makes memory's index and vectors anew, as today's settings want them; how many memories it has.

    Raises `UnavailableError` where there is no memory or it does not answer: the old one then goes on.
    """
    config, store, model = settings(), memory_store(), embedder()
    if store is None or model is None:
        raise UnavailableError("Memory is not set up here", suggestion="Set AISHA_MEMORY and AISHA_EMBEDDER")
    if config.memory == "embedded":
        made: int = _late("adapters.memory.embedded", "reembed")(config.memory_folder, model)
    else:
        reindex, service = _late("adapters.memory.opensearch_index", "reindex"), config.opensearch_service
        with closing(_opensearch()) as client:
            made = reindex(client, model, service=service)
    return made


def _opensearch() -> Any:
    config = settings()
    endpoint = key_text(provider_key("opensearch_endpoint") or "")
    return _late("adapters.memory.opensearch_client", "connect")(endpoint, config.opensearch_service, config.region)


def ingest_memory(message: Mapping[str, Any]) -> int:
    """Does what one message of memory's queue asks for; how many chunks were new. Raises as `application.ingest` does."""
    added: int = _late("application.memory.ingest", "ingest")(message, memory_store(), embedder())
    return added


@lru_cache(maxsize=1)
def work_queue() -> "WorkQueue | None":
    """Where work for later is put, as the settings say; None when nothing is done later."""
    config, made = settings(), None
    if config.queue == "sqs":
        named = {"memory": config.memory_queue_url, "sweep": config.sweep_queue_url}
        urls = {name: url for name, url in named.items() if url}
        made = _late("adapters.queue.sqs", "SqsWorkQueue")(urls, config.region)
    elif config.queue == "in_process":
        made = _late("adapters.queue.in_process", "InProcessWorkQueue")(
            {"memory": ingest_memory, "sweep": sweep_message}
        )
    queue: WorkQueue | None = made
    return queue


def finish_work() -> None:
    """Waits for what is in this process's own queue. For servers and commands that end; other queues go on without."""
    if work_queue.cache_info().currsize and (finish := getattr(work_queue(), "finish", None)):
        finish()


def sweep_dependencies() -> "SweepDependencies":
    """What a sweep needs of the world. Raises ValueError where nothing takes work for later."""
    config, queue = settings(), work_queue()
    if queue is None:
        raise ValueError("AISHA_QUEUE is none: a sweep needs a queue")
    sweep = importlib.import_module("aisha.application.sweep")
    limits = sweep.SweepLimits(config.sweep_records, config.sweep_page, config.sweep_concurrency)
    made: SweepDependencies = sweep.SweepDependencies(
        tool_ports(), queue, limits, notification_channels(), config.memory_days
    )
    return made


def sweep_message(message: Mapping[str, Any]) -> None:
    """Does what one message of the sweep's queue asks for. Raises as `application.sweep.handle` does."""
    _late("application.sweep", "handle")(message, sweep_dependencies())


def mood_webhook() -> "MoodWebhook | None":
    """What is told how users sound; None when nothing is."""
    config = settings()
    if config.mood_webhook_url is None:
        return None
    sender = _late("adapters.webhooks.signed_webhook", "SignedWebhookSender")
    push = importlib.import_module("aisha.application.sentiment.webhook")
    webhooks = sender(allow_private=config.webhooks_to_private)
    made: MoodWebhook = push.MoodWebhook(webhooks, config.mood_webhook_url, lambda: secrets().get(push.SECRET))
    return made


@lru_cache(maxsize=1)
def notification_channels() -> "Channels":
    """What sends notifications out of the app."""
    sender = _late("adapters.webhooks.signed_webhook", "SignedWebhookSender")
    webhooks = sender(allow_private=settings().webhooks_to_private)
    made: Channels = _late("application.notifications.delivery", "Channels")(mail(), webhooks)
    return made


def model_name() -> str:
    """What answers first: `<provider>:<model>` when a key is set, else `offline`, the planner that needs no model."""
    return next((link.name for link in model_links().chain("chat_tools")), "offline")


def check_models() -> "ProviderChains":
    """The chains that `chat_model` asks. For the start of what serves: it imports no SDK and asks nobody.

    Raises ValueError, which says what to do, for a wrong models file, a paid model whose price nobody knows, and a tenant
    whose provider is unknown or has no key.
    """
    config, links = settings(), model_links()
    _late("adapters.llm.providers", "check_tenants")(config.tenant_providers, links)
    for link in (*links.defaults().values(), *(link for name in CAPABILITIES for link in links.chain(name))):
        links.terms(link)
    return links


@lru_cache(maxsize=1)
def chat_model() -> "ChatModel":
    """The models that a key is there for, by capability, and the offline planner when none of them answers a chat.

    Raises ValueError as `check_models`.
    """
    links, planner = check_models(), _late("adapters.llm.offline", "OfflinePlanner")
    prepared = _prepared(links)
    chains = {capability: [prepared(link) for link in links.chain(capability)] for capability in CAPABILITIES}
    selector: ChatModel = _late("application.models.selection", "ModelSelector")(
        chains,
        _late("application.models.failover", "ChainEntry")(planner.provider, planner.model, cache(_planner)),
        {provider: prepared(link) for provider, link in links.defaults().items()},
        partial(tenant_provider, is_asked=bool(links.defaults())),
        _late("adapters.llm.circuit_breaker", "ModelCircuitBreaker")() if any(chains.values()) else None,
    )
    made: ChatModel = _late("application.redaction.masking_model", "MaskingChatModel")(selector, contact_masking())
    return made


def _planner() -> "ChatModel":
    planner = _late("adapters.llm.offline", "OfflinePlanner")
    made: ChatModel = _late("observability.models", "ObservedModel")(planner(), planner.provider, planner.model)
    return made


def tenant_provider(tenant: str, *, is_asked: bool = True) -> str | None:
    """Whose models alone a tenant is served with: `LLM_PROVIDER__TENANT_<key>`, else what its profile says.

    Nobody's where no provider `is_asked`. Raises `UnavailableError` when nobody can say.
    """
    named = settings().tenant_providers.get(_late("application.models.selection", "tenant_key")(tenant))
    return named or (tenant_plans().provider_of(tenant) if is_asked else None)


def _prepared(links: "ProviderChains") -> "Callable[[ChainEntry], ChainEntry]":
    """Lets a model with a price be asked within the tenant's budget alone, and keeps answers where settings say so.

    One link has one answer.
    """
    seconds = settings().response_cache_seconds
    responses = _late("application.models.response_cache", "ResponseCache")(seconds) if seconds else None

    @cache
    def prepared(link: "ChainEntry") -> "ChainEntry":
        terms = links.terms(link)

        def chat() -> "ChatModel":
            made: ChatModel = link.chat()
            if terms.price is not None:
                made = _late("application.models.budget", "BudgetedModel")(
                    made, budgets(), terms.price, terms.max_output
                )
            made = _late("observability.models", "ObservedModel")(made, link.provider, link.model)
            if responses is not None:
                made = _late("application.models.response_cache", "CachedModel")(link.name, made, responses)
            return made

        return replace(link, chat=cache(chat))

    return prepared


@lru_cache(maxsize=1)
def tracer() -> "Tracer | None":
    """What collects spans, as the settings say; None when nothing does."""
    config, made = settings(), None
    if config.traces == "otel":
        made = _late("adapters.tracing.otel", "OpenTelemetryTracer")(config.otlp_endpoint, config.function_name)
    collector: Tracer | None = made
    return collector


@lru_cache(maxsize=1)
def speech() -> "SpeechSynthesizer | None":
    """What says texts aloud, with its cache; None without a key for it."""
    config = settings()
    if (key := provider_key("elevenlabs_api_key")) is None:
        return None
    of = _late("adapters.speech.elevenlabs", "ElevenLabsSettings")(
        base_url=config.elevenlabs_base_url,
        model=config.elevenlabs_model,
        voice=config.elevenlabs_voice,
        stability=config.elevenlabs_stability,
        similarity=config.elevenlabs_similarity,
        output_format=config.elevenlabs_format,
        seconds=config.speech_seconds,
        most_bytes=config.speech_bytes,
    )
    synthesizer = _late("adapters.speech.elevenlabs", "ElevenLabsSynthesizer")(key, of)
    folder = Path(config.speech_cache_folder) if config.speech_cache_folder else None
    cache = _late("adapters.speech.audio_cache", "AudioCache")(
        config.speech_cache_bytes, folder, config.speech_cache_folder_bytes
    )
    made: SpeechSynthesizer = _late("adapters.speech.audio_cache", "CachedSynthesizer")(synthesizer, cache)
    return made


@lru_cache(maxsize=1)
def voice_sessions() -> "VoiceSessions | None":
    """What opens realtime conversations; None without a key for it. The model is the models file's `realtime_voice`."""
    config = settings()
    catalog = _catalog(config)
    model = next((ref.model for ref in catalog.chain("realtime_voice") if ref.provider == "openai"), None)
    key = provider_key("openai_api_key")
    if key is None or model is None:
        return None
    realtime = importlib.import_module("aisha.adapters.llm.openai_realtime")
    base_url = config.openai_base_url or catalog.base_urls.get("openai") or realtime.BASE_URL
    of = realtime.OpenAIRealtimeSettings(model, config.realtime_transcriber, base_url)
    made: VoiceSessions = realtime.OpenAIVoiceSessions(key, of)
    return made


@lru_cache(maxsize=1)
def turn_dependencies() -> "TurnDependencies":
    """What a turn needs, with one pool of threads for the reads of all turns of this process."""
    config = settings()
    limits = _late("application.turn.state", "TurnLimits")(
        max_rounds=config.max_rounds,
        max_flow_rounds=config.max_flow_rounds,
        max_calls_per_round=config.max_calls_per_round,
        bulk_confirmation_threshold=config.bulk_confirmation_threshold,
        turn_seconds=config.turn_seconds,
        assistant_name=config.assistant_name,
    )
    made: TurnDependencies = _late("application.turn.state", "TurnDependencies")(
        model=chat_model(),
        registry=tools(),
        ports=tool_ports(),
        conversations=conversations(),
        limits=limits,
        workers=_late("observability.threads", "ScopedThreads")(config.max_calls_per_round, thread_name_prefix="reads"),
        brainlets=_late("observability.brainlets", "timed")(
            _late("application.turn.brainlets.registry", "discover_brainlets")("aisha.brainlets")
        ),
        stored_call_runners={"run_plan": _run_stored_plan},
        on_brainlet_failure=_late("observability", "log_brainlet_failure"),
        observe=_late("observability.turns", "observed"),
        note_call=_late("observability.turns", "note_call"),
    )
    return made


def _run_stored_plan(turn: "Turn", pending: "PendingConfirmation") -> "Iterator[TurnEvent]":
    # What plans and runs a flow is imported with the first one that was confirmed; most turns have none.
    events: Iterator[TurnEvent] = _late("application.flow.execution", "run_stored")(turn, pending)
    return events
