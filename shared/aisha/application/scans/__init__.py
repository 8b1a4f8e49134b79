"""Scans: analyses of a tenant's pipeline, run on a schedule or on demand.

Every module of this package may define scans; `scans()` discovers them. A scan reads a bounded number of records that
the user may see, and writes exactly one event when it ends.
"""

from aisha.application.scans.contract import Finding, ScanReport, ScanSpec, scan
from aisha.application.scans.log import PastScan, latest_by_type, past_scans
from aisha.application.scans.reader import ScanReader
from aisha.application.scans.running import run, scans, specs

__all__ = [
    "Finding",
    "PastScan",
    "ScanReader",
    "ScanReport",
    "ScanSpec",
    "latest_by_type",
    "past_scans",
    "run",
    "scan",
    "scans",
    "specs",
]
