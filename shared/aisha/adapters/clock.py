"""The machine's clock."""

from datetime import UTC, datetime


class SystemClock:
    """`Clock` by the operating system."""

    def now(self) -> datetime:
        """The instant, aware, in UTC."""
        return datetime.now(UTC)
