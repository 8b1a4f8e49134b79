"""How much CPU a turn takes beside a hand-written loop on the openai SDK that does the same work.

Both ask the same fake provider in another process, send prompts and tools of the same size, get the same three streamed
answers and call the same four tool functions on the same records. Ours is the whole turn, from the request's bytes to
the response's. They take turns in one run; the figure is the ratio of the medians of this process's CPU time.
"""

import argparse
import json
import sys
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from statistics import median

from openai import OpenAI
from pydantic_core import to_json

from aisha.adapters.llm.openai_chat import OpenAIChatModel
from aisha.application.brainlets import Brainlets, discover_brainlets
from aisha.application.deps import TurnDependencies, TurnLimits
from aisha.application.requests import parse_chat_request
from aisha.application.tooling import ToolRegistry
from aisha.application.tooling.context import make_context
from aisha.application.turn import run_turn
from aisha.domain.models import ModelEvent, ModelFinished, ModelRequest
from aisha.renderers.json_response import render
from bench.plain_loop import PlainLoop
from bench.world import ALICE, QUESTION, REPLY, TOOLS, filled_records, model_server, registry
from tests.fakes.in_memory import FixedClock, InMemoryConversationRepository, in_memory_ports

ASKING_NOBODY = Brainlets([one for one in discover_brainlets("aisha.brainlets").ordered if one.capability is None])
"""The brainlets that ask no model: both sides make the same three calls."""
MODEL = "gpt-4o"
KEY = "sk-none"
MOST = 0.5
"""The project's bound for the ratio."""


def our_turn(url: str, tools: ToolRegistry) -> Callable[[], str]:
    """One call is one turn of the product."""
    clock = FixedClock()
    deps = TurnDependencies(
        model=OpenAIChatModel(KEY, url, MODEL),
        registry=tools,
        ports=in_memory_ports(clock, filled_records(clock)),
        conversations=InMemoryConversationRepository(),
        limits=TurnLimits(),
        workers=ThreadPoolExecutor(4),
        brainlets=ASKING_NOBODY,
    )
    body = json.dumps({"message": QUESTION}).encode()

    def turn() -> str:
        request = parse_chat_request(body, 256 * 1024, 8000)
        answer = render(run_turn(request, ALICE, deps), "req-1")
        to_json(answer)
        return str(answer["response"])

    return turn


def plain_turn(url: str, tools: ToolRegistry) -> Callable[[], str]:
    """One call is the hand-written loop's way through the same question."""
    clock = FixedClock()
    ports = in_memory_ports(clock, filled_records(clock))

    def call(name: str, **arguments: object) -> str:
        function = tools.get_tool(name)
        assert function is not None
        context = make_context(ALICE, ports, "")
        return to_json(function(context=context, **arguments), exclude_none=True).decode()

    functions = {name: partial(call, name) for name in TOOLS}
    client = OpenAI(api_key=KEY, base_url=url)
    loop = PlainLoop(client, MODEL, tools.get_openai_tools("api"), functions)
    return partial(loop.run, prompt_of(tools), QUESTION)


class _Overheard:
    """A model that keeps what it is asked."""

    system = ""

    def stream(self, request: ModelRequest) -> Iterator[ModelEvent]:
        self.system = request.messages[0].content
        yield ModelFinished("none", "none")


def prompt_of(tools: ToolRegistry) -> str:
    """The system prompt that the product writes for the question."""
    clock, model = FixedClock(), _Overheard()
    with ThreadPoolExecutor(1) as workers:
        ports = in_memory_ports(clock, filled_records(clock))
        deps = TurnDependencies(model, tools, ports, InMemoryConversationRepository(), TurnLimits(), workers)
        request = parse_chat_request(json.dumps({"message": QUESTION}).encode(), 256 * 1024, 8000)
        list(run_turn(request, ALICE, deps))
    return model.system


def cpu_milliseconds(turn: Callable[[], str]) -> float:
    """What one turn takes; checks that it did its work."""
    start = time.process_time()
    reply = turn()
    spent = time.process_time() - start
    if reply != REPLY:
        raise RuntimeError(f"another reply than the scripted one: {reply!r}")
    return spent * 1000


def measured(only_called: bool, turns: int, warm_up: int, pause: float) -> dict[str, float | int | str]:
    """Both sides in turn, `turns` times after `warm_up`."""
    with model_server(pause) as url:
        tools = registry(only_called)
        ours, plain = our_turn(url, tools), plain_turn(url, tools)
        for _ in range(warm_up):
            ours(), plain()
        pairs = [(cpu_milliseconds(ours), cpu_milliseconds(plain)) for _ in range(turns)]
    mine, theirs = (median(times) for times in zip(*pairs, strict=True))
    return {
        "tools_sent": len(tools.specs()),
        "turns": turns,
        "ours_ms": round(mine, 3),
        "plain_ms": round(theirs, 3),
        "ratio": round(mine / theirs, 3),
    }


def main() -> int:
    """Prints the figures; 1 when a ratio is over the bound."""
    arguments = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    arguments.add_argument("--turns", type=int, default=100)
    arguments.add_argument("--warm-up", type=int, default=15)
    arguments.add_argument("--pause", type=float, default=0.0, help="seconds between the pieces of an answer")
    given = arguments.parse_args()
    results = [measured(only, given.turns, given.warm_up, given.pause) for only in (True, False)]
    for result in results:
        print(
            f"{result['tools_sent']} tools sent: a turn takes {result['ours_ms']} ms of CPU, the plain loop "
            f"{result['plain_ms']} ms: ratio {result['ratio']} (at most {MOST})"
        )
    passed = all(float(result["ratio"]) <= MOST for result in results)
    print(json.dumps({"bench": "turn_cpu", "bound": MOST, "passed": passed, "results": results}))
    return 0 if passed else 1


if __name__ == "__main__":
    sys.exit(main())
