"""The building blocks of a plan: the user's tools, and the named flows, which are specified like tools."""

from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from typing import Any

from msgspec.structs import replace

from aisha.application.flow import named
from aisha.application.flow.execution.dry_run import DryRun
from aisha.application.flow.planning.example_matching import Phrase, match_example
from aisha.application.flow.steps import (
    Step,
    check_references,
    decode_references,
    encode_references,
    reference_to,
    with_references,
)
from aisha.application.knowledge import on_demand_context as more_info
from aisha.application.tooling import ToolRegistry
from aisha.application.tooling.discovery import tools_of
from aisha.application.tooling.gate.execution import execute_gated
from aisha.application.turn.state import TurnInput
from aisha.domain.discovery import modules_in
from aisha.domain.errors import AishaError, InvalidInputError
from aisha.domain.tools import ToolSpec


@lru_cache(maxsize=1)
def named_flows() -> ToolRegistry:
    """Return the flows of all modules of `aisha.application.flow.named`, as tools whose result is a list of steps."""
    flows = [flow for module in modules_in(named) for flow in tools_of(module, schemas=None)]
    return ToolRegistry([replace(flow, spec=replace(flow.spec, toolkit="flows")) for flow in flows])


def tools_for(turn_input: TurnInput) -> tuple[ToolSpec, ...]:
    """Return the tools that a plan may use."""
    return tuple(spec for spec in turn_input.tools if spec.name != more_info.NAME)


def flows_for(turn_input: TurnInput) -> tuple[ToolSpec, ...]:
    """Return the named flows whose module and tools the user may use."""
    return named_flows().permitted(turn_input.principal, turn_input.rules)


def match_flow(turn_input: TurnInput) -> list[Step] | None:
    """Return the flow with an example that matches the message, after searches for the records that it names."""
    for spec in flows_for(turn_input):
        for example in spec.examples:
            if (phrase := match_example(example, turn_input.request.message, turn_input.now)) is not None:
                return list(_steps_of_phrase(spec, phrase))
    return None


def _steps_of_phrase(spec: ToolSpec, phrase: Phrase) -> Iterator[Step]:
    arguments: dict[str, Any] = dict(phrase.values)
    for kind, name in phrase.records.items():
        plural = "opportunities" if kind == "opportunity" else f"{kind}s"
        number = len(arguments) - len(phrase.values) + 1
        yield Step(number, f"search_{plural}", {"name_contains": name})
        arguments[f"{kind}_id"] = reference_to(number, "record.id")
    yield Step(len(phrase.records) + 1, spec.name, arguments)


def expand_flows(turn_input: TurnInput, choices: Sequence[tuple[str, Mapping[str, Any]]]) -> list[Step]:
    """Return the choices as steps, with each named flow replaced by its own steps.

    Raises `InvalidInputError` for a reference to anything but an earlier choice, for wrong arguments of a flow, and for
    too many steps.
    """
    flows, last = named_flows(), {0: 0}
    steps: list[Step] = []
    for number, (name, raw) in enumerate(choices, 1):
        arguments = _renumber(raw, last)
        spec = flows.spec(name)
        if spec is None:
            steps.append(Step(len(steps) + 1, name, arguments))
        else:
            steps += _steps_of_flow(turn_input, spec, arguments, len(steps))
        # A reference to a flow means its last step.
        last[number] = len(steps)
    max_steps = turn_input.deps.limits.max_calls_per_round
    if len(steps) > max_steps:
        raise InvalidInputError(f"{len(steps)} steps at once; at most {max_steps} are run", suggestion="Ask for fewer.")
    check_references(steps)
    return steps


def _renumber(value: Any, numbers: Mapping[int, int]) -> Any:
    """Replace the step numbers in references. Raises `InvalidInputError` for a number that is not in `numbers`."""

    def renumbered(number: int, path: str) -> dict[str, Any]:
        if number not in numbers:
            raise InvalidInputError(f"There is no step {number} before this one")
        return reference_to(numbers[number], path)

    return with_references(value, renumbered)


def _steps_of_flow(turn_input: TurnInput, spec: ToolSpec, arguments: Mapping[str, Any], before: int) -> list[Step]:
    """Return the flow's steps, numbered after `before` others."""
    # A flow's parameters are texts, so references pass through its code as words.
    call = named_flows().create_call(spec.name, encode_references(arguments), DryRun(turn_input).context())
    execute_gated(call, turn_input.principal, turn_input.rules, is_confirmed=True)
    if not call.result.ok:
        raise call.result.exception if isinstance(call.result.exception, AishaError) else InvalidInputError(spec.name)
    # Renumbers the flow's own references only. Those of its arguments are still encoded, and have the plan's numbers
    # already.
    numbers = {number: number + before for number in range(len(call.result.value) + 1)}
    return [
        Step(
            before + place,
            item["tool"],
            decode_references(_renumber(item["arguments"], numbers)),
            flow=f"{spec.name}.{before + 1}",
        )
        for place, item in enumerate(call.result.value, 1)
    ]
