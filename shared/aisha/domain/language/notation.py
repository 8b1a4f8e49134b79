"""Spell out what is written like a form: "Lead Ann Lee: source = trade_show", "Contact Bo Ek: phone, job title"."""

import re
from collections.abc import Sequence

from aisha.domain.language import lexicon

_FORM = re.compile(
    r"\s{0,9}(?:(?P<kind>[A-Za-z]{4,12})\s{1,3})?[\"“]?(?P<name>[A-Z][^\n:;=\"“”]{1,80})[\"”]?\s{0,3}[:–—]\s{1,3}(?P<rest>[^\n]{1,400})"
)
"""A record's name with what is said of it after a colon, as a whole message."""
_ASSIGNED = re.compile(r"(?P<field>[^=:>]{2,40}?)\s{0,3}(?:=|:|\s[^=:>]{1,60}->|->)\s{0,3}(?P<value>[^=]{1,200})")
"""A field with its value, or with its old value and the new one: "type vendor -> partner"."""
_LINKED = frozenset(("type", "contact", "account", "company"))
"""Words that are asked of a record in the place of a field."""
_UNDERSCORE = re.compile(r"(?<=[a-z])_(?=[a-z])")


def spelled_out(message: str) -> list[str]:
    """Return the sentences that a message stands for which is a form; the message itself if it is none.

    Fields without values are a question, and fields with a sign between them and their values orders.
    """
    plain = message if "@" in message or "/" in message else _UNDERSCORE.sub(" ", message)
    form = _FORM.fullmatch(plain)
    kind = (form["kind"] or "") if form is not None else ""
    if form is None or not (kind == "" or lexicon.kind_of(kind.lower()) in lexicon.KINDS):
        return [plain]
    name, rest = form["name"].strip(), form["rest"].strip().rstrip(" .!?")
    named = f"{kind.lower()} {name}".strip()
    if _are_fields(fields := [part.strip() for part in re.split(r",|;|\band\b", rest)], _LINKED):
        return [f"What are the {', '.join(fields[:-1])} and {fields[-1]} of {named}?".replace("are the  and", "is the")]
    assigned = [_ASSIGNED.fullmatch(part.strip()) for part in rest.split(";")]
    pairs = [(one["field"].strip(), one["value"].strip()) for one in assigned if one is not None]
    if len(pairs) < len(assigned) or not _are_fields([field for field, _ in pairs]):
        return [plain]
    return [f"Set the {field} of {named} to {value}." for field, value in pairs]


def _are_fields(texts: Sequence[str], also: frozenset[str] = frozenset(("type",))) -> bool:
    return all(lexicon.is_field(one) or one in also for one in (text.lower().removeprefix("the ") for text in texts))
