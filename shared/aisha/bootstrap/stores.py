"""The stores in DynamoDB, the limits of requests and spending, and the secret store."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from aisha.application.audit.trail import Audit
    from aisha.application.tenants.plans import TenantPlans
    from aisha.application.tenants.profile import TenantProfiles
    from aisha.domain.ports import (
        AuditLog,
        Clock,
        ConversationRepository,
        EntryRepository,
        RateLimiter,
        RecordRepository,
        SpendingLedger,
        WritableSecretStore,
    )
    from aisha.settings import Settings


def local_records(settings: Settings, clock: Clock) -> RecordRepository:
    """Return the repository of AiSHA's own table. Records read by id are cached for the time in the settings."""
    from aisha.adapters.dynamodb.records.repository import DynamoDBRecordRepository

    stored = DynamoDBRecordRepository(
        settings.records_table, clock, region=settings.region, endpoint=settings.dynamodb_endpoint
    )
    if not settings.cache_seconds:
        return stored
    from aisha.adapters.cached_records import CachedRecordRepository

    return CachedRecordRepository(stored, settings.cache_seconds)


def conversations(settings: Settings) -> ConversationRepository:
    """Return the repository of conversations."""
    from aisha.adapters.dynamodb.conversations import DynamoDBConversationRepository

    return DynamoDBConversationRepository(
        settings.conversations_table,
        region=settings.region,
        endpoint=settings.dynamodb_endpoint,
        days=settings.conversation_days,
    )


def entries(settings: Settings, clock: Clock) -> EntryRepository:
    """Return the repository of entries, e.g. preferences, profiles and notifications of users and tenants."""
    from aisha.adapters.dynamodb.entries import DynamoDBEntryRepository

    return DynamoDBEntryRepository(
        settings.entries_table, clock, region=settings.region, endpoint=settings.dynamodb_endpoint
    )


def rate_limiter(settings: Settings) -> RateLimiter:
    """Return the rate limiter, which counts in the table of entries."""
    from aisha.adapters.dynamodb.rate_limits import DynamoDBRateLimiter

    return DynamoDBRateLimiter(settings.entries_table, region=settings.region, endpoint=settings.dynamodb_endpoint)


def spending_ledger(settings: Settings) -> SpendingLedger:
    """Return the ledger of model costs, which is in the table of entries."""
    from aisha.adapters.dynamodb.spending import DynamoDBSpendingLedger

    return DynamoDBSpendingLedger(settings.entries_table, region=settings.region, endpoint=settings.dynamodb_endpoint)


def tenant_plans(settings: Settings, profiles: TenantProfiles) -> TenantPlans:
    """Return the plans of tenants. The settings define the plan `standard`."""
    from aisha.application.tenants.plans import Plan, TenantPlans
    from aisha.domain.limits import RateLimits

    rates = RateLimits(settings.user_requests_per_minute, settings.tenant_requests_per_hour)
    return TenantPlans(profiles, Plan("standard", rates, settings.tenant_budget_usd))


def audit_log(settings: Settings) -> AuditLog:
    """Return the log of tool calls, which is in the table of entries."""
    from aisha.adapters.dynamodb.audit import DynamoDBAuditLog

    return DynamoDBAuditLog(settings.entries_table, region=settings.region, endpoint=settings.dynamodb_endpoint)


def audit(log: AuditLog) -> Audit:
    """Return the recorder of tool calls. Entries that could not be written are logged and counted."""
    from aisha.application.audit.trail import Audit
    from aisha.observability import log_audit_loss

    return Audit(log, log_audit_loss)


def secrets(settings: Settings) -> WritableSecretStore:
    """Return Secrets Manager if the settings have a prefix of secret names, otherwise the environment."""
    if settings.secrets_prefix is None:
        from aisha.adapters.secrets.environment import EnvironmentSecretStore

        return EnvironmentSecretStore(settings.secrets)
    from aisha.adapters.secrets.secrets_manager import SecretsManagerSecretStore

    return SecretsManagerSecretStore(settings.secrets_prefix, settings.region)
