"""The shared objects of a process, created from its settings at their first use."""

from __future__ import annotations

from contextlib import ExitStack
from functools import cached_property, lru_cache
from typing import TYPE_CHECKING, Self, TypedDict, Unpack

from aisha import settings as settings_module
from aisha.bootstrap import auth, connections, memory, messaging, models, speech, stores, tools, tracing, turn

if TYPE_CHECKING:
    from collections.abc import Callable

    from aisha.adapters.auth.jwt_tokens import TokenVerifier
    from aisha.adapters.auth.principal import ClaimNames
    from aisha.adapters.crm.connections import Connections
    from aisha.adapters.llm.catalog import ModelCatalog
    from aisha.adapters.llm.chains import ProviderChains
    from aisha.application.audit.trail import Audit
    from aisha.application.connections.dependencies import SyncDependencies
    from aisha.application.connections.sync import SyncState
    from aisha.application.mcp.clients import McpClients
    from aisha.application.models.budget import Budgets
    from aisha.application.models.selection import ModelChoice
    from aisha.application.notifications.delivery import Channels
    from aisha.application.sweep import SweepDependencies
    from aisha.application.tenants.access import Access
    from aisha.application.tenants.limits import RequestLimits
    from aisha.application.tenants.plans import TenantPlans
    from aisha.application.tenants.profile import TenantProfiles
    from aisha.application.tooling import ToolRegistry
    from aisha.application.tooling.context import ToolPorts
    from aisha.application.turn.state import TurnDependencies
    from aisha.domain.crm.custom_fields import CustomFields
    from aisha.domain.crm.team_values import TeamValues
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
        MoodWebhook,
        RateLimiter,
        RecordRepository,
        SpeechSynthesizer,
        SpendingLedger,
        VoiceSessions,
        WorkQueue,
        WritableSecretStore,
    )
    from aisha.domain.tracing import Tracer
    from aisha.settings import Settings


class Overrides(TypedDict, total=False):
    """Objects that replace those of the settings, e.g. in tests. Objects that depend on them use the replacement."""

    settings: Settings
    clock: Clock
    token_verifier: TokenVerifier
    records: RecordRepository
    local_records: RecordRepository
    conversations: ConversationRepository
    entries: EntryRepository
    rate_limiter: RateLimiter
    spending_ledger: SpendingLedger
    audit_log: AuditLog
    secrets: WritableSecretStore
    tools: ToolRegistry
    issue_tracker: IssueTracker | None
    mail: MailSender | None
    work_queue: WorkQueue | None
    embedder: Embedder | None
    memory_store: MemoryStore | None
    model_chains: ProviderChains
    chat_model: ChatModel
    tracer: Tracer | None
    speech: SpeechSynthesizer | None
    voice_sessions: VoiceSessions | None
    turn_dependencies: TurnDependencies


