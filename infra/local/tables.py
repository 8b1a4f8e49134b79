"""The tables of a server on this machine, by the names that its functions and commands share."""

from typing import NamedTuple

REGION = "us-east-1"


class Tables(NamedTuple):
    """The names of the tables."""

    records: str = "aisha-records"
    conversations: str = "aisha-conversations"
    entries: str = "aisha-entries"


TABLES = Tables()
