"""Walks through values of JSON: objects, lists, texts and numbers inside each other."""

from collections.abc import Callable, Iterator, Mapping
from typing import Any


def values_in(value: Any) -> Iterator[Any]:
    """Yield a value and then all that is in it, at any depth."""
    yield value
    if isinstance(value, Mapping):
        for member in value.values():
            yield from values_in(member)
    elif isinstance(value, list | tuple):
        for item in value:
            yield from values_in(item)


def texts_in(value: Any) -> Iterator[str]:
    """Yield the texts in a value, at any depth. Names of members are none of them."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, list | tuple):
        for item in value:
            yield from texts_in(item)
    # Nearly all are dicts, for which asking the abstract class would take most of the time here.
    elif type(value) is dict or isinstance(value, Mapping):
        for member in value.values():
            yield from texts_in(member)


def with_texts(value: Any, change: Callable[[str], Any]) -> Any:
    """Return a value with `change` applied to each text in it, at any depth, but not to names of members."""
    if isinstance(value, str):
        return change(value)
    if isinstance(value, Mapping):
        return {name: with_texts(member, change) for name, member in value.items()}
    return [with_texts(item, change) for item in value] if isinstance(value, list | tuple) else value


def without_none(**members: Any) -> dict[str, Any]:
    """Return an object of the members that are not None."""
    return {name: value for name, value in members.items() if value is not None}
