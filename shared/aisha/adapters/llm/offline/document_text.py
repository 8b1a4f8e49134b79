"""Words for documents and passages of them: a title, and the text that is the answer."""

from collections.abc import Mapping
from typing import Any

from aisha.adapters.llm.offline.phrasing import listed

_TEXTS = ("passage", "text")
_BESIDE = frozenset(("id", "title", "description", "score"))
"""What a document has that need not be said; something with more to it is no document."""


def passages(value: Any) -> str | None:
    """The text under its title; of several the first, and the titles of the others. None for anything else."""
    items = value.get("items") if isinstance(value, Mapping) else None
    if not isinstance(items, list):
        return _titled(value)
    if not items or any(_titled(item) is None for item in items):
        return None
    more = listed([f"**{item['title']}**" for item in items[1:]])
    return f"{_titled(items[0])}\n\nMore on this: {more}." if more else _titled(items[0])


def _titled(value: Any) -> str | None:
    if not isinstance(value, Mapping) or not isinstance(value.get("title"), str):
        return None
    rest = value.keys() - _BESIDE
    text = value[name] if len(rest) == 1 and (name := next(iter(rest))) in _TEXTS else None
    return f"**{value['title']}**\n\n{text.strip()}" if isinstance(text, str) and text.strip() else None
