"""Commands on the data of the local server, and the one that prints an access token."""

import argparse
from datetime import UTC, datetime

from infra.admin.data import print_result
from infra.local.commands.chat import client_of
from infra.local.server.keys import TokenSigner


def administer(options: argparse.Namespace) -> None:
    """Run the administration command that the command line names, and print its result."""
    with client_of(options) as client:
        counts = client.command(options.command)
    print_result(options.command, counts, options.tenant, options.user)


def reset(options: argparse.Namespace) -> None:
    """Restore the demo data, in the running server or in the stored tables."""
    with client_of(options) as client:
        client.reset()
    print("The demo data is as new; conversations are gone.")


def sweep(options: argparse.Namespace) -> None:
    """Sweep a tenant's open records in the running server or in the stored tables, and print the findings."""
    with client_of(options) as client:
        swept = client.command("sweep")
    print(f"Swept tenant {options.tenant}: {swept['examined']} records in {swept['pages']} pages.")
    for name, totals in swept["scans"].items():
        failed = f", {totals['failed_pages']} pages failed" if totals["failed_pages"] else ""
        print(f"  {name.replace('_', ' ')}: {totals['findings']} findings, {totals['new']} new{failed}")
    print(f"{swept['superseded']} suggestions are no longer needed; {swept['sent']} notifications were sent.")
    print("GET /api/ai/scan-briefing has a summary, GET /api/ai/suggestions what to do.")


def token(options: argparse.Namespace) -> None:
    """Print a token and nothing else."""
    print(TokenSigner(options.folder).user_token(options.user, options.tenant, datetime.now(UTC)))
