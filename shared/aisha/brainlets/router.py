"""A brainlet that chooses the tools that a message may need, so that not all of them are sent (K-055, C-X8)."""

from collections.abc import Mapping, Sequence
from typing import Any

from aisha.application.turn.brainlets.spec import BrainletOptions, BrainletView, brainlet
from aisha.application.turn.brainlets.tool_ranking import rank_tools
from aisha.application.turn.rounds.prompt_request import describe_briefly
from aisha.domain.crm.records import RECORD_TYPES
from aisha.domain.errors import ModelNotSetUpError, ModelUnavailableError
from aisha.domain.json_values import finite_json
from aisha.domain.tools import ToolSpec

SYSTEM = """You choose tools for an assistant in a CRM. Answer with one JSON object {"tools": [names]}: the names of the
listed tools that the user's message may need, at most 8, none when it needs none. Only names of the list. For a record
that the message names, add the search that finds it.

Tools:
"""


@brainlet(
    stage="pre", capability="router", options=BrainletOptions(max_completion_tokens=200, temperature=0.0, seconds=3.0)
)
def router(outputs: Mapping[str, Any], turn: BrainletView) -> None:
    """Ask a cheap model for the tools that the message needs; without one, rank them by the message's words."""
    # The router sees the message alone. Its choice can only be complete if the message refers to nothing else.
    chooses_all = turn.begins_conversation
    tools = {**turn.unrouted, **turn.routed} if chooses_all else turn.routed
    descriptions = "\n".join(f"- {name}: {describe_briefly(spec)}" for name, spec in tools.items())
    if not descriptions:
        turn.attach_tools(())
        return
    try:
        answer = finite_json(turn.ask(SYSTEM + descriptions, turn.text, json_mode=True))
        names = answer["tools"]
        if not isinstance(names, list) or not all(isinstance(name, str) for name in names):
            raise ValueError("no list of names")
        if chooses_all:
            turn.send_only_tools(_with_finders(names, tools))
            return
    except ModelNotSetUpError:
        names = rank_tools(turn.text, list(turn.routed.values()))
    except (ModelUnavailableError, ValueError, KeyError, TypeError):
        # A router that fails or says something else must not cost the user a tool, so all of them are sent.
        names = list(turn.routed)
    turn.attach_tools(names)


def _with_finders(names: Sequence[str], tools: Mapping[str, ToolSpec]) -> Sequence[str]:
    """Return the names of tools, with what finds the records whose ids they need if none of them does.

    Raises ValueError when there are names, but of no tool.
    """
    chosen = [tools[name] for name in names if name in tools]
    if names and not chosen:
        raise ValueError("no name of a tool")
    ids = {name.removesuffix("_id") for spec in chosen for name in spec.required if name.endswith("_id")}
    # An id that is of no one type, such as `entity_id`, may be of each type that has a search.
    modules = [kind.MODULE for name, kind in RECORD_TYPES.items() if name in ids or ids - RECORD_TYPES.keys()]
    finders = [name for module in modules for name in (f"search_{module}", f"list_{module}") if name in tools]
    return names if {*finders} & {*names} else [*names, *finders]
