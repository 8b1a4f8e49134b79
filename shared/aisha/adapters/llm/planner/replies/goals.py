"""Format goals, and ask which one an order means."""

from collections.abc import Mapping, Sequence
from typing import Any

from aisha.domain.wording import humanise, join_names

GOAL_LIMITS = (
    "I can set a goal's status, its progress and how far a key result is, but not its target, its title or its "
    "deadline."
)


def goal_line(goal: Mapping[str, Any]) -> str:
    """Format a goal as `**Win six new customers** (in progress, 46% done)`."""
    progress = f", {goal['progress']}% done" if goal.get("progress") is not None else ""
    return f"**{goal.get('title', '')}** ({humanise(str(goal.get('status', '')))}{progress})"


def goal_updated(goal: Mapping[str, Any]) -> str:
    """Tell how far a goal is after a change."""
    status, progress = humanise(str(goal["status"])), goal["progress"]
    return f"I've updated the goal **{goal['title']}**: it is {status}, at **{progress}%**."


def _join_choices(names: Sequence[str]) -> str:
    """Join names to choose from: "A, B or C"."""
    return " or ".join([part for part in (", ".join(names[:-1]), *names[-1:]) if part])


def ask_goal(titles: Sequence[str]) -> str:
    """Ask which goal is meant."""
    return f"Which goal do you mean: {_join_choices([f'**{title}**' for title in titles])}?"


def no_goal(name: str, titles: Sequence[str]) -> str:
    """Say that there is no such goal, and which there are."""
    return f"There is no goal called “{name}”. There are {join_names([f'**{title}**' for title in titles])}."


def ask_part(goal: str, titles: Sequence[str]) -> str:
    """Ask which key result of a goal is meant."""
    parts = _join_choices([f"**{title}**" for title in titles]) or "its progress in percent"
    return f"Which part of **{goal}** do you mean: {parts}?"


def ask_result(result: Mapping[str, Any]) -> str:
    """Ask for the new value of a key result."""
    return f"What is **{result['title']}** at now? The target is {result['target']:g}."
