"""Paths in a CRM's JSON: expressions that read (JMESPath, with functions for texts), and places that are written.

A place is names parted by dots. A name may be followed by `[0]`, an item of a list by its number, or by
`[?key=='value']`, the item that has this member: `custom[?key=='region'].value`.
"""

import re
from collections.abc import Iterator
from functools import lru_cache
from typing import Any

import jmespath  # type: ignore[import-untyped]
from jmespath.exceptions import JMESPathError  # type: ignore[import-untyped]
from jmespath.functions import Functions, signature  # type: ignore[import-untyped]
from msgspec import Struct

_TEXT = {"types": ["string", "number", "null"]}
_NAME = r'(?:[^."\s\[\]]+|"[^"]+")'
_MEMBER = r"""\?(?P<key>\w+|"[^"]+")\s*==\s*(?:'(?P<text>[^']*)'|`(?P<number>-?\d+)`)"""
_STEP = rf"(?P<name>{_NAME})(?:\[(?:(?P<index>\d{{1,2}})|{_MEMBER})\])?"
_UNNAMED_STEP = re.sub(r"\?P<\w+>", "?:", _STEP)
PLACE = rf"{_UNNAMED_STEP}(?:\.{_UNNAMED_STEP})*"
"""A regular expression of places."""


class _Functions(Functions):  # type: ignore[misc]
    """JMESPath's functions, and five for texts as in JMESPath Community (jmespath.site). Of null each makes null.

    `starts_with`, `ends_with` and `contains` of null are false: CRMs leave out what is empty.
    """

    @signature(_TEXT, {"types": ["string"]})  # type: ignore[untyped-decorator]
    def _func_split(self, text: Any, separator: str) -> list[str] | None:
        return None if text is None else str(text).split(separator or None)

    @signature(_TEXT, {"types": ["string"]}, {"types": ["string"]})  # type: ignore[untyped-decorator]
    def _func_replace(self, text: Any, old: str, new: str) -> str | None:
        return None if text is None else str(text).replace(old, new)

    @signature(_TEXT)  # type: ignore[untyped-decorator]
    def _func_trim(self, text: Any) -> str | None:
        return None if text is None else str(text).strip()

    @signature(_TEXT)  # type: ignore[untyped-decorator]
    def _func_lower(self, text: Any) -> str | None:
        return None if text is None else str(text).lower()

    @signature(_TEXT)  # type: ignore[untyped-decorator]
    def _func_upper(self, text: Any) -> str | None:
        return None if text is None else str(text).upper()

    @signature(_TEXT, {"types": ["string"]})  # type: ignore[untyped-decorator]
    def _func_starts_with(self, text: Any, start: str) -> bool:
        return text is not None and str(text).startswith(start)

    @signature(_TEXT, {"types": ["string"]})  # type: ignore[untyped-decorator]
    def _func_ends_with(self, text: Any, end: str) -> bool:
        return text is not None and str(text).endswith(end)

    @signature({"types": ["array", "string", "null"]}, {"types": []})  # type: ignore[untyped-decorator]
    def _func_contains(self, subject: Any, part: Any) -> bool:
        return subject is not None and (str(part) if isinstance(subject, str) else part) in subject


_OPTIONS = jmespath.Options(custom_functions=_Functions())


class Expression:
    """A JMESPath expression that is ready to search."""

    def __init__(self, text: str) -> None:
        """Parse the text. Raises ValueError with the reason, also for a function that does not exist."""
        self._text = text
        try:
            self._parsed = jmespath.compile(text)
        except JMESPathError as error:
            raise ValueError(f"{text!r} is no JMESPath: {str(error).splitlines()[0]}") from None
        standard = {name for name, function in Functions.FUNCTION_TABLE.items() if function}
        names = standard | set(_Functions.FUNCTION_TABLE)
        for name in _functions_in(self._parsed.parsed):
            if name not in names:
                raise ValueError(f"{text!r}: there is no function {name}(). There are {', '.join(sorted(names))}.")

    def search(self, value: Any) -> Any:
        """Return what the expression picks; None where nothing is. Raises ValueError for a value it can't work on."""
        try:
            return self._parsed.search(value, options=_OPTIONS)
        except JMESPathError as error:
            raise ValueError(f"{self._text!r}: {str(error).splitlines()[0]}") from None


def _functions_in(node: Any) -> Iterator[str]:
    if node["type"] == "function_expression":
        yield str(node["value"])
    for child in node["children"]:
        yield from _functions_in(child) if isinstance(child, dict) else ()


@lru_cache(maxsize=4096)
def compiled(text: str) -> Expression:
    """Return the expression, parsed once. Raises ValueError with the reason."""
    return Expression(text)


class Step(Struct, frozen=True):
    """A step of a place: a member's `name`, and which item of its list is meant, by `index` or by a member."""

    name: str
    index: int | None = None
    key: str | None = None
    value: str | int | None = None


@lru_cache(maxsize=4096)
def steps_of(place: str) -> list[Step]:
    """Return the steps of a place such as `address.city`; a name in quotes has its dots: `"custom.cf_1"`."""
    steps: list[Step] = []
    for match in re.finditer(_STEP, place):
        value = int(match["number"]) if match["number"] else match["text"]
        key = match["key"].strip('"') if match["key"] else None
        steps.append(Step(match["name"].strip('"'), int(match["index"]) if match["index"] else None, key, value))
    return steps


def put_at(body: dict[str, Any], place: str, value: Any) -> None:
    """Put a value at a place, and make what is on the way to it. Two values in items of one list share the list."""
    # Objects and lists on the way are made; what is there already stays.
    *outer, last = steps_of(place)
    for step in outer:
        body = _inner(body, step)
    if last.index is None and last.key is None:
        body[last.name] = value
        return
    items = _list_at(body, last.name)
    items[_index(items, last)] = value


def _inner(body: dict[str, Any], step: Step) -> dict[str, Any]:
    if step.index is None and step.key is None:
        if not isinstance(body.get(step.name), dict):
            body[step.name] = {}
        inner: dict[str, Any] = body[step.name]
        return inner
    items = _list_at(body, step.name)
    index = _index(items, step)
    if not isinstance(items[index], dict):
        items[index] = {}
    item: dict[str, Any] = items[index]
    return item


def _list_at(body: dict[str, Any], name: str) -> list[Any]:
    if not isinstance(body.get(name), list):
        body[name] = []
    items: list[Any] = body[name]
    return items


def _index(items: list[Any], step: Step) -> int:
    """Return the index of the item that a step means, which is added where the list does not have it."""
    if step.key is None:
        index = step.index or 0
        items += [None] * (index + 1 - len(items))
        return index
    for index, item in enumerate(items):
        if isinstance(item, dict) and str(item.get(step.key)) == str(step.value):
            return index
    items.append({step.key: step.value})
    return len(items) - 1
