"""Verify a tenant's audit log in the local data."""

import argparse
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

from aisha.adapters.dynamodb.audit import DynamoDBAuditLog
from infra.admin.audit import print_verification
from infra.local.aws_fakes.aws_credentials_guard import without_real_accounts
from infra.local.aws_fakes.embedded import SNAPSHOT, EmbeddedAWS
from infra.local.errors import LocalError
from infra.local.tables import REGION, TABLES


def verify(options: argparse.Namespace) -> None:
    """Print whether the chain is intact. Raises `AuditError` when it is not."""
    with _open_log(options) as log:
        print_verification(log, options.tenant, options.known)


@contextmanager
def _open_log(options: argparse.Namespace) -> Iterator[DynamoDBAuditLog]:
    if options.services == "real":
        with without_real_accounts():
            endpoint = f"http://127.0.0.1:{options.dynamodb_port}"
            yield DynamoDBAuditLog(TABLES.entries, region=REGION, endpoint=endpoint)
    else:
        with _copy_tables(options.folder / "data") as folder, EmbeddedAWS(folder):
            yield DynamoDBAuditLog(TABLES.entries, region=REGION)


@contextmanager
def _copy_tables(folder: Path) -> Iterator[Path]:
    """Copy the stored tables: a running server has locked their folder, and writes them shortly after each change."""
    tables = folder / SNAPSHOT
    if not tables.exists():
        raise LocalError(f"There is no data in {folder} yet. Start with: make run")
    with TemporaryDirectory() as copy:
        shutil.copyfile(tables, Path(copy) / SNAPSHOT)
        yield Path(copy)
