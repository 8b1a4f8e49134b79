"""The command that prints an access token."""

import argparse
from datetime import UTC, datetime

from infra.local.server.keys import TokenSigner


def token(options: argparse.Namespace) -> None:
    """Print a token and nothing else."""
    print(TokenSigner(options.folder).user_token(options.user, options.tenant, datetime.now(UTC)))
