"""Run the administration commands on a user's data and memory in the local server."""

import argparse

from infra.admin.data import print_result
from infra.local.commands.chat import client_of


def administer(options: argparse.Namespace) -> None:
    """Run the command that the command line names, and print its result."""
    with client_of(options) as client:
        counts = client.command(options.command)
    print_result(options.command, counts, options.tenant, options.user)
