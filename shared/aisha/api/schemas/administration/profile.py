"""Schemas of the tenant's assistant: name, persona, labels, rules, trust, and the plan's limits."""

from collections.abc import Mapping
from datetime import datetime
from typing import TYPE_CHECKING, Annotated, Any, Literal

from msgspec import to_builtins
from pydantic import ConfigDict, Field

from aisha.api.schemas.camel_model import CamelModel, StrictBody
from aisha.application.tenants.custom_fields import CustomFieldJson, declared_fields
from aisha.application.tenants.plans import Plan
from aisha.application.tenants.preferences import MAX_INSTRUCTION_LENGTH
from aisha.application.tenants.profile import MAX_PERSONA_LINES, BrainletSettings, TenantProfile
from aisha.application.tenants.profile_editing import ProfileChange
from aisha.domain.crm.custom_fields import MAX_FIELDS, CustomFields, CustomType
from aisha.domain.crm.team_values import Outcome, TeamValues, outcome_of, values_in_use

if TYPE_CHECKING:
    # Only a tenant with a connection needs it at a cold start.
    from aisha.application.connections.sync_state import SyncState

Line = Annotated[str, Field(min_length=1, max_length=MAX_INSTRUCTION_LENGTH, pattern=r"\S")]
Label = Annotated[str, Field(min_length=1, max_length=60, pattern=r"\S")]
Role = Annotated[str, Field(min_length=1, max_length=60, pattern=r"\S")]
VerdictName = Literal["allow", "ask", "deny"]
MAX_TOOLS = 500
MAX_ROLES = 50


class LimitsJson(CamelModel):
    """The limits of the tenant's plan."""

    user_per_minute: int
    tenant_per_hour: int
    budget_usd: float


class ConnectionStateJson(CamelModel):
    """The connection to the tenant's CRM.

    `phase` is `loading` until the first load is complete; `loaded` records were read so far. `error` says
    why the last reading failed, `problems` are the last records and fields that could not be read.
    """

    crm: str
    phase: Literal["loading", "ready"]
    loaded: int
    synced_at: datetime | None = None
    error: str | None = None
    problems: list[str]


class ProfileAdminJson(CamelModel):
    """The part for admins.

    `rules` are verdicts by tool, `roleRules` by tool and role; the strictest of all that apply holds. `trust` are the
    roles by tool, `*` for all, whose users are not asked about writes that their words do not order.
    `brainlets` are settings of the steps around an answer, such as mood and memory, by their names. `customFields` are
    those that the profile declares, as a change replaces them: without those that the tenant's CRM has. `connection` is
    null for tenants without a CRM of their own.
    """

    persona: list[str]
    rules: dict[str, VerdictName]
    role_rules: dict[str, dict[str, VerdictName]]
    trust: dict[str, list[str]]
    brainlets: dict[str, BrainletSettings]
    custom_fields: dict[str, list[CustomFieldJson]]
    connection: ConnectionStateJson | None = None
    plan: str
    provider: str | None = None
    masks_contacts: bool
    limits: LimitsJson
    version: int = Field(description="Send it with a change: it is refused if somebody else made one since.")


class ValueJson(CamelModel):
    """One value of a field: what the tenant calls it, and AiSHA's value that it counts as.

    `key` is what filters take. `outcome` is null where records have none.
    """

    key: str
    label: str
    counts_as: str
    outcome: Outcome | None = None


class ProfileJson(CamelModel):
    """The tenant's assistant as every user sees it; `labels` are the tenant's words by type of record.

    `values` are the values of stages, statuses and types in the tenant's own order, by `<type>.<field>`, e.g.
    `opportunity.stage`. A record whose CRM has a name of its own for its value has that label in `custom`, under the
    name of the field. `customFields` are the fields that the tenant has of its own, by type: their values are in
    `custom` of a record.
    """

    assistant_name: str
    labels: dict[str, str]
    values: dict[str, list[ValueJson]]
    custom_fields: dict[str, list[CustomFieldJson]]
    user: str
    name: str | None = None
    roles: list[str]
    modules: list[str]
    is_admin: bool
    admin: ProfileAdminJson | None = None


