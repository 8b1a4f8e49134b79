"""The machine's clock."""

from datetime import UTC, datetime


class SystemClock:
    """A `Clock` by the operating system."""

    def now(self) -> datetime:
        """Return the current instant, aware, in UTC."""
        return datetime.now(UTC)
