"""Play a conversation on new demo data, answer its questions for a yes, and judge each turn."""

import json
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from time import perf_counter
from typing import Any

from msgspec import Struct

from aisha.application.tooling import ToolRegistry
from aisha.domain.errors import AishaError
from tests.answers.judge import WRONG_WRITE, Played, Problem, asked_needlessly, differences, judge, mail_sent
from tests.fakes.systems.mail import RecordingMailSender
from tests.support.dialogue.conversations import NOW, Stage, conversations, flaws, play
from tests.support.product_tools import product_tools

VOICES = Path(__file__).parent / "voices"
PARTS = ("open", "closed")
MOST_QUESTIONS = 5
"""Questions for a yes that the player answers in one turn."""


class Task(Struct, frozen=True):
    """A conversation to play. `voice` is its file's name, `perturbation` how its first message was changed, if so."""

    voice: str
    conversation: dict[str, Any]
    perturbation: str = ""

    @property
    def is_open(self) -> bool:
        return self.voice.startswith("open_")


class TurnOutcome(Struct, frozen=True):
    """A judged turn. `milliseconds` are those of its requests; `transcript` is what was said, replied and called."""

    problems: list[Problem]
    asked: bool
    asked_needlessly: bool
    milliseconds: list[float]
    transcript: str


class Outcome(Struct, frozen=True):
    """A judged conversation."""

    task: Task
    turns: list[TurnOutcome]

    @property
    def is_held(self) -> bool:
        return not any(turn.problems for turn in self.turns)

    @property
    def writes_wrong_unasked(self) -> bool:
        """True when a turn writes something wrong that the assistant did not ask about."""
        return any(not turn.asked and any(one.kind == WRONG_WRITE for one in turn.problems) for turn in self.turns)

    def has(self, kind: str) -> bool:
        """Return whether a turn has a problem of this kind."""
        return any(problem.kind == kind for turn in self.turns for problem in turn.problems)


def read_tasks(part: str, voices: set[str], categories: set[str]) -> Iterator[Task]:
    """Yield the conversations of a part: open, closed or all. Empty sets leave out nothing."""
    for file in sorted(VOICES.glob("*.jsonl"), key=lambda path: (path.stem.startswith("closed_"), path.stem)):
        file_part, _, voice = file.stem.partition("_")
        if part not in (file_part, "all") or (voices and not voices & {voice, file.stem}):
            continue
        for conversation in conversations(file):
            if not categories or conversation["category"] in categories:
                yield Task(file.stem, conversation)


@cache
def _registry() -> ToolRegistry:
    return product_tools()


def warm_up() -> None:
    """Load what the first turn of a process loads, which is no part of a turn's time."""
    Stage(_registry(), NOW).say("Who is Jack Russel?")


def is_held(conversation: dict[str, Any]) -> bool:
    """Return whether a conversation of the regression set goes as it says."""
    try:
        return not any(play(conversation, _registry(), NOW))
    except AishaError:
        return False


def play_replies(conversation: dict[str, Any]) -> list[str]:
    """Return the replies to the messages of a conversation, whatever they should have been."""
    user, tenant = conversation.get("user", "alice"), conversation.get("tenant", "demo")
    stage, said, replies = Stage(_registry(), NOW, user, tenant), None, list[str]()
    for turn in conversation["turns"]:
        try:
            answer = stage.say(turn["say"], said)
        except AishaError:
            return replies
        said = answer["conversationId"]
        replies.append(answer["response"])
    return replies


def play_task(task: Task) -> Outcome:
    """Play and judge a conversation. An error of a turn is one of its problems."""
    conversation, sender = task.conversation, RecordingMailSender()
    user, tenant = conversation.get("user", "alice"), conversation.get("tenant", "demo")
    player = _Player(Stage(_registry(), NOW, user, tenant, mail=sender), sender)
    return Outcome(task, [player.play(turn, conversation["category"]) for turn in conversation["turns"]])


class _Player:
    """The user of one conversation."""

    def __init__(self, stage: Stage, sender: RecordingMailSender) -> None:
        self._stage = stage
        self._sender = sender
        self._conversation_id: str | None = None

    def play(self, turn: dict[str, Any], category: str) -> TurnOutcome:
        """Say the words of a turn, and yes to its questions where changes are expected, and judge the sum."""
        stage, expected, message = self._stage, turn.get("expect", {}), turn["say"]
        tenant, zone = stage.principal.tenant, stage.principal.tzinfo
        before, mails = stage.records.snapshot(tenant), len(self._sender.sent)
        played, milliseconds, calls = Played(message), list[float](), list[str]()
        for _ in range(1 + MOST_QUESTIONS):
            started = perf_counter()
            answer = self._say(message, played)
            milliseconds.append(1000 * (perf_counter() - started))
            calls += [f"{call['name']} {call['status']} {json.dumps(call['arguments'])}" for call in _calls(answer)]
            if not (expected.get("changes") and _is_yes_or_no(answer)):
                break
            message = "yes"
        after = stage.records.snapshot(tenant)
        played.records = [*after.values(), *before.values()]
        played.changes = differences(before, after, zone) + [mail_sent(mail) for mail in self._sender.sent[mails:]]
        transcript = f"said: {turn['say']}\n  reply: {played.reply}\n  calls: {'; '.join(calls)}"
        problems = judge(expected, played, category)
        return TurnOutcome(problems, played.asked, asked_needlessly(expected, played), milliseconds, transcript)

    def _say(self, text: str, played: Played) -> dict[str, Any]:
        """Send a message, add the answer to `played` and return it; empty after an error."""
        try:
            answer = self._stage.say(text, self._conversation_id)
        except Exception as error:  # Any error of the assistant is a failure of this turn, not of the evaluation.
            played.status = "failed"
            played.flaws.append(f"{type(error).__name__}: {error}")
            return {}
        self._conversation_id = answer["conversationId"]
        played.reply = f"{played.reply}\n{answer['response']}".strip()
        played.status = answer["status"]
        played.asked |= answer["status"] == "needs_confirmation"
        played.called += [call["name"] for call in _calls(answer) if call["status"] in ("executed", "failed")]
        played.flaws += flaws(answer)
        return answer


def _calls(answer: dict[str, Any]) -> list[dict[str, Any]]:
    calls: list[dict[str, Any]] = answer.get("toolCalls", [])
    return calls


def _is_yes_or_no(answer: dict[str, Any]) -> bool:
    waiting = answer.get("confirmation") or {}
    return answer.get("status") == "needs_confirmation" and waiting.get("confirmationType", "yes_no") == "yes_no"
