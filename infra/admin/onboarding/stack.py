"""A deployed stack: its table of entries, its usage plans and its tenants' API keys."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import boto3
from botocore.exceptions import BotoCoreError, ClientError

from aisha.adapters.auth.principal import usage_key
from aisha.application.tenants.plans import PLAN_NAMES
from infra.admin.errors import OnboardingError

PAGE_SIZE = 500
"""API Gateway's own limit."""


@dataclass(frozen=True, slots=True)
class ApiKey:
    """A tenant's API key. `plan` is the stack's usage plan that it belongs to, or None."""

    id: str
    plan: str | None


class DeployedStack:
    """A stack of this template in one region. Every method raises `OnboardingError`."""

    def __init__(self, name: str, region: str) -> None:
        self.name, self.region = name, region
        self._gateway: Any = boto3.client("apigateway", region_name=region)
        self._formation: Any = boto3.client("cloudformation", region_name=region)
        self._plans: Mapping[str, Any] | None = None

    def entries_table(self) -> str:
        """Return the table's name, from the stack's outputs."""
        stacks = self._call(lambda: self._formation.describe_stacks(StackName=self.name)["Stacks"])
        for output in stacks[0].get("Outputs", []):
            if output["OutputKey"] == "EntriesTableName":
                return str(output["OutputValue"])
        raise OnboardingError(f"The stack {self.name} has no table of entries. Is it one of this template?")

    def key_value(self, tenant: str) -> str:
        """Return the key's value, which the authorizer returns for the tenant's requests."""
        api, stage = self._stage()
        return usage_key(api, stage, tenant)

    def key(self, tenant: str) -> ApiKey | None:
        """Return the tenant's key with its plan, or None."""
        value = self.key_value(tenant)
        # Compared by value: names of keys are not unique.
        key = next((item for item in self._keys(tenant) if item.get("value") == value), None)
        if key is None:
            return None
        plans = self._call(lambda: list(self._pages("get_usage_plans", keyId=key["id"])))
        names = {plan["id"]: name for name, plan in self._usage_plans().items()}
        return ApiKey(key["id"], next((names[plan["id"]] for plan in plans if plan["id"] in names), None))

    def create_key(self, tenant: str, plan: str) -> None:
        """Create a key for the tenant in a plan."""
        value, tags = self.key_value(tenant), {"aisha:tenant": tenant, "aisha:stack": self.name}
        key = self._call(
            lambda: self._gateway.create_api_key(name=self._key_name(tenant), value=value, enabled=True, tags=tags)
        )
        self._add(key["id"], plan)

    def move_key(self, key: ApiKey, plan: str) -> None:
        """Move a key into another plan. For a moment in between, the tenant's requests are refused."""
        # A key can belong to only one usage plan of a stage, so it leaves the old one first.
        if key.plan:
            old = self._usage_plans()[key.plan]["id"]
            self._call(lambda: self._gateway.delete_usage_plan_key(usagePlanId=old, keyId=key.id))
        self._add(key.id, plan)

    def _add(self, key_id: str, plan: str) -> None:
        usage_plan = self._usage_plans()[plan]["id"]
        self._call(lambda: self._gateway.create_usage_plan_key(usagePlanId=usage_plan, keyId=key_id, keyType="API_KEY"))

    def _stage(self) -> tuple[str, str]:
        stages = next(iter(self._usage_plans().values())).get("apiStages") or []
        if len(stages) != 1:
            raise OnboardingError(f"The usage plans of {self.name} belong to {len(stages)} stages in place of one.")
        return stages[0]["apiId"], stages[0]["stage"]

    def _usage_plans(self) -> Mapping[str, Any]:
        if self._plans is None:
            names = {f"{self.name}-{plan}": plan for plan in PLAN_NAMES}
            listed = self._call(lambda: list(self._pages("get_usage_plans")))
            plans = {names[plan["name"]]: plan for plan in listed if plan["name"] in names}
            if missing := [plan for plan in PLAN_NAMES if plan not in plans]:
                raise OnboardingError(
                    f"There is no usage plan {self.name}-{missing[0]} in {self.region}. Deploy the stack first."
                )
            self._plans = plans
        return self._plans

    def _keys(self, tenant: str) -> list[Any]:
        name = self._key_name(tenant)
        return self._call(lambda: list(self._pages("get_api_keys", nameQuery=name, includeValues=True)))

    def _key_name(self, tenant: str) -> str:
        return f"{self.name}-{tenant}"

    def _pages(self, operation: str, **options: Any) -> Iterator[Any]:
        pages = self._gateway.get_paginator(operation).paginate(PaginationConfig={"PageSize": PAGE_SIZE}, **options)
        for page in pages:
            yield from page["items"]

    def _call[T](self, call: Callable[[], T]) -> T:
        try:
            return call()
        except (BotoCoreError, ClientError) as error:
            raise OnboardingError(f"AWS says: {error}") from error
