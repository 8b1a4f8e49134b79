"""The connections of tenants to other CRMs, and their synchronisation."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from aisha.adapters.crm.connections import Connections
    from aisha.application.connections.dependencies import SyncDependencies
    from aisha.application.connections.mirror import Mirror
    from aisha.bootstrap.services import Services
    from aisha.domain.crm.custom_fields import CustomFields
    from aisha.domain.crm.queries import Written
    from aisha.domain.crm.team_values import TeamValues
    from aisha.domain.ports import RecordRepository
    from aisha.settings import Settings

CRM_FILES = Path(__file__).parents[1] / "assets" / "tool_schemas" / "crm"


def records(services: Services) -> RecordRepository:
    """Return the repository of the records, in each tenant's own CRM where it has one."""
    from aisha.adapters.crm.writing.connected_records import ConnectedRecordRepository

    def mirror_of(tenant: str) -> Mirror | None:
        # Cold start: the reader of mapping files is imported only for tenants with a connection.
        return services.connections.mirror(tenant) if services.tenant_profiles(tenant).get("crm") else None

    return ConnectedRecordRepository(services.local_records, mirror_of, services.entries, services.clock)


def connections(services: Services) -> Connections:
    """Return the maker of the tenants' connections. Raises ValueError for a folder that does not exist."""
    from aisha.adapters.crm.connections import Connections
    from aisha.adapters.crm.writing.locks import Locks

    settings = services.settings
    return Connections(
        crm_files(settings),
        services.tenant_profiles,
        services.local_records,
        services.entries,
        services.secrets,
        locks=Locks(services.entries, services.clock),
        allow_private=settings.crm_to_private,
    )


def team_values(services: Services) -> Callable[[str], TeamValues]:
    """Return the function that returns a tenant's own values, from a cache; none without a connection.

    While the store does not answer there are none, so that turns go on without it.
    """
    from aisha.application.tenants.profile_cache import TenantProfiles
    from aisha.domain.errors import UnavailableError

    stored = TenantProfiles(services.entries, services.clock, "crm_values")

    def values(tenant: str) -> TeamValues:
        try:
            body = stored(tenant) if services.tenant_profiles(tenant).get("crm") else {}
        except UnavailableError:
            return {}
        if not body:
            return {}
        from aisha.application.connections.sync_state import team_values

        return team_values(body)

    return values


def custom_fields(services: Services) -> Callable[[str], CustomFields]:
    """Return the function that returns a tenant's own fields, those of its profile and of its CRM, from a cache.

    While the store does not answer there are none. Sensitive fields are left out: a search by one would reveal it.
    """
    from aisha.application.redaction.summaries import SENSITIVE, field_keys
    from aisha.application.tenants.profile_cache import TenantProfiles
    from aisha.domain.errors import UnavailableError

    stored = TenantProfiles(services.entries, services.clock, "crm_fields")
    sensitive = SENSITIVE | field_keys(services.settings.sensitive_fields)

    def fields(tenant: str) -> CustomFields:
        try:
            profile = services.tenant_profiles(tenant)
            of_crm = stored(tenant) if profile.get("crm") else {}
        except UnavailableError:
            return {}
        if not of_crm and not profile.get("custom_fields"):
            return {}
        from aisha.application.tenants.custom_fields import declared_fields, fields_of_crm, merged

        all_fields = merged(declared_fields(profile), fields_of_crm(of_crm))
        return {
            kind: [field for field in of_kind if not field_keys([field.name]) & sensitive]
            for kind, of_kind in all_fields.items()
        }

    return fields


def crm_files(settings: Settings) -> Path:
    """Return the folder of mapping files. Raises ValueError for one that does not exist."""
    folder = Path(settings.crm_files_folder) if settings.crm_files_folder else CRM_FILES
    if not folder.is_dir():
        raise ValueError(f"AISHA_CRM_FILES: there is no folder {folder}")
    return folder


def check_crm_files(settings: Settings) -> None:
    """Read every mapping file. Raises ValueError for the first one that can't be used."""
    from aisha.adapters.crm.mapping_file.file import read_mapping

    for file in sorted(crm_files(settings).glob("[!_]*.json")):
        read_mapping(file)


def sync_dependencies(services: Services) -> SyncDependencies:
    """Return the dependencies of the synchronisation. Raises ValueError without a queue."""
    from aisha.application.connections.dependencies import SyncDependencies

    if (queue := services.work_queue) is None:
        raise ValueError("AISHA_QUEUE is none: the synchronisation with a CRM needs a queue")

    def remember(tenant: str, written: Sequence[Written]) -> None:
        from aisha.application.administration.memory_backfill import synced_messages

        if services.settings.crm_to_memory or services.settings.memory != "none":
            for message in synced_messages(tenant, written, services.tool_ports):
                queue.send("memory", message)

    def warn(tenant: str, text: str) -> None:
        from aisha.application.notifications.store import NewNotification, store_notification
        from aisha.application.tooling.context import make_context
        from aisha.domain.ids import new_ulid
        from aisha.domain.principal import Principal

        mirror = services.connections.mirror(tenant)
        # Nobody else could do anything about it.
        for admin in mirror.connection.admins if mirror else ():
            context = make_context(Principal(tenant, admin), services.tool_ports, f"warn_{new_ulid()}")
            store_notification(NewNotification("The connection to the CRM does not work", text), context, new_ulid())

    return SyncDependencies(
        services.connections.mirror,
        services.local_records,
        services.entries,
        services.clock,
        queue,
        remember,
        warn,
    )
