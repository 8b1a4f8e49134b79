"""Scans: analyses of the tenant's pipeline, run on a schedule or on demand. One file each, found by themselves.

A scan reads what the user may see, a bounded number of records, and leaves exactly one event behind when it ends.
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
