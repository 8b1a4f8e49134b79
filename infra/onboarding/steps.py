"""What has to be done for a tenant to be as it shall be, step by step; what is so already is no step."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any

from aisha.application.redaction.masking_model import MASK_CONTACTS
from aisha.application.tenants.access import access_of, grant
from aisha.domain.entries import PROFILE, Entry
from aisha.domain.ports import EntryRepository
from infra.onboarding.setup import TenantSetup, described
from infra.onboarding.stack import DeployedStack


@dataclass(frozen=True, slots=True)
class Step:
    """`does` is for people; `run` does it."""

    does: str
    run: Callable[[], object]


def steps_for(setup: TenantSetup, entries: EntryRepository, stack: DeployedStack) -> list[Step]:
    """In their order: the profile and the users first, so that whoever gets in meets both. Changes nothing yet."""
    return [*_profile(setup, entries), *_users(setup, entries), *_key(setup, stack)]


def _profile(setup: TenantSetup, entries: EntryRepository) -> list[Step]:
    known = entries.find(setup.tenant, None, PROFILE, PROFILE)
    before = dict(known.body) if known else {}
    after = _merged(before, setup)
    if after == before:
        return []
    changed = [f"{name} = {_shown(after[name])}" for name in after if after[name] != before.get(name)]
    does = f"{'change' if known else 'create'} the profile: {'; '.join(changed)}"
    return [Step(does, partial(_put_profile, entries, setup.tenant, after, known))]


def _merged(before: Mapping[str, Any], setup: TenantSetup) -> dict[str, Any]:
    """What is not said stays as it is."""
    after = {**before, "plan": setup.plan}
    if setup.assistant_name:
        after["assistant_name"] = setup.assistant_name
    if setup.provider:
        after["provider"] = setup.provider
    if setup.mask_contacts is not None:
        after[MASK_CONTACTS] = setup.mask_contacts
    for name, said in (("labels", setup.labels), ("limits", setup.limits)):
        if said:
            old = before.get(name)
            after[name] = {**(old if isinstance(old, Mapping) else {}), **said}
    return after


def _put_profile(entries: EntryRepository, tenant: str, body: Mapping[str, Any], known: Entry | None) -> None:
    version = known.version if known else 0
    entries.put(tenant, None, PROFILE, PROFILE, body, expected_version=version)


def _users(setup: TenantSetup, entries: EntryRepository) -> list[Step]:
    steps = []
    for user, access in setup.access.items():
        known = access_of(entries, setup.tenant, user)
        if (set(known.roles), set(known.modules)) == (set(access.roles), set(access.modules)):
            continue
        does = f"grant {user} the roles {described(access.roles)} and the modules {described(access.modules)}"
        steps.append(Step(does, partial(grant, entries, setup.tenant, user, access)))
    return steps


def _key(setup: TenantSetup, stack: DeployedStack) -> list[Step]:
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
    does = f"move the API key from {before} to {stack.name}-{setup.plan}"
    return [Step(does, partial(stack.move_key, key, setup.plan))]


def _shown(value: Any) -> str:
    if isinstance(value, Mapping):
        return ", ".join(f"{name}={one}" for name, one in value.items())
    return str(value)