class Services:
    """The shared objects of one process. `overrides` are used unchanged; the caller closes them."""

    def __init__(self, **overrides: Unpack[Overrides]) -> None:
        self._overrides = overrides
        self._open = ExitStack()
        # `cached_property` looks into `__dict__` first, so an override is never created from the settings.
        self.__dict__.update(overrides)

    def replace(self, **overrides: Unpack[Overrides]) -> Self:
        """Return new services with further overrides; they share no objects of these services but the overrides."""
        merged: Overrides = {**self._overrides, **overrides}
        return type(self)(**merged)

    def on_close(self, close: Callable[[], object]) -> None:
        """Register a function that `close` calls; the last registered one is called first."""
        self._open.callback(close)

    def close(self) -> None:
        """Finish the work in the in-process queue, then end the threads and connections of these services."""
        # First, because the work in the queue needs the connections.
        self.finish_work()
        self._open.close()

    def finish_work(self) -> None:
        """Wait until the in-process queue is empty; with another queue do nothing."""
        # Read from `__dict__`, since the attribute would create a queue that was never used.
        if finish := getattr(self.__dict__.get("work_queue"), "finish", None):
            finish()

    @cached_property
    def settings(self) -> Settings:
        """The process's settings. Raises `SettingsError`."""
        return settings_module.settings()

    @cached_property
    def clock(self) -> Clock:
        from aisha.adapters.clock import SystemClock

        return SystemClock()

    # --- authentication

    @cached_property
    def token_verifier(self) -> TokenVerifier:
        """Raises ValueError if no JWKS URL is set."""
        return auth.token_verifier(self.settings)

    @cached_property
    def claim_names(self) -> ClaimNames:
        return auth.claim_names(self.settings)

    def access_of(self, tenant: str, user: str) -> Access:
        """Return the stored roles and modules of a user whose token does not have these claims."""
        # Cold start of the authorizer: most tokens have the claims.
        from aisha.application.tenants.access import access_of

        return access_of(self.entries, tenant, user)

    # --- stores

    @cached_property
    def local_records(self) -> RecordRepository:
        """The records in AiSHA's own table: those of tenants without a CRM of their own, copies of the others'."""
        return stores.local_records(self.settings, self.clock)

    @cached_property
    def records(self) -> RecordRepository:
        return connections.records(self)

    @cached_property
    def connections(self) -> Connections:
        return connections.connections(self)

    @cached_property
    def sync_dependencies(self) -> SyncDependencies:
        """Raises ValueError without a queue."""
        return connections.sync_dependencies(self)

    def sync_state(self, tenant: str) -> SyncState | None:
        """Return how far the copy of a connected tenant's records is; None before its first reading."""
        # Cold start: only tenants with a connection have one.
        from aisha.application.connections.sync import sync_state

        return sync_state(self.entries, tenant)

    @cached_property
    def conversations(self) -> ConversationRepository:
        return stores.conversations(self.settings)

    @cached_property
    def entries(self) -> EntryRepository:
        return stores.entries(self.settings, self.clock)

    @cached_property
    def rate_limiter(self) -> RateLimiter:
        return stores.rate_limiter(self.settings)

    @cached_property
    def spending_ledger(self) -> SpendingLedger:
        return stores.spending_ledger(self.settings)

    @cached_property
    def audit_log(self) -> AuditLog:
        return stores.audit_log(self.settings)

    @cached_property
    def audit(self) -> Audit:
        return stores.audit(self.audit_log)

    @cached_property
    def secrets(self) -> WritableSecretStore:
        return stores.secrets(self.settings)

    # --- tenants' plans, limits and budgets

    @cached_property
    def tenant_profiles(self) -> TenantProfiles:
        from aisha.application.tenants.profile import TenantProfiles

        return TenantProfiles(self.entries, self.clock)

    @cached_property
    def team_values(self) -> Callable[[str], TeamValues]:
        """Function that returns the values that a tenant's CRM has under names of its own."""
        return connections.team_values(self)

    @cached_property
    def custom_fields(self) -> Callable[[str], CustomFields]:
        """Function that returns the fields of records that a tenant has of its own."""
        return connections.custom_fields(self)

    @cached_property
    def tenant_plans(self) -> TenantPlans:
        return stores.tenant_plans(self.settings, self.tenant_profiles)

    @cached_property
    def request_limits(self) -> RequestLimits:
        from aisha.application.tenants.limits import RequestLimits

        return RequestLimits(self.rate_limiter, self.tenant_plans, self.clock)

    @cached_property
    def budgets(self) -> Budgets:
        from aisha.application.models.budget import Budgets

        return Budgets(self.spending_ledger, self.tenant_plans, self.clock)

    @cached_property
    def contact_masking(self) -> Callable[[str], bool]:
        """Function that returns whether a tenant's email addresses and phone numbers are masked for models."""
        from aisha.application.redaction.masking_model import TenantMasking

        return TenantMasking(self.tenant_profiles)

    # --- tools

    @cached_property
    def tools(self) -> ToolRegistry:
        """Raises ValueError for an invalid tool file."""
        return tools.tools(self)

    @cached_property
    def tool_ports(self) -> ToolPorts:
        return tools.tool_ports(self)

    @cached_property
    def mcp_clients(self) -> McpClients:
        """Raises ValueError for an invalid file."""
        return tools.mcp_clients(self.settings)

    @cached_property
    def issue_tracker(self) -> IssueTracker | None:
        return tools.issue_tracker(self.settings, self.secrets)

    # --- email, webhooks and deferred work

    @cached_property
    def mail(self) -> MailSender | None:
        return messaging.mail(self.settings)

    @cached_property
    def notification_channels(self) -> Channels:
        return messaging.notification_channels(self.settings, self.mail)

    @cached_property
    def mood_webhook(self) -> MoodWebhook | None:
        return messaging.mood_webhook(self)

    @cached_property
    def work_queue(self) -> WorkQueue | None:
        return messaging.work_queue(self)

    @cached_property
    def sweep_dependencies(self) -> SweepDependencies:
        """Raises ValueError without a queue."""
        return messaging.sweep_dependencies(self)

    # --- memory

    @cached_property
    def embedder(self) -> Embedder | None:
        return memory.embedder(self)

    @cached_property
    def memory_store(self) -> MemoryStore | None:
        return memory.memory_store(self)

    @cached_property
    def memory_rebuild(self) -> Callable[[Embedder], int] | None:
        """Function that embeds all memories again and returns their number."""
        return memory.memory_rebuild(self)

    # --- models and voices

    @cached_property
    def catalog(self) -> ModelCatalog:
        """Content of the models file. Raises ValueError if it is invalid."""
        return models.catalog(self.settings)

    @cached_property
    def model_chains(self) -> ProviderChains:
        """Raises ValueError for an invalid models file."""
        return models.model_chains(self)

    def check_models(self) -> None:
        """Check the model chains at the start of a server, without importing an SDK or calling a provider.

        Raises ValueError with the remedy for an invalid models file, a paid model without a price, and a tenant whose
        provider is unknown or has no key.
        """
        from aisha.adapters.llm.chains import check_chains

        check_chains(self.model_chains, models.CAPABILITIES, self.settings.tenant_providers)

    def model_choices(self, tenant: str) -> list[ModelChoice]:
        """Return the models that a chat request of the tenant can name. Raises `UnavailableError`."""
        return models.model_choices(self, tenant)

    @property
    def model_name(self) -> str:
        """Name of the first model of the chat, `<provider>:<model>`; `offline` for the planner, if no key is set."""
        from aisha.domain.models import OFFLINE

        return next((entry.name for entry in self.model_chains.chain("chat_tools")), OFFLINE)

    @cached_property
    def chat_model(self) -> ChatModel:
        """Raises ValueError like `check_models`."""
        return models.chat_model(self)

    @cached_property
    def speech(self) -> SpeechSynthesizer | None:
        return speech.speech(self)

    @cached_property
    def voice_sessions(self) -> VoiceSessions | None:
        return speech.voice_sessions(self)

    @property
    def voice_url(self) -> str | None:
        """The base URL of the provider of realtime voice, which browsers connect to; None without one."""
        return speech.voice_url(self) if self.voice_sessions else None

    # --- a turn

    @cached_property
    def turn_dependencies(self) -> TurnDependencies:
        return turn.turn_dependencies(self)

    @cached_property
    def tracer(self) -> Tracer | None:
        return tracing.tracer(self.settings)


@lru_cache(maxsize=1)
def default_services() -> Services:
    """Return the services of this process, made from its environment."""
    return Services()
