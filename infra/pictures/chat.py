"""Draw `chat.svg`, the README's picture of a chat with the demo data: `python -m infra.pictures.chat`."""

import re
import tempfile
from io import StringIO
from pathlib import Path

from rich.console import Console

from infra.local.commands.client import ApiClient
from infra.local.commands.terminal import show_turn
from infra.local.server.server import LocalServer

LINES = (
    "tell me about jack russell",
    "schedule a call with him tomorrow at 10",
    "what should I do next?",
)
PICTURE = Path(__file__).with_name("chat.svg")


def main() -> None:
    """Chat with `LINES` on new demo data, and save the output of a terminal of 110 columns."""
    console = Console(record=True, width=110, force_terminal=True, file=StringIO(), highlight=False)
    conversation = None
    with (
        tempfile.TemporaryDirectory() as folder,
        LocalServer(Path(folder)) as server,
        ApiClient(server.url, "alice", "demo") as client,
    ):
        for line in LINES:
            console.print(f"\n[bold magenta]>[/] {line}\n")
            turn = client.chat(line, conversation)
            conversation = turn["conversationId"]
            show_turn(console, turn)
    drawn = console.export_svg(title="make chat")
    # A picture in a README loads nothing from elsewhere: the viewer's own monospaced font does.
    PICTURE.write_text(re.sub(r"@font-face \{.*?\}\s*", "", drawn, flags=re.DOTALL), encoding="utf-8")


if __name__ == "__main__":
    main()
