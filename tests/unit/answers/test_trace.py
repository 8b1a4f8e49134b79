"""The trace of the offline planner, which docs/planner.md shows."""

import re
from collections.abc import Iterable

from infra.generated import ROOT
from tests.answers.trace import trace


def told(lines: Iterable[str]) -> list[str]:
    """Return the steps and the answer: probabilities and look-ups may change with a training."""
    return [line for line in lines if line.startswith(("step:", "answer", "I've"))]


def test_the_example_of_the_documentation_is_what_the_planner_does() -> None:
    text = (ROOT / "docs/planner.md").read_text(encoding="utf-8")
    message, lines = re.findall(r'make trace Q="([^"]+)"\n(.*?)\n```', text, re.DOTALL)[0]
    played = "\n".join(trace([message])).splitlines()
    assert told(played) == told(lines.splitlines())
