"""A chat in the terminal: tool calls, answers and follow-ups."""

import json
import re
import sys
from collections.abc import Callable
from contextlib import nullcontext
from typing import Any

from rich.console import Console
from rich.markdown import Markdown
from rich.text import Text

from infra.local.commands.client import ApiClient
from infra.local.errors import RequestFailedError

MARKS = {"executed": ("✓", "green"), "pending": ("…", "yellow"), "failed": ("✗", "red")}
YES = {"y", "yes"}
NO = {"n", "no"}
LEAVE = {"/quit", "/exit", "/q"}
HELP = "Ask anything. A number takes a suggestion, /new starts a new conversation, /quit leaves."
# Control characters except tab and newline.
_CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f]")


def show_turn(console: Console, turn: dict[str, Any]) -> None:
    """Print a chat response: tool calls with their arguments, the answer as Markdown, numbered follow-ups."""
    for call in turn.get("toolCalls", ()):
        console.print(_format_call(call), soft_wrap=True)
    answer = _clean(turn.get("response") or "")
    console.print()
    # When piped, the answer stays Markdown.
    console.print(Markdown(answer) if console.is_terminal else Text(answer), soft_wrap=not console.is_terminal)
    for warning in turn.get("warnings", ()):
        console.print(Text(f"! {_clean(str(warning))}", "yellow"), soft_wrap=True)
    console.print()
    for number, item in enumerate(turn.get("followUps", ()), 1):
        console.print(Text(f"  {number}. {item.get('icon', '')} {_clean(item['text'])}", "cyan"), soft_wrap=True)


def show_details(console: Console, turn: dict[str, Any]) -> None:
    """Print the details of a turn: results, model, timing, the prompt's size by section."""
    console.print()
    for call in turn.get("toolCalls", ()):
        result = json.dumps(call.get("result") or call.get("error"), ensure_ascii=False)
        console.print(Text(f"{call['name']} -> {_clean(result)[:600]}", "dim"), soft_wrap=True)
    for name in ("sources", "insights", "nextSteps", "recommendedScans"):
        if turn.get(name):
            console.print(
                Text(f"{name}: {_clean(json.dumps(turn[name], ensure_ascii=False))[:600]}", "dim"), soft_wrap=True
            )
    timing = ", ".join(f"{name} {value:.0f}" for name, value in turn.get("timing", {}).items())
    summary = f"{turn.get('provider')}/{turn.get('model')}, {turn.get('iterations')} model calls, {timing}"
    console.print(Text(summary, "dim"), soft_wrap=True)
    sizes = turn.get("usage", {}).get("promptTokens", {})
    for name, tokens in sizes.items():
        console.print(Text(f"  {name:<22}{tokens:>7} tokens, estimated", "dim"), soft_wrap=True)
    console.print(Text(f"  {'together':<22}{sum(sizes.values()):>7}", "dim"), soft_wrap=True)


def show_error(console: Console, error: Exception) -> None:
    """Print an error in one line."""
    console.print(Text(f"error: {_clean(str(error))}", "red"), soft_wrap=True)


class TerminalChat:
    """A conversation. `read_line` gives the user's next line and raises EOFError at the end, as `input` does."""

    def __init__(self, client: ApiClient, console: Console, read_line: Callable[[str], str] = input) -> None:
        self._client, self._console, self._read = client, console, read_line
        self._is_piped = not sys.stdin.isatty()
        self._start_over()

    def run(self) -> None:
        """Chat until the user leaves; an error ends a turn, not the chat."""
        self._console.print(Text(HELP, "dim"), soft_wrap=True)
        while (line := self._next_line()) is not None:
            if line == "/new":
                self._start_over()
                self._console.print(Text("A new conversation.", "dim"))
            elif line.startswith("/"):
                self._console.print(Text(HELP, "dim"), soft_wrap=True)
            elif line:
                self._run_turn(line)

    def _start_over(self) -> None:
        self._conversation: str | None = None
        self._follow_ups: list[dict[str, Any]] = []
        self._confirmation: str | None = None

    def _next_line(self) -> str | None:
        prompt = "yes/no> " if self._confirmation else "> "
        try:
            line = self._read("" if self._is_piped else prompt).strip()
        except (EOFError, KeyboardInterrupt):
            return None
        if self._is_piped and line:
            self._console.print(Text(f"\n{prompt}{line}"), soft_wrap=True)
        return None if line in LEAVE else line

    def _run_turn(self, line: str) -> None:
        if line.isdecimal() and 0 < int(line) <= len(self._follow_ups):
            line = self._follow_ups[int(line) - 1]["text"]
            self._console.print(Text(line, "cyan"), soft_wrap=True)
        try:
            with self._console.status("thinking") if self._console.is_terminal else nullcontext():
                turn = self._answer(line)
        except RequestFailedError as error:
            show_error(self._console, error)
            return
        except KeyboardInterrupt:
            self._console.print(Text("Stopped waiting.", "dim"))
            return
        self._conversation = turn.get("conversationId") or self._conversation
        self._follow_ups = turn.get("followUps", [])
        self._confirmation = (turn.get("confirmation") or {}).get("id")
        show_turn(self._console, turn)

    def _answer(self, line: str) -> dict[str, Any]:
        word = line.lower().rstrip(".!")
        if self._confirmation and word in YES | NO:
            return self._client.decide(self._confirmation, approve=word in YES)
        return self._client.chat(line, self._conversation)


def _format_call(call: dict[str, Any]) -> Text:
    status = call["status"]
    mark, style = MARKS.get(status, ("–", "yellow"))
    arguments = ", ".join(
        f"{name}={json.dumps(value, ensure_ascii=False)}" for name, value in call["arguments"].items()
    )
    line = Text(f"{mark} ", style)
    line.append(f"{call['name']}({_clean(arguments)})", "bold")
    line.append(f"  {status}: {_clean(call.get('description') or '')}  {call.get('durationMs') or 0:.0f} ms", "dim")
    return line


def _clean(text: str) -> str:
    """Return the text without control characters: a record must not control the terminal."""
    return _CONTROL.sub("", text)
