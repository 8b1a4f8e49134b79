"""Sets a tenant up at a deployed stack. usage: python -m infra.onboarding.cli --tenant acme --plan standard [--apply]

Without --apply it prints what it would do, and changes nothing. What is so already is left as it is: the same command
again does nothing, one with another plan changes the plan.
"""

import argparse
import sys
from collections.abc import Sequence

from aisha.adapters.clock import SystemClock
from aisha.adapters.dynamodb.entries import DynamoDBEntryRepository
from aisha.application.tenants.plans import PLAN_NAMES
from aisha.application.tooling import discover
from aisha.domain.errors import AishaError
from aisha.domain.providers import PROVIDERS
from infra.onboarding.setup import OnboardingError, TenantSetup, access_of, labels_of
from infra.onboarding.stack import DeployedStack
from infra.onboarding.steps import steps_for


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="onboard", description=(__doc__ or "").partition("usage")[0])
    parser.add_argument("--tenant", required=True, help="as the tokens name it")
    parser.add_argument("--plan", required=True, help=" or ".join(PLAN_NAMES))
    parser.add_argument("--stack", default="aisha")
    parser.add_argument("--region", default="us-east-1")
    parser.add_argument("--assistant-name", help="what the tenant's assistant is called")
    parser.add_argument("--labels", default="", help="the tenant's words: lead=Prospect,account=Client")
    parser.add_argument("--users", default="", help="roles and modules: alice:admin:leads,contacts;bob:member:leads")
    parser.add_argument("--user-per-minute", type=int, help="requests, where the plan's do not do")
    parser.add_argument("--tenant-per-hour", type=int, help="requests, where the plan's do not do")
    parser.add_argument("--budget-usd", type=float, help="for models in a month, where the plan's does not do")
    parser.add_argument("--provider", help=f"whose models alone it is served with: {', '.join(PROVIDERS)}")
    parser.add_argument(
        "--mask-contacts", choices=("1", "0"), help="whether models see addresses and phone numbers masked"
    )
    parser.add_argument("--apply", action="store_true", help="do it")
    return parser


def _setup(options: argparse.Namespace) -> TenantSetup:
    limits = {name: getattr(options, name) for name in ("user_per_minute", "tenant_per_hour", "budget_usd")}
    return TenantSetup(
        tenant=options.tenant,
        plan=options.plan,
        assistant_name=options.assistant_name,
        labels=labels_of(options.labels),
        access=access_of(options.users),
        provider=options.provider,
        limits={name: value for name, value in limits.items() if value is not None},
        mask_contacts=None if options.mask_contacts is None else options.mask_contacts == "1",
    )


def main(arguments: Sequence[str] | None = None) -> int:
    options = _parser().parse_args(arguments)
    try:
        onboard(_setup(options), DeployedStack(options.stack, options.region), apply=options.apply)
    except (OnboardingError, AishaError) as error:
        print(f"error: {error}", file=sys.stderr)
        return 1
    return 0


def onboard(setup: TenantSetup, stack: DeployedStack, *, apply: bool) -> None:
    """Prints each step, and takes it with `apply`. Raises `OnboardingError`, `AishaError`."""
    setup.check({spec.module for spec in discover("aisha.tools").specs() if spec.module})
    entries = DynamoDBEntryRepository(stack.entries_table(), SystemClock(), region=stack.region)
    steps = steps_for(setup, entries, stack)
    print(f"Tenant {setup.tenant}, plan {setup.plan}, at the stack {stack.name} in {stack.region}:")
    for step in steps:
        if apply:
            step.run()
        print(f"  {'done' if apply else 'would'}: {step.does}")
    if not steps:
        print("  nothing to do: everything is so already.")
    elif not apply:
        print("Nothing was changed. Say APPLY=1 (--apply) to do it.")


if __name__ == "__main__":
    sys.exit(main())
