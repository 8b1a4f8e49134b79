"""The command that checks a tenant's audit log, wherever it is kept."""

import argparse
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from os import environ
from pathlib import Path
from tempfile import TemporaryDirectory

from aisha.adapters.dynamodb.audit import DynamoDBAuditLog
from aisha.application.audit.chain import verify as verify_chain
from aisha.domain.audit import AuditHead
from infra.local.aws_fakes.aws_credentials_guard import no_account
from infra.local.aws_fakes.embedded import REGION, EmbeddedAWS
from infra.local.errors import LocalError
from infra.local.server.stores import TABLES

_SNAPSHOT = "tables.json"


def verify(options: argparse.Namespace) -> None:
    """Says whether the chain is whole. Raises `LocalError` when it is not, with what is wrong."""
    known = _known(options.known) if options.known else None
    with _log(options) as log:
        report = verify_chain(log, options.tenant, known)
    for problem in report.problems:
        print(problem)
    if report.problems:
        raise LocalError(f"The audit log of {options.tenant} was tampered with: {len(report.problems)} problem(s).")
    print(f"The audit log of {options.tenant} is whole: {report.entries} entries.")
    print(f"Keep this elsewhere, to check against later: KNOWN={report.head.sequence}:{report.head.hash}")


@contextmanager
def _log(options: argparse.Namespace) -> Iterator[DynamoDBAuditLog]:
    """In AWS when a table is named, in DynamoDB Local when that is asked for, else what the local server keeps."""
    if options.table:
        yield DynamoDBAuditLog(options.table, region=environ.get("AWS_REGION", REGION))
    elif options.services == "real":
        with no_account():
            yield DynamoDBAuditLog(TABLES[2], region=REGION, endpoint=f"http://127.0.0.1:{options.dynamodb_port}")
    else:
        with _copy(options.folder / "data") as folder, EmbeddedAWS(folder):
            yield DynamoDBAuditLog(TABLES[2], region=REGION)


@contextmanager
def _copy(folder: Path) -> Iterator[Path]:
    """A copy of the kept tables: a server may be running on them, which writes them shortly after each change."""
    kept = folder / _SNAPSHOT
    if not kept.exists():
        raise LocalError(f"Nothing is kept in {folder} yet. Start with: make run")
    with TemporaryDirectory() as copy:
        shutil.copyfile(kept, Path(copy) / _SNAPSHOT)
        yield Path(copy)


def _known(text: str) -> AuditHead:
    """Raises `LocalError`."""
    number, _, sealed = text.partition(":")
    if not number.isdecimal() or len(sealed) != len(AuditHead().hash):
        raise LocalError(f"{text} is no end of a log. It looks like 42:<64 hex digits>, as an earlier check gave it.")
    return AuditHead(int(number), sealed)
