from datetime import datetime
from zoneinfo import ZoneInfo

import pytest


@pytest.fixture
def now() -> datetime:
    """A Wednesday morning in New York."""
    return datetime(2026, 3, 4, 10, 0, tzinfo=ZoneInfo("America/New_York"))
