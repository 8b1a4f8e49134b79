"""Verify a tenant's audit log."""

import argparse
from os import environ

from aisha.adapters.dynamodb.audit import DynamoDBAuditLog
from aisha.application.audit.chain import verify
from aisha.domain.audit import AuditHead
from aisha.domain.ports import AuditLog
from infra.admin.errors import AuditError


def add_arguments(parser: argparse.ArgumentParser, _command: str = "verify") -> None:
    parser.add_argument("--tenant", required=True)
    parser.add_argument("--table", required=True, help="the table of entries")
    add_known_argument(parser)


def add_known_argument(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--known", help="the log's end as an earlier check printed it: 42:<hash>")


def run(options: argparse.Namespace) -> None:
    """Verify the log in a table of the deployment. Raises `AuditError`."""
    log = DynamoDBAuditLog(options.table, region=environ.get("AWS_REGION", "us-east-1"))
    print_verification(log, options.tenant, options.known)


def print_verification(log: AuditLog, tenant: str, known_head: str | None) -> None:
    """Print whether the chain is intact. Raises `AuditError` when it is not, after printing its problems."""
    report = verify(log, tenant, _parse_head(known_head) if known_head else None)
    for problem in report.problems:
        print(problem)
    if report.problems:
        raise AuditError(f"The audit log of {tenant} was tampered with: {len(report.problems)} problem(s).")
    print(f"The audit log of {tenant} is intact: {report.entries} entries.")
    # Only a copy outside of the account shows that the whole chain was replaced.
    print(f"Keep this elsewhere, to check against later: KNOWN={report.head.sequence}:{report.head.hash}")


def _parse_head(text: str) -> AuditHead:
    number, _, digest = text.partition(":")
    if not number.isdecimal() or len(digest) != len(AuditHead().hash):
        raise AuditError(f"{text} is no end of a log. It looks like 42:<64 hex digits>, as an earlier check gave it.")
    return AuditHead(int(number), digest)
