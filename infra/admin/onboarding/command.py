"""Set up a tenant at a deployed stack.

Without --apply the command prints what it would do, and changes nothing. It takes only the steps that are missing: the
same command again does nothing, one with another plan changes the plan.
"""

import argparse

from aisha.adapters.clock import SystemClock
from aisha.adapters.dynamodb.entries import DynamoDBEntryRepository
from aisha.adapters.llm.provider import providers
from aisha.application.tenants.plans import PLAN_NAMES
from aisha.application.tooling import discover
from infra.admin.onboarding.setup import TenantSetup, parse_access, parse_labels, parse_trust
from infra.admin.onboarding.stack import DeployedStack
from infra.admin.onboarding.steps import missing_steps


def add_arguments(parser: argparse.ArgumentParser, _command: str = "onboard") -> None:
    parser.add_argument("--tenant", required=True, help="as the tokens name it")
    parser.add_argument("--plan", required=True, help=" or ".join(PLAN_NAMES))
    parser.add_argument("--stack", default="aisha")
    parser.add_argument("--region", default="us-east-1")
    parser.add_argument("--assistant-name", help="the name of the tenant's assistant")
    parser.add_argument("--labels", default="", help="the tenant's own terms: lead=Prospect,account=Client")
    parser.add_argument("--users", default="", help="roles and modules: alice:admin:leads,contacts;bob:member:leads")
    parser.add_argument("--user-per-minute", type=int, help="requests, instead of the plan's limit")
    parser.add_argument("--tenant-per-hour", type=int, help="requests, instead of the plan's limit")
    parser.add_argument("--budget-usd", type=float, help="for models in a month, instead of the plan's budget")
    parser.add_argument("--provider", help=f"use only this provider's models: {', '.join(providers())}")
    parser.add_argument("--mask-contacts", choices=("1", "0"), help="mask addresses and phone numbers for models")
    parser.add_argument("--trust", default="", help="tools, by roles, without questions: create_note;update_lead=admin")
    parser.add_argument("--apply", action="store_true", help="make the changes")


def _setup(options: argparse.Namespace) -> TenantSetup:
    limits = {name: getattr(options, name) for name in ("user_per_minute", "tenant_per_hour", "budget_usd")}
    return TenantSetup(
        tenant=options.tenant,
        plan=options.plan,
        assistant_name=options.assistant_name,
        labels=parse_labels(options.labels),
        access=parse_access(options.users),
        provider=options.provider,
        limits={name: value for name, value in limits.items() if value is not None},
        trust=parse_trust(options.trust),
        mask_contacts=None if options.mask_contacts is None else options.mask_contacts == "1",
    )


def run(options: argparse.Namespace) -> None:
    """Onboard the tenant of the command line. Raises `OnboardingError`, `AishaError`."""
    onboard(_setup(options), DeployedStack(options.stack, options.region), apply=options.apply)


def onboard(setup: TenantSetup, stack: DeployedStack, *, apply: bool) -> None:
    """Print each missing step, and take it if `apply`. Raises `OnboardingError`, `AishaError`."""
    # Before the first step: a misspelt tool or module must not leave half a tenant behind.
    specs = discover("aisha.tools").specs()
    setup.check({spec.module for spec in specs if spec.module}, {spec.name for spec in specs})
    entries = DynamoDBEntryRepository(stack.entries_table(), SystemClock(), region=stack.region)
    steps = missing_steps(setup, entries, stack)
    print(f"Tenant {setup.tenant}, plan {setup.plan}, at the stack {stack.name} in {stack.region}:")
    for step in steps:
        if apply:
            step.run()
        print(f"  {'done' if apply else 'would'}: {step.description}")
    if not steps:
        print("  nothing to do: everything is set up already.")
    elif not apply:
        print("Nothing was changed. Add APPLY=1 (--apply) to make the changes.")
