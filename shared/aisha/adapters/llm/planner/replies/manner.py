"""The modes of answering without a language model: brief answers are cut, coaching ones end with a question."""

import re

from aisha.adapters.llm.planner.state import Topic

MAX_SENTENCES, MAX_LINES = 2, 3
"""Sentences and lines of a list in a brief answer."""
_SENTENCE_END = re.compile(r"(?<=[.!?])\s+(?=[A-Z“\"*])")
_LIST_LINE = re.compile(r"\A\s*+(?:[-*]|\d+\.)\s")
_WHICH = "Which of these would change most today, and what keeps you from doing it first?"
_WHAT_NEXT = "What would {name} have to say or do for you to be sure of the next step?"


def in_mode(text: str, mode: str, topic: Topic) -> str:
    """Return an answer that asks nothing in the user's mode. `topic` has the records that it is about."""
    if mode == "brief":
        return _brief(text)
    if mode == "coach" and text and not text.rstrip().endswith("?"):
        return f"{text}\n\n{_question(topic)}" if topic.refs or topic.offers else text
    return text


def _brief(text: str) -> str:
    """Return the first two sentences, with the first three lines of the list that they introduce."""
    paragraphs = [one for one in text.split("\n\n") if one.strip()]
    shortened: list[str] = []
    for paragraph in paragraphs:
        lines = paragraph.splitlines()
        if all(_LIST_LINE.match(line) for line in lines):
            left = len(lines) - MAX_LINES
            shortened.append("\n".join([*lines[:MAX_LINES], *([f"… and {left} more"] if left > 0 else [])]))
            break
        shortened.append(" ".join(_SENTENCE_END.split(paragraph)[:MAX_SENTENCES]))
        if len(_SENTENCE_END.split(paragraph)) >= MAX_SENTENCES or len(shortened) == MAX_SENTENCES:
            break
    return "\n\n".join(shortened)


def _question(topic: Topic) -> str:
    if len(topic.offers) > 1 or len(topic.refs) != 1:
        return _WHICH
    return _WHAT_NEXT.format(name=topic.refs[0].name)
