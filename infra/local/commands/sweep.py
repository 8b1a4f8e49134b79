"""The command that sweeps a tenant."""

import argparse

from infra.local.commands.chat import client_of


def sweep(options: argparse.Namespace) -> None:
    """Sweep a tenant's open records in the running server or in the stored tables, and print the findings."""
    with client_of(options) as client:
        swept = client.command("sweep")
    print(f"Swept tenant {options.tenant}: {swept['examined']} records looked at in {swept['pages']} pages.")
    for name, totals in swept["scans"].items():
        failed = f", {totals['failed_pages']} pages failed" if totals["failed_pages"] else ""
        print(f"  {name.replace('_', ' ')}: {totals['findings']} findings, {totals['new']} new{failed}")
    print(f"{swept['superseded']} suggestions are no longer needed; {swept['sent']} notifications were sent.")
    print("GET /api/ai/scan-briefing tells of it, GET /api/ai/suggestions what to do.")
