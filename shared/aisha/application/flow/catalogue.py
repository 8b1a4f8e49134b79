"""What a plan may be made of: the user's tools, and the named flows as if they were tools."""

import importlib
import pkgutil
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from typing import Any

from msgspec.structs import replace

from aisha.application.flow import named
from aisha.application.flow.dry_run import Rehearsal
from aisha.application.flow.example_matching import Phrase, matched
from aisha.application.flow.steps import REFERENCE, Step, as_words, check_references, from_words, references
from aisha.application.knowledge import on_demand_context as more_info
from aisha.application.tooling import ToolRegistry
from aisha.application.tooling.execution import execute_gated
from aisha.application.tooling.registry import tools_of
from aisha.application.turn.state import TurnInput
from aisha.domain.errors import AishaError, InvalidInputError
from aisha.domain.tools import ToolSpec


@lru_cache(maxsize=1)
def named_flows() -> ToolRegistry:
    """Every flow of `aisha.application.flow.named`, one file each, as tools whose result is a list of steps."""
    found = []
    for info in sorted(pkgutil.iter_modules(named.__path__), key=lambda info: info.name):
        found += tools_of(importlib.import_module(f"{named.__name__}.{info.name}"), schemas=None)
    return ToolRegistry([replace(flow, spec=replace(flow.spec, toolkit="flows")) for flow in found])


def tools_for(turn_input: TurnInput) -> tuple[ToolSpec, ...]:
    """The tools that a plan may use."""
    return tuple(spec for spec in turn_input.tools if spec.name != more_info.NAME)


def flows_for(turn_input: TurnInput) -> tuple[ToolSpec, ...]:
    """The named flows whose module and tools the user may use."""
    return named_flows().permitted(turn_input.principal, turn_input.profile.rules)


def matched_flow(turn_input: TurnInput) -> list[Step] | None:
    """The flow that one of its examples finds in the user's words, after the steps that look up whom it is about."""
    for spec in flows_for(turn_input):
        for example in spec.examples:
            if (phrase := matched(example, turn_input.request.message, turn_input.now)) is not None:
                return list(_looked_up(spec, phrase))
    return None


def _looked_up(spec: ToolSpec, phrase: Phrase) -> Iterator[Step]:
    arguments: dict[str, Any] = dict(phrase.values)
    for kind, name in phrase.records.items():
        plural = "opportunities" if kind == "opportunity" else f"{kind}s"
        number = len(arguments) - len(phrase.values) + 1
        yield Step(number, f"search_{plural}", {"name_contains": name})
        arguments[f"{kind}_id"] = {REFERENCE: number, "path": "record.id"}
    yield Step(len(phrase.records) + 1, spec.name, arguments)


def expanded(turn_input: TurnInput, choices: Sequence[tuple[str, Mapping[str, Any]]]) -> list[Step]:
    """The choices as steps, each named flow replaced by its own.

    Raises `InvalidInputError` for a reference to no earlier choice, for a flow's wrong arguments, and for too many steps.
    """
    flows, last = named_flows(), {0: 0}
    steps: list[Step] = []
    for number, (name, raw) in enumerate(choices, 1):
        arguments = _renumbered(raw, last)
        spec = flows.spec(name)
        if spec is None:
            steps.append(Step(len(steps) + 1, name, arguments))
        else:
            steps += _of_flow(turn_input, spec, arguments, len(steps))
        last[number] = len(steps)
    most = turn_input.deps.limits.max_calls_per_round
    if len(steps) > most:
        raise InvalidInputError(f"{len(steps)} steps at once; at most {most} are run", suggestion="Ask for fewer.")
    check_references(steps)
    return steps


def _renumbered(value: Any, last: Mapping[int, int]) -> Any:
    if isinstance(value, Mapping):
        if REFERENCE in value:
            ((number, path),) = references(value)
            if number not in last:
                raise InvalidInputError(f"There is no step {number} before this one")
            return {REFERENCE: last[number], "path": path}
        return {name: _renumbered(item, last) for name, item in value.items()}
    return [_renumbered(item, last) for item in value] if isinstance(value, list) else value


def _of_flow(turn_input: TurnInput, spec: ToolSpec, arguments: Mapping[str, Any], before: int) -> list[Step]:
    """The flow's steps after `before` others. References go through its code as words, and come out as references."""
    call = named_flows().create_call(spec.name, as_words(arguments), Rehearsal(turn_input).context())
    execute_gated(call, turn_input.principal, turn_input.profile.rules, is_confirmed=True)
    if not call.result.ok:
        raise call.result.exception if isinstance(call.result.exception, AishaError) else InvalidInputError(spec.name)
    own = {number: number + before for number in range(len(call.result.value) + 1)}
    return [
        Step(
            before + place,
            item["tool"],
            from_words(_renumbered(item["arguments"], own)),
            flow=f"{spec.name}.{before + 1}",
        )
        for place, item in enumerate(call.result.value, 1)
    ]
