"""The stores in DynamoDB, the limits of requests and spending, and the secret store."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from aisha.application.audit.trail import Audit
    from aisha.application.tenants.plans import TenantPlans
    from aisha.bootstrap.services import Services
    from aisha.domain.ports import (
        AuditLog,
        ConversationRepository,
        EntryRepository,
        RateLimiter,
        RecordRepository,
        SpendingLedger,
        WritableSecretStore,
    )


def local_records(services: Services) -> RecordRepository:
    """Return the repository of AiSHA's own table. Records read by id are cached for the time in the settings."""
    from aisha.adapters.dynamodb.records.repository import DynamoDBRecordRepository

    settings = services.settings
    stored = DynamoDBRecordRepository(
        settings.records_table, services.clock, region=settings.region, endpoint=settings.dynamodb_endpoint
    )
    if not settings.cache_seconds:
        return stored
    from aisha.adapters.cached_records import CachedRecordRepository

    # Within one process: a change by another one is seen after this time.
    return CachedRecordRepository(stored, settings.cache_seconds)


def conversations(services: Services) -> ConversationRepository:
    """Return the repository of conversations."""
    from aisha.adapters.dynamodb.conversations import DynamoDBConversationRepository

    settings = services.settings
    return DynamoDBConversationRepository(
        settings.conversations_table,
        region=settings.region,
        endpoint=settings.dynamodb_endpoint,
        days=settings.conversation_days,
    )


def entries(services: Services) -> EntryRepository:
    """Return the repository of entries, e.g. preferences, profiles and notifications of users and tenants."""
    from aisha.adapters.dynamodb.entries import DynamoDBEntryRepository

    settings = services.settings
    return DynamoDBEntryRepository(
        settings.entries_table, services.clock, region=settings.region, endpoint=settings.dynamodb_endpoint
    )


def rate_limiter(services: Services) -> RateLimiter:
    """Return the rate limiter, which counts in the table of entries."""
    from aisha.adapters.dynamodb.rate_limits import DynamoDBRateLimiter

    settings = services.settings
    return DynamoDBRateLimiter(settings.entries_table, region=settings.region, endpoint=settings.dynamodb_endpoint)


def spending_ledger(services: Services) -> SpendingLedger:
    """Return the ledger of model costs, which is in the table of entries."""
    from aisha.adapters.dynamodb.spending import DynamoDBSpendingLedger

    settings = services.settings
    return DynamoDBSpendingLedger(settings.entries_table, region=settings.region, endpoint=settings.dynamodb_endpoint)


def tenant_plans(services: Services) -> TenantPlans:
    """Return the plans of tenants. The settings define the plan `standard`."""
    from aisha.application.tenants.plans import Plan, TenantPlans
    from aisha.domain.rate_limits import RateLimits

    settings = services.settings
    rates = RateLimits(settings.user_requests_per_minute, settings.tenant_requests_per_hour)
    return TenantPlans(services.tenant_profiles, Plan("standard", rates, settings.tenant_budget_usd))


def audit_log(services: Services) -> AuditLog:
    """Return the log of tool calls, which is in the table of entries."""
    from aisha.adapters.dynamodb.audit import DynamoDBAuditLog

    settings = services.settings
    return DynamoDBAuditLog(settings.entries_table, region=settings.region, endpoint=settings.dynamodb_endpoint)


def audit(services: Services) -> Audit:
    """Return the recorder of tool calls. Entries that could not be written are logged and counted."""
    from aisha.application.audit.trail import Audit
    from aisha.observability import log_audit_loss

    return Audit(services.audit_log, log_audit_loss)


def secrets(services: Services) -> WritableSecretStore:
    """Return Secrets Manager if the settings have a prefix of secret names, otherwise the environment."""
    settings = services.settings
    if settings.secrets_prefix is None:
        from aisha.adapters.secrets.environment import EnvironmentSecretStore

        return EnvironmentSecretStore(settings.secrets)
    from aisha.adapters.secrets.secrets_manager import SecretsManagerSecretStore

    return SecretsManagerSecretStore(settings.secrets_prefix, settings.region)
