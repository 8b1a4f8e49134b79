"""The shapes of ids: `<kind>_<ULID>` for records, entries and conversations; confirmations add another `.<ULID>`."""

import re

ULID_SYMBOL = "[0-9A-HJKMNP-TV-Z]"
ULID = f"{ULID_SYMBOL}{{26}}"
"""A ULID in Crockford's base 32, as a regular expression."""
RECORD_KINDS = ("lead", "contact", "account", "opportunity", "activity", "note", "goal", "event")
ENTRY_KINDS = ("memory", "reminder", "instruction", "receipt", "notification", "suggestion")
CONVERSATION_KINDS = ("conv", "conf", "msg")
KINDS = (*RECORD_KINDS, *ENTRY_KINDS, *CONVERSATION_KINDS)

ID = re.compile(rf"[a-z]{{2,20}}_{ULID}")
KNOWN_ID = re.compile(rf"(?:{'|'.join(KINDS)})_{ULID}", re.IGNORECASE)
CONVERSATION_ID = re.compile(rf"conv_{ULID}", re.IGNORECASE)
CONFIRMATION_ID = re.compile(rf"conf_({ULID})\.{ULID}")
"""Its group is the ULID of the conversation."""


def record_kind_of(text: str) -> str | None:
    """Return the record type of a record's id; None for any other text."""
    kind, _, rest = text.partition("_")
    return kind if kind in RECORD_KINDS and len(rest) == 26 else None
