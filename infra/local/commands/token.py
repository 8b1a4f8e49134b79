"""The command that prints a token."""

import argparse
from datetime import UTC, datetime

from infra.local.server.keys import TokenSigner


def token(options: argparse.Namespace) -> None:
    """Prints a token and nothing else."""
    print(TokenSigner(options.folder).user_token(options.user, options.tenant, datetime.now(UTC)))
