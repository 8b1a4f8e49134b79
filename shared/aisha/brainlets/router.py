"""A brainlet that chooses the tools that a message may need, so that not all of them are sent (K-055, C-X8)."""

import json
from collections.abc import Mapping
from typing import Any

from aisha.application.turn.brainlets.spec import BrainletOptions, BrainletView, brainlet
from aisha.application.turn.brainlets.tool_ranking import rank_tools
from aisha.application.turn.rounds.prompt_request import describe_briefly
from aisha.domain.errors import ModelNotSetUpError, ModelUnavailableError

SYSTEM = """You choose tools for an assistant in a CRM. Answer with one JSON object {"tools": [names]}: the names of the
listed tools that the user's message may need, at most 8, none when it needs none. Only names of the list.

Tools:
"""


@brainlet(
    stage="pre", capability="router", options=BrainletOptions(max_completion_tokens=200, temperature=0.0, seconds=3.0)
)
def router(outputs: Mapping[str, Any], turn: BrainletView) -> None:
    """Ask a cheap model for the tools that the message needs; without one, rank them by the message's words."""
    # The router sees the message alone. It can say that no tool is needed only if the message refers to nothing else.
    may_need_none = turn.begins_conversation
    tools = {**turn.unrouted, **turn.routed} if may_need_none else turn.routed
    descriptions = "\n".join(f"- {name}: {describe_briefly(spec)}" for name, spec in tools.items())
    if not descriptions:
        turn.attach_tools(())
        return
    try:
        answer = json.loads(turn.ask(SYSTEM + descriptions, turn.text, json_mode=True))
        names = answer["tools"]
        if not isinstance(names, list) or not all(isinstance(name, str) for name in names):
            raise ValueError("no list of names")
        if may_need_none and not names:
            turn.send_no_tools()
    except ModelNotSetUpError:
        names = rank_tools(turn.text, list(turn.routed.values()))
    except (ModelUnavailableError, ValueError, KeyError, TypeError):
        # A router that fails or says something else must not cost the user a tool, so all of them are sent.
        names = list(turn.routed)
    turn.attach_tools(names)
