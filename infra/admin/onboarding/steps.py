"""The steps that are missing until a tenant has its setup."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any

from aisha.application.redaction.masking_model import MASK_CONTACTS
from aisha.application.tenants.access import access_of, grant
from aisha.domain.entries import PROFILE, Entry
from aisha.domain.ports import EntryRepository
from infra.admin.onboarding.setup import TenantSetup, join_names
from infra.admin.onboarding.stack import DeployedStack


@dataclass(frozen=True, slots=True)
class Step:
    """One change: `description` for people, and `run` to make it."""

    description: str
    run: Callable[[], object]


def missing_steps(setup: TenantSetup, entries: EntryRepository, stack: DeployedStack) -> list[Step]:
    """Return the steps in their order: the API key comes last, when profile and users are complete. Changes nothing."""
    return [*_profile_steps(setup, entries), *_user_steps(setup, entries), *_key_steps(setup, stack)]


def _profile_steps(setup: TenantSetup, entries: EntryRepository) -> list[Step]:
    stored = entries.find(setup.tenant, None, PROFILE, PROFILE)
    before = dict(stored.body) if stored else {}
    after = _merge_profile(before, setup)
    if after == before:
        return []
    changed = [f"{name} = {_format_value(after[name])}" for name in after if after[name] != before.get(name)]
    description = f"{'change' if stored else 'create'} the profile: {'; '.join(changed)}"
    return [Step(description, partial(_put_profile, entries, setup.tenant, after, stored))]


def _merge_profile(before: Mapping[str, Any], setup: TenantSetup) -> dict[str, Any]:
    """Return the profile with the values of the setup; others stay as they are."""
    after = {**before, "plan": setup.plan}
    if setup.assistant_name:
        after["assistant_name"] = setup.assistant_name
    if setup.provider:
        after["provider"] = setup.provider
    if setup.mask_contacts is not None:
        after[MASK_CONTACTS] = setup.mask_contacts
    trust = {tool: list(roles) for tool, roles in setup.trust.items()}
    for name, values in (("labels", setup.labels), ("limits", setup.limits), ("trust", trust)):
        if values:
            old = before.get(name)
            after[name] = {**(old if isinstance(old, Mapping) else {}), **values}
    return after


def _put_profile(entries: EntryRepository, tenant: str, body: Mapping[str, Any], stored: Entry | None) -> None:
    # What somebody else changed since it was read is not overwritten.
    version = stored.version if stored else 0
    entries.put(tenant, None, PROFILE, PROFILE, body, expected_version=version)


def _user_steps(setup: TenantSetup, entries: EntryRepository) -> list[Step]:
    steps = []
    for user, access in setup.access.items():
        stored = access_of(entries, setup.tenant, user)
        if (set(stored.roles), set(stored.modules)) == (set(access.roles), set(access.modules)):
            continue
        description = f"grant {user} the roles {join_names(access.roles)} and the modules {join_names(access.modules)}"
        steps.append(Step(description, partial(grant, entries, setup.tenant, user, access)))
    return steps


def _key_steps(setup: TenantSetup, stack: DeployedStack) -> list[Step]:
    key = stack.key(setup.tenant)
    if key is None:
        return [
            Step(
                f"create an API key in the usage plan {stack.name}-{setup.plan}",
                partial(stack.create_key, setup.tenant, setup.plan),
            )
        ]
    if key.plan == setup.plan:
        return []
    before = f"{stack.name}-{key.plan}" if key.plan else "no usage plan"
    description = f"move the API key from {before} to {stack.name}-{setup.plan}"
    return [Step(description, partial(stack.move_key, key, setup.plan))]


def _format_value(value: Any) -> str:
    if isinstance(value, Mapping):
        return ", ".join(f"{name}={one}" for name, one in value.items())
    return str(value)
