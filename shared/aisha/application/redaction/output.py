"""Remove ids, images, scripts and HTML from what the user reads, whoever wrote it and whatever renders it."""

from collections.abc import Mapping

from aisha.application.redaction.id_filter import IdFilter
from aisha.application.redaction.safe_text import SafeText, inert_text, safe_text


class OutputFilter:
    """Cleans one text that comes in pieces. `names` as for `IdFilter`."""

    def __init__(self, names: Mapping[str, str]) -> None:
        # Safe again after the ids: a name may be an image, and where an id was, parts of a link may meet.
        self._before, self._ids, self._after = SafeText(), IdFilter(names), SafeText()

    def feed(self, piece: str) -> str:
        """Return the text that can be shown now; it may be empty."""
        clean = self._ids.feed(self._before.feed(piece))
        return self._after.feed(clean) if clean else ""

    def flush(self) -> str:
        """Return the text that is still held back."""
        rest = self._ids.feed(self._before.flush()) + self._ids.flush()
        return self._after.feed(rest) + self._after.flush()


def clean(text: str, names: Mapping[str, str]) -> str:
    """Return a whole text as the user may read it."""
    return safe_text(IdFilter(names).whole(safe_text(text)))


def shown_whole(text: str, names: Mapping[str, str]) -> str:
    """Return a text that the user must see whole, such as an email to confirm: without ids, and with all else."""
    return inert_text(IdFilter(names).whole(text))
