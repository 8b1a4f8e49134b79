"""The shared objects of a process, created from its settings at their first use."""

from __future__ import annotations

from contextlib import ExitStack
from functools import cached_property, lru_cache
from typing import TYPE_CHECKING, Self, TypedDict, Unpack

from aisha import settings as settings_module
from aisha.bootstrap import auth, memory, messaging, models, stores, turn
from aisha.bootstrap import connections as crm
from aisha.bootstrap import speech as voices
from aisha.bootstrap import tools as toolkits

if TYPE_CHECKING:
    from collections.abc import Callable

    from aisha.adapters.auth.jwt_tokens import TokenVerifier
    from aisha.adapters.llm.chains import ProviderChains
    from aisha.application.connections.sync_state import SyncState
    from aisha.application.models.budget import Budgets
    from aisha.application.models.selection import ModelChoice
    from aisha.application.tenants.access import Access
    from aisha.application.tenants.profile_cache import TenantProfiles
    from aisha.application.tenants.rate_limits import RequestLimits
    from aisha.application.tooling import ToolRegistry
    from aisha.application.turn.state import TurnDependencies
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
        SpeechSynthesizer,
        SpendingLedger,
        VoiceSessions,
        WorkQueue,
        WritableSecretStore,
    )
    from aisha.domain.ports.tracing import Tracer
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
    """The shared objects of one process. `overrides` are used unchanged; the caller closes them.

    An attribute that another module makes has its documentation, and the errors that it raises, at its function there.
    """

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

    token_verifier = cached_property(auth.token_verifier)
    claim_names = cached_property(auth.claim_names)

    def access_of(self, tenant: str, user: str) -> Access:
        """Return the stored roles and modules of a user whose token does not have these claims."""
        # Cold start of the authorizer: most tokens have the claims.
        from aisha.application.tenants.access import access_of

        return access_of(self.entries, tenant, user)

    # --- stores

    local_records = cached_property(stores.local_records)
    records = cached_property(crm.records)
    connections = cached_property(crm.connections)
    sync_dependencies = cached_property(crm.sync_dependencies)

    def sync_state(self, tenant: str) -> SyncState | None:
        """Return how far the copy of a connected tenant's records is; None before its first reading."""
        # Cold start: only tenants with a connection have one.
        from aisha.application.connections.sync_state import sync_state

        return sync_state(self.entries, tenant)

    conversations = cached_property(stores.conversations)
    entries = cached_property(stores.entries)
    rate_limiter = cached_property(stores.rate_limiter)
    spending_ledger = cached_property(stores.spending_ledger)
    audit_log = cached_property(stores.audit_log)
    audit = cached_property(stores.audit)
    secrets = cached_property(stores.secrets)

    # --- tenants' plans, limits and budgets

    @cached_property
    def tenant_profiles(self) -> TenantProfiles:
        from aisha.application.tenants.profile_cache import TenantProfiles

        return TenantProfiles(self.entries, self.clock)

    team_values = cached_property(crm.team_values)
    custom_fields = cached_property(crm.custom_fields)
    tenant_plans = cached_property(stores.tenant_plans)

    @cached_property
    def request_limits(self) -> RequestLimits:
        from aisha.application.tenants.rate_limits import RequestLimits

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

    tools = cached_property(toolkits.tools)
    tool_ports = cached_property(toolkits.tool_ports)
    mcp_clients = cached_property(toolkits.mcp_clients)
    issue_tracker = cached_property(toolkits.issue_tracker)

    # --- email, webhooks and deferred work

    mail = cached_property(messaging.mail)
    notification_channels = cached_property(messaging.notification_channels)
    mood_webhook = cached_property(messaging.mood_webhook)
    work_queue = cached_property(messaging.work_queue)
    sweep_dependencies = cached_property(messaging.sweep_dependencies)

    # --- memory

    embedder = cached_property(memory.embedder)
    memory_store = cached_property(memory.memory_store)
    memory_rebuild = cached_property(memory.memory_rebuild)

    # --- models and voices

    catalog = cached_property(models.catalog)
    model_chains = cached_property(models.model_chains)

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

    chat_model = cached_property(models.chat_model)
    speech = cached_property(voices.speech)
    voice_sessions = cached_property(voices.voice_sessions)

    @property
    def voice_url(self) -> str | None:
        """The base URL of the provider of realtime voice, which browsers connect to; None without one."""
        return voices.voice_url(self) if self.voice_sessions else None

    # --- a turn

    turn_dependencies = cached_property(turn.turn_dependencies)
    tracer = cached_property(turn.tracer)


@lru_cache(maxsize=1)
def default_services() -> Services:
    """Return the services of this process, made from its environment."""
    return Services()
