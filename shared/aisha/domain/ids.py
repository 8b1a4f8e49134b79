"""The shapes of ids: `<kind>_<ULID>` for records, entries and conversations; confirmations add another `.<ULID>`."""

import re
from collections.abc import Iterator
from datetime import datetime
from string import ascii_lowercase
from threading import Lock

from ulid import ULID as Ulid

ULID_SYMBOL = "[0-9A-HJKMNP-TV-Z]"
ULID_LENGTH = 26
ULID = f"{ULID_SYMBOL}{{{ULID_LENGTH}}}"
"""A ULID in Crockford's base 32, as a regular expression."""
RECORD_KINDS = ("lead", "contact", "account", "opportunity", "activity", "note", "goal", "event")
ENTRY_KINDS = ("memory", "reminder", "instruction", "receipt", "notification", "suggestion")
CONVERSATION_KINDS = ("conv", "conf", "msg")
KINDS = (*RECORD_KINDS, *ENTRY_KINDS, *CONVERSATION_KINDS)

MAX_KIND_LENGTH = 20
ID = re.compile(rf"[a-z]{{2,{MAX_KIND_LENGTH}}}_{ULID}")
# `re` looks behind by a fixed width only: two letters stand for the whole kind.
_ID_AFTER_KIND = re.compile(rf"_(?<=[a-z]{{2}}_){ULID}")
# In any case: models also copy ids in lower case.
KNOWN_ID = re.compile(rf"(?:{'|'.join(KINDS)})_{ULID}", re.IGNORECASE)
CONVERSATION_ID = re.compile(rf"conv_{ULID}", re.IGNORECASE)
CONFIRMATION_ID = re.compile(rf"conf_({ULID})\.{ULID}")
"""Its group is the ULID of the conversation."""


def ids_in(text: str) -> Iterator[str]:
    """Yield the ids in a text, as `ID` describes them."""
    # Looked for by the underscore: in a long text that is twenty times as fast as trying every letter.
    for match in _ID_AFTER_KIND.finditer(text):
        before = text[max(0, match.start() - MAX_KIND_LENGTH) : match.start()]
        yield before[len(before.rstrip(ascii_lowercase)) :] + match[0]


def record_kind_of(text: str) -> str | None:
    """Return the record type of a record's id; None for any other text."""
    kind, _, rest = text.partition("_")
    # By its length alone: this is asked of every text in every result.
    return kind if kind in RECORD_KINDS and len(rest) == ULID_LENGTH else None


class UlidSequence:
    """ULIDs of given times, each higher than the one before of the same millisecond, so that they sort as they came."""

    def __init__(self) -> None:
        self._last = 0
        self._lock = Lock()

    def next(self, now: datetime) -> str:
        """Return a new ULID of this time."""
        with self._lock:
            fresh = int(Ulid.from_datetime(now))
            # The time is in the upper 48 of 128 bits.
            self._last = self._last + 1 if fresh >> 80 == self._last >> 80 else fresh
            return str(Ulid.from_int(self._last))
