"""Tool specs as the JSON of a request's `tools`."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from aisha.domain.json_values import compact_json
from aisha.domain.tools import ToolSpec


class ToolsJson:
    """Writes specs with `tool`, which returns a spec as the API's tool; caches each text and that of the last request.

    `mark` has members for the last tool of a request.
    """

    def __init__(self, tool: Callable[[ToolSpec], Mapping[str, Any]], mark: Mapping[str, Any] | None = None) -> None:
        self._tool, self._mark = tool, f",{compact_json(mark)[1:]}" if mark else "}"
        self._texts: dict[str, tuple[ToolSpec, str]] = {}
        self._last: tuple[Sequence[ToolSpec], str] = ((), "[]")

    def of(self, specs: Sequence[ToolSpec]) -> str:
        # The rounds of a turn mostly send the same specs, so that comparing them compares identities.
        last, text = self._last
        if last != specs:
            text = f"[{','.join([self._text(spec) for spec in specs])[:-1]}{self._mark}]"
            self._last = specs, text
        return text

    def _text(self, spec: ToolSpec) -> str:
        entry = self._texts.get(spec.name)
        if entry is None or entry[0] is not spec:
            entry = self._texts[spec.name] = (spec, compact_json(self._tool(spec)))
        return entry[1]
