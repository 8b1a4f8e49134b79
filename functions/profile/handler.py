"""GET and PATCH /api/ai/profile: the tenant's assistant, and the user as it knows them."""

from collections.abc import Mapping, Sequence

from aisha.api.rest_app import RestApp
from aisha.api.schemas.administration.profile import (
    ProfileAdminJson,
    ProfileBody,
    ProfileJson,
    admin_json,
    change_of,
    connection_json,
    custom_fields_json,
    values_json,
)
from aisha.application.tenants.profile import BrainletSettings, TenantProfile, profile_of
from aisha.application.tenants.profile_editing import ProfileEditor, StoredProfile
from aisha.application.tooling.arguments.custom_arguments import reserved_names
from aisha.domain.crm.records import RECORD_TYPES
from aisha.domain.errors import InvalidInputError
from aisha.domain.principal import Principal

app = RestApp()


@app.operation(
    "GET",
    "/api/ai/profile",
    "getProfile",
    summary="Get the assistant's profile",
    description="The assistant's name, the tenant's words for records and its values of stages and statuses, and "
    "who the user is; for users with the role admin also persona, rules, trust, limits, the custom fields that the "
    "profile declares, and the state of the connection to the tenant's CRM.",
    errors=(503,),
)
def profile() -> ProfileJson:
    principal = app.principal()
    return _profile(principal, _editor().read(principal.tenant))


@app.operation(
    "PATCH",
    "/api/ai/profile",
    "changeProfile",
    summary="Change the assistant's profile",
    description="Replaces the members that are sent. Only for users with the role admin. It is recorded in the "
    "audit log and takes effect within a minute. Rules, for all or by role, only restrict: one that allows loosens "
    "nothing that needs a confirmation by itself. Trust names the roles, by tool, that are not asked about a write "
    "which their own words do not order; it lifts no denial and no confirmation of another kind.",
    errors=(403, 409, 503),
)
def change(body: ProfileBody) -> ProfileJson:
    principal = app.principal()
    names = frozenset(spec.name for spec in app.services.tools.specs())
    # Names are checked here, because the stores know neither tools nor brainlets.
    _check_brainlets(principal, body.brainlets or {})
    for kind, fields in (body.custom_fields or {}).items():
        _check_names(kind, [field.name for field in fields])
    return _profile(principal, _editor().change(principal, change_of(body), names, body.version))


def _check_brainlets(principal: Principal, brainlets: Mapping[str, BrainletSettings]) -> None:
    """Raise `InvalidInputError` for a name that no brainlet has, and for a model that can't be asked here."""
    existing = {brainlet.name for brainlet in app.services.turn_dependencies.brainlets.ordered}
    choices = app.services.model_choices(principal.tenant)
    for name, settings in brainlets.items():
        if name not in existing:
            there_are = ", ".join(sorted(existing))
            raise InvalidInputError(
                f"There is no brainlet {name[:60]!r}.", pointer="/brainlets", suggestion=f"There are: {there_are}."
            )
        if not any(
            settings.provider in (None, choice.provider) and settings.model in (None, choice.model)
            for choice in choices
        ):
            there_are = ", ".join(f"{choice.provider}:{choice.model}" for choice in choices)
            raise InvalidInputError(
                f"The model of the brainlet {name} can't be asked here.",
                pointer=f"/brainlets/{name}",
                suggestion=f"Choose one of these (provider:model): {there_are}.",
            )


def _check_names(kind: str, names: Sequence[str]) -> None:
    """Raise `InvalidInputError` for two custom fields of one name, and for the name of a field that all teams have."""
    reserved = reserved_names(kind, app.services.tools.specs(), list(RECORD_TYPES[kind].model_fields))
    for place, name in enumerate(names):
        if name in reserved or name in names[:place]:
            reason = "is a field that all teams have" if name in reserved else "is there twice"
            raise InvalidInputError(
                f"{name!r} {reason}.", pointer=f"/customFields/{kind}/{place}/name", suggestion="Use another name."
            )


def _editor() -> ProfileEditor:
    services = app.services
    return ProfileEditor(services.entries, services.tenant_profiles, services.audit, services.clock)


def _profile(principal: Principal, stored: StoredProfile) -> ProfileJson:
    profile = profile_of(lambda _: stored.body, principal.tenant)
    return ProfileJson(
        assistant_name=profile.assistant_name or app.services.settings.assistant_name,
        labels=dict(profile.labels),
        values=values_json(app.services.team_values(principal.tenant)),
        custom_fields=custom_fields_json(app.services.custom_fields(principal.tenant)),
        user=principal.user,
        name=principal.name,
        roles=sorted(principal.roles),
        modules=sorted(principal.modules),
        is_admin=principal.is_admin,
        # Left out for others: what is not asked about, and by whom, is for admins to know.
        admin=_admin(principal, profile, stored) if principal.is_admin else None,
    )


def _admin(principal: Principal, profile: TenantProfile, stored: StoredProfile) -> ProfileAdminJson:
    crm = stored.body.get("crm")
    connection = connection_json(str(crm["crm"]), app.services.sync_state(principal.tenant)) if crm else None
    plan = app.services.tenant_plans.of(principal.tenant)
    return admin_json(profile, plan, stored.body, stored.version, connection)


handler = app.resolve