class ProfileBody(StrictBody):
    """The fields to replace: one that is left out stays, and an empty value removes the tenant's own."""

    # A misspelt field would be ignored, and the answer would look as if it had been changed.
    model_config = ConfigDict(extra="forbid")

    assistant_name: Annotated[str, Field(max_length=60)] | None = None
    persona: Annotated[list[Line], Field(max_length=MAX_PERSONA_LINES)] | None = None
    labels: Annotated[dict[str, Label], Field(max_length=20)] | None = None
    rules: Annotated[dict[str, VerdictName], Field(max_length=MAX_TOOLS)] | None = None
    role_rules: (
        Annotated[
            dict[str, Annotated[dict[Role, VerdictName], Field(min_length=1, max_length=MAX_ROLES)]],
            Field(max_length=MAX_TOOLS),
        ]
        | None
    ) = None
    trust: (
        Annotated[
            dict[str, Annotated[list[Role], Field(min_length=1, max_length=MAX_ROLES)]], Field(max_length=MAX_TOOLS)
        ]
        | None
    ) = None
    brainlets: Annotated[dict[str, BrainletSettings], Field(max_length=50)] | None = None
    custom_fields: (
        Annotated[
            dict[CustomType, Annotated[list[CustomFieldJson], Field(max_length=MAX_FIELDS)]],
            Field(description="Fields of records that the team has of its own, by type of record."),
        ]
        | None
    ) = None
    version: Annotated[int, Field(ge=0)]


def change_of(body: ProfileBody) -> ProfileChange:
    """Return the change that a body asks for."""
    # Only what was sent: an option that is left out keeps the default of the release.
    brainlets = {name: options.model_dump(exclude_none=True) for name, options in (body.brainlets or {}).items()}
    own_fields = (body.custom_fields or {}).items()
    fields = {str(kind): [field.model_dump() for field in values] for kind, values in own_fields if values}
    return ProfileChange(
        body.assistant_name,
        body.persona,
        body.labels,
        body.rules,
        body.role_rules,
        body.trust,
        brainlets=None if body.brainlets is None else brainlets,
        custom_fields=None if body.custom_fields is None else fields,
    )


def values_json(team_values: TeamValues) -> dict[str, list[ValueJson]]:
    """Return the values of stages, statuses and types by `<type>.<field>`: the tenant's own, or AiSHA's."""
    return {
        place: [ValueJson.from_attributes(value, outcome=outcome_of(place, value)) for value in values]
        for place, values in values_in_use(team_values).items()
    }


def custom_fields_json(fields: CustomFields) -> dict[str, list[CustomFieldJson]]:
    """Return the tenant's own fields by type of record."""
    return {
        kind: [CustomFieldJson.model_validate(to_builtins(field)) for field in fields_of_kind]
        for kind, fields_of_kind in fields.items()
    }


def connection_json(crm: str, state: "SyncState | None") -> ConnectionStateJson:
    """Return the state of a tenant's connection; one that was not read yet is at the beginning of its first load."""
    if state is None:
        return ConnectionStateJson(crm=crm, phase="loading", loaded=0, problems=[])
    return ConnectionStateJson.from_attributes(state, crm=crm, phase="ready" if state.synced_at else "loading")


def admin_json(
    profile: TenantProfile, plan: Plan, body: Mapping[str, Any], version: int, connection: ConnectionStateJson | None
) -> ProfileAdminJson:
    """Return what admins see of a profile besides what all users see."""
    return ProfileAdminJson(
        persona=list(profile.persona),
        rules=dict(profile.rules),
        role_rules={tool: dict(verdicts) for tool, verdicts in profile.role_rules.items()},
        trust={tool: sorted(roles) for tool, roles in profile.trust.items() if roles},
        brainlets=dict(profile.brainlets),
        custom_fields=custom_fields_json(declared_fields(body)),
        connection=connection,
        plan=plan.name,
        provider=plan.provider,
        masks_contacts=bool(body.get("mask_contacts")),
        limits=LimitsJson.from_attributes(plan.rates, budget_usd=plan.budget_usd),
        version=version,
    )
